// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/error_report.h"

#include <cmath>

#include <fmt/format.h>

#include "core/report/text_table.h"

namespace tracedeck {

namespace {

/// An error that is stored: JSON has no infinity.
Json storedError(double error) { return std::isnan(error) ? Json("NaN") : std::isinf(error) ? Json("Infinity") : Json(error); }
/// One that may not be known.
Json greatestError(double error) { return std::isnan(error) ? Json(nullptr) : storedError(error); }
std::string errorCell(double error) { return std::isnan(error) ? std::string() : fmt::format("{:.3g}", error); }

}  // namespace

Json errorDocument(const Dataset& dataset, const ErrorTable& table)
{
    Json solutions = Json::array();
    for (const ErrorSummary& sum : table.summaries) {
        solutions.push_back({{"definition", sum.definition}, {"solution", sum.solution}, {"author", sum.author}, {"hardware", sum.hardware}, {"traces", sum.traces},
                             {"passed", sum.passed}, {"within", sum.within}, {"exact", sum.exact}, {"unknown", sum.unknown},
                             {"greatest_absolute_error", greatestError(sum.greatestAbsolute)}, {"greatest_relative_error", greatestError(sum.greatestRelative)},
                             {"least_matched_ratio", finiteOrNull(sum.leastMatchedRatio)}});
    }
    const TraceTable& traces = dataset.traces();
    Json rows = Json::array();
    for (const ErrorRow& one : table.rows) {
        const TraceRow& row = traces.row(one.row);
        const bool isKnown = one.fit != ErrorFit::Unknown;
        rows.push_back({{"definition", traces.definitionName(row)}, {"solution", std::string(traces.solutionName(row))}, {"hardware", std::string(traces.hardwareName(row))},
                        {"workload_uuid", traces.workloadUuid(row)}, {"axes", traces.axesText(row)}, {"status", std::string(toString(row.status))},
                        {"max_absolute_error", isKnown ? storedError(row.maxAbsoluteError) : Json(nullptr)}, {"max_relative_error", isKnown ? storedError(row.maxRelativeError) : Json(nullptr)},
                        {"atol", one.tolerance.atol}, {"rtol", one.tolerance.rtol}, {"fit", std::string(toString(one.fit))}, {"matched_ratio", finiteOrNull(one.matchedRatio)}});
    }
    return {{"solutions", std::move(solutions)}, {"traces", std::move(rows)}};
}

TableToWrite errorTraceTable(const Dataset& dataset, const ErrorTable& table)
{
    TableToWrite made;
    made.columns = {{"definition"}, {"solution"}, {"hardware"}, {"axes"}, {"workload_uuid"}, {"status"}, {"max_absolute_error", true, "Max abs. error"},
                    {"max_relative_error", true, "Max rel. error"}, {"atol", true}, {"rtol", true}, {"fit"}, {"matched_ratio", true, "Matched", true}};
    made.rowCount = table.rows.size();
    made.cell = [&dataset, &table](std::size_t index, std::size_t column) -> TableCell {
        const ErrorRow& one = table.rows[index];
        const TraceTable& traces = dataset.traces();
        const TraceRow& row = traces.row(one.row);
        const bool isKnown = one.fit != ErrorFit::Unknown;
        switch (column) {
        case 0: return traces.definitionName(row);
        case 1: return std::string(traces.solutionName(row));
        case 2: return std::string(traces.hardwareName(row));
        case 3: return traces.axesText(row);
        case 4: return traces.workloadUuid(row);
        case 5: return std::string(toString(row.status));
        case 6: return isKnown ? TableCell(row.maxAbsoluteError) : TableCell();
        case 7: return isKnown ? TableCell(row.maxRelativeError) : TableCell();
        case 8: return one.tolerance.atol;
        case 9: return one.tolerance.rtol;
        case 10: return std::string(toString(one.fit));
        default: return finiteCell(one.matchedRatio);
        }
    };
    return made;
}

std::string errorText(const ErrorTable& table)
{
    if (table.summaries.empty()) return "No trace of a solution here.\n";
    using Align = TextTable::Align;
    TextTable text({{"Definition"}, {"Hardware"}, {"Solution"}, {"Author"}, {"Traces", Align::Right}, {"Passed", Align::Right}, {"Within", Align::Right}, {"Exact", Align::Right},
                    {"Not compared", Align::Right}, {"Max abs. error", Align::Right}, {"Max rel. error", Align::Right}, {"Least matched", Align::Right}});
    for (const ErrorSummary& sum : table.summaries) {
        text.addRow({sum.definition, sum.hardware, sum.solution, sum.author, std::to_string(sum.traces), std::to_string(sum.passed), std::to_string(sum.within), std::to_string(sum.exact),
                     std::to_string(sum.unknown), errorCell(sum.greatestAbsolute), errorCell(sum.greatestRelative),
                     std::isnan(sum.leastMatchedRatio) ? std::string() : fmt::format("{:.2f} %", 100 * sum.leastMatchedRatio)});
    }
    return text.toString() + "\nWithin: the greatest absolute or the greatest relative error is within its tolerance, so every element is right for certain.\n";
}

}  // namespace tracedeck
