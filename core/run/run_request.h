// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/model/result.h"
#include "core/run/eval_config.h"
#include "core/store/dataset.h"

namespace tracedeck {

/// How far apart evaluations are kept.
enum class Isolation {
    Evaluation,   ///< a fresh process for every (solution, workload)
    Solution      ///< one process a solution for all its workloads of a definition: faster, and it could remember
};

/// What a user asks to run. Empty sets mean "all"; the pairs are the cross product of what is left, per definition.
struct RunRequest {
    std::shared_ptr<const Dataset> dataset;
    std::set<std::string> definitions;
    std::set<std::string> solutions;
    std::set<std::string> workloads;   ///< uuids
    std::string opType;
    /// Exact pairs (solution, workload uuid) to run instead of the cross product; empty: no restriction.
    std::set<std::pair<std::string, std::string>> pairs;
    std::vector<std::string> devices{"cpu"};
    EvalConfigFile configFile = EvalConfigFile::bundled();
    EvalOverrides overrides;
    double timeoutSeconds = 300;       ///< per evaluation, the build not counted
    double buildTimeoutSeconds = 300;
    double silenceMarginSeconds = 10;  ///< a judge that says nothing for this much longer than the timeout is killed
    bool profileBaseline = true;       ///< false: reference latency and speedup are 0, as in the format
    bool resume = false;               ///< skip (workload, solution) pairs that have an evaluation
    bool saveResults = true;
    Isolation isolation = Isolation::Evaluation;
    std::string confinement = "auto";  ///< auto: as much as the system allows; full: or nothing is run; partial: no namespaces; none
    std::uint64_t hostMemoryBytes = 0; ///< that one solution may take; 0: most of what is free
    std::optional<std::uint64_t> seed; ///< a user's seed makes inputs predictable: the trace is marked
    std::filesystem::path python;      ///< interpreter for references and Python solutions
    std::filesystem::path workerProgram;   ///< tracedeck-worker; empty: beside the running program
};

/// One evaluation to do.
struct RunPair {
    std::string definition;
    std::string solution;
    std::size_t workload = 0;   ///< index into Dataset::workloadsOf(definition)
    std::string workloadUuid;

    bool operator==(const RunPair&) const = default;
};

struct RunPlan {
    std::vector<RunPair> pairs;          ///< grouped by definition, then workload: a reference is computed once a group
    std::size_t skippedByResume = 0;
    std::size_t renewed = 0;             ///< of `pairs`: those that resume would skip if their solution's source were as it was
    std::size_t leftOut = 0;             ///< evaluations that were asked for but can't be done here; `problems` says why
    std::vector<Problem> problems;       ///< what is left out, definitions without workloads or solutions …
};

/// What is selected in a window, any mix of kinds.
struct Selection {
    std::set<std::string> opTypes;
    std::set<std::string> definitions;
    std::set<std::string> solutions;
    std::set<std::string> workloads;   ///< uuids

    [[nodiscard]] bool empty() const { return opTypes.empty() && definitions.empty() && solutions.empty() && workloads.empty(); }
    bool operator==(const Selection&) const = default;
};

/// The (solution, workload uuid) pairs that a selection means: for each definition that is touched (itself, its op_type, one
/// of its solutions or workloads is selected), the selected solutions, or all when none of them is, times the selected
/// workloads, or all when none of them is.
[[nodiscard]] std::set<std::pair<std::string, std::string>> expandSelection(const Dataset& dataset, const Selection& selection);

/// The error of a plan of which nothing can be run: Unsupported when evaluations were left out, otherwise Usage.
[[nodiscard]] Error nothingToRun(const RunPlan& plan, const Dataset& dataset);

/// Pure: what a request amounts to. Error Usage: it names what is not there, or fits no evaluation at all; Unsupported: none of its
/// evaluations can be done by this version or stored. That all was done before (resume) is no error.
[[nodiscard]] Result<RunPlan> makePlan(const RunRequest& request);

}  // namespace tracedeck
