// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/score/light_times.h"

#include <limits>
#include <map>

#include "core/score/speed_of_light.h"
#include "core/score/workload_sizes.h"

namespace tracedeck {

namespace {

constexpr std::uint64_t lightKey(const TraceRow& row) { return std::uint64_t{row.workload} << 16U | row.hardware; }

}  // namespace

LightTimes::LightTimes(const Dataset& dataset, const RowIndex& rows, const CeilingTable& ceilings, const std::stop_token& stop)
{
    const TraceTable& traces = dataset.traces();
    std::map<std::uint32_t, WorkloadSizes> sizes;            // by definition
    std::map<std::uint16_t, const Ceilings*> byHardware;
    for (const std::uint32_t index : rows) {
        if (stop.stop_requested()) break;
        const TraceRow& row = traces.row(index);
        if (!isTimed(row)) continue;
        const auto [time, isNew] = m_times.try_emplace(lightKey(row), std::numeric_limits<double>::quiet_NaN());
        if (!isNew) continue;
        const auto [known, isNewHardware] = byHardware.try_emplace(row.hardware);
        if (isNewHardware) known->second = ceilings.find(traces.hardwareName(row));
        if (known->second == nullptr) continue;
        const std::uint32_t definition = traces.workloadKeys()[row.workload].definition;
        const auto& work = sizes.try_emplace(definition, dataset, traces.definitionName(row)).first->second.of(row);
        if (const auto light = work ? speedOfLight(*work, *known->second) : std::nullopt) time->second = light->ms;
    }
    for (const auto& [definition, ofDefinition] : sizes) {
        if (!ofDefinition.problem().empty()) m_problems.push_back(ofDefinition.problem());
    }
}

double LightTimes::lightMs(const TraceRow& row) const
{
    const auto found = m_times.find(lightKey(row));
    return found == m_times.end() ? std::numeric_limits<double>::quiet_NaN() : found->second;
}

double LightTimes::share(const TraceRow& row) const { return isTimed(row) ? lightMs(row) / row.latencyMs : std::numeric_limits<double>::quiet_NaN(); }

}  // namespace tracedeck
