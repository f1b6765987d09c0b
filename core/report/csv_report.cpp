// SPDX-License-Identifier: GPL-3.0-or-later
#include <array>
#include <charconv>
#include <cmath>
#include <set>
#include <unordered_map>

#include <fmt/format.h>

#include "core/report/report.h"

namespace tracedeck {

namespace {

constexpr std::string_view kHeader =
    "definition,op_type,solution,author,language,workload_uuid,axes,status,latency_ms,reference_latency_ms,speedup_factor,"
    "max_absolute_error,max_relative_error,hardware,timestamp,usable_latency\n";

/// Whether a spreadsheet would take the cell for a formula.
bool looksLikeFormula(std::string_view text)
{
    return !text.empty() && std::string_view("=+-@\t\r").find(text.front()) != std::string_view::npos;
}

void appendCell(std::string& line, std::string_view text)
{
    line += ',';
    if (text.find_first_of("\",\r\n") == std::string_view::npos && !looksLikeFormula(text)) line += text;
    else line += csvCell(text);
}

void appendNumber(std::string& line, bool present, double value)
{
    line += ',';
    if (present) line += shortestNumber(value);
}

}  // namespace

std::string csvCell(std::string_view text)
{
    std::string cell = looksLikeFormula(text) ? "'" : "";
    cell += text;
    if (cell.find_first_of("\",\r\n") == std::string::npos) return cell;
    std::string quoted = "\"";
    for (const char c : cell) {
        if (c == '"') quoted += '"';
        quoted += c;
    }
    return quoted + '"';
}

std::string shortestNumber(double value)
{
    if (std::isnan(value)) return "nan";   // to_chars would keep the sign of a NaN
    std::array<char, 32> text{};   // the longest shortest form of a double has 24 characters
    const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
    return {text.data(), end};
}

std::string csvReport(const Dataset& dataset, const RowIndex& rows)
{
    const TraceTable& traces = dataset.traces();
    std::string text(kHeader);
    // Texts of a workload's columns recur on many rows.
    std::unordered_map<std::uint32_t, std::string> axesOfWorkload;
    for (const std::uint32_t index : rows) {
        const TraceRow& row = traces.row(index);
        const std::string& definitionName = traces.definitionName(row);
        const Definition* definition = dataset.findDefinition(definitionName);
        const Solution* solution =
            row.solution == StringPool::kNone ? nullptr : dataset.findSolution(traces.names().text(row.solution));
        const bool evaluated = (row.flags & TraceFlag::kHasEvaluation) != 0;
        const bool timed = (row.flags & TraceFlag::kHasPerformance) != 0;
        const bool compared = (row.flags & TraceFlag::kHasCorrectness) != 0;
        auto axes = axesOfWorkload.find(row.workload);
        if (axes == axesOfWorkload.end()) axes = axesOfWorkload.emplace(row.workload, traces.axesText(row)).first;

        text += csvCell(definitionName);
        appendCell(text, definition == nullptr ? std::string_view{} : std::string_view(definition->opType));
        appendCell(text, traces.solutionName(row));
        appendCell(text, solution == nullptr ? std::string_view{} : std::string_view(solution->author));
        appendCell(text, solution == nullptr ? std::string_view{} : toString(solution->spec.language));
        appendCell(text, traces.workloadUuid(row));
        appendCell(text, axes->second);
        appendCell(text, evaluated ? toString(row.status) : std::string_view{});
        appendNumber(text, timed, row.latencyMs);
        appendNumber(text, timed, row.referenceLatencyMs);
        appendNumber(text, timed, row.speedupFactor);
        appendNumber(text, compared, row.maxAbsoluteError);
        appendNumber(text, compared, row.maxRelativeError);
        appendCell(text, traces.hardwareName(row));
        appendCell(text, traces.timestamp(row));
        const bool isPassed = evaluated && timed && row.status == Status::Passed;
        appendCell(text, !isPassed ? std::string_view{} : isUsableLatency(row.latencyMs) ? "true" : "false");
        text += '\n';
    }
    return text;
}

std::string winAtPCsv(const FastPReport& report)
{
    std::set<double> grid;
    for (const FastPCurve& curve : report.curves) grid.insert(curve.ratios.begin(), curve.ratios.end());
    std::string text = "author,p,win_ratio,n_total,n_wins\n";
    for (const FastPCurve& curve : report.curves) {
        for (const double p : grid) text += fmt::format("{},{:.9g},{:.9g},{},{}\n", csvCell(curve.name), p, report.shareAt(curve, p), curve.total, curve.countAbove(p));
    }
    return text;
}

}  // namespace tracedeck
