// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/report_tables.h"

#include <array>
#include <cmath>
#include <memory>
#include <utility>

#include "core/report/report.h"

namespace tracedeck {

namespace {

TableCell wholeCell(std::size_t value) { return static_cast<std::int64_t>(value); }
TableCell nameCell(std::string_view text) { return text.empty() ? TableCell() : TableCell(std::string(text)); }

TableCell traceTableCell(const Dataset& dataset, const TraceRow& row, std::size_t column)
{
    const TraceTable& traces = dataset.traces();
    const auto number = [&row](std::uint8_t flag, double value) { return (row.flags & flag) != 0 ? TableCell(value) : TableCell(); };
    switch (column) {
    case 0: return traceCell(dataset, row, TraceColumn::Definition);
    case 1: return traceCell(dataset, row, TraceColumn::OpType);
    case 2: return traceCell(dataset, row, TraceColumn::Solution);
    case 3: return nameCell(authorOf(dataset, row));
    case 4: return traceCell(dataset, row, TraceColumn::Language);
    case 5: return traceCell(dataset, row, TraceColumn::Workload);
    case 6: return nameCell(traces.axesText(row));
    case 7: return traceCell(dataset, row, TraceColumn::Status);
    // Milliseconds here, as in the files.
    case 8: return number(TraceFlag::kHasPerformance, row.latencyMs);
    case 9: return number(TraceFlag::kHasPerformance, row.referenceLatencyMs);
    case 10: return number(TraceFlag::kHasPerformance, row.speedupFactor);
    case 11: return number(TraceFlag::kHasCorrectness, row.maxAbsoluteError);
    case 12: return number(TraceFlag::kHasCorrectness, row.maxRelativeError);
    case 13: return traceCell(dataset, row, TraceColumn::Hardware);
    case 14: return traceCell(dataset, row, TraceColumn::Timestamp);
    default: break;
    }
    constexpr auto kMeasured = TraceFlag::kHasEvaluation | TraceFlag::kHasPerformance;
    if ((row.flags & kMeasured) != kMeasured || row.status != Status::Passed) return {};
    return std::string(isUsableLatency(row.latencyMs) ? "true" : "false");
}

}  // namespace

TableToWrite tracesTable(const Dataset& dataset, const RowIndex& rows)
{
    TableToWrite table;
    table.columns = {{"definition", false, "Definition"},
                     {"op_type", false},
                     {"solution", false, "Solution"},
                     {"author", false, "Author"},
                     {"language", false, "Language"},
                     {"workload_uuid", false, "Workload"},
                     {"axes", false, "Axes"},
                     {"status", false, "Status"},
                     {"latency_ms", true, "Latency (ms)"},
                     {"reference_latency_ms", true, "Reference (ms)"},
                     {"speedup_factor", true, "Speedup"},
                     {"max_absolute_error", true, "Max abs. error"},
                     {"max_relative_error", true, "Max rel. error"},
                     {"hardware", false, "Hardware"},
                     {"timestamp", false, "Time"},
                     {"usable_latency", false, "Usable latency"}};
    table.rowCount = rows.size();
    table.cell = [&dataset, &rows](std::size_t row, std::size_t column) { return traceTableCell(dataset, dataset.traces().row(rows[row]), column); };
    return table;
}

std::vector<TableToWrite::Column> pinColumns(const std::vector<std::string>& pins)
{
    std::vector<TableToWrite::Column> columns;
    for (const std::string& pin : pins) columns.push_back({.title = "change_vs " + pin, .isNumber = true, .label = "vs " + pin, .isChange = true});
    return columns;
}

void appendPinColumns(TableToWrite& table, const Dataset& dataset, const RowIndex& rows, const PinnedLatencies& pinned)
{
    std::vector<std::string> pins;
    for (const Pin& pin : pinned.pins()) pins.push_back(pinText(pin));
    appendColumns(table, pinColumns(pins), [&dataset, &rows, &pinned](std::size_t row, std::size_t pin) { return finiteCell(pinned.change(pin, dataset.traces().row(rows[row]))); });
}

void appendLightColumn(TableToWrite& table, const Dataset& dataset, const RowIndex& rows, const LightTimes& light)
{
    appendColumns(table, {{.title = "light_share", .isNumber = true, .label = "Of speed of light", .isShare = true}},
                  [&dataset, &rows, &light](std::size_t row, std::size_t) { return finiteCell(light.share(dataset.traces().row(rows[row]))); });
}

TableToWrite rankTableToWrite(const RankTable& table)
{
    const bool bySolution = table.by == RankBy::Solution;
    TableToWrite result;
    result.columns = {{"rank", true, "Rank"},
                      {"tied", false, "Tied"},
                      {"name", false, bySolution ? "Solution" : "Author"},
                      {"score", true, "Score"},
                      {"workloads", true, "Workloads"},
                      {"coverage", true, "Coverage", true},
                      {"success_rate", true, "Success rate", true},
                      {"win_rate", true, "Win rate", true}};
    if (bySolution) {
        result.columns.push_back({"author", false, "Author"});
        result.columns.push_back({"definition", false, "Definition"});
    } else {
        result.columns.push_back({"definitions", true, "Definitions"});
    }
    result.rowCount = table.rows.size();
    result.cell = [&table, bySolution](std::size_t index, std::size_t column) -> TableCell {
        const RankRow& row = table.rows[index];
        switch (column) {
        case 0: return static_cast<std::int64_t>(row.rank);
        case 1: return row.tied ? TableCell(std::string("tied")) : TableCell();
        case 2: return row.name;
        case 3: return row.metrics.averageSpeedup;
        case 4: return static_cast<std::int64_t>(row.metrics.workloads);
        case 5: return row.coverage;
        case 6: return row.metrics.successRate;
        case 7: return row.metrics.winRate;
        case 8: return bySolution ? TableCell(row.author) : TableCell(static_cast<std::int64_t>(row.metrics.definitions));
        default: return row.definition;
        }
    };
    appendColumns(result, pinColumns(table.pins), [&table](std::size_t row, std::size_t pin) { return finiteCell(table.rows[row].changes[pin].change); });
    return result;
}

TableToWrite summaryTable(const Summary& summary)
{
    TableToWrite table;
    table.columns = {{"rank", true, "Rank"},           {"author", false, "Author"},           {"avg_speedup", true, "Avg speedup"}, {"success_rate", true, "Success rate", true},
                     {"win_rate", true, "Win rate", true}, {"definitions", true, "Definitions"}, {"workloads", true, "Workloads"}};
    table.rowCount = summary.ranking.authors.size();
    table.cell = [&summary](std::size_t row, std::size_t column) -> TableCell {
        const auto& [author, metrics] = summary.ranking.authors[row];
        switch (column) {
        case 0: return wholeCell(row + 1);
        case 1: return author;
        case 2: return metrics.averageSpeedup;
        case 3: return metrics.successRate;
        case 4: return metrics.winRate;
        case 5: return static_cast<std::int64_t>(metrics.definitions);
        default: return static_cast<std::int64_t>(metrics.workloads);
        }
    };
    return table;
}

TableToWrite bestTable(const Dataset& dataset, std::vector<BestTrace> best)
{
    std::erase_if(best, [](const BestTrace& one) { return !one.row; });
    TableToWrite table;
    table.columns = {{"definition", false, "Definition"},         {"solution", false, "Solution"},        {"workload_uuid", false, "Workload"},
                     {"latency_ms", true, "Latency (ms)"},        {"reference_latency_ms", true, "Reference (ms)"}, {"speedup_factor", true, "Speedup"},
                     {"max_absolute_error", true, "Max abs. error"}, {"max_relative_error", true, "Max rel. error"}, {"hardware", false, "Hardware"}};
    table.rowCount = best.size();
    table.cell = [&dataset, best = std::move(best)](std::size_t index, std::size_t column) -> TableCell {
        constexpr std::array<std::size_t, 9> kOfTraces{0, 2, 5, 8, 9, 10, 11, 12, 13};
        return traceTableCell(dataset, dataset.traces().row(*best[index].row), kOfTraces[column]);
    };
    return table;
}

const std::vector<TraceColumn>& groupMeasures()
{
    static const std::vector<TraceColumn> measures{TraceColumn::Latency, TraceColumn::Speedup};
    return measures;
}

TableToWrite groupsTable(const Dataset& dataset, std::vector<TraceGroup> groups, std::vector<GroupKey> keys)
{
    TableToWrite table;
    for (const GroupKey& key : keys) table.columns.push_back({toString(key), false, {}});
    for (const auto& [title, label] : std::vector<std::pair<const char*, const char*>>{{"traces", "Traces"},
                                                                                      {"passed", "Passed"},
                                                                                      {"latency_ms_median", "Median ms"},
                                                                                      {"latency_ms_min", "Fastest ms"},
                                                                                      {"latency_ms_max", "Slowest ms"},
                                                                                      {"speedup_factor_geomean", "Geomean speedup"},
                                                                                      {"speedup_factor_max", "Greatest speedup"}}) {
        table.columns.push_back({title, true, label});
    }
    table.rowCount = groups.size();
    table.cell = [&dataset, groups = std::move(groups), keys = std::move(keys)](std::size_t row, std::size_t column) -> TableCell {
        const TraceGroup& group = groups[row];
        if (column < keys.size()) return nameCell(groupText(dataset, group, keys[column]));
        const NumberSummary& latency = group.measures[0];
        const NumberSummary& speedup = group.measures[1];
        switch (column - keys.size()) {
        case 0: return wholeCell(group.statuses.total());
        case 1: return wholeCell(group.statuses.of(Status::Passed));
        case 2: return finiteCell(latency.median);
        case 3: return finiteCell(latency.least);
        case 4: return finiteCell(latency.greatest);
        case 5: return finiteCell(speedup.geometricMean);
        default: return finiteCell(speedup.greatest);
        }
    };
    return table;
}

TableToWrite fastPTable(const FastPReport& report, std::vector<double> places, bool sampled)
{
    TableToWrite table;
    table.columns = {{"name", false, report.by == RankBy::Solution ? "Solution" : "Author"}};
    for (const double p : places) {
        table.columns.push_back({"share_at_" + shortestNumber(p), true, (report.isStrict() ? "> " : "≥ ") + shortestNumber(p) + " ×", true});
    }
    table.columns.push_back({"geometric_mean", true, "Geometric mean"});
    table.columns.push_back({"attempted", true, "Attempted"});
    table.columns.push_back({"coverage", true, "Coverage", true});
    table.rowCount = report.curves.size();
    table.cell = [&report, places = std::move(places), sampled](std::size_t row, std::size_t column) -> TableCell {
        const FastPCurve& curve = report.curves[row];
        if (column == 0) return curve.name;
        if (column <= places.size()) return sampled ? report.sampledShareAt(curve, places[column - 1]) : report.shareAt(curve, places[column - 1]);
        switch (column - places.size()) {
        case 1: return curve.geometricMean ? finiteCell(*curve.geometricMean) : TableCell();
        case 2: return wholeCell(curve.attempted);
        default: return curve.coverage;
        }
    };
    return table;
}

}  // namespace tracedeck
