// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <set>
#include <stop_token>
#include <string>

#include "core/run/judge_process.h"
#include "core/run/run_context.h"

namespace tracedeck {

/// Works off workload groups on one device with a judge of its own, until none is left, the device is lost or a stop is
/// asked for. A judge that dies costs the evaluation in hand: it is started anew and the workload opened again.
class DeviceWorker {
public:
    /// A judge that ends more often than this without finishing an evaluation in between loses the device.
    static constexpr int kMaxRestartsInARow = 3;
    /// Hosts that load while one is measured: a Triton kernel takes some 2 s from start to ready, a measurement 0.1 to 0.3 s.
    static constexpr std::size_t kPairsAhead = 9;
    /// Pairs among which solutions without a host are looked for where each keeps its own (Isolation::Solution).
    static constexpr std::size_t kMostLookedAt = 15;

    DeviceWorker(std::string device, RunContext& context, std::stop_token stop);

    /// Body of the device's thread. Returns why the device was lost, empty when it was not.
    std::string run();

private:
    enum class Outcome { Done, JudgeLost, Cancelled };
    class PairInHand;

    /// False: the device is lost, or a stop was asked for.
    bool ensureJudge();
    /// Waits until the device is resumed.
    void pause();
    /// With RunRequest::waitIdle: waits until the GPU is cool and idle.
    void awaitIdle();
    /// The judge was killed since the user cancelled the pair in hand.
    void forgetJudge();
    void giveBackAhead();
    /// Frees what the judge holds for a workload, evaluations that were prepared for it among them.
    void closeWorkload(const RunGroup& group);
    std::optional<RunGroup> nextGroup();
    /// Returns the pairs that it could not get to: the device was lost, or a stop was asked for.
    std::vector<std::size_t> runGroup(const RunGroup& group);
    [[nodiscard]] static std::string sessionOf(const RunGroup& group);
    [[nodiscard]] Json openMessage(const RunGroup& group) const;
    [[nodiscard]] Json evaluateMessage(const RunGroup& group, std::size_t pair, const Json& artifact, const std::string& buildLog) const;
    /// Lets the judge start the hosts of the pairs that come next, so that they load while this one is measured.
    void prepareAhead(const RunGroup& group, const std::vector<std::size_t>& pairs, std::size_t next);
    void prepare(const RunGroup& group, std::size_t pair);
    /// Leaves out, and reports, pairs that no cpu can run.
    [[nodiscard]] std::vector<std::size_t> runnablePairs(const RunGroup& group);
    struct OpenFailure {
        Error error;   ///< a reason for the user
        std::optional<ReferenceFailure> reference = std::nullopt;
    };
    /// std::nullopt when the workload is open.
    /// `stop`, here and below: of the pair in hand.
    std::optional<OpenFailure> openWorkload(const RunGroup& group, std::size_t firstPair, const std::stop_token& stop);
    Outcome runPair(const RunGroup& group, std::size_t pair, const std::stop_token& stop);
    /// The library for a native solution, null when it needs none. std::nullopt: the pair is dealt with.
    std::optional<Json> buildArtifact(const RunGroup& group, std::size_t pair, std::string& buildLog, const std::stop_token& stop);
    Outcome takeAnswer(const RunGroup& group, std::size_t pair, const Json& answer);
    void loseJudge(const Error& why);
    void recordFailure(const RunGroup& group, std::size_t pair, Status status, const std::string& log);
    void announceStart(std::size_t pair);
    void emitDevice(const std::string& state, const std::string& message = {});

    std::string m_device;
    RunContext& m_context;
    std::stop_token m_stop;
    std::unique_ptr<JudgeProcess> m_judge;
    Environment m_environment;   ///< of the last judge
    int m_restartsInARow = 0;
    bool m_startedBefore = false;
    std::optional<std::size_t> m_announced;
    std::deque<RunGroup> m_ahead;           ///< taken already, for their first hosts
    std::set<std::size_t> m_prepared;       ///< pairs whose hosts the judge was asked to start
    std::string m_lost;
};

}  // namespace tracedeck
