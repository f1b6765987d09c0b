// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/score/workload_sizes.h"

namespace tracedeck {

WorkloadSizes::WorkloadSizes(const Dataset& dataset, const std::string& definition)
    : m_traces(dataset.traces()), m_definition(dataset.findDefinition(definition))
{
    if (m_definition == nullptr) return;
    auto formula = readWorkFormula(dataset.root(), definition);
    if (formula) m_formula = *std::move(formula);
    else m_problem = formula.error().toString();
}

const std::optional<WorkEstimate>& WorkloadSizes::of(const TraceRow& row)
{
    const auto [place, isNew] = m_known.try_emplace(row.workload);
    if (!isNew || m_definition == nullptr) return place->second;
    AxisValues axes;
    for (const auto& [name, value] : m_traces.workloadKeys()[row.workload].axes) axes[m_traces.names().text(name)] = value;
    place->second = estimateWork(*m_definition, axes);
    const auto resolved = m_definition->resolveAxes(axes);
    if (!place->second || !resolved) return place->second;
    if (const auto applied = applyWorkFormula(*place->second, m_formula, *resolved); !applied) m_problem = applied.error().toString();
    return place->second;
}

}  // namespace tracedeck
