// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/report/code_checks.h"
#include "core/report/validation_report.h"

namespace tracedeck {

struct ValidationRequest {
    std::filesystem::path root;
    std::optional<std::vector<Check>> checks;   ///< not set: all; `dataset` only when nothing is filtered
    bool disableGpu = false;
    /// A definition is looked at when it fits one of the two filters, or both are empty.
    std::vector<std::string> opTypes;
    std::vector<std::string> definitions;
};

/// Checks a dataset as flashinfer-bench's validator does, with its own stricter scan (data model §4), and beyond that
/// the dataset as a whole: what the format's loader reads but no check looks at, names and uuids that are used twice,
/// orphans, dtypes of blobs, and paths and links that lead out of the folder.
/// Nothing is written, no blob path is followed out of the root, and code of the dataset is run by `code` alone. Memory does not
/// depend on the number of traces.
/// Without `code`, or where it has an obstacle, the checks that run code are left out as `disable_gpu` does it, and the report says why.
/// The problem folders of a SOL-ExecBench dataset are checked by that dialect's rules (dialect §2 to §6); they are not run.
/// Error: the root is no dataset or cannot be read, a filter names what is not there (Usage), or the stop token was set.
[[nodiscard]] Result<ValidationReport> validateDataset(const ValidationRequest& request, std::stop_token stop = {}, CodeChecks* code = nullptr);

}  // namespace tracedeck
