// SPDX-License-Identifier: GPL-3.0-or-later
// The JSON forms of the reports (design §7).
#include <cmath>

#include "core/report/best_traces.h"
#include "core/report/report.h"
#include "core/report/table_file.h"

namespace tracedeck {

namespace {

Json number(double value)
{
    if (std::isnan(value)) return "NaN";
    if (std::isinf(value)) return value > 0 ? "Infinity" : "-Infinity";
    return value;
}

Json textOrNull(const std::string& text)
{
    return text.empty() ? Json(nullptr) : Json(text);
}

Json scopeJson(const RankingScope& scope)
{
    return {{"op_type", textOrNull(scope.opType)}, {"definition", textOrNull(scope.definition)}, {"hardware", textOrNull(scope.hardware)},
            {"policy", std::string(toString(scope.policy))}};
}

Json unscoredJson(const std::vector<Problem>& unscored)
{
    Json entries = Json::array();
    for (const Problem& problem : unscored) entries.push_back({{"definition", problem.error.field}, {"reason", problem.error.reason}});
    return entries;
}

}  // namespace

Json infoDocument(const Dataset& dataset)
{
    Json statuses = Json::object();
    const StatusCounts counts = countStatuses(dataset);
    for (int index = 0; index < kStatusCount; ++index) {
        const auto status = static_cast<Status>(index);
        // The format's own are always there; those of the SOL-ExecBench dialect where they occur.
        if (isFormatStatus(status) || counts.of(status) > 0) statuses[std::string(toString(status))] = counts.of(status);
    }
    Json opTypes = Json::object();
    for (const auto& [name, definitions] : dataset.opTypes()) opTypes[name] = definitions;
    Json problems = Json::array();
    for (const Problem& problem : dataset.problems()) {
        problems.push_back({{"severity", problem.severity == Severity::Error ? "error" : "warning"},
                            {"file", problem.error.file},
                            {"line", problem.error.line},
                            {"field", problem.error.field},
                            {"reason", problem.error.reason},
                            {"count", problem.occurrences},
                            {"repaired", problem.isRepair}});
    }
    return {{"root", dataset.root().string()},
            {"definitions", dataset.definitions().size()},
            {"solutions", dataset.solutions().size()},
            {"workloads", dataset.workloadCount()},
            {"traces", dataset.traces().size()},
            {"statuses", std::move(statuses)},
            {"op_types", std::move(opTypes)},
            {"problems", std::move(problems)}};
}

Json summaryDocument(const Summary& summary)
{
    Json rankings = Json::array();
    for (const auto& [author, metrics] : summary.ranking.authors) {
        Json best = Json::object();
        for (const auto& [definition, solution] : metrics.bestSolutions) best[definition] = solution;
        rankings.push_back({{"author", author},
                            {"avg_speedup", number(metrics.averageSpeedup)},
                            {"definitions", metrics.definitions},
                            {"workloads", metrics.workloads},
                            {"success_rate", number(metrics.successRate)},
                            {"win_rate", number(metrics.winRate)},
                            {"best_solutions", std::move(best)}});
    }
    return {{"total", summary.total},
            {"passed", summary.passed},
            {"failed", summary.failed},
            {"in_scope", {{"total", summary.totalInScope}, {"passed", summary.passedInScope}, {"failed", summary.totalInScope - summary.passedInScope}}},
            {"rule", std::string(toString(summary.ranking.rule))},
            {"rule_text", summary.ruleText()},
            {"baseline", summary.baselineAuthor},
            {"scope", scopeJson(summary.scope)},
            {"rankings", std::move(rankings)},
            {"unusable_latencies", summary.ranking.leftOut},
            {"unscored", unscoredJson(summary.ranking.unscored)}};
}

Json rankDocument(const RankTable& table)
{
    Json rows = Json::array();
    for (const RankRow& row : table.rows) {
        Json entry = {{"rank", row.rank},
                      {"tied", row.tied},
                      {"name", row.name},
                      {"score", number(row.metrics.averageSpeedup)},
                      {"low", nullptr},
                      {"high", nullptr},
                      {"definitions", row.metrics.definitions},
                      {"workloads", row.metrics.workloads},
                      {"coverage", number(row.coverage)},
                      {"success_rate", number(row.metrics.successRate)},
                      {"win_rate", number(row.metrics.winRate)}};
        if (table.by == RankBy::Solution) {
            entry["author"] = row.author;
            entry["definition"] = row.definition;
        } else {
            Json best = Json::object();
            for (const auto& [definition, solution] : row.metrics.bestSolutions) best[definition] = solution;
            entry["best_solutions"] = std::move(best);
        }
        for (std::size_t pin = 0; pin < table.pins.size(); ++pin) {
            entry["changes"][table.pins[pin]] = {{"change", finiteOrNull(row.changes[pin].change)}, {"pairs", row.changes[pin].pairs}};
        }
        rows.push_back(std::move(entry));
    }
    return {{"metric", std::string(toString(table.metric))},
            {"by", std::string(toString(table.by))},
            {"baseline", table.baselineAuthor},
            {"hardware", textOrNull(table.scope.hardware)},
            {"scope", scopeJson(table.scope)},
            {"rule", table.ruleName()},
            {"rule_text", table.ruleText()},
            {"rows", std::move(rows)},
            {"unusable_latencies", table.leftOut},
            {"unscored", unscoredJson(table.unscored)}};
}

Json fastPDocument(const FastPReport& report, const std::vector<double>& places, bool sampled)
{
    Json curves = Json::array();
    for (const FastPCurve& curve : report.curves) {
        Json at = Json::object();
        Json wins = Json::object();
        for (const double p : places) {
            at[shortestNumber(p)] = sampled ? report.sampledShareAt(curve, p) : report.shareAt(curve, p);
            wins[shortestNumber(p)] = curve.countAbove(p);
        }
        Json steps = Json::array();
        for (const auto& [p, share] : report.steps(curve)) steps.push_back({number(p), share});
        Json entry = {{"name", curve.name}, {"attempted", curve.attempted}, {"total", curve.total}, {"coverage", curve.coverage},
                      {"geometric_mean", curve.geometricMean ? number(*curve.geometricMean) : Json(nullptr)}, {"at", std::move(at)}};
        if (report.preset == FastPPreset::WinP) entry["wins"] = std::move(wins);
        entry["steps"] = std::move(steps);
        curves.push_back(std::move(entry));
    }
    return {{"preset", std::string(toString(report.preset))},
            {"by", std::string(toString(report.by))},
            {"baseline", report.baselineAuthor},
            {"scope", scopeJson(report.scope)},
            {"rule_text", report.ruleText()},
            {"sampled", sampled},
            {"groups", report.groups},
            {"fallback_groups", report.fallbackGroups},
            {"curves", std::move(curves)},
            {"unusable_latencies", report.leftOut},
            {"unscored", unscoredJson(report.unscored)}};
}

Json bestDocument(const Dataset& dataset, const RankingScope& scope, RankingRule rule)
{
    const TraceTable& traces = dataset.traces();
    Json document = Json::array();
    for (const BestTrace& best : bestTraces(dataset, scope, rule)) {
        if (!best.row) continue;
        const TraceRow& row = traces.row(*best.row);
        document.push_back({{"definition", best.definition->name},
                            {"solution", std::string(traces.solutionName(row))},
                            {"workload_uuid", traces.workloadUuid(row)},
                            {"latency_ms", number(row.latencyMs)},
                            {"reference_latency_ms", number(row.referenceLatencyMs)},
                            {"speedup_factor", number(row.speedupFactor)},
                            {"max_absolute_error", number(row.maxAbsoluteError)},
                            {"max_relative_error", number(row.maxRelativeError)},
                            {"hardware", std::string(traces.hardwareName(row))}});
    }
    return document;
}

}  // namespace tracedeck
