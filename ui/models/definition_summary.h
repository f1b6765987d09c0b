// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <limits>
#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

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
};

/// How one workload of a definition does.
struct WorkloadSummary {
    std::size_t attempted = 0;
    std::size_t passed = 0;
    double bestLatencyMs = std::numeric_limits<double>::quiet_NaN();
    std::string bestSolution;
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
};

/// Pure function of a snapshot. `hardware` empty: all. Stops early, with what it has, when the token is set.
[[nodiscard]] DefinitionSummary summarizeDefinition(std::shared_ptr<const Dataset> dataset, const std::string& definition,
                                                    const std::string& hardware, SelectionPolicy policy, std::stop_token stop = {});

}  // namespace tracedeck::ui
