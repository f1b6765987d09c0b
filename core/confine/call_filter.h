// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/result.h"

namespace tracedeck::confine {

/// Whether this build has libseccomp.
[[nodiscard]] bool canFilterCalls();
/// Denies this process, for ever, the system calls that look into other processes, change the machine or make namespaces (trusted
/// judging §3.10), and sockets but for local ones. Needs "no new privileges".
[[nodiscard]] Result<void> filterCalls();

}  // namespace tracedeck::confine
