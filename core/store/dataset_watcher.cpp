// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/dataset_watcher.h"

#include <dirent.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <string>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/io/dataset_scanner.h"
#include "core/io/file_descriptor.h"
#include "core/store/file_stamp.h"

namespace tracedeck {

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr std::array<const char*, 4> kWatchedFolders{"definitions", "solutions", "workloads", "traces"};
constexpr std::uint32_t kFolderEvents = IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_MODIFY | IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF;
constexpr std::uint32_t kFileEvents = IN_MODIFY | IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF;

/// File systems on which other machines change files without this kernel's knowledge: NFS, SMB, CIFS, FUSE (sshfs), 9P,
/// Ceph, Lustre, AFS, GPFS.
bool isRemote(const fs::path& folder)
{
    constexpr std::array<std::uint32_t, 9> kRemote{0x6969, 0xFE534D42, 0xFF534D42, 0x65735546, 0x01021997,
                                                   0x00C36400, 0x0BD00BD0, 0x5346414F, 0x47504653};
    struct statfs status {};
    if (::statfs(folder.c_str(), &status) != 0) return false;
    return std::find(kRemote.begin(), kRemote.end(), static_cast<std::uint32_t>(status.f_type)) != kRemote.end();
}

/// Every file right in a problem folder, in a fixed order: sources of a solution may be separate files beside it.
std::vector<std::string> filesOf(const fs::path& root, const ProblemFolder& folder)
{
    std::vector<std::string> files;
    std::error_code code;
    for (fs::directory_iterator entry(root / folder.path, code); !code && entry != fs::directory_iterator(); entry.increment(code)) {
        std::error_code ignored;
        if (!entry->is_directory(ignored)) files.push_back(folder.file(entry->path().filename().string()));
    }
    std::sort(files.begin(), files.end());
    return files;
}

/// A number for the state of everything that a load would read; equal states have equal numbers.
std::uint64_t signatureOf(const fs::path& root, const std::stop_token& stop)
{
    std::uint64_t signature = 0x9E3779B97F4A7C15ULL;
    const auto mix = [&signature](std::uint64_t value) {
        signature = (signature ^ value) * 0xFF51AFD7ED558CCDULL;
        signature ^= signature >> 32U;
    };
    const auto scanned = scanDataset(root, stop);
    mix(scanned.has_value() ? 1 : 0);
    if (!scanned) return signature;
    mix(scanned->problems.size());
    const auto mixFile = [&](const std::string& file) {
        mix(std::hash<std::string>()(file));
        const auto stamp = stampOf(root / file);
        mix(stamp ? 1 : 0);
        if (!stamp) return;
        for (const std::uint64_t value : {stamp->device, stamp->inode, stamp->size, static_cast<std::uint64_t>(stamp->modifiedNs),
                                          static_cast<std::uint64_t>(stamp->changedNs)}) {
            mix(value);
        }
    };
    for (const auto* files : {&scanned->definitions, &scanned->solutions, &scanned->workloads, &scanned->traces}) {
        for (const std::string& file : *files) {
            if (stop.stop_requested()) return signature;
            mixFile(file);
        }
    }
    for (const ProblemFolder& folder : scanned->problemFolders) {
        if (stop.stop_requested()) return signature;
        for (const std::string& file : filesOf(root, folder)) mixFile(file);
    }
    return signature;
}

}  // namespace

/// The kernel's watches on a dataset's folders.
class DatasetWatcher::Watches {
public:
    /// False: the kernel refuses.
    [[nodiscard]] bool open()
    {
        m_events = FileDescriptor(::inotify_init1(IN_CLOEXEC | IN_NONBLOCK));
        return m_events.isOpen();
    }
    void close() { m_events.reset(); }
    [[nodiscard]] int descriptor() const { return m_events.get(); }

    /// Watches the root and all below the four folders. False when the kernel refuses a watch.
    [[nodiscard]] bool addAll(const fs::path& root)
    {
        // The root itself: the four folders may come and go.
        if (!add(root, kFolderEvents & ~std::uint32_t{IN_MODIFY}, true)) return errno == ENOENT || errno == ENOTDIR;
        return std::all_of(kWatchedFolders.begin(), kWatchedFolders.end(), [&](const char* name) { return addFolder(root / name); });
    }
    struct Outcome {
        bool changed = false;
        bool isComplete = true;   ///< false: events were lost or a watch was refused
    };
    /// Takes all events that are there.
    [[nodiscard]] Outcome take()
    {
        Outcome outcome;
        alignas(inotify_event) std::array<char, 16384> buffer;
        while (true) {
            const ssize_t got = ::read(m_events.get(), buffer.data(), buffer.size());
            if (got <= 0) return outcome;
            for (std::size_t at = 0; at < static_cast<std::size_t>(got);) {
                const auto* event = reinterpret_cast<const inotify_event*>(buffer.data() + at);
                at += sizeof(inotify_event) + event->len;
                handle(*event, event->len > 0 ? std::string(event->name) : std::string(), outcome);
            }
        }
    }

private:
    bool add(const fs::path& path, std::uint32_t events, bool isRoot)
    {
        const int watch = ::inotify_add_watch(m_events.get(), path.c_str(), events);
        if (watch < 0) return false;
        m_paths[watch] = Watched{path, isRoot};
        return true;
    }
    /// A folder and all below it, but not below links; links to files are watched where they lead to.
    bool addFolder(const fs::path& folder)
    {
        std::vector<fs::path> pending{folder};
        while (!pending.empty()) {
            const fs::path path = std::move(pending.back());
            pending.pop_back();
            if (!add(path, kFolderEvents, false)) {
                if (errno == ENOSPC || errno == ENOMEM) return false;
                continue;   // gone or unreadable: a load says so
            }
            std::error_code code;
            for (fs::directory_iterator entry(path, code); !code && entry != fs::directory_iterator(); entry.increment(code)) {
                std::error_code ignored;
                const bool isLink = entry->is_symlink(ignored);
                if (entry->is_directory(ignored)) {
                    if (!isLink) pending.push_back(entry->path());
                } else if (isLink && !add(entry->path(), kFileEvents, false) && (errno == ENOSPC || errno == ENOMEM)) {
                    return false;
                }
            }
        }
        return true;
    }
    void handle(const inotify_event& event, const std::string& name, Outcome& outcome)
    {
        if ((event.mask & IN_Q_OVERFLOW) != 0) {
            outcome = {true, false};
            return;
        }
        const auto known = m_paths.find(event.wd);
        if (known == m_paths.end()) return;
        const Watched watched = known->second;
        if ((event.mask & IN_IGNORED) != 0) {
            m_paths.erase(known);
            return;
        }
        if (watched.isRoot && std::find(kWatchedFolders.begin(), kWatchedFolders.end(), name) == kWatchedFolders.end() &&
            (event.mask & (IN_DELETE_SELF | IN_MOVE_SELF)) == 0) {
            return;   // a report, a backup: nothing that is loaded
        }
        outcome.changed = true;
        // Without a root there is nothing to listen to; it may come back.
        if (watched.isRoot && (event.mask & (IN_DELETE_SELF | IN_MOVE_SELF)) != 0) outcome.isComplete = false;
        if ((event.mask & (IN_CREATE | IN_MOVED_TO)) == 0) return;
        const fs::path path = watched.path / name;
        std::error_code code;
        const fs::file_status status = fs::symlink_status(path, code);
        bool isAdded = true;
        if (fs::is_directory(status) || (watched.isRoot && fs::is_directory(path, code))) isAdded = addFolder(path);
        else if (fs::is_symlink(status)) isAdded = add(path, kFileEvents, false) || (errno != ENOSPC && errno != ENOMEM);
        outcome.isComplete = outcome.isComplete && isAdded;
    }

    struct Watched {
        fs::path path;
        bool isRoot = false;
    };
    FileDescriptor m_events;
    std::unordered_map<int, Watched> m_paths;
};

class DatasetWatcher::Worker {
public:
    Worker(fs::path root, std::function<void()> onChange, Options options)
        : m_root(std::move(root)), m_onChange(std::move(onChange)), m_options(options), m_wake(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK))
    {
        // Without that folder it may be a dataset of another layout: the scanner knows what belongs to that.
        std::error_code ignored;
        const bool isUsual = fs::exists(m_root / "definitions", ignored);
        const bool listens = m_options.mayListen && isUsual && !isRemote(m_root) && m_watches.open() && m_watches.addAll(m_root);
        if (!listens) startPolling();
        m_thread = std::jthread([this](const std::stop_token& stop) { run(stop); });
    }
    ~Worker()
    {
        m_thread.request_stop();
        const std::uint64_t one = 1;
        // Only a full counter refuses this, and then the thread wakes up anyway.
        while (::write(m_wake.get(), &one, sizeof(one)) < 0 && errno == EINTR) {}
        m_thread.join();
    }
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;
    [[nodiscard]] Mode mode() const { return m_polls ? Mode::Polling : Mode::Listening; }

private:
    void startPolling()
    {
        m_watches.close();
        m_polls = true;
        m_signature = signatureOf(m_root, {});
    }
    /// Waits for an event or the end; false when the time is over.
    bool wait(std::chrono::milliseconds limit)
    {
        std::array<pollfd, 2> descriptors{pollfd{m_wake.get(), POLLIN, 0}, pollfd{m_watches.descriptor(), POLLIN, 0}};
        return ::poll(descriptors.data(), m_polls ? 1 : 2, static_cast<int>(limit.count())) != 0;
    }
    bool look(const std::stop_token& stop)
    {
        if (!m_polls) {
            const auto outcome = m_watches.take();
            if (!outcome.isComplete) {
                // Events were lost, or there are no more watches: whoever looks at everything misses nothing.
                startPolling();
                return true;
            }
            return outcome.changed;
        }
        const auto begin = Clock::now();
        const std::uint64_t signature = signatureOf(m_root, stop);
        m_lookTime = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - begin);
        return !stop.stop_requested() && std::exchange(m_signature, signature) != signature;
    }
    void run(const std::stop_token& stop)
    {
        using namespace std::chrono_literals;
        constexpr auto kLong = std::chrono::milliseconds(1h);
        while (!stop.stop_requested()) {
            wait(m_polls ? std::max(m_options.pollInterval, 20 * m_lookTime) : kLong);
            if (stop.stop_requested() || !look(stop)) continue;
            const auto last = Clock::now() + m_options.longestDelay;
            while (!m_polls && !stop.stop_requested() && Clock::now() < last) {
                const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(last - Clock::now()) + 1ms;
                if (!wait(std::min(m_options.quiet, left))) break;
                look(stop);
            }
            if (!stop.stop_requested()) m_onChange();
        }
    }

    fs::path m_root;
    std::function<void()> m_onChange;
    Options m_options;
    FileDescriptor m_wake;
    Watches m_watches;
    std::atomic<bool> m_polls{false};
    std::uint64_t m_signature = 0;
    std::chrono::milliseconds m_lookTime{0};
    std::jthread m_thread;
};

DatasetWatcher::DatasetWatcher(fs::path root, std::function<void()> onChange, Options options)
    : m_worker(std::make_unique<Worker>(std::move(root), std::move(onChange), options))
{
}

DatasetWatcher::~DatasetWatcher() = default;

DatasetWatcher::Mode DatasetWatcher::mode() const
{
    return m_worker->mode();
}

}  // namespace tracedeck
