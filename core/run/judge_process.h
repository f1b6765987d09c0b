// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "core/io/child_process.h"
#include "core/io/frame.h"
#include "core/model/json.h"
#include "core/model/result.h"
#include "core/run/run_event.h"

namespace tracedeck {

/// What a judge is started with; the `init` message of core/judge/protocol.md.
struct JudgeSettings {
    std::filesystem::path workerProgram;
    std::string device;
    std::filesystem::path python;
    std::filesystem::path tvmFfiLibrary;   ///< empty without apache-tvm-ffi
    std::filesystem::path kernelCache;     ///< where kernels that solutions compile themselves are kept; empty: nowhere
    std::size_t judge = 0;    ///< which of the run's judges it is: each has processors of its own
    std::size_t judges = 1;
    std::uint64_t seed = 0;
    bool seedByUser = false;
    std::string confinement = "auto";   ///< of its hosts: auto, full, partial, none
    std::uint64_t hostMemoryBytes = 0;  ///< that each may take; 0: most of what is free
    double startTimeoutSeconds = 180;   ///< PyTorch from a cold disk takes a minute
};

/// A running `tracedeck-worker judge DEVICE`. The destructor kills whatever is left of it and removes its
/// scratch folder. For one thread.
class JudgeProcess {
public:
    /// Starts the worker, sends `init` and waits for `hello`. Error: Unsupported when the judge says itself why it
    /// can't work
    /// (`fatal`; another try would end alike), else ProcessFailed, TimedOut, Cancelled …
    static Result<std::unique_ptr<JudgeProcess>> start(const JudgeSettings& settings, std::stop_token stop);
    ~JudgeProcess();
    JudgeProcess(const JudgeProcess&) = delete;
    JudgeProcess& operator=(const JudgeProcess&) = delete;

    [[nodiscard]] const std::string& hardware() const { return m_hardware; }
    /// Versions for `evaluation.environment.libs`.
    [[nodiscard]] const std::map<std::string, std::string>& libs() const { return m_libs; }
    [[nodiscard]] pid_t pid() const { return m_child.pid(); }

    /// Sends a message with a fresh `id` and returns the answer. `stage` messages in between go to `onStage`. After any
    /// error but Cancelled the reason says how the judge ended and what it printed last; it must not be used any more.
    /// `silenceSeconds`: longest time without a word from the judge; what a solution prints, which goes to `onLog` in pieces of at most
    /// kMostLogBytes, is none.
    Result<Json> request(Json message, double silenceSeconds, const std::function<void(Stage)>& onStage,
                         const std::stop_token& stop, const std::function<void(std::string)>& onLog = {});
    static constexpr std::size_t kMostLogBytes = std::size_t{16} << 10;
    /// A message that has no answer.
    Result<void> notify(const Json& message);
    /// Ends it in order: end of file on the socket, a short wait, then force.
    void finish();
    /// SIGKILL to it and all its descendants.
    void kill();

private:
    JudgeProcess(ChildProcess child, FrameSocket socket, FileDescriptor output);
    /// `since`: when the silence began.
    Result<Frame> receive(double silenceSeconds, const std::stop_token& stop, std::chrono::steady_clock::time_point since = std::chrono::steady_clock::now());
    /// Ends the judge and completes the error with its exit and the end of its output.
    Error explainEnd(Error error);

    ChildProcess m_child;
    FrameSocket m_socket;
    FileDescriptor m_output;   ///< a memory file that takes the judge's own stdout and stderr
    std::string m_hardware;
    std::map<std::string, std::string> m_libs;
    std::uint64_t m_lastId = 0;
};

}  // namespace tracedeck
