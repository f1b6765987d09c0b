// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/model/result.h"

namespace tracedeck {

/// Names that a 64-bit little-endian shared object exports (defined dynamic symbols), read from the file without loading
/// it: loading would run a stranger's constructors in this process. Error InvalidInput when it is no such file.
[[nodiscard]] Result<std::vector<std::string>> exportedSymbols(const std::filesystem::path& library);

}  // namespace tracedeck
