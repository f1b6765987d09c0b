// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string_view>
#include <vector>

#include "core/store/dataset.h"

namespace tracedeck {

/// Evaluations that were made one after another. Traces do not name the run that they come from: their times tell runs apart.
struct MeasurementRun {
    std::int64_t start = 0;   ///< of its first trace, in microseconds since 1970
    std::int64_t end = 0;     ///< of its last one; both belong to it
    std::size_t traces = 0;
};

/// So long a pause, in microseconds, ends a run: half an hour.
constexpr std::int64_t kPauseBetweenRuns = std::int64_t{30} * 60 * 1'000'000;

/// Runs of a dataset, the oldest first: a new one begins where nothing was measured for longer than `pause`. Traces without an evaluation or
/// with a timestamp that is no time belong to none. Whatever it has when the token is set.
[[nodiscard]] std::vector<MeasurementRun> measurementRuns(const Dataset& dataset, std::int64_t pause = kPauseBetweenRuns, const std::stop_token& stop = {});

/// Number of a run, counted from 1, the oldest: `last`, `previous`, or a number up to `count`.
[[nodiscard]] std::optional<std::size_t> runNumber(std::string_view text, std::size_t count);

}  // namespace tracedeck
