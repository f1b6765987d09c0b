// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/store/dataset.h"

namespace tracedeck {

/// A copy of a snapshot with only these traces (ascending rows): whatever is asked of it is about them alone. For reports on a part; it can't be
/// reloaded.
[[nodiscard]] std::shared_ptr<const Dataset> onlyTraces(const Dataset& whole, const std::vector<std::uint32_t>& rows);

}  // namespace tracedeck
