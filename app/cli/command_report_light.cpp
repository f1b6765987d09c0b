// SPDX-License-Identifier: GPL-3.0-or-later
#include <memory>

#include "app/cli/command_support.h"
#include "app/cli/commands.h"
#include "core/report/light_report.h"
#include "core/score/policy_view.h"
#include "core/score/ranking.h"

namespace tracedeck::cli {

namespace {

struct LightOptions {
    std::vector<std::string> local;
    ScopeOptions scope;
    std::string baseline;
    std::string select = "newest";
    std::string ceilings;
    bool printsCeilings = false;
    std::string outFile;
    OutputForm form;
};

ExitCode runLight(const LightOptions& options)
{
    const auto ceilings = ceilingsOf(options.ceilings);
    if (!ceilings) return fail(ceilings.error());
    if (options.printsCeilings) return finishOutput(writeOutput(jsonText(ceilings->document()), options.outFile));
    if (options.local.size() > 1) return fail({ErrorCode::Usage, "report light shows one dataset: give --local once", {}, 0, {}});
    const auto datasets = openForPolicy(options.local, options.select);
    if (!datasets) return fail(datasets.error());
    const Dataset& dataset = *datasets->front();
    if (const auto checked = checkScopeNames(dataset, {options.scope.opType, options.scope.definition, options.scope.hardware}, options.baseline); !checked) return fail(checked.error());
    LightQuestion question;
    question.filter = options.scope.filter();
    question.baselineAuthor = options.baseline.empty() ? defaultBaselineAuthor(dataset) : options.baseline;
    question.policy = policyOfText(options.select).value_or(SelectionPolicy::Newest);   // the option checked the name
    question.ceilings = &*ceilings;
    const auto table = lightTable(dataset, question);
    if (!table) return fail(table.error());
    noteWithoutLight(table->withoutCeiling, table->withoutSize);
    for (const std::string& problem : table->problems) printNote(problem);
    const std::string text = options.form.isJson()  ? jsonText(lightDocument(dataset, *table, question))
                             : options.form.table() ? tableText(lightTraceTable(dataset, *table), *options.form.table())
                                                    : lightText(*table);
    return finishOutput(writeOutput(text, options.outFile));
}

}  // namespace

void addReportLightCommand(CLI::App& report, CommandContext& context)
{
    auto options = std::make_shared<LightOptions>();
    CLI::App* command = report.add_subcommand("light", "How near solutions come to the speed of light: the shortest time that their bytes and operations can take");
    addLocalOption(*command, options->local);
    addScopeOptions(*command, options->scope);
    command->add_option("--baseline", options->baseline, "Author of the baseline solutions, which score 0.5 (default: baseline, else flashinfer)")->type_name("AUTHOR");
    command->add_option("--select,--policy", options->select, "Which of several traces of a solution on a workload counts")
        ->check(policyCheck())
        ->capture_default_str();
    addCeilingsOption(*command, options->ceilings);
    command->add_flag("--print-ceilings", options->printsCeilings, "Print what is known of GPUs, in the form of such a file");
    addFormOptions(*command, options->form, true);
    command->add_option("--out", options->outFile, "Write to this file instead of standard output")->type_name("FILE");
    command->callback([options, &context] { context.action = [options] { return runLight(*options); }; });
}

}  // namespace tracedeck::cli
