// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "core/store/query.h"

namespace tracedeck::ui {

/// What a reader of these times should know, a line each: methods that are mixed or unknown, results that are launch-bound.
/// Empty when there is nothing to say.
[[nodiscard]] QString timingLines(const TimingCounts& timing);
/// Why a launch-bound latency is not the kernel's own.
[[nodiscard]] QString launchBoundText();

}  // namespace tracedeck::ui
