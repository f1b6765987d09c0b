// SPDX-License-Identifier: GPL-3.0-or-later
#include <memory>

#include <fmt/format.h>

#include "app/cli/command_support.h"
#include "app/cli/commands.h"
#include "core/report/light_report.h"
#include "core/score/policy_view.h"
#include "core/score/ranking.h"

namespace tracedeck::cli {

namespace {

struct LightOptions {
    std::vector<std::string> local;
    std::string opType;
    std::string definition;
    std::string solution;
    std::string hardware;
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
    if (const auto checked = checkScopeNames(dataset, {options.opType, options.definition, options.hardware}, options.baseline); !checked) return fail(checked.error());
    LightQuestion question;
    for (const auto& [name, names] : {std::pair{&options.opType, &question.filter.opTypes}, std::pair{&options.definition, &question.filter.definitions},
                                      std::pair{&options.solution, &question.filter.solutions}, std::pair{&options.hardware, &question.filter.hardware}}) {
        if (!name->empty()) names->insert(*name);
    }
    question.baselineAuthor = options.baseline.empty() ? defaultBaselineAuthor(dataset) : options.baseline;
    question.policy = policyOfText(options.select).value_or(SelectionPolicy::Newest);   // the option checked the name
    question.ceilings = &*ceilings;
    const auto table = lightTable(dataset, question);
    if (!table) return fail(table.error());
    if (table->withoutCeiling > 0) printNote(fmt::format("{} traces are of hardware whose ceilings are not known: name them in a file (--ceilings)", table->withoutCeiling));
    if (table->withoutSize > 0) printNote(fmt::format("{} traces are on workloads whose size is not known", table->withoutSize));
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
    CLI::Option* opType = command->add_option("--op-type", options->opType, "Only definitions of this op_type")->type_name("T");
    command->add_option("--definition", options->definition, "Only this definition")->type_name("D")->excludes(opType);
    command->add_option("--solution", options->solution, "Only this solution")->type_name("S");
    command->add_option("--hardware", options->hardware, "Only traces measured on this hardware")->type_name("H");
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
