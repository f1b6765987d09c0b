// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/target_options.h"

#include <algorithm>
#include <fmt/format.h>

#include "app/cli/command_support.h"
#include "core/run/near_names.h"
#include "core/run/python_environment.h"
#include "core/run/runner.h"

namespace tracedeck::cli {

namespace {

Error usageError(std::string field, std::string reason)
{
    return Error{ErrorCode::Usage, std::move(reason), {}, 0, std::move(field)};
}

/// ", did you mean …?" or nothing.
std::string suggestion(const std::string& name, const std::vector<std::string_view>& known)
{
    const std::string near = nearestName(name, known);
    return near.empty() ? std::string() : fmt::format("; did you mean \"{}\"?", near);
}

Result<std::string> workloadNamed(const Dataset& dataset, const std::string& definition, const std::string& wanted)
{
    const auto& workloads = dataset.workloadsOf(definition);
    if (workloads.empty()) return usageError("workload", fmt::format("{} has no workloads", definition));
    if (wanted.empty()) {
        if (workloads.size() == 1) return workloads.front().workload.uuid;
        return usageError("workload", fmt::format("{} has {} workloads: name one with --workload UUID (its beginning is enough), for example {}", definition,
                                                  workloads.size(), workloads.front().workload.uuid));
    }
    std::vector<std::string> found;
    for (const Trace& line : workloads) {
        if (line.workload.uuid == wanted) return wanted;
        if (line.workload.uuid.starts_with(wanted)) found.push_back(line.workload.uuid);
    }
    if (found.size() == 1) return found.front();
    return usageError("workload", found.empty() ? fmt::format("{} has no workload \"{}\"", definition, wanted)
                                                : fmt::format("{} workloads of {} begin with \"{}\"", found.size(), definition, wanted));
}

}  // namespace

void addTargetOptions(CLI::App& command, TargetOptions& options, bool needsSolution, bool takesSolution)
{
    constexpr double kLongestSeconds = 1e7;
    command.add_option("--local", options.local, "Dataset folder (default: FIB_DATASET_PATH, else ~/.cache/flashinfer_bench/dataset)")->type_name("DIR");
    command.add_option("--definition", options.definition, takesSolution && needsSolution ? "Definition (default: the solution's)" : "Definition")->type_name("NAME");
    if (takesSolution) {
        auto* solution = command.add_option("--solution", options.solutions, "Solution")->type_name("NAME")->expected(1);
        if (needsSolution) solution->required();
    }
    command.add_option("--workload", options.workload, "Workload: its uuid or the beginning of it (default: the only one)")->type_name("UUID");
    command.add_option("--device", options.device, "cpu or cuda:N (default: the first CUDA device, else cpu)")->type_name("DEVICE");
    command.add_option("--config", options.config, "YAML file in place of the bundled evaluation config")->type_name("FILE");
    command.add_option("--rtol", options.overrides.rtol, "Relative tolerance (default 0.01)")->check(CLI::PositiveNumber);
    command.add_option("--atol", options.overrides.atol, "Absolute tolerance (default 0.01)")->check(CLI::PositiveNumber);
    command.add_option("--num-trials", options.overrides.numTrials, "Checked calls (default 3)")->check(CLI::PositiveNumber);
    command.add_option("--timeout", options.timeoutSeconds, "Seconds a step may take, a build not counted (default 300)")
        ->check(CLI::PositiveNumber)
        ->check(CLI::Range(0.0, kLongestSeconds));
    command.add_option("--confinement", options.confinement, "auto, full, partial or none: how far the solution is kept from everything else (default auto)")
        ->type_name("DEGREE")
        ->check(CLI::IsMember({"auto", "full", "partial", "none"}));
    command.add_option("--seed", options.seed, "Repeat the inputs of a run with this seed (default: secret and new)");
    command.add_option("--python", options.python, "Interpreter for references and Python solutions (see tracedeck doctor)")->type_name("FILE");
    command.add_flag("--json", options.json, "Print one JSON document");
}

Result<DiagnosisTarget> makeTarget(const TargetOptions& options)
{
    auto dataset = openDataset(options.local);
    if (!dataset) return dataset.error();
    DiagnosisTarget target;
    target.request.dataset = *dataset;
    if (!options.config.empty()) {
        auto file = EvalConfigFile::load(options.config);
        if (!file) return file.error();
        target.request.configFile = std::move(*file);
    }
    target.definition = options.definition;
    for (const std::string& name : options.solutions) {
        const Solution* solution = (*dataset)->findSolution(name);
        if (solution == nullptr) {
            std::vector<std::string_view> known;
            for (const auto& one : (*dataset)->solutions()) known.push_back(one->name);
            return usageError("solution", fmt::format("the dataset has no solution \"{}\"{}", name, suggestion(name, known)));
        }
        if (target.definition.empty()) target.definition = solution->definition;
        if (solution->definition != target.definition)
            return usageError("solution", fmt::format("\"{}\" is a solution of {}, not of {}", name, solution->definition, target.definition));
    }
    if ((*dataset)->findDefinition(target.definition) == nullptr) {
        std::vector<std::string_view> known;
        for (const auto& one : (*dataset)->definitions()) known.push_back(one->name);
        return usageError("definition", target.definition.empty() ? "name one with --definition"
                                                                  : fmt::format("the dataset has no definition \"{}\"{}", target.definition, suggestion(target.definition, known)));
    }
    auto workload = workloadNamed(**dataset, target.definition, options.workload);
    if (!workload) return workload.error();
    target.workload = std::move(*workload);
    if (!options.solutions.empty()) target.solution = options.solutions.front();
    RunRequest& request = target.request;
    request.devices = options.device.empty() ? std::vector<std::string>{defaultDevices().front()} : std::vector<std::string>{options.device};
    request.overrides = options.overrides;
    request.timeoutSeconds = options.timeoutSeconds.value_or(request.timeoutSeconds);
    request.confinement = options.confinement;
    request.seed = options.seed;
    request.python = choosePython("", options.python).interpreter;
    return target;
}

Error targetError(Error error, const TargetOptions& options)
{
    if (error.field == "python") {
        const PythonChoice python = choosePython("", options.python);
        error.reason = python.interpreter.empty() ? python.explanation : error.reason + " " + python.explanation;
    }
    // The dataset is readable: it is the machine.
    if (error.code != ErrorCode::Usage) error.code = ErrorCode::Unsupported;
    return error;
}

}  // namespace tracedeck::cli
