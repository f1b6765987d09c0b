// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include "core/diagnose/solo_call.h"
#include "core/model/json.h"
#include "core/model/result.h"

namespace tracedeck {

/// One thing that the GPU did in a call.
struct TimelineEntry {
    enum class Kind { Kernel, Copy, Fill } kind = Kind::Kernel;
    std::string name;                       ///< of the kernel, with argument types; what is copied from where to where
    double startUs = 0;                     ///< since the first entry began
    double durationUs = 0;
    std::vector<std::int64_t> grid;         ///< three numbers, of a kernel
    std::vector<std::int64_t> block;
    std::uint64_t registers = 0;            ///< a thread
    std::uint64_t sharedBytes = 0;          ///< a block, static and dynamic
    std::uint64_t localBytes = 0;           ///< a thread
    std::uint64_t bytes = 0;                ///< copied or filled
    std::uint64_t stream = 0;
};

/// What the GPU did in one call, by CUPTI's records.
struct Timeline {
    std::vector<TimelineEntry> entries;     ///< by start
    double spanUs = 0;                      ///< start of the first to end of the last
    double busyUs = 0;                      ///< in which at least one ran
    std::string confinement;
    std::string error;                      ///< why there is nothing; may be empty

    /// How much of the span nothing ran.
    [[nodiscard]] double gapsUs() const { return spanUs - busyUs; }
};

/// A grid or a block: `8×1×1`; empty for none.
[[nodiscard]] std::string launchSizeText(const std::vector<std::int64_t>& size);

/// Reads CUPTI's records as the library of hosts writes them. Error InvalidInput naming the record and the field.
[[nodiscard]] Result<Timeline> decodeTimeline(const Json& activities);

/// Records one call of a solution on a GPU, after three to warm up. Error: not a GPU, CUPTI is missing, the solution could not be prepared.
[[nodiscard]] Result<Timeline> recordTimeline(const DiagnosisTarget& target, const DiagnosisProgress& onProgress = {}, std::stop_token stop = {});
[[nodiscard]] std::string timelineText(const Timeline& timeline);
[[nodiscard]] Json encodeTimeline(const Timeline& timeline);

}  // namespace tracedeck
