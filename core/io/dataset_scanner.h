// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/dialect.h"
#include "core/model/result.h"

namespace tracedeck {

/// A folder of a SOL-ExecBench dataset that holds definition.json (dialect §1.1).
struct ProblemFolder {
    std::string path;                ///< relative to the root; empty: the root itself
    std::string label;               ///< the folders between the root and this one, joined by '-': groups the problems
    std::string configFile;          ///< its config.json, relative to the root; empty: none

    /// Path of a file in the folder, relative to the root.
    [[nodiscard]] std::string file(const std::string& name) const { return path.empty() ? name : path + "/" + name; }
};

/// Files of a dataset folder, as paths relative to it with forward slashes, each list in load order (data model D6).
struct ScannedFiles {
    std::vector<std::string> definitions;
    std::vector<std::string> solutions;
    std::vector<std::string> workloads;
    std::vector<std::string> traces;
    bool hasDatasetFolder = false;   ///< at least one of the four folders is there
    /// Not empty: a SOL-ExecBench dataset. `definitions` then has the definition.json of each, in the same order; the other
    /// files of the folders are in the lists above, too.
    std::vector<ProblemFolder> problemFolders;
    std::vector<Problem> problems;   ///< folders that cannot be read

    [[nodiscard]] Dialect dialect() const { return problemFolders.empty() ? Dialect::FlashInferTrace : Dialect::SolExecBench; }
    /// Whether the folder holds a dataset of either kind, if an empty one.
    [[nodiscard]] bool isDataset() const { return hasDatasetFolder || !problemFolders.empty(); }
    /// The problem folder that a file lies in directly; nullptr for none.
    [[nodiscard]] const ProblemFolder* problemFolderOf(const std::string& file) const;
};

/// Stands in for the op_type of definitions that lie in no subset.
inline constexpr const char* kUngroupedLabel = "ungrouped";

/// Finds the files that the format loads (data model §1.3): hidden ones too, links to files too; links to folders below the
/// four start folders are not followed. Where there is no definitions folder, problem folders of SOL-ExecBench are looked for
/// down to the fourth level. Error NotFound: the root is no folder, or one without a dataset (the text says what one looks like);
/// Io: it cannot be read; Cancelled: the stop token was set.
[[nodiscard]] Result<ScannedFiles> scanDataset(const std::filesystem::path& root, std::stop_token stop = {});

/// Load order of two relative paths: component by component, each by Unicode code point.
[[nodiscard]] bool precedesInLoadOrder(std::string_view a, std::string_view b);

}  // namespace tracedeck
