// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/confine/plan.h"

namespace tracedeck::confine {

/// What `tracedeck-worker confined` ends with when it could not put up the walls; what it printed says why.
inline constexpr int kUnconfinedExitCode = 125;

/// `tracedeck-worker confined PLAN PROGRAM [ARGUMENT]…`: runs a program behind the walls of a plan and ends as it does. All that it has
/// started ends with it.
[[noreturn]] void runConfined(const std::string& planText, const std::vector<std::string>& command);

}  // namespace tracedeck::confine
