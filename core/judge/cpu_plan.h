// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

namespace tracedeck::judge {

/// Which processors the judge and its hosts run on: the judge spins on its own while a call is timed.
struct CpuPlan {
    std::vector<int> judge;
    std::vector<int> hosts;
    /// There is one processor only: whoever waits gives way instead of spinning.
    bool yields = false;

    /// Hyper-threads of one core, the processor itself among them.
    using Siblings = std::function<std::vector<int>(int processor)>;

    /// The share of one of `judges` that work at the same time, of the processors that this process may use.
    static CpuPlan detect(std::size_t judge, std::size_t judges);
    /// The same for given processors. Shares have no core in common, unless there are fewer than two processors for each: then all
    /// use all of them, and give way. In a share of four or more the hyper-thread that shares the judge's core is left idle.
    static CpuPlan of(const std::vector<int>& processors, const Siblings& siblings, std::size_t judge, std::size_t judges);
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
