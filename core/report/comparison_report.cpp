// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/comparison_report.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/report/text_table.h"

namespace tracedeck {

namespace {

constexpr std::size_t kReasonsShown = 10;

Json intervalOrNull(const Interval& interval)
{
    return interval.isKnown() ? Json::array({interval.low, interval.high}) : Json(nullptr);
}

Json measurementJson(const std::optional<Measurement>& measurement)
{
    if (!measurement) return nullptr;
    return {{"solution", measurement->solution},
            {"solutions", measurement->solutionCount},
            {"hardware", measurement->hardware},
            {"workload_uuid", measurement->workloadUuid},
            {"status", std::string(toString(measurement->status))},
            {"latency_ms", finiteOrNull(measurement->latencyMs)},
            {"noise", finiteOrNull(measurement->noise)},
            {"runs", measurement->runs},
            {"samples", measurement->samples}};
}

std::string numberText(double value)
{
    return std::isfinite(value) ? readableNumber(value) : std::string("-");
}

std::string shareText(double share, const char* sign = "")
{
    if (!std::isfinite(share)) return "-";
    return *sign == '+' ? fmt::format("{:+.1f} %", share * 100) : fmt::format("{:.1f} %", share * 100);
}

std::string intervalText(const Interval& interval)
{
    return interval.isKnown() ? fmt::format("{:+.1f} … {:+.1f} %", (interval.low - 1) * 100, (interval.high - 1) * 100) : std::string("-");
}

/// Passed: its latency; else how it ended.
std::string resultText(const std::optional<Measurement>& measurement)
{
    if (!measurement) return "-";
    return measurement->isPassed() ? numberText(measurement->latencyMs) : std::string(toString(measurement->status));
}

double noiseOf(const std::optional<Measurement>& measurement)
{
    return measurement ? measurement->noise : std::nan("");
}

std::string solutionsText(const ComparisonRow& row)
{
    if (row.a && row.b && row.a->solution != row.b->solution) return row.a->solution + " / " + row.b->solution;
    return row.latest().solution;
}

std::string hardwareText(const ComparisonRow& row)
{
    if (row.a && row.b && row.a->hardware != row.b->hardware) return row.a->hardware + " / " + row.b->hardware;
    return row.latest().hardware;
}

std::string valuesText(const std::set<std::string>& values)
{
    return values.empty() ? std::string("-") : fmt::format("{}", fmt::join(values, " and "));
}

void appendReasons(std::string& text, const Comparison& comparison)
{
    std::vector<std::pair<std::string, std::size_t>> reasons;
    for (const ComparisonRow& row : comparison.rows) {
        const bool isPlain = row.verdict == ComparisonVerdict::Same || row.verdict == ComparisonVerdict::Faster || row.verdict == ComparisonVerdict::Slower ||
                             row.verdict == ComparisonVerdict::New || row.verdict == ComparisonVerdict::Missing;
        if (isPlain) continue;
        const std::string reason = std::string(toString(row.verdict)) + ": " + row.reason;
        const auto known = std::find_if(reasons.begin(), reasons.end(), [&reason](const auto& entry) { return entry.first == reason; });
        if (known != reasons.end()) ++known->second;
        else if (reasons.size() <= kReasonsShown) reasons.emplace_back(reason, 1);
    }
    if (reasons.empty()) return;
    text += "\nWhy:\n";
    for (std::size_t i = 0; i < std::min(reasons.size(), kReasonsShown); ++i) text += fmt::format("  {} ({})\n", printable(reasons[i].first), reasons[i].second);
    if (reasons.size() > kReasonsShown) text += "  and others; the JSON and CSV forms have the reason of each row\n";
}

}  // namespace

std::string describeVerdictCounts(const ComparisonSummary& comparison)
{
    std::vector<std::string> parts;
    for (const ComparisonVerdict verdict : kVerdictsByWeight) {
        if (const std::size_t count = comparison.countOf(verdict); count > 0) parts.push_back(fmt::format("{} {}", count, toString(verdict)));
    }
    return fmt::format("{}", fmt::join(parts, ", "));
}

std::string ratioMeanText(const ComparisonSummary& comparison)
{
    if (comparison.ratios == 0) return "no workload has times of both sides that compare";
    return fmt::format("B takes {} × the time of A (95 % interval {} to {}; geometric mean over {} result{})", readableNumber(comparison.ratioMean.mean),
                       readableNumber(comparison.ratioMean.interval.low), readableNumber(comparison.ratioMean.interval.high), comparison.ratios,
                       comparison.ratios == 1 ? "" : "s");
}

Json comparisonDocument(const Comparison& comparison)
{
    Json rows = Json::array();
    for (const ComparisonRow& row : comparison.rows) {
        Json axes = Json::object();
        for (const auto& [name, value] : row.axes) axes[name] = value;
        rows.push_back({{"definition", row.definition},
                        {"op_type", row.opType},
                        {"axes", std::move(axes)},
                        {"a", measurementJson(row.a)},
                        {"b", measurementJson(row.b)},
                        {"matched_by_axes", row.isMatchedByAxes},
                        {"difference_ms", finiteOrNull(row.differenceMs)},
                        {"ratio", finiteOrNull(row.ratio)},
                        {"interval", intervalOrNull(row.interval)},
                        {"margin", row.margin > 0 ? Json(row.margin) : Json(nullptr)},
                        {"verdict", std::string(toString(row.verdict))},
                        {"reason", row.reason}});
    }
    Json differences = Json::array();
    for (const EnvironmentDifference& difference : comparison.differences) {
        differences.push_back({{"name", difference.name}, {"a", difference.a}, {"b", difference.b}});
    }
    Json counts = Json::object();
    for (const ComparisonVerdict verdict : kVerdictsByWeight) counts[std::string(toString(verdict))] = comparison.countOf(verdict);
    return {{"a", comparison.a},
            {"b", comparison.b},
            {"by_solution", comparison.isBySolution},
            {"by_hardware", comparison.isByHardware},
            {"differences", std::move(differences)},
            {"rows", std::move(rows)},
            {"counts", std::move(counts)},
            {"geometric_mean",
             {{"ratio", finiteOrNull(comparison.ratioMean.mean)}, {"interval", intervalOrNull(comparison.ratioMean.interval)}, {"results", comparison.ratios}}}};
}

TableToWrite comparisonTable(const Comparison& comparison)
{
    using Cell = TableCell (*)(const ComparisonRow&);
    struct Column {
        const char* title;
        bool isNumber;
        Cell cell;
    };
    static constexpr std::array kColumns{
        Column{"definition", false, [](const ComparisonRow& row) { return TableCell(row.definition); }},
        Column{"axes", false, [](const ComparisonRow& row) { return TableCell(row.axesText()); }},
        Column{"solution_a", false, [](const ComparisonRow& row) { return row.a ? TableCell(row.a->solution) : TableCell(); }},
        Column{"solution_b", false, [](const ComparisonRow& row) { return row.b ? TableCell(row.b->solution) : TableCell(); }},
        Column{"hardware_a", false, [](const ComparisonRow& row) { return row.a ? TableCell(row.a->hardware) : TableCell(); }},
        Column{"hardware_b", false, [](const ComparisonRow& row) { return row.b ? TableCell(row.b->hardware) : TableCell(); }},
        Column{"workload_uuid_a", false, [](const ComparisonRow& row) { return row.a ? TableCell(row.a->workloadUuid) : TableCell(); }},
        Column{"workload_uuid_b", false, [](const ComparisonRow& row) { return row.b ? TableCell(row.b->workloadUuid) : TableCell(); }},
        Column{"status_a", false, [](const ComparisonRow& row) { return row.a ? TableCell(std::string(toString(row.a->status))) : TableCell(); }},
        Column{"status_b", false, [](const ComparisonRow& row) { return row.b ? TableCell(std::string(toString(row.b->status))) : TableCell(); }},
        Column{"latency_ms_a", true, [](const ComparisonRow& row) { return row.a ? finiteCell(row.a->latencyMs) : TableCell(); }},
        Column{"noise_a", true, [](const ComparisonRow& row) { return finiteCell(noiseOf(row.a)); }},
        Column{"latency_ms_b", true, [](const ComparisonRow& row) { return row.b ? finiteCell(row.b->latencyMs) : TableCell(); }},
        Column{"noise_b", true, [](const ComparisonRow& row) { return finiteCell(noiseOf(row.b)); }},
        Column{"difference_ms", true, [](const ComparisonRow& row) { return finiteCell(row.differenceMs); }},
        Column{"ratio", true, [](const ComparisonRow& row) { return finiteCell(row.ratio); }},
        Column{"ratio_low", true, [](const ComparisonRow& row) { return finiteCell(row.interval.low); }},
        Column{"ratio_high", true, [](const ComparisonRow& row) { return finiteCell(row.interval.high); }},
        Column{"verdict", false, [](const ComparisonRow& row) { return TableCell(std::string(toString(row.verdict))); }},
        Column{"reason", false, [](const ComparisonRow& row) { return TableCell(row.reason); }},
    };
    TableToWrite table;
    for (const Column& column : kColumns) table.columns.push_back({column.title, column.isNumber});
    table.rowCount = comparison.rows.size();
    table.cell = [&comparison](std::size_t row, std::size_t column) { return kColumns[column].cell(comparison.rows[row]); };
    return table;
}

std::string comparisonText(const Comparison& comparison)
{
    std::string text = fmt::format("A: {}\nB: {}\n", printable(comparison.a), printable(comparison.b));
    if (!comparison.isBySolution) text += "Of several solutions of a side, the fastest that passed counts on each workload.\n";
    if (!comparison.differences.empty()) {
        text += "\nNot the same on both sides, so differences need not come from the code:\n";
        for (const EnvironmentDifference& difference : comparison.differences) {
            text += fmt::format("  {}: A {}; B {}\n", printable(difference.name), printable(valuesText(difference.a)), printable(valuesText(difference.b)));
        }
    }
    std::set<std::string> solutions;
    std::set<std::string> machines;
    for (const ComparisonRow& row : comparison.rows) {
        solutions.insert(solutionsText(row));
        machines.insert(hardwareText(row));
    }
    using Align = TextTable::Align;
    std::vector<TextTable::Column> columns{{"Definition", Align::Left}, {"Axes", Align::Left}};
    if (solutions.size() > 1) columns.push_back({"Solution", Align::Left});
    if (machines.size() > 1) columns.push_back({"Hardware", Align::Left});
    for (const auto& [title, isMinor] : {std::pair{"A ms", false}, {"Noise A", true}, {"B ms", false}, {"Noise B", true}, {"Diff ms", true}, {"Diff", false}, {"95 % interval", true}}) columns.push_back({title, Align::Right, isMinor});
    columns.push_back({"Verdict", Align::Left});
    TextTable table(columns);
    for (const ComparisonRow& row : comparison.rows) {
        std::vector<std::string> cells{row.definition, row.axesText()};
        if (solutions.size() > 1) cells.push_back(solutionsText(row));
        if (machines.size() > 1) cells.push_back(hardwareText(row));
        for (std::string cell : {resultText(row.a), shareText(noiseOf(row.a)), resultText(row.b), shareText(noiseOf(row.b)), numberText(row.differenceMs),
                                 shareText(row.ratio - 1, "+"), intervalText(row.interval), std::string(toString(row.verdict))}) {
            cells.push_back(std::move(cell));
        }
        table.addRow(cells);
    }
    text += "\n" + table.toString();
    appendReasons(text, comparison);
    return text + fmt::format("\n{}\n{}\n", describeVerdictCounts(comparison), ratioMeanText(comparison));
}

}  // namespace tracedeck
