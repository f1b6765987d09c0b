// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include "core/store/dataset.h"

namespace tracedeck {

/// Row numbers of a TraceTable, in the order to show.
using RowIndex = std::vector<std::uint32_t>;

/// What a trace must have to be shown; empty fields do not restrict.
struct TraceFilter {
    std::set<std::string> definitions;
    std::set<std::string> solutions;
    std::set<std::string> authors;
    std::set<std::string> hardware;
    std::set<std::string> workloadUuids;
    std::set<Status> statuses;
    std::map<std::string, std::int64_t> axes;   ///< each listed axis must have exactly this value
    std::string text;   ///< words, all of which must occur (any case) in definition, solution, author, hardware, uuid, status or axes; `axis=value` words match an axis

    bool operator==(const TraceFilter&) const = default;
};

enum class TraceColumn { Definition, OpType, Solution, Language, Author, Workload, Axes, Status, Latency, ReferenceLatency, Speedup, MaxAbsoluteError, MaxRelativeError, Hardware, Timestamp };

struct TraceSort {
    TraceColumn column = TraceColumn::Definition;
    bool descending = false;
};

/// Pure function of a snapshot: rows that pass, in load order. Stops early (with what it has) when the token is set.
[[nodiscard]] RowIndex filterTraces(const Dataset& dataset, const TraceFilter& filter, std::stop_token stop = {});
/// Stable; rows without a value come last in either direction.
void sortTraces(const Dataset& dataset, RowIndex& rows, const std::vector<TraceSort>& keys);
/// Author of the row's solution; empty when the dataset has no such solution.
[[nodiscard]] std::string authorOf(const Dataset& dataset, const TraceRow& row);

/// Which of several traces of one (solution, workload, hardware) counts.
enum class SelectionPolicy { Newest, Fastest, All };
/// Keeps the rows that the policy selects, in order (V-01). Newest: by timestamp, then by load order; failures count.
[[nodiscard]] RowIndex selectTraces(const Dataset& dataset, const RowIndex& rows, SelectionPolicy policy);

/// What a chart shows on the vertical axis.
enum class ChartMeasure { LatencyMs, SpeedupToReference, RatioToBaseline };
/// One solution's line in a chart: x in axis units or workload position.
struct SeriesPoint {
    double x = 0;
    double y = 0;
    std::uint32_t row = 0;       ///< trace behind the point
    bool failed = false;         ///< not PASSED: y is meaningless
    std::string workloadUuid;
};
struct Series {
    std::string solution;
    std::string author;
    std::vector<SeriesPoint> points;   ///< ascending x
};
/// Series of one definition for the given hardware (empty: the only one, or all). `axis` empty: workloads in file order 1…n.
/// Baseline ratio: latency of `baselineSolution` ÷ latency, on the same workload and hardware.
[[nodiscard]] std::vector<Series> chartSeries(const Dataset& dataset, const std::string& definition, const std::string& axis,
                                              ChartMeasure measure, const std::string& hardware, const std::string& baselineSolution,
                                              SelectionPolicy policy);

}  // namespace tracedeck
