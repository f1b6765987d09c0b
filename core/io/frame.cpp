// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/frame.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstring>

#include <fmt/format.h>

#include "core/io/json_codec.h"

namespace tracedeck {

namespace {

constexpr std::size_t kHeaderBytes = 4;
constexpr double kLongestWaitSeconds = 366.0 * 24 * 3600;

Error frameError(ErrorCode code, std::string reason)
{
    return Error{code, std::move(reason), {}, 0, {}};
}

Error systemError(const char* call)
{
    return frameError(ErrorCode::Io, fmt::format("{} failed: {}", call, std::strerror(errno)));
}

Error closedError()
{
    return frameError(ErrorCode::ProcessFailed, "the other process closed the connection");
}

/// Waits for `events`. Error TimedOut or Io.
Result<void> waitFor(int descriptor, short events, Deadline deadline)
{
    while (true) {
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - FrameClock::now()).count();
        pollfd entry{descriptor, events, 0};
        const int ready = ::poll(&entry, 1, static_cast<int>(std::clamp<std::int64_t>(left, 0, 1'000'000)));
        if (ready > 0) {
            return {};
        }
        if (ready < 0 && errno != EINTR) {
            return systemError("poll");
        }
        if (ready == 0 && FrameClock::now() >= deadline) {
            return frameError(ErrorCode::TimedOut, "no message came in time");
        }
    }
}

using ControlBuffer = std::array<char, CMSG_SPACE(sizeof(int) * kMaxFrameDescriptors)>;

/// Takes the descriptors out of a received message. False when the kernel had to drop some.
bool collectDescriptors(msghdr& message, std::vector<FileDescriptor>& into)
{
    for (cmsghdr* control = CMSG_FIRSTHDR(&message); control != nullptr; control = CMSG_NXTHDR(&message, control)) {
        if (control->cmsg_level != SOL_SOCKET || control->cmsg_type != SCM_RIGHTS) {
            continue;
        }
        const std::size_t count = (control->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (std::size_t i = 0; i < count; ++i) {
            int descriptor = -1;
            std::memcpy(&descriptor, CMSG_DATA(control) + i * sizeof(int), sizeof(int));
            into.emplace_back(descriptor);
        }
    }
    return (message.msg_flags & MSG_CTRUNC) == 0;
}

}  // namespace

Deadline deadlineAfter(double seconds)
{
    const double bounded = std::isnan(seconds) ? 0.0 : std::clamp(seconds, 0.0, kLongestWaitSeconds);
    return FrameClock::now() + std::chrono::duration_cast<FrameClock::duration>(std::chrono::duration<double>(bounded));
}

std::string encodeFrame(const Json& body)
{
    const std::string text = body.dump(-1, ' ', false, Json::error_handler_t::replace);
    std::string bytes(kHeaderBytes, '\0');
    for (std::size_t i = 0; i < kHeaderBytes; ++i) {
        bytes[i] = static_cast<char>((text.size() >> (8 * i)) & 0xFFU);
    }
    return bytes + text;
}

std::size_t FrameParser::wanted() const
{
    if (m_header.size() < kHeaderBytes) {
        return kHeaderBytes - m_header.size();
    }
    return m_length - m_body.size();
}

Result<std::optional<Json>> FrameParser::feed(std::span<const char>& bytes)
{
    if (m_header.size() < kHeaderBytes) {
        const std::size_t taken = std::min(bytes.size(), wanted());
        m_header.append(bytes.data(), taken);
        bytes = bytes.subspan(taken);
        if (m_header.size() < kHeaderBytes) {
            return std::optional<Json>{};
        }
        m_length = 0;
        for (std::size_t i = 0; i < kHeaderBytes; ++i) {
            m_length |= static_cast<std::size_t>(static_cast<unsigned char>(m_header[i])) << (8 * i);
        }
        if (m_length == 0 || m_length > m_maxBytes) {
            return frameError(ErrorCode::InvalidInput,
                              fmt::format("a message of {} bytes was announced; 1 to {} are allowed", m_length, m_maxBytes));
        }
    }
    const std::size_t taken = std::min(bytes.size(), wanted());
    m_body.append(bytes.data(), taken);
    bytes = bytes.subspan(taken);
    if (m_body.size() < m_length) {
        return std::optional<Json>{};
    }
    const std::string text = std::exchange(m_body, {});
    m_header.clear();
    auto json = parseJson(text, ReadMode::Strict);
    if (!json) {
        return frameError(ErrorCode::InvalidInput, "a message is not JSON: " + json.error().reason);
    }
    if (!json->is_object() || !json->contains("op") || !json->at("op").is_string()) {
        return frameError(ErrorCode::InvalidInput, "a message is not an object with a string `op`");
    }
    return std::optional<Json>{std::move(*json)};
}

FrameSocket::FrameSocket(FileDescriptor socket, std::size_t maxReceiveBytes)
    : m_socket(std::move(socket)), m_parser(maxReceiveBytes)
{
}

Result<std::pair<FileDescriptor, FileDescriptor>> FrameSocket::makePair()
{
    std::array<int, 2> ends{-1, -1};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
        return systemError("socketpair");
    }
    return std::pair<FileDescriptor, FileDescriptor>{FileDescriptor(ends[0]), FileDescriptor(ends[1])};
}

Result<void> FrameSocket::send(const Json& body, Deadline deadline, std::span<const int> descriptors)
{
    if (descriptors.size() > kMaxFrameDescriptors) {
        return frameError(ErrorCode::InvalidInput, fmt::format("{} descriptors in one message; {} are allowed",
                                                               descriptors.size(), kMaxFrameDescriptors));
    }
    const std::string bytes = encodeFrame(body);
    if (bytes.size() - kHeaderBytes > kMaxProgramFrameBytes) {
        return frameError(ErrorCode::InvalidInput, fmt::format("a message of {} bytes is larger than the {} allowed",
                                                               bytes.size() - kHeaderBytes, kMaxProgramFrameBytes));
    }
    std::size_t sent = 0;
    while (sent < bytes.size()) {
        // The descriptors travel with the first byte, so that the receiver has them before the body is whole.
        // const_cast: iovec has no const form; sendmsg only reads.
        iovec piece{const_cast<char*>(bytes.data()) + sent, bytes.size() - sent};
        msghdr message{};
        message.msg_iov = &piece;
        message.msg_iovlen = 1;
        alignas(cmsghdr) ControlBuffer control{};
        if (sent == 0 && !descriptors.empty()) {
            message.msg_control = control.data();
            message.msg_controllen = CMSG_SPACE(descriptors.size_bytes());
            cmsghdr* header = CMSG_FIRSTHDR(&message);
            header->cmsg_level = SOL_SOCKET;
            header->cmsg_type = SCM_RIGHTS;
            header->cmsg_len = CMSG_LEN(descriptors.size_bytes());
            std::memcpy(CMSG_DATA(header), descriptors.data(), descriptors.size_bytes());
        }
        const ssize_t count = ::sendmsg(m_socket.get(), &message, MSG_DONTWAIT | MSG_NOSIGNAL);
        if (count >= 0) {
            sent += static_cast<std::size_t>(count);
            continue;
        }
        if (errno == EPIPE || errno == ECONNRESET) {
            return closedError();
        }
        if (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR) {
            return systemError("sendmsg");
        }
        if (auto ready = waitFor(m_socket.get(), POLLOUT, deadline); !ready) {
            return ready;
        }
    }
    return {};
}

Result<Frame> FrameSocket::receive(Deadline deadline)
{
    if (m_broken) {
        return *m_broken;
    }
    std::vector<char> chunk;
    while (true) {
        // Never more than the current frame: the next frame's descriptors come with its first byte.
        chunk.resize(std::min<std::size_t>(m_parser.wanted(), std::size_t{1} << 20));
        iovec piece{chunk.data(), chunk.size()};
        alignas(cmsghdr) ControlBuffer control{};
        msghdr message{};
        message.msg_iov = &piece;
        message.msg_iovlen = 1;
        message.msg_control = control.data();
        message.msg_controllen = control.size();
        const ssize_t count = ::recvmsg(m_socket.get(), &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
        if (count < 0) {
            if (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR) {
                if (auto ready = waitFor(m_socket.get(), POLLIN, deadline); !ready) {
                    return ready.error();
                }
                continue;
            }
            return errno == ECONNRESET ? closedError() : systemError("recvmsg");
        }
        const bool complete = collectDescriptors(message, m_pending);
        if (count == 0) {
            m_broken = closedError();
            return *m_broken;
        }
        if (!complete || m_pending.size() > kMaxFrameDescriptors) {
            m_broken = frameError(ErrorCode::InvalidInput, "a message carries too many descriptors");
            m_pending.clear();
            return *m_broken;
        }
        std::span<const char> bytes(chunk.data(), static_cast<std::size_t>(count));
        auto parsed = m_parser.feed(bytes);
        if (!parsed) {
            m_broken = parsed.error();
            m_pending.clear();
            return *m_broken;
        }
        if (*parsed) {
            return Frame{std::move(**parsed), std::exchange(m_pending, {})};
        }
    }
}

bool FrameSocket::waitReadable(Deadline deadline) const
{
    return waitFor(m_socket.get(), POLLIN, deadline).has_value();
}

Result<void> expectOp(const Frame& frame, const std::string& op)
{
    if (frame.op() == op) {
        return {};
    }
    std::string detail;
    if (const auto message = frame.body.find("message"); message != frame.body.end() && message->is_string()) {
        detail = ": " + message->get<std::string>();
    }
    return frameError(ErrorCode::ProcessFailed, fmt::format("expected the message `{}`, got `{}`{}", op, frame.op(), detail));
}

}  // namespace tracedeck
