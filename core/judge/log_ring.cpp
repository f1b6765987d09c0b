// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/log_ring.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <memory>

#include <fmt/format.h>

#include "core/judge/live_log.h"
#include "core/model/text.h"

namespace tracedeck::judge {

namespace {

constexpr std::size_t kReadBytes = std::size_t{64} << 10;
/// A daemon that still writes while we finish must not keep us.
constexpr int kReadsAtTheEnd = 64;

/// False when the pipe has ended.
bool readSome(const FileDescriptor& pipe, std::array<char, kReadBytes>& buffer, std::string_view& got)
{
    const ssize_t count = ::read(pipe.get(), buffer.data(), buffer.size());
    got = count > 0 ? std::string_view(buffer.data(), static_cast<std::size_t>(count)) : std::string_view{};
    return count > 0 || (count < 0 && (errno == EAGAIN || errno == EINTR));
}

}  // namespace

void LogRing::append(std::string_view text)
{
    if (const std::size_t room = kHeadBytes - m_head.size(); room > 0) {
        const std::size_t taken = std::min(room, text.size());
        m_head.append(text.substr(0, taken));
        text.remove_prefix(taken);
    }
    if (text.size() > kTailBytes) {
        m_leftOut += m_tail.size() + text.size() - kTailBytes;
        m_tail.assign(text.substr(text.size() - kTailBytes));
        m_tailStart = 0;
        return;
    }
    const std::size_t grown = std::min(kTailBytes - m_tail.size(), text.size());
    m_tail.append(text.substr(0, grown));
    text.remove_prefix(grown);
    m_leftOut += text.size();
    while (!text.empty()) {
        const std::size_t count = std::min(text.size(), kTailBytes - m_tailStart);
        m_tail.replace(m_tailStart, count, text.substr(0, count));
        m_tailStart = (m_tailStart + count) % kTailBytes;
        text.remove_prefix(count);
    }
}

std::string LogRing::text() const
{
    std::string text = m_head;
    if (m_leftOut > 0) {
        text += fmt::format("\n[log truncated: {} bytes left out]\n", m_leftOut);
    }
    text.append(m_tail, m_tailStart);
    text.append(m_tail, 0, m_tailStart);
    std::string repaired = toValidUtf8(text);
    for (std::size_t nul = repaired.find('\0'); nul != std::string::npos; nul = repaired.find('\0', nul)) {
        repaired.replace(nul, 1, "\xEF\xBF\xBD");
    }
    return repaired;
}

LogDrain::LogDrain(FileDescriptor output, FileDescriptor errorOutput)
    : m_output(std::move(output)), m_errorOutput(std::move(errorOutput)), m_wake(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK))
{
    for (const FileDescriptor* pipe : {&m_output, &m_errorOutput}) {
        ::fcntl(pipe->get(), F_SETFL, O_NONBLOCK);
    }
    m_thread = std::thread([this] { work(); });
}

LogDrain::~LogDrain()
{
    finish();
}

std::string LogDrain::text()
{
    const std::lock_guard lock(m_mutex);
    return m_ring.text();
}

std::string LogDrain::take()
{
    const std::lock_guard lock(m_mutex);
    auto buffer = std::make_unique<std::array<char, kReadBytes>>();
    for (const FileDescriptor* pipe : {&m_output, &m_errorOutput}) {
        std::string_view got;
        for (int reads = kReadsAtTheEnd; reads > 0 && pipe->isOpen() && readSome(*pipe, *buffer, got) && !got.empty(); --reads) {
            m_ring.append(got);
        }
    }
    std::string text = m_ring.text();
    m_ring = LogRing{};
    return text;
}

void LogDrain::follow(std::shared_ptr<LiveLog> follower)
{
    const std::lock_guard lock(m_mutex);
    m_follower = std::move(follower);
    if (m_follower) {
        m_follower->append(m_ring.text());
    }
}

void LogDrain::finish()
{
    if (m_thread.joinable()) {
        ::eventfd_write(m_wake.get(), 1);
        m_thread.join();
    }
}

void LogDrain::work()
{
    std::array<char, kReadBytes> buffer;
    std::array<pollfd, 3> entries{pollfd{m_output.get(), POLLIN, 0}, pollfd{m_errorOutput.get(), POLLIN, 0}, pollfd{m_wake.get(), POLLIN, 0}};
    const std::array<const FileDescriptor*, 2> pipes{&m_output, &m_errorOutput};
    bool stopping = false;
    while (!stopping && (entries[0].fd >= 0 || entries[1].fd >= 0)) {
        if (::poll(entries.data(), entries.size(), -1) < 0 && errno != EINTR) {
            return;
        }
        stopping = entries[2].revents != 0;
        for (std::size_t i = 0; i < pipes.size(); ++i) {
            for (int reads = stopping ? kReadsAtTheEnd : 1; reads > 0 && entries[i].fd >= 0; --reads) {
                if (!stopping && entries[i].revents == 0) {
                    break;
                }
                // One reader at a time, so that what take() reads keeps its place.
                const std::lock_guard lock(m_mutex);
                std::string_view got;
                const bool goesOn = readSome(*pipes[i], buffer, got);
                if (!goesOn) {
                    entries[i].fd = -1;   // poll() ignores it from now on
                }
                if (got.empty()) {
                    break;
                }
                m_ring.append(got);
                if (m_follower) {
                    m_follower->append(got);
                }
            }
        }
    }
}

}  // namespace tracedeck::judge
