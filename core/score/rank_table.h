// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/score/ranking.h"

namespace tracedeck {

/// Whose results one row or curve sums up.
enum class RankBy { Author, Solution };
[[nodiscard]] std::string_view toString(RankBy by);   ///< `author` or `solution`

/// What a score is.
enum class RankMetric {
    Format,          ///< the format's score (RankingRule)
    GeometricMean,   ///< of the ratios to the baseline, newest traces on the same hardware (FastPPreset::KernelBench)
    Mean,            ///< of the same ratios
    Median           ///< of the same ratios
};
[[nodiscard]] std::string_view toString(RankMetric metric);   ///< `format`, `geomean`, `mean` or `median`
[[nodiscard]] std::optional<RankMetric> rankMetricFromString(std::string_view name);

/// How the times of a row differ from those of a pinned baseline (pins.h).
struct PinnedChange {
    double change = std::numeric_limits<double>::quiet_NaN();   ///< geometric mean of the ratios − 1, below 0: the row is faster; NaN without pairs
    std::size_t pairs = 0;                                      ///< workloads and hardware on which both have a time
    bool isBase = false;                                        ///< all of them are the pin's own
};

struct RankRow {
    int rank = 0;              ///< 1 for the best; equal scores share one, the next is as if they had not
    bool tied = false;
    std::string name;          ///< author or solution
    std::string author;        ///< of a solution; empty for an author's row
    std::string definition;    ///< of a solution; empty for an author's row
    SpeedupMetrics metrics;    ///< averageSpeedup is the score, whatever the metric
    double coverage = 0;       ///< workloads scored ÷ workloads that a baseline passed, 0…1: of the scope for an author, of
                               ///< its definition for a solution. Other metrics than the format's: workloads tried ÷ known ones
    std::vector<PinnedChange> changes{};   ///< one for each of RankTable::pins
};

struct RankTable {
    RankBy by = RankBy::Author;
    std::string baselineAuthor;
    RankingScope scope;
    RankingRule rule = RankingRule::Format;
    RankMetric metric = RankMetric::Format;
    std::size_t machines = 0;        ///< as in Ranking; 0 for other metrics than the format's, which compare on one machine
    std::size_t leftOut = 0;         ///< as in Ranking
    std::vector<RankRow> rows;       ///< greatest score first, equal ones by name
    std::vector<Problem> unscored;   ///< as in Ranking
    std::vector<std::string> pins{};   ///< pinText() of the baselines that addPinnedChanges() set the rows against

    /// How the scores came about, for programs: `format`, `flashinfer-bench` or, for ratios, the policy that chose the traces; and for people.
    [[nodiscard]] std::string ruleName() const;
    [[nodiscard]] std::string ruleText() const;
};

/// Authors by rankAuthors or rankAuthorsTolerant (data model §3.6), or solutions by solutionScore (§3.4), with ranks that show
/// ties. Errors as there. Other metrics than the format's: of all ratios of FastPPreset::KernelBench. Who has no trace on a workload
/// that the baseline passed is not in the table; failures lower the success and win rates, not the score; who only failed has the score
/// 0. Error Usage with RankingRule::Compat.
[[nodiscard]] Result<RankTable> rankTable(const Dataset& dataset, const std::string& baselineAuthor, const RankingScope& scope, RankBy by,
                                          RankingRule rule = RankingRule::Format, RankMetric metric = RankMetric::Format);

}  // namespace tracedeck
