// SPDX-License-Identifier: GPL-3.0-or-later
#include <memory>

#include "app/cli/command_support.h"
#include "app/cli/commands.h"
#include "core/report/heat_map_report.h"
#include "core/score/policy_view.h"
#include "core/score/ranking.h"

namespace tracedeck::cli {

namespace {

struct HeatMapOptions {
    std::vector<std::string> local;
    std::string definition;
    std::string hardware;
    std::string baseline;
    std::string measure = "baseline";
    std::string select = "newest";
    std::string sort = "file";
    std::string outFile;
    OutputForm form;
};

HeatMapOrder orderOf(const HeatMap& map, const std::string& sort)
{
    HeatMapOrder order = heatMapOrder(map);
    if (sort == "file") return order;
    order.workloads = map.workloadsByAxes();
    if (sort == "mean") order.solutions = map.solutionsByMean();
    return order;
}

ExitCode runHeatMap(const HeatMapOptions& options)
{
    if (options.local.size() > 1) return fail({ErrorCode::Usage, "report heatmap shows one dataset: give --local once", {}, 0, {}});
    const auto datasets = openForPolicy(options.local, options.select);
    if (!datasets) return fail(datasets.error());
    const Dataset& dataset = *datasets->front();
    if (const auto checked = checkScopeNames(dataset, {{}, options.definition, options.hardware}, options.baseline); !checked) return fail(checked.error());
    HeatMapQuestion question{options.definition, options.hardware};
    question.measure = heatMeasureFromString(options.measure).value_or(HeatMeasure::Baseline);   // the option checked the name
    question.baselineAuthor = options.baseline.empty() ? defaultBaselineAuthor(dataset) : options.baseline;
    question.policy = policyOfText(options.select).value_or(SelectionPolicy::Newest);   // the option checked the name
    const auto map = heatMap(dataset, question);
    if (!map) return fail(map.error(), ExitCode::Failed);
    if (options.hardware.empty() && map->machines.size() > 1) printNote("measured on several machines; this is " + map->question.hardware + ": choose with --hardware");
    const HeatMapOrder order = orderOf(*map, options.sort);
    const std::string text = options.form.isJson()  ? jsonText(heatMapDocument(*map, order))
                             : options.form.table() ? tableText(heatMapTable(*map, order), *options.form.table())
                                                    : heatMapText(*map, order);
    return finishOutput(writeOutput(text, options.outFile));
}

}  // namespace

void addReportHeatMapCommand(CLI::App& report, CommandContext& context)
{
    auto options = std::make_shared<HeatMapOptions>();
    CLI::App* command = report.add_subcommand("heatmap", "Ratios of all solutions of a definition on all its workloads, on one GPU");
    addLocalOption(*command, options->local);
    command->add_option("--definition", options->definition, "Of this definition")->type_name("D")->required();
    command->add_option("--hardware", options->hardware, "Measured on this hardware (default: the one with the most traces)")->type_name("H");
    command->add_option("--measure", options->measure, "Against the baseline solution, the reference, or the fastest that passed on each workload")
        ->check(CLI::IsMember({"baseline", "reference", "best"}))
        ->capture_default_str();
    command->add_option("--baseline", options->baseline, "Author of the baseline solution (default: baseline, else flashinfer)")->type_name("AUTHOR");
    command->add_option("--select,--policy", options->select, "Which of several traces of a solution on a workload counts")
        ->check(policyCheck())
        ->capture_default_str();
    command->add_option("--sort", options->sort, "Everything as in the files; workloads by their axes; or those, and solutions by geometric mean, too")
        ->check(CLI::IsMember({"file", "axes", "mean"}))
        ->capture_default_str();
    addFormOptions(*command, options->form, true);
    command->add_option("--out", options->outFile, "Write to this file instead of standard output")->type_name("FILE");
    command->callback([options, &context] { context.action = [options] { return runHeatMap(*options); }; });
}

}  // namespace tracedeck::cli
