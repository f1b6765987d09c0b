// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/confine/plan.h"

namespace tracedeck::confine {

/// Version of the kernel's Landlock interface, 0 without.
[[nodiscard]] int landlockVersion();
/// Denies this process, for ever, every file but the plan's, TCP (version 4 on), and signals and abstract sockets to processes
/// outside (version 6 on). Needs "no new privileges". A second line behind the view, and the first where there is none.
[[nodiscard]] Result<void> restrictFiles(const Plan& plan);

}  // namespace tracedeck::confine
