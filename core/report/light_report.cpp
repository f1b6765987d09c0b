// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/light_report.h"

#include <cmath>
#include <set>

#include <fmt/format.h>

#include "core/report/text_table.h"

namespace tracedeck {

namespace {

std::string percentText(double share) { return std::isfinite(share) ? fmt::format("{:.1f} %", 100 * share) : std::string(); }

}  // namespace

Json lightDocument(const Dataset& dataset, const LightTable& table, const LightQuestion& question)
{
    const CeilingTable& ceilings = question.ceilings != nullptr ? *question.ceilings : CeilingTable::dataSheets();
    Json solutions = Json::array();
    std::set<std::string> used;   // names of ceilings
    for (const LightSummary& summary : table.summaries) {
        if (const Ceilings* found = ceilings.find(summary.hardware)) used.insert(found->name);
        solutions.push_back({{"definition", summary.definition}, {"solution", summary.solution}, {"author", summary.author}, {"hardware", summary.hardware},
                             {"workloads", summary.workloads}, {"failed", summary.failed}, {"too_fast", summary.tooFast}, {"share", finiteOrNull(summary.share)},
                             {"score", finiteOrNull(summary.score)}});
    }
    const TraceTable& traces = dataset.traces();
    Json rows = Json::array();
    for (const LightRow& row : table.rows) {
        const TraceRow& trace = traces.row(row.row);
        rows.push_back({{"definition", traces.definitionName(trace)}, {"solution", std::string(traces.solutionName(trace))}, {"hardware", std::string(traces.hardwareName(trace))},
                        {"workload_uuid", traces.workloadUuid(trace)}, {"axes", traces.axesText(trace)}, {"latency_ms", row.latencyMs}, {"light_ms", row.lightMs},
                        {"share", row.share()}, {"bound", std::string(toString(row.bound))}, {"bytes", row.bytes}, {"operations", finiteOrNull(row.operations)},
                        {"upper_estimate", row.isUpperEstimate}, {"baseline_ms", finiteOrNull(row.baselineMs)}, {"score", finiteOrNull(row.score)}, {"too_fast", row.isTooFast()}});
    }
    const Json known = ceilings.document();
    Json gpus = Json::array();
    for (const Json& entry : known.at("gpus")) {
        if (used.contains(textMember(entry, "name"))) gpus.push_back(entry);
    }
    return {{"baseline", question.baselineAuthor.empty() ? Json(nullptr) : Json(question.baselineAuthor)},
            {"ceilings", std::move(gpus)},
            {"left_out", {{"ceiling", table.withoutCeiling}, {"size", table.withoutSize}}},
            {"problems", table.problems},
            {"solutions", std::move(solutions)},
            {"traces", std::move(rows)}};
}

TableToWrite lightTraceTable(const Dataset& dataset, const LightTable& table)
{
    TableToWrite made;
    made.columns = {{"definition"}, {"solution"}, {"hardware"}, {"axes"}, {"workload_uuid"}, {"latency_ms", true, "Latency (ms)"}, {"light_ms", true, "Speed of light (ms)"},
                    {"share", true, "Share of it", true}, {"bound"}, {"bytes", true}, {"operations", true}, {"upper_estimate"}, {"baseline_ms", true, "Baseline (ms)"}, {"score", true}};
    made.rowCount = table.rows.size();
    made.cell = [&dataset, &table](std::size_t index, std::size_t column) -> TableCell {
        const LightRow& row = table.rows[index];
        const TraceTable& traces = dataset.traces();
        const TraceRow& trace = traces.row(row.row);
        switch (column) {
        case 0: return std::string(traces.definitionName(trace));
        case 1: return std::string(traces.solutionName(trace));
        case 2: return std::string(traces.hardwareName(trace));
        case 3: return traces.axesText(trace);
        case 4: return std::string(traces.workloadUuid(trace));
        case 5: return row.latencyMs;
        case 6: return row.lightMs;
        case 7: return row.share();
        case 8: return std::string(toString(row.bound));
        case 9: return row.bytes;
        case 10: return finiteCell(row.operations);
        case 11: return std::string(row.isUpperEstimate ? "true" : "false");
        case 12: return finiteCell(row.baselineMs);
        default: return finiteCell(row.score);
        }
    };
    return made;
}

std::string lightText(const LightTable& table)
{
    if (table.summaries.empty()) return "No trace whose hardware's ceilings and whose bytes or operations are known.\n";
    using Align = TextTable::Align;
    TextTable text({{"Definition"}, {"Hardware"}, {"Solution"}, {"Author"}, {"Workloads", Align::Right}, {"Failed", Align::Right}, {"Of speed of light", Align::Right},
                    {"SOL score", Align::Right}, {"Too fast", Align::Right}});
    for (const LightSummary& summary : table.summaries) {
        text.addRow({summary.definition, summary.hardware, summary.solution, summary.author, std::to_string(summary.workloads), std::to_string(summary.failed),
                     percentText(summary.share), std::isfinite(summary.score) ? fmt::format("{:.3f}", summary.score) : std::string(), summary.tooFast > 0 ? std::to_string(summary.tooFast) : std::string()});
    }
    return text.toString();
}

}  // namespace tracedeck
