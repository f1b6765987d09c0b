// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/judge/call_loop.h"
#include "core/judge/evaluation.h"
#include "core/judge/evaluator.h"
#include "core/judge/output_check.h"
#include "core/judge/philox.h"
#include "core/judge/record.h"
#include "core/judge/timing.h"
#include "core/model/text.h"

namespace tracedeck::judge {

/// How long a host may take to end its series or to let go of its buffers.
inline constexpr double kFinishSeconds = 5;

/// Adds a line of its own.
inline void appendLine(std::string& text, const std::string& more)
{
    if (!more.empty()) {
        text += (text.empty() || text.back() == '\n' ? "" : "\n") + more;
    }
}

/// A failure of the judge's own making.
inline HostFailure notTheSolution(const HostFailure& failure)
{
    return {failure.kind == HostFailure::Kind::Abandoned ? failure.kind : HostFailure::Kind::Internal, failure.message};
}

/// One evaluation from start to end. Each step returns false once the outcome is known.
class EvaluationRun {
public:
    EvaluationRun(Device& device, HostLauncher& launcher, WorkloadSession& session, EvaluationRequest request)
        : m_device(device), m_launcher(launcher), m_session(session), m_request(std::move(request)),
          m_deadline(deadlineAfter(m_request.timeoutSeconds)), m_timingSeed(mixSeed(session.contentSeed(), m_request.contents.empty() ? m_request.solution.name : "contents " + m_request.contents))
    {
        m_record.source = m_request.solution.contentHash();
        m_record.seed = session.seed();
        m_record.seedByUser = m_request.seedByUser;
        m_record.freshBytes = session.plan().freshShare();
        m_record.indexRules = session.plan().indexRuleTexts();
        m_record.evaluator = evaluatorName(session.evaluator());
        m_record.rules = rulesOf(session.evaluator(), session.definition(), session.workload(), session.config());
        m_evaluator = makeEvaluator(session.evaluator(), {device, session.definition(), session.workload(), session.config(), spec().destinationPassingStyle,
                                                          [&session](const auto& names, std::uint64_t seed, std::uint32_t call) {
                                                              return session.readInputs(names, seed, call);
                                                          }});
    }

    /// Starts the host and lets it load the solution; what goes wrong is kept for run().
    void begin()
    {
        // What an input function makes, only open() finds out.
        m_hasBegun = m_session.plan().isResolved() && prepare() && startLoading();
    }

    [[nodiscard]] bool lacksMemory() const { return m_lacksMemory; }

    EvaluationResult run(const StageCallback& onStage, const std::shared_ptr<LiveLog>& liveLog)
    {
        m_onStage = onStage;
        m_liveLog = liveLog;
        // Waiting for its turn is not the solution's time.
        m_deadline = deadlineAfter(m_request.timeoutSeconds);
        if (!m_hasBegun && !m_host && !m_inputs && !m_status) {
            begin();
        }
        m_record.freshBytes = m_session.plan().freshShare();
        if (m_hasBegun && buffersAreStale()) {
            // The reference returned something else than what the definition declares.
            endHost();
            begin();
        }
        if (m_hasBegun && awaitReady() && check()) {
            if (m_request.wantsDifference) {
                m_status = Status::Passed;   // as far as it went
                m_correctness = m_evaluator->correctness();
            } else if (isInterpreted() || (time() && verify())) {
                pass();
            }
        }
        return finish();
    }

private:
    [[nodiscard]] CallSetup setup() const
    {
        const auto stageInputs = [this](std::uint64_t seed, std::uint32_t call) {
            auto filled = m_session.reference().fill(seed, call);
            return filled ? Result<const BufferSet*>(&m_session.reference().inputs()) : Result<const BufferSet*>(filled.error());
        };
        return {m_device, m_session.plan(), *m_inputs, *m_outputs, m_canBatch, zeroesOutputs(m_session.config()), true, stageInputs};
    }
    /// What the evaluator says of one call. `expected`: null where it wants none.
    CheckFinding judge(std::uint64_t seed, std::uint32_t call, const ExpectedOutputs* expected, const std::vector<TensorLayout>& actual, const KeptOutputs& kept)
    {
        CheckFinding finding = m_evaluator->check({seed, call, expected, actual, kept});
        appendLine(m_message, finding.log);
        return finding;
    }
    [[nodiscard]] const BuildSpec& spec() const { return m_request.solution.spec; }
    /// Compiled libraries that are called through tvm-ffi have the worker program as their host; everything else is Python's.
    [[nodiscard]] HostKind kind() const { return spec().isNative() ? HostKind::Native : HostKind::Python; }
    /// Triton's interpreter computes the right values at a speed that says nothing.
    [[nodiscard]] bool isInterpreted() const { return spec().language == Language::Triton && !m_device.isCuda(); }

    // Getting ready (evaluation_start.cpp)
    bool prepare();
    [[nodiscard]] bool buffersAreStale() const;
    Result<std::vector<TensorLayout>> outputLayouts() const;
    bool startLoading();
    bool takeKeptHost(const LoadParts& parts);
    bool fillForRehearsal();
    bool awaitReady();
    void endHost();
    /// Names the host that serves a solution's workloads one after the other.
    [[nodiscard]] std::string hostName() const { return "solution " + m_request.solution.name; }
    /// Where the kernels are kept that the solution's process compiles; empty when it compiles none.
    [[nodiscard]] std::filesystem::path kernelFolder() const;
    // Calls (evaluation.cpp)
    bool check();
    bool checkTrial(CallLoop& loop, int round);
    void noteDifference(int trial, const CheckFinding& finding, const ExpectedOutputs* expected, const std::vector<TensorLayout>& actual, const KeptOutputs& kept);
    // Calls on repeated inputs (evaluation_repeated.cpp)
    bool checkRepeated();
    bool makeRepeatedCalls(const RepeatedCalls& wanted, const BufferSet& inputs, const BufferSet& outputs);
    bool bindHost(const BufferSet& inputs, const BufferSet& outputs);
    bool time();
    void chooseCalls(int counted);
    [[nodiscard]] bool isChosenAhead(const TimedCall& timed) const;
    bool isPickedAsFast(const TimedCall& timed);
    [[nodiscard]] double ownSeconds() const;
    bool timeSeries(const EvalConfig& config);
    bool repeatSeries(const EvalConfig& config);
    bool timeMore();
    Result<KeptOutputs> keepAsTheyAre(std::size_t slot);
    bool isQuiet();
    void beginRedZoneCheck(int call);
    bool redZonesHold();
    std::optional<HostFailure> observe(const TimedCall& timed);
    // What they are worth (evaluation_end.cpp)
    void takeLog();
    bool verify();
    bool verifyCall(const KeptOutputs& kept, const ExpectedOutputs* expected);
    std::optional<std::vector<ExpectedOutputs>> expectedOfKept();
    void pass();
    [[nodiscard]] double copiesNs() const;
    bool worksAhead();
    bool isPossible(double latencyMs);
    void noteTiming();
    void noteState();
    EvaluationResult finish();

    bool fail(Status status, const std::string& verdict, int call, const std::string& message)
    {
        m_status = status;
        m_record.add(verdict, "reject", call, message);
        appendLine(m_message, message);
        return false;
    }
    bool failByFinding(const CheckFinding& finding, int call, const std::string& where)
    {
        if (finding.status == Status::IncorrectNumerical || finding.isWrong) {
            m_correctness = finding.correctness.value_or(m_evaluator->correctness());
        }
        return fail(finding.status.value_or(Status::IncorrectNumerical), finding.verdict, call, where + ": " + finding.message);
    }
    /// Something that is not the solution's doing: nothing may be kept about it.
    bool giveUp(const std::string& reason)
    {
        m_status = Status::RuntimeError;
        m_result.store = false;
        m_result.note = reason;
        appendLine(m_message, reason);
        return false;
    }
    bool failByHost(const HostFailure& failure, const char* during);

    Device& m_device;
    HostLauncher& m_launcher;
    WorkloadSession& m_session;
    EvaluationRequest m_request;
    StageCallback m_onStage;
    std::shared_ptr<LiveLog> m_liveLog;   ///< null: nobody watches
    bool m_hasBegun = false;
    bool m_lacksMemory = false;   ///< for its buffers
    bool m_hasMutated = false;    ///< the solution wrote to an input
    bool m_differenceFails = false;   ///< m_result.difference is of a call that failed
    bool m_canBatch = false;      ///< its host evicts caches when asked
    Deadline m_deadline;
    std::uint64_t m_timingSeed;
    std::optional<BufferSet> m_inputs;
    std::optional<BufferSet> m_outputs;
    std::unique_ptr<HostProcess> m_host;
    std::optional<CallLoop> m_loop;
    std::set<int> m_chosen;             ///< counted calls to verify
    std::size_t m_fastWanted = 0;       ///< further ones among the faster half
    std::size_t m_fastSeen = 0;
    std::vector<double> m_callTimes;    ///< of the counted calls of this series so far, in ascending order
    std::set<int> m_chosenAudits;       ///< audits to verify
    std::set<int> m_chosenQueued;       ///< queued calls to verify
    std::string m_busyMachine;   ///< text of the note `machine.busy`, of the last series that was disturbed
    bool m_isWrongWhenQueued = false;
    std::vector<Verdict> m_notes;       ///< the evaluator's, of the calls that decide
    std::vector<KeptOutputs> m_kept;
    std::optional<int> m_zonesOfCall;   ///< whose red zones were looked at last
    std::unique_ptr<Evaluator> m_evaluator;
    Series m_series;
    std::uint32_t m_nextCall = 0;   ///< content index of the next timed call
    int m_trials = 0;               ///< in m_series
    TimeSummary m_time;             ///< of m_series
    JudgeRecord m_record;
    std::string m_hostLog;
    std::string m_message;
    std::optional<Status> m_status;
    std::optional<Correctness> m_correctness;
    std::optional<Performance> m_performance;
    EvaluationResult m_result;
};

}  // namespace tracedeck::judge
