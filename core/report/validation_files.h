// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>

#include "core/model/result.h"

namespace tracedeck {

/// Writes `report-YYYYMMDD-HHMMSS.json` and `.txt` (local time) into a folder, which is made when it is missing; null:
/// not that one. Error Conflict: a report of this second exists already; nothing is overwritten.
[[nodiscard]] Result<void> writeReportFiles(const std::filesystem::path& folder, const std::string* json,
                                            const std::string* text);

}  // namespace tracedeck
