// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/heat_map_report.h"

#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "core/report/text_table.h"

namespace tracedeck {

namespace {

Json cellDocument(const HeatMapCell& cell)
{
    if (!cell.isRun()) return nullptr;
    return {{"status", std::string(toString(cell.status))}, {"latency_ms", finiteOrNull(cell.latencyMs)}, {"ratio", finiteOrNull(cell.ratio)}};
}

/// The ratio; how it ended; nothing where it was not run or passed without a ratio.
TableCell heatCell(const HeatMapCell& cell)
{
    if (std::isfinite(cell.ratio)) return cell.ratio;
    return cell.isFailed() ? TableCell(std::string(toString(cell.status))) : TableCell();
}

std::string heatText(const HeatMapCell& cell)
{
    if (std::isfinite(cell.ratio)) return readableNumber(cell.ratio);
    if (!cell.isRun()) return "-";
    return cell.isFailed() ? std::string(toString(cell.status)) : std::string("no ratio");
}

std::string whatRatiosAre(const HeatMap& map)
{
    switch (map.question.measure) {
    case HeatMeasure::Baseline: return "how many times as fast as the baseline " + map.baselineSolution;
    case HeatMeasure::Reference: return "how many times as fast as the reference";
    case HeatMeasure::Best: break;
    }
    return "share of the speed of the fastest that passed on the workload";
}

}  // namespace

HeatMapOrder heatMapOrder(const HeatMap& map)
{
    HeatMapOrder order;
    order.workloads.resize(map.workloads.size());
    order.solutions.resize(map.solutions.size());
    std::iota(order.workloads.begin(), order.workloads.end(), std::size_t{0});
    std::iota(order.solutions.begin(), order.solutions.end(), std::size_t{0});
    return order;
}

Json heatMapDocument(const HeatMap& map, const HeatMapOrder& order)
{
    Json workloads = Json::array();
    Json cells = Json::array();
    for (const std::size_t w : order.workloads) {
        Json axes = Json::object();
        for (const auto& [name, value] : map.workloads[w].axes) axes[name] = value;
        workloads.push_back({{"uuid", map.workloads[w].uuid}, {"axes", std::move(axes)}});
        Json line = Json::array();
        for (const std::size_t s : order.solutions) line.push_back(cellDocument(map.at(w, s)));
        cells.push_back(std::move(line));
    }
    Json solutions = Json::array();
    for (const std::size_t s : order.solutions) {
        const HeatMapSolution& solution = map.solutions[s];
        solutions.push_back({{"name", solution.name},
                             {"author", solution.author},
                             {"passed", solution.passed},
                             {"failed", solution.failed},
                             {"geometric_mean", finiteOrNull(solution.geometricMean)}});
    }
    return {{"definition", map.question.definition},
            {"hardware", map.question.hardware},
            {"measure", std::string(toString(map.question.measure))},
            {"baseline", map.question.measure == HeatMeasure::Baseline ? Json(map.baselineSolution) : Json(nullptr)},
            {"workloads", std::move(workloads)},
            {"solutions", std::move(solutions)},
            {"cells", std::move(cells)}};
}

TableToWrite heatMapTable(const HeatMap& map, HeatMapOrder order)
{
    TableToWrite table;
    table.columns = {{"axes", false}, {"workload_uuid", false}};
    for (const std::size_t s : order.solutions) table.columns.push_back({map.solutions[s].name, true});
    table.rowCount = order.workloads.size();
    table.cell = [&map, order = std::move(order)](std::size_t row, std::size_t column) -> TableCell {
        const std::size_t w = order.workloads[row];
        if (column == 0) return map.workloads[w].axesText();
        return column == 1 ? TableCell(map.workloads[w].uuid) : heatCell(map.at(w, order.solutions[column - 2]));
    };
    return table;
}

std::string heatMapText(const HeatMap& map, const HeatMapOrder& order)
{
    std::string text = fmt::format("{} on {}: {}\n\n", printable(map.question.definition), printable(map.question.hardware), printable(whatRatiosAre(map)));
    std::vector<TextTable::Column> columns{{"Axes", TextTable::Align::Left}};
    for (std::size_t i = 0; i < order.solutions.size(); ++i) columns.push_back({fmt::format("({})", i + 1), TextTable::Align::Right});
    TextTable table(columns);
    for (const std::size_t w : order.workloads) {
        std::vector<std::string> cells{map.workloads[w].axesText()};
        for (const std::size_t s : order.solutions) cells.push_back(heatText(map.at(w, s)));
        table.addRow(cells);
    }
    std::vector<std::string> means{"geometric mean"};
    for (const std::size_t s : order.solutions) means.push_back(std::isfinite(map.solutions[s].geometricMean) ? readableNumber(map.solutions[s].geometricMean) : std::string("-"));
    table.addRow(means);
    text += table.toString() + "\n";
    for (std::size_t i = 0; i < order.solutions.size(); ++i) {
        const HeatMapSolution& solution = map.solutions[order.solutions[i]];
        text += fmt::format("({}) {}: {} passed, {} failed\n", i + 1, printable(solution.name), solution.passed, solution.failed);
    }
    return text;
}

}  // namespace tracedeck
