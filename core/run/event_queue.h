// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <utility>

#include "core/run/run_event.h"

namespace tracedeck {

/// Brings events from a run's threads to the one that follows it. Thread-safe.
class EventQueue {
public:
    void push(const RunEvent& event)
    {
        const std::scoped_lock lock(m_mutex);
        m_events.push_back(event);
        m_changed.notify_one();
    }
    /// What has arrived; waits a tenth of a second for something.
    std::deque<RunEvent> take()
    {
        std::unique_lock lock(m_mutex);
        m_changed.wait_for(lock, std::chrono::milliseconds(100), [this] { return !m_events.empty(); });
        return std::exchange(m_events, {});
    }

private:
    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::deque<RunEvent> m_events;
};

}  // namespace tracedeck
