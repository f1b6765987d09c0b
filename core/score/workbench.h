// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/result.h"
#include "core/score/ceilings.h"
#include "core/store/dataset.h"
#include "core/store/query.h"

namespace tracedeck {

// What a chart of one definition can show (V-30): any time of a call against any measure of a workload's size, or against when it was taken.

/// What lies on the horizontal axis.
enum class ChartAbscissa {
    Axis,         ///< a variable axis of the definition
    Workload,     ///< position of the workload in file order
    Bytes,        ///< that must be moved: of all inputs and outputs
    Operations,   ///< multiplications and additions, by the formula of the op_type
    Intensity,    ///< operations ÷ bytes: with Throughput, a roofline
    Moment        ///< when it was measured, in seconds since 1970
};
[[nodiscard]] std::string_view toString(ChartAbscissa abscissa);   ///< `axis`, `workload`, `bytes`, `flops`, `intensity` or `time`
[[nodiscard]] std::optional<ChartAbscissa> chartAbscissaFromString(std::string_view name);

/// Which time of a call counts. A launch-bound call looks very different by each of them.
enum class CallTime {
    Stored,    ///< the trace's latency_ms
    Live,      ///< from the first kernel's start to the last one's end, launched live (the judge's live_ms)
    Queued,    ///< behind a busy stream, so that launching costs nothing (queued_ms)
    Kernels    ///< sum of its kernels (kernels_ms)
};
[[nodiscard]] std::string_view toString(CallTime time);            ///< `stored`, `live`, `queued` or `kernels`
[[nodiscard]] std::optional<CallTime> callTimeFromString(std::string_view name);

[[nodiscard]] std::string_view toString(ChartMeasure measure);     ///< `latency`, `reference`, `baseline`, `bandwidth`, `throughput`, `light`, `absolute-error` or `relative-error`
[[nodiscard]] std::optional<ChartMeasure> chartMeasureFromString(std::string_view name);

/// Where more points than these passed, there is no band: nobody could see it, and the lines of all traces would have to be read.
constexpr std::size_t kMostBandPoints = 5'000;

struct ChartQuestion {
    std::string definition;
    ChartAbscissa abscissa = ChartAbscissa::Workload;
    std::string axis{};             ///< of ChartAbscissa::Axis
    ChartMeasure measure = ChartMeasure::LatencyMs;
    CallTime time = CallTime::Stored;
    std::string hardware{};         ///< empty: all, a series for each
    std::string baselineSolution{}; ///< of ChartMeasure::RatioToBaseline
    SelectionPolicy policy = SelectionPolicy::Newest;
    bool wantsBand = true;          ///< reads the traces' lines back for the spread of their samples
    const CeilingTable* ceilings = nullptr;   ///< what GPUs can do; null: by their data sheets. Must outlive the question
};

/// What bounds the points of one GPU.
struct Roof {
    std::string hardware;
    double bytesPerSecond = 0;        ///< 0: not known
    double operationsPerSecond = 0;   ///< by the operands' dtype; 0: not known
    std::string source;               ///< of the figures
};

struct ChartAnswer {
    std::vector<Series> series;       ///< as chartSeries, those without points left out; of a point that passed `low` and `high` where they are known
    std::size_t withoutTime = 0;      ///< passed traces whose record lacks the time that was asked for
    std::size_t withoutSize = 0;      ///< traces on workloads whose bytes or operations are not known
    std::size_t withoutMoment = 0;    ///< traces with a timestamp that is no time
    std::size_t withoutError = 0;     ///< passed traces that have no errors stored, where those were asked for
    std::size_t unreadable = 0;       ///< traces whose line could not be read back
    bool isUpperEstimate = false;     ///< bytes count tensors that a kernel may read in part only
    std::string formula;              ///< of the operations, in words; empty where they were not asked for
    std::size_t withoutCeiling = 0;   ///< traces of GPUs whose ceilings are not known, where those were asked for
    std::vector<Roof> roofs;          ///< one for each GPU in the series, where sizes were asked for
    std::string formulaProblem;       ///< why the dataset's own formula for this definition does not count
};

/// Ratios set times of one kind against each other: by Live, the reference's live_ms ÷ the solution's. Bandwidth in bytes a second,
/// Throughput in operations a second, LightShare the shortest possible time (speed_of_light.h) ÷ the time. The band is p10 to p90 of the samples behind the stored time; other times have none. Error
/// Cancelled when the token was set.
[[nodiscard]] Result<ChartAnswer> chartAnswer(const Dataset& dataset, const ChartQuestion& question, const std::stop_token& stop = {});

}  // namespace tracedeck
