// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/score/ranking.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "core/model/name_rules.h"
#include "core/model/text.h"
#include "core/score/solution_scorer.h"
#include "core/store/query.h"

namespace tracedeck {

namespace {

/// Kinds of hardware that the evaluated traces of these definitions were measured on.
std::size_t machinesOf(const Dataset& dataset, const std::vector<const Definition*>& definitions, const std::string& hardware)
{
    const TraceTable& traces = dataset.traces();
    if (traces.hardwareNames().size() <= 1) return traces.hardwareNames().size();
    std::size_t count = 0;
    std::vector<bool> seen(traces.hardwareNames().size(), false);
    for (const Definition* definition : definitions) {
        for (const std::uint32_t index : dataset.traceRowsOfDefinition(definition->name)) {
            const std::uint16_t machine = traces.row(index).hardware;
            if (machine >= seen.size() || seen[machine]) continue;
            if (!hardware.empty() && traces.hardwareNames()[machine] != hardware) continue;
            seen[machine] = true;
            if (++count == seen.size()) return count;   // often after a few rows
        }
    }
    return count;
}

/// True when `candidate` beats `best`; a NaN (infinite ÷ infinite latency) beats nothing.
bool isFaster(double candidate, double best)
{
    return candidate > best || (std::isnan(best) && !std::isnan(candidate));
}

/// Sums of an author's kept scores until finish() turns them into means.
struct AuthorTotals {
    SpeedupMetrics metrics;

    void add(const std::string& definition, const std::string& solution, const SpeedupMetrics& score)
    {
        metrics.averageSpeedup += score.averageSpeedup;
        metrics.successRate += score.successRate;
        metrics.winRate += score.winRate;
        metrics.workloads += score.workloads;
        ++metrics.definitions;
        metrics.bestSolutions.emplace(definition, solution);
    }
    [[nodiscard]] SpeedupMetrics finish() &&
    {
        metrics.averageSpeedup /= metrics.definitions;
        metrics.successRate /= metrics.definitions;
        metrics.winRate /= metrics.definitions;
        return std::move(metrics);
    }
};

struct KeptScore {
    const Solution* solution = nullptr;
    SpeedupMetrics metrics;
};

enum class Tolerance { Exact, Tolerant };

/// Best solution of each author (or of the one author asked for) on one definition. `problems` takes what was left out.
Result<std::map<std::string, KeptScore>> bestOfAuthors(const Dataset& dataset, SolutionScorer& scorer, const std::string& definition,
                                                       const std::string* onlyAuthor, Tolerance tolerance,
                                                       std::vector<Problem>& problems)
{
    std::map<std::string, KeptScore> best;
    bool baselineChecked = false;
    for (const Solution* solution : dataset.solutionsOf(definition)) {
        if (onlyAuthor != nullptr && solution->author != *onlyAuthor) continue;
        if (!baselineChecked) {
            if (const auto usable = scorer.checkBaseline(definition); !usable) {
                if (tolerance == Tolerance::Exact) return usable.error();
                problems.push_back({Severity::Warning, usable.error()});
                return best;
            }
            baselineChecked = true;
        }
        const auto score = scorer.score(*solution);
        if (!score) {
            if (tolerance == Tolerance::Exact) return score.error();
            problems.push_back({Severity::Warning, score.error()});
            continue;
        }
        if (!score->has_value()) continue;
        const auto kept = best.find(solution->author);
        if (kept == best.end()) {
            best.emplace(solution->author, KeptScore{solution, **score});
        } else if (isFaster((*score)->averageSpeedup, kept->second.metrics.averageSpeedup)) {
            kept->second = KeptScore{solution, **score};
        }
    }
    return best;
}

Result<Ranking> rank(const Dataset& dataset, const std::string& baselineAuthor, const RankingScope& scope,
                     const std::string* onlyAuthor, Tolerance tolerance, const CountedTraces& counted)
{
    const auto definitions = definitionsInScope(dataset, scope);
    if (!definitions) return definitions.error();
    Ranking ranking;
    ranking.rule = tolerance == Tolerance::Exact ? RankingRule::Compat : RankingRule::Format;
    SolutionScorer scorer(dataset, baselineAuthor, scope.hardware, ranking.rule, counted);
    if (onlyAuthor == nullptr) ranking.machines = machinesOf(dataset, *definitions, scope.hardware);
    std::map<std::string, AuthorTotals> totals;
    for (const Definition* definition : *definitions) {
        const auto best = bestOfAuthors(dataset, scorer, definition->name, onlyAuthor, tolerance, ranking.unscored);
        if (!best) return best.error();
        for (const auto& [author, kept] : *best) totals[author].add(definition->name, kept.solution->name, kept.metrics);
    }
    ranking.leftOut = scorer.leftOut();
    for (auto& [author, total] : totals) ranking.authors.emplace_back(author, std::move(total).finish());
    // Authors are ascending by name already, and stay so among equals.
    std::stable_sort(ranking.authors.begin(), ranking.authors.end(), [](const auto& a, const auto& b) {
        return isFaster(a.second.averageSpeedup, b.second.averageSpeedup);
    });
    return ranking;
}

bool isWithin(const TraceRow& row, double maxAbsoluteError, double maxRelativeError)
{
    constexpr std::uint8_t needed = TraceFlag::kHasEvaluation | TraceFlag::kHasCorrectness | TraceFlag::kHasPerformance;
    if ((row.flags & needed) != needed || (row.flags & TraceFlag::kInconsistent) != 0) return false;
    // NaN compares false: it never passes, whatever the tolerance.
    return row.status == Status::Passed && row.maxAbsoluteError <= maxAbsoluteError && row.maxRelativeError <= maxRelativeError;
}

}  // namespace

std::string_view toString(RankingRule rule)
{
    return rule == RankingRule::Compat ? "flashinfer-bench" : "format";
}

std::string describeRule(RankingRule rule, const std::string& baselineAuthor, std::size_t machines)
{
    std::string text = "Score of a solution: the lowest passing latency of the only solution by '" + baselineAuthor +
                       "' ÷ its own, mean over the workloads that both have; 0 when any of its traces failed. Score of an author: mean over "
                       "definitions of the author's best solution; ties by name.";
    text += rule == RankingRule::Compat ? " Exactly as flashinfer-bench: one definition without a single baseline fails the whole ranking."
                                        : " Definitions without a single baseline are left out, and so are traces without a usable latency.";
    if (machines > 1) text += " Traces of " + std::to_string(machines) + " kinds of hardware are mixed, as the format does; choose one to compare like with like.";
    return text;
}

Result<std::vector<const Definition*>> definitionsInScope(const Dataset& dataset, const RankingScope& scope)
{
    if (!scope.opType.empty() && !scope.definition.empty()) {
        return Error{ErrorCode::Usage, "a ranking is limited to an op_type or to a definition, not to both", {}, 0, {}};
    }
    std::vector<const Definition*> definitions;
    if (!scope.definition.empty()) {
        const Definition* definition = dataset.findDefinition(scope.definition);
        if (definition == nullptr) {
            return Error{ErrorCode::NotFound, "the dataset has no definition '" + scope.definition + "'", {}, 0, {}};
        }
        definitions.push_back(definition);
        return definitions;
    }
    for (const auto& definition : dataset.definitions()) {
        if (scope.opType.empty() || definition->opType == scope.opType) definitions.push_back(definition.get());
    }
    std::sort(definitions.begin(), definitions.end(), [](const auto* a, const auto* b) { return a->name < b->name; });
    return definitions;
}

Result<void> checkScopeNames(const Dataset& dataset, const RankingScope& scope, const std::string& baselineAuthor)
{
    const auto check = [&dataset](const char* kind, const std::string& name, const auto& namesOf) -> Result<void> {
        if (name.empty()) return {};
        return requireKnownNames(kind, {name}, namesOf(), toValidUtf8(dataset.root().string()));
    };
    const auto definitions = [&dataset] {
        std::vector<std::string> names;
        for (const auto& definition : dataset.definitions()) names.push_back(definition->name);
        return names;
    };
    const auto opTypes = [&dataset] {
        std::vector<std::string> names;
        for (const auto& [name, count] : dataset.opTypes()) names.push_back(name);
        return names;
    };
    if (auto checked = check("definition", scope.definition, definitions); !checked) return checked;
    if (auto checked = check("op_type", scope.opType, opTypes); !checked) return checked;
    if (auto checked = check("hardware", scope.hardware, [&dataset] { return hardwareOf(dataset); }); !checked) return checked;
    return check("author", baselineAuthor, [&dataset] { return authorsOf(dataset); });
}

Result<const Solution*> baselineOf(const Dataset& dataset, const std::string& definition, const std::string& baselineAuthor)
{
    const Solution* baseline = nullptr;
    std::string names;
    int count = 0;
    for (const Solution* solution : dataset.solutionsOf(definition)) {
        if (solution->author != baselineAuthor) continue;
        if (count == 0) baseline = solution;
        names += (count == 0 ? "" : ", ") + solution->name;
        ++count;
    }
    if (count == 1) return baseline;
    if (count == 0) {
        return Error{ErrorCode::NotFound,
                     "definition '" + definition + "' has no baseline: no solution by author '" + baselineAuthor +
                         "'; add one or choose another baseline author",
                     {}, 0, definition};
    }
    return Error{ErrorCode::Conflict,
                 "definition '" + definition + "' has " + std::to_string(count) + " solutions by the baseline author '" +
                     baselineAuthor + "' (" + names + "), and a baseline must be the only one",
                 {}, 0, definition};
}

Result<std::optional<SpeedupMetrics>> solutionScore(const Dataset& dataset, const std::string& solution, const std::string& baselineAuthor)
{
    const Solution* found = dataset.findSolution(solution);
    if (found == nullptr) return std::optional<SpeedupMetrics>{};
    return SolutionScorer(dataset, baselineAuthor, {}, RankingRule::Compat).score(*found);
}

Result<std::optional<SpeedupMetrics>> authorScore(const Dataset& dataset, const std::string& author, const std::string& baselineAuthor, const RankingScope& scope)
{
    auto ranking = rank(dataset, baselineAuthor, scope, &author, Tolerance::Exact, CountedTraces(dataset, scope.policy));
    if (!ranking) return ranking.error();
    if (ranking->authors.empty()) return std::optional<SpeedupMetrics>{};
    return std::optional<SpeedupMetrics>{std::move(ranking->authors.front().second)};
}

Result<Ranking> rankAuthors(const Dataset& dataset, const std::string& baselineAuthor, const RankingScope& scope)
{
    return rankAuthors(dataset, baselineAuthor, scope, RankingRule::Compat, CountedTraces(dataset, scope.policy));
}

std::vector<BaselineCandidate> baselineCandidates(const Dataset& dataset, const RankingScope& scope)
{
    const auto definitions = definitionsInScope(dataset, scope);
    if (!definitions) return {};
    const TraceTable& traces = dataset.traces();
    const auto passedSomewhere = [&](const Solution& solution) {
        const auto& rows = dataset.traceRowsOfSolution(solution.name);
        return std::any_of(rows.begin(), rows.end(), [&](std::uint32_t index) {
            const TraceRow& row = traces.row(index);
            return row.status == Status::Passed && isUsableLatency(row.latencyMs) && (scope.hardware.empty() || traces.hardwareName(row) == scope.hardware);
        });
    };
    std::map<std::string, std::size_t> counts;
    for (const Definition* definition : *definitions) {
        std::map<std::string, std::vector<const Solution*>> byAuthor;
        for (const Solution* solution : dataset.solutionsOf(definition->name)) byAuthor[solution->author].push_back(solution);
        for (const auto& [author, solutions] : byAuthor) {
            if (solutions.size() == 1 && passedSomewhere(*solutions.front())) ++counts[author];
        }
    }
    std::vector<BaselineCandidate> candidates;
    for (const auto& [author, count] : counts) candidates.push_back({author, count});
    std::stable_sort(candidates.begin(), candidates.end(), [](const BaselineCandidate& a, const BaselineCandidate& b) { return a.definitions > b.definitions; });
    return candidates;
}

Result<Ranking> rankAuthorsTolerant(const Dataset& dataset, const std::string& baselineAuthor, const RankingScope& scope)
{
    return rankAuthors(dataset, baselineAuthor, scope, RankingRule::Format, CountedTraces(dataset, scope.policy));
}

Result<Ranking> rankAuthors(const Dataset& dataset, const std::string& baselineAuthor, const RankingScope& scope, RankingRule rule,
                            const CountedTraces& counted)
{
    return rank(dataset, baselineAuthor, scope, nullptr, rule == RankingRule::Compat ? Tolerance::Exact : Tolerance::Tolerant, counted);
}

std::string Summary::ruleText() const
{
    return describeRule(ranking.rule, baselineAuthor, ranking.machines) + (scope.policy == SelectionPolicy::All ? std::string() : " " + describePolicy(scope.policy));
}

Result<Summary> summarize(const Dataset& dataset, const std::string& baselineAuthor, const RankingScope& scope, RankingRule rule)
{
    Summary summary;
    summary.baselineAuthor = baselineAuthor;
    summary.scope = scope;
    summary.total = dataset.traces().size();
    if (summary.total == 0) return summary;
    const auto isPassed = [](const TraceRow& row) { return (row.flags & TraceFlag::kHasEvaluation) != 0 && row.status == Status::Passed; };
    for (const TraceRow& row : dataset.traces().rows()) {
        if (isPassed(row)) ++summary.passed;
    }
    summary.failed = summary.total - summary.passed;
    const CountedTraces counted(dataset, scope.policy);
    auto ranking = rankAuthors(dataset, baselineAuthor, scope, rule, counted);
    if (!ranking) return ranking.error();
    if (scope.opType.empty() && scope.definition.empty() && scope.hardware.empty() && scope.policy == SelectionPolicy::All) {
        summary.totalInScope = summary.total;
        summary.passedInScope = summary.passed;
    } else {
        const auto definitions = definitionsInScope(dataset, scope);
        if (!definitions) return definitions.error();
        for (const Definition* definition : *definitions) {
            for (const std::uint32_t index : dataset.traceRowsOfDefinition(definition->name)) {
                const TraceRow& row = dataset.traces().row(index);
                if (!counted.contains(index) || (!scope.hardware.empty() && dataset.traces().hardwareName(row) != scope.hardware)) continue;
                ++summary.totalInScope;
                if (isPassed(row)) ++summary.passedInScope;
            }
        }
    }
    summary.ranking = *std::move(ranking);
    return summary;
}

std::optional<std::uint32_t> bestTrace(const Dataset& dataset, const std::string& definition, const AxisValues& axes,
                                       double maxAbsoluteError, double maxRelativeError, const std::string& hardware, RankingRule rule,
                                       const CountedTraces& counted)
{
    const TraceTable& traces = dataset.traces();
    std::optional<std::uint32_t> best;
    for (const std::uint32_t index : dataset.traceRowsOfDefinition(definition)) {
        const TraceRow& row = traces.row(index);
        if (!isWithin(row, maxAbsoluteError, maxRelativeError) || !counted.contains(index)) continue;
        if (rule == RankingRule::Format && !(isUsableLatency(row.latencyMs) && std::isfinite(row.speedupFactor))) continue;
        if (!hardware.empty() && traces.hardwareName(row) != hardware) continue;
        const bool matches = std::all_of(axes.begin(), axes.end(), [&](const auto& axis) {
            return traces.axisValue(row, axis.first) == axis.second;
        });
        if (matches && (!best || row.speedupFactor > traces.row(*best).speedupFactor)) best = index;
    }
    return best;
}

std::size_t countUnusableLatencies(const Dataset& dataset, const RankingScope& scope, const CountedTraces& counted)
{
    const TraceTable& traces = dataset.traces();
    const auto isLeftOut = [](const TraceRow& row) {
        constexpr std::uint8_t needed = TraceFlag::kHasEvaluation | TraceFlag::kHasPerformance;
        return row.status == Status::Passed && (row.flags & needed) == needed && !isUsableLatency(row.latencyMs);
    };
    std::size_t count = 0;
    for (std::uint32_t index = 0; index < traces.size(); ++index) {
        const TraceRow& row = traces.row(index);
        if (!isLeftOut(row) || !counted.contains(index)) continue;   // nearly always
        const std::string& definition = traces.definitionName(row);
        if (!scope.definition.empty() && definition != scope.definition) continue;
        if (!scope.hardware.empty() && traces.hardwareName(row) != scope.hardware) continue;
        const Definition* known = scope.opType.empty() ? nullptr : dataset.findDefinition(definition);
        if (!scope.opType.empty() && (known == nullptr || known->opType != scope.opType)) continue;
        ++count;
    }
    return count;
}

std::vector<std::uint32_t> passingTraces(const Dataset& dataset, const std::string& definition, double atol, double rtol)
{
    std::vector<std::uint32_t> passing;
    for (const std::uint32_t index : dataset.traceRowsOfDefinition(definition)) {
        if (isWithin(dataset.traces().row(index), atol, rtol)) passing.push_back(index);
    }
    return passing;
}

std::vector<std::string> authorsOf(const Dataset& dataset)
{
    std::set<std::string_view> authors;   // thousands of solutions by a handful of people
    for (const auto& solution : dataset.solutions()) authors.insert(solution->author);
    return {authors.begin(), authors.end()};
}

std::string defaultBaselineAuthor(const Dataset& dataset)
{
    const std::vector<std::string> authors = authorsOf(dataset);
    const auto has = [&authors](const char* name) { return std::binary_search(authors.begin(), authors.end(), name); };
    return !has("baseline") && has("flashinfer") ? "flashinfer" : "baseline";
}

}  // namespace tracedeck
