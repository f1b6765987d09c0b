// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/model/definition.h"
#include "core/model/result.h"
#include "core/model/solution.h"
#include "core/store/line_file.h"

namespace tracedeck {

/// What was read from the file of a definition or a solution.
template <class Item>
struct ObjectRecord {
    std::shared_ptr<const Item> item;   ///< null when the file cannot be read as one
    std::vector<Problem> problems;
    std::optional<FileStamp> stamp;     ///< from before the file was read; not set when there was none
    std::size_t contentHash = 0;
    bool readsOtherFiles = false;       ///< a solution with separate sources: its own file does not tell whether it changed
};

/// A line file with its place in the snapshot.
struct PlacedLineFile {
    std::shared_ptr<const LineFileRecord> record;
    std::uint32_t fileIndex = 0;
    std::size_t firstRow = 0;
};

/// Every file that a loaded snapshot was made from, by its path below the root: what a reload compares the folder with.
struct LoadRecord {
    std::unordered_map<std::string, ObjectRecord<Definition>> definitions;
    std::unordered_map<std::string, ObjectRecord<Solution>> solutions;
    std::unordered_map<std::string, PlacedLineFile> lineFiles;
    bool hasProblemFolders = false;
};

}  // namespace tracedeck
