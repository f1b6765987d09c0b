// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

namespace tracedeck::judge {

/// Which processors the judge and its hosts run on: the judge spins on its own while a call is timed.
struct CpuPlan {
    std::vector<int> judge;
    std::vector<int> hosts;
    /// There is one processor only: whoever waits gives way instead of spinning.
    bool yields = false;

    /// Splits the processors that this process may use. With four or more, the hyper-thread that shares the judge's core
    /// is left idle.
    static CpuPlan detect();
    /// Threads that a host may compute with.
    [[nodiscard]] int hostThreads() const { return static_cast<int>(hosts.size()); }
};

/// Restricts the calling thread; what it starts from then on inherits that. Best effort: a refusal changes nothing.
void pinThread(const std::vector<int>& processors);

/// Lends the hosts' processors to this thread, so that a process started meanwhile runs there.
class HostPlacement {
public:
    explicit HostPlacement(const CpuPlan& plan) : m_plan(plan) { pinThread(plan.hosts); }
    ~HostPlacement() { pinThread(m_plan.judge); }
    HostPlacement(const HostPlacement&) = delete;
    HostPlacement& operator=(const HostPlacement&) = delete;

private:
    const CpuPlan& m_plan;
};

}  // namespace tracedeck::judge
