// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/evaluation.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "core/judge/call_loop.h"
#include "core/judge/output_check.h"
#include "core/judge/philox.h"
#include "core/judge/record.h"
#include "core/judge/timing.h"
#include "core/model/text.h"
#include "core/run/run_context.h"

namespace tracedeck::judge {

namespace {

/// Counted calls whose outputs are verified afterwards, chosen in secret (trusted judging §3.5).
constexpr std::size_t kVerifiedCalls = 5;
constexpr double kFinishSeconds = 5;

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

void appendLine(std::string& text, const std::string& more)
{
    if (!more.empty()) {
        text += (text.empty() || text.back() == '\n' ? "" : "\n") + more;
    }
}

/// Compiled libraries that are called through tvm-ffi have the worker program as their host; everything else is Python's.
HostKind hostKindOf(const BuildSpec& spec)
{
    return spec.isNative() ? HostKind::Native : HostKind::Python;
}

/// A failure of the judge's own making.
HostFailure notTheSolution(const HostFailure& failure)
{
    return {failure.kind == HostFailure::Kind::Abandoned ? failure.kind : HostFailure::Kind::Internal, failure.message};
}

}  // namespace

/// One evaluation from start to end. Each step returns false once the outcome is known.
class EvaluationRun {
public:
    EvaluationRun(Device& device, HostLauncher& launcher, WorkloadSession& session, EvaluationRequest request)
        : m_device(device), m_launcher(launcher), m_session(session), m_request(std::move(request)),
          m_deadline(deadlineAfter(m_request.timeoutSeconds)), m_timingSeed(mixSeed(session.contentSeed(), m_request.solution.name))
    {
        m_record.seed = session.seed();
        m_record.seedByUser = m_request.seedByUser;
        m_record.freshBytes = session.plan().freshShare();
    }

    /// Starts the host and lets it load the solution; what goes wrong is kept for run().
    void begin() { m_hasBegun = prepare() && startLoading(); }

    [[nodiscard]] bool hasGivenUp() const { return !m_hasBegun && !m_result.store && !m_result.isAbandoned; }

    EvaluationResult run(const StageCallback& onStage)
    {
        m_onStage = onStage;
        // Waiting for its turn is not the solution's time.
        m_deadline = deadlineAfter(m_request.timeoutSeconds);
        if (m_hasBegun && buffersAreStale()) {
            // The reference returned something else than what the definition declares.
            endHost();
            begin();
        }
        if (m_hasBegun && awaitReady() && check() && (isInterpreted() || (time() && verify()))) {
            pass();
        }
        return finish();
    }

private:
    [[nodiscard]] const BuildSpec& spec() const { return m_request.solution.spec; }
    [[nodiscard]] HostKind kind() const { return hostKindOf(spec()); }
    /// Triton's interpreter computes the right values at a speed that says nothing.
    [[nodiscard]] bool isInterpreted() const { return spec().language == Language::Triton && !m_device.isCuda(); }

    bool prepare();
    [[nodiscard]] bool buffersAreStale() const;
    Result<std::vector<TensorLayout>> outputLayouts() const;
    Result<std::vector<TensorLayout>> declaredLayouts() const;
    bool startLoading();
    bool takeKeptHost(const LoadParts& parts);
    bool fillForRehearsal();
    bool awaitReady();
    void endHost();
    /// Names the host that serves a solution's workloads one after the other.
    [[nodiscard]] std::string hostName() const { return "solution " + m_request.solution.name; }
    bool check();
    bool checkTrial(CallLoop& loop, int trial);
    bool time();
    void beginRedZoneCheck(int call);
    bool redZonesHold();
    std::optional<HostFailure> observe(const TimedCall& timed);
    void takeLog();
    bool verify();
    bool verifyCall(const KeptOutputs& kept);
    void pass();
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
            m_correctness = finding.correctness.value_or(m_maxima.correctness());
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
    bool m_hasBegun = false;
    Deadline m_deadline;
    std::uint64_t m_timingSeed;
    std::optional<BufferSet> m_inputs;
    std::optional<BufferSet> m_outputs;
    std::unique_ptr<HostProcess> m_host;
    std::optional<CallLoop> m_loop;
    std::set<int> m_chosen;             ///< counted calls to verify
    std::vector<KeptOutputs> m_kept;
    std::optional<int> m_zonesOfCall;   ///< whose red zones were looked at last
    ErrorMaxima m_maxima;
    Series m_series;
    JudgeRecord m_record;
    std::string m_hostLog;
    std::string m_message;
    std::optional<Status> m_status;
    std::optional<Correctness> m_correctness;
    std::optional<Performance> m_performance;
    EvaluationResult m_result;
};

bool EvaluationRun::failByHost(const HostFailure& failure, const char* during)
{
    if (m_status) {
        return false;   // an observer has said why already
    }
    using Kind = HostFailure::Kind;
    switch (failure.kind) {
    case Kind::TimedOut:
        return fail(Status::Timeout, "timeout", -1,
                    fmt::format("Evaluation timeout after {:g} seconds for solution {} ({})", m_request.timeoutSeconds, m_request.solution.name, during));
    case Kind::Died:
        return fail(Status::RuntimeError, failure.exit && failure.exit->signal != 0 ? "signal" : "exit", -1,
                    fmt::format("While {}, {}", during, failure.message));
    case Kind::Protocol: return fail(Status::RuntimeError, "protocol", -1, fmt::format("While {}, {}", during, failure.message));
    case Kind::Load: return fail(Status::CompileError, "load", -1, failure.message);
    case Kind::Call: return fail(Status::RuntimeError, "exception", -1, failure.message);
    case Kind::Abandoned: m_result.isAbandoned = true; return giveUp(failure.message);
    case Kind::Internal: return giveUp(fmt::format("the judge could not go on while {}: {}", during, failure.message));
    }
    return false;
}

Result<std::vector<TensorLayout>> EvaluationRun::outputLayouts() const
{
    return spec().destinationPassingStyle || !m_session.isOpen() ? declaredLayouts() : m_session.outputLayouts();
}

bool EvaluationRun::buffersAreStale() const
{
    if (spec().destinationPassingStyle) {
        return false;
    }
    const std::vector<TensorLayout> expected = m_session.outputLayouts();
    return !std::ranges::equal(expected, m_outputs->layouts(), [](const TensorLayout& one, const TensorLayout& two) {
        return one.dtypeName == two.dtypeName && one.shape == two.shape;
    });
}

Result<std::vector<TensorLayout>> EvaluationRun::declaredLayouts() const
{
    const Definition& definition = m_session.definition();
    // In SOL-ExecBench an axis need not stand in any input's shape.
    auto axes = definition.dialect == Dialect::SolExecBench ? Result<AxisValues>(m_session.workload().axes)
                                                            : definition.axesFromShapes(m_session.plan().shapes());
    if (!axes) {
        return axes.error();
    }
    auto shapes = definition.outputShapes(*axes);
    if (!shapes) {
        return shapes.error();
    }
    std::vector<TensorLayout> layouts;
    for (std::size_t i = 0; i < definition.outputs.size(); ++i) {
        if (!(*shapes)[i]) {
            return Error{ErrorCode::InvalidInput,
                         fmt::format("output `{}` is a host scalar: destination-passing style has nowhere to write it", definition.outputs[i].name), {}, 0, {}};
        }
        auto layout = makeLayout(definition.outputs[i], *(*shapes)[i]);
        if (!layout) {
            return layout.error();
        }
        layouts.push_back(std::move(*layout));
    }
    return layouts;
}

bool EvaluationRun::prepare()
{
    const Language language = spec().language;
    if (!m_device.isCuda() && (language == Language::Cuda || language == Language::TileLang)) {
        return giveUp(fmt::format("solutions in {} need a CUDA device", toString(language)));
    }
    if (spec().isCompiled() && !m_request.artifact) {
        return fail(Status::CompileError, "load", -1, "the solution was not built");
    }
    if (kind() == HostKind::Native && m_launcher.settings().tvmFfiLibrary.empty()) {
        return giveUp("the Python environment has no apache-tvm-ffi, which native solutions are called through; `tracedeck doctor` says how to get it");
    }
    auto layouts = outputLayouts();
    if (!layouts) {
        return fail(Status::RuntimeError, "output.type", -1, layouts.error().reason);
    }
    auto inputs = BufferSet::allocate(m_device, tensorInputs(m_session.plan()));
    auto outputs = BufferSet::allocate(m_device, *layouts);
    if (!inputs || !outputs) {
        return giveUp(inputs ? outputs.error().reason : inputs.error().reason);
    }
    m_inputs = std::move(*inputs);
    m_outputs = std::move(*outputs);
    return true;
}

bool EvaluationRun::startLoading()
{
    if (m_device.isCuda() && !fillForRehearsal()) {
        return false;
    }
    LoadParts parts = describeLoad(m_session.plan(), *m_inputs, -1);
    describeOutputs(parts, *m_outputs, m_session.definition());
    if (m_request.keepHost && takeKeptHost(parts)) {
        return true;
    }
    auto launched = m_launcher.launch(kind(), HostRole::Solution, m_deadline);
    if (const auto* failure = std::get_if<HostFailure>(&launched)) {
        // No foreign code has run yet: whatever it is, it is not the solution's doing.
        return failByHost(notTheSolution(*failure), "starting the host");
    }
    m_host = std::move(std::get<std::unique_ptr<HostProcess>>(launched));
    parts.descriptors.front() = m_host->pageDescriptor();
    Json sources = Json::array();
    for (const SourceFile& source : m_request.solution.sources) {
        sources.push_back({{"path", source.path}, {"content", source.content}});
    }
    Json message = {{"op", "load"},
                    {"v", kProtocolVersion},
                    {"role", "solution"},
                    {"style", spec().destinationPassingStyle ? "dps" : "vr"},
                    {"scratch", m_host->scratch().string()},
                    {"gpu", m_launcher.gpuMessage()},
                    {"rehearse", m_device.isCuda()},
                    {"inputs", std::move(parts.inputs)},
                    {"outputs", std::move(parts.outputs)}};
    if (kind() == HostKind::Native) {
        message["library"] = m_request.artifact->library.string();
        message["symbol"] = m_request.artifact->symbol;
        message["tvm_ffi_library"] = m_launcher.settings().tvmFfiLibrary.string();
    } else {
        message["package"] = "tracedeck_solution";
        message["entry"] = spec().entryPoint;
        if (spec().isCompiled()) {
            message["library"] = m_request.artifact->library.string();
            message["symbol"] = m_request.artifact->symbol;
        }
        message["sources"] = std::move(sources);
        message["interpret_triton"] = isInterpreted();
    }
    if (auto failure = m_host->send(message, m_deadline, parts.descriptors)) {
        return failByHost(*failure, "loading the solution");
    }
    return true;
}

/// What the host rehearses on: contents like those of any call, and the memory of no other.
bool EvaluationRun::fillForRehearsal()
{
    auto filled = fillInputs(m_device, m_session.plan(), *m_inputs, mixSeed(m_timingSeed, "rehearsal"), 0);
    if (!filled) {
        return giveUp(filled.error().reason);
    }
    m_outputs->poison(m_device, systemRandom());
    m_device.synchronise();
    return true;
}

bool EvaluationRun::takeKeptHost(const LoadParts& parts)
{
    m_host = m_launcher.takeKept(m_session.definition().name, hostName());
    if (!m_host) {
        return false;
    }
    LoadParts bound = parts;
    bound.descriptors.front() = m_host->pageDescriptor();
    const Json message = {{"op", "bind"}, {"inputs", std::move(bound.inputs)}, {"outputs", std::move(bound.outputs)}};
    if (m_host->send(message, m_deadline, bound.descriptors)) {
        endHost();   // it died meanwhile: a new one takes its place
        return false;
    }
    return true;
}

void EvaluationRun::endHost()
{
    if (m_host) {
        m_launcher.retire(std::move(m_host));
    }
}

bool EvaluationRun::awaitReady()
{
    if (const auto failure = m_host->adopt(m_deadline)) {
        return failByHost(notTheSolution(*failure), "starting the host");
    }
    m_record.isConfined = m_host->isIsolated();
    auto answer = m_host->expect("ready", m_deadline);
    if (const auto* failure = std::get_if<HostFailure>(&answer)) {
        return failByHost(*failure, "loading the solution");
    }
    const Json& ready = std::get<Frame>(answer).body;
    if (const auto method = ready.find("method"); m_device.isCuda() && method != ready.end() && method->is_string()) {
        // A word of the host's; only the two that exist are repeated.
        m_record.method = *method == "cupti" ? "cupti" : "cuda_event";
    }
    if (const auto note = ready.find("note"); note != ready.end() && note->is_string() && !note->get_ref<const std::string&>().empty()) {
        m_record.add("timing.fallback", "note", -1, toValidUtf8(note->get<std::string>().substr(0, 500)));
    }
    return true;
}

bool EvaluationRun::check()
{
    m_onStage("check");
    const EvalConfig& config = m_session.config();
    // Correctness calls and timed calls are one series: the host is not told where one ends and the other begins.
    m_loop.emplace(*m_host, m_launcher.processors().yields, m_device.isCuda());
    const int calls = config.numTrials + (isInterpreted() ? 0 : timedCallCount(config, m_device.isCuda()));
    if (auto failure = m_loop->begin(calls, false, m_deadline)) {
        return failByHost(*failure, "starting the calls");
    }
    for (int trial = 0; trial < config.numTrials; ++trial) {
        if (!checkTrial(*m_loop, trial)) {
            return false;
        }
    }
    if (m_status) {   // wrong values were found; the maxima are of all trials
        m_correctness = m_maxima.correctness();
        return false;
    }
    return true;
}

bool EvaluationRun::checkTrial(CallLoop& loop, int trial)
{
    const CallSetup setup{m_device, m_session.plan(), *m_inputs, *m_outputs};
    const auto call = static_cast<std::uint32_t>(trial);
    std::uint64_t poisonPattern = 0;
    auto outcome = makeCall(setup, loop, m_session.contentSeed(), call, poisonPattern, m_deadline);
    if (const auto* failure = std::get_if<HostFailure>(&outcome)) {
        return failByHost(*failure, "checking");
    }
    auto kept = keepOutputs(m_device, *m_outputs);
    if (!kept) {
        return giveUp(kept.error().reason);
    }
    kept->poisonPattern = poisonPattern;
    beginRedZoneCheck(trial);
    m_device.synchronise();
    if (!redZonesHold()) {
        return false;
    }
    auto layouts = actualLayouts(*m_outputs, std::get<CallOutcome>(outcome), *kept);
    if (!layouts) {
        return fail(Status::RuntimeError, "protocol", trial, layouts.error().reason);
    }
    const CheckFinding finding = checkOutputs(m_device, m_session.expected(static_cast<std::size_t>(trial)), *layouts, *kept, m_session.config(), m_maxima);
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
    if (auto filled = m_session.reference().fill(m_session.contentSeed(), call); !filled) {
        return giveUp(filled.error().reason);
    }
    const BufferSet& pristine = m_session.reference().inputs();
    for (std::size_t i = 0; i < pristine.size(); ++i) {
        if (!m_device.equalContents(m_inputs->buffer(i), pristine.buffer(i))) {
            m_record.add("inputs.mutated", "warn", trial,
                         fmt::format("the call changed its input `{}`; inputs are rewritten before every call", pristine.layouts()[i].name));
        }
    }
    return true;
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
    const std::size_t inputs = m_inputs->size();
    const TensorLayout& layout = index < inputs ? m_inputs->layouts()[index] : m_outputs->layouts()[index - inputs];
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
    const bool isChosen = timed.counted >= 0 && m_chosen.contains(timed.counted);
    const bool isMismatch = timed.outcome->mismatch.has_value();
    if (isChosen || isMismatch) {
        auto kept = keepOutputs(m_device, *m_outputs);
        if (!kept) {
            giveUp(kept.error().reason);
            return stop();
        }
        kept->call = timed.call;
        kept->counted = timed.counted;
        kept->poisonPattern = timed.poisonPattern;
        if (isMismatch) {
            auto layouts = actualLayouts(*m_outputs, *timed.outcome, *kept);
            if (!layouts) {
                fail(Status::RuntimeError, "protocol", call, layouts.error().reason);
                return stop();
            }
            const CheckFinding finding = checkOutputs(m_device, m_session.expected(0), *layouts, *kept, m_session.config(), m_maxima);
            failByFinding(finding, call, "timed call");
            return stop();
        }
        m_kept.push_back(std::move(*kept));
    }
    beginRedZoneCheck(call);
    return std::nullopt;
}

bool EvaluationRun::time()
{
    const EvalConfig& config = m_session.config();
    if (!m_device.isCuda()) {
        auto roundTrip = m_launcher.roundTripNs(kind(), m_deadline);
        if (const auto* failure = std::get_if<HostFailure>(&roundTrip)) {
            return failByHost(notTheSolution(*failure), "calibrating");
        }
        m_record.roundTripMs = std::get<double>(roundTrip) / 1e6;
    }
    m_onStage("time");
    const int counted = config.numTrials * config.iterations;
    m_chosen.insert(counted - 1);
    while (m_chosen.size() < std::min(kVerifiedCalls, static_cast<std::size_t>(counted))) {
        m_chosen.insert(static_cast<int>(systemRandom() % static_cast<std::uint64_t>(counted)));
    }
    noteState();
    auto times = timeCalls({m_device, m_session.plan(), *m_inputs, *m_outputs}, *m_loop, config, m_timingSeed, m_deadline,
                           [this](const TimedCall& timed) { return observe(timed); });
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
    m_series = std::move(std::get<Series>(times));
    auto claims = m_loop->finish(std::min(m_deadline, deadlineAfter(kFinishSeconds)));
    if (const auto* unfinished = std::get_if<HostFailure>(&claims)) {
        return failByHost(*unfinished, "ending the calls");
    }
    attachClaims(m_series, std::get<std::vector<ClaimedTimes>>(claims));
    m_record.warmupCalls = config.numTrials * config.warmupRuns;
    m_record.countedCalls = counted;
    return true;
}

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
    if (m_request.keepHost) {
        m_launcher.keep(m_session.definition().name, hostName(), std::move(m_host), std::min(m_deadline, deadlineAfter(kFinishSeconds)));
    } else {
        endHost();
    }
    for (const KeptOutputs& kept : m_kept) {
        if (!verifyCall(kept)) {
            return false;
        }
        ++m_record.verifiedCalls;
    }
    return true;
}

bool EvaluationRun::verifyCall(const KeptOutputs& kept)
{
    auto expected = m_session.reference().compute(m_timingSeed, kept.call, m_deadline);
    if (const auto* failure = std::get_if<HostFailure>(&expected); failure != nullptr && failure->kind == HostFailure::Kind::Died) {
        // A process that was killed from outside gets a second chance.
        expected = m_session.reference().compute(m_timingSeed, kept.call, m_deadline);
    }
    if (const auto* failure = std::get_if<HostFailure>(&expected)) {
        if (failure->kind == HostFailure::Kind::TimedOut || failure->kind == HostFailure::Kind::Abandoned) {
            return failByHost(*failure, "verifying timed calls with the reference");
        }
        return giveUp("the timed calls could not be verified, because the reference failed on their inputs: " + failure->message);
    }
    const CheckFinding finding =
        checkOutputs(m_device, std::get<ExpectedOutputs>(expected), m_outputs->layouts(), kept, m_session.config(), m_maxima);
    if (!finding.status && !finding.isWrong) {
        return true;
    }
    std::string where = fmt::format("timed call {} is wrong although the checked calls were right", kept.counted + 1);
    for (const KeptOutputs& other : m_kept) {
        const bool isEarlier = other.counted < kept.counted;
        if (isEarlier && std::ranges::equal(other.contents, kept.contents, [this](const auto& one, const auto& two) {
                return m_device.equalContents(*one, *two);
            })) {
            where += fmt::format(", and equals what timed call {} gave for other inputs", other.counted + 1);
            break;
        }
    }
    return failByFinding(finding, static_cast<int>(kept.call), where);
}

void EvaluationRun::pass()
{
    m_status = Status::Passed;
    m_correctness = m_maxima.correctness();
    Performance performance;
    performance.referenceLatencyMs = m_session.referenceLatencyMs();
    if (isInterpreted()) {
        m_result.store = false;
        m_result.note = "Correct under Triton's interpreter on the CPU. Its speed says nothing about a GPU, so no latency was taken and nothing is stored.";
    } else {
        m_record.time = summarise(m_series, m_record.roundTripMs * 1e6);
        m_record.reference = m_session.referenceTime();
        noteTiming();
        performance.latencyMs = m_record.time.latencyMs;
        performance.speedupFactor = performance.referenceLatencyMs / performance.latencyMs;
    }
    m_performance = performance;
}

void EvaluationRun::noteState()
{
    if (const auto state = m_device.state()) {
        m_record.states.push_back(*state);
    }
}

void EvaluationRun::noteTiming()
{
    if (std::ranges::any_of(m_record.states, [](const GpuState& state) { return state.throttleReasons && isThrottled(*state.throttleReasons); })) {
        m_record.add("clock.throttled", "note", -1, "the GPU lowered its clock for reasons of power or heat while this was measured");
    }
    const TimeSummary& time = m_record.time;
    if (time.unsupportedClaims > 0) {
        m_record.add("time.unsupported", "note", -1,
                     fmt::format("{} of {} claimed times are longer than what the judge saw, whose own time stands in", time.unsupportedClaims, time.count));
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
        evaluation.correctness = m_correctness.value_or(m_maxima.correctness());
    }
    if (evaluation.status == Status::Passed) {
        evaluation.performance = m_performance;
    }
    evaluation.unknownKeys["judge"] = m_record.encode();
    return std::move(m_result);
}

BegunEvaluation::BegunEvaluation(Device& device, HostLauncher& launcher, WorkloadSession& session, EvaluationRequest request)
    : m_run(std::make_unique<EvaluationRun>(device, launcher, session, std::move(request)))
{
    m_run->begin();
}

BegunEvaluation::~BegunEvaluation() = default;

bool BegunEvaluation::hasGivenUp() const
{
    return m_run->hasGivenUp();
}

EvaluationResult BegunEvaluation::run(const StageCallback& onStage)
{
    return m_run->run(onStage);
}

}  // namespace tracedeck::judge
