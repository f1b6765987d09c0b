// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/chart_report.h"

#include <array>
#include <cmath>
#include <memory>

namespace tracedeck {

namespace {

Json nameOrNull(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

}  // namespace

Json chartDocument(const Dataset& dataset, const ChartQuestion& question, const ChartAnswer& answer)
{
    const TraceTable& traces = dataset.traces();
    Json series = Json::array();
    for (const Series& one : answer.series) {
        Json points = Json::array();
        for (const SeriesPoint& point : one.points) {
            const TraceRow& row = traces.row(point.row);
            points.push_back({{"x", finiteOrNull(point.x)},
                              {"y", finiteOrNull(point.y)},
                              {"low", finiteOrNull(point.low)},
                              {"high", finiteOrNull(point.high)},
                              {"status", std::string(toString(row.status))},
                              {"workload_uuid", point.workloadUuid},
                              {"timestamp", std::string(traces.timestamp(row))}});
        }
        series.push_back({{"solution", one.solution},
                          {"author", one.author},
                          {"hardware", one.hardware.empty() && !one.points.empty() ? std::string(traces.hardwareName(traces.row(one.points.front().row))) : one.hardware},
                          {"points", std::move(points)}});
    }
    Json roofs = Json::array();
    for (const Roof& roof : answer.roofs) {
        const auto rateOrNull = [](double rate) { return rate > 0 ? Json(rate) : Json(nullptr); };
        roofs.push_back({{"hardware", roof.hardware}, {"bytes_per_s", rateOrNull(roof.bytesPerSecond)}, {"operations_per_s", rateOrNull(roof.operationsPerSecond)}, {"source", roof.source}});
    }
    return {{"definition", question.definition},
            {"x", std::string(toString(question.abscissa))},
            {"axis", question.abscissa == ChartAbscissa::Axis ? Json(question.axis) : Json(nullptr)},
            {"y", std::string(toString(question.measure))},
            {"time", std::string(toString(question.time))},
            {"hardware", nameOrNull(question.hardware)},
            {"baseline", question.measure == ChartMeasure::RatioToBaseline ? Json(question.baselineSolution) : Json(nullptr)},
            {"formula", nameOrNull(answer.formula)},
            {"upper_estimate", answer.isUpperEstimate},
            {"left_out", {{"time", answer.withoutTime}, {"size", answer.withoutSize}, {"moment", answer.withoutMoment}, {"unreadable", answer.unreadable}, {"error", answer.withoutError}, {"ceiling", answer.withoutCeiling}}},
            {"roofs", std::move(roofs)},
            {"series", std::move(series)}};
}

TableToWrite chartTable(const Dataset& dataset, const std::vector<Series>& series)
{
    TableToWrite table;
    table.columns = {{"solution", false}, {"author", false}, {"hardware", false}, {"axes", false}, {"workload_uuid", false}, {"x", true},
                     {"y", true},         {"low", true},     {"high", true},      {"status", false}, {"timestamp", false}};
    using Place = std::pair<const Series*, const SeriesPoint*>;
    auto places = std::make_shared<std::vector<Place>>();
    for (const Series& one : series) {
        for (const SeriesPoint& point : one.points) places->emplace_back(&one, &point);
    }
    table.rowCount = places->size();
    table.cell = [&dataset, places](std::size_t row, std::size_t column) -> TableCell {
        const auto& [one, point] = (*places)[row];
        const TraceTable& traces = dataset.traces();
        const TraceRow& trace = traces.row(point->row);
        switch (column) {
        case 0: return one->solution;
        case 1: return one->author;
        case 2: return std::string(traces.hardwareName(trace));
        case 3: return traces.axesText(trace);
        case 4: return point->workloadUuid;
        case 5: return finiteCell(point->x);
        case 6: return finiteCell(point->y);
        case 7: return finiteCell(point->low);
        case 8: return finiteCell(point->high);
        case 9: return std::string(toString(trace.status));
        default: return std::string(traces.timestamp(trace));
        }
    };
    return table;
}

}  // namespace tracedeck
