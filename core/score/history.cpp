// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/score/history.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>

#include "core/model/timestamp.h"
#include "core/score/workload_groups.h"

namespace tracedeck {

namespace {

constexpr double kMicrosecondsOfSecond = 1e6;

/// Better of a workload's values, and their mean so far.
class BestSoFar {
public:
    explicit BestSoFar(bool greaterIsBetter) : m_greaterIsBetter(greaterIsBetter) {}

    /// Whether it is better than what was known of the workload.
    bool add(std::uint32_t workload, double value)
    {
        const double logarithm = std::log(value);
        const auto [place, isNew] = m_logarithms.emplace(workload, logarithm);
        if (isNew) {
            m_sum += logarithm;
            return true;
        }
        if (m_greaterIsBetter ? logarithm <= place->second : logarithm >= place->second) return false;
        m_sum += logarithm - place->second;
        place->second = logarithm;
        return true;
    }
    [[nodiscard]] std::size_t workloads() const { return m_logarithms.size(); }
    [[nodiscard]] double mean() const { return m_logarithms.empty() ? std::nan("") : std::exp(m_sum / static_cast<double>(m_logarithms.size())); }

private:
    bool m_greaterIsBetter;
    double m_sum = 0;
    std::unordered_map<std::uint32_t, double> m_logarithms;   ///< by workload
};

double historyValue(const TraceRow& row, HistoryMeasure measure)
{
    const double value = measure == HistoryMeasure::LatencyMs ? usableLatency(row) : row.speedupFactor;
    return std::isfinite(value) && value > 0 && (row.flags & TraceFlag::kInconsistent) == 0 ? value : std::nan("");
}

}  // namespace

std::string_view toString(HistoryBy by)
{
    switch (by) {
    case HistoryBy::Solution: return "solution";
    case HistoryBy::Author: return "author";
    case HistoryBy::Definition: break;
    }
    return "definition";
}

std::optional<HistoryBy> historyByFromString(std::string_view name)
{
    for (const HistoryBy by : {HistoryBy::Solution, HistoryBy::Author, HistoryBy::Definition}) {
        if (toString(by) == name) return by;
    }
    return std::nullopt;
}

std::string_view toString(HistoryMeasure measure) { return measure == HistoryMeasure::Speedup ? "speedup" : "latency"; }

std::optional<HistoryMeasure> historyMeasureFromString(std::string_view name)
{
    for (const HistoryMeasure measure : {HistoryMeasure::Speedup, HistoryMeasure::LatencyMs}) {
        if (toString(measure) == name) return measure;
    }
    return std::nullopt;
}

Result<History> history(const Dataset& given, const TraceFilter& filter, HistoryBy by, HistoryMeasure measure, const std::stop_token& stop)
{
    const Dataset& dataset = given.plainReference();   // each trace by its own time, whatever counts elsewhere
    const TraceTable& traces = dataset.traces();
    History found;
    std::map<std::pair<std::string, std::string>, std::vector<HistoryPoint>> points;
    for (const std::uint32_t index : filterTraces(dataset, filter, stop)) {
        if (stop.stop_requested()) break;
        const TraceRow& row = traces.row(index);
        constexpr auto kResult = TraceFlag::kHasEvaluation | TraceFlag::kHasSolution;
        if ((row.flags & kResult) != kResult) continue;
        const auto moment = timestampMicroseconds(traces.timestamp(row));
        if (!moment) {
            ++found.withoutMoment;
            continue;
        }
        HistoryPoint point;
        point.seconds = static_cast<double>(*moment) / kMicrosecondsOfSecond;
        point.row = index;
        point.failed = row.status != Status::Passed;
        if (!point.failed) {
            point.value = historyValue(row, measure);
            if (std::isnan(point.value)) {
                ++found.withoutValue;
                continue;
            }
        }
        std::string name = by == HistoryBy::Solution ? std::string(traces.solutionName(row)) : by == HistoryBy::Author ? authorOf(dataset, row) : traces.definitionName(row);
        points[{std::move(name), std::string(traces.hardwareName(row))}].push_back(point);
    }
    for (auto& [key, series] : points) {
        std::stable_sort(series.begin(), series.end(), [](const HistoryPoint& a, const HistoryPoint& b) { return a.seconds < b.seconds; });
        BestSoFar best(measure == HistoryMeasure::Speedup);
        for (HistoryPoint& point : series) {
            if (!point.failed) point.isRecord = best.add(traces.row(point.row).workload, point.value);
            point.best = best.mean();
            point.workloads = best.workloads();
        }
        found.series.push_back({key.first, key.second, std::move(series)});
    }
    if (stop.stop_requested()) return Error{ErrorCode::Cancelled, "the history was stopped", {}, 0, {}};
    return found;
}

}  // namespace tracedeck
