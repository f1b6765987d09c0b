// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <stop_token>
#include <string>

#include "core/diagnose/solo_call.h"
#include "core/model/json.h"
#include "core/model/result.h"
#include "core/report/kernel_timeline.h"

namespace tracedeck {

/// Reads CUPTI's records as the library of hosts writes them. Error InvalidInput naming the record and the field.
[[nodiscard]] Result<Timeline> decodeTimeline(const Json& activities);

/// Records one call of a solution on a GPU, after three to warm up. Error: not a GPU, CUPTI is missing, the solution could not be prepared.
[[nodiscard]] Result<Timeline> recordTimeline(const DiagnosisTarget& target, const DiagnosisProgress& onProgress = {}, std::stop_token stop = {});
/// Keeps it for reports in the target's dataset, in place of an earlier one of the solution.
[[nodiscard]] Result<void> keepTimelineOf(const DiagnosisTarget& target, const Timeline& timeline);
[[nodiscard]] std::string timelineText(const Timeline& timeline);

}  // namespace tracedeck
