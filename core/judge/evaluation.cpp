// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/evaluation.h"

#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "core/judge/difference.h"
#include "core/judge/evaluation_run.h"
#include "core/judge/machine_load.h"
#include "core/judge/output_check.h"
#include "core/judge/system_random.h"

namespace tracedeck::judge {

namespace {

/// Counted calls whose outputs are verified afterwards, chosen in secret (trusted judging §3.5).
constexpr std::size_t kVerifiedCalls = 5;
constexpr std::size_t kVerifiedFastCalls = 3;   ///< of them, from the faster half
/// Audits likewise: whoever is dishonest in enough of them to move their median is dishonest in one of these.
constexpr std::size_t kVerifiedAudits = kAuditCalls / 2;
constexpr std::size_t kVerifiedQueued = 2;
/// A series that drifts is measured again so often; more are made only within this share of the time limit, and up to so many calls.
constexpr int kMostRepeats = 2;
constexpr double kShareForMore = 1.0 / 3;
constexpr int kMostCountedCalls = 1000;

}  // namespace

bool EvaluationRun::failByHost(const HostFailure& failure, const char* during)
{
    if (m_status) {
        return false;   // an observer has said why already
    }
    using Kind = HostFailure::Kind;
    m_result.ranOutOfMemory = (failure.kind == Kind::Load || failure.kind == Kind::Call || failure.kind == Kind::Internal) && tellsOfLackingMemory(failure.message);
    switch (failure.kind) {
    case Kind::TimedOut:
        return fail(Status::Timeout, "timeout", -1,
                    fmt::format("Evaluation timeout after {:g} seconds for solution {} ({})", m_request.timeoutSeconds, m_request.solution.name, during));
    case Kind::Died:
        return fail(Status::RuntimeError, failure.exit && failure.exit->signal != 0 ? "signal" : "exit", -1,
                    fmt::format("While {}, {}", during, failure.message));
    case Kind::Limit: {
        const std::size_t space = failure.message.find(' ');
        return fail(Status::RuntimeError, failure.message.substr(0, space), -1, fmt::format("While {}, {}", during, failure.message.substr(space + 1)));
    }
    case Kind::Protocol: return fail(Status::RuntimeError, "protocol", -1, fmt::format("While {}, {}", during, failure.message));
    case Kind::Load: return fail(Status::CompileError, "load", -1, failure.message);
    case Kind::Call: return fail(Status::RuntimeError, "exception", -1, failure.message);
    case Kind::Abandoned: m_result.isAbandoned = true; return giveUp(failure.message);
    case Kind::Internal: return giveUp(fmt::format("the judge could not go on while {}: {}", during, failure.message));
    }
    return false;
}

bool EvaluationRun::check()
{
    m_onStage("check");
    const EvalConfig& config = m_session.config();
    if (!checkRepeated()) {
        return false;
    }
    // Correctness calls and timed calls are one series: the host is not told where one ends and the other begins.
    m_loop.emplace(*m_host, m_launcher.processors().yields, m_device.isCuda());
    const int rounds = m_session.needs().rounds;
    const int calls = rounds + (isInterpreted() || m_request.wantsDifference ? 0 : timedCallCount(config, m_device.isCuda(), setup().slotCount()));
    if (auto failure = m_loop->begin(calls, false, m_deadline)) {
        return failByHost(*failure, "starting the calls");
    }
    for (int round = 0; round < rounds; ++round) {
        if (!checkTrial(*m_loop, round)) {
            return false;
        }
    }
    if (m_status) {   // wrong values were found; the maxima are of all rounds
        m_correctness = m_evaluator->correctness();
        return false;
    }
    return true;
}

/// The outputs as they were when the host said that they are done. On a GPU the device's own order of work sees to that.
Result<KeptOutputs> EvaluationRun::keepAsTheyAre(std::size_t slot)
{
    if (!m_device.isCuda()) {
        m_host->stop();
    }
    auto kept = keepOutputs(m_device, *m_outputs, slot);
    if (!m_device.isCuda()) {
        m_host->resume();
    }
    return kept;
}

/// Whoever goes on computing after the last call works ahead, works late or slows others down (trusted judging §3.6).
bool EvaluationRun::isQuiet()
{
    if (m_device.isCuda()) {
        return true;   // its GPU work is bounded by the judge's clock
    }
    if (const std::size_t others = m_host->otherProcesses(); others > 0) {
        m_record.add("threads", "note", -1, fmt::format("the solution has left {} other processes running", others));
    }
    if (!m_host->staysBusy()) {
        if (m_request.wasBusy) {
            m_record.add("late.cpu", "warn", -1, "a first process of the solution went on computing although nothing was asked of it; a second one did not");
        }
        return true;
    }
    if (m_request.wasBusy) {
        return fail(Status::RuntimeError, "late.cpu", -1, "the solution goes on computing although nothing is asked of it, in a second process, too");
    }
    m_result.isBusy = true;
    return giveUp("the solution went on computing although nothing was asked of it");
}

bool EvaluationRun::checkTrial(CallLoop& loop, int trial)
{
    const bool sharesContents = m_session.needs().sharesContents;
    const std::uint32_t call = sharesContents ? 0 : static_cast<std::uint32_t>(trial);
    const ExpectedOutputs* expected = nullptr;
    if (m_session.needs().usesExpected) {
        auto computed = m_session.expected(static_cast<std::size_t>(trial), m_deadline);
        if (const auto* failure = std::get_if<HostFailure>(&computed)) {
            return giveUp("the reference failed on the inputs of a checked call: " + failure->message);
        }
        expected = std::get<const ExpectedOutputs*>(computed);
    }
    std::uint64_t poisonPattern = 0;
    // Inputs that stay the same need not be written again and again.
    const bool isFilled = sharesContents && trial > 0 && !m_hasMutated;
    auto outcome = makeCall(setup(), loop, m_session.contentSeed(), call, poisonPattern, m_deadline, {.isFilled = isFilled});
    if (const auto* failure = std::get_if<HostFailure>(&outcome)) {
        return failByHost(*failure, "checking");
    }
    auto kept = keepAsTheyAre(0);
    if (!kept) {
        return giveUp(kept.error().reason);
    }
    kept->poisonPattern = poisonPattern;
    kept->isPoisoned = !setup().zeroesOutputs;
    beginRedZoneCheck(trial);
    m_device.synchronise();
    if (!redZonesHold()) {
        return false;
    }
    auto layouts = actualLayouts(*m_outputs, std::get<CallOutcome>(outcome), *kept, m_session.needs().fewestResults > 0);
    if (!layouts) {
        return fail(Status::RuntimeError, "protocol", trial, layouts.error().reason);
    }
    const CheckFinding finding = judge(m_session.contentSeed(), call, expected, *layouts, *kept);
    if (m_request.wantsDifference) {
        noteDifference(trial, finding, expected, *layouts, *kept);
    }
    const std::string where = fmt::format("trial {}", trial + 1);
    if (finding.status) {
        return failByFinding(finding, trial, where);
    }
    if (finding.isWrong) {
        failByFinding(finding, trial, where);   // remembered; the other trials are still looked at
    }
    if (finding.expectedNonFinite > 0 && trial == 0) {
        m_record.add("reference.nonfinite", "note", trial,
                     fmt::format("{} elements of the reference's outputs are not finite: any finite value passes there", finding.expectedNonFinite));
    }
    // The reference's buffers serve as the pristine copy; no solution can reach them.
    if (auto filled = isFilled ? Result<void>{} : m_session.reference().fill(m_session.contentSeed(), call); !filled) {
        return giveUp(filled.error().reason);
    }
    const BufferSet& pristine = m_session.reference().inputs();
    for (std::size_t i = 0; i < pristine.size(); ++i) {
        if (!m_device.equalContents(m_inputs->buffer(i), pristine.buffer(i))) {
            if (std::exchange(m_hasMutated, true) && sharesContents) {
                continue;   // said before
            }
            m_record.add("inputs.mutated", "warn", trial,
                         fmt::format("the call changed its input `{}`; inputs are rewritten before every call", pristine.layouts()[i].name));
        }
    }
    return true;
}

/// Keeps what the first call that fails looks like, or the first call where none does.
void EvaluationRun::noteDifference(int trial, const CheckFinding& finding, const ExpectedOutputs* expected, const std::vector<TensorLayout>& actual,
                                   const KeptOutputs& kept)
{
    DifferenceReport& report = m_result.difference;
    const bool fails = finding.status || finding.isWrong;
    if (report.trial >= 0 && (!fails || m_differenceFails)) {
        return;
    }
    m_differenceFails = fails;
    report.trial = trial;
    if (expected == nullptr) {
        report.missing = fmt::format("the evaluator `{}` does not compare outputs with expected ones", evaluatorName(m_session.evaluator()));
        return;
    }
    report.outputs = outputDifferences(m_device, m_session.config(), *expected, actual, kept);
    report.missing = report.outputs.empty() ? "no output has the shape and dtype of the expected one" : "";
}

/// The GPU looks while the next call is prepared, which waits for it anyway.
void EvaluationRun::beginRedZoneCheck(int call)
{
    std::vector<SharedBuffer*> buffers = m_inputs->all();
    const std::vector<SharedBuffer*> outputs = m_outputs->all();
    buffers.insert(buffers.end(), outputs.begin(), outputs.end());
    m_device.beginRedZoneCheck(buffers);
    m_zonesOfCall = call;
}

/// What the last check found; the device has been waited for since.
bool EvaluationRun::redZonesHold()
{
    const int broken = m_zonesOfCall ? m_device.brokenRedZone() : -1;
    if (broken < 0) {
        return true;
    }
    const auto index = static_cast<std::size_t>(broken);
    const std::size_t inputs = m_inputs->all().size();
    const TensorLayout& layout =
        index < inputs ? m_inputs->layouts()[index / m_inputs->slotCount()] : m_outputs->layouts()[(index - inputs) / m_outputs->slotCount()];
    return fail(Status::RuntimeError, "redzone", *m_zonesOfCall, fmt::format("the solution wrote outside `{}`", layout.name));
}

std::optional<HostFailure> EvaluationRun::observe(const TimedCall& timed)
{
    const auto stop = [] { return HostFailure{HostFailure::Kind::Call, "stopped"}; };
    const int call = static_cast<int>(timed.call);
    if (!redZonesHold()) {   // of the call before
        return stop();
    }
    if (timed.counted == m_session.config().numTrials * m_session.config().iterations / 2) {
        noteState();
    }
    if (timed.isLate) {
        failByFinding(failedValues(std::numeric_limits<double>::quiet_NaN(), "late.write", "outputs changed after the call had said that it was done"), call,
                      "timed call");
        return stop();
    }
    const bool isMismatch = timed.outcome->mismatch.has_value();
    const bool isChosen = isChosenAhead(timed);
    const bool isFastPick = !isChosen && !isMismatch && isPickedAsFast(timed);
    if (isChosen || isFastPick || isMismatch) {
        auto kept = keepAsTheyAre(timed.slot);
        if (!kept) {
            giveUp(kept.error().reason);
            return stop();
        }
        kept->call = timed.call;
        kept->counted = timed.counted;
        kept->isQueued = timed.queued >= 0;
        kept->isFastPick = isFastPick;
        kept->poisonPattern = timed.poisonPattern;
        kept->isPoisoned = !setup().zeroesOutputs;
        if (isMismatch) {
            auto layouts = actualLayouts(*m_outputs, *timed.outcome, *kept, m_session.needs().fewestResults > 0);
            if (!layouts) {
                fail(Status::RuntimeError, "protocol", call, layouts.error().reason);
                return stop();
            }
            // Its layout is wrong, whatever the reference gives for these inputs: the first round's outputs have the right one.
            auto expected = m_session.expected(0, m_deadline);
            const auto* first = std::get_if<const ExpectedOutputs*>(&expected);
            const CheckFinding finding = judge(m_timingSeed, timed.call, first != nullptr ? *first : nullptr, *layouts, *kept);
            failByFinding(finding, call, "timed call");
            return stop();
        }
        m_kept.push_back(std::move(*kept));
    }
    if (timed.isLast) {
        beginRedZoneCheck(call);
    }
    return std::nullopt;
}

bool EvaluationRun::time()
{
    if (!m_device.isCuda()) {
        auto roundTrip = m_launcher.roundTripNs(kind(), m_deadline);
        if (const auto* failure = std::get_if<HostFailure>(&roundTrip)) {
            return failByHost(notTheSolution(*failure), "calibrating");
        }
        m_record.roundTripMs = std::get<double>(roundTrip) / 1e6;
    }
    m_onStage("time");
    return timeSeries(m_session.config()) && timeMore() && isQuiet();
}

bool EvaluationRun::isChosenAhead(const TimedCall& timed) const
{
    return (timed.counted >= 0 && m_chosen.contains(timed.counted)) || (timed.audit >= 0 && m_chosenAudits.contains(timed.audit)) ||
           (timed.queued >= 0 && m_chosenQueued.contains(timed.queued));
}

/// Whether the outputs of a counted call are kept because it was quick: to move the median, a solution must cheat in half of the
/// calls, and these are then the faster half. Of that half so far each call has the same chance; room for it is made here.
bool EvaluationRun::isPickedAsFast(const TimedCall& timed)
{
    if (timed.counted < 0 || m_fastWanted == 0) {
        return false;
    }
    const double time = timed.outcome->nanoseconds;
    const auto place = std::ranges::lower_bound(m_callTimes, time);
    const bool isFast = place - m_callTimes.begin() <= static_cast<std::ptrdiff_t>(m_callTimes.size() / 2);
    m_callTimes.insert(place, time);
    if (!isFast) {
        return false;
    }
    ++m_fastSeen;
    if (m_fastSeen <= m_fastWanted) {
        return true;
    }
    const std::size_t replaced = systemRandom() % m_fastSeen;
    if (replaced >= m_fastWanted) {
        return false;
    }
    std::size_t pick = 0;
    std::erase_if(m_kept, [&](const KeptOutputs& kept) { return kept.isFastPick && kept.call >= m_nextCall && pick++ == replaced; });
    return true;
}

/// Draws which calls of the next series are verified.
void EvaluationRun::chooseCalls(int counted)
{
    m_chosen.clear();
    m_chosenAudits.clear();
    m_chosenQueued.clear();
    m_callTimes.clear();
    m_fastSeen = 0;
    m_chosen.insert(counted - 1);
    const std::size_t verified = std::min(m_evaluator->verifiedCalls(kVerifiedCalls), static_cast<std::size_t>(counted));
    // Samples may be drawn the faster the lower they are: those of quick calls would look skewed.
    m_fastWanted = m_session.needs().usesExpected && verified == kVerifiedCalls && verified < static_cast<std::size_t>(counted) ? kVerifiedFastCalls : 0;
    while (m_chosen.size() < verified - m_fastWanted) {
        m_chosen.insert(static_cast<int>(systemRandom() % static_cast<std::uint64_t>(counted)));
    }
    // Without a GPU the quicker ones decide: whoever skips the work in some of them must be found out.
    while (m_chosenAudits.size() < (m_device.isCuda() ? kVerifiedAudits : static_cast<std::size_t>(kAuditCalls))) {
        m_chosenAudits.insert(static_cast<int>(systemRandom() % static_cast<std::uint64_t>(kAuditCalls)));
    }
    // Of samples each call has its own, so that only all of them together tell; they are in time there as they are here.
    while (m_session.needs().usesExpected && m_chosenQueued.size() < kVerifiedQueued) {
        m_chosenQueued.insert(static_cast<int>(systemRandom() % static_cast<std::uint64_t>(kQueuedCalls)));
    }
}

/// Processor time of the judge and of the solution's host so far.
double EvaluationRun::ownSeconds() const
{
    timespec used{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    return static_cast<double>(used.tv_sec) + (static_cast<double>(used.tv_nsec) + static_cast<double>(m_host->processorNs())) * 1e-9;
}

/// One series of timed calls, which the host has been told to make. Its trials come after those that there are.
bool EvaluationRun::timeSeries(const EvalConfig& config)
{
    const int counted = config.numTrials * config.iterations;
    chooseCalls(counted);
    noteState();
    const auto loadBefore = machineLoad();
    const double ownBefore = ownSeconds();
    const auto begin = FrameClock::now();
    auto times = timeCalls(setup(), *m_loop, config, m_timingSeed, m_deadline,
                           [this](const TimedCall& timed) { return observe(timed); }, m_nextCall);
    const auto* failure = std::get_if<HostFailure>(&times);
    if (failure == nullptr || failure->kind == HostFailure::Kind::Died) {
        m_device.synchronise();
        if (!m_status && !redZonesHold()) {
            return false;
        }
    }
    if (failure != nullptr) {
        return failByHost(*failure, "timing");
    }
    noteState();
    if (const auto loadAfter = machineLoad(); loadBefore && loadAfter) {
        const double seconds = std::chrono::duration<double>(FrameClock::now() - begin).count();
        if (std::string text = busyMachineText(*loadBefore, *loadAfter, ownSeconds() - ownBefore, seconds); !text.empty()) m_busyMachine = std::move(text);
    }
    Series series = std::move(std::get<Series>(times));
    auto claims = m_loop->finish(std::min(m_deadline, deadlineAfter(kFinishSeconds)));
    if (const auto* unfinished = std::get_if<HostFailure>(&claims)) {
        return failByHost(*unfinished, "ending the calls");
    }
    attachClaims(series, std::get<std::vector<ClaimedTimes>>(claims));
    m_nextCall += static_cast<std::uint32_t>(series.size());
    for (SeriesCall& call : series) {
        call.trial += m_trials;
        m_series.push_back(std::move(call));
    }
    m_trials += config.numTrials;
    m_record.warmupCalls += config.numTrials * config.warmupRuns;
    m_record.countedCalls += counted;
    return true;
}

bool EvaluationRun::repeatSeries(const EvalConfig& config)
{
    if (auto failure = m_loop->begin(timedCallCount(config, m_device.isCuda(), setup().slotCount()), false, m_deadline)) {
        return failByHost(*failure, "starting more calls");
    }
    return timeSeries(config);
}

/// Measures a series that drifts once more, and more often where a precision is asked for (trusted judging §5.1). Stopping when the
/// interval is narrow biases nothing: it does not look at where the median lies.
bool EvaluationRun::timeMore()
{
    const Deadline lastBegin = FrameClock::now() + std::chrono::duration_cast<FrameClock::duration>(
                                                       std::chrono::duration<double>(m_request.timeoutSeconds * kShareForMore));
    const auto hasTime = [&] { return FrameClock::now() < std::min(lastBegin, m_deadline); };
    const auto look = [this] { m_time = summarise(m_series, m_record.roundTripMs * 1e6, copiesNs()); };
    look();
    for (int repeats = 0; m_time.shape.drifts && repeats < kMostRepeats && hasTime(); ++repeats) {
        m_record.add("drift.repeated", "note", -1,
                     fmt::format("the calls of the last third of a series took {:+.1f} % more time than those of the first: all were made once more",
                                 m_time.shape.driftShare * 100));
        m_series.clear();
        m_kept.clear();
        m_trials = 0;
        m_record.warmupCalls = 0;
        m_record.countedCalls = 0;
        if (!repeatSeries(m_session.config())) {
            return false;
        }
        look();
    }
    const double wanted = m_session.config().precision;
    EvalConfig trial = m_session.config();
    trial.numTrials = 1;
    while (wanted > 0 && !(m_time.halfWidthPercent() <= wanted)) {
        if (m_record.countedCalls + trial.iterations > kMostCountedCalls || !hasTime()) {
            m_record.add("precision", "note", -1,
                         fmt::format("the median is known to {:.3g} % after {} calls; {:.3g} % was asked for", m_time.halfWidthPercent(), m_record.countedCalls, wanted));
            break;
        }
        if (!repeatSeries(trial)) {
            return false;
        }
        look();
    }
    return true;
}

BegunEvaluation::BegunEvaluation(Device& device, HostLauncher& launcher, WorkloadSession& session, EvaluationRequest request)
    : m_run(std::make_unique<EvaluationRun>(device, launcher, session, std::move(request)))
{
    m_run->begin();
}

BegunEvaluation::~BegunEvaluation() = default;

bool BegunEvaluation::lacksMemory() const
{
    return m_run->lacksMemory();
}

EvaluationResult BegunEvaluation::run(const StageCallback& onStage, const std::shared_ptr<LiveLog>& liveLog)
{
    return m_run->run(onStage, liveLog);
}

}  // namespace tracedeck::judge
