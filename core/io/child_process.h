// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "core/model/result.h"

namespace tracedeck {

/// What to start and with which limits. The child leads its own process group, has /dev/null as standard input, default
/// signal dispositions and an empty signal mask, and inherits no descriptor but those named here.
struct ChildSpec {
    std::vector<std::string> command;   ///< path of the program (no search in PATH), then its arguments
    std::vector<std::pair<std::string, std::optional<std::string>>> environment;   ///< set, or remove with std::nullopt
    std::filesystem::path workingFolder;                                           ///< empty: as ours
    int standardOutput = -1;   ///< descriptor of ours; -1: /dev/null
    int standardError = -1;
    std::vector<std::pair<int, int>> descriptors;    ///< (ours, number in the child, at least 3)
    std::optional<std::uint64_t> cpuSecondsLimit;    ///< RLIMIT_CPU of each process
    std::optional<std::uint64_t> memoryBytesLimit;   ///< RLIMIT_AS of each process
    std::optional<std::uint64_t> fileBytesLimit;     ///< RLIMIT_FSIZE
    bool diesWithThread = false;   ///< SIGKILL when the thread that spawned it ends, also by a kill of us
};

/// How a process ended.
struct ChildExit {
    int exitCode = -1;   ///< -1 when it was ended by a signal
    int signal = 0;
    [[nodiscard]] bool succeeded() const { return signal == 0 && exitCode == 0; }
    /// "exit code 3", "killed by signal 11 (Segmentation fault)"
    [[nodiscard]] std::string toString() const;
};

/// A child that leads its own process group. The destructor kills the whole tree and reaps it. Not for several threads.
class ChildProcess {
public:
    /// Safe in a program with many threads: between fork and exec only bare system calls are made. Error NotFound or
    /// ProcessFailed when the program could not be started.
    static Result<ChildProcess> spawn(const ChildSpec& spec);
    ChildProcess(ChildProcess&& other) noexcept;
    ChildProcess& operator=(ChildProcess&& other) noexcept;
    ~ChildProcess();

    [[nodiscard]] pid_t pid() const { return m_pid; }
    /// Reaps the process when it has ended; what is left of its group is killed then. std::nullopt: it still runs.
    std::optional<ChildExit> tryWait();
    /// Waits up to `seconds`.
    std::optional<ChildExit> wait(double seconds);
    /// SIGKILL to the process, its group and all descendants, also those in groups and sessions of their own; then
    /// reaps.
    ChildExit killTree();

private:
    explicit ChildProcess(pid_t pid) : m_pid(pid) {}
    void reap();
    pid_t m_pid = -1;
    std::optional<ChildExit> m_exit;
};

/// Numbers of all processes that /proc shows.
[[nodiscard]] std::vector<pid_t> allProcesses();
/// Children of a process by /proc, also those that have ended and were not waited for.
[[nodiscard]] std::vector<pid_t> childrenOf(pid_t parent);

/// All living descendants of a process (parents before children), by /proc. Zombies are left out.
[[nodiscard]] std::vector<pid_t> descendantsOf(pid_t root);

/// SIGKILL to all descendants of a process, which is left stopped; none gets away by starting another one meanwhile. Takes a
/// second at most for each of the two steps.
void killDescendantsOf(pid_t root);

/// What a program that ran to its end printed.
struct CapturedRun {
    ChildExit exit;
    bool timedOut = false;
    bool cancelled = false;
    std::string output;        ///< standard output; the head and the tail when it was more than the cap
    std::string errorOutput;   ///< standard error, alike; empty when both go together
};
struct CaptureOptions {
    double timeoutSeconds = 60;
    std::size_t capBytes = 1U << 20U;   ///< kept of each stream
    bool mergeErrorOutput = false;      ///< standard error goes into `output`, in the order of writing
};
/// Runs a program, captures what it prints and kills its tree when the time is over or `stop` is set. Reads on after
/// the cap, so that a flood never blocks the child or fills our memory. Error: it could not be started.
[[nodiscard]] Result<CapturedRun> runCaptured(ChildSpec spec, const CaptureOptions& options, std::stop_token stop = {});

/// First executable file of that name in PATH; empty when there is none. A name with a slash is checked as it is.
[[nodiscard]] std::filesystem::path findProgram(const std::string& name);

}  // namespace tracedeck
