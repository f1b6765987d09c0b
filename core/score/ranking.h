// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/store/dataset.h"

namespace tracedeck {

/// The format's score (data model §3.2).
struct SpeedupMetrics {
    double averageSpeedup = 0;
    int definitions = 0;
    int workloads = 0;
    double successRate = 0;   ///< 0…1
    double winRate = 0;       ///< 0…1
    std::map<std::string, std::string> bestSolutions;   ///< definition → solution; empty for a solution's score
};

/// What a ranking looks at. opType and definition exclude each other, as in the format.
struct RankingScope {
    std::string opType{};       ///< empty: any
    std::string definition{};   ///< empty: any
    std::string hardware{};     ///< empty: any (the format's rule, which mixes machines); else only traces measured on it
};

/// data model §3.3: the only solution of the definition by this author. Error when none or several.
[[nodiscard]] Result<const Solution*> baselineOf(const Dataset& dataset, const std::string& definition, const std::string& baselineAuthor);
/// data model §3.4. nullopt: not scored (unknown, the baseline itself, or no workload in common with it). Rows with
/// TraceFlag::kInconsistent count as if they were not there; a PASSED one without a positive latency is an error.
[[nodiscard]] Result<std::optional<SpeedupMetrics>> solutionScore(const Dataset& dataset, const std::string& solution, const std::string& baselineAuthor);
/// data model §3.5. nullopt: no definition of the scope gives the author a score.
[[nodiscard]] Result<std::optional<SpeedupMetrics>> authorScore(const Dataset& dataset, const std::string& author, const std::string& baselineAuthor, const RankingScope& scope);

struct Ranking {
    std::vector<std::pair<std::string, SpeedupMetrics>> authors;   ///< best first, then by name
    std::vector<Problem> unscored;   ///< what the tolerant form left out and why; `error.field` is the name of the definition
};
/// data model §3.6, exactly: one definition without a single baseline fails the whole call.
[[nodiscard]] Result<Ranking> rankAuthors(const Dataset& dataset, const std::string& baselineAuthor, const RankingScope& scope);
/// The same, but definitions without a single baseline, and solutions whose traces cannot be scored, are left out and
/// listed in `unscored`.
[[nodiscard]] Result<Ranking> rankAuthorsTolerant(const Dataset& dataset, const std::string& baselineAuthor, const RankingScope& scope);

struct Summary {
    std::size_t total = 0;
    std::size_t passed = 0;
    std::size_t failed = 0;
    std::string baselineAuthor{};
    RankingScope scope{};
    Ranking ranking{};
};
/// data model §3.2, with the tolerant ranking; counts ignore the scope. Without any trace: zeros, nothing is checked.
[[nodiscard]] Result<Summary> summarize(const Dataset& dataset, const std::string& baselineAuthor, const RankingScope& scope);

/// data model §3.1 get_best_trace: row of the winner, or nullopt. `hardware` (ours) restricts the candidates when not empty.
[[nodiscard]] std::optional<std::uint32_t> bestTrace(const Dataset& dataset, const std::string& definition, const AxisValues& axes = {},
                                                     double maxAbsoluteError = 0.01, double maxRelativeError = 0.01,
                                                     const std::string& hardware = {});
/// data model §3.1 filter_traces.
[[nodiscard]] std::vector<std::uint32_t> passingTraces(const Dataset& dataset, const std::string& definition, double atol = 0.01, double rtol = 0.01);
/// Authors that own a solution, ascending; the format's default baseline author is "baseline", else "flashinfer".
[[nodiscard]] std::vector<std::string> authorsOf(const Dataset& dataset);
[[nodiscard]] std::string defaultBaselineAuthor(const Dataset& dataset);

}  // namespace tracedeck
