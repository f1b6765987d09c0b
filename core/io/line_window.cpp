// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/line_window.h"

#include <cstring>
#include <string>

#include "core/io/fast_trace_line.h"
#include "core/io/read_file.h"

namespace tracedeck {

LineWindow::LineWindow(const FileDescriptor& file, const std::filesystem::path& path, std::uint64_t offset)
    : m_file(file), m_path(path), m_offset(offset), m_buffer(kBlockBytes + FastTraceLine::kPadding)
{
}

Result<std::optional<std::string_view>> LineWindow::next()
{
    m_start = m_next;
    std::size_t searched = m_start;
    while (true) {
        const void* found = std::memchr(m_buffer.data() + searched, '\n', m_end - searched);
        if (found != nullptr) {
            const auto lineEnd = static_cast<std::size_t>(static_cast<const char*>(found) - m_buffer.data());
            m_next = lineEnd + 1;
            return std::optional(std::string_view(m_buffer.data() + m_start, lineEnd - m_start));
        }
        if (m_isAtEnd) {
            m_next = m_end;
            if (m_start == m_end) return std::optional<std::string_view>();
            return std::optional(std::string_view(m_buffer.data() + m_start, m_end - m_start));
        }
        searched = m_end - m_start;
        if (auto filled = fill(); !filled) return filled.error();
    }
}

bool LineWindow::isUnterminated() const
{
    return m_isAtEnd && m_next == m_end && (m_end == 0 || m_buffer[m_end - 1] != '\n');
}

/// Moves the unfinished line to the front and reads on behind it.
Result<void> LineWindow::fill()
{
    std::memmove(m_buffer.data(), m_buffer.data() + m_start, m_end - m_start);
    m_offset += m_start;
    m_end -= m_start;
    m_start = 0;
    std::size_t capacity = m_buffer.size() - FastTraceLine::kPadding;
    if (m_end == capacity) {
        if (capacity >= kMaximumLineBytes) {
            return Error{ErrorCode::InvalidInput,
                         "a line is longer than " + std::to_string(kMaximumLineBytes) +
                             " bytes; the rest of the file is not read",
                         {},
                         0,
                         {}};
        }
        capacity *= 2;
        m_buffer.resize(capacity + FastTraceLine::kPadding);
    }
    const auto got = readAt(m_file, m_path, m_buffer.data() + m_end, capacity - m_end, m_offset + m_end);
    if (!got) return got.error();
    m_isAtEnd = *got < capacity - m_end;
    m_end += *got;
    return {};
}

}  // namespace tracedeck
