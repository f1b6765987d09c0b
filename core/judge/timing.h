// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "core/judge/call_loop.h"
#include "core/judge/device.h"
#include "core/judge/inputs.h"
#include "core/run/eval_config.h"

namespace tracedeck::judge {

/// What a call works on.
struct CallSetup {
    Device& device;
    const InputPlan& plan;
    const BufferSet& inputs;
    const BufferSet& outputs;
};

/// One call: fresh contents, freshly poisoned outputs, cold caches. `poisonPattern` tells what the outputs held before.
HostResult<CallOutcome> makeCall(const CallSetup& setup, CallLoop& loop, std::uint64_t seed, std::uint32_t call, std::uint64_t& poisonPattern,
                                 Deadline deadline);

/// One timed call, as an observer sees it.
struct TimedCall {
    std::uint32_t call = 0;      ///< content index
    int counted = -1;            ///< index among the counted calls of all trials; -1 for a warm-up
    std::uint64_t poisonPattern = 0;
    const CallOutcome* outcome = nullptr;
};

/// Nanoseconds of the counted calls, one list a trial.
using TrialTimes = std::vector<std::vector<double>>;

/// Warm-ups and counted calls of every trial (benchmark §3.1). The observer runs after each call, outside the window; a
/// failure that it returns ends the series.
HostResult<TrialTimes> timeCalls(const CallSetup& setup, CallLoop& loop, const EvalConfig& config, std::uint64_t seed, Deadline deadline,
                                 const std::function<std::optional<HostFailure>(const TimedCall&)>& observer);

/// Calls that timeCalls() makes.
[[nodiscard]] int timedCallCount(const EvalConfig& config);

/// Times of a series in milliseconds, the round trip taken off each call.
struct TimeSummary {
    double latencyMs = 0;   ///< mean over trials of the trial medians; at least 1e-6
    double liveMs = 0;      ///< the same with the round trip left in
    double p5 = 0;          ///< over all counted calls
    double p50 = 0;
    double p95 = 0;
    std::size_t count = 0;
};
[[nodiscard]] TimeSummary summarise(const TrialTimes& times, double roundTripNs);

/// 64 bits from the system's random source.
[[nodiscard]] std::uint64_t systemRandom();

}  // namespace tracedeck::judge
