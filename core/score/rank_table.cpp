// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/score/rank_table.h"

#include <algorithm>
#include <cmath>

#include "core/score/solution_scorer.h"

namespace tracedeck {

namespace {

double share(int part, std::size_t whole)
{
    return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

/// Greater first; NaN (infinite ÷ infinite latency) last.
bool scoresHigher(double a, double b)
{
    return a > b || (std::isnan(b) && !std::isnan(a));
}

void sortAndRank(std::vector<RankRow>& rows)
{
    std::stable_sort(rows.begin(), rows.end(), [](const RankRow& a, const RankRow& b) {
        const double left = a.metrics.averageSpeedup;
        const double right = b.metrics.averageSpeedup;
        if (scoresHigher(left, right) || scoresHigher(right, left)) return scoresHigher(left, right);
        return a.name < b.name;
    });
    for (std::size_t i = 0; i < rows.size(); ++i) {
        rows[i].rank = static_cast<int>(i) + 1;
        if (i == 0) continue;
        RankRow& above = rows[i - 1];
        if (scoresHigher(above.metrics.averageSpeedup, rows[i].metrics.averageSpeedup)) continue;
        rows[i].rank = above.rank;
        above.tied = rows[i].tied = true;
    }
}

/// Rows of all solutions in scope; `unscored` takes what the tolerant rule leaves out.
Result<std::vector<RankRow>> solutionRows(const Dataset& dataset, SolutionScorer& scorer, const std::vector<const Definition*>& definitions,
                                          RankingRule rule, std::vector<Problem>& unscored)
{
    std::vector<RankRow> rows;
    for (const Definition* definition : definitions) {
        const auto solutions = dataset.solutionsOf(definition->name);
        if (solutions.empty()) continue;
        if (const auto usable = scorer.checkBaseline(definition->name); !usable) {
            if (rule == RankingRule::Compat) return usable.error();
            unscored.push_back({Severity::Warning, usable.error()});
            continue;
        }
        const std::size_t comparable = scorer.baselineWorkloads(definition->name);
        for (const Solution* solution : solutions) {
            const auto score = scorer.score(*solution);
            if (!score) {
                if (rule == RankingRule::Compat) return score.error();
                unscored.push_back({Severity::Warning, score.error()});
                continue;
            }
            if (!score->has_value()) continue;
            rows.push_back({0, false, solution->name, solution->author, definition->name, **score, share((*score)->workloads, comparable)});
        }
    }
    return rows;
}

}  // namespace

std::string_view toString(RankBy by)
{
    return by == RankBy::Solution ? "solution" : "author";
}

Result<RankTable> rankTable(const Dataset& dataset, const std::string& baselineAuthor, const RankingScope& scope, RankBy by, RankingRule rule)
{
    const auto definitions = definitionsInScope(dataset, scope);
    if (!definitions) return definitions.error();
    auto ranking = rule == RankingRule::Compat ? rankAuthors(dataset, baselineAuthor, scope) : rankAuthorsTolerant(dataset, baselineAuthor, scope);
    if (!ranking) return ranking.error();
    RankTable table{by, baselineAuthor, scope, rule, ranking->machines, ranking->leftOut, {}, {}};
    SolutionScorer scorer(dataset, baselineAuthor, scope.hardware, rule);
    if (by == RankBy::Solution) {
        auto rows = solutionRows(dataset, scorer, *definitions, rule, table.unscored);
        if (!rows) return rows.error();
        table.rows = *std::move(rows);
    } else {
        std::size_t comparable = 0;
        for (const Definition* definition : *definitions) comparable += scorer.baselineWorkloads(definition->name);
        for (auto& [author, metrics] : ranking->authors) {
            const double coverage = share(metrics.workloads, comparable);
            table.rows.push_back({0, false, author, {}, {}, std::move(metrics), coverage});
        }
        table.unscored = std::move(ranking->unscored);
    }
    sortAndRank(table.rows);
    return table;
}

}  // namespace tracedeck
