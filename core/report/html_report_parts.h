// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/report/dataset_report.h"
#include "core/report/html_page.h"
#include "core/report/svg_plots.h"

namespace tracedeck {

// Parts of the HTML report that are written in a file of their own, and what they share.

/// Sections of all definitions that have results: plots, heat maps, tables, solutions with their results and sources.
void writeDefinitions(HtmlPage& page, const DatasetReport& report);

/// One line a solution on this machine. Both must outlive it.
[[nodiscard]] TableToWrite solutionsTable(const ReportDefinition& part, const ReportMachine& machine);

/// One solution on one machine: on which workloads it has no result.
struct MissingResult {
    std::string definition;
    std::string solution;
    std::string hardware;
    std::size_t missing = 0;
    std::size_t workloads = 0;   ///< of the definition
    std::string examples;        ///< axes of the first ones
};
[[nodiscard]] std::vector<MissingResult> missingResults(const DatasetReport& report);
/// Must be outlived by `missing`.
[[nodiscard]] TableToWrite missingTable(const std::vector<MissingResult>& missing);

[[nodiscard]] inline PlotLook lookOf(HtmlForm form) { return form == HtmlForm::Browser ? PlotLook::Page : PlotLook::File; }
/// A report says nothing of this machine's folders.
[[nodiscard]] Error withoutFolders(const Dataset& dataset, Error error);
/// The first names, and how many more there are.
[[nodiscard]] std::string listed(const std::set<std::string>& names);
/// Letters, digits, dots and dashes of a text; never empty, never hidden.
[[nodiscard]] std::string fileNameOf(std::string_view text);

}  // namespace tracedeck
