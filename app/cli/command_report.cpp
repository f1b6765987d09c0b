// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <functional>
#include <memory>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/cli/command_support.h"
#include "app/cli/commands.h"
#include "core/report/report.h"
#include "core/report/report_tables.h"
#include "core/report/workload_tensors.h"
#include "core/score/light_times.h"
#include "core/score/pins.h"
#include "core/score/policy_view.h"

namespace tracedeck::cli {

namespace {

struct ReportOptions {
    std::vector<std::string> local;
    std::string baseline;
    std::string opType;
    std::string definition;
    std::string hardware;
    std::string outFile;
    std::string by = "author";
    std::string metric = "format";
    std::string preset = "site";
    std::string policy = "all";
    std::string workload;
    std::vector<double> places;   ///< values of p
    std::vector<std::string> groupBy;
    std::vector<std::string> pins;
    std::string ceilings;
    bool light = false;
    bool sampled = false;
    bool compat = false;
    OutputForm form;

    [[nodiscard]] RankingRule rule() const { return compat ? RankingRule::Compat : RankingRule::Format; }
    [[nodiscard]] RankBy rankBy() const { return by == "solution" ? RankBy::Solution : RankBy::Author; }
    [[nodiscard]] SelectionPolicy selectedPolicy() const { return policyOfText(policy).value_or(SelectionPolicy::All); }   // the option checked the name
    [[nodiscard]] std::string baselineOf(const Dataset& dataset) const { return baseline.empty() ? defaultBaselineAuthor(dataset) : baseline; }
    [[nodiscard]] RankingScope scope() const { return {opType, definition, hardware, selectedPolicy()}; }
};

using Datasets = std::vector<std::shared_ptr<const Dataset>>;

Result<Datasets> openChecked(const ReportOptions& options)
{
    auto datasets = openForPolicy(options.local, options.policy);
    if (!datasets) return datasets.error();
    for (const auto& dataset : *datasets) {
        if (const auto checked = checkScopeNames(*dataset, options.scope(), options.baseline); !checked) return checked.error();
    }
    return datasets;
}

ExitCode writeForms(const ReportOptions& options, std::vector<Json> documents, const std::vector<std::string>& texts)
{
    return finishOutput(writeOutput(options.form.isJson() ? jsonText(std::move(documents)) : joinDatasetTexts(texts), options.outFile));
}

/// What can be written of one dataset, each made when it is asked for.
struct Forms {
    std::function<Json()> document;
    std::function<std::string()> text;
    std::function<std::string(TableFormat)> table;   ///< null: it is no table
};

/// A report on each dataset.
template <class Make>
ExitCode runReport(const ReportOptions& options, Make make)
{
    if (options.form.table() && options.local.size() > 1) return fail({ErrorCode::Usage, "a table is of one dataset: give --local once", {}, 0, {}});
    const auto datasets = openChecked(options);
    if (!datasets) return fail(datasets.error());
    std::vector<Json> documents;
    std::vector<std::string> texts;
    for (const auto& dataset : *datasets) {
        const Result<Forms> forms = make(*dataset);
        // The options were checked: what fails now, unless it is a pin, is the ranking as flashinfer-bench does it.
        if (!forms) return forms.error().code == ErrorCode::Usage ? fail(forms.error()) : fail(forms.error(), ExitCode::Failed);
        if (options.form.isJson()) documents.push_back(forms->document());
        else texts.push_back(options.form.table() ? forms->table(*options.form.table()) : forms->text());
    }
    return writeForms(options, std::move(documents), texts);
}

ExitCode runSummary(const ReportOptions& options)
{
    return runReport(options, [&options](const Dataset& dataset) -> Result<Forms> {
        auto summary = summarize(dataset, options.baselineOf(dataset), options.scope(), options.rule());
        if (!summary) return summary.error();
        const auto kept = std::make_shared<const Summary>(*std::move(summary));
        return Forms{[kept] { return summaryDocument(*kept); }, [kept] { return summaryText(*kept); }, [kept](TableFormat format) { return tableText(summaryTable(*kept), format); }};
    });
}

/// Says on stderr what an output without room for it leaves unsaid.
void noteUnusableLatencies(const Dataset& dataset, const ReportOptions& options)
{
    if (const std::string note = unusableLatenciesText(countUnusableLatencies(dataset, options.scope())); !note.empty()) printNote(note);
}

ExitCode runBest(const ReportOptions& options)
{
    return runReport(options, [&options](const Dataset& dataset) -> Result<Forms> {
        if ((options.form.isJson() || options.form.table()) && !options.compat) noteUnusableLatencies(dataset, options);
        return Forms{[&] { return bestDocument(dataset, options.scope(), options.rule()); }, [&] { return bestText(dataset, options.scope(), options.rule()); },
                     [&](TableFormat format) { return tableText(bestTable(dataset, bestTraces(dataset, options.scope(), options.rule())), format); }};
    });
}

ExitCode runRank(const ReportOptions& options)
{
    const RankMetric metric = rankMetricFromString(options.metric).value_or(RankMetric::Format);   // the option checked the name
    if (options.compat && metric != RankMetric::Format) {
        return fail({ErrorCode::Usage, "flashinfer-bench has one score only, that of the format: --compat goes with --metric format", {}, 0, {}});
    }
    return runReport(options, [&options, metric](const Dataset& dataset) -> Result<Forms> {
        auto ranked = rankTable(dataset, options.baselineOf(dataset), options.scope(), options.rankBy(), options.rule(), metric);
        if (!ranked) return ranked.error();
        const auto pins = pinsFromTexts(dataset, options.pins);
        if (!pins) return pins.error();
        if (!pins->empty()) addPinnedChanges(*ranked, dataset, PinnedLatencies(dataset, *pins, options.selectedPolicy()));
        const auto table = std::make_shared<const RankTable>(*std::move(ranked));
        return Forms{[table] { return rankDocument(*table); }, [table] { return rankText(*table); }, [table](TableFormat format) { return tableText(rankTableToWrite(*table), format); }};
    });
}

ExitCode runFastP(const ReportOptions& options)
{
    const FastPPreset preset = fastPPresetFromString(options.preset).value_or(FastPPreset::Site);   // the option checked the name
    if (options.sampled && preset != FastPPreset::Site) {
        return fail({ErrorCode::Usage, "--sampled repeats the web site's picture: it goes with --preset site", {}, 0, {}});
    }
    if (options.form.csv && (preset != FastPPreset::WinP || options.local.size() > 1)) {
        return fail({ErrorCode::Usage, "--csv writes the table of the win@p script: it goes with --preset winp, and with one dataset", {}, 0, {}});
    }
    if (options.form.csv) {
        const auto datasets = openChecked(options);
        if (!datasets) return fail(datasets.error());
        const auto report = fastP(*datasets->front(), preset, options.rankBy(), options.baselineOf(*datasets->front()), options.scope());
        if (!report) return fail(report.error(), ExitCode::Failed);
        if (report->fallbackGroups > 0) printNote(fmt::format("{} of {} groups have no passing baseline and are compared with their fastest", report->fallbackGroups, report->groups));
        return finishOutput(writeOutput(winAtPCsv(*report), options.outFile));
    }
    std::vector<double> places = options.places;
    if (places.empty()) places = preset == FastPPreset::KernelBench ? std::vector<double>{0, 0.5, 0.8, 1, 1.5, 2} : std::vector<double>{0.95, 1};
    return runReport(options, [&](const Dataset& dataset) -> Result<Forms> {
        auto made = fastP(dataset, preset, options.rankBy(), options.baselineOf(dataset), options.scope());
        if (!made) return made.error();
        const auto report = std::make_shared<const FastPReport>(*std::move(made));
        return Forms{[&, report] { return fastPDocument(*report, places, options.sampled); }, [&, report] { return fastPText(*report, places, options.sampled); },
                     [&, report](TableFormat format) { return tableText(fastPTable(*report, places, options.sampled), format); }};
    });
}

ExitCode runCsv(const ReportOptions& options)
{
    if (options.local.size() > 1) return fail({ErrorCode::Usage, "report csv makes one table of one dataset: give --local once", {}, 0, {}});
    const auto datasets = openChecked(options);
    if (!datasets) return fail(datasets.error());
    const Dataset& dataset = *datasets->front();
    noteUnusableLatencies(dataset, options);
    const RowIndex rows = rowsInScope(dataset, options.scope());
    const TableFormat format = options.form.isJson() ? TableFormat::JsonArray : options.form.table().value_or(TableFormat::Csv);
    const auto pins = pinsFromTexts(dataset, options.pins);
    if (!pins) return fail(pins.error());
    const auto ceilings = ceilingsOf(options.ceilings);
    if (options.light && !ceilings) return fail(ceilings.error());
    // The fast way for the form that is wanted most.
    if (format == TableFormat::Csv && pins->empty() && !options.light) return finishOutput(writeOutput(csvReport(dataset, rows), options.outFile));
    TableToWrite table = tracesTable(dataset, rows);
    const PinnedLatencies pinned(dataset, *pins, options.selectedPolicy());
    appendPinColumns(table, dataset, rows, pinned);
    const LightTimes light = options.light ? LightTimes(dataset, rows, *ceilings) : LightTimes();
    for (const std::string& problem : light.problems()) printNote(problem);
    if (options.light) appendLightColumn(table, dataset, rows, light);
    return finishOutput(writeOutput(tableText(table, format), options.outFile));
}

ExitCode runGroups(const ReportOptions& options)
{
    std::vector<GroupKey> keys;
    for (const std::string& name : options.groupBy) keys.push_back(groupKeyFromString(name).value_or(GroupKey{}));   // the option checked the name
    return runReport(options, [&](const Dataset& dataset) -> Result<Forms> {
        if (options.form.isJson()) noteUnusableLatencies(dataset, options);
        const auto rows = std::make_shared<const RowIndex>(rowsInScope(dataset, options.scope()));
        return Forms{[&, rows] { return groupsDocument(dataset, *rows, keys); }, [&, rows] { return groupsText(dataset, *rows, keys); },
                     [&, rows](TableFormat format) { return tableText(groupsTable(dataset, groupTraces(dataset, *rows, keys, groupMeasures()), keys), format); }};
    });
}

/// The workload's line, of the definition asked for or of any; null when there is none.
const Trace* findWorkload(const Dataset& dataset, const ReportOptions& options)
{
    for (const auto& [definition, workloads] : dataset.workloads()) {
        if (!options.definition.empty() && definition != options.definition) continue;
        for (const Trace& trace : workloads) {
            if (trace.workload.uuid == options.workload && dataset.findDefinition(definition) != nullptr) return &trace;
        }
    }
    return nullptr;
}

ExitCode runTensors(const ReportOptions& options)
{
    const auto datasets = openChecked(options);
    if (!datasets) return fail(datasets.error());
    std::vector<Json> documents;
    std::vector<std::string> texts;
    for (const auto& dataset : *datasets) {
        const Trace* workload = findWorkload(*dataset, options);
        if (workload == nullptr) return fail({ErrorCode::Usage, "the dataset has no workload '" + options.workload + "' of a definition that it has", {}, 0, {}});
        const Definition& definition = *dataset->findDefinition(workload->definition);
        if (options.form.isJson()) documents.push_back(workloadTensorsDocument(dataset->root(), definition, workload->workload));
        else texts.push_back(workloadTensorsText(dataset->root(), definition, workload->workload));
    }
    return writeForms(options, std::move(documents), texts);
}

CLI::App* addReport(CLI::App& report, CommandContext& context, const std::string& name, const std::string& description,
                    const std::shared_ptr<ReportOptions>& options, ExitCode (*run)(const ReportOptions&))
{
    CLI::App* command = report.add_subcommand(name, description);
    addLocalOption(*command, options->local);
    command->add_option("--baseline", options->baseline,
                        "Author whose solutions rankings compare with (default: baseline, else flashinfer); best and csv do not depend on it")
        ->type_name("AUTHOR");
    CLI::Option* opType = command->add_option("--op-type", options->opType, "Only definitions of this op_type")->type_name("T");
    command->add_option("--definition", options->definition, "Only this definition")->type_name("D")->excludes(opType);
    command->add_option("--hardware", options->hardware, "Only traces measured on this hardware (default: all together)")->type_name("H");
    command->add_option("--policy", options->policy, "Which of several traces of a solution on a workload and a GPU counts: newest, newest-passing, lowest-median, middle-run, pooled, all, or those of a run: run:last, run:previous, run:N")
        ->check(policyCheck())
        ->type_name("POLICY")
        ->capture_default_str();
    command->add_option("--out", options->outFile, "Write to this file instead of standard output")->type_name("FILE");
    command->callback([options, run, &context] { context.action = [options, run] { return run(*options); }; });
    return command;
}

}  // namespace

void addReportCommand(CLI::App& app, CommandContext& context)
{
    CLI::App* report = app.add_subcommand("report", "Reports on the traces of a dataset");
    report->require_subcommand(1);
    auto options = std::make_shared<ReportOptions>();
    const std::string json = "Print one JSON document (an array of them for several datasets)";
    const std::string compat = "Exactly as flashinfer-bench, errors included: one definition without a single baseline fails the whole report";
    const auto addPins = [&options](CLI::App& command) {
        command.add_option("--pin", options->pins,
                           "Set times against this baseline, too, as a change of its time on the same workload and hardware: solution=NAME, author=NAME, run=last, run=previous, run=N, trace=SOLUTION:UUID; may be given several times")
            ->allow_extra_args(false)
            ->type_name("PIN");
    };
    const auto addBy = [&options](CLI::App& command) {
        command.add_option("--by", options->by, "One row an author or a solution")->check(CLI::IsMember({"author", "solution"}))->capture_default_str();
    };
    CLI::App* summary = addReport(*report, context, "summary", "Trace counts and the ranking of authors against a baseline author", options, runSummary);
    summary->add_flag("--compat", options->compat, compat)->excludes(summary->get_option("--policy"));
    addFormOptions(*summary, options->form, false, json);
    CLI::App* best = addReport(*report, context, "best", "The fastest trace of each definition that is exact enough", options, runBest);
    best->add_flag("--compat", options->compat, "Exactly as flashinfer-bench: also traces whose times cannot be true")->excludes(best->get_option("--policy"));
    addFormOptions(*best, options->form, false, json);
    CLI::App* rank = addReport(*report, context, "rank", "Authors or solutions ranked against a baseline author, ties shown", options, runRank);
    addBy(*rank);
    rank->add_option("--metric", options->metric, "What the score is: the rule of the dataset format, or a mean or the median of the ratios to the baseline on the same hardware")
        ->check(CLI::IsMember({"format", "geomean", "mean", "median"}))
        ->capture_default_str();
    addPins(*rank);
    rank->add_flag("--compat", options->compat, compat)->excludes(rank->get_option("--policy"));
    addFormOptions(*rank, options->form, false, json);
    CLI::App* fastP = addReport(*report, context, "fastp", "On which share of workloads each is p times as fast as the baseline", options, runFastP);
    addBy(*fastP);
    fastP->add_option("--preset", options->preset, "Whose definition: the web site's, the win@p script's or KernelBench's")
        ->check(CLI::IsMember({"site", "winp", "kernelbench"}))
        ->capture_default_str();
    fastP->add_option("--p", options->places, "Value of p; may be given several times (default: 0.95 and 1; kernelbench: 0 0.5 0.8 1 1.5 2)")
        ->allow_extra_args(false)
        ->check(CLI::NonNegativeNumber);
    fastP->add_flag("--sampled", options->sampled, "Shares as the web site's sampled curve shows them (preset site)");
    addFormOptions(*fastP, options->form, false, json);
    fastP->add_flag("--csv", options->form.csv, "Print the win@p script's table (preset winp)")->excludes(fastP->get_option("--json"))->excludes(fastP->get_option("--format"));
    CLI::App* groups = addReport(*report, context, "groups", "Counts, latency and speedup of traces that have something in common", options, runGroups);
    const CLI::Validator isGroupKey(
        [](const std::string& name) {
            return groupKeyFromString(name) ? std::string() : fmt::format("`{}` is none of {}, axis:NAME", name, fmt::join(groupColumnNames(), ", "));
        },
        "");
    groups->add_option("--by", options->groupBy, "What they have in common; may be given several times: " + fmt::format("{}, axis:NAME", fmt::join(groupColumnNames(), ", ")))
        ->required()
        ->allow_extra_args(false)
        ->check(isGroupKey)
        ->type_name("COLUMN");
    addFormOptions(*groups, options->form, false, json);
    CLI::App* tensors = addReport(*report, context, "tensors", "Inputs and outputs of a workload, with statistics of those that a file holds", options, runTensors);
    tensors->add_option("--workload", options->workload, "Its uuid")->required()->type_name("U");
    tensors->add_flag("--json", options->form.json, json);
    CLI::App* csv = addReport(*report, context, "csv", "All traces as a table, one line each", options, runCsv);
    csv->add_option("--format", options->form.format, "Another form of the same table")->check(CLI::IsMember({"csv", "json", "markdown", "latex"}))->type_name("csv|json|markdown|latex");
    addPins(*csv);
    csv->add_flag("--light", options->light, "Add each trace's share of the speed of light");
    addCeilingsOption(*csv, options->ceilings);
    csv->add_flag("--json", options->form.json, "Print one JSON array, an object a trace")->excludes(csv->get_option("--format"));
    addReportPageCommands(*report, context);
    addReportCompareCommand(*report, context);
    addReportHeatMapCommand(*report, context);
    addReportChartCommand(*report, context);
    addReportLightCommand(*report, context);
    addReportErrorsCommand(*report, context);
    addReportVisualizeCommand(*report, context);
    addReportHistoryCommands(*report, context);
}

}  // namespace tracedeck::cli
