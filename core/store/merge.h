// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

#include "core/model/json.h"
#include "core/model/result.h"

namespace tracedeck {

/// What to put into a new dataset.
struct MergeRequest {
    std::vector<std::filesystem::path> sources;   ///< in order of precedence; one is enough to export a subset
    std::filesystem::path target;                 ///< must not exist, or be an empty folder
    /// Only definitions with one of these names or op_types, and what belongs to them: solutions, workloads, traces,
    /// and the blobs of these workloads. Both empty: everything, blobs that no workload names included.
    std::vector<std::string> definitions;
    std::vector<std::string> opTypes;

    [[nodiscard]] bool isSubset() const { return !definitions.empty() || !opTypes.empty(); }
};

/// An item that two sources (or one) have under the same name with different content. The first one is in the merged
/// dataset.
struct MergeConflict {
    std::string kind;       ///< definition, solution, workload or blob
    std::string name;       ///< name, uuid or path
    std::string keptFile;   ///< with its line for workloads
    std::string otherFile;
    std::string asideFile;   ///< where the other one is, relative to the target
    std::string reason;
};

/// Items that are not in the merged dataset for another reason than a conflict of their own: they belong to an item
/// that lost one, or no reader of the format would take them.
struct MergeSetAside {
    std::string kind;        ///< definition, solution, workload, trace, blob or line
    std::string file;        ///< of the source
    std::string asideFile;   ///< relative to the target
    std::string reason;
    std::size_t count = 0;
};

struct MergeCount {
    std::size_t written = 0;
    std::size_t identical = 0;   ///< were there already
};

struct MergeReport {
    std::filesystem::path target;
    std::vector<std::filesystem::path> sources;
    MergeCount definitions;
    MergeCount solutions;
    MergeCount workloads;
    MergeCount traces;
    MergeCount blobs;
    std::vector<MergeConflict> conflicts;
    std::vector<MergeSetAside> setAside;
    /// What is wrong in the sources; old forms that were brought up to date are warnings.
    std::vector<Problem> problems;

    /// Whether everything of the sources is in the merged dataset.
    [[nodiscard]] bool isComplete() const;
};

/// Puts datasets together in a new folder, in the format's own places. Identical items come once; of two different ones
/// under the same name the first stays. The other, and what was made with it (solutions and workloads of a definition
/// that computes something else, traces of a solution with another source, traces of another workload), is kept below
/// `conflicts/<number of the source>/`, which no reader loads, with `conflicts/report.json` saying why.
/// Files and lines that the strict reader takes are copied byte for byte, old forms are written anew.
/// Nothing is written into a source. The target appears whole or not at all: it is built in a hidden sibling and
/// renamed. Memory does not depend on the number of traces, except for one bit a line of the largest file. Error: a
/// source cannot be read, the target is not free, a name was asked for that no source has, the disk refused, or the
/// stop token was set.
[[nodiscard]] Result<MergeReport> mergeDatasets(const MergeRequest& request, std::stop_token stop = {});

/// `merge --json`: {target, sources, complete, definitions: {written, identical}, …, conflicts, set_aside, problems}.
[[nodiscard]] Json mergeDocument(const MergeReport& report);

}  // namespace tracedeck
