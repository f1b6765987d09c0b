// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/interchange/interchange.h"
#include "core/model/trace.h"

namespace tracedeck {

/// An evaluated trace in the scope of an export, with what the dataset knows of it.
struct ExportRow {
    Trace trace;
    const Definition* definition = nullptr;   ///< null: the dataset has none
    const Solution* solution = nullptr;       ///< likewise

    [[nodiscard]] const Evaluation& evaluation() const { return *trace.evaluation; }
    /// The record of an import in this form; null for any other trace.
    [[nodiscard]] const Json* record(InterchangeFormat format) const;
};

/// The traces in scope, in load order. Error: as checkScopeNames(); Usage when there are none; a line cannot be read back.
[[nodiscard]] Result<std::vector<ExportRow>> exportRows(const Dataset& dataset, const ExportRequest& request, SelectionPolicy policy, const std::stop_token& stop);

/// What is left behind, by what it is.
using LeftBehind = std::map<std::string, std::size_t>;
/// Counts what neither form has a place for.
void countLeftBehind(LeftBehind& left, const ExportRow& row);

/// A file that is to be written.
struct ExportFile {
    std::filesystem::path path;
    std::string content;
};

// One writer a format.
[[nodiscard]] Result<std::vector<ExportFile>> kernelsBenchmarksFiles(std::vector<ExportRow> rows, const std::filesystem::path& out, LeftBehind& left);
[[nodiscard]] Result<std::vector<ExportFile>> nvBenchFiles(std::vector<ExportRow> rows, const std::filesystem::path& out, LeftBehind& left);

}  // namespace tracedeck
