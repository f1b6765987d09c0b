// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/judge/timing.h"
#include "core/run/gpu_list.h"
#include "core/model/json.h"

namespace tracedeck::judge {

/// One finding (trusted judging §3.12). `reject` decides the status; `warn` and `note` do not.
struct Verdict {
    std::string id;         ///< for example `output.wrong`
    std::string level;      ///< reject, warn, note
    int call = -1;          ///< content index of the call; -1: none in particular
    std::string evidence;
};

/// What goes into the extra key `judge` of an evaluation.
struct JudgeRecord {
    std::string evaluator = "default";
    Json rules;                          ///< what of it is not as usual; null: nothing
    std::string source;                  ///< Solution::contentHash() of what was judged
    std::uint64_t seed = 0;
    bool seedByUser = false;
    double freshBytes = 0;
    Json indexRules = Json::object();    ///< by which rules inputs were made, in words, by input name
    int warmupCalls = 0;
    int countedCalls = 0;
    int verifiedCalls = 0;
    TimeSummary time;
    TimeSummary reference;               ///< of the reference, measured alike
    std::string method = "judge";        ///< who took the times: judge (its own clock), cupti, cuda_event
    double roundTripMs = 0;
    double floorHardMs = 0;              ///< no kernel can be faster; 0: not known
    double floorSoftMs = 0;              ///< faster ones are odd
    std::vector<GpuState> states;        ///< of the GPU before, during and after the timed calls
    std::string confinement = "none";    ///< of the host: full, partial, none
    std::vector<std::string> walls;      ///< by name
    std::vector<Verdict> verdicts;

    void add(std::string id, std::string level, int call, std::string evidence)
    {
        verdicts.push_back({std::move(id), std::move(level), call, std::move(evidence)});
    }
    [[nodiscard]] Json encode() const;
};

}  // namespace tracedeck::judge
