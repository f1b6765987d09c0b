// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/line_window.h"

#include <cstring>
#include <string>
#include <utility>

#include "core/io/fast_trace_line.h"
#include "core/io/read_file.h"

namespace tracedeck {

namespace {

LineBuffer bufferOf(std::size_t capacity)
{
    return {std::make_unique_for_overwrite<char[]>(capacity + FastTraceLine::kPadding), capacity};
}

}  // namespace

LineWindow::LineWindow(const FileDescriptor& file, const std::filesystem::path& path, std::uint64_t offset, LineBuffer& buffer)
    : m_file(file), m_path(path), m_offset(offset), m_buffer(buffer)
{
    if (m_buffer.capacity == 0) m_buffer = bufferOf(kBlockBytes);
}

LineWindow::LineWindow(const FileDescriptor& file, const std::filesystem::path& path, std::uint64_t offset)
    : LineWindow(file, path, offset, m_ownBuffer)
{
}

LineWindow::~LineWindow()
{
    if (m_buffer.capacity > kBlockBytes) m_buffer = {};   // enormous lines are rare
}

Result<std::optional<std::string_view>> LineWindow::next()
{
    m_start = m_next;
    std::size_t searched = m_start;
    while (true) {
        const void* found = std::memchr(m_buffer.bytes.get() + searched, '\n', m_end - searched);
        if (found != nullptr) {
            const auto lineEnd = static_cast<std::size_t>(static_cast<const char*>(found) - m_buffer.bytes.get());
            m_next = lineEnd + 1;
            return std::optional(std::string_view(m_buffer.bytes.get() + m_start, lineEnd - m_start));
        }
        if (m_isAtEnd) {
            m_next = m_end;
            if (m_start == m_end) return std::optional<std::string_view>();
            return std::optional(std::string_view(m_buffer.bytes.get() + m_start, m_end - m_start));
        }
        searched = m_end - m_start;
        if (auto filled = fill(); !filled) return filled.error();
    }
}

bool LineWindow::isUnterminated() const
{
    return m_isAtEnd && m_next == m_end && (m_end == 0 || m_buffer.bytes[m_end - 1] != '\n');
}

std::string_view LineWindow::bytesBefore()
{
    keepBytesBefore();
    return m_before;
}

void LineWindow::keepBytesBefore()
{
    if (m_start - m_keptEnd > kBytesBefore) m_keptEnd = m_start - kBytesBefore;
    m_before.append(m_buffer.bytes.get() + m_keptEnd, m_start - m_keptEnd);
    m_keptEnd = m_start;
    if (m_before.size() > kBytesBefore) m_before.erase(0, m_before.size() - kBytesBefore);
}

/// Moves the unfinished line to the front and reads on behind it.
Result<void> LineWindow::fill()
{
    keepBytesBefore();
    m_keptEnd = 0;
    std::memmove(m_buffer.bytes.get(), m_buffer.bytes.get() + m_start, m_end - m_start);
    m_offset += m_start;
    m_end -= m_start;
    m_start = 0;
    if (m_end == m_buffer.capacity) {
        if (m_buffer.capacity >= kMaximumLineBytes) {
            return Error{ErrorCode::InvalidInput,
                         "a line is longer than " + std::to_string(kMaximumLineBytes) +
                             " bytes; the rest of the file is not read",
                         {},
                         0,
                         {}};
        }
        LineBuffer larger = bufferOf(2 * m_buffer.capacity);
        std::memcpy(larger.bytes.get(), m_buffer.bytes.get(), m_end);
        m_buffer = std::move(larger);
    }
    const auto got = readAt(m_file, m_path, m_buffer.bytes.get() + m_end, m_buffer.capacity - m_end, m_offset + m_end);
    if (!got) return got.error();
    m_isAtEnd = *got < m_buffer.capacity - m_end;
    m_end += *got;
    // What is read beyond the end of a text decides nothing, but it must be something.
    std::memset(m_buffer.bytes.get() + m_end, 0, FastTraceLine::kPadding);
    return {};
}

}  // namespace tracedeck
