// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/io/file_descriptor.h"
#include "core/model/json.h"
#include "core/model/result.h"

namespace tracedeck {

/// Version of the messages, sent as `v` in the first frame of a connection (core/judge/protocol.md).
inline constexpr int kProtocolVersion = 1;
/// Largest frame between the program and its judge, and from the judge to a host.
inline constexpr std::size_t kMaxProgramFrameBytes = std::size_t{64} << 20;
/// Largest frame that a host may send.
inline constexpr std::size_t kMaxHostFrameBytes = std::size_t{1} << 20;
/// Most descriptors that one frame may carry (the kernel's limit for one message).
inline constexpr std::size_t kMaxFrameDescriptors = 253;

using FrameClock = std::chrono::steady_clock;
using Deadline = FrameClock::time_point;
/// The moment `seconds` from now; at most a year, so that a huge timeout can't overflow.
[[nodiscard]] Deadline deadlineAfter(double seconds);

/// One message: a JSON object with a string `op`, and the descriptors that came with it.
struct Frame {
    Json body;
    std::vector<FileDescriptor> descriptors;

    [[nodiscard]] std::string op() const { return body.at("op").get<std::string>(); }
};

/// The bytes of one frame: 4-byte little-endian length, then the JSON text.
[[nodiscard]] std::string encodeFrame(const Json& body);

/// Takes frames apart as bytes arrive, whatever their grouping. Has no idea of sockets, so that it can be fuzzed.
class FrameParser {
public:
    explicit FrameParser(std::size_t maxBytes) : m_maxBytes(maxBytes) {}
    /// Bytes that are still missing of the current header or body; never 0.
    [[nodiscard]] std::size_t wanted() const;
    /// Takes bytes from the front of `bytes` (at most wanted()), and returns a message when one is whole.
    /// Error InvalidInput: the stream is unusable from here on (length, JSON, or not an object with a string `op`).
    Result<std::optional<Json>> feed(std::span<const char>& bytes);
    /// True between two frames.
    [[nodiscard]] bool isIdle() const { return m_header.empty() && m_body.empty(); }

private:
    std::size_t m_maxBytes;
    std::string m_header;
    std::string m_body;
    std::size_t m_length = 0;
};

/// One end of a unix stream socket that carries frames. Not thread-safe.
class FrameSocket {
public:
    FrameSocket() = default;
    /// `maxReceiveBytes`: largest frame that is accepted from the other end.
    FrameSocket(FileDescriptor socket, std::size_t maxReceiveBytes);

    /// Two connected sockets, close-on-exec. Error Io.
    static Result<std::pair<FileDescriptor, FileDescriptor>> makePair();

    [[nodiscard]] bool isOpen() const { return m_socket.isOpen(); }
    /// For poll(): readable when a frame (or its end) has arrived.
    [[nodiscard]] int descriptor() const { return m_socket.get(); }
    void close() { m_socket.close(); }

    /// Sends one frame. The descriptors are duplicated into the other process; the caller keeps its own.
    /// Error ProcessFailed (other end gone), TimedOut, Io, InvalidInput (too large for the other end).
    Result<void> send(const Json& body, Deadline deadline, std::span<const int> descriptors = {});
    /// The next frame. TimedOut keeps what has arrived: calling again goes on with the same frame, so a short deadline is
    /// a way to look at a stop token in between. Error ProcessFailed: the other end closed the connection. InvalidInput:
    /// it broke the rules, and every later call says so again.
    Result<Frame> receive(Deadline deadline);
    /// Waits until receive() has something to read. False when the deadline passed.
    [[nodiscard]] bool waitReadable(Deadline deadline) const;

private:
    FileDescriptor m_socket;
    FrameParser m_parser{kMaxHostFrameBytes};
    std::vector<FileDescriptor> m_pending;
    std::optional<Error> m_broken;
};

/// Error unless the message's `op` is the one expected; quotes the `message` of a `fatal` or `error`.
[[nodiscard]] Result<void> expectOp(const Frame& frame, const std::string& op);

}  // namespace tracedeck
