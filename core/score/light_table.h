// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <stop_token>
#include <string>
#include <vector>

#include "core/model/result.h"
#include "core/score/ceilings.h"
#include "core/score/speed_of_light.h"
#include "core/store/dataset.h"
#include "core/store/query.h"

namespace tracedeck {

// How near to the speed of light traces come (V-35).

struct LightQuestion {
    TraceFilter filter{};           ///< which traces
    std::string baselineAuthor{};   ///< whose only solution of a definition is the baseline of the score
    SelectionPolicy policy = SelectionPolicy::Newest;
    const CeilingTable* ceilings = nullptr;   ///< null: data sheets. Must outlive the question
};

/// One trace that passed.
struct LightRow {
    static constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    std::uint32_t row = 0;
    double latencyMs = 0;
    double lightMs = 0;
    SpeedOfLight::Bound bound = SpeedOfLight::Bound::Launch;
    double bytes = 0;
    double operations = kNone;       ///< NaN: not known
    bool isUpperEstimate = false;    ///< `bytes` counts tensors that a kernel may read in part only
    double baselineMs = kNone;       ///< on the same workload and hardware; NaN: none that passed
    double score = kNone;            ///< speedOfLightScore(); NaN without a baseline

    [[nodiscard]] double share() const { return lightMs / latencyMs; }
    /// Faster than the ceilings allow: the figures, or the ceilings, are wrong.
    [[nodiscard]] bool isTooFast() const { return latencyMs < lightMs; }
};
/// A solution on one kind of hardware.
struct LightSummary {
    std::string definition;
    std::string solution;
    std::string author;
    std::string hardware;
    std::size_t workloads = 0;
    std::size_t failed = 0;          ///< workloads on which it did not pass
    std::size_t tooFast = 0;
    double share = LightRow::kNone;  ///< geometric mean; those that are too fast count as 1
    double score = LightRow::kNone;  ///< mean, failures 0 (dialect §10.1); NaN without a baseline
};
struct LightTable {
    std::vector<LightRow> rows;             ///< as loaded
    std::vector<LightSummary> summaries;    ///< by definition, hardware, share (greatest first), solution
    std::size_t withoutCeiling = 0;         ///< traces left out, as nothing is known of their hardware
    std::size_t withoutSize = 0;            ///< traces left out, as neither bytes nor operations are known
    std::vector<std::string> problems;      ///< formulas of the dataset that don't count, and why
};
/// Error Cancelled: the token was set.
[[nodiscard]] Result<LightTable> lightTable(const Dataset& dataset, const LightQuestion& question, const std::stop_token& stop = {});

}  // namespace tracedeck
