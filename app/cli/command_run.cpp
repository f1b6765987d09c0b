// SPDX-License-Identifier: GPL-3.0-or-later
#include <unistd.h>

#include <charconv>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <memory>
#include <optional>

#include "app/cli/command_support.h"
#include "app/cli/commands.h"
#include "app/cli/interrupts.h"
#include "app/cli/run_progress.h"
#include "core/run/event_queue.h"
#include "core/run/python_environment.h"
#include "core/run/runner.h"

namespace tracedeck::cli {

namespace {

struct RunOptions {
    std::vector<std::string> local;
    std::vector<std::string> devices;
    std::vector<std::string> definitions;
    std::vector<std::string> solutions;
    std::vector<std::string> workloads;
    std::string opType;
    std::string config;
    std::string python;
    EvalOverrides overrides;
    bool strictNumerics = false;
    std::vector<std::string> extra;
    std::optional<double> timeoutSeconds;
    std::optional<double> buildTimeoutSeconds;
    std::string isolation = "evaluation";
    std::string confinement = "auto";
    double hostMemoryGib = 0;
    std::optional<std::uint64_t> seed;
    bool resume = false;
    bool saveResults = true;
    bool noProfileBaseline = false;
    bool useIsolatedRunner = false;
    bool strict = false;
    bool json = false;
    LogLevel logLevel = LogLevel::Info;
};

std::set<std::string> toSet(const std::vector<std::string>& names)
{
    return {names.begin(), names.end()};
}

/// The command line wins over the file, and the file over the defaults.
Result<RunRequest> makeRequest(const RunOptions& options, std::shared_ptr<const Dataset> dataset)
{
    RunRequest request;
    request.dataset = std::move(dataset);
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
    request.devices = options.devices.empty() ? defaultDevices() : options.devices;
    request.overrides = options.overrides;
    if (options.strictNumerics) request.overrides.strictNumerics = true;
    for (const auto& entry : options.extra) {
        if (auto added = addExtra(request.overrides, entry); !added) return added.error();
    }
    request.timeoutSeconds = options.timeoutSeconds.value_or(system.timeoutSeconds.value_or(request.timeoutSeconds));
    request.buildTimeoutSeconds = options.buildTimeoutSeconds.value_or(request.buildTimeoutSeconds);
    request.profileBaseline = !options.noProfileBaseline && system.profileBaseline.value_or(true);
    request.resume = options.resume;
    request.saveResults = options.saveResults;
    request.seed = options.seed;
    request.isolation = options.isolation == "solution" ? Isolation::Solution : Isolation::Evaluation;
    request.confinement = options.confinement;
    request.hostMemoryBytes = static_cast<std::uint64_t>(options.hostMemoryGib * 1024 * 1024 * 1024);
    return request;
}

Result<void> writeEvent(const RunEvent& event, const RunPlan& plan, const std::string& root)
{
    Json json = encodeRunEvent(event, plan);
    if (std::holds_alternative<PlanEvent>(event)) json["root"] = root;
    return writeStdout(json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n");
}

/// Delivers events until the run has ended. Error: stdout can't be written any more; the run was cancelled.
Result<void> follow(Runner& runner, EventQueue& queue, RunProgress& progress, const RunOptions& options,
                    const std::string& root)
{
    Result<void> written;
    bool toldInterrupt = false;
    for (bool isDone = false; !isDone;) {
        if (wasInterrupted() && !toldInterrupt) {
            toldInterrupt = true;
            progress.say(LogLevel::Warning, "Cancelling: what is running is stopped, results so far are kept (press "
                                            "Ctrl-C again to leave at once)");
            runner.cancel();
        }
        for (const auto& event : queue.take()) {
            progress.handle(event);
            isDone = std::holds_alternative<DoneEvent>(event);
            if (options.json && written) {
                written = writeEvent(event, runner.plan(), root);
                if (!written) runner.cancel();
            }
        }
        progress.redraw();
    }
    progress.clear();
    return written;
}

std::string evaluations(std::size_t count)
{
    return fmt::format("{} evaluation{}", count, count == 1 ? "" : "s");
}

/// Says how the run ended. Failed: nothing was run although something was to be, or what was found is not on disk.
ExitCode closingWords(RunProgress& progress, const RunOptions& options, const RunPlan& plan, const std::string& root)
{
    const DoneEvent& done = progress.done();
    if (plan.skippedByResume > 0)
        progress.say(LogLevel::Info,
                     fmt::format("Skipped {} done before (--resume)", evaluations(plan.skippedByResume)));
    const std::size_t notRun = done.notRun + plan.leftOut;
    if (done.cancelled) {
        progress.say(LogLevel::Warning,
                     options.saveResults
                         ? fmt::format("Cancelled. {} results are kept; the same command with --resume does the rest.",
                                       progress.stored())
                         : std::string("Cancelled."));
        return ExitCode::Failed;
    }
    if (done.passed + done.failed == 0 && notRun > 0) {
        progress.say(LogLevel::Error, fmt::format("Nothing was run: {} could not be done; see above why.", evaluations(notRun)));
        return ExitCode::Failed;
    }
    if (done.total == 0) {
        progress.say(LogLevel::Info, "Nothing is left to do.");
    } else if (options.saveResults) {
        progress.say(LogLevel::Info,
                     fmt::format("Benchmark run complete. {} results saved below {}/traces.", progress.stored(), root));
    } else {
        progress.say(LogLevel::Info, "Benchmark run complete. Results not saved (use --save-results to keep them).");
    }
    if (options.resume && progress.checkedOnly() > 0)
        progress.say(LogLevel::Info, fmt::format("{} a check without a timing, which is never stored: --resume does {} again each time.",
                                                 progress.checkedOnly() == 1 ? "1 of them was" : fmt::format("{} of them were", progress.checkedOnly()),
                                                 progress.checkedOnly() == 1 ? "it" : "them"));
    if (notRun > 0)
        progress.say(LogLevel::Warning, fmt::format("{} could not be done; see above why.", evaluations(notRun)));
    const bool strictFailure = options.strict && (done.failed > 0 || notRun > 0);
    return progress.lostDevice() || progress.lostResult() || strictFailure ? ExitCode::Failed : ExitCode::Done;
}

ExitCode runDataset(const RunOptions& options, const std::string& local, const PythonChoice& python)
{
    auto dataset = openDataset(local);
    if (!dataset) return fail(dataset.error());
    printProblems(**dataset);
    const std::string root = (*dataset)->root().string();
    auto request = makeRequest(options, *dataset);
    if (!request) return fail(request.error());
    request->python = python.interpreter;

    EventQueue queue;
    auto runner = Runner::start(*request, [&queue](const RunEvent& event) { queue.push(event); });
    if (!runner) {
        Error error = runner.error();
        if (error.code != ErrorCode::Usage)
            error.code = ErrorCode::Unsupported;   // the dataset is readable: it is the machine
        if (error.field == "python")
            error.reason = python.interpreter.empty() ? python.explanation : error.reason + " " + python.explanation;
        return fail(error);
    }
    const RunPlan& plan = (*runner)->plan();
    RunProgress progress(plan, options.logLevel, ::isatty(STDERR_FILENO) == 1);
    for (const auto& warning : request->configFile.warnings())
        progress.say(LogLevel::Warning, "warning: " + warning.error.toString());
    for (const auto& problem : plan.problems) progress.say(LogLevel::Warning, "warning: " + problem.error.toString());
    progress.say(LogLevel::Debug, python.explanation);

    const auto written = follow(**runner, queue, progress, options, root);
    (*runner)->wait();
    const ExitCode code = closingWords(progress, options, plan, root);
    if (!written) return finishOutput(written);
    if (!options.json) {
        if (const auto printed = finishOutput(writeStdout(progress.summary())); printed != ExitCode::Done)
            return printed;
    }
    return code;
}

ExitCode runRun(const RunOptions& options)
{
    watchInterrupts();
    const PythonChoice python = choosePython("", options.python);
    ExitCode worst = ExitCode::Done;
    for (const auto& root : options.local.empty() ? std::vector<std::string>{""} : options.local) {
        const ExitCode code = runDataset(options, root, python);
        worst = std::max(worst, code);
        if (wasInterrupted()) return interruptExitCode();
    }
    return worst;
}

void addSelection(CLI::App& command, RunOptions& options)
{
    command.add_option("--definitions", options.definitions, "Only these definitions")->type_name("NAME");
    command.add_option("--solutions", options.solutions, "Only these solutions")->type_name("NAME");
    command.add_option("--workloads", options.workloads, "Only the workloads with these uuids")->type_name("UUID");
    command.add_option("--op-type", options.opType, "Only definitions of this op_type")->type_name("TYPE");
    command
        .add_option("--device", options.devices,
                    "cpu, cuda:N or all; may be given several times (default: every CUDA device, else cpu)")
        ->type_name("DEVICE")
        ->allow_extra_args(false);
    command.add_flag("--resume", options.resume,
                     "Skip evaluations that are in the dataset already, whatever their status");
}

void addEvaluation(CLI::App& command, RunOptions& options)
{
    constexpr double kLongestSeconds = 1e7;
    EvalOverrides& overrides = options.overrides;
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

}  // namespace

void addRunCommand(CLI::App& app, CommandContext& context)
{
    auto options = std::make_shared<RunOptions>();
    CLI::App* command = app.add_subcommand("run", "Run solutions on workloads and append the results to the dataset");
    addLocalOption(*command, options->local);
    addSelection(*command, *options);
    addEvaluation(*command, *options);
    command->add_flag("--save-results,!--no-save-results", options->saveResults,
                      "Append results to the dataset's traces, or don't (default: do)");
    command
        ->add_option("--python", options->python,
                     "Interpreter for references and Python solutions (see tracedeck doctor)")
        ->type_name("FILE");
    command->add_flag("--strict", options->strict, "Exit with 1 when an evaluation failed or could not be run");
    command->add_flag("--use-isolated-runner", options->useIsolatedRunner,
                      "Accepted for compatibility: every evaluation has a process of its own");
    const std::map<std::string, LogLevel> levels{{"DEBUG", LogLevel::Debug},
                                                 {"INFO", LogLevel::Info},
                                                 {"WARNING", LogLevel::Warning},
                                                 {"ERROR", LogLevel::Error}};
    command
        ->add_option("--log-level", options->logLevel,
                     "DEBUG, INFO, WARNING or ERROR: what is said on stderr (default INFO)")
        ->transform(CLI::CheckedTransformer(levels, CLI::ignore_case))
        ->type_name("LEVEL");
    command->add_flag("--json", options->json, "One JSON event a line on stdout");
    command->callback([options, &context] { context.action = [options] { return runRun(*options); }; });
}

}  // namespace tracedeck::cli
