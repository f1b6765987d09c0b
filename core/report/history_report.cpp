// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/history_report.h"

#include <cmath>
#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/model/timestamp.h"
#include "core/report/text_table.h"

namespace tracedeck {

namespace {

std::string momentText(double seconds)
{
    constexpr double kMicroseconds = 1e6;
    return timestampText(static_cast<std::int64_t>(std::llround(seconds * kMicroseconds)));
}

std::string countsText(const std::set<std::string>& names, const char* what)
{
    return names.size() == 1 ? printable(*names.begin()) : fmt::format("{} {}", names.size(), what);
}

}  // namespace

Json historyDocument(const Dataset& dataset, const History& history, HistoryBy by, HistoryMeasure measure)
{
    const TraceTable& traces = dataset.traces();
    Json series = Json::array();
    for (const HistorySeries& one : history.series) {
        Json points = Json::array();
        for (const HistoryPoint& point : one.points) {
            const TraceRow& row = traces.row(point.row);
            points.push_back({{"time", std::string(traces.timestamp(row))},
                              {"value", finiteOrNull(point.value)},
                              {"best", finiteOrNull(point.best)},
                              {"workloads", point.workloads},
                              {"record", point.isRecord},
                              {"status", std::string(toString(row.status))},
                              {"definition", traces.definitionName(row)},
                              {"solution", std::string(traces.solutionName(row))},
                              {"workload_uuid", traces.workloadUuid(row)}});
        }
        series.push_back({{"name", one.name}, {"hardware", one.hardware}, {"points", std::move(points)}});
    }
    return {{"by", std::string(toString(by))},
            {"measure", std::string(toString(measure))},
            {"left_out", {{"moment", history.withoutMoment}, {"value", history.withoutValue}}},
            {"series", std::move(series)}};
}

TableToWrite historyTable(const Dataset& dataset, const History& history)
{
    TableToWrite table;
    table.columns = {{"name", false},     {"hardware", false}, {"time", false},   {"value", true},      {"best", true},         {"workloads", true},
                     {"record", false},   {"status", false},   {"definition", false}, {"solution", false}, {"workload_uuid", false}, {"axes", false}};
    auto places = std::make_shared<std::vector<std::pair<const HistorySeries*, const HistoryPoint*>>>();
    for (const HistorySeries& one : history.series) {
        for (const HistoryPoint& point : one.points) places->emplace_back(&one, &point);
    }
    table.rowCount = places->size();
    table.cell = [&dataset, places](std::size_t index, std::size_t column) -> TableCell {
        const auto& [one, point] = (*places)[index];
        const TraceTable& traces = dataset.traces();
        const TraceRow& row = traces.row(point->row);
        switch (column) {
        case 0: return one->name;
        case 1: return one->hardware;
        case 2: return std::string(traces.timestamp(row));
        case 3: return finiteCell(point->value);
        case 4: return finiteCell(point->best);
        case 5: return static_cast<std::int64_t>(point->workloads);
        case 6: return std::string(point->isRecord ? "true" : "false");
        case 7: return std::string(toString(row.status));
        case 8: return traces.definitionName(row);
        case 9: return std::string(traces.solutionName(row));
        case 10: return traces.workloadUuid(row);
        default: return traces.axesText(row);
        }
    };
    return table;
}

std::string historyText(const History& history, HistoryBy by, HistoryMeasure measure)
{
    using Align = TextTable::Align;
    const std::string title = by == HistoryBy::Solution ? "Solution" : by == HistoryBy::Author ? "Author" : "Definition";
    TextTable table({{title, Align::Left}, {"Hardware", Align::Left}, {"From", Align::Left}, {"To", Align::Left}, {"Results", Align::Right}, {"Failed", Align::Right}, {"Workloads", Align::Right},
                     {measure == HistoryMeasure::Speedup ? "Best speedup" : "Best ms", Align::Right}});
    for (const HistorySeries& one : history.series) {
        std::size_t failed = 0;
        for (const HistoryPoint& point : one.points) failed += point.failed ? 1U : 0U;
        const HistoryPoint& last = one.points.back();
        table.addRow({one.name, one.hardware, momentText(one.points.front().seconds), momentText(last.seconds), std::to_string(one.points.size()), std::to_string(failed),
                      std::to_string(last.workloads), std::isfinite(last.best) ? readableNumber(last.best) : std::string("-")});
    }
    std::string text = table.toString();
    text += "Best: the geometric mean, over the workloads passed, of the best result on each.\n";
    if (history.withoutMoment > 0) text += fmt::format("{} traces with a timestamp that is no time are left out.\n", history.withoutMoment);
    if (history.withoutValue > 0) text += fmt::format("{} passed traces without a value are left out.\n", history.withoutValue);
    return text;
}

Json failuresDocument(const Dataset& dataset, const std::vector<FailureGroup>& groups)
{
    const TraceTable& traces = dataset.traces();
    Json list = Json::array();
    for (const FailureGroup& group : groups) {
        const TraceRow& first = traces.row(group.first());
        list.push_back({{"status", std::string(toString(group.status))},
                        {"reason", group.reason},
                        {"example", group.example},
                        {"count", group.rows.size()},
                        {"workloads", group.workloads},
                        {"definitions", group.definitions},
                        {"solutions", group.solutions},
                        {"hardware", group.hardware},
                        {"pattern", group.pattern},
                        {"first",
                         {{"definition", traces.definitionName(first)},
                          {"axes", traces.axesText(first)},
                          {"solution", std::string(traces.solutionName(first))},
                          {"workload_uuid", traces.workloadUuid(first)},
                          {"hardware", std::string(traces.hardwareName(first))},
                          {"timestamp", std::string(traces.timestamp(first))}}}});
    }
    return {{"groups", std::move(list)}};
}

TableToWrite failuresTable(const Dataset& dataset, const std::vector<FailureGroup>& groups)
{
    TableToWrite table;
    table.columns = {{"status", false},     {"reason", false}, {"count", true},      {"workloads", true},  {"definitions", false},
                     {"solutions", false}, {"pattern", false}, {"first_axes", false}, {"first_solution", false}, {"example", false}};
    table.rowCount = groups.size();
    table.cell = [&dataset, &groups](std::size_t index, std::size_t column) -> TableCell {
        const FailureGroup& group = groups[index];
        const TraceRow& first = dataset.traces().row(group.first());
        switch (column) {
        case 0: return std::string(toString(group.status));
        case 1: return group.reason;
        case 2: return static_cast<std::int64_t>(group.rows.size());
        case 3: return static_cast<std::int64_t>(group.workloads);
        case 4: return fmt::format("{}", fmt::join(group.definitions, ";"));
        case 5: return fmt::format("{}", fmt::join(group.solutions, ";"));
        case 6: return group.pattern;
        case 7: return dataset.traces().axesText(first);
        case 8: return std::string(dataset.traces().solutionName(first));
        default: return group.example;
        }
    };
    return table;
}

std::string failuresText(const Dataset& dataset, const std::vector<FailureGroup>& groups)
{
    if (groups.empty()) return "Nothing failed.\n";
    std::string text;
    for (const FailureGroup& group : groups) {
        const TraceRow& first = dataset.traces().row(group.first());
        text += fmt::format("{} × {}: {}\n", group.rows.size(), toString(group.status), group.example.empty() ? std::string("nothing is said") : printable(group.example));
        text += fmt::format("    {}, {}, {} workload{}; first {} {}\n", countsText(group.definitions, "definitions"), countsText(group.solutions, "solutions"), group.workloads,
                            group.workloads == 1 ? "" : "s", printable(dataset.traces().definitionName(first)), printable(dataset.traces().axesText(first)));
        if (!group.pattern.empty()) text += fmt::format("    only where {}\n", printable(group.pattern));
    }
    return text;
}

}  // namespace tracedeck
