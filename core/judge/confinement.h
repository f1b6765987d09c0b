// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <sys/types.h>

#include <functional>

namespace tracedeck::judge {

/// Own user, process, network and IPC namespaces for the children of this (single-threaded) process. False where the
/// system refuses; it is tried in a child that is thrown away first, so that a half-successful try harms nothing.
[[nodiscard]] bool enterNamespaces();

/// Forks. The child begins a session of its own, runs `body` and ends with its value; this returns once the session is there.
/// -1 when the system refuses.
[[nodiscard]] pid_t forkInOwnSession(const std::function<int()>& body);

/// Blocks until the other end of a pipe is closed: the first process of a host's namespace, whose end ends all others in it.
void watchLifeline(int lifeline);

/// No new privileges, no core dumps, limits on files. Without namespaces also: killed with the judge. False: the judge is gone.
[[nodiscard]] bool confineHost(bool isIsolated, pid_t judge);

}  // namespace tracedeck::judge
