// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/scratch_folder.h"

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

/// Deletes a folder although a stranger's code may have taken our rights on parts of it. Links are removed, not followed.
void removeTree(const fs::path& path)
{
    std::error_code failure;
    fs::remove_all(path, failure);
    if (!failure) {
        return;
    }
    std::vector<fs::path> folders{path};
    for (std::size_t next = 0; next < folders.size(); ++next) {
        const fs::path folder = folders[next];
        fs::permissions(folder, fs::perms::owner_all, fs::perm_options::add | fs::perm_options::nofollow, failure);
        for (fs::directory_iterator entry(folder, failure), end; !failure && entry != end; entry.increment(failure)) {
            if (fs::is_directory(entry->symlink_status(failure))) {
                folders.push_back(entry->path());
            }
        }
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
