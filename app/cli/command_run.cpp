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
#include "app/cli/run_options.h"
#include "app/cli/run_progress.h"
#include "core/model/text.h"
#include "core/report/text_table.h"
#include "core/run/event_queue.h"
#include "core/run/python_environment.h"
#include "core/run/run_preview.h"
#include "core/run/run_record.h"
#include "core/run/run_settings.h"
#include "core/run/runner.h"

namespace tracedeck::cli {

namespace {

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
        progress.say(LogLevel::Info, options.only.empty() ? "Nothing is left to do."
                                                          : fmt::format("Nothing to do: none of {} is what --only asks for.", evaluations(plan.notWanted)));
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

/// --dry-run
ExitCode showPreview(const RunRequest& request, const RunOptions& options)
{
    auto preview = previewRun(request);
    if (!preview) return fail(preview.error());
    const auto command = runCommand(request);
    if (options.json) {
        Json pairs = Json::array();
        for (const PairPreview& pair : preview->pairs) {
            pairs.push_back({{"definition", pair.pair.definition}, {"solution", pair.pair.solution}, {"workload_uuid", pair.pair.workloadUuid},
                             {"seconds", pair.seconds}, {"estimate", toString(pair.source)}, {"bytes", pair.bytes}, {"skipped", pair.isSkipped}});
        }
        Json devices = Json::array();
        for (const DevicePreview& device : preview->devices) {
            Json json = {{"device", device.device}, {"hardware", device.hardware}, {"total_bytes", nullptr}, {"free_bytes", nullptr}, {"too_large", device.tooLarge}};
            if (device.totalBytes) json["total_bytes"] = *device.totalBytes;
            if (device.freeBytes) json["free_bytes"] = *device.freeBytes;
            devices.push_back(std::move(json));
        }
        Json problems = Json::array();
        for (const auto& problem : preview->plan.problems) problems.push_back(problem.error.toString());
        return finishOutput(writeStdout(jsonText(Json{{"root", request.dataset->root().string()}, {"total", preview->plan.pairs.size()},
                                                  {"skipped_by_resume", preview->plan.skippedByResume}, {"not_wanted", preview->plan.notWanted},
                                                  {"left_out", preview->plan.leftOut}, {"seconds", preview->seconds}, {"estimated", preview->estimated},
                                                  {"most_bytes", preview->mostBytes}, {"devices", std::move(devices)}, {"pairs", std::move(pairs)},
                                                  {"problems", std::move(problems)}})));
    }
    using Align = TextTable::Align;
    TextTable table({{"Definition", Align::Left}, {"Solution", Align::Left}, {"Workload", Align::Left}, {"About", Align::Right}, {"Memory", Align::Right}, {"", Align::Left}});
    for (const PairPreview& pair : preview->pairs) {
        table.addRow({pair.pair.definition, pair.pair.solution, pair.pair.workloadUuid, shortDuration(pair.seconds),
                      pair.bytes > 0 ? bytesText(pair.bytes, "B") : "?", pair.isSkipped ? "done before: skipped" : ""});
    }
    std::string text = table.toString();
    text += fmt::format("{} to run, about {} ({} of them by how long earlier ones took), {} skipped, {} left out.\n", evaluations(preview->plan.pairs.size()),
                        shortDuration(preview->seconds), preview->estimated, preview->plan.skippedByResume + preview->plan.notWanted, preview->plan.leftOut);
    for (const DevicePreview& device : preview->devices) {
        text += fmt::format("{} ({}): {} of memory free; the largest workload needs {}{}.\n", device.device, printable(device.hardware),
                            device.freeBytes ? bytesText(*device.freeBytes, "B") : "an unknown amount", bytesText(preview->mostBytes, "B"),
                            device.tooLarge > 0 ? fmt::format(", {} will not fit", evaluations(device.tooLarge)) : "");
    }
    for (const auto& problem : preview->plan.problems) printNote(problem.error.toString());
    return finishOutput(writeStdout(text));
}

ExitCode runDataset(const RunOptions& options, const std::string& local, const PythonChoice& python)
{
    auto dataset = openDataset(local);
    if (!dataset) return fail(dataset.error());
    printProblems(**dataset);
    const std::string root = (*dataset)->root().string();
    auto request = options.continueId.empty() ? makeRequest(options, *dataset) : makeContinuation(options, *dataset);
    if (!request) return fail(request.error());
    if (!options.savePreset.empty()) {
        if (auto saved = savePreset(presetFolder(), options.savePreset, *request); !saved) return fail(saved.error());
    }
    // A preset or record names its interpreter; --python wins.
    if (request->python.empty() || !options.python.empty()) request->python = python.interpreter;
    if (options.dryRun) return showPreview(*request, options);

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
    if (!options.continueId.empty()) {
        const auto run = findRun(runRecordFolder(), options.continueId);
        if (!run) return fail(run.error());
        return runDataset(options, options.local.empty() ? run->record.root : options.local.front(), python);
    }
    for (const auto& root : options.local.empty() ? std::vector<std::string>{""} : options.local) {
        const ExitCode code = runDataset(options, root, python);
        worst = std::max(worst, code);
        if (wasInterrupted()) return interruptExitCode();
    }
    return worst;
}

}  // namespace

void addRunCommand(CLI::App& app, CommandContext& context)
{
    auto options = std::make_shared<RunOptions>();
    CLI::App* command = app.add_subcommand("run", "Run solutions on workloads and append the results to the dataset");
    addLocalOption(*command, options->local);
    addRunSelection(*command, *options);
    addRunEvaluation(*command, *options);
    command->add_flag("--save-results,!--no-save-results", options->saveResults,
                      "Append results to the dataset's traces, or don't (default: do)");
    command
        ->add_option("--python", options->python,
                     "Interpreter for references and Python solutions (see tracedeck doctor)")
        ->type_name("FILE");
    CLI::Option* again = command
        ->add_option("--continue", options->continueId, "Do what a recorded run did not get to, with its settings (see tracedeck runs)")
        ->type_name("ID");
    for (const char* other : {"--definitions", "--solutions", "--workloads", "--op-type", "--pair", "--only", "--resume", "--preset", "--config"}) again->excludes(other);
    command->add_option("--save-preset", options->savePreset, "Keep these settings under this name, for --preset and the window")->type_name("NAME");
    command->add_flag("--no-record", options->noRecord, "Don't keep a record of this run among the user's files");
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
