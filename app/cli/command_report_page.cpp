// SPDX-License-Identifier: GPL-3.0-or-later
#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "app/cli/command_support.h"
#include "app/cli/commands.h"
#include "core/io/child_process.h"
#include "core/io/trace_writer.h"
#include "core/report/dataset_report.h"
#include "core/report/html_report.h"
#include "core/report/markdown_report.h"
#include "core/report/text_table.h"
#include "core/run/scratch_folder.h"
#include "core/score/comparison.h"
#include "core/score/policy_view.h"

namespace tracedeck::cli {

namespace {

struct PageOptions {
    std::vector<std::string> local;
    std::string baseline;
    std::string opType;
    std::string definition;
    std::string hardware;
    std::string author;
    std::string run;
    std::string since;
    std::string until;
    std::string policy = "all";
    std::string date;
    std::string outFile;
    bool png = false;
    bool json = false;
};

Result<DatasetReport> gather(const PageOptions& options)
{
    if (options.local.size() > 1) return Error{ErrorCode::Usage, "a report is about one dataset: give --local once (tracedeck merge makes one of several)", {}, 0, {}};
    auto datasets = openForPolicy(options.local, options.policy);
    if (!datasets) return datasets.error();
    ReportQuestion question;
    question.opType = options.opType;
    question.definition = options.definition;
    question.hardware = options.hardware;
    question.author = options.author;
    question.baselineAuthor = options.baseline;
    question.policy = policyOfText(options.policy).value_or(SelectionPolicy::All);   // the option checked the name
    question.date = options.date;
    ComparisonSide side{datasets->front(), {}};
    for (const auto& [key, value] : {std::pair{"run=", &options.run}, std::pair{"since=", &options.since}, std::pair{"until=", &options.until}}) {
        if (value->empty()) continue;
        if (const auto added = addToSide(side, key + *value); !added) return added.error();
        question.scopeText += fmt::format("{}{} {}", question.scopeText.empty() ? "" : ", ", std::string(key, std::string_view(key).size() - 1), *value);
    }
    question.filter = side.filter;
    return datasetReport(datasets->front(), std::move(question));
}

/// With --json: says which file was written.
ExitCode finishPage(const PageOptions& options, const Result<void>& written)
{
    if (!written || !options.json) return finishOutput(written);
    return finishOutput(writeStdout(jsonText(Json{{"files", Json::array({toValidUtf8(options.outFile)})}})));
}

ExitCode runHtml(const PageOptions& options)
{
    const auto report = gather(options);
    if (!report) return fail(report.error());
    return finishPage(options, writeOutput(htmlReport(*report).html, options.outFile));
}

ExitCode runMarkdown(const PageOptions& options)
{
    const auto report = gather(options);
    if (!report) return fail(report.error());
    return finishPage(options, writeOutput(markdownReport(*report), options.outFile));
}

/// Has tracedeck-gui, which lies beside this program and has Qt, do what it takes to lay out pages and draw pixels. Off-screen.
Result<void> printByWindow(std::vector<std::string> arguments)
{
    constexpr double kPatienceSeconds = 600;
    std::error_code error;
    const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error).parent_path() / "tracedeck-gui";
    if (error || !std::filesystem::exists(program, error)) {
        return Error{ErrorCode::Unsupported, "PDF and PNG are made by tracedeck-gui, which is not beside this program; report html needs nothing, and any browser prints it", program.string(), 0, {}};
    }
    ChildSpec spec;
    spec.command = {program.string()};
    spec.command.insert(spec.command.end(), arguments.begin(), arguments.end());
    spec.environment = {{"QT_QPA_PLATFORM", "offscreen"}};
    const auto run = runCaptured(spec, {.timeoutSeconds = kPatienceSeconds});
    if (!run) return run.error();
    if (run->timedOut || !run->exit.succeeded()) return Error{ErrorCode::ProcessFailed, "tracedeck-gui could not draw it: " + (run->timedOut ? std::string("it took too long") : run->errorOutput), {}, 0, {}};
    return {};
}

ExitCode runPdf(const PageOptions& options)
{
    if (options.outFile.empty()) return fail({ErrorCode::Usage, "name the PDF with --out", {}, 0, {}});
    const auto report = gather(options);
    if (!report) return fail(report.error());
    const auto folder = ScratchFolder::create(std::filesystem::temp_directory_path(), "tracedeck-report-");
    if (!folder) return fail(folder.error(), ExitCode::Failed);
    const HtmlReport page = htmlReport(*report, HtmlForm::Paper);
    if (const auto written = writeFileAtomically(folder->path() / "report.html", page.html); !written) return fail(written.error(), ExitCode::Failed);
    for (const PagePicture& picture : page.pictures) {
        if (const auto written = writeFileAtomically(folder->path() / picture.name, picture.svg); !written) return fail(written.error(), ExitCode::Failed);
    }
    const std::filesystem::path out = std::filesystem::absolute(options.outFile);
    return finishPage(options, printByWindow({"--print-report", folder->path().string(), "--out", out.string()}));
}

ExitCode runCharts(const PageOptions& options)
{
    if (options.outFile.empty()) return fail({ErrorCode::Usage, "report charts writes a file for each chart: name a folder with --out", {}, 0, {}});
    const auto report = gather(options);
    if (!report) return fail(report.error());
    const std::filesystem::path folder = options.outFile;
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error) return fail({ErrorCode::Io, "cannot make the folder: " + error.message(), folder.string(), 0, {}}, ExitCode::Failed);
    const auto pictures = reportPictures(*report);
    for (const PagePicture& picture : pictures) {
        if (const auto written = writeFileAtomically(folder / picture.name, picture.svg); !written) return fail(written.error(), ExitCode::Failed);
    }
    if (options.png) {
        if (const auto drawn = printByWindow({"--print-report", std::filesystem::absolute(folder).string()}); !drawn) return fail(drawn.error(), ExitCode::Failed);
    }
    if (!options.json) return finishOutput(writeStdout(fmt::format("{} charts in {}\n", pictures.size(), printable(folder.string()))));
    Json files = Json::array();
    for (const PagePicture& picture : pictures) files.push_back(toValidUtf8((folder / picture.name).string()));
    return finishOutput(writeStdout(jsonText(Json{{"files", std::move(files)}})));
}

CLI::App* addPage(CLI::App& report, CommandContext& context, const std::string& name, const std::string& description, ExitCode (*run)(const PageOptions&))
{
    auto options = std::make_shared<PageOptions>();
    CLI::App* command = report.add_subcommand(name, description);
    addLocalOption(*command, options->local);
    CLI::Option* opType = command->add_option("--op-type", options->opType, "Only definitions of this op_type")->type_name("T");
    command->add_option("--definition", options->definition, "Only this definition")->type_name("D")->excludes(opType);
    command->add_option("--author", options->author, "Only this author's solutions, beside the baseline's")->type_name("A");
    command->add_option("--hardware", options->hardware, "Only traces measured on this hardware (default: each machine by itself)")->type_name("H");
    command->add_option("--run", options->run, "Only traces of one run: last, previous or a number from 1, the oldest")->type_name("RUN");
    command->add_option("--since", options->since, "Only traces from this time on, for example 2026-01-31T12:00:00")->type_name("TIME");
    command->add_option("--until", options->until, "Only traces up to this time")->type_name("TIME");
    command->add_option("--baseline", options->baseline, "Author whose solutions others are compared with (default: baseline, else flashinfer)")->type_name("AUTHOR");
    command->add_option("--policy", options->policy, "Which of several traces of a solution on a workload and a GPU counts (all: each rule chooses; charts show the newest)")
        ->check(policyCheck())
        ->type_name("POLICY")
        ->capture_default_str();
    command->add_option("--date", options->date, "Date to show (default: the newest trace's); the page holds no other clock")->type_name("TEXT");
    command->add_option("--out", options->outFile, "Write to this file instead of standard output")->type_name("FILE");
    command->add_flag("--json", options->json, "Print one JSON document that names the files written")->needs(command->get_option("--out"));
    if (run == runCharts) command->add_flag("--png", options->png, "Each as a PNG of twice the size, too (made by tracedeck-gui, off-screen)");
    command->callback([options, run, &context] { context.action = [options, run] { return run(*options); }; });
    return command;
}

}  // namespace

void addReportPageCommands(CLI::App& report, CommandContext& context)
{
    addPage(report, context, "html", "One page with everything, in one file: rankings, charts, heat maps, failures, sources; sorts, prints, needs no network", runHtml);
    addPage(report, context, "markdown", "The tables of that page as Markdown", runMarkdown);
    addPage(report, context, "pdf", "That page as a PDF, without the sources (made by tracedeck-gui, off-screen)", runPdf);
    addPage(report, context, "charts", "Every chart of that page as an SVG file, into the folder --out", runCharts);
}

}  // namespace tracedeck::cli
