// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <CLI/App.hpp>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/commands.h"
#include "core/model/json.h"
#include "core/model/result.h"
#include "core/store/dataset.h"

namespace tracedeck::cli {

/// Adds the repeatable `--local DIR`.
void addLocalOption(CLI::App& command, std::vector<std::string>& roots);

/// Loads a dataset; an empty path means FIB_DATASET_PATH or the format's default folder. The first 20 problems go to
/// stderr. Error NotFound or Io when the folder cannot be read.
[[nodiscard]] Result<std::shared_ptr<const Dataset>> openDataset(const std::string& local);

/// Writes the whole text to stdout and flushes it. Error Io when the reader is gone or the disk is full.
[[nodiscard]] Result<void> writeStdout(std::string_view text);

/// Writes to `outFile` through a temporary sibling and a rename, or to stdout when `outFile` is empty.
[[nodiscard]] Result<void> writeOutput(std::string_view text, const std::string& outFile);

/// JSON document as text with a final newline; text that is no valid UTF-8 is repaired with U+FFFD.
[[nodiscard]] std::string jsonText(const Json& document);

/// Prints "tracedeck: error: …" to stderr and says which exit code belongs to it: Usage 2, unreadable input 3, else 1.
ExitCode fail(const Error& error);

}  // namespace tracedeck::cli
