// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tracedeck::cudahost {

/// Names of this library's kernels begin like this.
inline constexpr const char* kOurKernels = "tracedeck_host_";

/// One kernel, copy or fill as CUPTI reports it; nanoseconds on CUPTI's clock.
struct Activity {
    std::uint64_t start = 0;
    std::uint64_t end = 0;
    bool isOurs = false;   ///< a kernel of this library, not the solution's
};

/// The same with all that its launch says, for a timeline.
struct DetailedActivity {
    const char* kind = "kernel";        ///< kernel, copy, fill
    std::string name;                   ///< of the kernel as the linker knows it; `host to device` of a copy
    std::uint64_t start = 0;
    std::uint64_t end = 0;
    std::int32_t grid[3] = {0, 0, 0};
    std::int32_t block[3] = {0, 0, 0};
    std::uint32_t registers = 0;        ///< a thread
    std::uint64_t sharedBytes = 0;      ///< a block
    std::uint64_t localBytes = 0;       ///< a thread
    std::uint64_t bytes = 0;            ///< of a copy or fill
    std::uint32_t stream = 0;
};

/// Paths to look for CUPTI in, from a text with one a line; none in a null.
std::vector<std::string> pathsIn(const char* text);

/// CUPTI's activity records of this process, opened at run time. One per process.
class ActivityRecorder {
public:
    /// Tries the paths one after the other; false with `reason` when none works. To be called before the context is made.
    static bool open(const std::vector<std::string>& libraries, std::string& reason);
    /// Now, on the clock of the records.
    static std::uint64_t now();
    /// Everything recorded since the last call, sorted by start. All work must have ended.
    static std::vector<Activity> take();
    /// Records come with details from now on, for takeDetails() in place of take(). Before open().
    static void keepDetails();
    static std::vector<DetailedActivity> takeDetails();
};

}  // namespace tracedeck::cudahost
