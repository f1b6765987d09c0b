// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/score/ranking.h"

namespace tracedeck {

/// Whose results one row or curve sums up.
enum class RankBy { Author, Solution };
[[nodiscard]] std::string_view toString(RankBy by);   ///< `author` or `solution`

struct RankRow {
    int rank = 0;              ///< 1 for the best; equal scores share one, the next is as if they had not
    bool tied = false;
    std::string name;          ///< author or solution
    std::string author;        ///< of a solution; empty for an author's row
    std::string definition;    ///< of a solution; empty for an author's row
    SpeedupMetrics metrics;
    double coverage = 0;       ///< workloads scored ÷ workloads that a baseline passed, 0…1: of the scope for an author, of
                               ///< its definition for a solution
};

struct RankTable {
    RankBy by = RankBy::Author;
    std::string baselineAuthor;
    RankingScope scope;
    RankingRule rule = RankingRule::Format;
    std::size_t machines = 0;
    std::size_t leftOut = 0;         ///< as in Ranking
    std::vector<RankRow> rows;       ///< greatest score first, equal ones by name
    std::vector<Problem> unscored;   ///< as in Ranking
};

/// Authors by rankAuthors or rankAuthorsTolerant (data model §3.6), or solutions by solutionScore (§3.4), with ranks that show
/// ties. Errors as there.
[[nodiscard]] Result<RankTable> rankTable(const Dataset& dataset, const std::string& baselineAuthor, const RankingScope& scope, RankBy by,
                                          RankingRule rule = RankingRule::Format);

}  // namespace tracedeck
