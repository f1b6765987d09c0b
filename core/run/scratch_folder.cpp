// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/scratch_folder.h"

#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

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

/// Where judges make their folders.
fs::path temporaryFolder()
{
    const char* configured = std::getenv("TMPDIR");
    return configured != nullptr && *configured != '\0' ? fs::path(configured) : fs::path("/tmp");
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
        if (parsed.ec == std::errc{} && owner > 0 && isOurs && ::kill(owner, 0) != 0 && errno == ESRCH) {
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

ScratchFolder::ScratchFolder(ScratchFolder&& other) noexcept : m_path(std::exchange(other.m_path, {})) {}

ScratchFolder& ScratchFolder::operator=(ScratchFolder&& other) noexcept
{
    if (this != &other) {
        if (!m_path.empty()) {
            removeTree(m_path);
        }
        m_path = std::exchange(other.m_path, {});
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
    return ScratchFolder::create(temporaryFolder(), fmt::format("{}{}-", kJudgePrefix, ::getpid()));
}

}  // namespace tracedeck
