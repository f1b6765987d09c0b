// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/trace_groups.h"

#include <algorithm>
#include <unordered_map>

#include "core/store/row_order.h"

namespace tracedeck {

TraceGroups::TraceGroups(const Dataset& dataset, const RowIndex& rows, const std::stop_token& stop)
{
    const TraceTable& traces = dataset.traces();
    std::unordered_map<std::uint64_t, std::uint32_t> idOfWorkload;
    std::vector<std::uint32_t> workloadIds;
    workloadIds.reserve(traces.workloadKeys().size());
    for (const WorkloadKey& key : traces.workloadKeys()) {
        const std::uint64_t name = (std::uint64_t{key.definition} << 32U) | key.uuid;
        workloadIds.push_back(idOfWorkload.emplace(name, static_cast<std::uint32_t>(idOfWorkload.size())).first->second);
    }
    std::vector<KeyedRow> keyed(rows.size());
    std::transform(rows.begin(), rows.end(), keyed.begin(), [&](std::uint32_t row) { return KeyedRow{traces.row(row).hardware, row}; });
    sortByKey(keyed, stop);
    for (KeyedRow& row : keyed) row.key = (std::uint64_t{workloadIds[traces.row(row.row).workload]} << 32U) | traces.row(row.row).solution;
    sortByKey(keyed, stop);
    if (stop.stop_requested()) return;
    m_rows.reserve(keyed.size());
    for (std::size_t i = 0; i < keyed.size(); ++i) {
        const bool isNew = i == 0 || keyed[i].key != keyed[i - 1].key || traces.row(keyed[i].row).hardware != traces.row(keyed[i - 1].row).hardware;
        if (isNew) m_begins.push_back(static_cast<std::uint32_t>(i));
        m_rows.push_back(keyed[i].row);
    }
    m_begins.push_back(static_cast<std::uint32_t>(keyed.size()));
}

}  // namespace tracedeck
