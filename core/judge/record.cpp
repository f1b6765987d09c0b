// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/record.h"

namespace tracedeck::judge {

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
        times = {{"p5", time.p5},         {"p50", time.p50},        {"p95", time.p95},
                 {"n", time.count}, {"live_ms", time.liveMs}, {"round_trip_ms", roundTripMs}};
    }
    return {{"version", 1},
            {"protocol", "cpu"},
            {"seed", std::to_string(seed)},
            {"seed_by", seedByUser ? "user" : "judge"},
            {"fresh_bytes", freshBytes},
            {"calls", {{"warmup", warmupCalls}, {"counted", countedCalls}, {"verified", verifiedCalls}}},
            {"time", std::move(times)},
            // Processes and network are the host's own; files are not yet.
            {"confinement", isConfined ? "partial" : "none"},
            {"verdicts", std::move(list)}};
}

}  // namespace tracedeck::judge
