// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/run_choice.h"

#include <algorithm>
#include <utility>

namespace tracedeck::ui {
namespace {

Chosen levelOf(std::size_t selected, std::size_t total)
{
    return selected == 0 || selected >= total ? Chosen::Yes : Chosen::Partly;
}

std::set<std::string> solutionNames(const Dataset& dataset, const std::string& definition)
{
    std::set<std::string> names;
    for (const Solution* solution : dataset.solutionsOf(definition))
        names.insert(solution->name);
    return names;
}

std::set<std::string> workloadUuids(const Dataset& dataset, const std::string& definition)
{
    std::set<std::string> uuids;
    for (const Trace& workload : dataset.workloadsOf(definition))
        uuids.insert(workload.workload.uuid);
    return uuids;
}

}  // namespace

RunChoice::RunChoice(std::shared_ptr<const Dataset> dataset, Selection selection)
    : m_dataset(std::move(dataset)), m_selection(std::move(selection))
{
    for (const std::string& definition : m_selection.definitions)
        if (m_dataset->findDefinition(definition))
            m_touched.try_emplace(definition);
    if (!m_selection.opTypes.empty())
        for (const auto& definition : m_dataset->definitions())
            if (m_selection.opTypes.contains(definition->opType))
                m_touched.try_emplace(definition->name);
    for (const std::string& name : m_selection.solutions)
        if (const Solution* solution = m_dataset->findSolution(name); solution && m_dataset->findDefinition(solution->definition))
            ++m_touched[solution->definition].solutions;
    if (!m_selection.workloads.empty())
        for (const auto& [definition, workloads] : m_dataset->workloads()) {
            const auto selected = std::count_if(workloads.begin(), workloads.end(), [this](const Trace& workload) {
                return m_selection.workloads.contains(workload.workload.uuid);
            });
            if (selected > 0 && m_dataset->findDefinition(definition))
                m_touched[definition].workloads = static_cast<std::size_t>(selected);
        }
    for (auto& [definition, touched] : m_touched) {
        touched.solutionsTotal = m_dataset->solutionsOf(definition).size();
        touched.workloadsTotal = m_dataset->workloadsOf(definition).size();
    }
}

const RunChoice::Touched* RunChoice::find(const std::string& definition) const
{
    const auto found = m_touched.find(definition);
    return found == m_touched.end() ? nullptr : &found->second;
}

Chosen RunChoice::ofOpType(const std::string& opType) const
{
    if (!m_dataset || m_touched.empty())
        return Chosen::No;
    bool any = false;
    bool all = true;
    for (const auto& definition : m_dataset->definitions()) {
        if (definition->opType != opType)
            continue;
        const Chosen chosen = ofDefinition(definition->name);
        any = any || chosen != Chosen::No;
        all = all && chosen == Chosen::Yes;
    }
    return !any ? Chosen::No : all ? Chosen::Yes : Chosen::Partly;
}

Chosen RunChoice::ofDefinition(const std::string& definition) const
{
    const Touched* touched = find(definition);
    if (!touched)
        return Chosen::No;
    const bool all = levelOf(touched->solutions, touched->solutionsTotal) == Chosen::Yes &&
                     levelOf(touched->workloads, touched->workloadsTotal) == Chosen::Yes;
    return all ? Chosen::Yes : Chosen::Partly;
}

Chosen RunChoice::ofAllSolutions(const std::string& definition) const
{
    const Touched* touched = find(definition);
    return touched ? levelOf(touched->solutions, touched->solutionsTotal) : Chosen::No;
}

Chosen RunChoice::ofAllWorkloads(const std::string& definition) const
{
    const Touched* touched = find(definition);
    return touched ? levelOf(touched->workloads, touched->workloadsTotal) : Chosen::No;
}

bool RunChoice::hasSolution(const std::string& definition, const std::string& solution) const
{
    const Touched* touched = find(definition);
    return touched && (touched->solutions == 0 || m_selection.solutions.contains(solution));
}

bool RunChoice::hasWorkload(const std::string& definition, const std::string& uuid) const
{
    const Touched* touched = find(definition);
    return touched && (touched->workloads == 0 || m_selection.workloads.contains(uuid));
}

std::size_t RunChoice::pairCount() const
{
    std::size_t pairs = 0;
    for (const auto& [definition, touched] : m_touched)
        pairs += (touched.solutions == 0 ? touched.solutionsTotal : touched.solutions) *
                 (touched.workloads == 0 ? touched.workloadsTotal : touched.workloads);
    return pairs;
}

std::set<std::string> RunChoice::effectiveSolutions(const std::string& definition) const
{
    const Touched* touched = find(definition);
    if (!touched)
        return {};
    std::set<std::string> names = solutionNames(*m_dataset, definition);
    if (touched->solutions > 0)
        std::erase_if(names, [this](const std::string& name) { return !m_selection.solutions.contains(name); });
    return names;
}

std::set<std::string> RunChoice::effectiveWorkloads(const std::string& definition) const
{
    const Touched* touched = find(definition);
    std::set<std::string> uuids = workloadUuids(*m_dataset, definition);
    if (touched && touched->workloads > 0)
        std::erase_if(uuids, [this](const std::string& uuid) { return !m_selection.workloads.contains(uuid); });
    return uuids;
}

Selection RunChoice::without(const std::string& definition) const
{
    Selection selection = m_selection;
    selection.definitions.erase(definition);
    for (const Solution* solution : m_dataset->solutionsOf(definition))
        selection.solutions.erase(solution->name);
    for (const Trace& workload : m_dataset->workloadsOf(definition))
        selection.workloads.erase(workload.workload.uuid);
    const Definition* found = m_dataset->findDefinition(definition);
    if (found && selection.opTypes.erase(found->opType) > 0)
        for (const auto& other : m_dataset->definitions())
            if (other->opType == found->opType && other->name != definition)
                selection.definitions.insert(other->name);
    return selection;
}

void RunChoice::joinOpType(Selection& selection, const std::string& definition) const
{
    const Definition* found = m_dataset->findDefinition(definition);
    if (!found)
        return;
    std::vector<std::string> members;
    for (const auto& other : m_dataset->definitions()) {
        if (other->opType != found->opType)
            continue;
        if (!selection.definitions.contains(other->name))
            return;
        members.push_back(other->name);
    }
    for (const std::string& member : members)
        selection.definitions.erase(member);
    selection.opTypes.insert(found->opType);
}

Selection RunChoice::rewritten(const std::string& definition, const std::set<std::string>& solutions,
                               const std::set<std::string>& workloads) const
{
    Selection selection = without(definition);
    const bool allSolutions = solutions.size() == m_dataset->solutionsOf(definition).size();
    const bool allWorkloads = workloads.size() == workloadUuids(*m_dataset, definition).size();
    if (allSolutions && allWorkloads) {
        selection.definitions.insert(definition);
        joinOpType(selection, definition);
        return selection;
    }
    if (!allSolutions)
        selection.solutions.insert(solutions.begin(), solutions.end());
    if (!allWorkloads)
        selection.workloads.insert(workloads.begin(), workloads.end());
    return selection;
}

Selection RunChoice::withOpType(const std::string& opType, bool on) const
{
    Selection selection = m_selection;
    selection.opTypes.erase(opType);
    for (const auto& definition : m_dataset->definitions()) {
        if (definition->opType != opType)
            continue;
        selection.definitions.erase(definition->name);
        for (const Solution* solution : m_dataset->solutionsOf(definition->name))
            selection.solutions.erase(solution->name);
        for (const Trace& workload : m_dataset->workloadsOf(definition->name))
            selection.workloads.erase(workload.workload.uuid);
    }
    if (on)
        selection.opTypes.insert(opType);
    return selection;
}

Selection RunChoice::withDefinition(const std::string& definition, bool on) const
{
    Selection selection = without(definition);
    if (on) {
        selection.definitions.insert(definition);
        joinOpType(selection, definition);
    }
    return selection;
}

Selection RunChoice::withSolutions(const std::string& definition, const std::set<std::string>& solutions, bool on) const
{
    std::set<std::string> effective = effectiveSolutions(definition);
    for (const std::string& name : solutions) {
        if (on)
            effective.insert(name);
        else
            effective.erase(name);
    }
    return effective.empty() ? without(definition) : rewritten(definition, effective, effectiveWorkloads(definition));
}

Selection RunChoice::withWorkloads(const std::string& definition, const std::set<std::string>& uuids, bool on) const
{
    const bool touched = find(definition) != nullptr;
    std::set<std::string> effective = touched ? effectiveWorkloads(definition) : std::set<std::string>();
    for (const std::string& uuid : uuids) {
        if (on)
            effective.insert(uuid);
        else
            effective.erase(uuid);
    }
    if (effective.empty())
        return without(definition);
    return rewritten(definition, touched ? effectiveSolutions(definition) : solutionNames(*m_dataset, definition), effective);
}

}  // namespace tracedeck::ui
