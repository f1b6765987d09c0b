// SPDX-License-Identifier: GPL-3.0-or-later
#include <memory>

#include <fmt/format.h>

#include "app/cli/command_support.h"
#include "app/cli/commands.h"
#include "core/model/name_rules.h"
#include "core/report/chart_report.h"
#include "core/score/policy_view.h"
#include "core/score/ranking.h"

namespace tracedeck::cli {

namespace {

struct ChartOptions {
    std::vector<std::string> local;
    std::string definition;
    std::string hardware;
    std::string baseline;
    std::string x = "workload";
    std::string y = "latency";
    std::string time = "stored";
    std::string select = "newest";
    std::string ceilings;
    std::string outFile;
    OutputForm form;
};

/// What of the traces is not in the chart.
void noteWhatIsLeftOut(const ChartAnswer& answer)
{
    const auto note = [](std::size_t count, const char* why) {
        if (count > 0) printNote(fmt::format("{} {}", count, why));
    };
    note(answer.withoutTime, "traces that passed have no such time in their record");
    note(answer.withoutMoment, "traces have a timestamp that is no time");
    note(answer.unreadable, "traces could not be read back");
    noteWithoutLight(answer.withoutCeiling, answer.withoutSize);
    if (!answer.formulaProblem.empty()) printNote(answer.formulaProblem);
    if (answer.isUpperEstimate) printNote("bytes count tensors that a kernel may read in part only");
}

ExitCode runChart(const ChartOptions& options)
{
    if (options.local.size() > 1) return fail({ErrorCode::Usage, "report chart shows one dataset: give --local once", {}, 0, {}});
    const auto datasets = openForPolicy(options.local, options.select);
    if (!datasets) return fail(datasets.error());
    const Dataset& dataset = *datasets->front();
    if (const auto checked = checkScopeNames(dataset, {{}, options.definition, options.hardware}, options.baseline); !checked) return fail(checked.error());
    ChartQuestion question{options.definition};
    const auto abscissa = chartAbscissaFromString(options.x);
    question.abscissa = abscissa.value_or(ChartAbscissa::Axis);
    if (!abscissa) question.axis = options.x;
    // The options checked these names.
    question.measure = chartMeasureFromString(options.y).value_or(ChartMeasure::LatencyMs);
    question.time = callTimeFromString(options.time).value_or(CallTime::Stored);
    question.hardware = options.hardware;
    const auto ceilings = ceilingsOf(options.ceilings);
    if (!ceilings) return fail(ceilings.error());
    question.ceilings = &*ceilings;
    question.policy = policyOfText(options.select).value_or(SelectionPolicy::Newest);   // the option checked the name
    const Definition* definition = dataset.findDefinition(options.definition);
    if (!abscissa && definition != nullptr) {
        if (const auto known = requireKnownNames("axis", {options.x}, definition->varAxes(), options.definition); !known) return fail(known.error());
    }
    if (question.measure == ChartMeasure::RatioToBaseline) {
        const auto baseline = baselineOf(dataset, options.definition, options.baseline.empty() ? defaultBaselineAuthor(dataset) : options.baseline);
        if (!baseline) return fail(baseline.error(), ExitCode::Failed);
        question.baselineSolution = (*baseline)->name;
    }
    const auto answer = chartAnswer(dataset, question);
    if (!answer) return fail(answer.error());
    noteWhatIsLeftOut(*answer);
    const std::string text = options.form.isJson() ? jsonText(chartDocument(dataset, question, *answer)) : tableText(chartTable(dataset, answer->series), options.form.table().value_or(TableFormat::Csv));
    return finishOutput(writeOutput(text, options.outFile));
}

}  // namespace

void addReportChartCommand(CLI::App& report, CommandContext& context)
{
    auto options = std::make_shared<ChartOptions>();
    CLI::App* command = report.add_subcommand("chart", "The points of a chart of one definition: a line of CSV each");
    addLocalOption(*command, options->local);
    command->add_option("--definition", options->definition, "Of this definition")->type_name("D")->required();
    command->add_option("--hardware", options->hardware, "Measured on this hardware (default: all, which never mix)")->type_name("H");
    command->add_option("--x", options->x, "Horizontal: a variable axis, workload (position in the file), bytes (that must be moved), flops, intensity (flops a byte), or time (of measurement)")
        ->capture_default_str();
    command->add_option("--y", options->y, "Vertical: latency in ms, ratio to the reference or the baseline, bandwidth in bytes/s, throughput in operations/s, light: share of the speed of light, absolute-error or relative-error: the greatest of all outputs")
        ->check(CLI::IsMember({"latency", "reference", "baseline", "bandwidth", "throughput", "light", "absolute-error", "relative-error"}))
        ->capture_default_str();
    command->add_option("--time", options->time, "Which time of a call: as stored, the live span, queued behind a busy stream, or the sum of its kernels")
        ->check(CLI::IsMember({"stored", "live", "queued", "kernels"}))
        ->capture_default_str();
    command->add_option("--baseline", options->baseline, "Author of the baseline solution (default: baseline, else flashinfer)")->type_name("AUTHOR");
    command->add_option("--select,--policy", options->select, "Which of several traces of a solution on a workload counts")
        ->check(policyCheck())
        ->capture_default_str();
    addCeilingsOption(*command, options->ceilings);
    addFormOptions(*command, options->form, false);
    command->add_option("--out", options->outFile, "Write to this file instead of standard output")->type_name("FILE");
    command->callback([options, &context] { context.action = [options] { return runChart(*options); }; });
}

}  // namespace tracedeck::cli
