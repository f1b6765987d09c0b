// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <numeric>

#include "core/store/query.h"

namespace tracedeck {

namespace {

void add(StatusCounts& counts, const TraceRow& row)
{
    if ((row.flags & TraceFlag::kHasEvaluation) != 0) ++counts.byStatus[static_cast<std::size_t>(row.status)];
    else ++counts.notEvaluated;
}

}  // namespace

bool TimingCounts::isMixed() const
{
    return std::count_if(byMethod.begin(), byMethod.end(), [](std::size_t count) { return count > 0; }) > 1;
}

void TimingCounts::add(const TraceRow& row)
{
    if (row.status != Status::Passed || (row.flags & TraceFlag::kHasPerformance) == 0) return;
    ++byMethod[static_cast<std::size_t>(timingMethodOf(row))];
    if ((row.flags & TraceFlag::kLaunchBound) != 0) ++launchBound;
}

std::vector<std::int64_t> axisValuesOf(const Dataset& dataset, const std::string& definition, const std::string& axis)
{
    std::set<std::int64_t> values;
    for (const Trace& trace : dataset.workloadsOf(definition)) {
        const auto found = trace.workload.axes.find(axis);
        if (found != trace.workload.axes.end()) values.insert(found->second);
    }
    const TraceTable& traces = dataset.traces();
    const std::uint32_t definitionId = traces.names().find(definition);
    const std::uint32_t axisId = traces.names().find(axis);
    if (definitionId != StringPool::kNone && axisId != StringPool::kNone) {
        for (const WorkloadKey& key : traces.workloadKeys()) {
            if (key.definition != definitionId) continue;
            for (const auto& [name, value] : key.axes) {
                if (name == axisId) values.insert(value);
            }
        }
    }
    return {values.begin(), values.end()};
}

std::vector<std::string> hardwareOf(const Dataset& dataset, const std::string& definition)
{
    const TraceTable& traces = dataset.traces();
    std::set<std::string> names;
    if (definition.empty()) {
        names.insert(traces.hardwareNames().begin(), traces.hardwareNames().end());
    } else {
        std::vector<bool> seen(traces.hardwareNames().size(), false);
        for (const std::uint32_t row : dataset.traceRowsOfDefinition(definition)) {
            const std::uint16_t hardware = traces.row(row).hardware;
            if (hardware >= seen.size() || seen[hardware]) continue;
            seen[hardware] = true;
            names.insert(traces.hardwareNames()[hardware]);
        }
    }
    return {names.begin(), names.end()};
}

std::string busiestHardware(const Dataset& dataset, const std::string& definition)
{
    const TraceTable& traces = dataset.traces();
    std::vector<std::size_t> counts(traces.hardwareNames().size(), 0);
    for (const std::uint32_t index : dataset.traceRowsOfDefinition(definition)) {
        const TraceRow& row = traces.row(index);
        if (row.hardware < counts.size()) ++counts[row.hardware];
    }
    std::string best;
    std::size_t most = 0;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        const std::string& name = traces.hardwareNames()[i];
        if (counts[i] > most || (counts[i] == most && most > 0 && name < best)) {
            most = counts[i];
            best = name;
        }
    }
    return best;
}

std::size_t StatusCounts::total() const
{
    return std::accumulate(byStatus.begin(), byStatus.end(), notEvaluated);
}

StatusCounts countStatuses(const Dataset& dataset, const RowIndex& rows)
{
    StatusCounts counts;
    for (const std::uint32_t row : rows) add(counts, dataset.traces().row(row));
    return counts;
}

StatusCounts countStatuses(const Dataset& dataset)
{
    StatusCounts counts;
    for (const TraceRow& row : dataset.traces().rows()) add(counts, row);
    return counts;
}

std::string describeStatusCounts(const StatusCounts& counts)
{
    std::string text;
    const auto append = [&text](std::size_t count, std::string_view name) {
        if (count == 0) return;
        if (!text.empty()) text += ", ";
        text += std::to_string(count) + " ";
        text += name;
    };
    for (int status = 0; status < kStatusCount; ++status) {
        append(counts.byStatus[static_cast<std::size_t>(status)], toString(static_cast<Status>(status)));
    }
    append(counts.notEvaluated, "without evaluation");
    return text.empty() ? "no traces" : text;
}

DefinitionCounts countsOf(const Dataset& dataset, const std::string& definition)
{
    return {dataset.solutionsOf(definition).size(), dataset.workloadsOf(definition).size(),
            countStatuses(dataset, dataset.traceRowsOfDefinition(definition))};
}

}  // namespace tracedeck
