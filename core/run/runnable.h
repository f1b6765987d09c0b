// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>

#include "core/model/definition.h"
#include "core/model/trace.h"

namespace tracedeck {

/// Why a workload of a definition cannot be run, though the definition is in order: it needs something that the runner does not
/// do yet ("not runnable yet: custom inputs (x, y)"), or its axes give no shapes. std::nullopt when it can.
[[nodiscard]] std::optional<std::string> runObstacle(const Definition& definition, const Workload& workload);

}  // namespace tracedeck
