// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/model/trace.h"

namespace tracedeck {

/// What the judge wrote beside a result: the trace's extra key `judge` (trusted judging §3.12). nullptr where there is no such object.
/// Anybody can have written it, so nothing in it is certain.
[[nodiscard]] const Json* judgeRecord(const Evaluation& evaluation);
/// Which source was judged: Solution::contentHash(). Empty where it does not say.
[[nodiscard]] std::string judgedSource(const Evaluation& evaluation);
/// Its `time`, likewise.
[[nodiscard]] const Json* judgeTime(const Evaluation& evaluation);

}  // namespace tracedeck
