// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <memory>

#include "app/cli/command_support.h"
#include "app/cli/commands.h"
#include "core/report/report.h"

namespace tracedeck::cli {

namespace {

struct ReportOptions {
    std::vector<std::string> local;
    std::string baseline;
    std::string opType;
    std::string definition;
    std::string hardware;
    std::string outFile;
    bool json = false;

    [[nodiscard]] RankingScope scope() const { return {opType, definition, hardware}; }
};

using Datasets = std::vector<std::shared_ptr<const Dataset>>;

/// Usage error for a name that the dataset does not have; it lists some that it has.
Error unknownName(const Dataset& dataset, const std::string& kind, const std::string& name, const std::vector<std::string>& known)
{
    constexpr std::size_t shown = 8;
    std::string reason = "the dataset has no " + kind + " '" + name + "'";
    if (known.empty()) {
        reason += "; it has none at all";
    } else {
        // Names that contain what was typed come first.
        std::vector<std::string> ordered = known;
        std::stable_partition(ordered.begin(), ordered.end(), [&](const std::string& other) { return other.find(name) != std::string::npos; });
        reason += "; it has ";
        for (std::size_t i = 0; i < std::min(shown, ordered.size()); ++i) reason += (i == 0 ? "" : ", ") + ordered[i];
        if (ordered.size() > shown) reason += " and " + std::to_string(ordered.size() - shown) + " more";
    }
    return {ErrorCode::Usage, std::move(reason), dataset.root().string(), 0, {}};
}

/// Every name given must occur in every dataset: a typing error must not look like an empty result.
Result<void> checkNames(const Dataset& dataset, const ReportOptions& options)
{
    if (!options.definition.empty() && dataset.findDefinition(options.definition) == nullptr) {
        std::vector<std::string> names;
        for (const auto& definition : dataset.definitions()) names.push_back(definition->name);
        return unknownName(dataset, "definition", options.definition, names);
    }
    if (const auto opTypes = dataset.opTypes(); !options.opType.empty() && !opTypes.contains(options.opType)) {
        std::vector<std::string> names;
        for (const auto& [name, count] : opTypes) names.push_back(name);
        return unknownName(dataset, "op_type", options.opType, names);
    }
    const auto hasName = [](const std::vector<std::string>& names, const std::string& name) {
        return std::find(names.begin(), names.end(), name) != names.end();
    };
    if (const auto names = hardwareOf(dataset); !options.hardware.empty() && !hasName(names, options.hardware)) {
        return unknownName(dataset, "hardware", options.hardware, names);
    }
    if (const auto names = authorsOf(dataset); !options.baseline.empty() && !hasName(names, options.baseline)) {
        return unknownName(dataset, "author", options.baseline, names);
    }
    return {};
}

Result<Datasets> openChecked(const ReportOptions& options)
{
    auto datasets = openDatasets(options.local);
    if (!datasets) return datasets.error();
    for (const auto& dataset : *datasets) {
        if (const auto checked = checkNames(*dataset, options); !checked) return checked.error();
    }
    return datasets;
}

ExitCode writeForms(const ReportOptions& options, std::vector<Json> documents, const std::vector<std::string>& texts)
{
    return finishOutput(writeOutput(options.json ? jsonText(std::move(documents)) : joinDatasetTexts(texts), options.outFile));
}

ExitCode runSummary(const ReportOptions& options)
{
    const auto datasets = openChecked(options);
    if (!datasets) return fail(datasets.error());
    std::vector<Json> documents;
    std::vector<std::string> texts;
    for (const auto& dataset : *datasets) {
        const std::string baseline = options.baseline.empty() ? defaultBaselineAuthor(*dataset) : options.baseline;
        const auto summary = summarize(*dataset, baseline, options.scope());
        if (!summary) return fail(summary.error());
        documents.push_back(summaryDocument(*summary));
        texts.push_back(summaryText(*summary));
    }
    return writeForms(options, std::move(documents), texts);
}

ExitCode runBest(const ReportOptions& options)
{
    const auto datasets = openChecked(options);
    if (!datasets) return fail(datasets.error());
    std::vector<Json> documents;
    std::vector<std::string> texts;
    for (const auto& dataset : *datasets) {
        documents.push_back(bestDocument(*dataset, options.scope()));
        texts.push_back(bestText(*dataset, options.scope()));
    }
    return writeForms(options, std::move(documents), texts);
}

ExitCode runCsv(const ReportOptions& options)
{
    if (options.local.size() > 1) return fail({ErrorCode::Usage, "report csv makes one table of one dataset: give --local once", {}, 0, {}});
    const auto datasets = openChecked(options);
    if (!datasets) return fail(datasets.error());
    const Dataset& dataset = *datasets->front();
    TraceFilter filter;
    if (!options.definition.empty()) filter.definitions.insert(options.definition);
    if (!options.hardware.empty()) filter.hardware.insert(options.hardware);
    if (!options.opType.empty()) {
        for (const auto& definition : dataset.definitions()) {
            if (definition->opType == options.opType) filter.definitions.insert(definition->name);
        }
    }
    return finishOutput(writeOutput(csvReport(dataset, filterTraces(dataset, filter)), options.outFile));
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
    addReport(*report, context, "summary", "Trace counts and the ranking of authors against a baseline author", options, runSummary)
        ->add_flag("--json", options->json, json);
    addReport(*report, context, "best", "The fastest trace of each definition that is exact enough", options, runBest)
        ->add_flag("--json", options->json, json);
    addReport(*report, context, "csv", "All traces as a table, one line each", options, runCsv);
}

}  // namespace tracedeck::cli
