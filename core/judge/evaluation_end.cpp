// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/evaluation_run.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/judge/physics.h"
#include "core/model/timestamp.h"

namespace tracedeck::judge {

namespace {

/// The guest's name for it.
constexpr const char* kKernelCacheName = "triton";

/// Cuts an overlong log; its end says more than its middle.
std::string boundedLog(std::string text)
{
    if (text.size() > kMaxLogBytes) {
        constexpr std::size_t kHead = kMaxLogBytes / 4;
        constexpr std::string_view kMark = "\n[log truncated]\n";
        text = text.substr(0, kHead) + std::string(kMark) + text.substr(text.size() - (kMaxLogBytes - kHead - kMark.size()));
    }
    return toValidUtf8(text);
}

}  // namespace

void EvaluationRun::takeLog()
{
    if (!m_host) {
        return;
    }
    if (!m_request.keepHost && !m_device.isCuda()) {
        m_host->end();   // complete then; on a GPU its end takes long, and what a finished series printed is here already
    }
    m_hostLog += m_host->takeLog();
}

bool EvaluationRun::verify()
{
    m_onStage("verify");
    // The solution is gone before its outputs are looked at and its inputs are made again; one that stays for its next
    // workload has lost its buffers.
    takeLog();
    if (const auto folder = kernelFolder(); !folder.empty()) {
        m_launcher.kernels().add(m_host->scratch() / kKernelCacheName, folder);
    }
    if (m_request.keepHost) {
        m_launcher.keep(m_session.definition().name, hostName(), std::move(m_host), std::min(m_deadline, deadlineAfter(kFinishSeconds)));
    } else {
        endHost();
    }
    const bool usesExpected = m_session.needs().usesExpected;
    const auto expected = usesExpected ? expectedOfKept() : std::vector<ExpectedOutputs>();
    if (!expected) {
        return false;
    }
    for (std::size_t i = 0; i < m_kept.size(); ++i) {
        if (m_kept[i].isQueued) {
            continue;
        }
        if (!verifyCall(m_kept[i], usesExpected ? &(*expected)[i] : nullptr)) {
            return false;
        }
        ++m_record.verifiedCalls;
    }
    m_correctness = m_evaluator->correctness();
    m_notes = m_evaluator->notes();
    // Who works on a stream of its own does not wait for the queue, and may see inputs that are not complete yet: no reason to fail.
    for (std::size_t i = 0; i < m_kept.size() && !m_isWrongWhenQueued; ++i) {
        if (m_kept[i].isQueued) {
            const CheckFinding finding = judge(m_timingSeed, m_kept[i].call, usesExpected ? &(*expected)[i] : nullptr, m_outputs->layouts(), m_kept[i]);
            m_isWrongWhenQueued = finding.status.has_value() || finding.isWrong;
        }
    }
    return true;
}

/// What the reference gives for the contents of the calls to verify; nothing when that decides the evaluation.
std::optional<std::vector<ExpectedOutputs>> EvaluationRun::expectedOfKept()
{
    std::vector<std::uint32_t> calls;
    for (const KeptOutputs& kept : m_kept) {
        calls.push_back(kept.call);
    }
    auto expected = m_session.reference().computeAll(m_timingSeed, calls, m_deadline);
    if (const auto* failure = std::get_if<HostFailure>(&expected); failure != nullptr && failure->kind == HostFailure::Kind::Died) {
        // A process that was killed from outside gets a second chance.
        expected = m_session.reference().computeAll(m_timingSeed, calls, m_deadline);
    }
    if (const auto* failure = std::get_if<HostFailure>(&expected)) {
        if (failure->kind == HostFailure::Kind::TimedOut || failure->kind == HostFailure::Kind::Abandoned) {
            failByHost(*failure, "verifying timed calls with the reference");
        } else {
            giveUp("the timed calls could not be verified, because the reference failed on their inputs: " + failure->message);
        }
        return std::nullopt;
    }
    return std::move(std::get<std::vector<ExpectedOutputs>>(expected));
}

bool EvaluationRun::verifyCall(const KeptOutputs& kept, const ExpectedOutputs* expected)
{
    const CheckFinding finding = judge(m_timingSeed, kept.call, expected, m_outputs->layouts(), kept);
    if (!finding.status && !finding.isWrong) {
        return true;
    }
    const auto nameOf = [](const KeptOutputs& call) {
        return call.counted >= 0 ? fmt::format("timed call {}", call.counted + 1) : std::string("a call between the timed ones");
    };
    std::string where = nameOf(kept) + " is wrong although the checked calls were right";
    for (const KeptOutputs& other : m_kept) {
        const bool isEarlier = other.call < kept.call;
        if (isEarlier && std::ranges::equal(other.contents, kept.contents, [this](const auto& one, const auto& two) {
                return m_device.equalContents(*one, *two);
            })) {
            where += fmt::format(", and equals what {} gave for other inputs", nameOf(other));
            break;
        }
    }
    return failByFinding(finding, static_cast<int>(kept.call), where);
}

void EvaluationRun::pass()
{
    if (isInterpreted()) {
        m_correctness = m_evaluator->correctness();
        m_notes = m_evaluator->notes();
    }
    m_record.verdicts.insert(m_record.verdicts.end(), m_notes.begin(), m_notes.end());
    Performance performance;
    performance.referenceLatencyMs = m_session.referenceLatencyMs();
    if (isInterpreted()) {
        m_result.store = false;
        m_result.note = "Correct under Triton's interpreter on the CPU. Its speed says nothing about a GPU, so no latency was taken and nothing is stored.";
    } else {
        m_record.time = m_time;
        m_record.reference = m_session.referenceTime();
        noteTiming();
        performance.latencyMs = m_record.time.latencyMs;
        if (worksAhead() || !isPossible(performance.latencyMs)) {
            return;
        }
        performance.speedupFactor = performance.referenceLatencyMs / performance.latencyMs;   // 0 where the reference was not timed
    }
    m_status = Status::Passed;
    m_performance = performance;
}

/// What copying a value-returning call's results takes at most (trusted judging §3.2).
double EvaluationRun::copiesNs() const
{
    if (!m_device.isCuda() || spec().destinationPassingStyle) {
        return 0;
    }
    constexpr double kLaunchNs = 5000;   // of each copy
    constexpr double kSlowness = 1.35;
    constexpr double kAssumedBytesPerSecond = 3e11;
    const auto peaks = m_device.peaks();
    const double rate = peaks && peaks->memoryBytesPerSecond > 0 ? peaks->memoryBytesPerSecond : kAssumedBytesPerSecond;
    double copies = 0;
    for (const TensorLayout& layout : m_outputs->layouts()) {
        copies += kLaunchNs + 2 * static_cast<double>(layout.bytes()) / rate * kSlowness * 1e9;   // read and written
    }
    return copies;
}

/// Whether the call was done before it was to begin, as calls show that could not be (trusted judging §3.6).
bool EvaluationRun::worksAhead()
{
    if (!m_record.time.worksAhead) {
        return false;
    }
    const std::string evidence = fmt::format("{:.6g} ms; in calls whose inputs came at the last moment it takes {:.6g} ms",
                                             *m_record.time.disbelievedMs, *m_record.time.singleMs);
    if (m_request.wasTooFast) {
        m_correctness.reset();
        fail(Status::RuntimeError, "time.ahead", -1, "the solution works on a call's inputs before the call begins, in a second process, too: " + evidence);
    } else {
        m_result.isTooFast = true;
        giveUp("the solution seems to work on a call's inputs before the call begins: " + evidence);
    }
    return true;
}

/// Compares a time with what the device can do at most (trusted judging §3.8).
bool EvaluationRun::isPossible(double latencyMs)
{
    const auto peaks = m_device.peaks();
    const auto floor = peaks ? timeFloor(m_session.definition(), m_session.workload().axes, m_session.plan(), *peaks) : std::nullopt;
    if (!floor) {
        return true;
    }
    m_record.floorHardMs = floor->hardMs;
    m_record.floorSoftMs = floor->softMs;
    if (latencyMs < floor->hardMs) {
        const std::string evidence = fmt::format("{:.6g} ms; no kernel can take less than {:.6g} ms ({})", latencyMs, floor->hardMs, floor->why);
        if (m_request.wasTooFast) {
            m_correctness.reset();
            return fail(Status::RuntimeError, "physics", -1, "faster than physics allows, in a second process, too: " + evidence);
        }
        m_result.isTooFast = true;
        return giveUp("faster than physics allows: " + evidence);
    }
    if (m_request.wasTooFast) {
        m_record.add("physics", "warn", -1, "a first process was faster than can be; a second one was not");
    } else if (latencyMs < floor->softMs) {
        m_record.add("physics.near", "note", -1, fmt::format("{:.6g} ms is less than {:.6g} ms, which all bytes and operations take at the highest rates ({})", latencyMs, floor->softMs, floor->why));
    }
    return true;
}

void EvaluationRun::noteState()
{
    if (const auto state = m_device.state()) {
        m_record.states.push_back(*state);
    }
}

void EvaluationRun::noteTiming()
{
    if (m_record.freshBytes == 0 && m_inputs->size() > 0) {
        m_record.add("inputs.fixed", "note", -1, "all inputs are the same in every call: a solution that keeps its first results would not show");
    }
    if (std::ranges::any_of(m_record.states, [](const GpuState& state) { return state.throttleReasons && isThrottled(*state.throttleReasons); })) {
        m_record.add("clock.throttled", "note", -1, "the GPU lowered its clock for reasons of power or heat while this was measured");
    }
    if (!m_busyMachine.empty()) {
        m_record.add("machine.busy", "note", -1, m_busyMachine);
    }
    const TimeSummary& time = m_record.time;
    if (time.unsupportedClaims > 0) {
        m_record.add("time.unsupported", "note", -1,
                     fmt::format("{} of {} claimed times are longer than what the judge saw, whose own time stands in", time.unsupportedClaims, time.count));
    }
    if (time.tooShortMs) {
        m_record.add("time.unsupported", "note", -1,
                     fmt::format("{:.6g} ms are claimed, but behind a blocked stream the same call keeps the GPU busy for {:.6g} ms at least, which stand in",
                                 *time.tooShortMs, *time.leastMs));
    }
    if (time.lateWhenQueued > 0) {
        m_record.add("late.queued", "note", -1,
                     fmt::format("{} calls that were queued wrote outputs after the stream had gone on: the solution uses a stream of its own without joining it",
                                 time.lateWhenQueued));
    }
    if (m_isWrongWhenQueued) {
        m_record.add("queued.wrong", "note", -1, "outputs of a queued call are wrong: the solution does not work on the stream that it is given");
    }
    if (time.hasNoLeast || m_isWrongWhenQueued) {
        m_record.add("time.claimed_only", "note", -1,
                     fmt::format("the call can't be measured queued, so how short it is only its own process says; the judge saw {:.6g} ms with everything in it",
                                 time.liveMs));
    }
    if (time.disbelievedMs && !m_device.isCuda()) {
        m_record.add("time.late_inputs", "note", -1,
                     fmt::format("calls took {:.6g} ms; those whose inputs came at the last moment {:.6g} ms: the latter are stored",
                                 *time.disbelievedMs, *time.singleMs));
    } else if (time.disbelievedMs) {
        m_record.add("time.batched", "note", -1,
                     fmt::format("calls that were prepared together took {:.6g} ms, calls prepared one by one {:.6g} ms: the latter are stored",
                                 *time.disbelievedMs, *time.singleMs));
    }
    if (time.shape.drifts) {
        m_record.add("drift", "note", -1,
                     fmt::format("the calls of the last third took {:+.1f} % more time than those of the first", time.shape.driftShare * 100));
    }
    if (time.shape.isBimodal) {
        m_record.add("bimodal", "note", -1, "the times fall into two groups: their median may be in either one next time");
    }
    if (time.withoutActivity > 0) {
        m_record.add("time.no_activity", "note", -1,
                     fmt::format("in {} of {} calls the GPU did nothing: the judge's time stands in", time.withoutActivity, time.count));
    }
    if (time.hostSynchronising > 0) {
        m_record.add("host_sync", "note", -1, "the solution waits for the GPU inside its call: it can't be measured queued");
    }
}

EvaluationResult EvaluationRun::finish()
{
    std::string log = m_request.buildLog;
    if (m_host) {
        m_host->end();
        m_hostLog += m_host->takeLog();
        m_host.reset();
    }
    appendLine(log, m_hostLog);
    appendLine(log, m_message);
    Evaluation& evaluation = m_result.evaluation;
    evaluation.status = m_status.value_or(Status::RuntimeError);
    evaluation.environment.hardware = m_device.hardware();
    evaluation.environment.libs = m_launcher.libs();
    evaluation.environment.libs["timing"] = m_device.isCuda() ? m_record.method : "tracedeck-cpu";
    for (const auto& [name, version] : m_device.libs()) {
        evaluation.environment.libs[name] = version;
    }
    evaluation.timestamp = localTimestamp();
    evaluation.log = boundedLog(std::move(log));
    const bool hasCorrectness = evaluation.status == Status::Passed || evaluation.status == Status::IncorrectNumerical;
    if (hasCorrectness) {
        evaluation.correctness = m_correctness.value_or(m_evaluator->correctness());
    }
    if (evaluation.status == Status::Passed) {
        evaluation.performance = m_performance;
    }
    if (m_session.definition().dialect == Dialect::SolExecBench) {
        evaluation.environment.libs["dialect"] = "sol";
    }
    m_record.verdicts.insert(m_record.verdicts.end(), m_session.notes().begin(), m_session.notes().end());
    evaluation.unknownKeys["judge"] = m_record.encode();
    if (m_request.wantsDifference) {
        m_result.store = false;
        DifferenceReport& report = m_result.difference;
        report.status = toString(evaluation.status);
        report.log = evaluation.log;
        if (report.trial < 0 && report.missing.empty()) {
            report.missing = "no call came to its end";
        }
    }
    return std::move(m_result);
}

}  // namespace tracedeck::judge
