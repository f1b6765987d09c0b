// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/score/workload_sizes.h"

#include "core/store/joined_dataset.h"

namespace tracedeck {

WorkloadSizes::WorkloadSizes(const Dataset& dataset, const std::string& definition) : m_dataset(dataset), m_definition(dataset.findDefinition(definition)) {}

const WorkFormula& WorkloadSizes::formula()
{
    if (m_formula) return *m_formula;
    auto read = readWorkFormula(folderOfDefinition(m_dataset, m_definition->name), m_definition->name);
    if (!read) m_problem = read.error().toString();
    m_formula = read ? *std::move(read) : WorkFormula();
    return *m_formula;
}

const std::optional<WorkEstimate>& WorkloadSizes::of(const TraceRow& row)
{
    const auto [place, isNew] = m_known.try_emplace(row.workload);
    if (!isNew || m_definition == nullptr) return place->second;
    const TraceTable& traces = m_dataset.traces();
    AxisValues axes;
    for (const auto& [name, value] : traces.workloadKeys()[row.workload].axes) axes[traces.names().text(name)] = value;
    place->second = estimateWork(*m_definition, axes);
    const auto resolved = m_definition->resolveAxes(axes);
    if (!place->second || !resolved) return place->second;
    if (const auto applied = applyWorkFormula(*place->second, formula(), *resolved); !applied) m_problem = applied.error().toString();
    return place->second;
}

}  // namespace tracedeck
