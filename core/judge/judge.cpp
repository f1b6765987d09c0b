// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/judge.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <variant>

#include <fmt/format.h>

#include "core/io/frame.h"
#include "core/io/json_codec.h"
#include "core/judge/difference.h"
#include "core/judge/evaluation.h"
#include "core/judge/export_inputs.h"
#include "core/judge/live_log.h"
#include "core/judge/system_random.h"
#include "core/judge/workload_session.h"
#include "core/model/text.h"

namespace tracedeck::judge {

namespace {

constexpr int kProgramDescriptor = 3;
constexpr double kSendSeconds = 60;
constexpr double kFreeingSeconds = 5;
constexpr double kForeverSeconds = 365.0 * 24 * 3600;

Error messageError(const std::string& field, const std::string& reason)
{
    return Error{ErrorCode::InvalidInput, reason, {}, 0, field};
}

Result<std::string> textField(const Json& message, const char* key)
{
    const auto field = message.find(key);
    if (field == message.end() || !field->is_string()) {
        return messageError(key, "must be a text");
    }
    return field->get<std::string>();
}

Result<std::size_t> countField(const Json& message, const char* key)
{
    const auto field = message.find(key);
    if (field == message.end() || !field->is_number_unsigned()) {
        return messageError(key, "must be a number from 0 on");
    }
    return field->get<std::size_t>();
}

Result<double> timeoutField(const Json& message)
{
    const auto field = message.find("timeout");
    if (field == message.end() || !field->is_number() || !(field->get<double>() > 0)) {
        return messageError("timeout", "must be a number of seconds above 0");
    }
    return field->get<double>();
}

/// A missing flag is false.
bool flag(const Json& message, const char* key)
{
    const auto field = message.find(key);
    return field != message.end() && field->is_boolean() && field->get<bool>();
}

/// The loop over the program's messages.
class Judge {
public:
    Judge(FrameSocket socket, std::unique_ptr<Device> device) : m_socket(std::move(socket)), m_device(std::move(device)) {}

    /// Serves the program from its first message, an `init`, until it closes the connection. Returns the exit code.
    int run(const Frame& first);

private:
    Result<void> initialise(const Json& message);
    Result<void> open(const Json& message);
    Result<void> prepare(const Json& message);
    Result<void> evaluate(const Json& message);
    void close(const std::string& key);
    /// `tolerance` and `export`, for diagnoses of an opened workload.
    Result<void> tolerance(const Json& message);
    Result<void> exportCall(const Json& message);
    /// Error: a message about a workload came without one that is open.
    Result<WorkloadSession*> openedSession(const Json& message);
    [[nodiscard]] bool isInUse(const std::string& definition) const
    {
        return std::ranges::any_of(m_sessions, [&definition](const auto& entry) { return entry.second->definition().name == definition; });
    }
    /// The session of a message, planned when it is new. Failure: why it can't be.
    std::variant<WorkloadSession*, OpenFailure> sessionOf(const std::string& key, WorkloadRequest request);
    /// Gives up what was prepared or kept, but for one session. False when there was nothing.
    bool releaseMemory(const std::string& except);
    Result<void> handle(const Frame& frame);
    Result<void> send(const Json& message)
    {
        const std::lock_guard lock(m_sending);
        return m_socket.send(message, deadlineAfter(kSendSeconds));
    }
    [[nodiscard]] StageCallback stageCallback(const Json& id)
    {
        return [this, id](const char* stage) {
            // If the program is gone the next look at it ends the work.
            static_cast<void>(send({{"op", "stage"}, {"id", id}, {"stage", stage}}));
        };
    }
    [[nodiscard]] Result<WorkloadRequest> readWorkloadRequest(const Json& message) const;
    [[nodiscard]] Result<EvaluationRequest> readEvaluationRequest(const Json& message) const;

    FrameSocket m_socket;
    std::mutex m_sending;   ///< a live log speaks on a thread of its own
    std::unique_ptr<Device> m_device;
    std::unique_ptr<HostLauncher> m_launcher;
    std::map<std::string, std::unique_ptr<WorkloadSession>> m_sessions;   ///< after m_launcher, whose hosts they use
    struct Begun {
        std::string session;
        std::unique_ptr<BegunEvaluation> evaluation;
    };
    std::map<std::string, Begun> m_begun;   ///< after m_sessions, which they work on; by their names in messages
    std::optional<std::uint64_t> m_userSeed;
};

Result<void> Judge::initialise(const Json& message)
{
    auto python = textField(message, "python");
    auto library = textField(message, "tvm_ffi_library");
    if (!python || python->empty()) {
        return messageError("python", "no Python interpreter was given; references can't run without one");
    }
    if (flag(message, "seed_by_user")) {
        auto text = textField(message, "seed");
        std::uint64_t seed = 0;
        if (!text || std::from_chars(text->data(), text->data() + text->size(), seed).ec != std::errc{}) {
            return messageError("seed", "must be a decimal number");
        }
        m_userSeed = seed;
    }
    auto kernels = textField(message, "kernel_cache");
    auto judge = countField(message, "judge");
    auto judges = countField(message, "judges");
    if (!judge || !judges) {
        return judge ? judges.error() : judge.error();
    }
    auto wish = message.contains("confinement") ? textField(message, "confinement") : Result<std::string>(std::string("auto"));
    auto confinement = wish ? confine::wishFromString(*wish) : Result<confine::Wish>(wish.error());
    auto hostMemory = message.contains("host_memory") ? countField(message, "host_memory") : Result<std::size_t>(std::size_t{0});
    if (!confinement || !hostMemory) {
        return confinement ? hostMemory.error() : confinement.error();
    }
    auto launcher = HostLauncher::start({*python, library ? *library : std::string{}, kProgramDescriptor, m_device->visibleName(),
                                         m_device->evictBytes(), kernels ? *kernels : std::string{}, *judge, *judges, *confinement, *hostMemory, {}});
    if (!launcher) {
        return launcher.error();
    }
    m_launcher = std::move(*launcher);
    Json libs = Json::object();
    for (const auto& [name, version] : m_launcher->libs()) {
        libs[name] = version;
    }
    return send({{"op", "hello"}, {"v", kProtocolVersion}, {"hardware", m_device->hardware()}, {"libs", std::move(libs)}});
}

Result<WorkloadRequest> Judge::readWorkloadRequest(const Json& message) const
{
    auto root = textField(message, "root");
    auto timeout = timeoutField(message);
    const ReadPlace place{flag(message, "sol") ? Dialect::SolExecBench : Dialect::FlashInferTrace, {}};
    auto definition = decodeDefinition(message.value("definition", Json()), ReadMode::Tolerant, place);
    auto workload = decodeWorkload(message.value("workload", Json()), ReadMode::Tolerant, place);
    auto config = decodeEvalConfig(message.value("config", Json()));
    for (const Error* error : {root ? nullptr : &root.error(), timeout ? nullptr : &timeout.error(), definition ? nullptr : &definition.error(),
                               workload ? nullptr : &workload.error(), config ? nullptr : &config.error()}) {
        if (error != nullptr) {
            return *error;
        }
    }
    if (auto valid = validate(*config); !valid) {
        return valid.error();
    }
    const auto folder = textField(message, "problem_folder");
    return WorkloadRequest{*root,   std::move(definition->value), std::move(workload->value), *config, flag(message, "profile_baseline"),
                           *timeout, folder ? *folder : std::string()};
}

Result<void> Judge::open(const Json& message)
{
    const Json id = message.value("id", Json());
    auto key = textField(message, "session");
    if (!key) {
        return key.error();
    }
    const StageCallback onStage = stageCallback(id);
    onStage("inputs");
    auto request = readWorkloadRequest(message);
    if (!request) {
        return send({{"op", "open_failed"}, {"id", id}, {"message", request.error().toString()}, {"log", ""}});
    }
    if (const auto known = m_sessions.find(*key); known != m_sessions.end() && known->second->isOpen()) {
        close(*key);   // opened anew
    }
    auto found = sessionOf(*key, std::move(*request));
    std::optional<OpenFailure> failure;
    if (auto* reason = std::get_if<OpenFailure>(&found)) {
        failure = std::move(*reason);
    } else {
        auto* session = std::get<WorkloadSession*>(found);
        failure = session->open(*m_launcher, onStage);
        if (failure && failure->lacksMemory && releaseMemory(*key)) {
            failure = session->open(*m_launcher, onStage);
        }
    }
    if (failure) {
        close(*key);
        if (failure->isAbandoned) {
            return Error{ErrorCode::ProcessFailed, "the program is gone", {}, 0, {}};
        }
        Json answer = {{"op", "open_failed"}, {"id", id}, {"message", toValidUtf8(failure->message)}, {"log", toValidUtf8(failure->log)}};
        if (failure->referenceStatus) {
            answer["reference"] = {{"status", std::string(toString(*failure->referenceStatus))}, {"loaded", failure->referenceLoaded}};
        }
        return send(answer);
    }
    return send({{"op", "opened"}, {"id", id}, {"reference_latency_ms", m_sessions.at(*key)->referenceLatencyMs()}});
}

std::variant<WorkloadSession*, OpenFailure> Judge::sessionOf(const std::string& key, WorkloadRequest request)
{
    if (const auto known = m_sessions.find(key); known != m_sessions.end()) {
        return known->second.get();
    }
    // Without a user's seed every workload gets one of its own: what a trace on disk reveals is of no use for the next one.
    const std::uint64_t seed = m_userSeed.value_or(systemRandom());
    auto planned = WorkloadSession::plan(*m_device, *m_launcher, std::move(request), seed);
    if (auto* failure = std::get_if<OpenFailure>(&planned)) {
        return std::move(*failure);
    }
    return (m_sessions[key] = std::move(std::get<std::unique_ptr<WorkloadSession>>(planned))).get();
}

void Judge::close(const std::string& key)
{
    std::erase_if(m_begun, [&key](const auto& entry) { return entry.second.session == key; });
    const auto session = m_sessions.find(key);
    if (session == m_sessions.end()) {
        return;
    }
    const std::string definition = session->second->definition().name;
    m_sessions.erase(session);
    if (!isInUse(definition)) {
        m_launcher->endKept(definition);
    }
}

Result<void> Judge::prepare(const Json& message)
{
    auto key = textField(message, "session");
    auto name = textField(message, "name");
    if (!key || !name) {
        return key ? name.error() : key.error();
    }
    auto workload = readWorkloadRequest(message.value("open", Json::object()));
    auto request = readEvaluationRequest(message);
    if (!request) {
        return request.error();
    }
    if (!workload) {
        return {};   // `open` will say so
    }
    const bool isNewDefinition = !isInUse(workload->definition.name);
    auto found = sessionOf(*key, std::move(*workload));
    if (auto* session = std::get_if<WorkloadSession*>(&found)) {
        if (isNewDefinition) {
            (*session)->reference().begin(deadlineAfter(request->timeoutSeconds));
        }
        m_begun[*name] = Begun{*key, std::make_unique<BegunEvaluation>(*m_device, *m_launcher, **session, std::move(*request))};
    }
    return {};
}

Result<EvaluationRequest> Judge::readEvaluationRequest(const Json& message) const
{
    auto timeout = timeoutField(message);
    if (!timeout) {
        return timeout.error();
    }
    auto solution = decodeSolution(message.value("solution", Json()), ReadMode::Tolerant);
    if (!solution) {
        return solution.error();
    }
    EvaluationRequest request;
    request.solution = std::move(solution->value);
    request.timeoutSeconds = *timeout;
    request.seedByUser = m_userSeed.has_value();
    request.keepHost = flag(message, "keep_host");
    request.wantsDifference = flag(message, "difference");
    if (const auto contents = message.find("contents"); contents != message.end() && contents->is_string()) {
        request.contents = contents->get<std::string>();
    }
    if (const auto log = message.find("build_log"); log != message.end() && log->is_string()) {
        request.buildLog = log->get<std::string>();
    }
    if (const auto artifact = message.find("artifact"); artifact != message.end() && artifact->is_object()) {
        auto library = textField(*artifact, "library");
        auto symbol = textField(*artifact, "symbol");
        if (!library || !symbol) {
            return messageError("artifact", "needs a library and a symbol");
        }
        request.artifact = Artifact{*library, *symbol};
    }
    return request;
}

bool Judge::releaseMemory(const std::string& except)
{
    bool any = !m_begun.empty();
    m_begun.clear();
    m_device->releaseUnused();
    // Workloads that were prepared and not opened have references that were begun ahead.
    any = std::erase_if(m_sessions, [&except](const auto& entry) { return entry.first != except && !entry.second->isOpen(); }) > 0 || any;
    return m_launcher->freeMemory(deadlineAfter(kFreeingSeconds)) || any;
}

Result<void> Judge::evaluate(const Json& message)
{
    const Json id = message.value("id", Json());
    auto key = textField(message, "session");
    auto name = textField(message, "name");
    if (!key || !name) {
        return key ? name.error() : key.error();
    }
    const auto session = m_sessions.find(*key);
    if (session == m_sessions.end() || !session->second->isOpen()) {
        return messageError("op", "`evaluate` came without an opened workload");
    }
    std::unique_ptr<BegunEvaluation> evaluation;
    if (const auto begun = m_begun.find(*name); begun != m_begun.end() && begun->second.session == *key) {
        evaluation = std::move(begun->second.evaluation);
        m_begun.erase(begun);
    }
    bool wasBusy = false;
    bool wasTooFast = false;
    const auto begin = [&]() -> Result<void> {
        auto request = readEvaluationRequest(message);
        if (!request) {
            return request.error();
        }
        request->wasBusy = wasBusy;
        request->wasTooFast = wasTooFast;
        evaluation.reset();
        evaluation = std::make_unique<BegunEvaluation>(*m_device, *m_launcher, *session->second, std::move(*request));
        return {};
    };
    // What was prepared too early, when others held the memory, begins again at its turn.
    if (!evaluation || evaluation->lacksMemory()) {
        if (auto begun = begin(); !begun) {
            return begun;
        }
    }
    if (evaluation->lacksMemory() && releaseMemory(*key)) {
        if (auto begun = begin(); !begun) {
            return begun;
        }
    }
    const StageCallback onStage = stageCallback(id);
    std::shared_ptr<LiveLog> liveLog;
    if (flag(message, "live_log")) {
        liveLog = std::make_shared<LiveLog>([this, id](std::string text) { static_cast<void>(send({{"op", "log"}, {"id", id}, {"text", std::move(text)}})); });
    }
    // What is left of an evaluation is cleared away after the answer, while the program stores the result.
    EvaluationResult result = evaluation->run(onStage, liveLog);
    while ((result.isBusy && !wasBusy) || (result.isTooFast && !wasTooFast)) {
        // Once may be chance: a second process decides.
        wasBusy = wasBusy || result.isBusy;
        wasTooFast = wasTooFast || result.isTooFast;
        if (auto begun = begin(); !begun) {
            return begun;
        }
        result = evaluation->run(onStage, liveLog);
    }
    if (m_device->isCuda() && result.ranOutOfMemory) {
        onStage("inputs");   // a word of life: what follows takes its time
        evaluation.reset();
        if (releaseMemory(*key)) {
            // Memory that others held is no fault of this solution.
            if (auto begun = begin(); !begun) {
                return begun;
            }
            onStage("inputs");
            result = evaluation->run(onStage, liveLog);
            result.note += (result.note.empty() ? "" : " ") + std::string("Measured a second time, alone: the first time memory was short beside others.");
        }
    }
    if (liveLog) {
        liveLog->stop();   // the answer is the last word about this evaluation
    }
    if (result.isAbandoned) {
        return Error{ErrorCode::ProcessFailed, "the program is gone", {}, 0, {}};
    }
    Json answer = {{"op", "evaluated"}, {"id", id}, {"evaluation", encodeEvaluation(result.evaluation)}, {"store", result.store}, {"note", result.note}};
    if (flag(message, "difference")) {
        answer["difference"] = encodeDifferenceReport(result.difference);
    }
    return send(answer);
}

Result<WorkloadSession*> Judge::openedSession(const Json& message)
{
    auto key = textField(message, "session");
    if (!key) {
        return key.error();
    }
    const auto session = m_sessions.find(*key);
    if (session == m_sessions.end() || !session->second->isOpen()) {
        return messageError("session", "is not that of an opened workload");
    }
    return session->second.get();
}

Result<void> Judge::tolerance(const Json& message)
{
    auto session = openedSession(message);
    auto timeout = timeoutField(message);
    if (!session || !timeout) {
        return session ? timeout.error() : session.error();
    }
    const ToleranceReport report = tryDegenerate(*m_device, **session, deadlineAfter(*timeout));
    return send({{"op", "tolerance"}, {"id", message.value("id", Json())}, {"report", encodeToleranceReport(report)}});
}

Result<void> Judge::exportCall(const Json& message)
{
    auto session = openedSession(message);
    auto folder = textField(message, "folder");
    if (!session || !folder) {
        return session ? folder.error() : session.error();
    }
    auto exported = exportInputs(**session, *folder, 0);
    if (!exported) {
        return send({{"op", "export_failed"}, {"id", message.value("id", Json())}, {"message", toValidUtf8(exported.error().toString())}});
    }
    return send({{"op", "exported"}, {"id", message.value("id", Json())}, {"call", std::move(*exported)}});
}

Result<void> Judge::handle(const Frame& frame)
{
    const std::string op = frame.op();
    if (op == "open") {
        return open(frame.body);
    }
    if (op == "evaluate") {
        return evaluate(frame.body);
    }
    if (op == "prepare") {
        return prepare(frame.body);
    }
    if (op == "tolerance") {
        return tolerance(frame.body);
    }
    if (op == "export") {
        return exportCall(frame.body);
    }
    if (op == "close") {
        auto key = textField(frame.body, "session");
        if (!key) {
            return key.error();
        }
        close(*key);
        return {};
    }
    return messageError("op", fmt::format("unknown message `{}`", op));
}

int Judge::run(const Frame& first)
{
    Result<void> ready = expectOp(first, "init");
    if (ready) {
        ready = initialise(first.body);
    }
    if (!ready) {
        // The program may be gone already; then nobody is left to be told.
        static_cast<void>(send({{"op", "fatal"}, {"message", toValidUtf8(ready.error().toString())}}));
        return 1;
    }
    while (true) {
        auto frame = m_socket.receive(deadlineAfter(kForeverSeconds));
        if (!frame && frame.error().code == ErrorCode::ProcessFailed) {
            return 0;   // the program closed the connection: the work is done
        }
        const Result<void> handled = frame ? handle(*frame) : Result<void>(frame.error());
        if (!handled) {
            fmt::print(stderr, "tracedeck-worker: {}\n", handled.error().toString());
            return 1;
        }
    }
}

}  // namespace

int runJudge(const std::string& device)
{
    // No process of this user may read what the judge knows.
    ::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    ::signal(SIGPIPE, SIG_IGN);
    if (::fcntl(kProgramDescriptor, F_SETFD, FD_CLOEXEC) != 0) {
        fmt::print(stderr, "tracedeck-worker judge is started by tracedeck with a socket on descriptor 3; it is of no use by itself.\n");
        return 2;
    }
    FrameSocket socket(FileDescriptor(kProgramDescriptor), kMaxProgramFrameBytes);
    // Read before anything can fail: a process that ends with an unread message resets the connection, and what it said
    // is lost.
    auto first = socket.receive(deadlineAfter(kSendSeconds));
    if (!first) {
        fmt::print(stderr, "tracedeck-worker: {}\n", first.error().toString());
        return 1;
    }
    auto made = makeDevice(device);
    if (!made) {
        static_cast<void>(socket.send({{"op", "fatal"}, {"message", made.error().toString()}}, deadlineAfter(kSendSeconds)));
        return 1;
    }
    return Judge(std::move(socket), std::move(*made)).run(*first);
}

}  // namespace tracedeck::judge
