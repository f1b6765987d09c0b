// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <sys/types.h>

#include <functional>

namespace tracedeck::judge {

/// How far a host is kept from other processes.
enum class HostIsolation {
    None,        ///< the system allows no namespaces
    Processes,   ///< own user, process, network and IPC namespaces
    Full         ///< and a mount namespace with a /proc of its own
};

/// Own namespaces for the children of this (single-threaded) process, as far as the system allows them. The GPU driver looks
/// itself up in /proc, so with `usesGpu` it is all or nothing.
[[nodiscard]] HostIsolation enterNamespaces(bool usesGpu);
/// Shows the processes of this process's namespace in /proc, and no others. False where the system refuses.
[[nodiscard]] bool mountOwnProc();

/// Forks. The child begins a session of its own, runs `body` and ends with its value; this returns once the session is there.
/// -1 when the system refuses.
[[nodiscard]] pid_t forkInOwnSession(const std::function<int()>& body);

/// Blocks until the other end of a pipe is closed: the first process of a host's namespace, whose end ends all others in it.
void watchLifeline(int lifeline);

/// No new privileges, no core dumps, limits on files, its own /proc. Without namespaces also: killed with the judge. False: the
/// judge is gone, or /proc can't be mounted.
[[nodiscard]] bool confineHost(HostIsolation isolation, pid_t judge);

}  // namespace tracedeck::judge
