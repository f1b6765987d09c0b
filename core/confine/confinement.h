// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <sys/types.h>

#include "core/confine/plan.h"

namespace tracedeck::confine {

/// First half, in the (single-threaded) process that will fork the confined one: joins the plan's control groups, makes namespaces
/// for its children and their first process, which exchanges the root for the plan's view and from then on only watches `lifeline`:
/// when that is closed at its other end it ends, and the kernel ends every process in the namespace with it. Gives the first
/// process's number; 0 where the plan has no namespaces.
[[nodiscard]] Result<pid_t> enterConfinement(const Plan& plan, int lifeline);

/// Second half, in the process to be confined, before any foreign code: a session of its own, limits, no new privileges, no
/// capabilities, Landlock, filter of system calls.
[[nodiscard]] Result<void> sealConfinement(const Plan& plan);

}  // namespace tracedeck::confine
