// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/markdown_report.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/report/html_report.h"
#include "core/report/html_report_parts.h"
#include "core/report/html_text.h"
#include "core/report/report_tables.h"
#include "core/report/text_table.h"

namespace tracedeck {

namespace {

constexpr std::size_t kMostFailures = 40;
constexpr std::size_t kLongestExample = 160;

std::string markdown(const TableToWrite& table) { return tableText(table, TableFormat::Markdown) + "\n"; }

/// A text of the dataset within a line, which it may not steer.
std::string word(std::string_view text)
{
    std::string line = printable(text);
    const std::string head = tableText({{{std::move(line), false}}, 0, {}}, TableFormat::Markdown);
    return head.substr(2, head.find(" |\n") - 2);
}

void appendFailures(std::string& text, const DatasetReport& report)
{
    text += "## Failures\n\n";
    if (report.failures.empty()) text += "Nothing failed.\n\n";
    const std::size_t shown = std::min(report.failures.size(), kMostFailures);
    for (std::size_t i = 0; i < shown; ++i) {
        const FailureGroup& group = report.failures[i].group;
        text += fmt::format("- {} × {}: {} ({}; {})\n", group.rows.size(), toString(group.status), group.example.empty() ? std::string("nothing is said") : word(shortened(group.example, kLongestExample)),
                            word(listed(group.definitions)), group.pattern.empty() ? fmt::format("{} solutions", group.solutions.size()) : "only where " + word(group.pattern));
    }
    if (shown < report.failures.size()) text += fmt::format("- and {} more\n", report.failures.size() - shown);
    if (shown > 0) text += "\n";
}

}  // namespace

std::string markdownReport(const DatasetReport& report)
{
    std::string text = fmt::format("# Benchmark report: {}\n\nScope: {}. Results up to {}.\n\n{}; {} missing.\n\n", word(report.title), word(report.scope), word(report.date),
                                   describeStatusCounts(report.statuses), report.missing());
    text += "## Environment\n\n";
    for (const ReportFact& fact : report.environment) text += fmt::format("- {}: {} ({})\n", word(fact.name), word(fact.value), fact.traces);
    text += "\n## Leaderboard\n\n";
    if (report.hasBaseline()) {
        text += markdown(rankTableToWrite(report.authorRanks)) + markdown(rankTableToWrite(report.solutionRanks));
    } else {
        text += fmt::format("Nothing is ranked: no solution shares a workload with a passing baseline of author {}.\n\n", word(report.question.baselineAuthor));
    }
    TableToWrite authors = groupsTable(*report.dataset, report.authors, {{TraceColumn::Author}});
    authors.columns.front().label = "Author";
    text += "### Against the reference, by author\n\n" + markdown(authors);
    if (!report.fastP.curves.empty()) text += "## fast_p\n\n" + markdown(fastPTable(report.fastP, {0.5, 0.8, 0.95, 1, 1.5, 2}, false));
    for (const ReportDefinition& part : report.definitions) {
        if (part.machines.empty()) continue;
        text += fmt::format("## {}\n\n", word(part.definition->name));
        for (const ReportMachine& machine : part.machines) text += fmt::format("### {}\n\nRatios: {}.\n\n{}", word(machine.map.question.hardware), word(ratioText(machine.map)), markdown(solutionsTable(part, machine)));
    }
    appendFailures(text, report);
    if (const auto missing = missingResults(report); !missing.empty()) text += "## Missing results\n\n" + markdown(missingTable(missing));
    text += "## How the numbers were made\n\n";
    for (const auto& [what, how] : methodOf(report)) text += fmt::format("- **{}.** {}\n", what, word(how));
    return text;
}

}  // namespace tracedeck
