// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "core/store/dataset.h"

namespace tracedeck {

/// Several snapshots shown as one, by the rules of a merge (core/store/merge.h) and without writing anything: identical items come
/// once, of two different ones under one name the first stays. The other, and what was made with it, is left out, and a problem
/// names both files. Each trace keeps its file and folder; blobs are those of the workload's own folder and are not compared. The
/// sources are loaded snapshots of different folders. `old`: a join of earlier snapshots of the same folders, or null; what did
/// not change since is shared with it.
[[nodiscard]] std::shared_ptr<const Dataset> joinDatasets(const std::vector<std::shared_ptr<const Dataset>>& sources, const Dataset* old = nullptr);

/// Loads folders and joins them; one folder alone is loaded as it is. Errors as Dataset::load, of the first folder that has one; Usage: a
/// folder is named twice.
[[nodiscard]] Result<std::shared_ptr<const Dataset>> loadFolders(const std::vector<std::filesystem::path>& roots, std::stop_token stop = {},
                                                                 LoadProgress* progress = nullptr, unsigned threads = 0);
/// What Dataset::reload does with joined folders.
[[nodiscard]] Result<std::shared_ptr<const Dataset>> reloadJoined(const std::shared_ptr<const Dataset>& old, std::stop_token stop,
                                                                  LoadProgress* progress, unsigned threads);

/// The name of a dataset for people: that of its folder; of joined ones all, with a plus between them.
[[nodiscard]] std::string displayName(const Dataset& dataset);
/// Roots of the folders that are read: one, or those that are joined.
[[nodiscard]] std::vector<std::filesystem::path> rootsOf(const Dataset& dataset);
/// Number of the joined folder that a file (an absolute path) lies in; 0 when it lies in none.
[[nodiscard]] std::size_t folderContaining(const Dataset& dataset, const std::filesystem::path& file);
/// Root of the folder that a definition is shown from; the first one where none has it.
[[nodiscard]] const std::filesystem::path& folderOfDefinition(const Dataset& dataset, const std::string& definition);
/// Root of the folder that a workload and the blobs that it names lie in.
[[nodiscard]] const std::filesystem::path& folderOfWorkload(const Dataset& dataset, const std::string& definition, const std::string& uuid);

/// One evaluation that is wanted.
struct WantedEvaluation {
    std::string definition;
    std::string solution;   ///< empty: any, or none
    std::string workload;   ///< uuid
};
/// The snapshot in whose folder all of this can be run, since it has the definitions, solutions and workloads that are shown: results go
/// there. The dataset itself when it is of one folder. Error Usage: no folder has all; it says what lies where.
[[nodiscard]] Result<std::shared_ptr<const Dataset>> folderToRunIn(const std::shared_ptr<const Dataset>& dataset,
                                                                   const std::vector<WantedEvaluation>& wanted);

}  // namespace tracedeck
