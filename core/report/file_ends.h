// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

#include "core/io/data_file.h"

namespace tracedeck {

/// A workloads or traces file that does not end with a line end.
struct FileEndFault {
    std::string file;        ///< relative to the root
    LineFileEnd end = LineFileEnd::Unclear;
    std::int64_t line = 0;   ///< the last one, 1-based
    bool operator==(const FileEndFault&) const = default;
};

/// All of a dataset, in load order; those that cannot be read are left to the loader. Error: the folder is no dataset, or the stop
/// token was set.
[[nodiscard]] Result<std::vector<FileEndFault>> findFileEndFaults(const std::filesystem::path& root, const std::stop_token& stop = {});

}  // namespace tracedeck
