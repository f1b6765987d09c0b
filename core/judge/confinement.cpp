// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/confinement.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "core/io/file_descriptor.h"

namespace tracedeck::judge {

namespace {

bool writeText(const char* path, const std::string& text)
{
    const FileDescriptor file(::open(path, O_WRONLY | O_CLOEXEC));
    return file.isOpen() && ::write(file.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

constexpr int kProcessNamespace = CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC;

bool unshareAll(int namespaces)
{
    const uid_t user = ::geteuid();
    const gid_t group = ::getegid();
    return ::unshare(namespaces) == 0 && writeText("/proc/self/setgroups", "deny") &&
           writeText("/proc/self/uid_map", fmt::format("{} {} 1", user, user)) &&
           writeText("/proc/self/gid_map", fmt::format("{} {} 1", group, group));
}

}  // namespace

namespace {

/// Tried in a process that is thrown away, so that a half-successful try harms nothing.
bool canEnter(int namespaces, bool withProc)
{
    const pid_t trial = ::fork();
    if (trial == 0) {
        // The first process in the new namespace must be possible, too.
        const bool entered = unshareAll(namespaces);
        const pid_t first = entered ? ::fork() : -1;
        if (first == 0) {
            ::_exit(!withProc || mountOwnProc() ? 0 : 1);
        }
        int status = 1;
        ::_exit(first > 0 && ::waitpid(first, &status, 0) == first && status == 0 ? 0 : 1);
    }
    int status = 1;
    return trial > 0 && ::waitpid(trial, &status, 0) == trial && status == 0;
}

}  // namespace

bool mountOwnProc()
{
    return ::mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, nullptr) == 0;
}

HostIsolation enterNamespaces(bool usesGpu)
{
    if (canEnter(kProcessNamespace | CLONE_NEWNS, true)) {
        return unshareAll(kProcessNamespace | CLONE_NEWNS) ? HostIsolation::Full : HostIsolation::None;
    }
    if (!usesGpu && canEnter(kProcessNamespace, false)) {
        return unshareAll(kProcessNamespace) ? HostIsolation::Processes : HostIsolation::None;
    }
    return HostIsolation::None;
}

pid_t forkInOwnSession(const std::function<int()>& body)
{
    std::array<int, 2> ready{-1, -1};
    if (::pipe2(ready.data(), O_CLOEXEC) != 0) {
        return -1;
    }
    FileDescriptor readEnd(ready[0]);
    FileDescriptor writeEnd(ready[1]);
    const pid_t pid = ::fork();
    if (pid == 0) {
        ::setsid();
        readEnd.close();
        writeEnd.close();   // what the parent waits for
        ::_exit(body());
    }
    writeEnd.close();
    char unused = 0;
    while (::read(readEnd.get(), &unused, 1) < 0 && errno == EINTR) {
    }
    return pid;
}

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

bool confineHost(HostIsolation isolation, pid_t judge)
{
    if (isolation == HostIsolation::Full && !mountOwnProc()) {
        return false;
    }
    if (isolation == HostIsolation::None) {
        // The intermediate process is still the parent for a moment, and the signal would come at its end.
        for (int tries = 0; ::getppid() != judge && tries < 5000; ++tries) {
            ::usleep(1000);
        }
        ::prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
        if (::getppid() != judge) {
            return false;
        }
    }
    ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    constexpr std::array<std::pair<__rlimit_resource, rlim_t>, 3> kLimits{{{RLIMIT_CORE, 0}, {RLIMIT_FSIZE, rlim_t{1} << 30}, {RLIMIT_NOFILE, 1024}}};
    for (const auto& [resource, wanted] : kLimits) {
        rlimit limit{};
        ::getrlimit(resource, &limit);
        limit.rlim_cur = limit.rlim_max = std::min(limit.rlim_max, wanted);
        ::setrlimit(resource, &limit);
    }
    return true;
}

}  // namespace tracedeck::judge
