// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/result.h"
#include "core/store/dataset.h"
#include "core/store/query.h"

namespace tracedeck {

// Results in the order of time, and how good the best ones were at each moment (V-34).

enum class HistoryBy { Solution, Author, Definition };
[[nodiscard]] std::string_view toString(HistoryBy by);   ///< `solution`, `author` or `definition`
[[nodiscard]] std::optional<HistoryBy> historyByFromString(std::string_view name);

enum class HistoryMeasure {
    Speedup,    ///< over the reference, as the traces have it: compares across workloads
    LatencyMs   ///< milliseconds; across several workloads only their geometric mean means something
};
[[nodiscard]] std::string_view toString(HistoryMeasure measure);   ///< `speedup` or `latency`
[[nodiscard]] std::optional<HistoryMeasure> historyMeasureFromString(std::string_view name);

struct HistoryPoint {
    double seconds = 0;               ///< when it was measured, since 1970
    double value = std::numeric_limits<double>::quiet_NaN();   ///< NaN: failed
    /// Geometric mean, over the workloads passed up to now, of the best value of each; NaN before the first.
    double best = std::numeric_limits<double>::quiet_NaN();
    std::size_t workloads = 0;        ///< how many those are
    std::uint32_t row = 0;
    bool failed = false;
    bool isRecord = false;            ///< better than what was known of its workload
};
struct HistorySeries {
    std::string name;
    std::string hardware;              ///< results of different machines never mix
    std::vector<HistoryPoint> points;  ///< by time, then as loaded

    /// Tells series apart.
    [[nodiscard]] std::string key() const { return name + '\n' + hardware; }
};
struct History {
    std::vector<HistorySeries> series;   ///< by name, then hardware
    std::size_t withoutMoment = 0;       ///< traces with a timestamp that is no time
    std::size_t withoutValue = 0;        ///< passed traces without a value of the measure
};

/// Of all evaluated traces of solutions that pass the filter. An author unknown to the dataset is the empty name. Error Cancelled when the token was set.
[[nodiscard]] Result<History> history(const Dataset& dataset, const TraceFilter& filter, HistoryBy by, HistoryMeasure measure, const std::stop_token& stop = {});

}  // namespace tracedeck
