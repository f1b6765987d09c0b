// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "core/store/dataset.h"
#include "core/store/query.h"

namespace tracedeck {

/// All evaluated traces of one definition on one workload, in load order.
struct WorkloadGroup {
    std::uint32_t uuid = 0;   ///< in TraceTable::names()
    std::vector<std::uint32_t> rows;
};

/// Groups in the order of their first trace; only traces that count, measured on `hardware` unless it is empty.
[[nodiscard]] std::vector<WorkloadGroup> workloadGroups(const Dataset& dataset, const std::string& definition, const std::string& hardware,
                                                        const CountedTraces& counted = {});

/// A row's latency in milliseconds when it is usable, whatever the status; else NaN.
[[nodiscard]] inline double usableLatency(const TraceRow& row)
{
    const bool timed = (row.flags & TraceFlag::kHasPerformance) != 0 && isUsableLatency(row.latencyMs);
    return timed ? row.latencyMs : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace tracedeck
