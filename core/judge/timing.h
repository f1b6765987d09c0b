// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "core/judge/call_loop.h"
#include "core/judge/device.h"
#include "core/judge/inputs.h"
#include "core/run/eval_config.h"
#include "core/score/statistics.h"

namespace tracedeck::judge {

/// What a call works on.
struct CallSetup {
    Device& device;
    const InputPlan& plan;
    const BufferSet& inputs;
    const BufferSet& outputs;
    bool canBatch = false;   ///< the host says that it evicts caches when asked
    bool zeroesOutputs = false;   ///< outputs are zeroed before a call, not poisoned
    bool hasAudits = true;        ///< calls that check the others; a reference gains nothing by being fast in those alone
    /// Makes the inputs of a call where no solution sees them, valid until the next time; for calls with late inputs.
    std::function<Result<const BufferSet*>(std::uint64_t seed, std::uint32_t call)> stageInputs = {};

    /// Poisons or zeroes the outputs of the first slots; a pattern for each.
    Result<void> prepareOutputs(std::span<const std::uint64_t> patterns) const;
    /// Calls that can be prepared together.
    [[nodiscard]] std::size_t slotCount() const { return canBatch ? std::min(inputs.slotCount(), outputs.slotCount()) : 1; }
};

/// How a call is made that is prepared on its own.
struct SingleCall {
    CallMode mode = CallMode::Live;
    bool isFilled = false;     ///< the inputs have their contents already
    bool isGlimpsed = false;   ///< Device::glimpse() once it is done
    bool hasLateInputs = false;   ///< they are written only once the host has said that it is ready; without a GPU
};
/// One call, prepared on its own: fresh contents, of which words are hidden until right before it, freshly poisoned outputs, cold
/// caches. `poisonPattern` tells what the outputs held before.
HostResult<CallOutcome> makeCall(const CallSetup& setup, CallLoop& loop, std::uint64_t seed, std::uint32_t call, std::uint64_t& poisonPattern,
                                 Deadline deadline, const SingleCall& how = {});

/// One timed call, as an observer sees it.
struct TimedCall {
    std::uint32_t call = 0;      ///< content index
    int counted = -1;            ///< index among the counted calls of all trials; -1 for a warm-up
    std::uint64_t poisonPattern = 0;
    const CallOutcome* outcome = nullptr;
    std::size_t slot = 0;        ///< where its outputs are
    bool isLast = true;          ///< of those that were prepared together
    int audit = -1;              ///< index among the audits
    int queued = -1;             ///< index among the queued calls
    bool isLate = false;         ///< a live call whose outputs changed after it had said that it was done
};

/// What a series consists of.
struct PlannedCall {
    int trial = 0;
    bool isCounted = false;
    CallMode mode = CallMode::Live;
    bool isBatched = false;   ///< prepared together with its neighbours of the same trial and mode
    bool isAudit = false;     ///< single, to compare the batched ones with
};
/// Warm-ups and counted calls of every trial (benchmark §3.1), then on a GPU the queued calls. With more than one slot they come in
/// batches of at most so many, queued ones, too, and kAuditCalls single ones lie at random places between the batches of live calls.
/// Without a GPU the audits are calls with late inputs, at random places, too.
[[nodiscard]] std::vector<PlannedCall> planSeries(const EvalConfig& config, bool isGpu, std::size_t slotCount, bool hasAudits = true);

/// What is known of one call of a series.
struct SeriesCall {
    int trial = 0;
    bool isCounted = false;
    CallMode mode = CallMode::Live;
    bool hostSynchronises = false;
    double judgeNs = 0;                  ///< from `go` to `done` on the judge's clock
    std::optional<ClaimedTimes> claim;   ///< what the host says, on a GPU
    bool isAudit = false;
    bool isLate = false;                 ///< its outputs changed after it had said that it was done
};
using Series = std::vector<SeriesCall>;

/// Queued calls that follow the live ones on a GPU.
inline constexpr int kQueuedCalls = 15;
/// Single calls in a series of batches, calls with late inputs in a series without a GPU.
inline constexpr int kAuditCalls = 6;
/// Of calls that are prepared one by one anyway, one in so many is looked at for late work, at random.
inline constexpr std::uint64_t kGlimpsedShare = 4;

/// Makes the calls of planSeries(). The observer runs after each call, or once those prepared together are made for each of them,
/// outside the window; a failure that it returns ends the series. `firstCall`: content index of the first one.
HostResult<Series> timeCalls(const CallSetup& setup, CallLoop& loop, const EvalConfig& config, std::uint64_t seed, Deadline deadline,
                                 const std::function<std::optional<HostFailure>(const TimedCall&)>& observer, std::uint32_t firstCall = 0);

/// Calls that timeCalls() makes.
[[nodiscard]] int timedCallCount(const EvalConfig& config, bool isGpu, std::size_t slotCount, bool hasAudits = true);
/// Gives the last claims of a host to the calls of its series, which were the last ones that it made.
void attachClaims(Series& series, const std::vector<ClaimedTimes>& claims);

/// Times of a series in milliseconds. Without claims: the judge's, the round trip taken off each call. With them: the claimed
/// spans, none longer than what the judge saw, and none shorter than what it saw of the queued calls.
struct TimeSummary {
    double latencyMs = 0;   ///< mean over trials of the trial medians; at least 1e-6
    double liveMs = 0;      ///< the same from the judge's clock, everything left in
    double p5 = 0;          ///< over all counted calls
    double p10 = 0;
    double p25 = 0;
    double p50 = 0;
    double p75 = 0;
    double p90 = 0;
    double p95 = 0;
    std::size_t count = 0;
    Interval medianInterval{1, 0};        ///< of p50, with 95 % confidence, within this process; unknown for few calls
    /// Half of its width, in percent of p50; infinite when it is unknown.
    [[nodiscard]] double halfWidthPercent() const
    {
        return medianInterval.isKnown() && p50 > 0 ? (medianInterval.high - medianInterval.low) / 2 / p50 * 100 : std::numeric_limits<double>::infinity();
    }
    SeriesShape shape;                    ///< of the counted calls in their order
    bool isNoisy = false;                 ///< the quartiles lie more than kNoisyShare of the median apart
    std::optional<double> queuedMs;       ///< median of the queued calls: the device's own time
    std::optional<double> kernelsMs;      ///< median over counted calls of the activities' lengths added up
    bool isLaunchBound = false;           ///< the kernels take less than kLaunchBoundShare of the span
    std::size_t hostSynchronising = 0;    ///< queued calls that waited inside themselves
    std::size_t unsupportedClaims = 0;    ///< claims longer than what the judge saw, replaced by that
    std::optional<double> leastMs;        ///< what the queued calls took at least, by the judge's clock
    std::optional<double> tooShortMs;     ///< median of the claims where that is less than leastMs, which no sample falls below then
    std::size_t lateWhenQueued = 0;       ///< queued calls that had said that they were done before they were
    bool hasNoLeast = false;              ///< nothing but claims says how short the calls are: too few queued calls, or the work is not in the queue
    std::size_t withoutActivity = 0;      ///< calls in which the GPU did nothing: the judge's time stands in
    std::optional<double> singleMs;       ///< median of the audits; of those with late inputs the second quickest
    std::optional<double> disbelievedMs;  ///< median of the counted calls, where the audits stand in for them
    bool worksAhead = false;              ///< without a GPU: counted calls take less than half of what those with late inputs do
    std::vector<std::vector<double>> samples;   ///< one list a trial, in order
};
/// A batch shows (nearly) all inputs of its calls before the first one, looks at outputs after the last one, and trusts the host to
/// evict the caches. A host that makes something of that is faster there than in single calls, of which some are verified. Single
/// calls of honest code are slower, too, since the GPU has just switched to its context and every kernel fetches its instructions
/// anew: by 0.1 to 1 µs for one kernel on an H100. What goes beyond that and a share is not believed.
inline constexpr double kAuditShare = 0.15;
inline constexpr double kAuditGapNs = 500;
inline constexpr double kAuditGapOfKernelNs = 500;
inline constexpr double kMostAuditKernels = 20;   // a solution could make its audits look like many kernels
/// A host without a GPU that has got hold of the call loop sees a call's inputs when it is announced, words aside, and can work on them
/// before `go`. Where they come late it can't. All else is alike in both, so that the quickest late call but one is at most as slow
/// as honest ones usually are.
inline constexpr double kLateInputsShare = 0.25;
inline constexpr double kLateInputsGapNs = 20'000;
inline constexpr double kAheadShare = 0.5;
inline constexpr double kAheadQuantile = 0.75;
inline constexpr double kNoisyShare = 0.05;
inline constexpr double kLaunchBoundShare = 0.8;
/// A claim is believed as far as the judge's clock allows (trusted judging §3.6): reading two clocks, and for the queued calls what it
/// takes to let a stream go and to see that it is through. On an H200 that was 4.5 to 7 µs, 12 at most when other hosts started meanwhile,
/// which is why the quicker calls count.
inline constexpr double kClaimAllowanceNs = 2000;
inline constexpr double kQueueOffsetNs = 8000;
inline constexpr double kClaimShare = 0.03;
inline constexpr double kQueuedQuantile = 0.25;
/// Fewer queued calls say nothing.
inline constexpr std::size_t kFewestQueuedCalls = 5;
/// `copiesNs`: what copying returned tensors into the buffers takes at most, which is part of the judge's time and not of a claim.
[[nodiscard]] TimeSummary summarise(const Series& series, double roundTripNs, double copiesNs = 0);

}  // namespace tracedeck::judge
