// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <variant>
#include <vector>

#include "core/run/run_event.h"

namespace tracedeck::test {

/// Collects events and lets a test wait for one.
class Recorder {
public:
    void operator()(const RunEvent& event)
    {
        const std::scoped_lock lock(m_mutex);
        m_events.push_back(event);
        m_changed.notify_all();
    }
    template <class Kind>
    [[nodiscard]] std::vector<Kind> all() const
    {
        const std::scoped_lock lock(m_mutex);
        std::vector<Kind> found;
        for (const auto& event : m_events) {
            if (const auto* kind = std::get_if<Kind>(&event)) found.push_back(*kind);
        }
        return found;
    }
    [[nodiscard]] std::vector<RunEvent> events() const
    {
        const std::scoped_lock lock(m_mutex);
        return m_events;
    }
    /// False when it did not come within a minute.
    template <class Predicate>
    bool waitFor(Predicate predicate)
    {
        std::unique_lock lock(m_mutex);
        return m_changed.wait_for(lock, std::chrono::minutes(1),
                                  [&] { return std::any_of(m_events.begin(), m_events.end(), predicate); });
    }

private:
    mutable std::mutex m_mutex;
    std::condition_variable m_changed;
    std::vector<RunEvent> m_events;
};

}  // namespace tracedeck::test
