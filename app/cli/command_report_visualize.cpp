// SPDX-License-Identifier: GPL-3.0-or-later
#include <memory>

#include "app/cli/command_support.h"
#include "app/cli/commands.h"
#include "core/report/bar_report.h"
#include "core/score/policy_view.h"

namespace tracedeck::cli {

namespace {

struct VisualizeOptions {
    std::vector<std::string> local;
    ScopeOptions scope;
    std::string by;
    std::string measure = "speedup";
    std::string baseline;
    std::string policy = "newest";
    std::string outFile;
    OutputForm form;
};

ExitCode runVisualize(const VisualizeOptions& options)
{
    if (options.local.size() > 1) return fail({ErrorCode::Usage, "report visualize shows one dataset: give --local once", {}, 0, {}});
    if (!options.scope.solution.empty()) return fail({ErrorCode::Usage, "bars are for comparing: there is none of one solution", {}, 0, {}});
    const auto datasets = openForPolicy(options.local, options.policy);
    if (!datasets) return fail(datasets.error());
    const Dataset& dataset = *datasets->front();
    BarQuestion question;
    const std::string by = !options.by.empty() ? options.by : options.measure == "latency" ? "workload" : "author";
    question.by = barsByFromString(by).value_or(BarsBy::Author);   // the option checked the name
    question.latency = options.measure == "latency";
    question.baseline = options.baseline.empty() ? defaultBaselineAuthor(dataset) : options.baseline;
    question.scope = {options.scope.opType, options.scope.definition, options.scope.hardware, policyOfText(options.policy).value_or(SelectionPolicy::Newest)};
    if (question.by == BarsBy::Workload && question.scope.definition.empty() && dataset.definitions().size() == 1) question.scope.definition = dataset.definitions().front()->name;
    const auto chart = barChart(dataset, question);
    if (!chart) return fail(chart.error());
    return finishOutput(writeOutput(options.form.isJson() ? jsonText(barDocument(*chart)) : options.form.table() ? tableText(barTable(*chart), *options.form.table()) : barText(*chart), options.outFile));
}

}  // namespace

void addReportVisualizeCommand(CLI::App& report, CommandContext& context)
{
    auto options = std::make_shared<VisualizeOptions>();
    CLI::App* command = report.add_subcommand("visualize", "Bars for the terminal: speedups of authors or solutions, or latencies and speedups on each workload");
    addLocalOption(*command, options->local);
    addScopeOptions(*command, options->scope);
    command->add_option("--by", options->by, "What bars are of: author, solution, or workload (of one definition); default: author, for latencies workload")->check(CLI::IsMember({"author", "solution", "workload"}));
    command->add_option("--measure", options->measure, "How long they are")->check(CLI::IsMember({"speedup", "latency"}))->capture_default_str();
    command->add_option("--baseline", options->baseline, "Author whose solutions are compared with (default: baseline, else flashinfer)")->type_name("AUTHOR");
    command->add_option("--policy", options->policy, "Which of several traces of a solution on a workload and a GPU counts")->check(policyCheck())->type_name("POLICY")->capture_default_str();
    addFormOptions(*command, options->form, true);
    command->add_option("--out", options->outFile, "Write to this file instead of standard output")->type_name("FILE");
    command->callback([options, &context] { context.action = [options] { return runVisualize(*options); }; });
}

}  // namespace tracedeck::cli
