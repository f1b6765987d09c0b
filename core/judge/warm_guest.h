// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/confine/plan.h"
#include "core/io/child_process.h"
#include "core/io/frame.h"
#include "core/judge/cpu_plan.h"
#include "core/judge/host_process.h"
#include "core/judge/log_ring.h"

namespace tracedeck::judge {

/// Environment of processes that may run foreign code: nothing of the user's but what programs need to start.
/// `visibleDevice`: the only GPU that they see, empty for none.
[[nodiscard]] std::vector<std::pair<std::string, std::optional<std::string>>> hostEnvironment(const std::filesystem::path& home, int threads,
                                                                                          const std::string& visibleDevice = {});

/// A Python process that has imported torch and runs no foreign code; hosts are forked from it (core/guest).
class WarmGuest {
public:
    /// Waits until torch is imported. Error: what Python printed, in words for a user.
    static Result<std::unique_ptr<WarmGuest>> start(const std::filesystem::path& python, const std::filesystem::path& folder,
                                                    const CpuPlan& processors, const std::string& visibleDevice, Deadline deadline);
    /// Asks for a host behind the walls of a plan; the new process reports itself on its own socket. Error: the guest is gone.
    Result<void> fork(const HostProcess::TheirEnds& ends, const std::string& role, const std::filesystem::path& confineLibrary, const confine::Plan& plan,
                      Deadline deadline);

    [[nodiscard]] pid_t pid() const { return m_child.pid(); }
    [[nodiscard]] bool isAlive() { return !m_child.tryWait().has_value(); }
    [[nodiscard]] const std::map<std::string, std::string>& libs() const { return m_libs; }
    /// The folders of the interpreter, its packages and libraries.
    [[nodiscard]] const std::vector<std::string>& places() const { return m_places; }
    /// Where torch loaded CUPTI from, empty when it did not.
    [[nodiscard]] const std::string& cupti() const { return m_cupti; }
    [[nodiscard]] std::string log() { return m_log->text(); }

private:
    WarmGuest(ChildProcess child, FrameSocket socket, std::unique_ptr<LogDrain> log, bool yields);

    ChildProcess m_child;
    FrameSocket m_socket;
    std::unique_ptr<LogDrain> m_log;
    bool m_yields;
    std::map<std::string, std::string> m_libs;
    std::vector<std::string> m_places;
    std::string m_cupti;
};

}  // namespace tracedeck::judge
