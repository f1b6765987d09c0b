// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace tracedeck::judge {

/// What one host may take. The kernel enforces it where there are control groups; otherwise a LimitWatch does.
struct WatchedLimits {
    std::uint64_t memoryBytes = 0;
    std::uint64_t processes = 0;    ///< and threads
    bool watchesMemory = false;     ///< the kernel does not
    bool watchesProcesses = false;
};

/// What a host did that was killed for its memory: a verdict's id, a space, and words for a user.
[[nodiscard]] std::string memoryLimitText(std::uint64_t bytes);

/// Looks at hosts every 50 ms and kills those that take more than they may.
class LimitWatch {
public:
    struct Entry {
        pid_t host = -1;
        pid_t init = -1;
        WatchedLimits limits;
        std::string broken;   ///< under the watch's mutex
    };

    LimitWatch() = default;
    ~LimitWatch();
    LimitWatch(const LimitWatch&) = delete;
    LimitWatch& operator=(const LimitWatch&) = delete;

    /// `init`: the first process of its namespace, -1 without one. Null when nothing is to be watched.
    [[nodiscard]] std::shared_ptr<Entry> add(pid_t host, pid_t init, const WatchedLimits& limits);
    /// To be called before the process is reaped: its number is another's then. Null does nothing.
    void remove(const std::shared_ptr<Entry>& entry);
    /// Why it was killed, like memoryLimitText(); empty when it was not.
    [[nodiscard]] std::string brokenLimit(const Entry& entry);

private:
    void work(const std::stop_token& stop);

    std::mutex m_mutex;
    std::list<std::shared_ptr<Entry>> m_entries;
    std::jthread m_thread;   ///< from the first entry on
};

/// A process and its descendants as /proc tells, without those that have ended.
struct TreeUse {
    std::uint64_t processes = 0;     ///< and threads
    std::uint64_t privateBytes = 0;  ///< memory that is theirs alone, roughly: what was inherited by fork counts again
};
[[nodiscard]] TreeUse useOfTrees(const std::vector<pid_t>& roots);
/// A process and all its living descendants.
[[nodiscard]] std::vector<pid_t> treeOf(pid_t root);
/// Whether any of their threads runs, or waits for a processor, at this moment.
[[nodiscard]] bool wantProcessors(const std::vector<pid_t>& roots);
/// Processor time that a process and its living descendants have used so far, in nanoseconds.
[[nodiscard]] std::uint64_t processorNsOfTrees(const std::vector<pid_t>& roots);

}  // namespace tracedeck::judge
