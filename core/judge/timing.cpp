// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/timing.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <utility>

#include "core/judge/system_random.h"

namespace tracedeck::judge {

namespace {

constexpr double kNanosecondsPerMillisecond = 1e6;
/// What is left of a call that is shorter than the round trip's own spread.
constexpr double kShortestMs = 1e-6;

}  // namespace

Result<void> CallSetup::prepareOutputs(std::span<const std::uint64_t> patterns) const
{
    if (!zeroesOutputs) {
        outputs.poison(device, patterns);
        return {};
    }
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        for (SharedBuffer* buffer : outputs.ofTensor(i, 0, patterns.size())) {
            if (auto zeroed = device.upload(*buffer, std::vector<std::byte>(buffer->bytes())); !zeroed) {
                return zeroed;
            }
        }
    }
    return {};
}

HostResult<CallOutcome> makeCall(const CallSetup& setup, CallLoop& loop, std::uint64_t seed, std::uint32_t call, std::uint64_t& poisonPattern,
                                 Deadline deadline, const SingleCall& how)
{
    const BufferSet* staged = nullptr;
    Result<void> prepared;
    if (how.hasLateInputs) {
        auto made = setup.stageInputs(seed, call);
        staged = made ? *made : nullptr;
        prepared = made ? Result<void>{} : Result<void>(made.error());
    } else if (!how.isFilled) {
        prepared = fillInputs(setup.device, setup.plan, setup.inputs, seed, call);
    }
    if (prepared) {
        poisonPattern = systemRandom();
        prepared = setup.prepareOutputs(std::span(&poisonPattern, 1));
    }
    if (!prepared) {
        return HostFailure{HostFailure::Kind::Internal, prepared.error().reason};
    }
    const std::vector<HiddenWord> hidden = staged != nullptr ? std::vector<HiddenWord>() : wordsToHide(setup.plan, setup.inputs, 0);
    setup.device.hideWords(hidden);
    const std::vector<SharedBuffer*> inputs = setup.inputs.ofSlot(0);
    const std::vector<SharedBuffer*> outputs = setup.outputs.ofSlot(0);
    std::vector<SharedBuffer*> buffers = inputs;
    buffers.insert(buffers.end(), outputs.begin(), outputs.end());
    const auto beforeGo = [&] {
        setup.device.evictCaches(buffers);
        setup.device.synchronise();
        if (staged != nullptr) {
            for (std::size_t i = 0; prepared && i < inputs.size(); ++i) {
                prepared = setup.device.copy(*inputs[i], staged->buffer(i));
            }
            setup.device.evictCaches(inputs);
        } else if (!hidden.empty()) {
            setup.device.revealWords(0, hidden.size());
        }
    };
    const auto afterDone = [&] {
        if (how.isGlimpsed) {
            setup.device.glimpse(outputs);
        }
    };
    auto outcome = loop.call(deadline, beforeGo, {how.mode, false, 0}, afterDone);
    if (!prepared) {
        return HostFailure{HostFailure::Kind::Internal, prepared.error().reason};
    }
    return outcome;
}

std::vector<PlannedCall> planSeries(const EvalConfig& config, bool isGpu, std::size_t slots, bool hasAudits)
{
    std::vector<PlannedCall> calls;
    const bool isBatched = isGpu && slots > 1;
    std::vector<std::size_t> boundaries;   // where a batch of live calls begins
    for (int trial = 0; trial < config.numTrials; ++trial) {
        for (int call = 0; call < config.warmupRuns + config.iterations; ++call) {
            if (static_cast<std::size_t>(call) % slots == 0) {
                boundaries.push_back(calls.size());
            }
            calls.push_back({trial, call >= config.warmupRuns, CallMode::Live, isBatched, false});
        }
    }
    if ((isBatched || !isGpu) && hasAudits && !boundaries.empty()) {
        std::vector<std::size_t> places;
        for (int audit = 0; audit < kAuditCalls; ++audit) {
            places.push_back(boundaries[systemRandom() % boundaries.size()]);
        }
        // From the last one on: a place counts calls before it, without the audits.
        std::ranges::sort(places, std::greater<>());
        for (const std::size_t place : places) {
            const auto at = calls.begin() + static_cast<std::ptrdiff_t>(place);
            calls.insert(at, {at->trial, false, CallMode::Live, false, true});
        }
    }
    for (int call = 0; isGpu && call < kQueuedCalls; ++call) {
        calls.push_back({config.numTrials, false, CallMode::Queued, isBatched, false});
    }
    return calls;
}

int timedCallCount(const EvalConfig& config, bool isGpu, std::size_t slots, bool hasAudits)
{
    return static_cast<int>(planSeries(config, isGpu, slots, hasAudits).size());
}

void attachClaims(Series& series, const std::vector<ClaimedTimes>& claims)
{
    for (std::size_t i = 0; claims.size() >= series.size() && i < series.size(); ++i) {
        series[i].claim = claims[claims.size() - series.size() + i];
    }
}

namespace {

/// One call that was made.
struct MadeCall {
    std::uint64_t poisonPattern = 0;
    CallOutcome outcome;
};

/// Calls `first` and following of a series, one in each slot, until one fails or gives something that the buffers don't fit.
HostResult<std::vector<MadeCall>> makeBatch(const CallSetup& setup, CallLoop& loop, std::uint64_t seed, std::uint32_t first, std::size_t count,
                                            CallMode mode, Deadline deadline)
{
    std::vector<MadeCall> made(count);
    if (auto filled = fillInputs(setup.device, setup.plan, setup.inputs, seed, first, 0, count); !filled) {
        return HostFailure{HostFailure::Kind::Internal, filled.error().reason};
    }
    std::vector<std::uint64_t> patterns;
    std::vector<HiddenWord> hidden;
    for (std::size_t slot = 0; slot < count; ++slot) {
        patterns.push_back(made[slot].poisonPattern = systemRandom());
        const std::vector<HiddenWord> words = wordsToHide(setup.plan, setup.inputs, slot);
        hidden.insert(hidden.end(), words.begin(), words.end());
    }
    if (auto ready = setup.prepareOutputs(patterns); !ready) {
        return HostFailure{HostFailure::Kind::Internal, ready.error().reason};
    }
    setup.device.hideWords(hidden);
    setup.device.synchronise();
    const std::size_t ofCall = hidden.size() / count;
    for (std::size_t slot = 0; slot < count; ++slot) {
        const auto afterDone = [&] {
            // Between live calls nothing may delay the next one; those are compared with the single ones.
            if (mode == CallMode::Queued) {
                setup.device.glimpse(setup.outputs.ofSlot(slot));
            }
        };
        auto outcome =
            loop.call(deadline, [&] { setup.device.revealWords(slot, ofCall); }, {mode, true, static_cast<std::uint32_t>(slot)}, afterDone);
        if (auto* failure = std::get_if<HostFailure>(&outcome)) {
            return std::move(*failure);
        }
        made[slot].outcome = std::move(std::get<CallOutcome>(outcome));
        if (made[slot].outcome.mismatch) {
            made.resize(slot + 1);
            break;
        }
    }
    return made;
}

/// How many calls from `first` on are prepared together.
std::size_t batchAt(const std::vector<PlannedCall>& plan, std::size_t first, std::size_t slots)
{
    std::size_t count = 1;
    while (plan[first].isBatched && count < slots && first + count < plan.size() && plan[first + count].isBatched &&
           plan[first + count].trial == plan[first].trial) {
        ++count;
    }
    return count;
}

}  // namespace

HostResult<Series> timeCalls(const CallSetup& setup, CallLoop& loop, const EvalConfig& config, std::uint64_t seed, Deadline deadline,
                             const std::function<std::optional<HostFailure>(const TimedCall&)>& observer, std::uint32_t firstCall)
{
    Series series;
    const std::vector<PlannedCall> plan = planSeries(config, setup.device.isCuda(), setup.slotCount(), setup.hasAudits);
    int counted = 0;
    int audits = 0;
    int queued = 0;
    for (std::size_t first = 0; first < plan.size();) {
        const std::size_t count = batchAt(plan, first, setup.slotCount());
        const auto number = firstCall + static_cast<std::uint32_t>(first);
        std::vector<MadeCall> made;
        if (plan[first].isBatched) {
            auto batch = makeBatch(setup, loop, seed, number, count, plan[first].mode, deadline);
            if (auto* failure = std::get_if<HostFailure>(&batch)) {
                return std::move(*failure);
            }
            made = std::move(std::get<std::vector<MadeCall>>(batch));
        } else {
            MadeCall single;
            // On the CPU it costs nothing worth speaking of.
            const bool isGlimpsed = !setup.device.isCuda() || plan[first].isAudit || plan[first].mode == CallMode::Queued || systemRandom() % kGlimpsedShare == 0;
            const bool hasLateInputs = plan[first].isAudit && !setup.device.isCuda();
            auto outcome = makeCall(setup, loop, seed, number, single.poisonPattern, deadline, {plan[first].mode, false, isGlimpsed, hasLateInputs});
            if (auto* failure = std::get_if<HostFailure>(&outcome)) {
                return std::move(*failure);
            }
            single.outcome = std::move(std::get<CallOutcome>(outcome));
            made.push_back(std::move(single));
        }
        // None where nothing was looked at, otherwise one for each call that ended well.
        std::vector<bool> late = setup.device.changedSinceGlimpse();
        late.resize(made.size(), false);
        for (std::size_t i = 0; i < made.size(); ++i) {
            const PlannedCall& planned = plan[first + i];
            const CallOutcome& outcome = made[i].outcome;
            const TimedCall timed{number + static_cast<std::uint32_t>(i), planned.isCounted ? counted++ : -1, made[i].poisonPattern, &outcome, i,
                                  i + 1 == made.size(), planned.isAudit ? audits++ : -1,
                                  planned.mode == CallMode::Queued ? queued++ : -1, late[i] && planned.mode == CallMode::Live};
            if (observer) {
                if (auto failure = observer(timed)) {
                    return std::move(*failure);
                }
            }
            series.push_back({planned.trial, planned.isCounted, planned.mode, outcome.hostSynchronises, outcome.nanoseconds, std::nullopt,
                              planned.isAudit, late[i]});
        }
        first += made.size();
    }
    return series;
}

namespace {

/// What a call counts as: its claim as far as that is believed.
double believedNs(const SeriesCall& call, double roundTripNs)
{
    if (!call.claim) {
        return call.judgeNs - roundTripNs;
    }
    return call.claim->activities == 0 || call.claim->span > call.judgeNs + kClaimAllowanceNs ? call.judgeNs : call.claim->span;
}

double sampleNs(const SeriesCall& call, double roundTripNs, TimeSummary& summary)
{
    if (call.claim && call.claim->activities == 0) {
        ++summary.withoutActivity;
    } else if (call.claim && call.claim->span > call.judgeNs + kClaimAllowanceNs) {
        ++summary.unsupportedClaims;
    }
    return believedNs(call, roundTripNs);
}

/// What the device was busy for with a call, by the judge's clock: the queued calls show that, since nothing of the CPU's is in their
/// time. Claims may be longer, where the CPU is slow to launch. std::nullopt when too few calls could be queued.
std::optional<double> timeWhenQueued(const Series& series)
{
    std::vector<double> times;
    for (const SeriesCall& call : series) {
        if (call.mode == CallMode::Queued && !call.hostSynchronises && !call.isLate) {
            times.push_back(call.judgeNs);
        }
    }
    if (times.size() < kFewestQueuedCalls) {
        return std::nullopt;
    }
    std::ranges::sort(times);
    return quantile(times, kQueuedQuantile);
}

/// Medians over some calls of a series.
struct CallMedians {
    double time = 0;         ///< as it would be stored
    double busy = 0;         ///< lengths of the activities, as far as they fill the span; 0: not known, or nothing was done
    double activities = 0;
};

template <class Belongs>
std::optional<CallMedians> mediansOf(const Series& series, Belongs belongs)
{
    std::vector<double> times;
    std::vector<double> busy;
    std::vector<double> activities;
    for (const SeriesCall& call : series) {
        if (belongs(call) && call.claim) {
            times.push_back(believedNs(call, 0));
            // Activities that overlap add up to more than there is time.
            busy.push_back(std::min(call.claim->sum, call.claim->span));
            activities.push_back(call.claim->activities);
        }
    }
    return times.empty() ? std::nullopt : std::optional(CallMedians{median(times), median(busy), median(activities)});
}

/// Compares batched calls with single ones. True: the single ones are to be believed.
bool auditBatches(const Series& series, TimeSummary& summary)
{
    const auto single = mediansOf(series, [](const SeriesCall& call) { return call.isAudit; });
    const auto batched = mediansOf(series, [](const SeriesCall& call) { return call.isCounted; });
    if (!single || !batched) {
        return false;
    }
    summary.singleMs = single->time / kNanosecondsPerMillisecond;
    const double kernels = std::min({single->activities, batched->activities, kMostAuditKernels});
    const auto isBeyondBelief = [kernels](double inBatches, double alone) {
        return inBatches < alone * (1 - kAuditShare) - kAuditGapNs - kAuditGapOfKernelNs * kernels;
    };
    // Gaps between launches are the CPU's and vary by themselves: where the GPU is as busy as ever, nothing was gained.
    if (!isBeyondBelief(batched->time, single->time) || (single->busy > 0 && !isBeyondBelief(batched->busy, single->busy))) {
        return false;
    }
    summary.disbelievedMs = batched->time / kNanosecondsPerMillisecond;
    return true;
}

/// Compares calls whose inputs lay there when they were announced with those whose inputs came late. True: the latter are to be believed.
bool auditLateInputs(const Series& series, double roundTripNs, TimeSummary& summary)
{
    std::vector<double> late;
    std::vector<double> counted;
    for (const SeriesCall& call : series) {
        if (!call.claim && (call.isAudit || call.isCounted)) {
            (call.isAudit ? late : counted).push_back(believedNs(call, roundTripNs));
        }
    }
    if (late.size() < static_cast<std::size_t>(kAuditCalls) || counted.empty()) {
        return false;
    }
    std::ranges::sort(late);
    const double single = late[1];
    const double usual = median(counted);
    summary.singleMs = std::max(single, 0.0) / kNanosecondsPerMillisecond;
    if (usual >= single * (1 - kLateInputsShare) - kLateInputsGapNs) {
        return false;
    }
    summary.disbelievedMs = std::max(usual, 0.0) / kNanosecondsPerMillisecond;
    // A solution whose time depends on the contents has slow calls among the counted ones, too.
    std::ranges::sort(counted);
    summary.worksAhead = quantile(counted, kAheadQuantile) < single * kAheadShare - kLateInputsGapNs;
    return true;
}

}  // namespace

TimeSummary summarise(const Series& series, double roundTripNs, double copiesNs)
{
    TimeSummary summary;
    std::map<int, std::vector<double>> live;   // by trial
    std::map<int, std::vector<double>> samples;
    std::vector<double> all;
    std::vector<double> kernels;
    std::vector<double> queued;
    bool hasSums = true;
    const bool auditsCount = auditBatches(series, summary) || auditLateInputs(series, roundTripNs, summary);
    const auto counts = [auditsCount](const SeriesCall& call) { return auditsCount ? call.isAudit : call.isCounted; };
    double floorMs = kShortestMs;
    if (const auto claimed = mediansOf(series, counts)) {
        const auto queuedNs = timeWhenQueued(series);
        const double least = queuedNs ? *queuedNs * (1 - kClaimShare) - kQueueOffsetNs - kClaimAllowanceNs - copiesNs : 0;
        if (least > 0) {
            summary.leastMs = least / kNanosecondsPerMillisecond;
        }
        if (claimed->time < least) {
            summary.tooShortMs = claimed->time / kNanosecondsPerMillisecond;
            floorMs = std::max(floorMs, *summary.leastMs);
        }
        // Whoever works on a stream of its own is through before the blocked one goes on: less time than its kernels take.
        summary.hasNoLeast = !queuedNs || claimed->busy > *queuedNs + kClaimAllowanceNs;
    }
    for (const SeriesCall& call : series) {
        if (call.mode == CallMode::Queued) {
            if (call.hostSynchronises) {
                ++summary.hostSynchronising;
            } else if (call.isLate) {
                ++summary.lateWhenQueued;
            } else if (call.claim && call.claim->activities > 0) {
                queued.push_back(call.claim->span / kNanosecondsPerMillisecond);
            }
        } else if (counts(call)) {
            const double sample = std::max(sampleNs(call, roundTripNs, summary) / kNanosecondsPerMillisecond, floorMs);
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
        summary.latencyMs += median(values) / static_cast<double>(samples.size());
        summary.liveMs += median(live[trial]) / static_cast<double>(samples.size());
        summary.samples.push_back(values);
    }
    summary.count = all.size();
    if (all.empty()) {
        return summary;
    }
    summary.medianInterval = medianInterval(all);
    summary.shape = shapeOf(all);
    std::sort(all.begin(), all.end());
    for (auto [target, share] : {std::pair{&summary.p5, 0.05}, {&summary.p10, 0.1}, {&summary.p25, 0.25}, {&summary.p50, 0.5}, {&summary.p75, 0.75},
                                 {&summary.p90, 0.9}, {&summary.p95, 0.95}}) {
        *target = quantile(all, share);
    }
    summary.isNoisy = summary.p75 - summary.p25 > kNoisyShare * summary.p50;
    if (!queued.empty()) {
        summary.queuedMs = median(queued);
    }
    if (hasSums) {
        summary.kernelsMs = median(kernels);
        summary.isLaunchBound = *summary.kernelsMs < kLaunchBoundShare * summary.latencyMs;
    }
    return summary;
}

}  // namespace tracedeck::judge
