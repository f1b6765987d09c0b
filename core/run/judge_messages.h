// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/model/definition.h"
#include "core/model/json.h"
#include "core/model/solution.h"
#include "core/model/trace.h"
#include "core/run/run_request.h"

namespace tracedeck {

/// The `open` message of core/judge/protocol.md for one workload. `session`: what later messages call it.
[[nodiscard]] Json openMessage(const RunRequest& request, const Definition& definition, const Workload& workload, const std::string& session);
/// The `evaluate` message. `artifact`: {`library`, `symbol`} of what was built, or null. `name`: the same as in a `prepare` before it.
[[nodiscard]] Json evaluateMessage(const RunRequest& request, const Solution& solution, const std::string& session, const std::string& name,
                                   const Json& artifact, const std::string& buildLog);

}  // namespace tracedeck
