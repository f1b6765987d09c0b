// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "core/score/light_times.h"
#include "core/score/pins.h"
#include "core/store/dataset.h"
#include "core/store/query.h"

namespace tracedeck::ui {

/// How one solution of a definition does. Counts are of (workload, hardware) pairs after the selection policy.
struct SolutionSummary {
    std::string name;
    const Solution* solution = nullptr;   ///< null: traces name it, but the dataset has no file for it
    std::size_t attempted = 0;
    std::size_t passed = 0;
    std::size_t best = 0;                 ///< pairs on which it has the lowest latency
    double speedup = std::numeric_limits<double>::quiet_NaN();     ///< geometric mean of stored speedup factors that passed
    double latencyMs = std::numeric_limits<double>::quiet_NaN();   ///< geometric mean of latencies that passed
    double lightShare = std::numeric_limits<double>::quiet_NaN();  ///< geometric mean of the shares of the speed of light, those above 1 as 1
    std::vector<PinnedChange> changes{};                           ///< one for each pin
};

/// How one workload of a definition does.
struct WorkloadSummary {
    std::size_t attempted = 0;
    std::size_t passed = 0;
    double bestLatencyMs = std::numeric_limits<double>::quiet_NaN();
    std::string bestSolution;
    std::uint32_t bestRow = 0;            ///< of bestLatencyMs; meaningless without it
};

/// Everything that the head of a definition page and its tables of solutions and workloads show.
struct DefinitionSummary {
    std::shared_ptr<const Dataset> dataset;   ///< keeps the pointers below alive
    std::string definition;
    std::vector<SolutionSummary> solutions;   ///< the dataset's, in load order, then those only named by traces
    std::map<std::string, WorkloadSummary> workloads;   ///< by uuid
    std::vector<std::string> hardware;        ///< names in the traces of the definition, ascending
    std::size_t traces = 0;
    std::size_t passed = 0;
    /// Index into `solutions` of the highest geometric mean speedup among those that passed most workloads; -1: none passed.
    int best = -1;
    TimingCounts timing;                      ///< of the traces above
    LightTimes light;                         ///< of what passed
    std::shared_ptr<const PinnedLatencies> pinned = std::make_shared<const PinnedLatencies>();   ///< never null
};

/// What a summary sets times against.
struct SummaryBaselines {
    std::shared_ptr<const PinnedLatencies> pinned;   ///< null: none
    CeilingTable ceilings = CeilingTable::dataSheets();
};
/// Pure function of a snapshot and the formulas beside it. `hardware` empty: all. Stops early, with what it has, when the token is set.
[[nodiscard]] DefinitionSummary summarizeDefinition(std::shared_ptr<const Dataset> dataset, const std::string& definition,
                                                    const std::string& hardware, SelectionPolicy policy, std::stop_token stop = {},
                                                    const SummaryBaselines& baselines = {});

}  // namespace tracedeck::ui
