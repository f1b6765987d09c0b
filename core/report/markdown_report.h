// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/report/dataset_report.h"

namespace tracedeck {

/// The figures of the HTML report as GitHub's Markdown: rankings, fast_p, a table of solutions for each definition and machine, failures, what is missing, how
/// the numbers were made. Names of a dataset are escaped. Same data, same bytes.
[[nodiscard]] std::string markdownReport(const DatasetReport& report);

}  // namespace tracedeck
