// SPDX-License-Identifier: GPL-3.0-or-later
#include <memory>
#include <optional>

#include "app/cli/command_support.h"
#include "app/cli/commands.h"
#include "core/report/error_report.h"
#include "core/score/policy_view.h"
#include "core/score/ranking.h"

namespace tracedeck::cli {

namespace {

struct ErrorOptions {
    std::vector<std::string> local;
    ScopeOptions scope;
    std::string select = "newest";
    std::optional<double> atol;
    std::optional<double> rtol;
    std::string outFile;
    OutputForm form;
};

ExitCode runErrors(const ErrorOptions& options)
{
    if (options.local.size() > 1) return fail({ErrorCode::Usage, "report errors shows one dataset: give --local once", {}, 0, {}});
    const auto datasets = openForPolicy(options.local, options.select);
    if (!datasets) return fail(datasets.error());
    const Dataset& dataset = *datasets->front();
    if (const auto checked = checkScopeNames(dataset, {options.scope.opType, options.scope.definition, options.scope.hardware}, {}); !checked) return fail(checked.error());
    ErrorQuestion question;
    question.filter = options.scope.filter();
    question.policy = policyOfText(options.select).value_or(SelectionPolicy::Newest);   // the option checked the name
    if (options.atol || options.rtol) question.tolerance = {options.atol.value_or(ErrorTolerance{}.atol), options.rtol.value_or(ErrorTolerance{}.rtol)};
    const auto table = errorTable(dataset, question);
    if (!table) return fail(table.error());
    const std::string text = options.form.isJson()  ? jsonText(errorDocument(dataset, *table))
                             : options.form.table() ? tableText(errorTraceTable(dataset, *table), *options.form.table())
                                                    : errorText(*table);
    return finishOutput(writeOutput(text, options.outFile));
}

}  // namespace

void addReportErrorsCommand(CLI::App& report, CommandContext& context)
{
    auto options = std::make_shared<ErrorOptions>();
    CLI::App* command = report.add_subcommand("errors", "How far outputs are from the expected ones, and what is within a tolerance for certain");
    addLocalOption(*command, options->local);
    addScopeOptions(*command, options->scope);
    command->add_option("--select,--policy", options->select, "Which of several traces of a solution on a workload counts")
        ->check(policyCheck())
        ->capture_default_str();
    command->add_option("--atol", options->atol, "Absolute tolerance (default: the workload's own, else 0.01)")->check(CLI::NonNegativeNumber)->type_name("F");
    command->add_option("--rtol", options->rtol, "Relative tolerance (default: the workload's own, else 0.01)")->check(CLI::NonNegativeNumber)->type_name("F");
    addFormOptions(*command, options->form, true);
    command->add_option("--out", options->outFile, "Write to this file instead of standard output")->type_name("FILE");
    command->callback([options, &context] { context.action = [options] { return runErrors(*options); }; });
}

}  // namespace tracedeck::cli
