// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/result.h"

namespace tracedeck {

/// Files of a dataset folder, as paths relative to it with forward slashes, each list in load order (data model D6).
struct ScannedFiles {
    std::vector<std::string> definitions;
    std::vector<std::string> solutions;
    std::vector<std::string> workloads;
    std::vector<std::string> traces;
    bool hasDatasetFolder = false;   ///< at least one of the four folders is there
    std::vector<Problem> problems;   ///< folders that cannot be read
};

/// Finds the files that the format loads (data model §1.3): hidden ones too, links to files too; links to folders below the
/// four start folders are not followed. Error: the root is not a readable folder, or the stop token was set.
[[nodiscard]] Result<ScannedFiles> scanDataset(const std::filesystem::path& root, std::stop_token stop = {});

/// Load order of two relative paths: component by component, each by Unicode code point.
[[nodiscard]] bool precedesInLoadOrder(std::string_view a, std::string_view b);

}  // namespace tracedeck
