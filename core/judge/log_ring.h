// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include "core/io/file_descriptor.h"

namespace tracedeck::judge {

class LiveLog;

/// Largest log of one evaluation (benchmark §5.5).
inline constexpr std::size_t kMaxLogBytes = std::size_t{5} << 20;

/// Keeps the beginning and the end of a stream of text of any length.
class LogRing {
public:
    static constexpr std::size_t kHeadBytes = std::size_t{64} << 10;
    static constexpr std::size_t kTailBytes = std::size_t{1} << 20;

    void append(std::string_view text);
    /// Head, a line that says how much was left out, tail. Invalid UTF-8 becomes U+FFFD, NUL too.
    [[nodiscard]] std::string text() const;

private:
    std::string m_head;
    std::string m_tail;            ///< ring once it is full
    std::size_t m_tailStart = 0;
    std::size_t m_leftOut = 0;
};

/// Reads a host's stdout and stderr all the time, so that no flood ever blocks it or fills our memory.
class LogDrain {
public:
    LogDrain(FileDescriptor output, FileDescriptor errorOutput);
    /// Stops without waiting for the pipes' end: what is in them is read, no more.
    ~LogDrain();
    LogDrain(const LogDrain&) = delete;
    LogDrain& operator=(const LogDrain&) = delete;

    /// What has come so far.
    [[nodiscard]] std::string text();
    /// The same, and begins anew: the host's next evaluation has a log of its own. Reads what is in the pipes first.
    [[nodiscard]] std::string take();
    /// What comes from now on goes there, too, and the end of what has come; null: nowhere.
    void follow(std::shared_ptr<LiveLog> follower);
    /// Reads what is still in the pipes and ends. To be called when their writers are gone.
    void finish();

private:
    void work();

    FileDescriptor m_output;
    FileDescriptor m_errorOutput;
    FileDescriptor m_wake;   ///< eventfd
    std::mutex m_mutex;
    LogRing m_ring;
    std::shared_ptr<LiveLog> m_follower;
    std::thread m_thread;
};

}  // namespace tracedeck::judge
