// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

namespace tracedeck::judge {

/// Hands on what a host prints while it runs, for whoever watches: pieces of at most kPieceBytes, at most four a second, whatever the
/// host does. What comes faster is left out but for its end, since that is what one wants to see; the result has the whole log.
class LiveLog {
public:
    static constexpr std::size_t kPieceBytes = std::size_t{4} << 10;
    static constexpr int kPauseMs = 250;

    /// `send` gets valid UTF-8, on a thread of this object.
    explicit LiveLog(std::function<void(std::string)> send);
    ~LiveLog();
    LiveLog(const LiveLog&) = delete;
    LiveLog& operator=(const LiveLog&) = delete;

    /// From any thread; returns at once.
    void append(std::string_view text);
    /// Nothing is sent once this has returned.
    void stop();

private:
    void work();

    std::function<void(std::string)> m_send;
    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::string m_pending;
    bool m_isStopped = false;
    std::thread m_thread;   ///< from the first text on
};

}  // namespace tracedeck::judge
