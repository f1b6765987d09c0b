// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/host_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <thread>
#include <vector>

#include <fmt/format.h>

namespace tracedeck::judge {

namespace {

constexpr double kSliceSeconds = 0.02;
constexpr auto kReapLimit = std::chrono::seconds(5);
constexpr auto kStopLimit = std::chrono::milliseconds(50);
/// Some OpenMP libraries spin for 200 ms after a call.
constexpr auto kBusyLimit = std::chrono::seconds(1);
constexpr auto kQuietWindow = std::chrono::milliseconds(5);
constexpr double kQuietShare = 0.2;
constexpr auto kReapInterval = std::chrono::microseconds(200);

Result<std::pair<FileDescriptor, FileDescriptor>> makePipe()
{
    std::array<int, 2> ends{-1, -1};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
        return Error{ErrorCode::Io, fmt::format("no pipe can be made: {}", std::strerror(errno)), {}, 0, {}};
    }
    return std::pair<FileDescriptor, FileDescriptor>{FileDescriptor(ends[0]), FileDescriptor(ends[1])};
}

}  // namespace

bool ProgramWatch::isGone() const
{
    pollfd entry{m_descriptor, POLLRDHUP, 0};
    return ::poll(&entry, 1, 0) > 0 && (entry.revents & (POLLRDHUP | POLLHUP | POLLERR)) != 0;
}

void becomeSubreaper()
{
    ::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
}

void LivingProcesses::killStrays()
{
    const auto held = hold();
    if (m_expected > 0) {
        return;
    }
    const auto deadline = FrameClock::now() + kReapLimit;
    while (FrameClock::now() < deadline) {
        bool found = false;
        for (const pid_t child : childrenOf(::getpid())) {
            if (m_pids.contains(child)) {
                continue;
            }
            found = true;
            killDescendantsOf(child);
            ::kill(child, SIGKILL);
            ::waitpid(child, nullptr, WNOHANG);
        }
        if (!found) {
            return;
        }
        std::this_thread::sleep_for(kReapInterval);
    }
}

HostProcess::HostProcess(FrameSocket socket, SharedBlock page, ScratchFolder scratch, FileDescriptor lifeline, std::unique_ptr<LogDrain> log,
                         const ProgramWatch& program, LivingProcesses& living, LimitWatch& watch)
    : m_socket(std::move(socket)), m_pageBlock(std::move(page)), m_page(new (m_pageBlock.data()) Page{}), m_scratch(std::move(scratch)),
      m_lifeline(std::move(lifeline)), m_log(std::move(log)), m_program(program), m_living(living), m_watch(watch)
{
}

HostProcess::~HostProcess()
{
    end();
}

Result<std::pair<std::unique_ptr<HostProcess>, HostProcess::TheirEnds>>
HostProcess::prepare(const std::filesystem::path& judgeFolder, const ProgramWatch& program, LivingProcesses& living, LimitWatch& watch)
{
    auto sockets = FrameSocket::makePair();
    auto output = makePipe();
    auto errorOutput = makePipe();
    auto lifeline = makePipe();
    auto page = SharedBlock::create("tracedeck-page", kPageBytes);
    auto scratch = ScratchFolder::create(judgeFolder, "host-");
    for (const Error* error : {sockets ? nullptr : &sockets.error(), output ? nullptr : &output.error(),
                               errorOutput ? nullptr : &errorOutput.error(), lifeline ? nullptr : &lifeline.error(),
                               page ? nullptr : &page.error(), scratch ? nullptr : &scratch.error()}) {
        if (error != nullptr) {
            return *error;
        }
    }
    auto log = std::make_unique<LogDrain>(std::move(output->first), std::move(errorOutput->first));
    std::unique_ptr<HostProcess> host(new HostProcess(FrameSocket(std::move(sockets->first), kMaxHostFrameBytes), std::move(*page),
                                                      std::move(*scratch), std::move(lifeline->second), std::move(log), program, living, watch));
    TheirEnds theirs{std::move(sockets->second), std::move(output->second), std::move(errorOutput->second), std::move(lifeline->first)};
    return std::pair<std::unique_ptr<HostProcess>, TheirEnds>{std::move(host), std::move(theirs)};
}

void HostProcess::expectStart(std::optional<ChildProcess> starter, std::unique_ptr<confine::HostGroup> group, const WatchedLimits& limits)
{
    m_group = std::move(group);
    m_limits = limits;
    m_living.expectOne();
    m_isExpected = true;
    m_starter = std::move(starter);
}

std::optional<HostFailure> HostProcess::adopt(Deadline deadline)
{
    if (!m_isExpected) {
        return std::nullopt;
    }
    m_isExpected = false;
    auto failure = readStart(deadline);
    if (m_starter) {
        // It leaves the group to itself before it ends.
        constexpr double kStarterSeconds = 10;
        const auto exit = m_starter->wait(kStarterSeconds);
        if (failure && exit && !exit->succeeded()) {
            failure->message += " (" + exit->toString() + ")";
        }
        m_starter.reset();
    }
    m_living.expectOne(-1);
    return failure;
}

std::optional<HostFailure> HostProcess::readStart(Deadline deadline)
{
    auto answer = receive(deadline);
    if (auto* failure = std::get_if<HostFailure>(&answer)) {
        return std::move(*failure);
    }
    const Json& body = std::get<Frame>(answer).body;
    if (const auto message = body.find("message"); std::get<Frame>(answer).op() == "unconfined" && message != body.end() && message->is_string()) {
        return HostFailure{HostFailure::Kind::Internal, "the host can't be confined: " + message->get<std::string>()};
    }
    if (std::get<Frame>(answer).op() != "forked") {
        return HostFailure{HostFailure::Kind::Protocol, "a host's first message is not understood"};
    }
    const auto number = [&body](const char* key) {
        const auto field = body.find(key);
        return field != body.end() && field->is_number_integer() ? field->get<std::int64_t>() : std::int64_t{-1};
    };
    if (number("v") != kProtocolVersion || number("pid") <= 1) {
        return HostFailure{HostFailure::Kind::Protocol, "a host's first message is not understood"};
    }
    m_pid = static_cast<pid_t>(number("pid"));
    m_init = static_cast<pid_t>(number("init"));
    m_living.add(m_pid);
    if (m_init > 0) {
        m_living.add(m_init);
    }
    m_watched = m_watch.add(m_pid, m_init, m_limits);
    return std::nullopt;
}

std::optional<HostFailure> HostProcess::check()
{
    if (m_program.isGone()) {
        return HostFailure{HostFailure::Kind::Abandoned, "the program that asked is gone"};
    }
    if (!m_exit && m_pid > 0) {
        int status = 0;
        // ECHILD: the intermediate process is still its parent for a moment.
        if (::waitpid(m_pid, &status, WNOHANG) == m_pid) {
            takeExit(status);
        }
    }
    if (m_exit) {
        if (const std::string limit = brokenLimit(); !limit.empty()) {
            return HostFailure{HostFailure::Kind::Limit, limit, m_exit};
        }
        return HostFailure{HostFailure::Kind::Died, "the process ended unexpectedly: " + m_exit->toString(), m_exit};
    }
    return std::nullopt;
}

void HostProcess::takeExit(int status)
{
    m_exit = WIFEXITED(status) ? ChildExit{.exitCode = WEXITSTATUS(status), .signal = 0} : ChildExit{.exitCode = -1, .signal = WTERMSIG(status)};
    m_watch.remove(m_watched);   // its number may be another's from now on
}

std::vector<pid_t> HostProcess::roots() const
{
    std::vector<pid_t> list;
    if (m_pid > 0 && !m_exit) {
        list.push_back(m_pid);
    }
    if (m_init > 0) {
        list.push_back(m_init);
    }
    return list;
}

void HostProcess::stop()
{
    m_isFrozen = m_group && m_group->freeze();
    if (m_isFrozen || m_pid <= 0 || m_exit) {
        return;
    }
    for (const pid_t root : roots()) {
        for (const pid_t process : treeOf(root)) {
            if (process != m_init && ::kill(process, SIGSTOP) == 0) {
                m_stopped.push_back(process);
            }
        }
    }
    // All its threads stand still once it reports itself; the others were told before.
    const auto deadline = FrameClock::now() + kStopLimit;
    int status = 0;
    while (FrameClock::now() < deadline) {
        const pid_t told = ::waitpid(m_pid, &status, WNOHANG | WUNTRACED);
        if (told == m_pid && !WIFSTOPPED(status)) {
            takeExit(status);
        }
        if (told != 0) {
            return;
        }
        std::this_thread::yield();
    }
}

void HostProcess::resume()
{
    if (std::exchange(m_isFrozen, false)) {
        m_group->thaw();
    }
    for (const pid_t process : m_stopped) {
        if (process != m_pid || !m_exit) {
            ::kill(process, SIGCONT);
        }
    }
    m_stopped.clear();
}

bool HostProcess::staysBusy()
{
    const auto begin = FrameClock::now();
    std::uint64_t before = processorNsOfTrees(roots());
    while (FrameClock::now() - begin < kBusyLimit) {
        const auto from = FrameClock::now();
        std::this_thread::sleep_for(kQuietWindow);
        const auto window = std::chrono::duration<double, std::nano>(FrameClock::now() - from).count();
        const std::uint64_t now = processorNsOfTrees(roots());
        // Whoever gets no processor, because others hold them all, still waits for one.
        if (static_cast<double>(now - std::min(now, before)) < kQuietShare * window && !wantProcessors(roots())) {
            return false;
        }
        before = now;
    }
    return true;
}

std::uint64_t HostProcess::processorNs() const
{
    return processorNsOfTrees(roots());
}

std::size_t HostProcess::otherProcesses() const
{
    std::size_t count = 0;
    for (const pid_t root : roots()) {
        count += treeOf(root).size() - 1;
    }
    return count;
}

/// Which limit it died of, as Limit's message; empty when it was none.
std::string HostProcess::brokenLimit() const
{
    if (m_watched) {
        if (const std::string text = m_watch.brokenLimit(*m_watched); !text.empty()) {
            return text;
        }
    }
    if (m_group && m_exit->signal == SIGKILL && m_group->hasRunOutOfMemory()) {
        return memoryLimitText(m_limits.memoryBytes);
    }
    return {};
}

HostFailure HostProcess::classify(const Error& error)
{
    if (error.code == ErrorCode::TimedOut) {
        return {HostFailure::Kind::TimedOut, "the time limit passed"};
    }
    if (error.code == ErrorCode::ProcessFailed) {
        // The socket closes a moment before the process can be reaped; its exit says more.
        const auto deadline = FrameClock::now() + std::chrono::milliseconds(500);
        while (FrameClock::now() < deadline) {
            if (auto failure = check()) {
                return *failure;
            }
            std::this_thread::sleep_for(kReapInterval);
        }
        return {HostFailure::Kind::Protocol, "the host closed its connection"};
    }
    return {HostFailure::Kind::Protocol, "the host broke the protocol: " + error.reason};
}

std::optional<HostFailure> HostProcess::send(const Json& message, Deadline deadline, std::span<const int> descriptors)
{
    auto sent = m_socket.send(message, deadline, descriptors);
    return sent ? std::nullopt : std::optional(classify(sent.error()));
}

HostResult<Frame> HostProcess::receive(Deadline deadline)
{
    while (true) {
        auto frame = m_socket.receive(std::min(deadline, deadlineAfter(kSliceSeconds)));
        if (frame) {
            return std::move(*frame);
        }
        if (frame.error().code != ErrorCode::TimedOut || FrameClock::now() >= deadline) {
            return classify(frame.error());
        }
        // A process that it left behind may hold the socket open.
        if (auto failure = check()) {
            return std::move(*failure);
        }
    }
}

HostFailure HostProcess::unexpected(const Frame& frame, const std::string& wanted)
{
    if (frame.op() == "error") {
        const auto kind = frame.body.find("kind");
        const auto message = frame.body.find("message");
        if (kind != frame.body.end() && kind->is_string() && message != frame.body.end() && message->is_string()) {
            const bool isLoad = kind->get<std::string>() == "load";
            return {isLoad ? HostFailure::Kind::Load : HostFailure::Kind::Call, message->get<std::string>()};
        }
    }
    return {HostFailure::Kind::Protocol, fmt::format("the host sent `{}` where {} was expected", frame.op().substr(0, 40), wanted)};
}

HostResult<Frame> HostProcess::expect(const std::string& op, Deadline deadline)
{
    auto answer = receive(deadline);
    auto* frame = std::get_if<Frame>(&answer);
    if (frame == nullptr || frame->op() == op) {
        return answer;
    }
    return unexpected(*frame, "`" + op + "`");
}

HostFailure HostProcess::outOfTurn()
{
    auto answer = receive(deadlineAfter(kSliceSeconds));
    const auto* frame = std::get_if<Frame>(&answer);
    HostFailure failure = frame != nullptr ? unexpected(*frame, "nothing") : std::move(std::get<HostFailure>(answer));
    if (failure.kind == HostFailure::Kind::Protocol) {
        failure.message += ", in the middle of a series of calls";
    }
    return failure;
}

void HostProcess::reap(pid_t pid)
{
    const auto deadline = FrameClock::now() + kReapLimit;
    int status = 0;
    while (FrameClock::now() < deadline) {
        const pid_t ended = ::waitpid(pid, &status, WNOHANG);
        if (ended == pid) {
            if (pid == m_pid && !m_exit) {
                m_exit = WIFEXITED(status) ? ChildExit{.exitCode = WEXITSTATUS(status), .signal = 0}
                                           : ChildExit{.exitCode = -1, .signal = WTERMSIG(status)};
            }
            break;
        }
        if (ended < 0 && errno == ECHILD && ::kill(pid, 0) != 0 && errno == ESRCH) {
            break;
        }
        std::this_thread::sleep_for(kReapInterval);
    }
}

void HostProcess::kill()
{
    constexpr double kStartSeconds = 10;
    static_cast<void>(adopt(deadlineAfter(kStartSeconds)));   // only what has a number can be killed; without one it sees its socket close
    if (m_pid <= 0) {
        return;
    }
    if (m_group) {
        static_cast<void>(m_group->kill());   // where that can't be done the steps below do it
    }
    if (m_init > 0) {
        // Ends the whole namespace; the kernel does it, no process can run away. Without one its descendants are found
        // through it, while it lives.
        ::kill(m_init, SIGKILL);
    }
    if (!m_exit) {
        if (m_init <= 0) {
            killDescendantsOf(m_pid);
        }
        ::kill(-m_pid, SIGKILL);
        ::kill(m_pid, SIGKILL);
    }
}

void HostProcess::end()
{
    kill();
    if (m_pid > 0) {
        if (!m_exit) {
            reap(m_pid);
        }
        if (m_init > 0) {
            reap(m_init);
        }
        m_watch.remove(m_watched);
        m_living.remove(m_pid);
        m_living.remove(m_init);
        m_pid = m_init = -1;
        m_living.killStrays();
    }
    m_group.reset();
    m_lifeline.close();
    m_socket.close();
    m_log->finish();
}

}  // namespace tracedeck::judge
