// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/confine/confinement.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <fstream>

#include "core/confine/call_filter.h"
#include "core/confine/landlock.h"
#include "core/confine/mount_view.h"
#include "core/io/file_descriptor.h"

namespace tracedeck::confine {

namespace {

constexpr int kNamespaces = CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWNS;
constexpr std::string_view kNeutralName = "localhost";   // says nothing of the machine, or of a judge
constexpr std::string_view kReady = "ready";

bool writeText(const std::string& path, const std::string& text)
{
    const FileDescriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
    return file.isOpen() && ::write(file.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

Result<void> unshareAll()
{
    const std::string user = std::to_string(::geteuid());
    const std::string group = std::to_string(::getegid());
    if (::unshare(kNamespaces) != 0) {
        return systemError("namespaces are refused");
    }
    if (!writeText("/proc/self/setgroups", "deny") || !writeText("/proc/self/uid_map", user + " " + user + " 1") ||
        !writeText("/proc/self/gid_map", group + " " + group + " 1")) {
        return systemError("a user namespace is refused");
    }
    static_cast<void>(::sethostname(kNeutralName.data(), kNeutralName.size()));   // the old name stays visible, no more
    return {};
}

/// Blocks until the other end of the pipe is closed.
void watchLifeline(int lifeline)
{
    ::signal(SIGCHLD, SIG_IGN);   // whatever ends in the namespace is reaped
    ::dup2(lifeline, 0);
    ::close_range(1, ~0U, 0);
    char unused = 0;
    while (true) {
        const ssize_t count = ::read(0, &unused, 1);
        if (count == 0 || (count < 0 && errno != EINTR)) {
            return;
        }
    }
}

[[noreturn]] void runFirstProcess(const Plan& plan, int lifeline, int ready)
{
    ::setsid();
    const auto entered = enterView(plan);
    const std::string answer = entered ? std::string(kReady) : entered.error().reason;
    const bool isTold = ::write(ready, answer.data(), answer.size()) == static_cast<ssize_t>(answer.size());
    ::close(ready);
    if (entered && isTold) {
        watchLifeline(lifeline);
    }
    ::_exit(entered ? 0 : 1);
}

std::string readAll(int descriptor)
{
    std::string text;
    std::array<char, 512> buffer{};
    while (true) {
        const ssize_t count = ::read(descriptor, buffer.data(), buffer.size());
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count <= 0) {
            return text;
        }
        text.append(buffer.data(), static_cast<std::size_t>(count));
    }
}

/// The intermediate process is still the parent for a moment, and the signal would come at its end.
Result<void> dieWith(pid_t judge)
{
    constexpr int kTries = 5000;
    constexpr unsigned kPauseMicroseconds = 1000;
    for (int tries = 0; ::getppid() != judge && tries < kTries; ++tries) {
        ::usleep(kPauseMicroseconds);
    }
    ::prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    return ::getppid() == judge ? Result<void>() : Error{ErrorCode::ProcessFailed, "the judge is gone", {}, 0, {}};
}

void lower(__rlimit_resource resource, rlim_t wanted)
{
    rlimit limit{};
    ::getrlimit(resource, &limit);
    limit.rlim_cur = limit.rlim_max = std::min(limit.rlim_max, wanted);
    ::setrlimit(resource, &limit);
}

/// Bytes of private memory that this process has reserved already: with a sanitizer terabytes.
rlim_t reservedDataBytes()
{
    std::ifstream statm("/proc/self/statm");
    rlim_t pages = 0;
    for (int field = 0; field < 6; ++field) {
        statm >> pages;
    }
    return pages * static_cast<rlim_t>(::sysconf(_SC_PAGESIZE));
}

void setLimits(const Plan& plan)
{
    constexpr rlim_t kFileBytes = rlim_t{1} << 30;
    constexpr rlim_t kOpenFiles = 1024;
    lower(RLIMIT_CORE, 0);
    lower(RLIMIT_FSIZE, kFileBytes);
    lower(RLIMIT_NOFILE, kOpenFiles);
    if (plan.processLimit > 0) {
        lower(RLIMIT_NPROC, plan.processLimit);
    }
    if (plan.dataBytes > 0) {
        lower(RLIMIT_DATA, reservedDataBytes() + plan.dataBytes);
    }
}

Result<void> dropCapabilities()
{
    for (int capability = 0; ::prctl(PR_CAPBSET_READ, capability, 0, 0, 0) >= 0; ++capability) {
        ::prctl(PR_CAPBSET_DROP, capability, 0, 0, 0);   // without the right to do so there is nothing to drop either
    }
    ::prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
    __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
    std::array<__user_cap_data_struct, _LINUX_CAPABILITY_U32S_3> none{};
    return ::syscall(SYS_capset, &header, none.data()) == 0 ? Result<void>() : systemError("capabilities can't be dropped");
}

}  // namespace

Result<pid_t> enterConfinement(const Plan& plan, int lifeline)
{
    for (const std::string& group : plan.groups) {
        if (!writeText(group + "/cgroup.procs", "0")) {
            return systemError("the control group " + group + " can't be joined");
        }
    }
    if (plan.namespaces == Namespaces::None) {
        return pid_t{0};
    }
    if (auto made = unshareAll(); !made) {
        return made.error();
    }
    std::array<int, 2> ends{-1, -1};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
        return systemError("no pipe");
    }
    const FileDescriptor readEnd(ends[0]);
    FileDescriptor writeEnd(ends[1]);
    const pid_t first = ::fork();
    if (first == 0) {
        runFirstProcess(plan, lifeline, writeEnd.get());
    }
    writeEnd.close();
    if (first < 0) {
        return systemError("no new process");
    }
    if (const std::string answer = readAll(readEnd.get()); answer != kReady) {
        ::kill(first, SIGKILL);
        ::waitpid(first, nullptr, 0);
        return Error{ErrorCode::Unsupported, answer.empty() ? "the first process of a namespace died" : answer, {}, 0, {}};
    }
    // The exchange of the root has reached this process, too; its folder may still be one of outside.
    return ::chdir("/") == 0 ? Result<pid_t>(first) : systemError("/");
}

Result<void> sealConfinement(const Plan& plan)
{
    ::setsid();
    if (plan.namespaces == Namespaces::None && plan.judge > 0) {
        if (auto bound = dieWith(plan.judge); !bound) {
            return bound;
        }
    }
    setLimits(plan);
    if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) {
        return systemError("no way to renounce privileges");
    }
    if (auto dropped = dropCapabilities(); !dropped) {
        return dropped;
    }
    // After the capabilities, whose change may reset it.
    if (plan.hidesMemory) {
        ::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    }
    if (plan.landlock > 0) {
        if (auto restricted = restrictFiles(plan); !restricted) {
            return restricted;
        }
    }
    return plan.filtersCalls ? filterCalls() : Result<void>();
}

}  // namespace tracedeck::confine
