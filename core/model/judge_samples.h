// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/model/trace.h"

namespace tracedeck {

/// All counted times of one evaluation in milliseconds, in the order of the calls, as the trace's extra key `judge` has them
/// (`time.samples_us`), or those of another program (`imported.samples_ms`). Empty when there are none, or when one of them is no time: then
/// somebody else wrote the list.
[[nodiscard]] std::vector<double> judgeSamplesMs(const Evaluation& evaluation);

}  // namespace tracedeck
