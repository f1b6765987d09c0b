// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/model/json.h"

namespace tracedeck {

/// The times of single calls in milliseconds; empty when a member is no possible time.
[[nodiscard]] std::vector<double> timesOf(const Json& list, double unitMs);
/// kernels-benchmarks' percentiles: element floor(share × (n - 1)) of the sorted times.
[[nodiscard]] double orderStatistic(std::vector<double> times, double share);
/// Adds `samples_ms`, and `time` with p10, p50, p90, iqr and n, to the record of an import. Nothing for no times.
void addTimes(Json& imported, const std::vector<double>& timesMs);
[[nodiscard]] double meanOf(const std::vector<double>& values);

}  // namespace tracedeck
