// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/run_request.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "core/run/runnable.h"

namespace tracedeck {

namespace {

using NamePair = std::pair<std::string, std::string>;

Problem warning(ErrorCode code, std::string field, std::string reason)
{
    return {Severity::Warning,
            Error{.code = code, .reason = std::move(reason), .file = {}, .line = 0, .field = std::move(field)}};
}

/// (workload uuid, solution) pairs of a definition that have an evaluation, whatever its status.
std::set<NamePair> evaluatedPairs(const Dataset& dataset, const std::string& definition)
{
    std::set<NamePair> pairs;
    const TraceTable& table = dataset.traces();
    for (const std::uint32_t index : dataset.traceRowsOfDefinition(definition)) {
        const TraceRow& row = table.row(index);
        if ((row.flags & TraceFlag::kHasEvaluation) != 0 && (row.flags & TraceFlag::kHasSolution) != 0) {
            pairs.emplace(table.workloadUuid(row), std::string(table.solutionName(row)));
        }
    }
    return pairs;
}

/// Names that are asked for but are not in the dataset.
void reportUnknownNames(const RunRequest& request, RunPlan& plan)
{
    const Dataset& dataset = *request.dataset;
    for (const auto& name : request.definitions) {
        if (dataset.findDefinition(name) == nullptr) {
            plan.problems.push_back(
                warning(ErrorCode::NotFound, "definitions", fmt::format("there is no definition named {}", name)));
        }
    }
    for (const auto& name : request.solutions) {
        const Solution* solution = dataset.findSolution(name);
        if (solution == nullptr) {
            plan.problems.push_back(
                warning(ErrorCode::NotFound, "solutions", fmt::format("there is no solution named {}", name)));
        } else if (dataset.findDefinition(solution->definition) == nullptr) {
            plan.problems.push_back(warning(ErrorCode::NotFound, "solutions",
                                            fmt::format("solution {} is for definition {}, which is not in the dataset",
                                                        name, solution->definition)));
        }
    }
    std::set<std::string> unseen = request.workloads;
    for (const auto& [definition, workloads] : dataset.workloads()) {
        for (const auto& workload : workloads) unseen.erase(workload.workload.uuid);
    }
    for (const auto& uuid : unseen) {
        plan.problems.push_back(
            warning(ErrorCode::NotFound, "workloads", fmt::format("there is no workload with the uuid {}", uuid)));
    }
    if (!request.opType.empty() && !dataset.opTypes().contains(request.opType)) {
        plan.problems.push_back(warning(ErrorCode::NotFound, "op_type",
                                        fmt::format("there is no definition of op_type {}", request.opType)));
    }
}

bool accepts(const std::set<std::string>& names, const std::string& name)
{
    return names.empty() || names.contains(name);
}

/// Says once for each reason which workloads of a definition are left out.
void reportObstacles(const Definition& definition, const std::map<std::string, std::vector<std::string>>& obstacles, RunPlan& plan)
{
    constexpr std::size_t kMostUuids = 3;
    for (const auto& [reason, uuids] : obstacles) {
        std::string named;
        for (std::size_t index = 0; index < std::min(uuids.size(), kMostUuids); ++index) named += (index == 0 ? "" : ", ") + uuids[index];
        if (uuids.size() > kMostUuids) named += fmt::format(" and {} more", uuids.size() - kMostUuids);
        plan.problems.push_back(warning(ErrorCode::Unsupported, "workloads",
                                        fmt::format("{} of definition {} skipped: {}",
                                                    (uuids.size() == 1 ? "workload " : "workloads ") + named, definition.name, reason)));
    }
}

void planDefinition(const RunRequest& request, const Definition& definition, RunPlan& plan)
{
    const auto& workloads = request.dataset->workloadsOf(definition.name);
    const auto solutions = request.dataset->solutionsOf(definition.name);
    // Only definitions that were asked for by name, or that nothing narrows down, are worth a word.
    const bool asked = request.pairs.empty() &&
                       (request.definitions.contains(definition.name) ||
                        (request.definitions.empty() && request.solutions.empty() && request.workloads.empty()));
    if (asked && solutions.empty()) {
        plan.problems.push_back(warning(ErrorCode::NotFound, "definitions",
                                        fmt::format("definition {} has no solutions: skipped", definition.name)));
    }
    if (asked && workloads.empty()) {
        plan.problems.push_back(warning(ErrorCode::NotFound, "definitions",
                                        fmt::format("definition {} has no workloads: skipped", definition.name)));
    }
    std::map<std::string, std::vector<std::string>> obstacles;
    const auto done = request.resume ? evaluatedPairs(*request.dataset, definition.name) : std::set<NamePair>{};
    for (std::size_t index = 0; index < workloads.size(); ++index) {
        const std::string& uuid = workloads[index].workload.uuid;
        if (!accepts(request.workloads, uuid)) continue;
        std::vector<RunPair> pairs;
        for (const Solution* solution : solutions) {
            if (!accepts(request.solutions, solution->name)) continue;
            if (!request.pairs.empty() && !request.pairs.contains({solution->name, uuid})) continue;
            if (done.contains({uuid, solution->name})) {
                ++plan.skippedByResume;
                continue;
            }
            pairs.push_back({definition.name, solution->name, index, uuid});
        }
        if (pairs.empty()) continue;
        if (!definition.invalidReason.empty()) {
            plan.problems.push_back(warning(ErrorCode::InvalidInput, "definitions",
                                            fmt::format("definition {} skipped, as it breaks a rule of the format: {}",
                                                        definition.name, definition.invalidReason)));
            return;
        }
        if (const auto obstacle = runObstacle(definition, workloads[index].workload)) obstacles[*obstacle].push_back(uuid);
        else std::move(pairs.begin(), pairs.end(), std::back_inserter(plan.pairs));
    }
    reportObstacles(definition, obstacles, plan);
}

}  // namespace

std::set<NamePair> expandSelection(const Dataset& dataset, const Selection& selection)
{
    std::set<NamePair> pairs;
    for (const auto& definition : dataset.definitions()) {
        const auto solutions = dataset.solutionsOf(definition->name);
        const auto& workloads = dataset.workloadsOf(definition->name);
        const auto isSelectedSolution = [&](const Solution* solution) {
            return selection.solutions.contains(solution->name);
        };
        const auto isSelectedWorkload = [&](const Trace& trace) {
            return selection.workloads.contains(trace.workload.uuid);
        };
        const bool someSolutions = std::any_of(solutions.begin(), solutions.end(), isSelectedSolution);
        const bool someWorkloads = std::any_of(workloads.begin(), workloads.end(), isSelectedWorkload);
        if (!someSolutions && !someWorkloads && !selection.definitions.contains(definition->name) &&
            !selection.opTypes.contains(definition->opType)) {
            continue;
        }
        for (const Solution* solution : solutions) {
            if (someSolutions && !isSelectedSolution(solution)) continue;
            for (const Trace& workload : workloads) {
                if (!someWorkloads || isSelectedWorkload(workload))
                    pairs.emplace(solution->name, workload.workload.uuid);
            }
        }
    }
    return pairs;
}

Result<RunPlan> makePlan(const RunRequest& request)
{
    if (!request.dataset) {
        return Error{.code = ErrorCode::Usage, .reason = "no dataset is open", .file = {}, .line = 0, .field = {}};
    }
    RunPlan plan;
    reportUnknownNames(request, plan);
    for (const auto& definition : request.dataset->definitions()) {
        if (accepts(request.definitions, definition->name) &&
            (request.opType.empty() || definition->opType == request.opType)) {
            planDefinition(request, *definition, plan);
        }
    }
    if (plan.pairs.empty() && plan.skippedByResume == 0) {
        std::string reason = "there is nothing to run";
        constexpr std::size_t kMostReasons = 5;
        for (std::size_t index = 0; index < std::min(plan.problems.size(), kMostReasons); ++index) {
            reason += (index == 0 ? ": " : "; ") + plan.problems[index].error.reason;
        }
        if (plan.problems.size() > kMostReasons)
            reason += fmt::format("; and {} more", plan.problems.size() - kMostReasons);
        if (plan.problems.empty()) {
            reason += request.dataset->definitions().empty()
                          ? ": the dataset has no definitions"
                          : ": no solution of the selection meets a workload of the same definition";
        }
        return Error{.code = ErrorCode::NotFound,
                     .reason = std::move(reason),
                     .file = request.dataset->root().string(),
                     .line = 0,
                     .field = {}};
    }
    return plan;
}

}  // namespace tracedeck
