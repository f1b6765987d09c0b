// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/judge_process.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fmt/format.h>
#include <utility>

#include "core/build/cuda_toolkit.h"
#include "core/run/scratch_folder.h"

namespace tracedeck {

namespace {

using Clock = std::chrono::steady_clock;

constexpr int kJudgeSocketDescriptor = 3;
/// How often a stop token and the child's life are looked at while waiting.
constexpr double kSliceSeconds = 0.05;
constexpr double kSendTimeoutSeconds = 30;
constexpr double kFinishSeconds = 2;
constexpr std::size_t kOutputTailBytes = 8192;

Error judgeError(ErrorCode code, std::string reason)
{
    return Error{.code = code, .reason = std::move(reason), .file = {}, .line = 0, .field = {}};
}

std::string tailOf(int descriptor)
{
    struct stat facts {};
    if (::fstat(descriptor, &facts) != 0 || facts.st_size <= 0) return {};
    const auto size = std::min<std::size_t>(static_cast<std::size_t>(facts.st_size), kOutputTailBytes);
    std::string text(size, '\0');
    const ssize_t got = ::pread(descriptor, text.data(), size, facts.st_size - static_cast<off_t>(size));
    text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
    return text;
}

std::optional<std::string> textField(const Json& message, const char* name)
{
    const auto field = message.find(name);
    if (field == message.end() || !field->is_string()) return std::nullopt;
    return field->get<std::string>();
}

}  // namespace

JudgeProcess::JudgeProcess(ChildProcess child, FrameSocket socket, FileDescriptor output)
    : m_child(std::move(child)), m_socket(std::move(socket)), m_output(std::move(output))
{
}

JudgeProcess::~JudgeProcess()
{
    kill();
    // A judge that was killed could not tidy up; one that ended by itself has left nothing.
    removeFoldersOfDeadJudges();
}

Result<std::unique_ptr<JudgeProcess>> JudgeProcess::start(const JudgeSettings& settings, std::stop_token stop)
{
    auto ends = FrameSocket::makePair();
    if (!ends) return ends.error();
    FileDescriptor output(::memfd_create("judge-output", MFD_CLOEXEC));
    if (!output.isOpen())
        return judgeError(ErrorCode::Io, std::string("no memory file for the judge's output: ") + std::strerror(errno));

    ChildSpec spec;
    spec.command = {settings.workerProgram.string(), "judge", settings.device};
    if (const auto toolkit = chosenCudaToolkit(); !toolkit.empty()) spec.environment.emplace_back("CUDA_HOME", toolkit.string());
    spec.workingFolder = "/";
    spec.standardOutput = output.get();
    spec.standardError = output.get();
    spec.descriptors = {{ends->second.get(), kJudgeSocketDescriptor}};
    auto child = ChildProcess::spawn(spec);
    ends->second.reset();
    if (!child) return child.error();

    std::unique_ptr<JudgeProcess> judge(new JudgeProcess(
        std::move(*child), FrameSocket(std::move(ends->first), kMaxProgramFrameBytes), std::move(output)));
    const Json init = {{"op", "init"},
                       {"v", kProtocolVersion},
                       {"python", settings.python.string()},
                       {"tvm_ffi_library", settings.tvmFfiLibrary.string()},
                       {"kernel_cache", settings.kernelCache.string()},
                       {"judge", settings.judge},
                       {"judges", settings.judges},
                       {"confinement", settings.confinement},
                       {"host_memory", settings.hostMemoryBytes},
                       {"seed", std::to_string(settings.seed)},
                       {"seed_by_user", settings.seedByUser}};
    if (auto sent = judge->notify(init); !sent) return sent.error();
    auto frame = judge->receive(settings.startTimeoutSeconds, stop);
    if (!frame) return frame.error();
    const Json& hello = frame->body;
    if (frame->op() == "fatal") {
        // Its own words say best what is missing.
        return judgeError(ErrorCode::Unsupported,
                          textField(hello, "message").value_or("the judge cannot work and does not say why"));
    }
    const auto hardware = textField(hello, "hardware");
    const auto libs = hello.find("libs");
    if (frame->op() != "hello" || !hardware || hello.value("v", Json()) != kProtocolVersion || libs == hello.end() ||
        !libs->is_object()) {
        return judge->explainEnd(
            judgeError(ErrorCode::ProcessFailed,
                       "the judge's first message is not a hello of protocol version 1: tracedeck-worker is "
                       "of another version"));
    }
    judge->m_hardware = *hardware;
    for (const auto& [name, version] : libs->items()) {
        if (version.is_string()) judge->m_libs[name] = version.get<std::string>();
    }
    return judge;
}

Result<void> JudgeProcess::notify(const Json& message)
{
    auto sent = m_socket.send(message, deadlineAfter(kSendTimeoutSeconds));
    if (!sent) return explainEnd(sent.error());
    return {};
}

Result<Frame> JudgeProcess::receive(double silenceSeconds, const std::stop_token& stop, std::chrono::steady_clock::time_point since)
{
    const Deadline deadline = since + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(silenceSeconds));
    for (;;) {
        if (stop.stop_requested()) {
            kill();
            return judgeError(ErrorCode::Cancelled, "cancelled");
        }
        auto frame = m_socket.receive(std::min(deadline, deadlineAfter(kSliceSeconds)));
        if (frame) return frame;
        if (frame.error().code != ErrorCode::TimedOut) return explainEnd(frame.error());
        // A process that it left behind may hold the socket open.
        if (m_child.tryWait()) return explainEnd(judgeError(ErrorCode::ProcessFailed, "the judge ended"));
        if (Clock::now() >= deadline) {
            return explainEnd(judgeError(
                ErrorCode::TimedOut, fmt::format("the judge said nothing for {:g} s and was killed", silenceSeconds)));
        }
    }
}

Result<Json> JudgeProcess::request(Json message, double silenceSeconds, const std::function<void(Stage)>& onStage,
                                   const std::stop_token& stop, const std::function<void(std::string)>& onLog)
{
    const std::uint64_t id = ++m_lastId;
    message["id"] = id;
    if (auto sent = notify(message); !sent) return sent.error();
    auto lastWord = Clock::now();
    for (;;) {
        auto frame = receive(silenceSeconds, stop, lastWord);
        if (!frame) return frame.error();
        const Json& answer = frame->body;
        if (frame->op() == "log") {
            const auto text = textField(answer, "text");
            if (onLog && text && text->size() <= kMostLogBytes && answer.value("id", Json()) == id) onLog(*text);
            continue;
        }
        lastWord = Clock::now();
        if (answer.value("id", Json()) != id) {
            return explainEnd(
                judgeError(ErrorCode::InvalidInput,
                           fmt::format("the judge answered with \"{}\" to something that was not asked", frame->op())));
        }
        if (frame->op() != "stage") return answer;
        const auto stage = stageFromString(textField(answer, "stage").value_or(""));
        if (!stage)
            return explainEnd(judgeError(ErrorCode::InvalidInput, "the judge named a stage that does not exist"));
        if (onStage) onStage(*stage);
    }
}

Error JudgeProcess::explainEnd(Error error)
{
    // Most often the socket closes a moment before the process is gone: its own exit tells more than our kill would.
    constexpr double kOwnEndSeconds = 0.5;
    const auto ownEnd = error.code == ErrorCode::ProcessFailed ? m_child.wait(kOwnEndSeconds) : std::nullopt;
    kill();
    if (ownEnd) error.reason += fmt::format(" ({})", ownEnd->toString());
    if (const std::string tail = tailOf(m_output.get()); !tail.empty()) error.reason += "\nIts last output:\n" + tail;
    return error;
}

void JudgeProcess::finish()
{
    m_socket.close();
    m_child.wait(kFinishSeconds);
    kill();
}

void JudgeProcess::kill()
{
    m_child.killTree();
    m_socket.close();
}

}  // namespace tracedeck
