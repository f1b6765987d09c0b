// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include "core/io/dataset_scanner.h"
#include "core/report/validation.h"

namespace tracedeck {

/// Checks a SOL-ExecBench dataset by that dialect's rules: what its program refuses (definition.json, workload.jsonl,
/// solution.json, config.json), what it silently reads as something else, tensors that are missing or do not fit, and what is
/// in the folders `solutions` and `traces` beside the problems. Errors as validateDataset.
[[nodiscard]] Result<ValidationReport> validateProblemFolders(const ValidationRequest& request, const ScannedFiles& files,
                                                              const std::vector<Check>& checks, const std::stop_token& stop);

/// Error Usage when a filter of the request names none of these.
[[nodiscard]] Result<void> checkFilterNames(const ValidationRequest& request, const std::vector<std::string>& definitions,
                                            const std::set<std::string>& opTypes);

}  // namespace tracedeck
