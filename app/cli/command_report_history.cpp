// SPDX-License-Identifier: GPL-3.0-or-later
#include <memory>

#include "app/cli/command_support.h"
#include "app/cli/commands.h"
#include "core/report/history_report.h"
#include "core/score/ranking.h"

namespace tracedeck::cli {

namespace {

struct TimelineOptions {
    std::vector<std::string> local;
    ScopeOptions scope;
    std::string by = "author";
    std::string measure = "speedup";
    std::string select = "newest";
    std::string outFile;
    OutputForm form;
};

Result<std::shared_ptr<const Dataset>> openOne(const TimelineOptions& options)
{
    if (options.local.size() > 1) return Error{ErrorCode::Usage, "this report shows one dataset: give --local once", {}, 0, {}};
    auto datasets = openDatasets(options.local);
    if (!datasets) return datasets.error();
    if (const auto checked = checkScopeNames(*datasets->front(), {options.scope.opType, options.scope.definition, options.scope.hardware}, {}); !checked) return checked.error();
    return datasets->front();
}

ExitCode runHistory(const TimelineOptions& options)
{
    const auto dataset = openOne(options);
    if (!dataset) return fail(dataset.error());
    // The options checked these names.
    const HistoryBy by = historyByFromString(options.by).value_or(HistoryBy::Author);
    const HistoryMeasure measure = historyMeasureFromString(options.measure).value_or(HistoryMeasure::Speedup);
    const auto found = history(**dataset, options.scope.filter(), by, measure);
    if (!found) return fail(found.error());
    const std::string text = options.form.isJson()  ? jsonText(historyDocument(**dataset, *found, by, measure))
                             : options.form.table() ? tableText(historyTable(**dataset, *found), *options.form.table())
                                                    : historyText(*found, by, measure);
    return finishOutput(writeOutput(text, options.outFile));
}

ExitCode runFailures(const TimelineOptions& options)
{
    const auto dataset = openOne(options);
    if (!dataset) return fail(dataset.error());
    const auto groups = failureGroups(**dataset, options.scope.filter(), options.select == "all" ? SelectionPolicy::All : SelectionPolicy::Newest);
    if (!groups) return fail(groups.error());
    const std::string text = options.form.isJson()  ? jsonText(failuresDocument(**dataset, *groups))
                             : options.form.table() ? tableText(failuresTable(**dataset, *groups), *options.form.table())
                                                    : failuresText(**dataset, *groups);
    return finishOutput(writeOutput(text, options.outFile));
}

CLI::App* addTimeline(CLI::App& report, CommandContext& context, const std::string& name, const std::string& description, const std::shared_ptr<TimelineOptions>& options,
                      ExitCode (*run)(const TimelineOptions&))
{
    CLI::App* command = report.add_subcommand(name, description);
    addLocalOption(*command, options->local);
    addScopeOptions(*command, options->scope);
    addFormOptions(*command, options->form, true);
    command->add_option("--out", options->outFile, "Write to this file instead of standard output")->type_name("FILE");
    command->callback([options, run, &context] { context.action = [options, run] { return run(*options); }; });
    return command;
}

}  // namespace

void addReportHistoryCommands(CLI::App& report, CommandContext& context)
{
    auto options = std::make_shared<TimelineOptions>();
    CLI::App* history = addTimeline(report, context, "history", "Results in the order of time, and the best ones up to each", options, runHistory);
    history->add_option("--by", options->by, "One series a solution, an author or a definition, on each GPU")->check(CLI::IsMember({"solution", "author", "definition"}))->capture_default_str();
    history->add_option("--measure", options->measure, "Speedup over the reference, or latency in ms")->check(CLI::IsMember({"speedup", "latency"}))->capture_default_str();
    CLI::App* failures = addTimeline(report, context, "failures", "Which failures are the same one: grouped by status and by what their logs say", options, runFailures);
    failures->add_option("--select", options->select, "Of several traces of a solution on a workload: the newest one, or all")->check(CLI::IsMember({"newest", "all"}))->capture_default_str();
}

}  // namespace tracedeck::cli
