// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/score/rank_table.h"
#include "core/score/ranking.h"
#include "core/store/dataset.h"

namespace tracedeck {

/// The three readings of "share of workloads on which it is p times as fast as the baseline" in use (viewer features §1.8, §2, §4.1).
enum class FastPPreset {
    Site,         ///< the web site: ratio ≥ p, of the workloads attempted; the last passing trace counts, the baseline's first
    WinP,         ///< the win@p script: ratio > p, of the groups attempted; lowest latencies, the fastest stands in for a missing baseline
    KernelBench   ///< ratio > p, of all workloads; the newest trace counts, on the baseline's own hardware
};
[[nodiscard]] std::string_view toString(FastPPreset preset);   ///< `site`, `winp` or `kernelbench`
[[nodiscard]] std::optional<FastPPreset> fastPPresetFromString(std::string_view name);
/// How shares come about, for people.
[[nodiscard]] std::string describeRule(FastPPreset preset, const std::string& baselineAuthor);

/// One author's or solution's curve.
struct FastPCurve {
    std::string name;
    std::vector<double> ratios;   ///< baseline ÷ own latency of each workload that has a ratio (0: failed, site only), ascending
    std::size_t attempted = 0;    ///< (solution, workload) pairs with a trace; for an author under winp and kernelbench: workloads
    std::size_t total = 0;        ///< the denominator
    std::size_t comparable = 0;   ///< kernelbench: attempted workloads that the baseline passed on the same hardware
    std::size_t definitions = 0;  ///< kernelbench: definitions with such a workload
    double coverage = 0;          ///< attempted ÷ what could have been attempted, 0…1
    double greatestRatio = 0;     ///< over all passing traces, also those that a later one replaced: sets the site's range
    std::optional<double> geometricMean{};   ///< of the ratios above 0

    /// Workloads with a ratio of at least p, or above p.
    [[nodiscard]] std::size_t countAtLeast(double p) const;
    [[nodiscard]] std::size_t countAbove(double p) const;
};

struct FastPReport {
    FastPPreset preset = FastPPreset::Site;
    RankBy by = RankBy::Author;
    std::string baselineAuthor;
    RankingScope scope;
    std::size_t groups = 0;            ///< (definition, workload) pairs that count
    std::size_t leftOut = 0;           ///< PASSED traces without a usable latency: they count as not passed
    std::size_t fallbackGroups = 0;    ///< winp: groups without a passing baseline, compared with their fastest
    std::vector<FastPCurve> curves;    ///< winp: greatest median ratio first; else greatest share at 0.95 first; equal ones by name
    std::vector<Problem> unscored;     ///< definitions left out since they have no single baseline (not under winp)

    /// The preset's rule, and which traces it chose among where not all.
    [[nodiscard]] std::string ruleText() const;
    [[nodiscard]] bool isStrict() const { return preset != FastPPreset::Site; }
    /// Share of a curve's denominator at p, 0…1, exactly.
    [[nodiscard]] double shareAt(const FastPCurve& curve, double p) const;
    /// The exact step function: (0, share at 0), then (ratio, share at it) for each distinct ratio above 0. Between two points the
    /// share is that of the right one under `site` (≥), that of the left one under the strict presets (>).
    [[nodiscard]] std::vector<std::pair<double, double>> steps(const FastPCurve& curve) const;
    /// What the web site's sampled curve shows at p (viewer features §1.8.2): a tie with p is usually lost.
    [[nodiscard]] double sampledShareAt(const FastPCurve& curve, double p) const;
};

/// One curve's place at a value of p.
struct FastPRank {
    int rank = 0;              ///< 1 for the greatest share; equal shares share one, the next is as if they had not
    bool tied = false;
    std::size_t curve = 0;     ///< in FastPReport::curves
    double share = 0;          ///< of its denominator, 0…1
    std::size_t wins = 0;      ///< workloads behind the share; with `sampled`, those that the picture shows
};
/// Greatest share at p first, equal ones by name. `sampled`: as the web site's sampled curve shows them.
[[nodiscard]] std::vector<FastPRank> rankAtP(const FastPReport& report, double p, bool sampled = false);

/// Curves of all authors or solutions in scope. Errors as definitionsInScope. The baseline is the only solution by
/// `baselineAuthor`; definitions without one are listed in `unscored` (winp: their groups use the fastest). The preset chooses among
/// the traces that scope.policy selects.
[[nodiscard]] Result<FastPReport> fastP(const Dataset& dataset, FastPPreset preset, RankBy by, const std::string& baselineAuthor,
                                        const RankingScope& scope);

/// The site's counts of a solution's traces (viewer features §1.8.5).
struct OutcomeCounts {
    std::size_t passed = 0;
    std::size_t incorrect = 0;      ///< shape, numbers or dtype
    std::size_t runtimeError = 0;   ///< runtime error, compile error or timeout
    std::size_t other = 0;          ///< not evaluated
    std::size_t total = 0;
};
[[nodiscard]] OutcomeCounts outcomeCounts(const Dataset& dataset, const std::string& solution);

/// The site's verdict on one workload of a solution (viewer features §1.8.6): first trace against the baseline's first.
enum class FasterVerdict { Faster, Slower, Incorrect };
struct WorkloadVerdict {
    std::string workloadUuid;
    FasterVerdict verdict = FasterVerdict::Slower;
    std::optional<double> ratio{};   ///< not set: one of the two has no latency
};
/// In the order in which workloads first occur among the definition's traces. Errors as baselineOf.
[[nodiscard]] Result<std::vector<WorkloadVerdict>> workloadVerdicts(const Dataset& dataset, const Solution& solution,
                                                                    const std::string& baselineAuthor, double p);

}  // namespace tracedeck
