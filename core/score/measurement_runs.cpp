// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/score/measurement_runs.h"

#include <algorithm>

#include "core/model/timestamp.h"

namespace tracedeck {

std::vector<MeasurementRun> measurementRuns(const Dataset& dataset, std::int64_t pause, const std::stop_token& stop)
{
    const TraceTable& traces = dataset.traces();
    std::vector<std::int64_t> times;
    for (const TraceRow& row : traces.rows()) {
        if (stop.stop_requested()) break;
        if ((row.flags & TraceFlag::kHasEvaluation) == 0) continue;
        if (const auto time = timestampMicroseconds(traces.timestamp(row))) times.push_back(*time);
    }
    std::sort(times.begin(), times.end());
    std::vector<MeasurementRun> runs;
    for (const std::int64_t time : times) {
        if (runs.empty() || time - runs.back().end > pause) runs.push_back({time, time, 0});
        runs.back().end = time;
        ++runs.back().traces;
    }
    return runs;
}

}  // namespace tracedeck
