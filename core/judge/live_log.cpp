// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/live_log.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "core/model/text.h"

namespace tracedeck::judge {

LiveLog::LiveLog(std::function<void(std::string)> send) : m_send(std::move(send)) {}

LiveLog::~LiveLog()
{
    stop();
}

void LiveLog::append(std::string_view text)
{
    const std::lock_guard lock(m_mutex);
    if (m_isStopped || text.empty()) {
        return;
    }
    m_pending += text.substr(text.size() - std::min(text.size(), kPieceBytes));
    if (m_pending.size() > kPieceBytes) {
        m_pending.erase(0, m_pending.size() - kPieceBytes);
    }
    if (!m_thread.joinable()) {
        m_thread = std::thread([this] { work(); });
    }
    m_changed.notify_one();
}

void LiveLog::stop()
{
    {
        const std::lock_guard lock(m_mutex);
        m_isStopped = true;
        m_changed.notify_one();
    }
    if (m_thread.joinable()) {
        m_thread.join();
    }
}

void LiveLog::work()
{
    std::unique_lock lock(m_mutex);
    while (!m_isStopped) {
        m_changed.wait(lock, [this] { return m_isStopped || !m_pending.empty(); });
        if (m_isStopped) {
            return;
        }
        const std::string text = toValidUtf8(std::exchange(m_pending, {}));
        lock.unlock();
        m_send(text);
        lock.lock();
        m_changed.wait_for(lock, std::chrono::milliseconds(kPauseMs), [this] { return m_isStopped; });
    }
}

}  // namespace tracedeck::judge
