// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/limit_watch.h"

#include <signal.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <fmt/format.h>

#include "core/io/child_process.h"

namespace tracedeck::judge {

namespace {

namespace fs = std::filesystem;
constexpr auto kLookInterval = std::chrono::milliseconds(50);
constexpr double kGibibyte = 1024.0 * 1024.0 * 1024.0;

std::uint64_t pageBytes()
{
    return static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

/// Bytes of a process that no other shares, exactly; slow.
std::uint64_t proportionalBytes(pid_t process)
{
    std::ifstream rollup(fmt::format("/proc/{}/smaps_rollup", process));
    constexpr std::uint64_t kBytesPerKib = 1024;
    for (std::string word; rollup >> word;) {
        std::uint64_t kib = 0;
        if (word == "Pss_Anon:" && rollup >> kib) {
            return kib * kBytesPerKib;
        }
    }
    return 0;
}

/// A process and all that it started, with the children of each of its threads.
void collect(pid_t root, std::vector<pid_t>& found)
{
    const std::size_t begin = found.size();
    found.push_back(root);
    for (std::size_t next = begin; next < found.size(); ++next) {
        std::error_code failure;
        for (fs::directory_iterator task(fmt::format("/proc/{}/task", found[next]), failure), end; !failure && task != end; task.increment(failure)) {
            std::ifstream children(task->path() / "children");
            for (pid_t child = 0; children >> child;) {
                found.push_back(child);
            }
        }
    }
}

void killAll(const LimitWatch::Entry& entry)
{
    if (entry.init > 0) {
        ::kill(entry.init, SIGKILL);
    } else {
        killDescendantsOf(entry.host);
    }
    ::kill(entry.host, SIGKILL);
}

std::string brokenBy(const LimitWatch::Entry& entry)
{
    std::vector<pid_t> roots{entry.host};
    if (entry.init > 0) {
        roots.push_back(entry.init);   // orphans are its children
    }
    const TreeUse use = useOfTrees(roots);
    if (entry.limits.watchesProcesses && use.processes > entry.limits.processes) {
        return fmt::format("limit the solution started more than {} processes and threads", entry.limits.processes);
    }
    if (entry.limits.watchesMemory && use.privateBytes > entry.limits.memoryBytes) {
        std::vector<pid_t> all;
        for (const pid_t root : roots) {
            collect(root, all);
        }
        std::uint64_t exact = 0;
        for (const pid_t process : all) {
            exact += proportionalBytes(process);
        }
        if (exact > entry.limits.memoryBytes) {
            return memoryLimitText(entry.limits.memoryBytes);
        }
    }
    return {};
}

}  // namespace

std::string memoryLimitText(std::uint64_t bytes)
{
    return fmt::format("oom the solution took more memory than it may have ({:.3g} GiB)", static_cast<double>(bytes) / kGibibyte);
}

std::vector<pid_t> treeOf(pid_t root)
{
    std::vector<pid_t> all;
    collect(root, all);
    return all;
}

bool wantProcessors(const std::vector<pid_t>& roots)
{
    for (const pid_t root : roots) {
        for (const pid_t process : treeOf(root)) {
            std::error_code failure;
            for (fs::directory_iterator task(fmt::format("/proc/{}/task", process), failure), end; !failure && task != end; task.increment(failure)) {
                std::ifstream stat(task->path() / "stat");
                std::string line;
                std::getline(stat, line);
                const std::size_t bracket = line.rfind(')');   // before it stands a name, which may hold anything
                if (bracket != std::string::npos && line.compare(bracket, 4, ") R ") == 0) {
                    return true;
                }
            }
        }
    }
    return false;
}

std::uint64_t processorNsOfTrees(const std::vector<pid_t>& roots)
{
    constexpr std::uint64_t kNanosecondsPerSecond = 1'000'000'000;
    std::uint64_t total = 0;
    for (const pid_t root : roots) {
        for (const pid_t process : treeOf(root)) {
            clockid_t clock{};
            timespec used{};
            if (::clock_getcpuclockid(process, &clock) == 0 && ::clock_gettime(clock, &used) == 0) {
                total += static_cast<std::uint64_t>(used.tv_sec) * kNanosecondsPerSecond + static_cast<std::uint64_t>(used.tv_nsec);
            }
        }
    }
    return total;
}

TreeUse useOfTrees(const std::vector<pid_t>& roots)
{
    std::vector<pid_t> all;
    for (const pid_t root : roots) {
        collect(root, all);
    }
    TreeUse use;
    for (const pid_t process : all) {
        std::ifstream statm(fmt::format("/proc/{}/statm", process));
        std::uint64_t size = 0;
        std::uint64_t resident = 0;
        std::uint64_t shared = 0;
        if (statm >> size >> resident >> shared) {
            use.privateBytes += (resident - std::min(resident, shared)) * pageBytes();
        }
        std::error_code failure;
        const auto threads = std::distance(fs::directory_iterator(fmt::format("/proc/{}/task", process), failure), fs::directory_iterator());
        use.processes += failure ? 0 : static_cast<std::uint64_t>(threads);
    }
    return use;
}

LimitWatch::~LimitWatch() = default;

std::shared_ptr<LimitWatch::Entry> LimitWatch::add(pid_t host, pid_t init, const WatchedLimits& limits)
{
    if (!limits.watchesMemory && !limits.watchesProcesses) {
        return nullptr;
    }
    const std::lock_guard lock(m_mutex);
    m_entries.push_back(std::make_shared<Entry>(Entry{host, init, limits, {}}));
    if (!m_thread.joinable()) {
        m_thread = std::jthread([this](const std::stop_token& stop) { work(stop); });
    }
    return m_entries.back();
}

void LimitWatch::remove(const std::shared_ptr<Entry>& entry)
{
    const std::lock_guard lock(m_mutex);
    m_entries.remove(entry);
}

std::string LimitWatch::brokenLimit(const Entry& entry)
{
    const std::lock_guard lock(m_mutex);
    return entry.broken;
}

void LimitWatch::work(const std::stop_token& stop)
{
    std::unique_lock lock(m_mutex);
    std::condition_variable_any never;
    while (!never.wait_for(lock, stop, kLookInterval, [&stop] { return stop.stop_requested(); })) {
        for (const auto& entry : m_entries) {
            if (entry->broken.empty()) {
                entry->broken = brokenBy(*entry);
            }
            if (!entry->broken.empty()) {
                killAll(*entry);   // until it is gone: it may be starting others
            }
        }
    }
}

}  // namespace tracedeck::judge
