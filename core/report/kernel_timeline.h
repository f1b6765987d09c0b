// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

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

[[nodiscard]] Json encodeTimeline(const Timeline& timeline);
// Members of an entry, as CUPTI's records and kept timelines have them. Errors (InvalidInput) name `place`, which ends with a dot, and the field.
[[nodiscard]] Result<std::uint64_t> timelineCount(const Json& json, const std::string& place, const char* name);
/// Kind and name.
[[nodiscard]] Result<TimelineEntry> timelineEntryFrom(const Json& json, const std::string& place);
/// Stream, bytes, registers, grid and so on, as far as the entry's kind has them; times are not read. Keys: where its bytes of shared and local memory stand.
[[nodiscard]] Result<void> readTimelineSizes(TimelineEntry& entry, const Json& json, const std::string& place, const char* sharedKey, const char* localKey);
/// The inverse of encodeTimeline(). Error InvalidInput naming the entry and the field.
[[nodiscard]] Result<Timeline> timelineFromJson(const Json& json);

/// A timeline that was kept for reports.
struct KeptTimeline {
    Timeline timeline;
    std::string workload;   ///< uuid
    std::string source;     ///< content hash of the solution that was called
};

/// ROOT/tracedeck/timelines/<definition>/<solution>.json, where no other program looks. Error: a name can't be a file's, or a link leads out of the root.
[[nodiscard]] Result<std::filesystem::path> timelineFile(const std::filesystem::path& root, const std::string& definition, const std::string& solution);
/// Takes the place of what was kept before; all of it is there, or nothing is changed.
[[nodiscard]] Result<void> keepTimeline(const std::filesystem::path& root, const std::string& definition, const std::string& solution, const KeptTimeline& kept);
/// std::nullopt: none was kept. Errors name file and field.
[[nodiscard]] Result<std::optional<KeptTimeline>> readTimeline(const std::filesystem::path& root, const std::string& definition, const std::string& solution);

/// What a page shows of one.
constexpr std::size_t kMostTimelineRows = 60;

}  // namespace tracedeck
