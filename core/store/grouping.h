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

#include "core/store/query.h"

namespace tracedeck {

/// What traces of one group have in common: the value of a column, or of one axis of their workloads.
struct GroupKey {
    TraceColumn column = TraceColumn::Definition;
    std::string axis{};   ///< not empty: the value of this axis; `column` then means nothing

    bool operator==(const GroupKey&) const = default;
};

/// The numbers of one column in one group; NaN where there are none.
struct NumberSummary {
    std::size_t count = 0;
    double least = std::numeric_limits<double>::quiet_NaN();
    double greatest = std::numeric_limits<double>::quiet_NaN();
    double mean = std::numeric_limits<double>::quiet_NaN();
    double median = std::numeric_limits<double>::quiet_NaN();          ///< of an even number: the mean of the middle two
    double geometricMean = std::numeric_limits<double>::quiet_NaN();   ///< NaN also when one of the numbers is 0
};

struct TraceGroup {
    std::uint32_t firstRow = 0;   ///< the first of its traces in the order given; names the group's values
    StatusCounts statuses;
    std::vector<NumberSummary> measures;   ///< in the order of the columns asked for
};

/// Groups of traces with equal values, ascending by the first key, then the next, as sortTraces orders; those without a value
/// come last. Without keys all rows are one group. Of a measure, those numbers are summed up that can be used: finite, not of a trace that
/// contradicts itself, latencies as isUsableLatency() says, speedups above 0 (0: the reference was not timed). A pure function of
/// a snapshot, on several threads. When the token is set, some groups or all may be missing.
[[nodiscard]] std::vector<TraceGroup> groupTraces(const Dataset& dataset, const RowIndex& rows, const std::vector<GroupKey>& keys,
                                                  const std::vector<TraceColumn>& measures, std::stop_token stop = {});

/// The key of a column by its name in report csv (`op_type`, `solution`, …; no columns of numbers) or of an axis, `axis:M`; nothing
/// for another name.
[[nodiscard]] std::optional<GroupKey> groupKeyFromString(std::string_view name);
[[nodiscard]] std::string toString(const GroupKey& key);
/// Names of the columns that groups can be made by.
[[nodiscard]] std::vector<std::string> groupColumnNames();
/// The text of a group's value; empty for none.
[[nodiscard]] std::string groupText(const Dataset& dataset, const TraceGroup& group, const GroupKey& key);

}  // namespace tracedeck
