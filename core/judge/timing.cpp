// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/timing.h"

#include <sys/random.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

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
                                 Deadline deadline, CallMode mode)
{
    if (auto filled = fillInputs(setup.device, setup.plan, setup.inputs, seed, call); !filled) {
        return HostFailure{HostFailure::Kind::Internal, filled.error().reason};
    }
    poisonPattern = systemRandom();
    setup.outputs.poison(setup.device, poisonPattern);
    std::vector<SharedBuffer*> buffers = setup.inputs.all();
    const std::vector<SharedBuffer*> outputs = setup.outputs.all();
    buffers.insert(buffers.end(), outputs.begin(), outputs.end());
    const auto beforeGo = [&] {
        setup.device.evictCaches(buffers);
        setup.device.synchronise();
    };
    return loop.call(deadline, beforeGo, mode);
}

int timedCallCount(const EvalConfig& config, bool isGpu)
{
    return config.numTrials * (config.warmupRuns + config.iterations) + (isGpu ? kQueuedCalls : 0);
}

void attachClaims(Series& series, const std::vector<ClaimedTimes>& claims)
{
    for (std::size_t i = 0; claims.size() >= series.size() && i < series.size(); ++i) {
        series[i].claim = claims[claims.size() - series.size() + i];
    }
}

HostResult<Series> timeCalls(const CallSetup& setup, CallLoop& loop, const EvalConfig& config, std::uint64_t seed, Deadline deadline,
                             const std::function<std::optional<HostFailure>(const TimedCall&)>& observer)
{
    Series series;
    const int perTrial = config.warmupRuns + config.iterations;
    const int live = config.numTrials * perTrial;
    int counted = 0;
    for (int call = 0; call < timedCallCount(config, setup.device.isCuda()); ++call) {
        const CallMode mode = call < live ? CallMode::Live : CallMode::Queued;
        const bool isCounted = mode == CallMode::Live && call % perTrial >= config.warmupRuns;
        TimedCall timed{static_cast<std::uint32_t>(call), isCounted ? counted++ : -1, 0, nullptr};
        auto outcome = makeCall(setup, loop, seed, timed.call, timed.poisonPattern, deadline, mode);
        if (auto* failure = std::get_if<HostFailure>(&outcome)) {
            return std::move(*failure);
        }
        timed.outcome = &std::get<CallOutcome>(outcome);
        if (observer) {
            if (auto failure = observer(timed)) {
                return std::move(*failure);
            }
        }
        series.push_back({call / perTrial, isCounted, mode, timed.outcome->hostSynchronises, timed.outcome->nanoseconds, std::nullopt});
    }
    return series;
}

namespace {

/// A claim is believed as far as the judge's clock allows (trusted judging §3.6); the allowance is for reading two clocks.
constexpr double kClaimAllowanceNs = 2000;

double sampleNs(const SeriesCall& call, double roundTripNs, TimeSummary& summary)
{
    if (!call.claim) {
        return call.judgeNs - roundTripNs;
    }
    if (call.claim->activities == 0) {
        ++summary.withoutActivity;
        return call.judgeNs;
    }
    if (call.claim->span > call.judgeNs + kClaimAllowanceNs) {
        ++summary.unsupportedClaims;
        return call.judgeNs;
    }
    return call.claim->span;
}

double medianOf(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    return quantile(values, 0.5);
}

}  // namespace

TimeSummary summarise(const Series& series, double roundTripNs)
{
    TimeSummary summary;
    std::map<int, std::vector<double>> live;   // by trial
    std::map<int, std::vector<double>> samples;
    std::vector<double> all;
    std::vector<double> kernels;
    std::vector<double> queued;
    bool hasSums = true;
    for (const SeriesCall& call : series) {
        if (call.mode == CallMode::Queued) {
            if (call.hostSynchronises) {
                ++summary.hostSynchronising;
            } else if (call.claim && call.claim->activities > 0) {
                queued.push_back(call.claim->span / kNanosecondsPerMillisecond);
            }
        } else if (call.isCounted) {
            const double sample = std::max(sampleNs(call, roundTripNs, summary) / kNanosecondsPerMillisecond, kShortestMs);
            samples[call.trial].push_back(sample);
            live[call.trial].push_back(call.judgeNs / kNanosecondsPerMillisecond);
            all.push_back(sample);
            if (call.claim && call.claim->sum > 0) {
                kernels.push_back(call.claim->sum / kNanosecondsPerMillisecond);
            } else {
                hasSums = false;
            }
        }
    }
    for (const auto& [trial, values] : samples) {
        summary.latencyMs += medianOf(values) / static_cast<double>(samples.size());
        summary.liveMs += medianOf(live[trial]) / static_cast<double>(samples.size());
        summary.samples.push_back(values);
    }
    summary.count = all.size();
    if (all.empty()) {
        return summary;
    }
    std::sort(all.begin(), all.end());
    for (auto [target, share] : {std::pair{&summary.p5, 0.05}, {&summary.p10, 0.1}, {&summary.p25, 0.25}, {&summary.p50, 0.5}, {&summary.p75, 0.75},
                                 {&summary.p90, 0.9}, {&summary.p95, 0.95}}) {
        *target = quantile(all, share);
    }
    summary.isNoisy = summary.p75 - summary.p25 > kNoisyShare * summary.p50;
    if (!queued.empty()) {
        summary.queuedMs = medianOf(queued);
    }
    if (hasSums) {
        summary.kernelsMs = medianOf(kernels);
        summary.isLaunchBound = *summary.kernelsMs < kLaunchBoundShare * summary.latencyMs;
    }
    return summary;
}

}  // namespace tracedeck::judge
