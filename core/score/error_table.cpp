// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/score/error_table.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "core/store/parallel.h"

namespace tracedeck {

namespace {

/// Of SOL-ExecBench workloads that say so.
std::optional<ErrorTolerance> ownTolerance(const Dataset& dataset, const TraceRow& row)
{
    const TraceTable& traces = dataset.traces();
    for (const Trace& line : dataset.workloadsOf(traces.definitionName(row))) {
        if (line.workload.uuid == traces.workloadUuid(row)) {
            return line.workload.tolerance ? std::optional(ErrorTolerance{line.workload.tolerance->atol(), line.workload.tolerance->rtol()}) : std::nullopt;
        }
    }
    return std::nullopt;
}

double matchedRatioOf(const Dataset& dataset, std::uint32_t index)
{
    const auto trace = dataset.readTrace(index);
    if (!trace || !trace->evaluation || !trace->evaluation->correctness) return ErrorRow::kNone;
    const Json& extra = trace->evaluation->correctness->extra;
    if (!extra.is_object()) return ErrorRow::kNone;
    const auto found = extra.find("matched_ratio");
    const double ratio = found != extra.end() && found->is_number() ? found->get<double>() : ErrorRow::kNone;
    return ratio >= 0 && ratio <= 1 ? ratio : ErrorRow::kNone;   // anybody can have written it
}

/// What is no number is worse than any error.
double comparable(double error) { return std::isnan(error) ? std::numeric_limits<double>::infinity() : error; }

void takeGreater(double& greatest, double error)
{
    if (std::isnan(greatest) || comparable(error) > greatest) greatest = comparable(error);
}

void summarizeErrors(ErrorTable& table, const Dataset& dataset)
{
    const TraceTable& traces = dataset.traces();
    std::map<std::tuple<std::string, std::string, std::string>, ErrorSummary> sums;
    for (const ErrorRow& one : table.rows) {
        const TraceRow& row = traces.row(one.row);
        auto key = std::tuple(std::string(traces.definitionName(row)), std::string(traces.solutionName(row)), std::string(traces.hardwareName(row)));
        const auto [place, isNew] = sums.try_emplace(std::move(key));
        ErrorSummary& sum = place->second;
        if (isNew) {
            std::tie(sum.definition, sum.solution, sum.hardware) = place->first;
            sum.author = authorOf(dataset, row);
        }
        ++sum.traces;
        sum.passed += row.status == Status::Passed ? 1U : 0U;
        sum.within += one.fit == ErrorFit::Within ? 1U : 0U;
        if (one.fit == ErrorFit::Unknown) {
            ++sum.unknown;
            continue;
        }
        sum.exact += row.maxAbsoluteError == 0 ? 1U : 0U;
        takeGreater(sum.greatestAbsolute, row.maxAbsoluteError);
        takeGreater(sum.greatestRelative, row.maxRelativeError);
        if (!std::isnan(one.matchedRatio)) sum.leastMatchedRatio = std::isnan(sum.leastMatchedRatio) ? one.matchedRatio : std::min(sum.leastMatchedRatio, one.matchedRatio);
    }
    table.summaries.clear();
    for (auto& [key, sum] : sums) table.summaries.push_back(std::move(sum));
}

}  // namespace

std::string_view toString(ErrorFit fit)
{
    switch (fit) {
    case ErrorFit::Within: return "within";
    case ErrorFit::Beyond: return "beyond";
    case ErrorFit::Unknown: break;
    }
    return "unknown";
}

ErrorFit errorFit(const TraceRow& row, const ErrorTolerance& tolerance)
{
    if ((row.flags & TraceFlag::kHasCorrectness) == 0) return ErrorFit::Unknown;
    return row.maxAbsoluteError <= tolerance.atol || row.maxRelativeError <= tolerance.rtol ? ErrorFit::Within : ErrorFit::Beyond;   // NaN is within nothing
}

Result<ErrorTable> errorTable(const Dataset& dataset, const ErrorQuestion& question, const std::stop_token& stop)
{
    const TraceTable& traces = dataset.traces();
    ErrorTable table;
    std::map<std::uint32_t, ErrorTolerance> tolerances;   // by workload
    std::vector<std::size_t> withErrors;
    for (const std::uint32_t index : selectTraces(dataset, filterTraces(dataset, question.filter, stop), question.policy, stop)) {
        const TraceRow& row = traces.row(index);
        constexpr auto kResult = TraceFlag::kHasEvaluation | TraceFlag::kHasSolution;
        if ((row.flags & kResult) != kResult) continue;
        const auto [known, isNew] = tolerances.try_emplace(row.workload);
        if (isNew) known->second = question.tolerance ? *question.tolerance : ownTolerance(dataset, row).value_or(ErrorTolerance{});
        table.rows.push_back({.row = index, .tolerance = known->second, .fit = errorFit(row, known->second)});
        if (table.rows.back().fit != ErrorFit::Unknown) withErrors.push_back(table.rows.size() - 1);
    }
    if (withErrors.size() <= kMostMatchedRatios) {
        parallelFor(withErrors.size(), defaultThreads(), [&](std::size_t i) { table.rows[withErrors[i]].matchedRatio = matchedRatioOf(dataset, table.rows[withErrors[i]].row); }, stop);
    }
    if (stop.stop_requested()) return Error{ErrorCode::Cancelled, "the table was stopped", {}, 0, {}};
    table.hasMatchedRatios = std::any_of(table.rows.begin(), table.rows.end(), [](const ErrorRow& row) { return !std::isnan(row.matchedRatio); });
    summarizeErrors(table, dataset);
    return table;
}

void applyTolerance(ErrorTable& table, const Dataset& dataset, const ErrorTolerance& tolerance)
{
    for (ErrorRow& row : table.rows) {
        row.tolerance = tolerance;
        row.fit = errorFit(dataset.traces().row(row.row), tolerance);
    }
    summarizeErrors(table, dataset);
}

}  // namespace tracedeck
