// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/score/measurement_runs.h"

#include <algorithm>
#include <charconv>

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

std::optional<std::size_t> runNumber(std::string_view text, std::size_t count)
{
    if (text == "last" && count >= 1) return count;
    if (text == "previous" && count >= 2) return count - 1;
    std::size_t number = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool isNumber = read.ec == std::errc() && read.ptr == text.data() + text.size();
    return isNumber && number >= 1 && number <= count ? std::optional(number) : std::nullopt;
}

}  // namespace tracedeck
