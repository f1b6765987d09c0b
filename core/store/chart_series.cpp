// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <unordered_map>

#include "core/store/query.h"

namespace tracedeck {

namespace {

/// Horizontal position of a row.
class Positions {
public:
    Positions(const Dataset& dataset, const std::string& definition, const std::string& axis) : m_traces(dataset.traces()), m_axis(axis)
    {
        if (!axis.empty()) return;
        for (const Trace& trace : dataset.workloadsOf(definition)) place(trace.workload.uuid);
        // Workloads without a line of their own follow in the order in which traces first name them.
        for (const std::uint32_t row : dataset.traceRowsOfDefinition(definition)) place(m_traces.workloadUuid(m_traces.row(row)));
    }
    [[nodiscard]] std::optional<double> of(const TraceRow& row) const
    {
        if (m_axis.empty()) return m_places.at(m_traces.workloadUuid(row));
        const auto value = m_traces.axisValue(row, m_axis);
        if (!value) return std::nullopt;
        return static_cast<double>(*value);
    }

private:
    void place(const std::string& uuid)
    {
        if (m_places.emplace(uuid, static_cast<double>(m_next)).second) ++m_next;
    }

    const TraceTable& m_traces;
    std::string m_axis;
    std::size_t m_next = 1;
    std::unordered_map<std::string, double> m_places;
};

/// Vertical position of a passed trace; NaN where it has none.
double measureOf(const TraceTable& traces, const TraceRow& row, ChartMeasure measure, const BaselineLatencies& baseline)
{
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    switch (measure) {
    case ChartMeasure::LatencyMs: return row.latencyMs;
    case ChartMeasure::SpeedupToReference: return row.speedupFactor;
    case ChartMeasure::RatioToBaseline: {
        const auto found = baseline.find({traces.workloadKeys()[row.workload].uuid, row.hardware});
        return found == baseline.end() ? none : found->second / row.latencyMs;
    }
    case ChartMeasure::Bandwidth:
    case ChartMeasure::Throughput:
    case ChartMeasure::LightShare:
    case ChartMeasure::AbsoluteError:
    case ChartMeasure::RelativeError: break;
    }
    return none;
}

}  // namespace

BaselineLatencies baselineLatencies(const Dataset& dataset, const RowIndex& rows, const std::string& baselineSolution, SelectionPolicy policy)
{
    const TraceTable& traces = dataset.traces();
    RowIndex ofBaseline;
    std::copy_if(rows.begin(), rows.end(), std::back_inserter(ofBaseline),
                 [&](std::uint32_t row) {
                     return (traces.row(row).flags & TraceFlag::kHasEvaluation) != 0 && traces.solutionName(traces.row(row)) == baselineSolution;
                 });
    // One latency a workload is needed: where every trace is shown, the newest one is the baseline.
    const auto single = policy == SelectionPolicy::All ? SelectionPolicy::Newest : policy;
    BaselineLatencies latencies;
    for (const std::uint32_t index : selectTraces(dataset, ofBaseline, single)) {
        const TraceRow& row = traces.row(index);
        if (isTimed(row)) latencies[{traces.workloadKeys()[row.workload].uuid, row.hardware}] = row.latencyMs;
    }
    return latencies;
}

std::vector<Series> chartSeries(const Dataset& dataset, const std::string& definition, const std::string& axis, ChartMeasure measure,
                                const std::string& hardware, const std::string& baselineSolution, SelectionPolicy policy)
{
    const TraceTable& traces = dataset.traces();
    RowIndex rows;
    for (const std::uint32_t index : dataset.traceRowsOfDefinition(definition)) {
        const TraceRow& row = traces.row(index);
        constexpr std::uint8_t needed = TraceFlag::kHasEvaluation | TraceFlag::kHasSolution;
        if ((row.flags & needed) == needed && (hardware.empty() || traces.hardwareName(row) == hardware)) rows.push_back(index);
    }
    BaselineLatencies baseline;
    if (measure == ChartMeasure::RatioToBaseline) baseline = baselineLatencies(dataset, rows, baselineSolution, policy);
    const std::vector<std::string> machines = hardware.empty() ? hardwareOf(dataset, definition) : std::vector{hardware};
    const bool splitByHardware = machines.size() > 1;

    const Positions positions(dataset, definition, axis);
    // Order of the series: solutions as loaded, then those that only traces name.
    std::unordered_map<std::string_view, std::size_t> rankOfSolution;
    for (const Solution* solution : dataset.solutionsOf(definition)) rankOfSolution.emplace(solution->name, rankOfSolution.size());
    const std::size_t unknownRank = rankOfSolution.size();

    std::map<std::tuple<std::size_t, std::string_view, std::string_view>, Series> series;
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    for (const std::uint32_t index : selectTraces(dataset, rows, policy)) {
        const TraceRow& row = traces.row(index);
        const auto x = positions.of(row);
        if (!x) continue;
        SeriesPoint point{*x, none, index, row.status != Status::Passed, traces.workloadUuid(row), none, none};
        if (!point.failed) {
            if (!isTimed(row)) continue;
            point.y = measureOf(traces, row, measure, baseline);
            if (!std::isfinite(point.y) || point.y <= 0) continue;
        }
        const std::string_view name = traces.solutionName(row);
        const auto rank = rankOfSolution.find(name);
        const std::string_view machine = splitByHardware ? traces.hardwareName(row) : std::string_view{};
        Series& target = series[{rank == rankOfSolution.end() ? unknownRank : rank->second, name, machine}];
        if (target.points.empty()) {
            target.solution = name;
            target.author = authorOf(dataset, row);
            target.hardware = machine;
        }
        target.points.push_back(std::move(point));
    }
    std::vector<Series> result;
    result.reserve(series.size());
    for (auto& [order, one] : series) {
        std::sort(one.points.begin(), one.points.end(), [](const SeriesPoint& a, const SeriesPoint& b) {
            return std::tie(a.x, a.workloadUuid, a.row) < std::tie(b.x, b.workloadUuid, b.row);
        });
        result.push_back(std::move(one));
    }
    return result;
}

}  // namespace tracedeck
