// SPDX-License-Identifier: GPL-3.0-or-later
// The human forms of the reports (benchmark §7.2).
#include <fmt/format.h>

#include <algorithm>

#include "core/report/best_traces.h"
#include "core/report/report.h"
#include "core/report/report_tables.h"
#include "core/report/text_table.h"

namespace tracedeck {

namespace {

using Align = TextTable::Align;

constexpr std::size_t kUnscoredShown = 20;

void appendUnscored(std::string& text, const std::vector<Problem>& unscored)
{
    if (unscored.empty()) return;
    text += fmt::format("\nNot scored ({}):\n", unscored.size());
    const std::size_t shown = std::min(unscored.size(), kUnscoredShown);
    for (std::size_t i = 0; i < shown; ++i) text += "  " + printable(unscored[i].error.reason) + "\n";
    if (shown < unscored.size()) text += fmt::format("  and {} more; the JSON form lists all\n", unscored.size() - shown);
}

void appendLeftOut(std::string& text, std::size_t count)
{
    if (count > 0) text += "\n" + unusableLatenciesText(count) + "\n";
}

}  // namespace

std::string unusableLatenciesText(std::size_t count)
{
    if (count == 0) return {};
    return fmt::format("{} not used: no kernel has {} (usable: {:g} to {:g} ms); tracedeck info names the lines.",
                       count == 1 ? "1 PASSED trace" : fmt::format("{} PASSED traces", count),
                       count == 1 ? "its latency" : "their latencies", kShortestLatencyMs, kLongestLatencyMs);
}

std::string infoText(const Dataset& dataset)
{
    std::string text = fmt::format("Dataset:     {}\nDefinitions: {}\nSolutions:   {}\nWorkloads:   {}\nTraces:      {}",
                                   printable(dataset.root().string()), dataset.definitions().size(), dataset.solutions().size(),
                                   dataset.workloadCount(), dataset.traces().size());
    const StatusCounts counts = countStatuses(dataset);
    text += counts.total() == 0 ? "\n" : " (" + describeStatusCounts(counts) + ")\n";
    if (const auto opTypes = dataset.opTypes(); !opTypes.empty()) {
        TextTable table({{"op_type", Align::Left}, {"Definitions", Align::Right}});
        for (const auto& [name, definitions] : opTypes) table.addRow({name, std::to_string(definitions)});
        text += "\n" + table.toString();
    }
    const auto& problems = dataset.problems();
    if (problems.empty()) return text + "\nNo problems found while loading.\n";
    std::size_t leftOut = 0;
    std::size_t repaired = 0;
    std::size_t others = 0;
    for (const Problem& problem : problems) {
        (problem.severity == Severity::Error ? leftOut : problem.isRepair ? repaired : others) += problem.occurrences;
    }
    text += fmt::format("\nProblems found while loading: {} left out, {} read with a repair, {} to look at\n", leftOut, repaired, others);
    for (const Problem& problem : problems) {
        text += fmt::format("  {}: {}\n", problem.severity == Severity::Error ? "error" : "warning", printable(problem.error.toString()));
    }
    return text;
}

std::string summaryText(const Summary& summary)
{
    std::string text = fmt::format("Traces: {} total, {} passed, {} failed\n", summary.total, summary.passed, summary.failed);
    if (summary.totalInScope != summary.total) {
        text += fmt::format("In scope: {} total, {} passed, {} failed\n", summary.totalInScope, summary.passedInScope,
                            summary.totalInScope - summary.passedInScope);
    }
    text += '\n';
    if (summary.ranking.authors.empty()) {
        text += summary.total == 0 ? std::string("(No author ranking data available: the dataset has no traces)\n")
                                   : "(No author ranking data available: no solution shares a workload with a passing baseline of author '" +
                                         printable(summary.baselineAuthor) + "')\n";
        appendLeftOut(text, summary.ranking.leftOut);
        appendUnscored(text, summary.ranking.unscored);
        return text;
    }
    TextTable table({{"Rank", Align::Right},
                     {"Author", Align::Left},
                     {"Avg Speedup", Align::Right},
                     {"Success Rate", Align::Right},
                     {"Win Rate", Align::Right},
                     {"Definitions", Align::Right},
                     {"Workloads", Align::Right}});
    int rank = 0;
    for (const auto& [author, metrics] : summary.ranking.authors) {
        table.addRow({std::to_string(++rank), author, fmt::format("{:.4f}", metrics.averageSpeedup),
                      fmt::format("{:.1f}%", metrics.successRate * 100), fmt::format("{:.1f}%", metrics.winRate * 100),
                      std::to_string(metrics.definitions), std::to_string(metrics.workloads)});
    }
    text += table.toString();
    text += "\nRule: " + printable(summary.ruleText()) +
            "\nSuccess Rate: share of the author's definitions whose best solution has no failed trace.\n"
            "Win Rate: share of workloads on which it is faster than the baseline, mean over definitions.\n";
    appendLeftOut(text, summary.ranking.leftOut);
    appendUnscored(text, summary.ranking.unscored);
    return text;
}

std::string rankText(const RankTable& table)
{
    if (table.rows.empty()) {
        std::string text = "Nothing to rank: no solution shares a workload with a passing baseline of author '" + printable(table.baselineAuthor) + "'.\n";
        appendLeftOut(text, table.leftOut);
        appendUnscored(text, table.unscored);
        return text;
    }
    const bool bySolution = table.by == RankBy::Solution;
    std::vector<TextTable::Column> columns{{"Rank", Align::Right},
                    {bySolution ? "Solution" : "Author", Align::Left},
                    {"Score", Align::Right},
                    {"Success Rate", Align::Right, true},
                    {"Win Rate", Align::Right},
                    {"Coverage", Align::Right, true},
                    {"Workloads", Align::Right},
                    {bySolution ? "Definition" : "Definitions", bySolution ? Align::Left : Align::Right}};
    const auto ofPins = pinColumns(table.pins);
    for (const auto& column : ofPins) columns.push_back({column.label, Align::Right});
    TextTable rows(std::move(columns));
    for (const RankRow& row : table.rows) {
        std::vector<std::string> cells{fmt::format("{}{}", row.rank, row.tied ? "=" : ""), row.name, fmt::format("{:.4f}", row.metrics.averageSpeedup),
                     fmt::format("{:.1f}%", row.metrics.successRate * 100), fmt::format("{:.1f}%", row.metrics.winRate * 100),
                     fmt::format("{:.1f}%", row.coverage * 100), std::to_string(row.metrics.workloads),
                     bySolution ? row.definition : std::to_string(row.metrics.definitions)};
        for (std::size_t pin = 0; pin < ofPins.size(); ++pin) {
            const PinnedChange& change = row.changes[pin];
            cells.push_back(change.isBase ? "base" : change.pairs > 0 ? ofPins[pin].readable(change.change) : std::string());
        }
        rows.addRow(cells);
    }
    std::string text = rows.toString() + "\nRule: " + printable(table.ruleText()) + "\n";
    appendLeftOut(text, table.leftOut);
    appendUnscored(text, table.unscored);
    return text;
}

std::string fastPText(const FastPReport& report, const std::vector<double>& places, bool sampled)
{
    std::string text;
    if (report.curves.empty()) {
        text = "No curves: nothing can be compared with a baseline of author '" + printable(report.baselineAuthor) + "'.\n";
    } else {
        std::vector<TextTable::Column> columns{{report.by == RankBy::Solution ? "Solution" : "Author", Align::Left}};
        for (const double p : places) columns.push_back({(report.isStrict() ? "> " : "≥ ") + shortestNumber(p) + "×", Align::Right});
        columns.push_back({"Attempted", Align::Right});
        columns.push_back({"Coverage", Align::Right});
        TextTable table(std::move(columns));
        for (const FastPCurve& curve : report.curves) {
            std::vector<std::string> cells{curve.name};
            for (const double p : places) {
                cells.push_back(fmt::format("{:.1f}%", 100 * (sampled ? report.sampledShareAt(curve, p) : report.shareAt(curve, p))));
            }
            cells.push_back(std::to_string(curve.attempted));
            cells.push_back(fmt::format("{:.1f}%", curve.coverage * 100));
            table.addRow(cells);
        }
        text = table.toString();
    }
    text += fmt::format("\nPreset {} over {} workloads. {}\n", toString(report.preset), report.groups,
                        printable(report.ruleText()));
    if (sampled) text += "Shares as the web site's sampled curve shows them: a tie with p is usually lost.\n";
    if (report.preset == FastPPreset::WinP) {
        text += fmt::format("Compared with the fastest instead, since the baseline has no passing trace: {} of {} workloads.\n",
                            report.fallbackGroups, report.groups);
    }
    appendLeftOut(text, report.leftOut);
    appendUnscored(text, report.unscored);
    return text;
}

std::string bestText(const Dataset& dataset, const RankingScope& scope, RankingRule rule)
{
    const TraceTable& traces = dataset.traces();
    const std::vector<BestTrace> all = bestTraces(dataset, scope, rule);
    if (all.empty()) return "No traces in scope.\n";
    TextTable table({{"Definition", Align::Left},
                     {"Solution", Align::Left},
                     {"Speedup vs. ref", Align::Right},
                     {"Latency (ms)", Align::Right},
                     {"Errors", Align::Left, true},
                     {"Axes", Align::Left},
                     {"Hardware", Align::Left, true}});
    std::string missing;
    bool any = false;
    for (const BestTrace& best : all) {
        if (!best.row) {
            missing += "No valid solution found for " + printable(best.definition->name) + ".\n";
            continue;
        }
        any = true;
        const TraceRow& row = traces.row(*best.row);
        table.addRow({best.definition->name, std::string(traces.solutionName(row)), fmt::format("{:.2f}×", row.speedupFactor),
                      fmt::format("{:.4g}", row.latencyMs), fmt::format("abs={:.2e}, rel={:.2e}", row.maxAbsoluteError, row.maxRelativeError),
                      traces.axesText(row), std::string(traces.hardwareName(row))});
    }
    if (!any) return missing;
    std::string text = table.toString() + (missing.empty() ? "" : "\n" + missing);
    text += "\nRule: the greatest speedup over the reference among PASSED traces with both errors at most 0.01, the first of equal ones";
    text += rule == RankingRule::Compat ? "; exactly as flashinfer-bench.\n" : "; a trace without a usable latency or a finite speedup never wins.\n";
    if (scope.policy != SelectionPolicy::All) text += describePolicy(scope.policy) + "\n";
    if (rule == RankingRule::Format) appendLeftOut(text, countUnusableLatencies(dataset, scope));
    return text;
}

}  // namespace tracedeck
