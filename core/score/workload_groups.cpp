// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/score/workload_groups.h"

#include <unordered_map>

namespace tracedeck {

std::vector<WorkloadGroup> workloadGroups(const Dataset& dataset, const std::string& definition, const std::string& hardware,
                                          const CountedTraces& counted)
{
    const TraceTable& traces = dataset.traces();
    std::vector<WorkloadGroup> groups;
    std::unordered_map<std::uint32_t, std::size_t> indexOfUuid;
    for (const std::uint32_t index : dataset.traceRowsOfDefinition(definition)) {
        const TraceRow& row = traces.row(index);
        if ((row.flags & TraceFlag::kHasEvaluation) == 0 || !counted.contains(index)) continue;
        if (!hardware.empty() && traces.hardwareName(row) != hardware) continue;
        const std::uint32_t uuid = traces.workloadKeys()[row.workload].uuid;
        const auto [place, isNew] = indexOfUuid.emplace(uuid, groups.size());
        if (isNew) groups.push_back({uuid, {}});
        groups[place->second].rows.push_back(index);
    }
    return groups;
}

}  // namespace tracedeck
