// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/timing.h"

#include <sys/random.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <numeric>

namespace tracedeck::judge {

namespace {

constexpr double kNanosecondsPerMillisecond = 1e6;
/// What is left of a call that is shorter than the round trip's own spread.
constexpr double kShortestMs = 1e-6;

/// Value at a share of the sorted sample, between neighbours by weight; 0.5 is the median.
double quantile(const std::vector<double>& sorted, double share)
{
    const double position = share * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(position);
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    return std::lerp(sorted[below], sorted[above], position - static_cast<double>(below));
}

}  // namespace

std::uint64_t systemRandom()
{
    std::uint64_t word = 0;
    // Blocks only before the system has gathered entropy once after boot.
    while (::getrandom(&word, sizeof word, 0) != static_cast<ssize_t>(sizeof word)) {
    }
    return word;
}

HostResult<CallOutcome> makeCall(const CallSetup& setup, CallLoop& loop, std::uint64_t seed, std::uint32_t call, std::uint64_t& poisonPattern,
                                 Deadline deadline)
{
    if (auto filled = fillInputs(setup.device, setup.plan, setup.inputs, seed, call); !filled) {
        return HostFailure{HostFailure::Kind::Internal, filled.error().reason};
    }
    poisonPattern = systemRandom();
    setup.outputs.poison(setup.device, poisonPattern);
    std::vector<SharedBuffer*> buffers = setup.inputs.all();
    const std::vector<SharedBuffer*> outputs = setup.outputs.all();
    buffers.insert(buffers.end(), outputs.begin(), outputs.end());
    return loop.call(deadline, [&] { setup.device.evictCaches(buffers); });
}

int timedCallCount(const EvalConfig& config)
{
    return config.numTrials * (config.warmupRuns + config.iterations);
}

HostResult<TrialTimes> timeCalls(const CallSetup& setup, CallLoop& loop, const EvalConfig& config, std::uint64_t seed, Deadline deadline,
                                 const std::function<std::optional<HostFailure>(const TimedCall&)>& observer)
{
    TrialTimes times;
    std::uint32_t call = 0;
    int counted = 0;
    for (int trial = 0; trial < config.numTrials; ++trial) {
        std::vector<double> trialTimes;
        for (int i = 0; i < config.warmupRuns + config.iterations; ++i, ++call) {
            const bool isWarmup = i < config.warmupRuns;
            TimedCall timed{call, isWarmup ? -1 : counted++, 0, nullptr};
            auto outcome = makeCall(setup, loop, seed, call, timed.poisonPattern, deadline);
            if (auto* failure = std::get_if<HostFailure>(&outcome)) {
                return std::move(*failure);
            }
            timed.outcome = &std::get<CallOutcome>(outcome);
            if (observer) {
                if (auto failure = observer(timed)) {
                    return std::move(*failure);
                }
            }
            if (!isWarmup) {
                trialTimes.push_back(timed.outcome->nanoseconds);
            }
        }
        times.push_back(std::move(trialTimes));
    }
    return times;
}

TimeSummary summarise(const TrialTimes& times, double roundTripNs)
{
    TimeSummary summary;
    std::vector<double> all;
    for (std::vector<double> trial : times) {
        std::sort(trial.begin(), trial.end());
        const double median = quantile(trial, 0.5) / kNanosecondsPerMillisecond;
        summary.liveMs += median / static_cast<double>(times.size());
        summary.latencyMs += std::max(median - roundTripNs / kNanosecondsPerMillisecond, kShortestMs) / static_cast<double>(times.size());
        all.insert(all.end(), trial.begin(), trial.end());
    }
    for (double& time : all) {
        time = std::max((time - roundTripNs) / kNanosecondsPerMillisecond, kShortestMs);
    }
    std::sort(all.begin(), all.end());
    summary.count = all.size();
    if (!all.empty()) {
        summary.p5 = quantile(all, 0.05);
        summary.p50 = quantile(all, 0.5);
        summary.p95 = quantile(all, 0.95);
    }
    return summary;
}

}  // namespace tracedeck::judge
