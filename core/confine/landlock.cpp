// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/confine/landlock.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>

#include "core/confine/mount_view.h"
#include "core/io/file_descriptor.h"

namespace tracedeck::confine {

namespace {

// The kernel's interface (linux/landlock.h); Debian 12's header knows its first versions only.
struct RulesetAttributes {
    std::uint64_t files;
    std::uint64_t network;
    std::uint64_t scopes;
};
struct [[gnu::packed]] PathAttributes {
    std::uint64_t allowed;
    std::int32_t folder;
};
constexpr int kPathRule = 1;
constexpr unsigned kVersionFlag = 1;
constexpr std::uint64_t kExecute = 1;
constexpr std::uint64_t kWriteFile = 1U << 1U;
constexpr std::uint64_t kReadFile = 1U << 2U;
constexpr std::uint64_t kReadFolder = 1U << 3U;
constexpr std::uint64_t kTruncate = 1U << 14U;
constexpr std::uint64_t kDeviceControl = 1U << 15U;
constexpr std::uint64_t kOfFiles = kExecute | kWriteFile | kReadFile | kTruncate | kDeviceControl;

/// All file rights that a version knows.
constexpr std::uint64_t fileRights(int version)
{
    const unsigned count = version >= 5 ? 16 : version >= 3 ? 15 : version >= 2 ? 14 : 13;
    return (std::uint64_t{1} << count) - 1;
}
constexpr std::uint64_t networkRights(int version)
{
    return version >= 4 ? 3 : 0;   // bind and connect by TCP
}
constexpr std::uint64_t scopeRights(int version)
{
    return version >= 6 ? 3 : 0;   // abstract sockets and signals
}
constexpr std::size_t attributeBytes(int version)
{
    return version >= 6 ? sizeof(RulesetAttributes) : version >= 4 ? 2 * sizeof(std::uint64_t) : sizeof(std::uint64_t);
}

class Ruleset {
public:
    explicit Ruleset(int version) : m_known(fileRights(version))
    {
        const RulesetAttributes attributes{m_known, networkRights(version), scopeRights(version)};
        m_ruleset = FileDescriptor(static_cast<int>(::syscall(SYS_landlock_create_ruleset, &attributes, attributeBytes(version), 0)));
    }
    [[nodiscard]] bool isOpen() const { return m_ruleset.isOpen(); }

    /// A path that is not there needs no rule.
    Result<void> allow(const std::string& path, std::uint64_t rights)
    {
        const FileDescriptor folder(::open(path.c_str(), O_PATH | O_CLOEXEC));
        struct stat status{};
        if (!folder.isOpen() || ::fstat(folder.get(), &status) != 0) {
            return {};
        }
        const PathAttributes attributes{(S_ISDIR(status.st_mode) ? rights : rights & kOfFiles) & m_known, folder.get()};
        if (::syscall(SYS_landlock_add_rule, m_ruleset.get(), kPathRule, &attributes, 0) != 0) {
            return systemError("Landlock refuses a rule for " + path);
        }
        return {};
    }
    Result<void> enforce()
    {
        return ::syscall(SYS_landlock_restrict_self, m_ruleset.get(), 0) == 0 ? Result<void>() : systemError("Landlock can't be switched on");
    }

private:
    std::uint64_t m_known;
    FileDescriptor m_ruleset;
};

}  // namespace

int landlockVersion()
{
    return static_cast<int>(std::max(::syscall(SYS_landlock_create_ruleset, nullptr, 0, kVersionFlag), 0L));
}

Result<void> restrictFiles(const Plan& plan)
{
    Ruleset rules(plan.landlock);
    if (!rules.isOpen()) {
        return systemError("Landlock can't be used");
    }
    constexpr std::uint64_t kRead = kExecute | kReadFile | kReadFolder;
    constexpr std::uint64_t kAll = ~std::uint64_t{0};
    std::vector<std::pair<std::string, std::uint64_t>> allowed;
    const auto allow = [&allowed](const std::vector<std::string>& paths, std::uint64_t rights) {
        for (const std::string& path : paths) {
            allowed.emplace_back(path, rights);
        }
    };
    allow(systemPaths(), kRead);
    allow(plan.readable, kRead);
    allow(plan.writable, kAll);
    allow(devicePaths(plan.usesGpu), kReadFile | kWriteFile | kDeviceControl);
    // Threads are named by writing to a file of theirs, which is truncated first. NVIDIA's driver does not start where it can't.
    allow({"/proc/self"}, kReadFile | kReadFolder | kWriteFile | kTruncate);
    if (plan.usesGpu) {
        allow({"/sys"}, kReadFile | kReadFolder);
        allow({"/dev/nvidia-caps"}, kReadFile | kReadFolder | kWriteFile | kDeviceControl);
    }
    if (plan.namespaces == Namespaces::None) {
        // The machine's own: what numerical libraries ask it, and nothing of other processes.
        allow({"/proc/cpuinfo", "/proc/meminfo", "/proc/stat", "/proc/version", "/proc/devices", "/proc/driver", "/proc/filesystems", "/proc/modules",
               "/proc/loadavg", "/proc/uptime", "/proc/sys"},
              kReadFile | kReadFolder);
    } else {
        allow({"/proc"}, kReadFile | kReadFolder);
        allow({"/tmp", "/var/tmp", "/dev/shm"}, kAll);
        allow({"/"}, kReadFolder);
    }
    for (const auto& [path, rights] : allowed) {
        if (auto added = rules.allow(path, rights); !added) {
            return added;
        }
    }
    return rules.enforce();
}

}  // namespace tracedeck::confine
