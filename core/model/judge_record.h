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

/// What was kept of a result that another program measured: the trace's extra key `imported` (docs/interchange.md). nullptr where there is none.
[[nodiscard]] const Json* importedRecord(const Evaluation& evaluation);
/// Statistics of the times of single calls in milliseconds (`p10`, `p50`, `p90`…): the judge's, or else what was imported.
[[nodiscard]] const Json* callStatistics(const Evaluation& evaluation);

}  // namespace tracedeck
