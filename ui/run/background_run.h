// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>

#include "core/model/result.h"

namespace tracedeck::ui {

/// Starts `tracedeck run --continue ID` as a process of its own, which lives on when this one ends; what it says goes to `<id>.log` beside
/// the record. Error: it could not be started.
[[nodiscard]] Result<void> continueInBackground(const std::filesystem::path& folder, const std::string& id);

}  // namespace tracedeck::ui
