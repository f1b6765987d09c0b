// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interchange/imported_times.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/model/trace.h"
#include "core/score/statistics.h"

namespace tracedeck {

std::vector<double> timesOf(const Json& list, double unitMs)
{
    std::vector<double> times;
    if (!list.is_array()) return times;
    for (const Json& entry : list) {
        if (!entry.is_number() || !isUsableLatency(entry.get<double>() * unitMs)) return {};
        times.push_back(entry.get<double>() * unitMs);
    }
    return times;
}

double orderStatistic(std::vector<double> times, double share)
{
    const auto place = static_cast<std::size_t>(std::floor(share * static_cast<double>(times.size() - 1)));
    std::nth_element(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(place), times.end());
    return times[place];
}

void addTimes(Json& imported, const std::vector<double>& timesMs)
{
    if (timesMs.empty()) return;
    std::vector<double> sorted = timesMs;
    std::sort(sorted.begin(), sorted.end());
    imported["time"] = {{"p10", quantile(sorted, 0.1)}, {"p50", quantile(sorted, 0.5)}, {"p90", quantile(sorted, 0.9)},
                        {"iqr", quantile(sorted, 0.75) - quantile(sorted, 0.25)}, {"n", sorted.size()}};
    imported["samples_ms"] = timesMs;
}

double meanOf(const std::vector<double>& values)
{
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

}  // namespace tracedeck
