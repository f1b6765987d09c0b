// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/device_worker.h"

#include <fmt/format.h>

#include <chrono>
#include <functional>
#include <thread>
#include <utility>

#include "core/io/json_codec.h"
#include "core/model/text.h"
#include "core/model/timestamp.h"
#include "core/run/judge_messages.h"
#include "core/run/devices.h"

namespace tracedeck {

namespace {

/// What an `open_failed` says about the reference; std::nullopt when it was not to blame.
std::optional<ReferenceFailure> referenceFailureIn(const Json& answer, std::string reason)
{
    const Json reference = answer.value("reference", Json());
    if (!reference.is_object()) return std::nullopt;
    const Json name = reference.value("status", Json());
    const Json hasLoaded = reference.value("loaded", Json());
    const auto status = name.is_string() ? statusFromString(name.get<std::string>()) : std::nullopt;
    if (!status || !hasLoaded.is_boolean()) return std::nullopt;
    return ReferenceFailure{*status, hasLoaded.get<bool>(), std::move(reason)};
}

}  // namespace

DeviceWorker::DeviceWorker(std::string device, RunContext& context, std::stop_token stop)
    : m_device(std::move(device)), m_context(context), m_stop(std::move(stop))
{
}

std::string DeviceWorker::run()
{
    // The judge starts even before there is something for it: starting takes seconds.
    if (ensureJudge()) {
        while (!m_stop.stop_requested() && m_lost.empty()) {
            if (m_context.isPaused(m_device)) pause();
            awaitIdle();
            auto group = nextGroup();
            if (!group) break;
            auto rest = runGroup(*group);
            m_context.endGroup(std::move(*group), std::move(rest));
        }
    }
    giveBackAhead();
    if (m_judge && m_stop.stop_requested()) m_judge->kill();
    else if (m_judge) m_judge->finish();
    m_judge.reset();
    if (m_lost.empty()) emitDevice("idle");
    return m_lost;
}

void DeviceWorker::pause()
{
    // What was prepared is given up: other devices may take those groups.
    for (const RunGroup& group : m_ahead) closeWorkload(group);
    giveBackAhead();
    emitDevice("paused");
    m_context.awaitUnpaused(m_device, m_stop);
    if (!m_stop.stop_requested()) emitDevice("ready");
}

void DeviceWorker::awaitIdle()
{
    const RunRequest& request = m_context.request();
    const auto gpu = cudaIndex(m_device);
    if (!request.waitIdle || (!gpu && !request.deviceState)) return;
    constexpr auto kLookAgain = std::chrono::milliseconds(500);
    const auto look = [&] { return request.deviceState ? request.deviceState(m_device) : gpuState(*gpu); };
    std::string said;
    while (!m_stop.stop_requested() && !m_context.isPaused(m_device)) {
        const auto state = look();
        // What the driver doesn't tell keeps nobody waiting.
        const bool isHot = state && state->temperatureCelsius && *state->temperatureCelsius > request.waitIdle->mostCelsius;
        const bool isBusy = state && state->busyPercent && *state->busyPercent > request.waitIdle->mostBusyPercent;
        if (!isHot && !isBusy) break;
        std::string text = isHot ? fmt::format("{} °C, waits for {:g} °C", *state->temperatureCelsius, request.waitIdle->mostCelsius) : std::string();
        if (isBusy) text += fmt::format("{}{} % busy, waits for {} %", isHot ? "; " : "", *state->busyPercent, request.waitIdle->mostBusyPercent);
        if (text != said) emitDevice("waiting", said = text);
        std::this_thread::sleep_for(kLookAgain);
    }
    if (!said.empty() && !m_stop.stop_requested()) emitDevice("ready");
}

void DeviceWorker::forgetJudge()
{
    m_judge.reset();
    m_prepared.clear();
}

/// A pair's time in a device's hands. Its token is set by the device's own and when the user cancels the pair.
class DeviceWorker::PairInHand {
public:
    PairInHand(RunContext& context, std::string device, std::size_t pair, const std::stop_token& stop)
        : m_context(context), m_device(std::move(device)), m_stopped(stop, [source = m_source]() mutable { source.request_stop(); }),
          m_isOurs(m_context.beginPair(m_device, pair, m_source))
    {
    }
    ~PairInHand()
    {
        if (m_isOurs) m_context.endPair(m_device);
    }
    PairInHand(const PairInHand&) = delete;
    PairInHand& operator=(const PairInHand&) = delete;

    [[nodiscard]] bool isOurs() const { return m_isOurs; }
    [[nodiscard]] std::stop_token token() const { return m_source.get_token(); }

private:
    RunContext& m_context;
    std::string m_device;
    std::stop_source m_source;
    std::stop_callback<std::function<void()>> m_stopped;
    bool m_isOurs;
};

void DeviceWorker::closeWorkload(const RunGroup& group)
{
    for (const std::size_t pair : group.pairs) m_prepared.erase(pair);
    if (!m_judge) return;
    if (auto closed = m_judge->notify({{"op", "close"}, {"session", sessionOf(group)}}); !closed) loseJudge(closed.error());
}

void DeviceWorker::giveBackAhead()
{
    // From the last one on: each goes to the queue's front.
    for (; !m_ahead.empty(); m_ahead.pop_back()) {
        auto pairs = m_ahead.back().pairs;
        m_context.endGroup(std::move(m_ahead.back()), std::move(pairs));
    }
}

std::optional<RunGroup> DeviceWorker::nextGroup()
{
    if (!m_ahead.empty()) {
        RunGroup group = std::move(m_ahead.front());
        m_ahead.pop_front();
        return group;
    }
    return m_context.nextGroup(m_stop);
}

bool DeviceWorker::ensureJudge()
{
    while (!m_judge && m_lost.empty() && !m_stop.stop_requested()) {
        emitDevice("starting", m_startedBefore ? "the judge is started again" : "");
        m_startedBefore = true;
        auto judge = JudgeProcess::start(m_context.judgeSettings(m_device), m_stop);
        if (judge) {
            m_judge = std::move(*judge);
            m_environment.hardware = m_judge->hardware();
            m_environment.libs = m_judge->libs();
            m_environment.libs.insert(m_context.libs().begin(), m_context.libs().end());
            emitDevice("ready");
        } else if (judge.error().code == ErrorCode::Cancelled) {
            return false;
        } else {
            // What the judge itself calls fatal, or a program that is not there, ends alike next time.
            const bool hopeless =
                judge.error().code == ErrorCode::Unsupported || judge.error().code == ErrorCode::NotFound;
            if (hopeless) m_restartsInARow = kMaxRestartsInARow;
            loseJudge(judge.error());
        }
    }
    return m_judge != nullptr;
}

void DeviceWorker::loseJudge(const Error& why)
{
    m_judge.reset();
    m_prepared.clear();
    if (++m_restartsInARow > kMaxRestartsInARow) {
        m_lost = why.toString();
        emitDevice("lost", m_lost);
    }
}

std::vector<std::size_t> DeviceWorker::runnablePairs(const RunGroup& group)
{
    const bool isCpu = m_device == "cpu";
    std::vector<std::size_t> runnable;
    std::vector<std::size_t> others;
    std::string languages;
    for (const std::size_t pair : group.pairs) {
        const BuildSpec& spec = m_context.solutionOf(pair)->spec;
        const bool needsCuda = spec.language == Language::Cuda || spec.language == Language::TileLang;
        const bool fits = isCpu ? !needsCuda : !spec.isForCpuOnly();
        (fits ? runnable : others).push_back(pair);
        if (!fits && languages.find(toString(spec.language)) == std::string::npos) {
            languages += (languages.empty() ? "" : " and ") + std::string(toString(spec.language));
        }
    }
    if (!others.empty()) {
        m_context.reportProblem(
            m_device, std::move(others),
            Error{.code = ErrorCode::Unsupported,
                  .reason = isCpu ? fmt::format("solutions in {} need a CUDA device; {} can't run them", languages, m_device)
                                  : fmt::format("solutions in {} whose target_hardware is cpu work on the CPU's memory; {} can't run them", languages, m_device),
                  .file = {},
                  .line = 0,
                  .field = isCpu ? "spec.language" : "spec.target_hardware"});
    }
    return runnable;
}

std::vector<std::size_t> DeviceWorker::runGroup(const RunGroup& group)
{
    const std::vector<std::size_t> pairs = runnablePairs(group);
    std::size_t next = 0;
    bool isOpen = false;
    bool triedOpening = false;
    const auto rest = [&] { return std::vector<std::size_t>(pairs.begin() + static_cast<std::ptrdiff_t>(next), pairs.end()); };
    while (next < pairs.size() && !m_stop.stop_requested() && !m_context.isPaused(m_device)) {
        if (!m_context.isWaiting(pairs[next])) {   // cancelled, or its solution failed too often
            ++next;
            continue;
        }
        // A device that is lost leaves the rest to others; when there is none it is reported at the end.
        if (!ensureJudge()) return rest();
        const PairInHand inHand(m_context, m_device, pairs[next], m_stop);
        if (!inHand.isOurs()) continue;
        if (!isOpen) {
            // Solutions load while the reference does.
            if (m_prepared.empty()) prepareAhead(group, pairs, next);
            const auto failure = openWorkload(group, pairs[next], inHand.token());
            if (failure && failure->error.code == ErrorCode::Cancelled) {
                if (m_stop.stop_requested()) return rest();
                forgetJudge();
                m_context.dropStopped(pairs[next++]);
                continue;
            }
            // When the judge itself died over it, a second try tells bad luck from a bad workload.
            if (failure && (m_judge || triedOpening)) {
                if (failure->reference && group.definition->dialect == Dialect::SolExecBench) {
                    // That dialect stores it for each solution (dialect §7.1).
                    for (const std::size_t pair : rest()) {
                        announceStart(pair);
                        recordFailure(group, pair, Status::InvalidReference, toValidUtf8(failure->error.reason));
                    }
                    return {};
                }
                m_context.reportProblem(m_device, rest(), failure->error, failure->reference);
                return {};
            }
            isOpen = !failure;
            triedOpening = triedOpening || failure.has_value();
            continue;
        }
        prepareAhead(group, pairs, next);
        switch (runPair(group, pairs[next], inHand.token())) {
        case Outcome::Cancelled:
            if (m_stop.stop_requested()) return rest();
            forgetJudge();
            m_context.dropStopped(pairs[next]);
            isOpen = false;
            break;
        case Outcome::JudgeLost: isOpen = false; break;
        case Outcome::Done: break;
        }
        ++next;
    }
    if (isOpen) closeWorkload(group);
    return rest();
}

std::string DeviceWorker::sessionOf(const RunGroup& group)
{
    return group.definition->name + "/" + group.workload->workload.uuid;
}

Json DeviceWorker::openMessage(const RunGroup& group) const
{
    return tracedeck::openMessage(m_context.request(), *group.definition, group.workload->workload, sessionOf(group));
}

Json DeviceWorker::evaluateMessage(const RunGroup& group, std::size_t pair, const Json& artifact, const std::string& buildLog) const
{
    return tracedeck::evaluateMessage(m_context.request(), *m_context.solutionOf(pair), sessionOf(group), std::to_string(pair), artifact, buildLog);
}

void DeviceWorker::prepareAhead(const RunGroup& group, const std::vector<std::size_t>& pairs, std::size_t next)
{
    if (m_device == "cpu") return;   // hosts that load beside a measured one would disturb it
    // A solution that keeps its host has one: while that is used or prepared, its other workloads wait.
    const bool keepsHosts = m_context.request().isolation == Isolation::Solution;
    std::set<const Solution*> busy;
    std::size_t looked = 0;
    std::size_t ahead = 0;
    const auto look = [&](const RunGroup& of, std::size_t pair) {
        ++looked;
        if (keepsHosts && !busy.insert(m_context.solutionOf(pair)).second) return;
        ++ahead;
        prepare(of, pair);
    };
    const std::size_t most = keepsHosts ? kMostLookedAt : kPairsAhead;
    for (std::size_t i = next; i < pairs.size() && looked < most && ahead < kPairsAhead; ++i) look(group, pairs[i]);
    for (std::size_t i = 0; looked < most && ahead < kPairsAhead; ++i) {
        if (i == m_ahead.size()) {
            auto taken = m_context.groupAhead(m_ahead.size() + 1);
            if (!taken) return;
            m_ahead.push_back(std::move(*taken));
        }
        for (const std::size_t pair : m_ahead[i].pairs) {
            if (looked == most || ahead == kPairsAhead) return;
            look(m_ahead[i], pair);
        }
    }
}

void DeviceWorker::prepare(const RunGroup& group, std::size_t pair)
{
    if (m_prepared.contains(pair) || !m_judge) return;
    const Solution& solution = *m_context.solutionOf(pair);
    if (solution.spec.isForCpuOnly()) return;
    Json artifact;
    std::string buildLog;
    if (solution.spec.isCompiled()) {
        const auto outcome = m_context.finishedBuild(solution, m_device);
        const auto* built = outcome ? std::get_if<BuiltLibrary>(outcome.get()) : nullptr;
        if (built == nullptr) return;   // not ready yet, or nothing to load
        artifact = {{"library", built->library.string()}, {"symbol", built->symbol}};
        buildLog = toValidUtf8(built->log);
    }
    Json message = evaluateMessage(group, pair, artifact, buildLog);
    message["op"] = "prepare";
    message["open"] = openMessage(group);
    m_prepared.insert(pair);
    // A judge that is gone is noticed by the next request.
    static_cast<void>(m_judge->notify(message));
}

std::optional<DeviceWorker::OpenFailure> DeviceWorker::openWorkload(const RunGroup& group, std::size_t firstPair, const std::stop_token& stop)
{
    announceStart(firstPair);
    const RunRequest& request = m_context.request();
    const Definition& definition = *group.definition;
    const auto onStage = [&](Stage stage) { m_context.emit(StageEvent{m_device, firstPair, stage}); };
    auto answer = m_judge->request(openMessage(group), request.timeoutSeconds + request.silenceMarginSeconds, onStage, stop);
    const std::string what = fmt::format("workload {} of {}", group.workload->workload.uuid, definition.name);
    if (!answer) {
        if (answer.error().code == ErrorCode::Cancelled) return OpenFailure{answer.error()};
        loseJudge(answer.error());
        Error error = answer.error();
        error.reason = fmt::format("{} could not be prepared: {}", what, error.reason);
        return OpenFailure{std::move(error)};
    }
    const std::string op = answer->value("op", "");
    if (op == "opened") return std::nullopt;
    Error error{
        .code = ErrorCode::ProcessFailed, .reason = {}, .file = definition.sourceFile, .line = 0, .field = "reference"};
    if (op == "open_failed" && answer->contains("message") && answer->at("message").is_string()) {
        std::string reason = answer->at("message").get<std::string>();
        const Json log = answer->value("log", Json());
        if (log.is_string() && !log.get<std::string>().empty()) reason += "\n" + log.get<std::string>();
        error.reason = fmt::format("{} was skipped: {}", what, reason);
        return OpenFailure{std::move(error), referenceFailureIn(*answer, std::move(reason))};
    }
    error = Error{.code = ErrorCode::ProcessFailed,
                  .reason = fmt::format("the judge answered \"{}\" to open", op),
                  .file = {},
                  .line = 0,
                  .field = {}};
    loseJudge(error);
    return OpenFailure{std::move(error)};
}

std::optional<Json> DeviceWorker::buildArtifact(const RunGroup& group, std::size_t pair, std::string& buildLog, const std::stop_token& stop)
{
    const Solution& solution = *m_context.solutionOf(pair);
    if (!solution.spec.isCompiled()) return Json();
    m_context.emit(StageEvent{m_device, pair, Stage::Build});
    const auto outcome = m_context.build(solution, m_device, stop);
    if (const auto* built = std::get_if<BuiltLibrary>(outcome.get())) {
        buildLog = toValidUtf8(built->log);
        return Json{{"library", built->library.string()}, {"symbol", built->symbol}};
    }
    const auto& failure = std::get<BuildFailure>(*outcome);
    switch (failure.code) {
    case ErrorCode::Cancelled: break;
    case ErrorCode::Unsupported:
    case ErrorCode::Io:
        // Not the solution's fault: nothing is said about it on disk.
        m_context.reportProblem(
            m_device, {pair},
            Error{.code = failure.code,
                  .reason = fmt::format("solution {} was not built: {}", solution.name, failure.log),
                  .file = solution.sourceFile,
                  .line = 0,
                  .field = "spec"});
        break;
    default: recordFailure(group, pair, Status::CompileError, toValidUtf8(failure.log)); break;
    }
    return std::nullopt;
}

DeviceWorker::Outcome DeviceWorker::runPair(const RunGroup& group, std::size_t pair, const std::stop_token& stop)
{
    announceStart(pair);
    std::string buildLog;
    const auto artifact = buildArtifact(group, pair, buildLog, stop);
    if (stop.stop_requested()) return Outcome::Cancelled;
    if (!artifact) return Outcome::Done;

    const double timeout = m_context.request().timeoutSeconds;
    const Json message = evaluateMessage(group, pair, *artifact, buildLog);
    const auto onStage = [&](Stage stage) { m_context.emit(StageEvent{m_device, pair, stage}); };
    const auto onLog = [&](std::string text) { m_context.emit(LogEvent{m_device, pair, std::move(text)}); };
    auto answer = m_judge->request(message, timeout + m_context.request().silenceMarginSeconds, onStage, stop, onLog);
    if (answer) return takeAnswer(group, pair, *answer);
    if (answer.error().code == ErrorCode::Cancelled) return Outcome::Cancelled;
    recordFailure(group, pair, Status::RuntimeError,
                  toValidUtf8("The judge was lost during this evaluation: " + answer.error().reason));
    loseJudge(answer.error());
    return Outcome::JudgeLost;
}

DeviceWorker::Outcome DeviceWorker::takeAnswer(const RunGroup& group, std::size_t pair, const Json& answer)
{
    std::string wrong = fmt::format("the judge answered \"{}\" to evaluate", answer.value("op", ""));
    if (answer.value("op", "") == "evaluated") {
        auto evaluation = decodeEvaluation(answer.value("evaluation", Json()), ReadMode::Strict, {group.definition->dialect, {}});
        const Json store = answer.value("store", Json());
        const Json note = answer.value("note", Json());
        if (evaluation && store.is_boolean() && (note.is_string() || note.is_null())) {
            m_restartsInARow = 0;
            if (evaluation->value.environment.hardware.empty()) evaluation->value.environment.hardware = m_environment.hardware;
            auto& libs = evaluation->value.environment.libs;
            libs.insert(m_context.libs().begin(), m_context.libs().end());
            m_context.recordResult(m_device, group, pair, std::move(evaluation->value), store.get<bool>(),
                                   note.is_string() ? note.get<std::string>() : "");
            return Outcome::Done;
        }
        wrong = "the judge's answer breaks the rules: " +
                (evaluation ? std::string("store or note has a wrong type") : evaluation.error().toString());
    }
    recordFailure(group, pair, Status::RuntimeError, "The judge was lost during this evaluation: " + wrong);
    loseJudge(Error{.code = ErrorCode::ProcessFailed, .reason = wrong, .file = {}, .line = 0, .field = {}});
    return Outcome::JudgeLost;
}

void DeviceWorker::recordFailure(const RunGroup& group, std::size_t pair, Status status, const std::string& log)
{
    Evaluation evaluation;
    evaluation.status = status;
    evaluation.environment = m_environment;
    if (group.definition->dialect == Dialect::SolExecBench) evaluation.environment.libs["dialect"] = "sol";
    evaluation.timestamp = localTimestamp();
    evaluation.log = log;
    m_context.recordResult(m_device, group, pair, std::move(evaluation), true, {});
}

void DeviceWorker::announceStart(std::size_t pair)
{
    if (m_announced == pair) return;
    m_announced = pair;
    m_context.emit(StartEvent{m_device, pair});
}

void DeviceWorker::emitDevice(const std::string& state, const std::string& message)
{
    m_context.emit(DeviceEvent{m_device, state, m_environment.hardware, message});
}

}  // namespace tracedeck
