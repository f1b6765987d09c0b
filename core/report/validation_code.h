// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <stop_token>
#include <vector>

#include "core/report/code_checks.h"
#include "core/report/validation_checks.h"
#include "core/report/validation_report.h"

namespace tracedeck {

/// Which of the checks that run code are wanted.
struct CodeChoice {
    bool definition = false;   ///< F4
    bool baseline = false;     ///< B2
    bool benchmark = false;    ///< X1 to X4
};

/// Runs what F4, B2 and the benchmark check need (data model §4) and adds their messages to the report. Error: Cancelled.
[[nodiscard]] Result<void> runCodeChecks(ValidationReport& report, const std::filesystem::path& root, const std::vector<DefinitionParts>& definitions,
                                         const CodeChoice& choice, CodeChecks& code, const std::stop_token& stop);

}  // namespace tracedeck
