// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/model/result.h"
#include "core/run/eval_config.h"
#include "core/run/gpu_list.h"
#include "core/store/dataset.h"

namespace tracedeck {

/// How far apart evaluations are kept.
enum class Isolation {
    Evaluation,   ///< a fresh process for every (solution, workload)
    Solution      ///< one process a solution for all its workloads of a definition: faster, and it could remember
};

/// What a run can be restricted to by what the dataset's traces say of a pair. Several: a pair that is any of them.
enum class RunOnly {
    Failed,     ///< its newest evaluation did not pass
    NeverRun,   ///< no evaluation on the hardware that the run uses
    Outdated    ///< its newest evaluation says that it judged another source than the solution has now; of other programs none says so
};
[[nodiscard]] std::string_view toString(RunOnly only);   ///< `failed`, `never-run`, `outdated`
[[nodiscard]] std::optional<RunOnly> runOnlyFromString(std::string_view name);

/// When a GPU counts as cool and idle.
struct IdleRule {
    double mostCelsius = 65;
    unsigned mostBusyPercent = 10;   ///< NVML's utilization, over up to a second
    bool operator==(const IdleRule&) const = default;
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
    std::set<RunOnly> only;                ///< empty: whatever the traces say
    std::set<std::string> hardware;        ///< names, as traces have them, that RunOnly::NeverRun looks for; Runner::start fills it when empty
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
    std::size_t skipAfterFailures = 0; ///< a solution that failed so often in this run is left alone; 0: never
    std::optional<IdleRule> waitIdle;  ///< GPUs wait before each workload until they are cool and idle; the cpu never does
    std::function<Result<GpuState>(const std::string&)> deviceState;   ///< asked while waiting, of any device; empty: NVML, of GPUs
    bool wantsLiveLog = false;         ///< LogEvents tell what a solution prints while it runs
    std::filesystem::path recordFolder;    ///< where the run's record is kept (run_record.h); empty: nowhere
    std::string program = "tracedeck";     ///< who runs it, for the record
    std::string continues;                 ///< id of the recorded run that this one goes on with
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
    std::vector<RunPair> skipped;        ///< those that resume skips
    std::size_t notWanted = 0;           ///< evaluations that RunRequest::only leaves out
    std::size_t renewed = 0;             ///< of `pairs`: those that resume would skip if their solution's source were as it was
    std::size_t leftOut = 0;             ///< evaluations that were asked for but can't be done here; `problems` says why
    std::vector<Problem> problems;       ///< what is left out, definitions without workloads or solutions …

    /// Nothing to do, and not because all was done before.
    [[nodiscard]] bool isNothing() const { return pairs.empty() && skippedByResume == 0 && notWanted == 0; }
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

/// The pairs of these rows; those without a solution that the dataset has are left out.
[[nodiscard]] std::set<std::pair<std::string, std::string>> pairsOfTraces(const Dataset& dataset, const std::vector<std::uint32_t>& rows);

/// The error of a plan of which nothing can be run: Unsupported when evaluations were left out, otherwise Usage.
[[nodiscard]] Error nothingToRun(const RunPlan& plan, const Dataset& dataset);

/// Pure: what a request amounts to. Error Usage: it names what is not there, or fits no evaluation at all; Unsupported: none of its
/// evaluations can be done by this version or stored. That all was done before (resume) is no error.
[[nodiscard]] Result<RunPlan> makePlan(const RunRequest& request);

}  // namespace tracedeck
