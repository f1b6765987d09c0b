// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/io/file_descriptor.h"
#include "core/model/result.h"

namespace tracedeck {

/// Bytes read at a time: few enough to be parsed where reading left them, in the cache.
inline constexpr std::size_t kBlockBytes = std::size_t{1} << 18U;
/// Far beyond any log; keeps a file without line ends from filling the memory.
inline constexpr std::size_t kMaximumLineBytes = std::size_t{1} << 28U;

/// Memory of a LineWindow, which another one may use after it.
struct LineBuffer {
    std::unique_ptr<char[]> bytes;   ///< FastTraceLine::kPadding bytes longer than the capacity; not cleared first, which takes longer than reading
    std::size_t capacity = 0;
};

/// A window over a file that moves forward from line end to line end; its size does not depend on that of the file. The
/// file may change meanwhile.
class LineWindow {
public:
    static constexpr std::size_t kBytesBefore = 4096;

    /// Starts at a byte offset. The other arguments must outlive the window.
    LineWindow(const FileDescriptor& file, const std::filesystem::path& path, std::uint64_t offset, LineBuffer& buffer);
    LineWindow(const FileDescriptor& file, const std::filesystem::path& path, std::uint64_t offset);
    ~LineWindow();
    LineWindow(const LineWindow&) = delete;
    LineWindow& operator=(const LineWindow&) = delete;

    /// Text up to the next LF (which is not part of it) or the end of the file. std::nullopt at the end. The text lives
    /// until the next call; FastTraceLine::kPadding bytes behind it are readable. Error: the file cannot be read, or a
    /// line is longer than any that the format could have; its `file` is empty in the second case.
    [[nodiscard]] Result<std::optional<std::string_view>> next();
    /// What is read already of the text that next() will give, and of what follows it; kPadding bytes behind it are readable.
    [[nodiscard]] std::string_view ahead() const { return {m_buffer.bytes.get() + m_next, m_end - m_next}; }
    /// Place in the file of ahead().
    [[nodiscard]] std::uint64_t aheadOffset() const { return m_offset + m_next; }
    /// Like next(), for one who found that the first `size` bytes of ahead() are a line and its LF follows.
    void take(std::size_t size)
    {
        m_start = m_next;
        m_next += size + 1;
    }
    /// Place in the file of the text that next() gave.
    [[nodiscard]] std::uint64_t offset() const { return m_offset + m_start; }
    /// Whether that text ended with the file, not with a line end.
    [[nodiscard]] bool isUnterminated() const;
    /// Up to kBytesBefore bytes in front of that text, as they were read; they live until the next call of next().
    [[nodiscard]] std::string_view bytesBefore();

private:
    void keepBytesBefore();
    Result<void> fill();

    const FileDescriptor& m_file;
    const std::filesystem::path& m_path;
    std::uint64_t m_offset;   ///< of the first byte in the buffer
    LineBuffer m_ownBuffer;   ///< when none was given
    LineBuffer& m_buffer;
    std::size_t m_start = 0;
    std::size_t m_next = 0;
    std::size_t m_end = 0;
    bool m_isAtEnd = false;
    std::string m_before;        ///< bytes that were moved out of the buffer, and those up to m_keptEnd
    std::size_t m_keptEnd = 0;
};

}  // namespace tracedeck
