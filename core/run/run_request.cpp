// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/run_request.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <map>
#include <utility>

#include "core/model/judge_record.h"
#include "core/model/timestamp.h"
#include "core/run/near_names.h"
#include "core/run/runnable.h"

namespace tracedeck {

namespace {

using NamePair = std::pair<std::string, std::string>;

Problem warning(ErrorCode code, std::string field, std::string reason)
{
    return {Severity::Warning,
            Error{.code = code, .reason = std::move(reason), .file = {}, .line = 0, .field = std::move(field)}};
}

/// (workload uuid, solution) pairs of a definition that have an evaluation, whatever its status, with the rows of these.
std::map<NamePair, std::vector<std::uint32_t>> evaluatedPairs(const Dataset& dataset, const std::string& definition)
{
    std::map<NamePair, std::vector<std::uint32_t>> pairs;
    const TraceTable& table = dataset.traces();
    for (const std::uint32_t index : dataset.traceRowsOfDefinition(definition)) {
        const TraceRow& row = table.row(index);
        if ((row.flags & TraceFlag::kHasEvaluation) != 0 && (row.flags & TraceFlag::kHasSolution) != 0) {
            pairs[{table.workloadUuid(row), std::string(table.solutionName(row))}].push_back(index);
        }
    }
    return pairs;
}

/// The newest of some evaluations of a pair: the last of those with the latest time.
std::uint32_t newestOf(const Dataset& dataset, const std::vector<std::uint32_t>& rows)
{
    const auto timeOf = [&dataset](std::uint32_t row) {
        return timestampMicroseconds(dataset.traces().timestamp(dataset.traces().row(row))).value_or(std::numeric_limits<std::int64_t>::min());
    };
    std::uint32_t newest = rows.front();
    for (const std::uint32_t row : rows) {
        if (timeOf(row) >= timeOf(newest)) newest = row;
    }
    return newest;
}

/// Whether RunRequest::only takes a pair with these evaluations.
bool isWanted(const RunRequest& request, const Solution& solution, const std::vector<std::uint32_t>* rows)
{
    if (request.only.empty()) return true;
    const TraceTable& table = request.dataset->traces();
    const auto isOnHardware = [&](std::uint32_t row) { return request.hardware.contains(std::string(table.hardwareName(table.row(row)))); };
    if (request.only.contains(RunOnly::NeverRun) &&
        (rows == nullptr || (!request.hardware.empty() && std::none_of(rows->begin(), rows->end(), isOnHardware)))) {
        return true;
    }
    if (rows == nullptr) return false;
    const std::uint32_t newest = newestOf(*request.dataset, *rows);
    if (request.only.contains(RunOnly::Failed) && table.row(newest).status != Status::Passed) return true;
    if (!request.only.contains(RunOnly::Outdated)) return false;
    const auto trace = request.dataset->readTrace(newest);
    const std::string judged = trace && trace->evaluation ? judgedSource(*trace->evaluation) : std::string();
    return !judged.empty() && judged != solution.contentHash();
}

/// Whether one of these evaluations may be of the source as it is now: those of other programs don't say which one they judged.
bool isOfThisSource(const Dataset& dataset, const std::vector<std::uint32_t>& rows, const std::string& source)
{
    return std::any_of(rows.rbegin(), rows.rend(), [&](std::uint32_t row) {
        const auto trace = dataset.readTrace(row);
        const std::string judged = trace && trace->evaluation ? judgedSource(*trace->evaluation) : std::string();
        return judged.empty() || judged == source;
    });
}

/// ` (did you mean "x"?)` when one of the names is close.
std::string suggestion(const std::string& name, const std::vector<std::string_view>& known)
{
    const std::string close = nearestName(name, known);
    return close.empty() ? std::string() : fmt::format(" (did you mean \"{}\"?)", close);
}

/// Error Usage that lists the names that are asked for but are not in the dataset.
Result<void> checkNames(const RunRequest& request)
{
    const Dataset& dataset = *request.dataset;
    std::vector<std::string_view> definitions;
    for (const auto& definition : dataset.definitions()) definitions.push_back(definition->name);
    std::vector<std::string_view> solutions;
    for (const auto& solution : dataset.solutions()) solutions.push_back(solution->name);
    std::vector<std::string_view> uuids;
    for (const auto& [definition, workloads] : dataset.workloads()) {
        if (request.workloads.empty()) break;
        for (const auto& workload : workloads) uuids.push_back(workload.workload.uuid);
    }
    std::string unknown;
    const auto complain = [&unknown](const std::string& text) { unknown += (unknown.empty() ? "" : "; ") + text; };
    for (const auto& name : request.definitions) {
        if (dataset.findDefinition(name) == nullptr) complain("there is no definition named " + name + suggestion(name, definitions));
    }
    for (const auto& name : request.solutions) {
        if (dataset.findSolution(name) == nullptr) complain("there is no solution named " + name + suggestion(name, solutions));
    }
    const std::set<std::string_view> knownUuids(uuids.begin(), uuids.end());
    for (const auto& uuid : request.workloads) {
        if (!knownUuids.contains(uuid)) complain("there is no workload with the uuid " + uuid + suggestion(uuid, uuids));
    }
    const auto counts = dataset.opTypes();
    if (!request.opType.empty() && !counts.contains(request.opType)) {
        std::vector<std::string_view> opTypes;
        for (const auto& [opType, count] : counts) opTypes.push_back(opType);
        complain("there is no definition of op_type " + request.opType + suggestion(request.opType, opTypes));
    }
    if (unknown.empty()) return {};
    return Error{.code = ErrorCode::Usage, .reason = std::move(unknown), .file = dataset.root().string(), .line = 0, .field = {}};
}

void reportOrphans(const RunRequest& request, RunPlan& plan)
{
    for (const auto& name : request.solutions) {
        const Solution* solution = request.dataset->findSolution(name);
        if (solution != nullptr && request.dataset->findDefinition(solution->definition) == nullptr) {
            plan.problems.push_back(warning(ErrorCode::NotFound, "solutions",
                                            fmt::format("solution {} is for definition {}, which is not in the dataset",
                                                        name, solution->definition)));
        }
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
    std::map<std::string, std::size_t> unstorable;   // evaluations of a solution whose results can't be stored
    bool saidInvalid = false;
    const auto done = request.resume || !request.only.empty() ? evaluatedPairs(*request.dataset, definition.name) : std::map<NamePair, std::vector<std::uint32_t>>{};
    std::map<std::string, std::string> sources;   // hashes by solution
    std::map<std::string, std::size_t> renewed;   // evaluations whose solution has changed since
    for (std::size_t index = 0; index < workloads.size(); ++index) {
        const std::string& uuid = workloads[index].workload.uuid;
        if (!accepts(request.workloads, uuid)) continue;
        std::vector<RunPair> pairs;
        for (const Solution* solution : solutions) {
            if (!accepts(request.solutions, solution->name)) continue;
            if (!request.pairs.empty() && !request.pairs.contains({solution->name, uuid})) continue;
            const auto before = done.find({uuid, solution->name});
            if (!isWanted(request, *solution, before == done.end() ? nullptr : &before->second)) {
                ++plan.notWanted;
                continue;
            }
            if (request.resume && before != done.end()) {
                std::string& source = sources[solution->name];
                if (source.empty()) source = solution->contentHash();
                if (isOfThisSource(*request.dataset, before->second, source)) {
                    ++plan.skippedByResume;
                    plan.skipped.push_back({definition.name, solution->name, index, uuid});
                    continue;
                }
                ++renewed[solution->name];
                ++plan.renewed;
            }
            pairs.push_back({definition.name, solution->name, index, uuid});
        }
        if (pairs.empty()) continue;
        if (!definition.invalidReason.empty()) {
            plan.leftOut += pairs.size();
            if (std::exchange(saidInvalid, true)) continue;
            plan.problems.push_back(warning(ErrorCode::InvalidInput, "definitions",
                                            fmt::format("definition {} skipped, as it breaks a rule of the format: {}",
                                                        definition.name, definition.invalidReason)));
            continue;
        }
        auto obstacle = runObstacle(definition, workloads[index].workload);
        if (!obstacle && request.saveResults) obstacle = storageObstacle(definition, workloads[index].workload);
        if (obstacle) {
            plan.leftOut += pairs.size();
            obstacles[*obstacle].push_back(uuid);
            continue;
        }
        for (RunPair& pair : pairs) {
            if (request.saveResults && storageObstacle(definition, *request.dataset->findSolution(pair.solution))) ++unstorable[pair.solution];
            else plan.pairs.push_back(std::move(pair));
        }
    }
    reportObstacles(definition, obstacles, plan);
    for (const auto& [solution, evaluations] : renewed) {
        plan.problems.push_back(warning(ErrorCode::InvalidInput, "solutions",
                                        fmt::format("solution {} has changed since it was evaluated: {} evaluation{} made again", solution, evaluations,
                                                    evaluations == 1 ? " is" : "s are")));
    }
    for (const auto& [solution, evaluations] : unstorable) {
        plan.leftOut += evaluations;
        plan.problems.push_back(
            warning(ErrorCode::Unsupported, "solutions",
                    fmt::format("solution {} left out ({} evaluation{}), as its results could not be stored: {} (it can be measured without saving results: "
                                "--no-save-results)",
                                solution, evaluations, evaluations == 1 ? "" : "s", *storageObstacle(definition, *request.dataset->findSolution(solution)))));
    }
}

constexpr std::array kOnlyNames{std::pair{RunOnly::Failed, std::string_view("failed")}, std::pair{RunOnly::NeverRun, std::string_view("never-run")},
                                std::pair{RunOnly::Outdated, std::string_view("outdated")}};

}  // namespace

std::string_view toString(RunOnly only)
{
    return std::ranges::find(kOnlyNames, only, &std::pair<RunOnly, std::string_view>::first)->second;
}

std::optional<RunOnly> runOnlyFromString(std::string_view name)
{
    const auto* const found = std::ranges::find(kOnlyNames, name, &std::pair<RunOnly, std::string_view>::second);
    return found == kOnlyNames.end() ? std::nullopt : std::optional(found->first);
}

std::set<NamePair> pairsOfTraces(const Dataset& dataset, const std::vector<std::uint32_t>& rows)
{
    std::set<NamePair> pairs;
    const TraceTable& traces = dataset.traces();
    for (const std::uint32_t index : rows) {
        const TraceRow& row = traces.row(index);
        std::string solution(traces.solutionName(row));
        if (dataset.findSolution(solution) != nullptr) pairs.emplace(std::move(solution), traces.workloadUuid(row));
    }
    return pairs;
}

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
    if (auto known = checkNames(request); !known) return known.error();
    if (request.resume && (request.only.contains(RunOnly::Failed) || request.only.contains(RunOnly::Outdated))) {
        return Error{.code = ErrorCode::Usage, .reason = "what failed or is outdated has a result, which --resume skips: use one of the two",
                     .file = {}, .line = 0, .field = "only"};
    }
    RunPlan plan;
    reportOrphans(request, plan);
    for (const auto& definition : request.dataset->definitions()) {
        if (accepts(request.definitions, definition->name) &&
            (request.opType.empty() || definition->opType == request.opType)) {
            planDefinition(request, *definition, plan);
        }
    }
    if (plan.isNothing()) return nothingToRun(plan, *request.dataset);
    return plan;
}

Error nothingToRun(const RunPlan& plan, const Dataset& dataset)
{
    std::string reason = "there is nothing to run";
    constexpr std::size_t kMostReasons = 5;
    for (std::size_t index = 0; index < std::min(plan.problems.size(), kMostReasons); ++index) {
        reason += (index == 0 ? ": " : "; ") + plan.problems[index].error.reason;
    }
    if (plan.problems.size() > kMostReasons) reason += fmt::format("; and {} more", plan.problems.size() - kMostReasons);
    if (plan.problems.empty()) {
        reason += dataset.definitions().empty() ? ": the dataset has no definitions"
                                                : ": no solution of the selection meets a workload of the same definition";
    }
    return Error{.code = plan.leftOut > 0 ? ErrorCode::Unsupported : ErrorCode::Usage,
                 .reason = std::move(reason),
                 .file = dataset.root().string(),
                 .line = 0,
                 .field = {}};
}

}  // namespace tracedeck
