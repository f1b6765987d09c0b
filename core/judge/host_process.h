// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <sys/types.h>

#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/confine/control_groups.h"
#include "core/io/child_process.h"
#include "core/io/frame.h"
#include "core/judge/limit_watch.h"
#include "core/judge/log_ring.h"
#include "core/judge/page.h"
#include "core/judge/shared_block.h"
#include "core/run/scratch_folder.h"

namespace tracedeck::judge {

/// Why a host did not do what it was asked.
struct HostFailure {
    enum class Kind {
        TimedOut,    ///< the deadline passed
        Died,        ///< its process ended
        Protocol,    ///< it said something that makes no sense at this point
        Load,        ///< the code could not be loaded
        Call,        ///< a call raised
        Abandoned,   ///< the program that the judge works for is gone
        Limit,       ///< it was killed because it took more than it may; `message` begins with a verdict's id and a space
        Internal     ///< the judge itself lacks something (memory, processes)
    };
    Kind kind = Kind::Protocol;
    std::string message;
    std::optional<ChildExit> exit = std::nullopt;   ///< of a process that died
};

template <class T>
using HostResult = std::variant<T, HostFailure>;

/// The program at the other end of the judge's socket.
class ProgramWatch {
public:
    explicit ProgramWatch(int socketDescriptor) : m_descriptor(socketDescriptor) {}
    [[nodiscard]] bool isGone() const;

private:
    int m_descriptor;
};

/// Processes of this judge that are meant to live. Anything else that turns up among its children was left behind by a host.
class LivingProcesses {
public:
    /// While this is held no strays are looked for. Recursive.
    [[nodiscard]] std::unique_lock<std::recursive_mutex> hold() { return std::unique_lock(m_mutex); }
    void add(pid_t pid)
    {
        const auto held = hold();
        m_pids.insert(pid);
    }
    void remove(pid_t pid)
    {
        const auto held = hold();
        m_pids.erase(pid);
    }
    /// A host is being started whose number is not known yet; `by` -1: now it is.
    void expectOne(int by = 1)
    {
        const auto held = hold();
        m_expected += by;
    }
    /// Kills and reaps every child that is not registered, with all its descendants, until none is left (at most 5 s). While a
    /// host is expected it does nothing: a stray lives until the next time.
    void killStrays();

private:
    std::recursive_mutex m_mutex;   ///< hosts are ended by another thread than the one that starts them
    std::set<pid_t> m_pids;
    int m_expected = 0;
};

/// Makes this process the parent of whatever its descendants leave behind.
void becomeSubreaper();

/// One process that runs foreign code, seen from the judge.
class HostProcess {
public:
    /// What the host's side gets; to be closed here once it has them.
    struct TheirEnds {
        FileDescriptor socket;
        FileDescriptor output;
        FileDescriptor errorOutput;
        FileDescriptor lifeline;
    };

    /// Channels and a scratch folder for a host that is still to be started.
    static Result<std::pair<std::unique_ptr<HostProcess>, TheirEnds>> prepare(const std::filesystem::path& judgeFolder,
                                                                              const ProgramWatch& program, LivingProcesses& living,
                                                                              LimitWatch& watch);
    /// Ends it.
    ~HostProcess();
    HostProcess(const HostProcess&) = delete;
    HostProcess& operator=(const HostProcess&) = delete;

    /// It is being started; `starter`: the process that does it and ends, if it is this process's child; `group`: what it joins, null
    /// without; `limits`: what is watched. To be followed by adopt().
    void expectStart(std::optional<ChildProcess> starter, std::unique_ptr<confine::HostGroup> group, const WatchedLimits& limits);
    /// Waits for the message that names the new process; once. A failure is not the doing of what it is to run.
    std::optional<HostFailure> adopt(Deadline deadline);
    std::optional<HostFailure> send(const Json& message, Deadline deadline, std::span<const int> descriptors = {});
    /// The next message. Looks at the process and the program while it waits.
    HostResult<Frame> receive(Deadline deadline);
    /// receive(), and the answer must be `op`; an `error` becomes Load or Call.
    HostResult<Frame> expect(const std::string& op, Deadline deadline);
    /// Died or Abandoned, if so.
    std::optional<HostFailure> check();
    /// Kills it with everything that it started, and does not wait. To be followed by end().
    void kill();
    /// Kills it with everything that it started, and reaps. Its output is complete afterwards.
    void end();

    /// Stops everything in it where it stands, and waits until it does; resume() lets it go on. For a host without a GPU.
    void stop();
    void resume();
    /// Whether it still computes although nothing is asked of it: true once it has used a good part of a processor for a second without
    /// a pause, which the threads of honest libraries never do; false as soon as it is quiet.
    [[nodiscard]] bool staysBusy();
    /// Processor time that it and its descendants have used so far, in nanoseconds.
    [[nodiscard]] std::uint64_t processorNs() const;
    /// A frame has come that nobody asked for: to be called when none is due.
    [[nodiscard]] bool hasWaitingFrame() const { return m_socket.waitReadable(FrameClock::now()); }
    /// Reads it, and says what is wrong: the error that it tells of, or that it spoke out of turn.
    [[nodiscard]] HostFailure outOfTurn();
    /// Processes that it has left running beside itself.
    [[nodiscard]] std::size_t otherProcesses() const;

    [[nodiscard]] Page& page() const { return *m_page; }
    [[nodiscard]] int pageDescriptor() const { return m_pageBlock.descriptor(); }
    [[nodiscard]] const std::filesystem::path& scratch() const { return m_scratch.path(); }
    [[nodiscard]] std::string log() { return m_log->text(); }
    /// What it printed since the last call.
    [[nodiscard]] std::string takeLog() { return m_log->take(); }
    /// What it prints goes there, too, while it runs; null: nowhere.
    void followLog(std::shared_ptr<LiveLog> follower) { m_log->follow(std::move(follower)); }

private:
    HostProcess(FrameSocket socket, SharedBlock page, ScratchFolder scratch, FileDescriptor lifeline, std::unique_ptr<LogDrain> log,
                const ProgramWatch& program, LivingProcesses& living, LimitWatch& watch);
    std::optional<HostFailure> readStart(Deadline deadline);
    [[nodiscard]] HostFailure classify(const Error& error);
    /// What a frame says that is not the one due: the error that it tells of, or that it breaks the protocol.
    [[nodiscard]] static HostFailure unexpected(const Frame& frame, const std::string& wanted);
    [[nodiscard]] std::string brokenLimit() const;
    /// It, and where there is a namespace the process to which orphans go.
    [[nodiscard]] std::vector<pid_t> roots() const;
    void takeExit(int status);
    void reap(pid_t pid);

    FrameSocket m_socket;
    SharedBlock m_pageBlock;
    Page* m_page;
    ScratchFolder m_scratch;
    FileDescriptor m_lifeline;
    std::unique_ptr<LogDrain> m_log;
    const ProgramWatch& m_program;
    LivingProcesses& m_living;
    bool m_isExpected = false;   ///< started, and not adopted
    std::optional<ChildProcess> m_starter;
    pid_t m_pid = -1;
    pid_t m_init = -1;   ///< first process of its namespace, -1 without one
    std::unique_ptr<confine::HostGroup> m_group;
    WatchedLimits m_limits;
    LimitWatch& m_watch;
    std::shared_ptr<LimitWatch::Entry> m_watched;
    bool m_isFrozen = false;   ///< stopped through its group
    std::vector<pid_t> m_stopped;
    std::optional<ChildExit> m_exit;
};

}  // namespace tracedeck::judge
