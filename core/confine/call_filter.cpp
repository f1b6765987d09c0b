// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/confine/call_filter.h"

#if TRACEDECK_HAS_SECCOMP

#include <sched.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>

namespace tracedeck::confine {

namespace {

constexpr const char* kDenied[] = {
    // other processes
    "ptrace", "process_vm_readv", "process_vm_writev", "process_madvise", "pidfd_getfd", "kcmp",
    // the kernel's insides
    "perf_event_open", "bpf", "userfaultfd", "io_uring_setup", "io_uring_enter", "io_uring_register", "kexec_load", "kexec_file_load",
    "init_module", "finit_module", "delete_module", "create_module", "syslog", "lookup_dcookie", "fanotify_init", "personality", "iopl", "ioperm",
    // keys
    "add_key", "request_key", "keyctl",
    // namespaces and mounts
    "setns", "unshare", "mount", "umount", "umount2", "pivot_root", "chroot", "fsopen", "fsconfig", "fsmount", "fspick", "move_mount", "open_tree",
    "mount_setattr", "open_by_handle_at", "name_to_handle_at", "swapon", "swapoff", "quotactl", "quotactl_fd", "acct", "vhangup", "nfsservctl",
    // the machine
    "reboot", "settimeofday", "stime", "clock_settime", "clock_settime64", "clock_adjtime", "clock_adjtime64", "adjtimex", "sethostname",
    "setdomainname"};
constexpr std::uint64_t kNamespaceFlags[] = {CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNET, CLONE_NEWNS, CLONE_NEWIPC, CLONE_NEWUTS, CLONE_NEWCGROUP};

Error filterError(const std::string& what, int code)
{
    return Error{ErrorCode::Unsupported, what + ": " + std::strerror(-code), {}, 0, {}};
}

}  // namespace

bool canFilterCalls()
{
    return true;
}

Result<void> filterCalls()
{
    const std::unique_ptr<void, decltype(&seccomp_release)> filter(seccomp_init(SCMP_ACT_ALLOW), &seccomp_release);
    if (!filter) {
        return filterError("no filter of system calls can be made", -ENOMEM);
    }
    int failure = 0;
    const auto keep = [&failure](int code) {
        if (code != 0 && failure == 0) {
            failure = code;
        }
    };
    keep(seccomp_attr_set(filter.get(), SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS));
    keep(seccomp_attr_set(filter.get(), SCMP_FLTATR_CTL_NNP, 0));   // set already
    // Without it older kernels switch off speculative loads for whoever has a filter, and every figure gets slower.
    keep(seccomp_attr_set(filter.get(), SCMP_FLTATR_CTL_SSB, 1));
    for (const char* name : kDenied) {
        const int number = seccomp_syscall_resolve_name(name);
        if (number != __NR_SCMP_ERROR && number >= 0) {   // below: not on this architecture
            keep(seccomp_rule_add(filter.get(), SCMP_ACT_ERRNO(EPERM), number, 0));
        }
    }
    for (const std::uint64_t flag : kNamespaceFlags) {
        keep(seccomp_rule_add(filter.get(), SCMP_ACT_ERRNO(EPERM), SCMP_SYS(clone), 1, SCMP_A0(SCMP_CMP_MASKED_EQ, flag, flag)));
    }
    // Its flags lie in memory, where a filter can't look: the C library falls back to clone().
    keep(seccomp_rule_add(filter.get(), SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0));
    // A host keeps the processors that it was given: on the judge's it could delay the judge. Libraries that spread their threads are told
    // that all is well.
    keep(seccomp_rule_add(filter.get(), SCMP_ACT_ERRNO(0), SCMP_SYS(sched_setaffinity), 0));
    keep(seccomp_rule_add(filter.get(), SCMP_ACT_ERRNO(EPERM), SCMP_SYS(socket), 1, SCMP_A0(SCMP_CMP_NE, AF_UNIX)));
    constexpr std::uint64_t kRequestBits = 0xFFFFFFFF;
    keep(seccomp_rule_add(filter.get(), SCMP_ACT_ERRNO(EPERM), SCMP_SYS(ioctl), 1, SCMP_A1(SCMP_CMP_MASKED_EQ, kRequestBits, TIOCSTI)));
    if (failure != 0) {
        return filterError("a rule for system calls can't be made", failure);
    }
    const int code = seccomp_load(filter.get());
    return code == 0 ? Result<void>() : filterError("system calls can't be filtered", code);
}

}  // namespace tracedeck::confine

#else

namespace tracedeck::confine {

bool canFilterCalls()
{
    return false;
}

Result<void> filterCalls()
{
    return Error{ErrorCode::Unsupported, "this build has no libseccomp", {}, 0, {}};
}

}  // namespace tracedeck::confine

#endif
