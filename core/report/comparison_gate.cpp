// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/report/comparison_report.h"
#include "core/report/text_table.h"
#include "core/score/regression.h"

namespace tracedeck {

namespace {

constexpr std::size_t kMostGateRows = 40;
constexpr std::size_t kMostCommentRows = 50;
constexpr double kPerCent = 100;

using ComparisonRows = std::vector<const ComparisonRow*>;

template <class Wanted>
ComparisonRows rowsThat(const Comparison& comparison, Wanted wanted)
{
    ComparisonRows rows;
    for (const ComparisonRow& row : comparison.rows) {
        if (wanted(row)) rows.push_back(&row);
    }
    return rows;
}

std::string sideText(const std::optional<Measurement>& side)
{
    if (!side) return "–";
    return side->isPassed() && std::isfinite(side->latencyMs) ? readableNumber(side->latencyMs) : std::string(toString(side->status));
}

std::string changeText(const ComparisonRow& row)
{
    if (!std::isfinite(row.ratio)) return "–";
    std::string text = fmt::format("{:+.1f} %", (row.ratio - 1) * kPerCent);
    if (row.interval.isKnown()) text += fmt::format(" ({:+.1f} … {:+.1f})", (row.interval.low - 1) * kPerCent, (row.interval.high - 1) * kPerCent);
    return text;
}

std::string gateSentence(const Comparison& comparison, double allowedShare)
{
    const std::size_t regressions = comparison.regressions(allowedShare);
    if (regressions == 0) return fmt::format("PASSED: none of {} results is slower by more than {:g} % with certainty, and none fails where A passed", comparison.rows.size(), allowedShare * kPerCent);
    return fmt::format("FAILED: {} of {} results are slower by more than {:g} % with certainty, or fail where A passed", regressions, comparison.rows.size(), allowedShare * kPerCent);
}

TableToWrite changesTable(const ComparisonRows& rows, std::size_t most)
{
    TableToWrite table;
    table.columns = {{"Definition", false}, {"Workload", false}, {"Solution", false}, {"A (ms)", true}, {"B (ms)", true}, {"Change", true}, {"Verdict", false}};
    table.rowCount = std::min(rows.size(), most);
    table.cell = [&rows](std::size_t index, std::size_t column) -> TableCell {
        const ComparisonRow& row = *rows[index];
        switch (column) {
        case 0: return row.definition;
        case 1: return row.axesText();
        case 2: return row.latest().solution;
        case 3: return sideText(row.a);
        case 4: return sideText(row.b);
        case 5: return changeText(row);
        default: return std::string(toString(row.verdict));
        }
    };
    return table;
}

void appendChanges(std::string& text, const char* title, const ComparisonRows& rows)
{
    if (rows.empty()) return;
    text += fmt::format("\n#### {} ({})\n\n{}", title, rows.size(), tableText(changesTable(rows, kMostCommentRows), TableFormat::Markdown));
    if (rows.size() > kMostCommentRows) text += fmt::format("\nand {} more\n", rows.size() - kMostCommentRows);
}

/// Names of this comparison in Markdown, which they may not steer.
std::string inMarkdown(const std::string& text)
{
    const TableToWrite table{{{text, false}}, 0, {}};
    const std::string head = tableText(table, TableFormat::Markdown);
    return head.substr(2, head.find(" |\n") - 2);
}

}  // namespace

std::string comparisonGateText(const Comparison& comparison, double allowedShare)
{
    std::string text = gateSentence(comparison, allowedShare) + "\n";
    const ComparisonRows worse = rowsThat(comparison, [allowedShare](const ComparisonRow& row) { return isRegression(row, allowedShare); });
    if (!worse.empty()) {
        using Align = TextTable::Align;
        TextTable table({{"Definition", Align::Left}, {"Workload", Align::Left}, {"Solution", Align::Left}, {"A ms", Align::Right}, {"B ms", Align::Right}, {"Change", Align::Right}, {"Verdict", Align::Left}});
        const TableToWrite changes = changesTable(worse, kMostGateRows);
        for (std::size_t row = 0; row < changes.rowCount; ++row) {
            std::vector<std::string> cells;
            for (std::size_t column = 0; column < changes.columns.size(); ++column) cells.push_back(std::get<std::string>(changes.cell(row, column)));
            table.addRow(cells);
        }
        text += "\n" + table.toString();
        if (worse.size() > kMostGateRows) text += fmt::format("and {} more\n", worse.size() - kMostGateRows);
    }
    return text + fmt::format("\n{}\n{}\n", describeVerdictCounts(comparison), ratioMeanText(comparison));
}

std::string comparisonMarkdown(const Comparison& comparison, std::optional<double> allowedShare)
{
    std::string text = "### Benchmark comparison\n\n";
    if (allowedShare) text += fmt::format("**{}**\n\n", gateSentence(comparison, *allowedShare));
    text += fmt::format("A: {}  \nB: {}\n\n{}; {}.\n", inMarkdown(comparison.a), inMarkdown(comparison.b), describeVerdictCounts(comparison), ratioMeanText(comparison));
    if (!comparison.differences.empty()) {
        text += "\nNot the same on both sides, so differences need not come from the code:\n\n";
        for (const EnvironmentDifference& difference : comparison.differences) {
            text += fmt::format("- {}: A {}, B {}\n", inMarkdown(difference.name), inMarkdown(fmt::format("{}", fmt::join(difference.a, " and "))),
                                inMarkdown(fmt::format("{}", fmt::join(difference.b, " and "))));
        }
    }
    appendChanges(text, "Worse", rowsThat(comparison, [](const ComparisonRow& row) { return row.verdict == ComparisonVerdict::NowFailing || row.verdict == ComparisonVerdict::Slower; }));
    appendChanges(text, "Better", rowsThat(comparison, [](const ComparisonRow& row) { return row.verdict == ComparisonVerdict::NowPassing || row.verdict == ComparisonVerdict::Faster; }));
    return text;
}

}  // namespace tracedeck
