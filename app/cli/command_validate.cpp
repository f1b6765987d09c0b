// SPDX-License-Identifier: GPL-3.0-or-later
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <stop_token>

#include "app/cli/command_support.h"
#include "app/cli/commands.h"
#include "app/cli/interrupts.h"
#include "app/cli/run_progress.h"
#include "core/io/read_file.h"
#include "core/report/validation_files.h"
#include "core/report/validation.h"
#include "core/run/python_environment.h"
#include "core/run/validation_runs.h"

namespace tracedeck::cli {

namespace {

struct ValidateOptions {
    std::string local;
    std::vector<std::string> checks;
    std::vector<std::string> opTypes;
    std::vector<std::string> definitions;
    std::vector<std::string> outputs;
    std::string outputFolder;
    std::vector<std::string> devices;
    std::string python;
    bool disableGpu = false;
    bool json = false;
    bool strict = false;

    [[nodiscard]] bool hasOutput(const std::string& target) const
    {
        return std::find(outputs.begin(), outputs.end(), target) != outputs.end();
    }
};

Result<std::optional<std::vector<Check>>> parseChecks(const std::vector<std::string>& names)
{
    if (names.empty()) return std::optional<std::vector<Check>>();
    std::vector<Check> checks;
    for (const std::string& name : names) {
        const auto check = checkFromString(name);
        if (!check) {
            return Error{ErrorCode::Usage,
                         "unknown check '" + name +
                             "', valid: layout, definition, workload, solution, trace, baseline, benchmark, dataset",
                         {},
                         0,
                         {}};
        }
        if (std::find(checks.begin(), checks.end(), *check) == checks.end()) checks.push_back(*check);
    }
    return std::optional(std::move(checks));
}

/// Shows on stderr what is run, and asks for a stop after an interrupt.
ValidationRuns::Listener showRun(std::optional<RunProgress>& progress, std::stop_source& stop)
{
    ValidationRuns::Listener listener;
    listener.onBegin = [] { watchInterrupts(); };   // until then there is nothing to end in order
    listener.onStart = [&progress](const RunPlan& plan) { progress.emplace(plan, LogLevel::Info, ::isatty(STDERR_FILENO) == 1); };
    listener.onEvent = [&progress](const RunEvent& event) { progress->handle(event); };
    listener.onTick = [&progress, &stop] {
        progress->redraw();
        if (wasInterrupted() && stop.request_stop()) {
            progress->say(LogLevel::Warning, "Cancelling: what is running is stopped (press Ctrl-C again to leave at once)");
        }
    };
    listener.onEnd = [&progress] { progress->clear(); };
    return listener;
}

Result<ValidationReport> validate(const ValidationRequest& request, const ValidateOptions& options)
{
    if (options.disableGpu) return validateDataset(request);
    std::optional<RunProgress> progress;
    std::stop_source stop;
    auto runs = ValidationRuns::create(options.devices, choosePython("", options.python), showRun(progress, stop));
    if (!runs) return runs.error();
    return validateDataset(request, stop.get_token(), runs->get());
}

ExitCode runValidate(ValidateOptions options)
{
    if (options.outputs.empty()) {
        options.outputs = options.outputFolder.empty() ? std::vector<std::string>{"stdout"}
                                                       : std::vector<std::string>{"stdout", "json", "text"};
    }
    auto checks = parseChecks(options.checks);
    if (!checks) return fail(checks.error());
    ValidationRequest request;
    request.root = Dataset::resolveRoot(options.local);
    request.checks = std::move(*checks);
    request.disableGpu = options.disableGpu;
    request.opTypes = options.opTypes;
    request.definitions = options.definitions;
    const auto report = validate(request, options);
    if (wasInterrupted()) return interruptExitCode();
    if (!report) return fail(report.error());

    const std::string text = validationText(*report);
    const std::string json = jsonText(validationDocument(*report));
    if (options.hasOutput("json") || options.hasOutput("text")) {
        const std::filesystem::path folder =
            options.outputFolder.empty() ? request.root / "reports" : std::filesystem::path(options.outputFolder);
        const auto written = writeReportFiles(folder, options.hasOutput("json") ? &json : nullptr,
                                              options.hasOutput("text") ? &text : nullptr);
        if (!written) return finishOutput(written);
    }
    if (options.json || options.hasOutput("stdout")) {
        if (const auto written = writeStdout(options.json ? json : text); !written) return finishOutput(written);
    }
    const CheckLevel limit = options.strict ? CheckLevel::Warning : CheckLevel::Error;
    return report->status() >= limit ? ExitCode::Failed : ExitCode::Done;
}

struct RenderOptions {
    std::string report;
    std::string output;
};

ExitCode runRender(const RenderOptions& options)
{
    constexpr std::uint64_t kMaximumReportBytes = std::uint64_t{1} << 30U;
    const auto text = readWholeFile(options.report, kMaximumReportBytes);
    if (!text) return fail(text.error());
    const auto report = parseValidationReport(*text);
    if (!report) {
        Error error = report.error();
        error.file = options.report;
        return fail(error);
    }
    return finishOutput(writeOutput(validationText(*report), options.output));
}

}  // namespace

void addValidateCommand(CLI::App& app, CommandContext& context)
{
    auto options = std::make_shared<ValidateOptions>();
    CLI::App* command =
        app.add_subcommand("validate", "Check a dataset as flashinfer-bench does, and the dataset as a whole");
    command->footer("Checks: layout, definition, workload, solution, trace, baseline and benchmark are flashinfer-bench's. "
                    "dataset is Tracedeck's own: orphans,\n"
                    "names and uuids used twice, dtypes of blobs, links and paths that lead out of the folder, files "
                    "that no other check sees,\n"
                    "latencies and times that cannot be true. Problem folders of SOL-ExecBench are checked by that dialect's rules.\n"
                    "Exit code 1: a check has an error (with --strict: or a warning).");
    command
        ->add_option("--local,--dataset", options->local,
                     "Dataset folder (default: $FIB_DATASET_PATH, else ~/.cache/flashinfer_bench/dataset)")
        ->type_name("DIR");
    command
        ->add_option(
            "--checks", options->checks,
            "Only these checks, separated by commas (default: all; dataset only without the two filters below)")
        ->delimiter(',')
        ->type_name("NAME,…");
    command->add_flag("--disable-gpu", options->disableGpu,
                      "Run no code: neither builds of references and baseline solutions nor the check benchmark");
    command
        ->add_option("--device", options->devices,
                     "Where code is run: cuda:N, all or cpu; several, or several times (default: every CUDA device; without one no code "
                     "is run, and the report says so)")
        ->type_name("DEVICE");
    command
        ->add_option("--python", options->python, "Interpreter for references and Python solutions (see tracedeck doctor)")
        ->type_name("FILE");
    command->add_option("--op-types", options->opTypes, "Only definitions of these op_types, or named by --definitions")
        ->type_name("X…");
    command->add_option("--definitions", options->definitions, "Only these definitions, or those of --op-types")
        ->type_name("X…");
    command
        ->add_option("--output-folder", options->outputFolder, "Folder for report files (default: <dataset>/reports)")
        ->type_name("DIR");
    command
        ->add_option("--outputs", options->outputs,
                     "Where the report goes, any of stdout, json and text (files). Default: stdout alone, so that "
                     "nothing is written into a dataset "
                     "unasked; all three with --output-folder")
        ->delimiter(',')
        ->check(CLI::IsMember({"stdout", "json", "text"}))
        ->type_name("TARGET,…");
    command->add_flag("--json", options->json, "Print the report as one JSON document instead of text");
    command->add_flag("--strict", options->strict, "Exit code 1 for warnings, too");
    command->callback([options, &context] { context.action = [options] { return runValidate(*options); }; });

    auto renderOptions = std::make_shared<RenderOptions>();
    CLI::App* render =
        app.add_subcommand("validate-render", "Show a JSON report of validate, also of flashinfer-bench, as text");
    render->add_option("report", renderOptions->report, "The JSON report")->required()->type_name("FILE");
    render->add_option("--output", renderOptions->output, "Write to this file instead of standard output")
        ->type_name("FILE");
    render->callback(
        [renderOptions, &context] { context.action = [renderOptions] { return runRender(*renderOptions); }; });
}

}  // namespace tracedeck::cli
