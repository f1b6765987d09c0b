// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

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

struct RankingScope {
    std::string opType;       ///< empty: any
    std::string definition;   ///< empty: any
};

/// data model §3.3: the only solution of the definition by this author. Error when none or several.
[[nodiscard]] Result<const Solution*> baselineOf(const Dataset& dataset, const std::string& definition, const std::string& baselineAuthor);
/// data model §3.4. nullopt: not scored.
[[nodiscard]] Result<std::optional<SpeedupMetrics>> solutionScore(const Dataset& dataset, const std::string& solution, const std::string& baselineAuthor);
/// data model §3.5.
[[nodiscard]] Result<std::optional<SpeedupMetrics>> authorScore(const Dataset& dataset, const std::string& author, const std::string& baselineAuthor, const RankingScope& scope);

struct Ranking {
    std::vector<std::pair<std::string, SpeedupMetrics>> authors;   ///< best first, then by name
    std::vector<Problem> unscored;   ///< definitions left out because they have no single baseline (tolerant form only)
};
/// data model §3.6, exactly: one definition without a single baseline fails the whole call.
[[nodiscard]] Result<Ranking> rankAuthors(const Dataset& dataset, const std::string& baselineAuthor, const RankingScope& scope);
/// The same, but definitions without a single baseline are left out and listed in `unscored`.
[[nodiscard]] Result<Ranking> rankAuthorsTolerant(const Dataset& dataset, const std::string& baselineAuthor, const RankingScope& scope);

struct Summary {
    std::size_t total = 0;
    std::size_t passed = 0;
    std::size_t failed = 0;
    Ranking ranking;
};
/// data model §3.2, with the tolerant ranking; counts ignore the scope.
[[nodiscard]] Result<Summary> summarize(const Dataset& dataset, const std::string& baselineAuthor, const RankingScope& scope);

/// data model §3.1 get_best_trace: row of the winner, or nullopt.
[[nodiscard]] std::optional<std::uint32_t> bestTrace(const Dataset& dataset, const std::string& definition, const AxisValues& axes = {},
                                                     double maxAbsoluteError = 0.01, double maxRelativeError = 0.01);
/// data model §3.1 filter_traces.
[[nodiscard]] std::vector<std::uint32_t> passingTraces(const Dataset& dataset, const std::string& definition, double atol = 0.01, double rtol = 0.01);
/// Authors that own a solution, ascending; the format's default baseline author is "baseline", else "flashinfer".
[[nodiscard]] std::vector<std::string> authorsOf(const Dataset& dataset);
[[nodiscard]] std::string defaultBaselineAuthor(const Dataset& dataset);

}  // namespace tracedeck
