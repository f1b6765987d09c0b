// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "core/model/trace.h"

namespace tracedeck {

/// Who took a trace's times, by the judge's record in its line.
enum class TimingMethod : std::uint8_t {
    Unknown,    ///< no record, or one that names none that we know: measured by another program
    Judge,      ///< the judge's own clock
    Cupti,      ///< CUPTI's activity records
    CudaEvent   ///< CUDA events
};
constexpr int kTimingMethodCount = 4;
[[nodiscard]] TimingMethod timingMethodFromString(std::string_view name);

/// What a trace table keeps of one line. The texts are borrowed from the line (or from the Trace) and end with it.
struct TraceFields {
    std::string_view definition;
    std::string_view workloadUuid;
    std::vector<std::pair<std::string_view, std::int64_t>> axes;   ///< ascending names
    std::optional<std::string_view> solution;
    std::string_view hardware;
    std::string_view timestamp;
    Status status = Status::RuntimeError;
    bool hasEvaluation = false;
    bool hasCorrectness = false;
    bool hasPerformance = false;
    TimingMethod timingMethod = TimingMethod::Unknown;
    bool isLaunchBound = false;   ///< the GPU waited for the host: a faster kernel would not have shown
    static constexpr std::uint32_t kNoRepeat = std::numeric_limits<std::uint32_t>::max();
    /// From FastTraceLine: lines of one reader with the same number have the same workloadUuid and axes.
    std::uint32_t workloadRepeat = kNoRepeat;
    double latencyMs = std::numeric_limits<double>::quiet_NaN();
    double referenceLatencyMs = std::numeric_limits<double>::quiet_NaN();
    double speedupFactor = std::numeric_limits<double>::quiet_NaN();
    double maxAbsoluteError = std::numeric_limits<double>::quiet_NaN();
    double maxRelativeError = std::numeric_limits<double>::quiet_NaN();

    /// The status asks for correctness or performance that is not there, or has none where one is there.
    [[nodiscard]] bool isInconsistent() const;
    /// As new, but keeps the memory of `axes`.
    void clear();
};

[[nodiscard]] TraceFields fieldsOf(const Trace& trace);

/// Something that every reader of the format takes and that cannot be true. The texts are constants.
struct OddValue {
    const char* kind = "";    ///< fixed word for programs, for example `unusable-latency`
    const char* field = "";   ///< dotted path in the line
    const char* reason = "";  ///< what is wrong, what it means, and what to do; the same for every such line
    bool isMisleading = false;   ///< other programs compute scores from it
};
/// The odd values of an evaluated trace, in a fixed order.
[[nodiscard]] std::vector<OddValue> oddValuesOf(const TraceFields& fields);

}  // namespace tracedeck
