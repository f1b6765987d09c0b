// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>

#include "core/model/result.h"
#include "core/model/solution.h"

namespace tracedeck {

/// Fills in the content of sources that are separate files (SOL-ExecBench dialect §6), from the folder of the solution file.
/// Error: a source is missing, is no text, or lies outside the folder, also by way of a link.
[[nodiscard]] Result<void> readSeparateSources(Solution& solution, const std::filesystem::path& folder);

}  // namespace tracedeck
