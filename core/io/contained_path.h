// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>

#include "core/model/result.h"

namespace tracedeck {

/// Joins a path that a dataset names to the folder that it must stay in. Error when it would leave the folder, by `..`, as an
/// absolute path or through a link; its reason is a verb phrase ("leads out of the folder"). The file need not exist.
[[nodiscard]] Result<std::filesystem::path> resolveContained(const std::filesystem::path& folder, const std::string& path);

}  // namespace tracedeck
