// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/run_options.h"

#include <set>
#include <utility>

#include "core/run/python_environment.h"
#include "core/run/run_record.h"
#include "core/run/run_settings.h"
#include "core/run/runner.h"

namespace tracedeck::cli {

namespace {

std::set<std::string> toSet(const std::vector<std::string>& names)
{
    return {names.begin(), names.end()};
}

/// What is set above wins.
void overlay(EvalOverrides& overrides, const EvalOverrides& above)
{
    const auto put = [](auto& target, const auto& value) {
        if (value) target = value;
    };
    put(overrides.warmupRuns, above.warmupRuns);
    put(overrides.iterations, above.iterations);
    put(overrides.numTrials, above.numTrials);
    put(overrides.rtol, above.rtol);
    put(overrides.atol, above.atol);
    put(overrides.requiredMatchedRatio, above.requiredMatchedRatio);
    put(overrides.validIndexInputs, above.validIndexInputs);
    put(overrides.strictNumerics, above.strictNumerics);
    put(overrides.precision, above.precision);
    for (const auto& [key, value] : above.extra.items()) overrides.extra[key] = value;
}

}  // namespace

Result<RunRequest> makeRequest(const RunOptions& options, std::shared_ptr<const Dataset> dataset)
{
    RunRequest request;
    request.dataset = std::move(dataset);
    request.devices.clear();
    if (!options.preset.empty()) {
        if (auto applied = applyPreset(presetFolder(), options.preset, request); !applied) {
            Error error = applied.error();
            if (error.code == ErrorCode::NotFound) error.code = ErrorCode::Usage;
            return error;
        }
    }
    if (!options.config.empty()) {
        auto file = EvalConfigFile::load(options.config);
        if (!file) return file.error();
        request.configFile = std::move(*file);
    }
    const SystemConfig& system = request.configFile.system();
    request.definitions =
        options.definitions.empty() ? system.definitions.value_or(std::set<std::string>{}) : toSet(options.definitions);
    request.solutions =
        options.solutions.empty() ? system.solutions.value_or(std::set<std::string>{}) : toSet(options.solutions);
    request.workloads = toSet(options.workloads);
    request.opType = options.opType;
    if (!options.devices.empty()) request.devices = options.devices;
    if (request.devices.empty()) request.devices = defaultDevices();
    for (const auto& entry : options.pairs) {
        const auto colon = entry.rfind(':');
        if (colon == std::string::npos || colon == 0 || colon + 1 == entry.size())
            return Error{.code = ErrorCode::Usage, .reason = "\"" + entry + "\" is no pair: write SOLUTION:UUID", .file = {}, .line = 0, .field = "pair"};
        request.solutions.insert(entry.substr(0, colon));   // so that unknown names are named
        request.workloads.insert(entry.substr(colon + 1));
        request.pairs.emplace(entry.substr(0, colon), entry.substr(colon + 1));
    }
    for (const auto& word : options.only) {
        if (const auto only = runOnlyFromString(word)) request.only.insert(*only);
    }
    overlay(request.overrides, options.overrides);
    if (options.strictNumerics) request.overrides.strictNumerics = true;
    for (const auto& entry : options.extra) {
        if (auto added = addExtra(request.overrides, entry); !added) return added.error();
    }
    request.timeoutSeconds = options.timeoutSeconds.value_or(system.timeoutSeconds.value_or(request.timeoutSeconds));
    request.buildTimeoutSeconds = options.buildTimeoutSeconds.value_or(request.buildTimeoutSeconds);
    request.profileBaseline = !options.noProfileBaseline && system.profileBaseline.value_or(request.profileBaseline);
    request.resume = options.resume;
    request.saveResults = options.saveResults && request.saveResults;
    if (options.seed) request.seed = options.seed;
    if (options.isolation) request.isolation = *options.isolation == "solution" ? Isolation::Solution : Isolation::Evaluation;
    if (options.confinement) request.confinement = *options.confinement;
    if (options.hostMemoryGib) request.hostMemoryBytes = static_cast<std::uint64_t>(*options.hostMemoryGib * 1024 * 1024 * 1024);
    if (options.skipAfter) request.skipAfterFailures = *options.skipAfter;
    if (options.waitIdle) request.waitIdle = IdleRule{.mostCelsius = *options.waitIdle};
    if (!options.noRecord) request.recordFolder = runRecordFolder();
    return request;
}

Result<RunRequest> makeContinuation(const RunOptions& options, std::shared_ptr<const Dataset> dataset)
{
    auto request = requestOfRun(runRecordFolder(), options.continueId, std::move(dataset), RunPart::Rest);
    if (!request) return request.error();
    if (!options.devices.empty()) request->devices = options.devices;
    if (options.noRecord) request->recordFolder.clear();
    return request;
}

void addRunSelection(CLI::App& command, RunOptions& options)
{
    command.add_option("--definitions", options.definitions, "Only these definitions")->type_name("NAME");
    command.add_option("--solutions", options.solutions, "Only these solutions")->type_name("NAME");
    command.add_option("--workloads", options.workloads, "Only the workloads with these uuids")->type_name("UUID");
    command
        .add_option("--pair", options.pairs, "Only these pairs of a solution and a workload, by its uuid; may be given several times")
        ->type_name("SOLUTION:UUID")
        ->allow_extra_args(false);
    CLI::Option* only = command
        .add_option("--only", options.only,
                    "Only pairs of which the dataset's traces say this: failed (the newest one did), never-run (not on this hardware), outdated "
                    "(the newest one judged another source than the solution has now); may be given several times, any of them will do")
        ->type_name("KIND")
        ->check(CLI::IsMember({"failed", "never-run", "outdated"}))
        ->allow_extra_args(false);
    command.add_option("--op-type", options.opType, "Only definitions of this op_type")->type_name("TYPE");
    command
        .add_option("--device", options.devices,
                    "cpu, cuda:N or all; several, or several times (default: every CUDA device, else cpu)")
        ->type_name("DEVICE");
    command.add_flag("--resume", options.resume,
                     "Skip evaluations that are in the dataset already, whatever their status")->excludes(only);
    command
        .add_option("--skip-after", options.skipAfter, "Leave a solution alone once it failed so often in this run")
        ->type_name("N")
        ->check(CLI::Range(1, 1'000'000'000));
    command
        .add_option("--wait-idle", options.waitIdle,
                    "GPUs wait before each workload until they are at most this warm and no other program uses them (default 65 °C)")
        ->type_name("CELSIUS")
        ->expected(0, 1)
        ->default_str("65")
        ->check(CLI::Range(0.0, 150.0));
    command.add_flag("--dry-run", options.dryRun, "Show what would be run, how long it may take and the memory it needs; run nothing");
}

void addRunEvaluation(CLI::App& command, RunOptions& options)
{
    constexpr double kLongestSeconds = 1e7;
    EvalOverrides& overrides = options.overrides;
    command.add_option("--preset", options.preset, "Settings that were saved under this name with --save-preset, or where the window plans a run; other options win over them")
        ->type_name("NAME");
    command.add_option("--config", options.config, "YAML file in place of the bundled evaluation config")
        ->type_name("FILE");
    command.add_option("--warmup-runs", overrides.warmupRuns, "Untimed calls before the timed ones (default 10)")
        ->check(CLI::NonNegativeNumber);
    command.add_option("--iterations", overrides.iterations, "Timed calls a trial (default 50)")
        ->check(CLI::PositiveNumber);
    command.add_option("--num-trials", overrides.numTrials, "Input sets a workload (default 3)")
        ->check(CLI::PositiveNumber);
    command.add_option("--rtol", overrides.rtol, "Relative tolerance (default 0.01)")->check(CLI::PositiveNumber);
    command.add_option("--atol", overrides.atol, "Absolute tolerance (default 0.01)")->check(CLI::PositiveNumber);
    command
        .add_option("--required-matched-ratio", overrides.requiredMatchedRatio,
                    "Share of elements that must be within tolerance, above 0 and at most 1 (default 1)")
        ->check(CLI::PositiveNumber)
        ->check(CLI::Range(0.0, 1.0));
    command.add_flag_callback(
        "--raw-index-inputs", [&overrides] { overrides.validIndexInputs = false; },
        "Draw random integers from -1024 to 1023 also where a kernel uses them as indexes (default: valid ones, by rules that the traces name)");
    command
        .add_option("--precision", overrides.precision,
                    "Add trials until the median of an evaluation's times is known to this many percent, with 95 % confidence (at most 1000 timed "
                    "calls or a third of the timeout; default: no more than --num-trials)")
        ->type_name("PERCENT")
        ->check(CLI::Range(0.01, 50.0));
    command.add_flag("--strict-numerics", options.strictNumerics,
                     "Elements are right when |x - y| <= atol + rtol |y|; NaN and infinities where the reference has them; "
                     "integers and booleans only when equal. The traces say so");
    command
        .add_option("--extra", options.extra,
                    "An entry of the config's `extra`, which evaluators read, for example sampling_tvd_threshold=0.1; may be given several times")
        ->type_name("KEY=VALUE")
        ->allow_extra_args(false);
    command
        .add_option("--timeout", options.timeoutSeconds,
                    "Seconds an evaluation may take, its build not counted (default 300)")
        ->check(CLI::PositiveNumber)
        ->check(CLI::Range(0.0, kLongestSeconds));
    command.add_option("--build-timeout", options.buildTimeoutSeconds, "Seconds a build may take (default 300)")
        ->check(CLI::PositiveNumber)
        ->check(CLI::Range(0.0, kLongestSeconds));
    command
        .add_option("--isolation", options.isolation,
                    "evaluation: a fresh process for every (solution, workload), the default; solution: one process a solution "
                    "for all its workloads of a definition, faster")
        ->type_name("KIND")
        ->check(CLI::IsMember({"evaluation", "solution"}));
    command
        .add_option("--confinement", options.confinement,
                    "How far solutions are kept from everything else; the traces say it. auto: as far as this system allows, the default; "
                    "full: not a bit less, or nothing is run; partial: without namespaces; none: limits only")
        ->type_name("DEGREE")
        ->check(CLI::IsMember({"auto", "full", "partial", "none"}));
    command
        .add_option("--host-memory", options.hostMemoryGib, "GiB of main memory that one solution may take (default: four fifths of what is free)")
        ->type_name("GIB")
        ->check(CLI::Range(0.25, 1e6));
    command
        .add_option("--seed", options.seed,
                    "Repeat a run's inputs exactly; the traces say so (default: secret and new for each run)");
    command.add_flag("--no-profile-baseline", options.noProfileBaseline,
                     "Don't time references: reference latency and speedup are 0");
}

}  // namespace tracedeck::cli
