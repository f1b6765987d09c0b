// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/scratch_folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/io/child_process.h"

namespace tracedeck {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kJudgePrefix = "tracedeck-judge-";

std::vector<std::string> entriesOf(int folder)
{
    std::vector<std::string> names;
    DIR* const listing = ::fdopendir(::openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    while (listing != nullptr) {
        const dirent* const entry = ::readdir(listing);
        if (entry == nullptr) {
            ::closedir(listing);
            break;
        }
        if (const std::string name = entry->d_name; name != "." && name != "..") {
            names.push_back(name);
        }
    }
    return names;
}

/// Takes the folders of a folder's folders up into it until there are none: a tree may be deeper than a path can be long, and than
/// files can be open. Folders whose rights were taken away get them back.
void flatten(int top)
{
    std::uint64_t lastName = 0;
    const auto moveUp = [&](int folder, const std::string& name) {
        constexpr int kTries = 100;   // a stranger may have used some of the names
        ::fchmodat(folder, name.c_str(), S_IRWXU, 0);
        for (int attempt = 0; attempt < kTries; ++attempt) {
            if (::renameat(folder, name.c_str(), top, fmt::format("tracedeck-moved-{}", ++lastName).c_str()) == 0) {
                return true;
            }
        }
        return false;
    };
    ::fchmod(top, S_IRWXU);
    for (bool hasMoved = true; hasMoved;) {
        hasMoved = false;
        for (const std::string& name : entriesOf(top)) {
            if (::unlinkat(top, name.c_str(), 0) == 0) {
                continue;
            }
            ::fchmodat(top, name.c_str(), S_IRWXU, 0);   // no link: that would be gone now
            const FileDescriptor folder(::openat(top, name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
            for (const std::string& child : folder.isOpen() ? entriesOf(folder.get()) : std::vector<std::string>()) {
                if (::unlinkat(folder.get(), child.c_str(), 0) != 0) {
                    hasMoved = moveUp(folder.get(), child) || hasMoved;
                }
            }
            ::unlinkat(top, name.c_str(), AT_REMOVEDIR);
        }
    }
}

/// Deletes a folder whatever a stranger's code has made of it. Links are removed, not followed.
void removeTree(const fs::path& path)
{
    std::error_code failure;
    fs::remove_all(path, failure);
    if (!failure) {
        return;
    }
    if (const FileDescriptor folder(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)); folder.isOpen()) {
        flatten(folder.get());
    }
    fs::remove_all(path, failure);   // what is left after this lies in the temporary folder, which the system empties
}

/// The folder, open and locked until it is closed; not open when another process holds the lock.
FileDescriptor lockedFolder(const fs::path& path)
{
    FileDescriptor folder(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (folder.isOpen() && ::flock(folder.get(), LOCK_EX | LOCK_NB) != 0) {
        folder.reset();
    }
    return folder;
}

/// Where judges make their folders.
fs::path temporaryFolder()
{
    const char* configured = std::getenv("TMPDIR");
    return configured != nullptr && *configured != '\0' ? fs::path(configured) : fs::path("/tmp");
}

/// True when the process was started with a home in the folder, as everything is that a judge starts.
bool livesIn(pid_t process, const std::string& folder)
{
    std::ifstream environment(fmt::format("/proc/{}/environ", process), std::ios::binary);   // another user's can't be opened
    const std::string home = "HOME=" + folder;
    for (std::string entry; std::getline(environment, entry, '\0');) {
        if (entry == home || entry.starts_with(home + "/")) {
            return true;
        }
    }
    return false;
}

/// Kills what a judge has left running. Where its hosts have a process namespace the kernel has done so when the judge died.
void killProcessesOf(const std::string& folder)
{
    constexpr int kMostRounds = 20;   // what is killed may be starting others meanwhile
    bool found = true;
    for (int round = 0; found && round < kMostRounds; ++round) {
        found = false;
        for (const pid_t process : allProcesses()) {
            if (process != ::getpid() && livesIn(process, folder)) {
                found = ::kill(process, SIGKILL) == 0 || found;
            }
        }
    }
}

}  // namespace

void removeFoldersOfDeadJudges()
{
    const fs::path parent = temporaryFolder();
    std::error_code failure;
    for (fs::directory_iterator entry(parent, failure), end; !failure && entry != end; entry.increment(failure)) {
        const std::string name = entry->path().filename().string();
        if (!name.starts_with(kJudgePrefix)) {
            continue;
        }
        pid_t owner = 0;
        const char* const last = name.data() + name.size();
        const auto parsed = std::from_chars(name.data() + kJudgePrefix.size(), last, owner);
        struct stat status{};
        const bool isOurs = ::lstat(entry->path().c_str(), &status) == 0 && S_ISDIR(status.st_mode) && status.st_uid == ::geteuid();
        const bool isOwnerGone = parsed.ec == std::errc{} && owner > 0 && ::kill(owner, 0) != 0 && errno == ESRCH;
        // In another container its owner may live under that number: then it holds the lock.
        if (isOurs && isOwnerGone && lockedFolder(entry->path()).isOpen()) {
            killProcessesOf(entry->path().string());
            removeTree(entry->path());
        }
    }
}

Result<ScratchFolder> ScratchFolder::create(const fs::path& parent, const std::string& prefix)
{
    std::string name = (parent / (prefix + "XXXXXX")).string();
    if (::mkdtemp(name.data()) == nullptr) {
        return Error{ErrorCode::Io, fmt::format("no scratch folder can be made: {}", std::strerror(errno)), parent.string(), 0, {}};
    }
    return ScratchFolder(name);
}

ScratchFolder::ScratchFolder(ScratchFolder&& other) noexcept
    : m_path(std::exchange(other.m_path, {})), m_claim(std::move(other.m_claim))
{
}

void ScratchFolder::claim()
{
    m_claim = lockedFolder(m_path);
}

ScratchFolder& ScratchFolder::operator=(ScratchFolder&& other) noexcept
{
    if (this != &other) {
        if (!m_path.empty()) {
            removeTree(m_path);
        }
        m_path = std::exchange(other.m_path, {});
        m_claim = std::move(other.m_claim);
    }
    return *this;
}

ScratchFolder::~ScratchFolder()
{
    if (!m_path.empty()) {
        removeTree(m_path);
    }
}

Result<ScratchFolder> makeJudgeFolder()
{
    removeFoldersOfDeadJudges();
    auto folder = ScratchFolder::create(temporaryFolder(), fmt::format("{}{}-", kJudgePrefix, ::getpid()));
    if (folder) {
        folder->claim();
    }
    return folder;
}

}  // namespace tracedeck
