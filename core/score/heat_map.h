// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/model/result.h"
#include "core/store/dataset.h"
#include "core/store/query.h"

namespace tracedeck {

// Workloads × solutions of one definition on one GPU (V-31).

/// What a cell's latency is set against.
enum class HeatMeasure {
    Baseline,    ///< the baseline solution on the same workload
    Reference,   ///< the reference, timed in the same evaluation (the trace's speedup_factor)
    Best         ///< the fastest that passed on the workload: at most 1
};
[[nodiscard]] std::string_view toString(HeatMeasure measure);   ///< `baseline`, `reference` or `best`
[[nodiscard]] std::optional<HeatMeasure> heatMeasureFromString(std::string_view name);

struct HeatMapQuestion {
    std::string definition;
    std::string hardware{};         ///< empty: the one with the most traces of the definition
    HeatMeasure measure = HeatMeasure::Baseline;
    std::string baselineAuthor{};   ///< whose only solution of the definition is the baseline; for that measure
    SelectionPolicy policy = SelectionPolicy::Newest;   ///< All: as Newest, since a cell shows one trace
};

struct HeatMapCell {
    std::optional<std::uint32_t> row;   ///< of the trace; nothing: not run
    Status status = Status::Other;
    double latencyMs = std::numeric_limits<double>::quiet_NaN();   ///< of a trace that passed, where it can be true
    double ratio = std::numeric_limits<double>::quiet_NaN();       ///< how many times as fast; NaN: failed, or nothing to set it against

    [[nodiscard]] bool isRun() const { return row.has_value(); }
    [[nodiscard]] bool isFailed() const { return isRun() && status != Status::Passed; }
};
struct HeatMapWorkload {
    std::string uuid;
    std::vector<std::pair<std::string, std::int64_t>> axes;   ///< by name
    [[nodiscard]] std::string axesText() const;               ///< `M=16;N=4096`
};
struct HeatMapSolution {
    std::string name;
    std::string author;
    std::size_t passed = 0;
    std::size_t failed = 0;
    double geometricMean = std::numeric_limits<double>::quiet_NaN();   ///< of its ratios; NaN without any
};

struct HeatMap {
    HeatMapQuestion question;               ///< with the hardware that was taken
    std::string baselineSolution;           ///< for that measure
    std::vector<std::string> machines;      ///< all that have traces of the definition
    std::vector<HeatMapWorkload> workloads; ///< in file order, then those that only traces know
    std::vector<HeatMapSolution> solutions; ///< as loaded, then those that only traces know by name
    std::vector<HeatMapCell> cells;         ///< workload by workload

    [[nodiscard]] const HeatMapCell& at(std::size_t workload, std::size_t solution) const { return cells[workload * solutions.size() + solution]; }
    [[nodiscard]] bool isEmpty() const { return workloads.empty() || solutions.empty(); }
    /// The greatest |log2(ratio)|, at least 1 and at most 6: what a scale of colours must reach.
    [[nodiscard]] double greatestDoubling() const;

    // Orders: numbers of workloads or solutions. Cells without a ratio come last in either direction, those that failed before those that
    // were not run; equal ones stay as they are.
    [[nodiscard]] std::vector<std::size_t> workloadsByAxes() const;
    [[nodiscard]] std::vector<std::size_t> workloadsByRatio(std::size_t solution, bool descending) const;
    [[nodiscard]] std::vector<std::size_t> solutionsByRatio(std::size_t workload, bool descending) const;
    [[nodiscard]] std::vector<std::size_t> solutionsByMean() const;   ///< greatest first
    [[nodiscard]] std::vector<std::size_t> solutionsByName() const;
};

/// Error as baselineOf (measure Baseline); NotFound for a definition that neither a file nor a trace has; Cancelled when the token was set.
[[nodiscard]] Result<HeatMap> heatMap(const Dataset& dataset, const HeatMapQuestion& question, const std::stop_token& stop = {});

}  // namespace tracedeck
