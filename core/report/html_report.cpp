// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/html_report.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/report/html_report_parts.h"
#include "core/report/html_text.h"
#include "core/report/report.h"
#include "core/report/report_tables.h"
#include "core/report/svg_plots.h"
#include "core/score/comparison.h"
#include "core/score/policy_view.h"
#include "core/store/joined_dataset.h"

namespace tracedeck {

namespace {

constexpr std::size_t kMostProblems = 50;
constexpr std::size_t kMostValues = 8;   ///< of one library
const std::vector<double> kPlaces{0.5, 0.8, 0.95, 1, 1.5, 2};

std::string grouped(std::size_t number)
{
    std::string text = std::to_string(number);
    for (std::size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, " ");   // a narrow space that does not break
    return text;
}

void writeHead(HtmlPage& page, const DatasetReport& report)
{
    page.heading(1, "Benchmark report: " + report.title);
    page.paragraph(fmt::format("Scope: {}. Results up to {}.", report.scope, report.date.empty() ? std::string("–") : report.date), "sub");
    std::size_t withResults = 0;
    std::set<std::string> solutions;
    for (const ReportDefinition& definition : report.definitions) {
        withResults += definition.machines.empty() ? 0U : 1U;
        for (const Solution* solution : definition.solutions) solutions.insert(solution->name);
    }
    const std::size_t total = report.statuses.total();
    const std::size_t passed = report.statuses.of(Status::Passed);
    page.tiles({{grouped(report.definitions.size()), "definitions"},
                {grouped(withResults), "with results"},
                {grouped(solutions.size()), "solutions"},
                {grouped(total), "results that count"},
                {grouped(passed), "passed"},
                {grouped(total - passed), "failed"},
                {grouped(report.missing()), "missing"}});
    page.paragraph("Statuses: " + describeStatusCounts(report.statuses) + ".", "sub");
}

std::string spaceBefore(const std::string& text) { return text.empty() ? text : " " + text; }

void writeContents(HtmlPage& page, const DatasetReport& report)
{
    if (page.form() == HtmlForm::Paper) return;
    page.raw("<nav aria-label=\"Contents\">");
    for (const auto& [id, text] : std::vector<std::pair<const char*, const char*>>{
             {"environment", "Environment and settings"}, {"leaderboard", "Leaderboard"}, {"fastp", "fast_p"}, {"failures", "Failures"}, {"missing", "Missing results"}, {"method", "How the numbers were made"}}) {
        page.raw(fmt::format("<a href=\"#{}\">{}</a>", id, text));
    }
    for (std::size_t i = 0; i < report.definitions.size(); ++i) {
        if (!report.definitions[i].machines.empty()) page.raw(fmt::format("<a href=\"#d{}\">{}</a>", i, htmlText(report.definitions[i].definition->name)));
    }
    page.raw("</nav>\n");
}

/// Values of each name on one line, how often they occur where there are several.
void writeFacts(HtmlPage& page, const std::vector<ReportFact>& facts)
{
    std::vector<std::pair<std::string, std::string>> lines;
    std::size_t values = 0;
    for (const ReportFact& fact : facts) {
        if (lines.empty() || lines.back().first != fact.name) {
            lines.emplace_back(fact.name, std::string());
            values = 0;
        }
        if (++values > kMostValues) {
            if (values == kMostValues + 1) lines.back().second += ", …";
            continue;
        }
        lines.back().second += fmt::format("{}{} ({})", values == 1 ? "" : ", ", fact.value, fact.traces);
    }
    page.facts(lines);
}

void writeEnvironment(HtmlPage& page, const DatasetReport& report)
{
    page.heading(2, "Environment and settings", "environment");
    if (report.environment.empty()) {
        page.paragraph("No result in scope says where it was measured.");
        return;
    }
    page.paragraph(fmt::format("As the {} results that charts and tables show recorded them; in brackets, how many.{}", report.linesRead,
                               report.linesUnreadable == 0 ? std::string() : fmt::format(" {} could not be read back: their files changed.", report.linesUnreadable)),
                   "note");
    writeFacts(page, report.environment);
    if (!report.settings.empty()) {
        page.heading(3, "How evaluations were made");
        writeFacts(page, report.settings);
    }
    std::vector<std::string> methods;
    for (int index = 0; index < kTimingMethodCount; ++index) {
        const auto method = static_cast<TimingMethod>(index);
        if (const std::size_t count = report.timing.of(method); count > 0) methods.push_back(fmt::format("{} ({})", timingText(method), count));
    }
    if (!methods.empty()) page.paragraph(fmt::format("Times of passed results are from {}.", fmt::join(methods, ", ")));
    if (report.timing.isMixed()) page.paragraph("Times taken by different programs or methods need not compare.", "error");
    if (report.timing.launchBound > 0) page.paragraph(fmt::format("{} results are launch-bound: the GPU waited for the host, and a faster kernel would not have shown.", report.timing.launchBound));
}

void writeUnscored(HtmlPage& page, const std::vector<Problem>& unscored)
{
    if (unscored.empty()) return;
    page.beginPart(fmt::format("Not scored: {} definitions", unscored.size()));
    std::string list;
    for (const Problem& problem : unscored) list += "<li>" + htmlText(problem.error.reason) + "</li>";
    page.raw("<ul>" + list + "</ul>\n");
    page.endPart();
}

void writeLeaderboard(HtmlPage& page, const DatasetReport& report)
{
    page.heading(2, "Leaderboard", "leaderboard");
    const HtmlPage::Decoration plain;
    if (report.hasBaseline()) {
        page.heading(3, "Authors");
        page.paragraph(report.authorRanks.ruleText(), "note");
        page.table(rankTableToWrite(report.authorRanks), plain);
        page.heading(3, "Solutions");
        page.table(rankTableToWrite(report.solutionRanks), plain);
    } else {
        page.paragraph(fmt::format("Nothing is ranked: no solution shares a workload with a passing baseline of author “{}”. Ratios below are those to the reference.", report.question.baselineAuthor));
    }
    writeUnscored(page, report.authorRanks.unscored);
    page.heading(3, "Against the reference, by author");
    TableToWrite authors = groupsTable(*report.dataset, report.authors, {{TraceColumn::Author}});
    authors.columns.front().label = "Author";
    page.paragraph("Over the results that count: latencies of those that passed, and their speedups as the traces have them (reference ÷ solution, timed in the same evaluation).", "note");
    page.table(authors, plain);
}

void writeFastP(HtmlPage& page, const DatasetReport& report)
{
    page.heading(2, "fast_p", "fastp");
    if (report.fastP.curves.empty()) {
        page.paragraph("No curves: nothing can be compared with a baseline.");
        return;
    }
    page.figure(fastPSvg(report.fastP, lookOf(page.form())), "Share of workloads on which each author is at least p times as fast as the baseline",
                fmt::format("over {} workloads; horizontal: p", report.fastP.groups));
    page.paragraph(report.fastP.ruleText(), "note");
    page.table(fastPTable(report.fastP, kPlaces, false));
}

void writeFailures(HtmlPage& page, const DatasetReport& report)
{
    page.heading(2, "Failures", "failures");
    if (report.failures.empty()) {
        page.paragraph("Nothing failed.");
        return;
    }
    page.paragraph("Failures are the same one when status and telling line of the log are, numbers and paths aside. The log is that of the failure on the least axes.", "note");
    for (const ReportFailure& failure : report.failures) {
        const FailureGroup& group = failure.group;
        const std::string what = group.example.empty() ? std::string("nothing is said") : group.example;
        page.beginPart(fmt::format("{} × {}: {}", group.rows.size(), toString(group.status), shortened(what, 160)), "card");
        const TraceTable& traces = report.dataset->traces();
        const TraceRow& first = traces.row(group.first());
        std::vector<std::pair<std::string, std::string>> facts{{"Definitions", listed(group.definitions)},
                                                               {"Solutions", listed(group.solutions)},
                                                               {"Workloads", std::to_string(group.workloads)},
                                                               {"Hardware", listed(group.hardware)},
                                                               {"First", fmt::format("{} · {} · {}", traces.solutionName(first), traces.axesText(first), traces.timestamp(first))}};
        if (!group.pattern.empty()) facts.emplace_back("Only where", group.pattern);
        page.facts(facts);
        if (failure.logBytesLeftOut > 0) page.paragraph(fmt::format("End of the log; {} bytes before it are left out.", failure.logBytesLeftOut), "note");
        if (!failure.log.empty()) page.lines(failure.log);
        page.endPart();
    }
}

void writeMissing(HtmlPage& page, const DatasetReport& report)
{
    page.heading(2, "Missing results", "missing");
    const std::vector<MissingResult> missing = missingResults(report);
    if (missing.empty()) page.paragraph("Every solution in scope has a result on every workload, on every machine on which it was measured at all.");
    else page.table(missingTable(missing));
    std::vector<std::string> without;
    for (const ReportDefinition& definition : report.definitions) {
        if (definition.machines.empty()) without.push_back(definition.definition->name);
    }
    if (without.empty()) return;
    page.beginPart(fmt::format("{} definitions have no result at all", without.size()));
    page.paragraph(fmt::format("{}", fmt::join(without, ", ")));
    page.endPart();
}

void writeMethod(HtmlPage& page, const DatasetReport& report)
{
    page.heading(2, "How the numbers were made", "method");
    for (const auto& [what, how] : methodOf(report)) page.paragraphHtml(fmt::format("<b>{}.</b> {}", htmlText(what), htmlText(how)));
    const auto& problems = report.dataset->problems();
    if (problems.empty()) return;
    page.beginPart(fmt::format("{} problems were found while the dataset was loaded", problems.size()));
    std::string list;
    for (std::size_t i = 0; i < std::min(problems.size(), kMostProblems); ++i) {
        const Error error = withoutFolders(*report.dataset, problems[i].error);
        list += fmt::format("<li>{}: {}</li>", problems[i].severity == Severity::Error ? "left out" : "to look at", htmlText(error.toString()));
    }
    page.raw("<ul>" + list + "</ul>\n");
    if (problems.size() > kMostProblems) page.paragraph(fmt::format("and {} more: tracedeck info lists all", problems.size() - kMostProblems), "note");
    page.endPart();
}

}  // namespace

Error withoutFolders(const Dataset& dataset, Error error)
{
    const auto roots = rootsOf(dataset);
    for (std::size_t i = 0; i < roots.size(); ++i) {
        const std::string root = roots[i].string() + "/";
        const std::string shown = dataset.isJoined() ? dataset.folders()[i].name + "/" : std::string();
        for (std::string* text : {&error.file, &error.reason}) {
            for (std::size_t at = text->find(root); at != std::string::npos; at = text->find(root, at + shown.size())) text->replace(at, root.size(), shown);
        }
    }
    return error;
}

std::vector<std::pair<std::string, std::string>> methodOf(const DatasetReport& report)
{
    std::vector<std::pair<std::string, std::string>> method;
    method.emplace_back("Results that count", report.question.policy == SelectionPolicy::All
                                                  ? "All of them in counts and rankings, each rule choosing by itself; charts, heat maps and tables of results show the newest of a solution on a workload and a machine."
                                                  : describePolicy(report.question.policy) + spaceBefore(describePolicyView(*report.dataset)));
    method.emplace_back("Leaderboard", report.authorRanks.ruleText() +
                                           " Success rate: share of definitions whose best solution has no failed trace. Win rate: share of workloads on which it is faster than the baseline, mean over definitions. "
                                           "Coverage: workloads scored ÷ workloads that a baseline passed.");
    method.emplace_back("fast_p", report.fastP.ruleText());
    method.emplace_back("Latency", "latency_ms of a trace that passed, as the file has it. A latency that no kernel can have is shown in tables and compared with nothing.");
    method.emplace_back("Ratio", "On one workload and one machine: latency of the definition's baseline ÷ latency of the solution. Definitions without a single baseline show speedup_factor, the reference's latency ÷ the solution's, "
                                 "timed in the same evaluation. Above 1 is faster. A mean of ratios is geometric, over the workloads that have one.");
    method.emplace_back("p10, p90", "Tenth and ninetieth percentile of the samples of one evaluation, as the judge recorded them; results of other programs have none.");
    method.emplace_back("Errors", "Greatest absolute and relative difference from the reference's outputs, as the trace has them.");
    method.emplace_back("Missing", "A solution has no result on a workload, on a machine on which it has others; without any result, on the machine with the most of its definition.");
    method.emplace_back("Same numbers elsewhere", "tracedeck report rank, fastp, heatmap, failures and csv with --json, with the same options.");
    return method;
}

HtmlReport htmlReport(const DatasetReport& report, HtmlForm form)
{
    HtmlPage page(form);
    writeHead(page, report);
    writeContents(page, report);
    writeEnvironment(page, report);
    writeLeaderboard(page, report);
    writeFastP(page, report);
    writeDefinitions(page, report);
    writeFailures(page, report);
    writeMissing(page, report);
    writeMethod(page, report);
    page.raw(fmt::format("<footer><p>Written by Tracedeck from the dataset “{}”, {}. Results up to {}.</p></footer>\n", htmlText(report.title), htmlText(report.scope), htmlText(report.date)));
    return {page.document("Benchmark report: " + report.title), page.pictures()};
}

std::vector<PagePicture> reportPictures(const DatasetReport& report)
{
    std::vector<PagePicture> pictures;
    std::set<std::string> used;
    const auto add = [&](const std::string& title, const std::string& svg) {
        if (svg.empty()) return;
        const std::string base = fileNameOf(title);
        std::string name = base;
        for (int count = 2; !used.insert(name).second; ++count) name = fmt::format("{}-{}", base, count);
        pictures.push_back({name + ".svg", title, svg});
    };
    add("fast_p", fastPSvg(report.fastP, PlotLook::File));
    for (const ReportDefinition& definition : report.definitions) {
        for (const ReportMachine& machine : definition.machines) {
            const std::string where = definition.definition->name + " on " + machine.map.question.hardware;
            add("latency " + where, workloadPlotSvg(machine, WorkloadPlot::LatencyMs, PlotLook::File));
            add("ratio " + where, workloadPlotSvg(machine, WorkloadPlot::Ratio, PlotLook::File));
            add("heat map " + where, heatMapSvg(machine, PlotLook::File));
        }
    }
    return pictures;
}

}  // namespace tracedeck
