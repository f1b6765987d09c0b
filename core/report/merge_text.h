// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/store/merge.h"

namespace tracedeck {

/// What a merge did, for a person: counts, then conflicts, what was set aside, and problems, each with its files.
[[nodiscard]] std::string mergeText(const MergeReport& report);

}  // namespace tracedeck
