// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <stop_token>
#include <thread>
#include <vector>

namespace tracedeck {

/// Threads that a job may use when nobody says how many: one a processor.
[[nodiscard]] inline unsigned defaultThreads()
{
    return std::max(1U, std::thread::hardware_concurrency());
}

/// Calls `work(i)` for each i below `count`, on up to `threads` threads, the calling one among them; returns when all are
/// done. Not all are called when the stop token is set. The first exception is thrown again here, after the others ended.
template <class Work>
void parallelFor(std::size_t count, unsigned threads, const Work& work, const std::stop_token& stop = {})
{
    std::atomic<std::size_t> next{0};
    std::exception_ptr failure;
    std::mutex mutex;
    const auto run = [&] {
        try {
            for (std::size_t i = next++; i < count && !stop.stop_requested(); i = next++) work(i);
        } catch (...) {
            const std::scoped_lock lock(mutex);
            if (!failure) failure = std::current_exception();
            next = count;
        }
    };
    {
        std::vector<std::jthread> others;
        for (std::size_t i = 1; i < std::min<std::size_t>(threads, count); ++i) others.emplace_back(run);
        run();
    }
    if (failure) std::rethrow_exception(failure);
}

}  // namespace tracedeck
