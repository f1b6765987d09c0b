// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/merge_text.h"

#include <fmt/format.h>

#include "core/model/text.h"
#include "core/report/text_table.h"

namespace tracedeck {

std::string mergeText(const MergeReport& report)
{
    const auto line = [](const std::string& words) { return printable(words) + "\n"; };
    std::string text = line("Merged into " + toValidUtf8(report.target.string()));
    TextTable counts({{"", TextTable::Align::Left},
                      {"written", TextTable::Align::Right},
                      {"identical, kept once", TextTable::Align::Right}});
    const auto addCount = [&counts](const char* name, const MergeCount& count) {
        counts.addRow({name, std::to_string(count.written), std::to_string(count.identical)});
    };
    addCount("definitions", report.definitions);
    addCount("solutions", report.solutions);
    addCount("workloads", report.workloads);
    addCount("traces", report.traces);
    addCount("blobs", report.blobs);
    text += counts.toString();
    if (!report.conflicts.empty()) text += fmt::format("\nConflicts: {}\n", report.conflicts.size());
    for (const MergeConflict& conflict : report.conflicts) {
        text += line(fmt::format("- {} '{}': {}", conflict.kind, conflict.name, conflict.reason));
        text += line("    kept:      " + conflict.keptFile);
        text += line("    set aside: " + conflict.otherFile);
        text += line("           as: " + conflict.asideFile);
    }
    if (!report.setAside.empty()) text += "\nAlso set aside:\n";
    for (const MergeSetAside& aside : report.setAside) {
        text += line(fmt::format("- {} × {} of {}: {}", aside.count, aside.kind, aside.file, aside.reason));
        text += line("           as: " + aside.asideFile);
    }
    if (!report.problems.empty()) text += "\nProblems:\n";
    for (const Problem& problem : report.problems) {
        text += line(std::string(problem.severity == Severity::Error ? "- error: " : "- warning: ") +
                     problem.error.toString());
    }
    if (!report.isComplete()) {
        text += "\nNot everything is in the merged dataset; conflicts/report.json in it has this list.\n";
    }
    return text;
}

}  // namespace tracedeck
