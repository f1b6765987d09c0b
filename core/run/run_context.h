// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#include "core/build/native_builder.h"
#include "core/io/trace_writer.h"
#include "core/run/devices.h"
#include "core/run/judge_process.h"
#include "core/run/run_event.h"
#include "core/run/run_request.h"
#include "core/run/runner.h"

namespace tracedeck {

/// Pairs of one workload: its inputs and reference are made once for all of them.
struct RunGroup {
    const Definition* definition = nullptr;
    const Trace* workload = nullptr;
    std::vector<std::size_t> pairs;   ///< indexes into the plan
};

/// The machine that a run is on.
struct RunSurroundings {
    std::vector<RunDevice> devices;            ///< of this machine
    std::map<std::string, std::string> libs;   ///< versions that the judge can't know, for a trace's environment
};

/// What the device threads of one run share: the work left, the results' way to disk, the events. Thread-safe.
class RunContext {
public:
    using BuildOutcome = std::variant<BuiltLibrary, BuildFailure>;

    RunContext(RunRequest request, RunPlan plan, JudgeSettings judge, BuildOptions build, RunSurroundings surroundings,
               Runner::EventCallback onEvent);

    [[nodiscard]] const RunRequest& request() const { return m_request; }
    /// As it was at the start; pairs that were added later are in AddedEvents only.
    [[nodiscard]] const RunPlan& plan() const { return m_plan; }
    [[nodiscard]] const Solution* solutionOf(std::size_t pair) const;
    [[nodiscard]] JudgeSettings judgeSettings(const std::string& device) const;
    [[nodiscard]] const std::map<std::string, std::string>& libs() const { return m_surroundings.libs; }
    /// Work for a device. Waits while another device could still give work back; std::nullopt when all is done.
    [[nodiscard]] std::optional<RunGroup> nextGroup(const std::stop_token& stop);
    /// The same, for a device that has `held` groups already and would prepare one more: never waits, and leaves as many to each
    /// other device.
    [[nodiscard]] std::optional<RunGroup> groupAhead(std::size_t held);
    void setPaused(const std::string& device, bool isPaused);
    [[nodiscard]] bool isPaused(const std::string& device);
    /// Blocks while a device is paused.
    void awaitUnpaused(const std::string& device, const std::stop_token& stop);
    /// A device begins with a pair, which `stop` ends. False: it was cancelled or skipped meanwhile.
    [[nodiscard]] bool beginPair(const std::string& device, std::size_t pair, const std::stop_source& stop);
    void endPair(const std::string& device);
    /// Whether a pair still has to be run.
    [[nodiscard]] bool isWaiting(std::size_t pair);
    /// The pair in hand was stopped by cancelPairs: says so.
    void dropStopped(std::size_t pair);
    /// Pairs that wait are run no more; those that run are stopped. Others don't matter.
    void cancelPairs(const std::vector<std::size_t>& pairs);
    /// Moves pairs that wait, in the order given, to before another one that waits; to the end when that one doesn't. What a device
    /// prepares already stays.
    void move(const std::vector<std::size_t>& pairs, std::optional<std::size_t> before);
    void moveFirst(const std::vector<std::size_t>& pairs);
    /// The queue, in its order.
    [[nodiscard]] std::vector<std::size_t> queued();
    /// Adds pairs that neither wait nor run, at the end. Returns how many. Error Conflict: the run has ended.
    Result<std::size_t> add(const std::vector<RunPair>& pairs);
    /// A device is done with a group. `rest`: pairs that it could not run because it was lost; others take them.
    void endGroup(RunGroup group, std::vector<std::size_t> rest);

    /// Delivers one event; calls are serialised.
    void emit(const RunEvent& event);
    /// Compiles a solution for a device, once in a run for each kind of GPU: later calls get the same outcome. Others may wait for it.
    [[nodiscard]] std::shared_ptr<const BuildOutcome> build(const Solution& solution, const std::string& device, const std::stop_token& stop);
    /// Appends the trace (unless `store` is false or results are not saved), then emits the ResultEvent.
    void recordResult(const std::string& device, const RunGroup& group, std::size_t pair, Evaluation evaluation,
                      bool store, std::string note);
    /// Compiles all compiled solutions of the plan for a device in the background, in the plan's order.
    void buildAhead(const std::string& device, const std::stop_token& stop);
    /// The outcome of a build that has ended, null otherwise.
    [[nodiscard]] std::shared_ptr<const BuildOutcome> finishedBuild(const Solution& solution, const std::string& device);
    void reportProblem(const std::string& device, std::vector<std::size_t> pairs, Error error, std::optional<ReferenceFailure> reference = {});
    /// Ends the run: what is left in the queue is reported as not run (`reason`, when not cancelled), everything is
    /// forced to disk, the DoneEvent is delivered.
    void finish(bool cancelled, const std::string& reason);

private:
    struct SharedBuild {
        std::mutex mutex;
        std::shared_ptr<const BuildOutcome> outcome;   ///< under mutex, which a running build holds
    };
    enum class PairState : char { Waiting, Running, Ended };
    [[nodiscard]] const RunPair& pairAt(std::size_t pair) const;
    /// Takes the pairs out of the queue's groups. Under m_queueMutex.
    void takeOut(const std::set<std::size_t>& pairs);
    /// The queue, in its order. Under m_queueMutex.
    [[nodiscard]] std::vector<std::size_t> queue() const;
    /// Under m_queueMutex.
    void moveWaiting(const std::vector<std::size_t>& pairs, std::optional<std::size_t> before);
    /// Consecutive pairs of one workload are a group. Under m_queueMutex.
    [[nodiscard]] std::vector<RunGroup> groupsOf(const std::vector<std::size_t>& pairs) const;
    /// Those that have not ended; they have, then.
    [[nodiscard]] std::vector<std::size_t> endPairs(const std::vector<std::size_t>& pairs);
    /// Notes a failure; the pairs that wait when the solution has failed too often.
    [[nodiscard]] std::vector<std::size_t> pairsToSkip(const std::string& solution);
    /// The queue's first group, now in a device's hand; none when it is empty. Under m_queueMutex.
    std::optional<RunGroup> takeGroup();
    std::shared_ptr<SharedBuild> sharedBuild(const Solution& solution, const std::string& device);
    [[nodiscard]] std::string computeCapabilityOf(const std::string& device) const;

    RunRequest m_request;
    RunPlan m_plan;
    JudgeSettings m_judge;
    BuildOptions m_build;
    RunSurroundings m_surroundings;
    Runner::EventCallback m_onEvent;
    std::optional<TraceWriter> m_writer;
    std::chrono::steady_clock::time_point m_started = std::chrono::steady_clock::now();

    mutable std::mutex m_queueMutex;
    std::condition_variable_any m_queueChanged;
    std::deque<RunGroup> m_groups;
    std::size_t m_groupsInHand = 0;
    std::set<std::string> m_paused;
    std::deque<RunPair> m_added;              ///< with indexes after those of the plan; references stay valid
    std::vector<PairState> m_states;          ///< of every pair
    struct InHand {
        std::size_t pair = 0;
        std::stop_source stop;
    };
    std::map<std::string, InHand> m_running;  ///< by device
    std::map<std::string, std::size_t> m_failures;   ///< by solution
    bool m_isClosed = false;                  ///< nothing is left, and nothing can be added any more

    std::mutex m_buildMutex;
    std::map<std::pair<std::string, std::string>, std::shared_ptr<SharedBuild>> m_builds;   ///< by solution name, compute capability
    std::vector<std::jthread> m_builders;

    std::mutex m_eventMutex;
    std::size_t m_passed = 0;   ///< both under m_eventMutex
    std::size_t m_failed = 0;
};

}  // namespace tracedeck
