// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace tracedeck {

/// Value at a share (0 to 1) of a sorted sample that is not empty, between neighbours by weight; 0.5 is the median.
[[nodiscard]] double quantile(std::span<const double> sorted, double share);
/// NaN for an empty sample.
[[nodiscard]] double median(std::vector<double> sample);

/// Both ends belong to it. NaN: not known.
struct Interval {
    double low = 0;
    double high = 0;

    [[nodiscard]] bool isKnown() const { return low <= high; }
};

/// Interval of the median of independent samples in any order, without assumptions on how they are spread: the narrowest pair
/// of order statistics, equally far from both ends, that covers it at least so often (trusted judging §5.1). Unknown where even the least and
/// the greatest sample do not (fewer than 6 samples for 0.95).
[[nodiscard]] Interval medianInterval(std::vector<double> sample, double confidence = 0.95);

/// Wilson's interval of a share, for `successes` of `trials`. Unknown for no trials.
[[nodiscard]] Interval shareInterval(std::size_t successes, std::size_t trials, double confidence = 0.95);

/// Spearman's rank correlation of a series with its own order, ties at their mean rank. 0 for fewer than 3 values or equal ones.
[[nodiscard]] double trendOf(std::span<const double> series);

/// What a look at one series of times says (trusted judging §5.1).
struct SeriesShape {
    bool drifts = false;            ///< |trend| > 0.5, and the last third's median differs by more than 2 % from the first one's
    double driftShare = 0;          ///< that difference: last ÷ first - 1
    bool isBimodal = false;         ///< two groups of at least a fifth each, with a gap between them of more than 3 × MAD
    double outlierShare = 0;        ///< of samples above median + 5 × MAD
};
/// `series` in the order of the calls.
[[nodiscard]] SeriesShape shapeOf(const std::vector<double>& series);

/// Times of one solution on one workload: a list for each session (process), since samples of one process are not independent.
using Sessions = std::vector<std::vector<double>>;

/// Interval of the median over all sessions, by bootstrap: sessions drawn with replacement, then samples within each. `seed`: same
/// seed, same interval. Unknown for no samples.
[[nodiscard]] Interval bootstrapMedian(const Sessions& sessions, double confidence = 0.95, std::uint64_t seed = 1);

/// How B's times compare with A's.
enum class LatencyVerdict { Faster, Slower, Same, CannotTell };
[[nodiscard]] std::string_view toString(LatencyVerdict verdict);   ///< FASTER, SLOWER, SAME, CANT_TELL

struct LatencyComparison {
    LatencyVerdict verdict = LatencyVerdict::CannotTell;
    double ratio = 0;          ///< median of B ÷ median of A; NaN when one has no samples
    Interval interval;         ///< of the ratio
    double margin = 0;         ///< share below which a difference does not count
    /// CannotTell: how many sessions of each would probably do; nothing when more of them would not help, or nobody knows.
    std::optional<std::size_t> sessionsNeeded;
};
/// Compares B with A (trusted judging §5.2): the ratio's interval by bootstrap over sessions and the samples in them, faster or
/// slower only when the whole interval is on one side and the ratio is off by more than the margin, same when the whole interval
/// lies within it. `aaFloor`: how much a solution differs from itself on this machine, as a logarithm of the ratio (see aaFloor());
/// the margin is the greater of 2 % and twice that. With less than 3 sessions of either, the difference must be more than 5 %.
[[nodiscard]] LatencyComparison compareLatencies(const Sessions& a, const Sessions& b, double aaFloor = 0, double confidence = 0.95, std::uint64_t seed = 1);

/// The 95 % quantile of |log ratio| of measurements of one solution against itself, over workloads; 0 for none.
[[nodiscard]] double aaFloor(const std::vector<double>& logRatios);

/// Geometric mean of positive ratios, one a workload, with its interval by bootstrap over workloads.
struct RatioMean {
    double mean = 0;   ///< NaN for no ratios
    Interval interval;
};
[[nodiscard]] RatioMean geometricMean(const std::vector<double>& ratios, double confidence = 0.95, std::uint64_t seed = 1);

}  // namespace tracedeck
