// SPDX-License-Identifier: GPL-3.0-or-later
// What the boxes of the dataset tree tick for a run.
#include "ui/models/dataset_tree_model.h"
#include "ui/models/workspace.h"

namespace tracedeck::ui {

bool DatasetTreeModel::isCheckable(const Node& node) const
{
    switch (node.kind) {
    case NodeKind::OpType: return !m_opTypes[node.entry].name.empty();
    case NodeKind::TraceGroup: return false;
    case NodeKind::SolutionGroup:
    case NodeKind::WorkloadGroup: return definitionOf(node).definition != nullptr && node.childCount > 0;
    default: return definitionOf(node).definition != nullptr;
    }
}

QVariant DatasetTreeModel::checkState(const Node& node) const
{
    const auto state = [](Chosen chosen) {
        return chosen == Chosen::Yes ? Qt::Checked : chosen == Chosen::Partly ? Qt::PartiallyChecked : Qt::Unchecked;
    };
    const auto ticked = [](bool on) { return on ? Qt::Checked : Qt::Unchecked; };
    switch (node.kind) {
    case NodeKind::OpType: return state(m_choice.ofOpType(m_opTypes[node.entry].name));
    case NodeKind::Definition: return state(m_choice.ofDefinition(definitionOf(node).name));
    case NodeKind::SolutionGroup: return state(m_choice.ofAllSolutions(definitionOf(node).name));
    case NodeKind::WorkloadGroup: return state(m_choice.ofAllWorkloads(definitionOf(node).name));
    case NodeKind::Solution: return ticked(m_choice.hasSolution(definitionOf(node).name, solutionOf(node)->name));
    case NodeKind::Workload: return ticked(m_choice.hasWorkload(definitionOf(node).name, workloadOf(node).workload.uuid));
    case NodeKind::TraceGroup: return {};
    }
    return {};
}

Selection DatasetTreeModel::toggled(const Node& node, bool on) const
{
    // Under a filter a box stands for what is shown below it, not for what is hidden.
    const auto apply = [this, on](const RunChoice& choice, const DefinitionEntry& entry, bool solutions, bool workloads) {
        if (!isFiltered() && solutions && workloads)
            return choice.withDefinition(entry.name, on);
        std::set<std::string> names;
        for (const Solution* solution : entry.left.solutions)
            names.insert(solution->name);
        std::set<std::string> uuids;
        for (const std::uint32_t workload : entry.left.workloads)
            uuids.insert(m_dataset->workloadsOf(entry.name)[workload].workload.uuid);
        const bool allSolutions = names.size() == m_dataset->solutionsOf(entry.name).size();
        const bool allWorkloads = uuids.size() == m_dataset->workloadsOf(entry.name).size();
        if (solutions && workloads && allSolutions && allWorkloads)
            return choice.withDefinition(entry.name, on);
        if (solutions && workloads && on) {
            // Exactly the pairs shown: start from nothing of this definition.
            RunChoice narrowed(m_dataset, choice.withDefinition(entry.name, false));
            if (!allSolutions)
                narrowed = RunChoice(m_dataset, narrowed.withSolutions(entry.name, names, true));
            if (allWorkloads)
                return narrowed.selection();
            if (allSolutions)
                return narrowed.withWorkloads(entry.name, uuids, true);
            std::set<std::string> hidden;
            for (const Trace& workload : m_dataset->workloadsOf(entry.name))
                if (!uuids.contains(workload.workload.uuid))
                    hidden.insert(workload.workload.uuid);
            return narrowed.withWorkloads(entry.name, hidden, false);
        }
        if (solutions && workloads)
            return allSolutions ? choice.withWorkloads(entry.name, uuids, false) : choice.withSolutions(entry.name, names, false);
        return solutions ? choice.withSolutions(entry.name, names, on) : choice.withWorkloads(entry.name, uuids, on);
    };
    switch (node.kind) {
    case NodeKind::OpType: {
        const OpTypeEntry& opType = m_opTypes[node.entry];
        if (!isFiltered())
            return m_choice.withOpType(opType.name, on);
        RunChoice choice = m_choice;
        for (const std::size_t definition : opType.definitions)
            choice = RunChoice(m_dataset, apply(choice, m_definitions[definition], true, true));
        return choice.selection();
    }
    case NodeKind::Definition: return apply(m_choice, definitionOf(node), true, true);
    case NodeKind::SolutionGroup: return apply(m_choice, definitionOf(node), true, false);
    case NodeKind::WorkloadGroup: return apply(m_choice, definitionOf(node), false, true);
    case NodeKind::Solution: return m_choice.withSolutions(definitionOf(node).name, {solutionOf(node)->name}, on);
    case NodeKind::Workload: return m_choice.withWorkloads(definitionOf(node).name, {workloadOf(node).workload.uuid}, on);
    case NodeKind::TraceGroup: break;
    }
    return m_choice.selection();
}

bool DatasetTreeModel::setData(const QModelIndex& index, const QVariant& value, int role)
{
    if (role != Qt::CheckStateRole || !index.isValid() || !checkIndex(index) || index.column() != NameColumn)
        return false;
    const Node& node = nodeOf(index);
    if (!isCheckable(node))
        return false;
    m_workspace->setSelection(toggled(node, value.toInt() == Qt::Checked));
    return true;
}

}  // namespace tracedeck::ui
