// SPDX-License-Identifier: GPL-3.0-or-later
// import and export: results from and for other programs.
#include <memory>

#include "app/cli/command_support.h"
#include "app/cli/commands.h"
#include "core/interchange/interchange.h"
#include "core/score/policy_view.h"

namespace tracedeck::cli {

namespace {

struct ImportOptions {
    std::vector<std::string> files;
    std::string out;
    std::string from = "auto";
    std::string kind;
    std::string author;
    bool json = false;
};

ExitCode runImport(const ImportOptions& options)
{
    ImportRequest request;
    request.files.assign(options.files.begin(), options.files.end());
    request.target = options.out;
    request.format = interchangeFormatFromString(options.from);   // the option checked the name; nothing for auto
    request.kind = options.kind;
    request.author = options.author;
    const auto report = importResults(request);
    if (!report) return fail(report.error());
    const auto written = writeStdout(options.json ? jsonText(importDocument(*report)) : importText(*report));
    if (!written) return finishOutput(written);
    return report->isComplete() ? ExitCode::Done : ExitCode::Failed;
}

struct ExportOptions {
    std::vector<std::string> local;
    ScopeOptions scope;
    std::string to;
    std::string out;
    std::string baseline;
    std::string policy;
    bool json = false;
};

ExitCode runExport(const ExportOptions& options)
{
    if (options.local.size() > 1) return fail({ErrorCode::Usage, "export writes the results of one dataset: give --local once", {}, 0, {}});
    ExportRequest request;
    request.format = interchangeFormatFromString(options.to).value_or(InterchangeFormat::KernelsBenchmarks);   // the option checked the name
    request.out = options.out;
    request.opType = options.scope.opType;
    request.definition = options.scope.definition;
    request.solution = options.scope.solution;
    request.hardware = options.scope.hardware;
    request.baseline = options.baseline;
    if (!options.policy.empty()) request.policy = policyOfText(options.policy);
    if (request.policy == SelectionPolicy::Pooled) return fail({ErrorCode::Usage, "pooled figures are of no single run: choose another policy", {}, 0, {}});
    const auto datasets = openForPolicy(options.local, options.policy.empty() ? "all" : options.policy);
    if (!datasets) return fail(datasets.error());
    const auto report = exportResults(*datasets->front(), request);
    if (!report) return fail(report.error());
    return finishOutput(writeStdout(options.json ? jsonText(exportDocument(*report, request.format)) : exportText(*report, request.format)));
}

}  // namespace

void addInterchangeCommands(CLI::App& app, CommandContext& context)
{
    auto importOptions = std::make_shared<ImportOptions>();
    CLI::App* importing = app.add_subcommand("import", "Make a dataset from results of other programs");
    importing->footer(
        "Implementations become solutions, workloads and the times of single calls are kept, as is each record for `export`.\n"
        "What cannot be carried over is listed. Exit code 1: a line or state was left out; the problems name file, line and field.");
    importing->add_option("files", importOptions->files, "Files of kernels-benchmarks records (JSONL) or of nvbench (JSON)")->required()->type_name("FILE…");
    importing->add_option("--out", importOptions->out, "New or empty folder")->required()->type_name("DIR");
    importing->add_option("--from", importOptions->from, "What the files are: hf (kernels-benchmarks) or nvbench")->check(CLI::IsMember({"auto", "hf", "nvbench"}))->capture_default_str();
    importing->add_option("--kind", importOptions->kind, "Kind of kernel of kernels-benchmarks records (default: each file's name without extension)")->type_name("K");
    importing->add_option("--author", importOptions->author, "Author of all solutions (default: the tag 'family', or the file's name)")->type_name("AUTHOR");
    importing->add_flag("--json", importOptions->json, "Print one JSON document");
    importing->callback([importOptions, &context] { context.action = [importOptions] { return runImport(*importOptions); }; });

    auto exportOptions = std::make_shared<ExportOptions>();
    CLI::App* exporting = app.add_subcommand("export", "Write results in the form of other programs");
    exporting->footer("The same data gives the same bytes. What was exported, imported and exported again is identical. What cannot be carried over is listed.");
    addLocalOption(*exporting, exportOptions->local);
    exporting->add_option("--to", exportOptions->to, "hf: kernels-benchmarks records; nvbench: its JSON, with files of sample times beside it; winp: the table of the win@p script")
        ->required()
        ->check(CLI::IsMember({"hf", "nvbench", "winp"}));
    exporting->add_option("--out", exportOptions->out, "File to write; hf: a .jsonl file for one kind of kernel, else a folder for a file each")->required()->type_name("PATH");
    addScopeOptions(*exporting, exportOptions->scope);
    exporting->add_option("--baseline", exportOptions->baseline, "winp: author whose solutions are compared with (default: baseline, else flashinfer)")->type_name("AUTHOR");
    exporting->add_option("--policy", exportOptions->policy, "Which of several traces of a solution on a workload and a GPU counts (default: all; nvbench: newest)")->check(policyCheck())->type_name("POLICY");
    exporting->add_flag("--json", exportOptions->json, "Print one JSON document");
    exporting->callback([exportOptions, &context] { context.action = [exportOptions] { return runExport(*exportOptions); }; });
}

}  // namespace tracedeck::cli
