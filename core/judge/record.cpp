// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/record.h"

#include <cmath>

namespace tracedeck::judge {

namespace {

Json encodeTime(const TimeSummary& time)
{
    Json body = {{"p5", time.p5},   {"p10", time.p10}, {"p50", time.p50},      {"p90", time.p90},         {"p95", time.p95},
                 {"iqr", time.p75 - time.p25}, {"n", time.count}, {"live_ms", time.liveMs}, {"noisy", time.isNoisy}};
    if (time.medianInterval.isKnown()) {
        body["ci95"] = {time.medianInterval.low, time.medianInterval.high};
    }
    if (time.queuedMs) {
        body["queued_ms"] = *time.queuedMs;
    }
    if (time.leastMs) {
        body["least_ms"] = *time.leastMs;
    }
    if (time.tooShortMs) {
        body["claimed_ms"] = *time.tooShortMs;
    }
    if (time.singleMs) {
        body["single_ms"] = *time.singleMs;
    }
    if (time.disbelievedMs) {
        body["batched_ms"] = *time.disbelievedMs;
    }
    if (time.kernelsMs) {
        body["kernels_ms"] = *time.kernelsMs;
        body["launch_bound"] = time.isLaunchBound;
    }
    return body;
}

/// Samples in microseconds with three decimals: a nanosecond is the best that any clock here gives.
Json encodeSamples(const TimeSummary& time)
{
    constexpr double kNanosecondsPerMillisecond = 1e6;
    constexpr double kNanosecondsPerMicrosecond = 1e3;
    Json trials = Json::array();
    for (const std::vector<double>& trial : time.samples) {
        Json list = Json::array();
        for (const double sample : trial) {
            list.push_back(std::round(sample * kNanosecondsPerMillisecond) / kNanosecondsPerMicrosecond);
        }
        trials.push_back(std::move(list));
    }
    return trials;
}

/// Clocks in MHz, degrees Celsius, watts; the driver's reasons for a lower clock in words.
Json encodeState(const GpuState& state)
{
    Json body = Json::object();
    const auto add = [&body](const char* key, const auto& value) {
        if (value) {
            body[key] = *value;
        }
    };
    add("sm_mhz", state.smClockMhz);
    add("memory_mhz", state.memoryClockMhz);
    add("celsius", state.temperatureCelsius);
    add("watts", state.powerWatts);
    if (state.throttleReasons) {
        body["clock_reasons"] = throttleReasonNames(*state.throttleReasons);
    }
    return body;
}

}  // namespace

Json JudgeRecord::encode() const
{
    Json list = Json::array();
    for (const Verdict& verdict : verdicts) {
        Json entry = {{"id", verdict.id}, {"level", verdict.level}};
        if (verdict.call >= 0) {
            entry["call"] = verdict.call;
        }
        entry["evidence"] = verdict.evidence;
        list.push_back(std::move(entry));
    }
    Json times = nullptr;
    if (time.count > 0) {
        times = encodeTime(time);
        times["method"] = method;
        times["round_trip_ms"] = roundTripMs;
        times["samples_us"] = encodeSamples(time);
        if (floorHardMs > 0) {
            times["floor_hard_ms"] = floorHardMs;
        }
        if (floorSoftMs > 0) {
            times["floor_soft_ms"] = floorSoftMs;
        }
        if (reference.count > 0) {
            times["reference"] = encodeTime(reference);
        }
    }
    Json gpu = Json::array();
    for (const GpuState& state : states) {
        gpu.push_back(encodeState(state));
    }
    Json record = {{"version", 1},
                   {"protocol", method == "judge" ? "cpu" : "cuda"},
                   {"evaluator", evaluator},
                   {"source", source},
                   {"seed", std::to_string(seed)},
                   {"seed_by", seedByUser ? "user" : "judge"},
                   {"fresh_bytes", freshBytes},
                   {"calls", {{"warmup", warmupCalls}, {"counted", countedCalls}, {"verified", verifiedCalls}}},
                   {"time", std::move(times)},
                   {"confinement", confinement},
                   {"walls", walls},
                   {"verdicts", std::move(list)}};
    if (!indexRules.empty()) {
        record["index_inputs"] = indexRules;
    }
    if (!rules.is_null()) {
        record["rules"] = rules;
    }
    if (!gpu.empty()) {
        record["gpu"] = std::move(gpu);
    }
    return record;
}

}  // namespace tracedeck::judge
