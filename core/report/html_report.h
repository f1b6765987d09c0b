// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/report/dataset_report.h"
#include "core/report/html_page.h"

namespace tracedeck {

struct HtmlReport {
    std::string html;
    std::vector<PagePicture> pictures;   ///< that it names (HtmlForm::Paper)
};

/// A report for people: environment, settings, rankings, and for each definition plots, heat map, tables, failures with the end of their logs, what is
/// missing, sources, and how each number was made. Same data, same bytes: it holds no clock, no path and no host's name of this machine.
[[nodiscard]] HtmlReport htmlReport(const DatasetReport& report, HtmlForm form = HtmlForm::Browser);

/// Every chart of the report as an SVG file by itself; names say what is on it, and are safe as file names.
[[nodiscard]] std::vector<PagePicture> reportPictures(const DatasetReport& report);

/// How each number was made: a heading and a sentence or two each.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> methodOf(const DatasetReport& report);

}  // namespace tracedeck
