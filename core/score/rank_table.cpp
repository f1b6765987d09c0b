// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/score/rank_table.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/score/fast_p.h"
#include "core/score/solution_scorer.h"

namespace tracedeck {

namespace {

constexpr std::array<std::pair<RankMetric, std::string_view>, 4> kMetricNames{
    {{RankMetric::Format, "format"}, {RankMetric::GeometricMean, "geomean"}, {RankMetric::Mean, "mean"}, {RankMetric::Median, "median"}}};

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

/// 0 when there are no ratios: who only failed.
double scoreOf(const FastPCurve& curve, RankMetric metric)
{
    const std::vector<double>& ratios = curve.ratios;   // ascending
    if (ratios.empty()) return 0;
    const std::size_t middle = ratios.size() / 2;
    switch (metric) {
    case RankMetric::GeometricMean: return curve.geometricMean.value_or(0);
    case RankMetric::Median: return ratios.size() % 2 == 1 ? ratios[middle] : std::midpoint(ratios[middle - 1], ratios[middle]);
    case RankMetric::Mean:
    case RankMetric::Format: break;
    }
    return std::accumulate(ratios.begin(), ratios.end(), 0.0) / static_cast<double>(ratios.size());
}

Result<RankTable> tableOfRatios(const Dataset& dataset, const std::string& baselineAuthor, const RankingScope& scope, RankBy by, RankMetric metric)
{
    auto report = fastP(dataset, FastPPreset::KernelBench, by, baselineAuthor, scope);
    if (!report) return report.error();
    RankTable table{by, baselineAuthor, scope, RankingRule::Format, metric, 0, report->leftOut, {}, std::move(report->unscored)};
    for (const FastPCurve& curve : report->curves) {
        if (curve.comparable == 0) continue;
        RankRow row;
        row.name = curve.name;
        if (const Solution* solution = by == RankBy::Solution ? dataset.findSolution(curve.name) : nullptr) {
            row.author = solution->author;
            row.definition = solution->definition;
        }
        row.metrics.averageSpeedup = scoreOf(curve, metric);
        row.metrics.definitions = static_cast<int>(curve.definitions);
        row.metrics.workloads = static_cast<int>(curve.comparable);
        row.metrics.successRate = share(static_cast<int>(curve.ratios.size()), curve.comparable);
        row.metrics.winRate = share(static_cast<int>(curve.countAbove(1)), curve.comparable);
        row.coverage = curve.coverage;
        table.rows.push_back(std::move(row));
    }
    sortAndRank(table.rows);
    return table;
}

}  // namespace

std::string_view toString(RankMetric metric)
{
    for (const auto& [value, name] : kMetricNames) {
        if (value == metric) return name;
    }
    return {};
}

std::optional<RankMetric> rankMetricFromString(std::string_view name)
{
    for (const auto& [value, known] : kMetricNames) {
        if (known == name) return value;
    }
    return std::nullopt;
}

std::string RankTable::ruleName() const
{
    if (metric == RankMetric::Format) return std::string(toString(rule));
    return std::string(toString(scope.policy == SelectionPolicy::All ? SelectionPolicy::Newest : scope.policy));
}

std::string RankTable::ruleText() const
{
    const std::string policyText = scope.policy == SelectionPolicy::All ? std::string() : " " + describePolicy(scope.policy);
    if (metric == RankMetric::Format) return describeRule(rule, baselineAuthor, machines) + policyText;
    const char* const mean = metric == RankMetric::GeometricMean ? "geometric mean" : metric == RankMetric::Median ? "median" : "mean";
    const std::string which = scope.policy == SelectionPolicy::All || scope.policy == SelectionPolicy::Newest ? "newest " : "";
    return std::string("Score: the ") + mean + " over all workloads that both passed of the " + which + "latency of the only solution by '" + baselineAuthor +
           "' ÷ the " + which + "own one on the same hardware" + (by == RankBy::Author ? " (of an author's solutions, the best on each workload)" : "") +
           ". Failures do not change it; they lower the success and win rates. Definitions without a single baseline are left out, and so are traces "
           "without a usable latency." + policyText;
}

std::string_view toString(RankBy by)
{
    return by == RankBy::Solution ? "solution" : "author";
}

Result<RankTable> rankTable(const Dataset& dataset, const std::string& baselineAuthor, const RankingScope& scope, RankBy by, RankingRule rule,
                            RankMetric metric)
{
    if (metric != RankMetric::Format) {
        if (rule != RankingRule::Compat) return tableOfRatios(dataset, baselineAuthor, scope, by, metric);
        return Error{ErrorCode::Usage, "flashinfer-bench has one score only, that of the format: --compat goes with --metric format", {}, 0, {}};
    }
    const auto definitions = definitionsInScope(dataset, scope);
    if (!definitions) return definitions.error();
    const CountedTraces counted(dataset, scope.policy);
    auto ranking = rankAuthors(dataset, baselineAuthor, scope, rule, counted);
    if (!ranking) return ranking.error();
    RankTable table{by, baselineAuthor, scope, rule, metric, ranking->machines, ranking->leftOut, {}, {}};
    SolutionScorer scorer(dataset, baselineAuthor, scope.hardware, rule, counted);
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
