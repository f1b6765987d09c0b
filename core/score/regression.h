// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/score/comparison.h"

namespace tracedeck {

/// B is certainly slower than A by more than this share, or fails where A passed: what Comparison::regressions() counts.
[[nodiscard]] bool isRegression(const ComparisonRow& row, double share);

}  // namespace tracedeck
