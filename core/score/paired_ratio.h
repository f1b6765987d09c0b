// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <vector>

#include "core/score/statistics.h"

namespace tracedeck {

/// Quantile of Student's t distribution for a share above 0 and below 1. `degrees` at least 1.
[[nodiscard]] double studentQuantile(double share, double degrees);

/// How B's times compare with A's where both were measured in the same rounds, one after the other on the same inputs.
struct PairedRatio {
    LatencyVerdict verdict = LatencyVerdict::CannotTell;
    double ratio = 0;      ///< geometric mean of B ÷ A over the rounds; NaN without rounds
    Interval interval;     ///< of the ratio; unknown for fewer than two rounds
    std::size_t rounds = 0;
};
/// The interval is the wider one of Student's on the logarithms of the rounds' ratios (what few rounds need) and that of a bootstrap over rounds
/// (what skewed ones need). Faster or slower when it lies on one side of 1 and the ratio is off by more than `margin` (a share, 0.01), same when
/// all of it lies within the margin. `a` and `b`: positive times, one a round; the longer one is cut.
[[nodiscard]] PairedRatio comparePaired(const std::vector<double>& a, const std::vector<double>& b, double margin, double confidence);

/// Confidence that an interval needs at the `look`-th look at growing data (from 1 on), so that all looks together err at most as often as `confidence` says: each
/// look spends alpha ÷ (look · (look + 1)) of it, which never sums up to more than alpha. `comparisons`: how many ratios are looked at each time.
[[nodiscard]] double confidenceOfLook(double confidence, std::size_t look, std::size_t comparisons);

}  // namespace tracedeck
