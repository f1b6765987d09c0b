// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/model/trace.h"

namespace tracedeck {

/// The line that says most about why an evaluation did not pass: what the judge says, where it recorded it (trusted judging §3.12),
/// else what the log says, of which much may be the solution's own output. A traceback's last line names the exception; anything
/// else begins with what matters. At most some 300 characters; empty when nothing is said.
[[nodiscard]] std::string failureReason(const Evaluation& evaluation);

}  // namespace tracedeck
