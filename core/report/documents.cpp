// SPDX-License-Identifier: GPL-3.0-or-later
// The JSON forms of the reports (design §7).
#include <cmath>

#include "core/report/best_traces.h"
#include "core/report/report.h"

namespace tracedeck {

namespace {

Json number(double value)
{
    if (std::isnan(value)) return "NaN";
    if (std::isinf(value)) return value > 0 ? "Infinity" : "-Infinity";
    return value;
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
                            {"reason", problem.error.reason}});
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
    Json unscored = Json::array();
    for (const Problem& problem : summary.ranking.unscored) {
        unscored.push_back({{"definition", problem.error.field}, {"reason", problem.error.reason}});
    }
    const auto textOrNull = [](const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); };
    return {{"total", summary.total},
            {"passed", summary.passed},
            {"failed", summary.failed},
            {"rule", "format"},
            {"baseline", summary.baselineAuthor},
            {"scope",
             {{"op_type", textOrNull(summary.scope.opType)},
              {"definition", textOrNull(summary.scope.definition)},
              {"hardware", textOrNull(summary.scope.hardware)}}},
            {"rankings", std::move(rankings)},
            {"unscored", std::move(unscored)}};
}

Json bestDocument(const Dataset& dataset, const RankingScope& scope)
{
    const TraceTable& traces = dataset.traces();
    Json document = Json::array();
    for (const BestTrace& best : bestTraces(dataset, scope)) {
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
