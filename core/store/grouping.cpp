// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/grouping.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <string_view>

#include "core/store/column_keys.h"
#include "core/store/parallel.h"

namespace tracedeck {

namespace {

constexpr std::string_view kAxisPrefix = "axis:";

struct NamedColumn {
    std::string_view name;
    TraceColumn column;
};
constexpr std::array<NamedColumn, 9> kColumns{{{"definition", TraceColumn::Definition},
                                               {"op_type", TraceColumn::OpType},
                                               {"solution", TraceColumn::Solution},
                                               {"author", TraceColumn::Author},
                                               {"language", TraceColumn::Language},
                                               {"workload_uuid", TraceColumn::Workload},
                                               {"axes", TraceColumn::Axes},
                                               {"status", TraceColumn::Status},
                                               {"hardware", TraceColumn::Hardware}}};

std::vector<KeyedRow> keysOf(const Dataset& dataset, const RowIndex& rows, const GroupKey& key)
{
    return key.axis.empty() ? columnKeys(dataset, rows, key.column) : axisKeys(dataset, rows, key.axis);
}

/// NaN for a number that does not count.
double usableNumber(const TraceRow& row, TraceColumn column)
{
    const double value = numberOf(row, column);
    const bool isLatency = column == TraceColumn::Latency || column == TraceColumn::ReferenceLatency;
    const bool counts = (row.flags & TraceFlag::kInconsistent) == 0 && std::isfinite(value) && (!isLatency || isUsableLatency(value)) &&
                        (column != TraceColumn::Speedup || value > 0);
    return counts ? value : std::numeric_limits<double>::quiet_NaN();
}

NumberSummary summarise(std::vector<double>& values)
{
    NumberSummary summary;
    summary.count = values.size();
    if (values.empty()) return summary;
    double sum = 0;
    double logarithms = 0;
    for (const double value : values) {
        sum += value;
        logarithms += std::log(value);
    }
    const auto count = static_cast<double>(values.size());
    summary.mean = sum / count;
    const auto [least, greatest] = std::minmax_element(values.begin(), values.end());
    summary.least = *least;
    summary.greatest = *greatest;
    if (summary.least > 0) summary.geometricMean = std::exp(logarithms / count);
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    summary.median = *middle;
    if (values.size() % 2 == 0) summary.median = (*std::max_element(values.begin(), middle) + *middle) / 2;
    return summary;
}

TraceGroup makeGroup(const Dataset& dataset, const RowIndex& rows, std::size_t begin, std::size_t end, const std::vector<TraceColumn>& measures)
{
    TraceGroup group;
    group.firstRow = rows[begin];
    for (std::size_t i = begin; i < end; ++i) {
        const TraceRow& row = dataset.traces().row(rows[i]);
        const bool isEvaluated = (row.flags & TraceFlag::kHasEvaluation) != 0;
        ++(isEvaluated ? group.statuses.byStatus[static_cast<std::size_t>(row.status)] : group.statuses.notEvaluated);
    }
    std::vector<double> values;
    for (const TraceColumn measure : measures) {
        values.clear();
        for (std::size_t i = begin; i < end; ++i) {
            const double value = usableNumber(dataset.traces().row(rows[i]), measure);
            if (!std::isnan(value)) values.push_back(value);
        }
        group.measures.push_back(summarise(values));
    }
    return group;
}

/// The rows ordered by all keys, and where each group begins among them.
struct OrderedRows {
    RowIndex rows;
    std::vector<std::size_t> starts;
};

OrderedRows orderByKeys(const Dataset& dataset, const RowIndex& rows, const std::vector<GroupKey>& keys, const std::stop_token& stop)
{
    OrderedRows ordered{rows, {}};
    for (auto key = keys.rbegin(); key != keys.rend() && !stop.stop_requested(); ++key) {
        std::vector<KeyedRow> keyed = keysOf(dataset, ordered.rows, *key);
        sortByKey(keyed, stop);
        std::transform(keyed.begin(), keyed.end(), ordered.rows.begin(), [](const KeyedRow& row) { return row.row; });
    }
    std::vector<bool> isStart(rows.size(), false);
    if (!rows.empty()) isStart.front() = true;
    for (const GroupKey& key : keys) {
        if (stop.stop_requested()) break;
        const std::vector<KeyedRow> keyed = keysOf(dataset, ordered.rows, key);
        for (std::size_t i = 1; i < keyed.size(); ++i) {
            if (keyed[i].key != keyed[i - 1].key) isStart[i] = true;
        }
    }
    for (std::size_t i = 0; i < isStart.size(); ++i) {
        if (isStart[i]) ordered.starts.push_back(i);
    }
    return ordered;
}

}  // namespace

std::vector<TraceGroup> groupTraces(const Dataset& dataset, const RowIndex& rows, const std::vector<GroupKey>& keys,
                                    const std::vector<TraceColumn>& measures, std::stop_token stop)
{
    const OrderedRows ordered = orderByKeys(dataset, rows, keys, stop);
    if (stop.stop_requested()) return {};
    std::vector<TraceGroup> groups(ordered.starts.size());
    // Groups may differ much in size: each thread takes the next few.
    constexpr std::size_t kGroupsAtOnce = 16;
    const std::size_t portions = (groups.size() + kGroupsAtOnce - 1) / kGroupsAtOnce;
    parallelFor(portions, static_cast<unsigned>(partsFor(rows.size())), [&](std::size_t portion) {
        for (std::size_t i = portion * kGroupsAtOnce; i < std::min(groups.size(), (portion + 1) * kGroupsAtOnce); ++i) {
            const std::size_t end = i + 1 < ordered.starts.size() ? ordered.starts[i + 1] : ordered.rows.size();
            groups[i] = makeGroup(dataset, ordered.rows, ordered.starts[i], end, measures);
        }
    }, stop);
    if (stop.stop_requested()) return {};
    return groups;
}

std::optional<GroupKey> groupKeyFromString(std::string_view name)
{
    if (name.starts_with(kAxisPrefix) && name.size() > kAxisPrefix.size()) {
        return GroupKey{TraceColumn::Axes, std::string(name.substr(kAxisPrefix.size()))};
    }
    const auto found = std::find_if(kColumns.begin(), kColumns.end(), [name](const NamedColumn& column) { return column.name == name; });
    if (found == kColumns.end()) return std::nullopt;
    return GroupKey{found->column, {}};
}

std::string toString(const GroupKey& key)
{
    if (!key.axis.empty()) return std::string(kAxisPrefix) + key.axis;
    const auto found = std::find_if(kColumns.begin(), kColumns.end(), [&key](const NamedColumn& column) { return column.column == key.column; });
    return found == kColumns.end() ? std::string() : std::string(found->name);
}

std::vector<std::string> groupColumnNames()
{
    std::vector<std::string> names;
    for (const NamedColumn& column : kColumns) names.emplace_back(column.name);
    return names;
}

std::string groupText(const Dataset& dataset, const TraceGroup& group, const GroupKey& key)
{
    const TraceTable& traces = dataset.traces();
    const TraceRow& row = traces.row(group.firstRow);
    if (!key.axis.empty()) {
        const auto value = traces.axisValue(row, key.axis);
        return value ? std::to_string(*value) : std::string();
    }
    switch (key.column) {
    case TraceColumn::Definition: return traces.definitionName(row);
    case TraceColumn::OpType: {
        const Definition* definition = dataset.findDefinition(traces.definitionName(row));
        return definition == nullptr ? std::string() : definition->opType;
    }
    case TraceColumn::Solution: return std::string(traces.solutionName(row));
    case TraceColumn::Language: {
        const Solution* solution = dataset.findSolution(std::string(traces.solutionName(row)));
        return solution == nullptr ? std::string() : std::string(toString(solution->spec.language));
    }
    case TraceColumn::Author: return authorOf(dataset, row);
    case TraceColumn::Workload: return traces.workloadUuid(row);
    case TraceColumn::Axes: return traces.axesText(row);
    case TraceColumn::Status: return (row.flags & TraceFlag::kHasEvaluation) != 0 ? std::string(toString(row.status)) : std::string();
    case TraceColumn::Hardware: return std::string(traces.hardwareName(row));
    case TraceColumn::Latency:
    case TraceColumn::ReferenceLatency:
    case TraceColumn::Speedup:
    case TraceColumn::MaxAbsoluteError:
    case TraceColumn::MaxRelativeError:
    case TraceColumn::Folder:
    case TraceColumn::Timestamp: break;   // groupKeyFromString names none of these
    }
    return {};
}

}  // namespace tracedeck
