// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/trace_reader.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <vector>

#include "core/io/fast_trace_line.h"
#include "core/io/json_codec.h"
#include "core/io/json_parse.h"
#include "core/io/read_file.h"
#include "core/model/text.h"

namespace tracedeck {

namespace {

/// Small enough to be parsed where reading left it: in the cache.
constexpr std::size_t kBlockBytes = std::size_t{1} << 18U;
/// Far beyond any log; keeps a file without line ends from filling the memory.
constexpr std::size_t kMaximumLineBytes = std::size_t{1} << 28U;

/// Turns the text of one line into records.
class LineReader {
public:
    explicit LineReader(TraceLineSink& sink) : m_sink(sink) {}

    /// `text` without its line end, followed by FastTraceLine::kPadding readable bytes. `isLast`: the file ends with it.
    void read(std::string_view text, std::uint64_t byteOffset, std::int64_t line, bool isLast)
    {
        if (byteOffset == 0 && hasByteOrderMark(text)) {
            warn(line, "the byte order mark at the start is skipped");
            text = withoutByteOrderMark(text);
            byteOffset += 3;
        }
        const std::string_view trimmed = trimWhitespace(text);
        if (trimmed.empty()) return;
        byteOffset += static_cast<std::uint64_t>(trimmed.data() - text.data());
        if (m_fast.read(trimmed, m_fields)) {
            m_sink.onTrace(m_fields, byteOffset, line);
            return;
        }
        auto decoded = decodeTrace(trimmed, ReadMode::Tolerant);
        if (decoded) {
            accept(std::move(*decoded), byteOffset, line);
            return;
        }
        const std::vector<std::string_view> pieces = splitJsonValues(trimmed);
        if (pieces.size() > 1) {
            readGlued(pieces, trimmed, byteOffset, line);
            return;
        }
        Error error = decoded.error();
        if (isLast && error.field.empty()) {
            error.reason = "the last line is cut off, as when a program is stopped while it writes; the line is left out, "
                           "and the next result that is appended repairs the file (" + error.reason + ")";
        }
        fail(std::move(error), line);
    }

private:
    void accept(Decoded<Trace> decoded, std::uint64_t byteOffset, std::int64_t line)
    {
        for (Problem& warning : decoded.warnings) {
            warning.error.line = line;
            m_sink.onProblem(std::move(warning));
        }
        if (decoded.value.isWorkloadTrace()) {
            m_sink.onWorkload(std::move(decoded.value), line);
        } else {
            m_sink.onTrace(fieldsOf(decoded.value), byteOffset, line);
        }
    }

    /// Old appenders could put a record on a line that was not ended.
    void readGlued(const std::vector<std::string_view>& pieces, std::string_view text, std::uint64_t byteOffset, std::int64_t line)
    {
        bool hasRecord = false;
        for (const std::string_view piece : pieces) {
            const std::string_view trimmed = trimWhitespace(piece);
            auto decoded = decodeTrace(trimmed, ReadMode::Tolerant);
            if (decoded) {
                accept(std::move(*decoded), byteOffset + static_cast<std::uint64_t>(trimmed.data() - text.data()), line);
                hasRecord = true;
            } else {
                fail(decoded.error(), line);
            }
        }
        if (hasRecord) warn(line, "several records stand on one line; each is read by itself");
    }

    void warn(std::int64_t line, std::string reason)
    {
        m_sink.onProblem(Problem{Severity::Warning, Error{ErrorCode::InvalidInput, std::move(reason), {}, line, {}}});
    }
    void fail(Error error, std::int64_t line)
    {
        error.line = line;
        m_sink.onProblem(Problem{Severity::Error, std::move(error)});
    }

    TraceLineSink& m_sink;
    FastTraceLine m_fast;
    TraceFields m_fields;
};

/// A window over a file that moves forward from line end to line end.
class LineWindow {
public:
    LineWindow(const FileDescriptor& file, const std::filesystem::path& path, std::uint64_t offset)
        : m_file(file), m_path(path), m_offset(offset), m_buffer(std::make_unique_for_overwrite<char[]>(kBlockBytes + FastTraceLine::kPadding))
    {
    }

    /// Text up to the next LF (which is not part of it) or the end of the file. std::nullopt at the end.
    Result<std::optional<std::string_view>> next()
    {
        m_start = m_next;
        std::size_t searched = m_start;
        while (true) {
            const void* found = std::memchr(m_buffer.get() + searched, '\n', m_end - searched);
            if (found != nullptr) {
                const auto lineEnd = static_cast<std::size_t>(static_cast<const char*>(found) - m_buffer.get());
                m_next = lineEnd + 1;
                return std::optional(std::string_view(m_buffer.get() + m_start, lineEnd - m_start));
            }
            if (m_isAtEnd) {
                m_next = m_end;
                if (m_start == m_end) return std::optional<std::string_view>();
                return std::optional(std::string_view(m_buffer.get() + m_start, m_end - m_start));
            }
            searched = m_end - m_start;
            if (auto filled = fill(); !filled) return filled.error();
        }
    }
    /// Place in the file of the text that next() gave.
    [[nodiscard]] std::uint64_t offset() const { return m_offset + m_start; }
    /// Whether that text ended with the file, not with a line end.
    [[nodiscard]] bool isUnterminated() const { return m_isAtEnd && m_next == m_end && (m_end == 0 || m_buffer[m_end - 1] != '\n'); }

    /// Bytes in front of that text, as they were read.
    [[nodiscard]] std::string_view bytesBefore()
    {
        if (m_start - m_keptEnd > TraceLineSink::kBytesBefore) m_keptEnd = m_start - TraceLineSink::kBytesBefore;
        keepBytesBefore();
        return m_before;
    }

private:
    void keepBytesBefore()
    {
        m_before.append(m_buffer.get() + m_keptEnd, m_start - m_keptEnd);
        m_keptEnd = m_start;
        if (m_before.size() > TraceLineSink::kBytesBefore) m_before.erase(0, m_before.size() - TraceLineSink::kBytesBefore);
    }
    /// Moves the unfinished line to the front and reads on behind it.
    Result<void> fill()
    {
        if (m_start - m_keptEnd > TraceLineSink::kBytesBefore) m_keptEnd = m_start - TraceLineSink::kBytesBefore;
        keepBytesBefore();
        m_keptEnd = 0;
        std::memmove(m_buffer.get(), m_buffer.get() + m_start, m_end - m_start);
        m_offset += m_start;
        m_end -= m_start;
        m_start = 0;
        if (m_end == m_capacity) {
            if (m_capacity >= kMaximumLineBytes) {
                return Error{ErrorCode::InvalidInput,
                             "a line is longer than " + std::to_string(kMaximumLineBytes) + " bytes; the rest of the file is not read",
                             {}, 0, {}};
            }
            auto larger = std::make_unique_for_overwrite<char[]>(2 * m_capacity + FastTraceLine::kPadding);
            std::memcpy(larger.get(), m_buffer.get(), m_end);
            m_buffer = std::move(larger);
            m_capacity *= 2;
        }
        const auto got = readAt(m_file, m_path, m_buffer.get() + m_end, m_capacity - m_end, m_offset + m_end);
        if (!got) return got.error();
        m_isAtEnd = *got < m_capacity - m_end;
        m_end += *got;
        // What is read beyond the end of a text decides nothing, but it must be something.
        std::memset(m_buffer.get() + m_end, 0, FastTraceLine::kPadding);
        return {};
    }

    const FileDescriptor& m_file;
    const std::filesystem::path& m_path;
    std::uint64_t m_offset;   ///< of the first byte in the buffer
    std::unique_ptr<char[]> m_buffer;   ///< kPadding bytes longer than m_capacity; not cleared first, which takes longer than reading
    std::size_t m_capacity = kBlockBytes;
    std::size_t m_start = 0;
    std::size_t m_next = 0;
    std::size_t m_end = 0;
    bool m_isAtEnd = false;
    std::string m_before;        ///< bytes that were moved out of the buffer, and those up to m_keptEnd
    std::size_t m_keptEnd = 0;
};

Error cancelled(const std::filesystem::path& path)
{
    return Error{ErrorCode::Cancelled, "loading was cancelled", toValidUtf8(path.string()), 0, {}};
}

}  // namespace

void TraceLineSink::onUnterminatedLine(std::uint64_t, std::int64_t, std::string_view) {}
void TraceLineSink::onFileEnd(std::uint64_t, std::string_view) {}

Result<std::int64_t> readTraceLines(const std::filesystem::path& path, const ByteRange& range, TraceLineSink& sink,
                                    std::stop_token stop)
{
    const auto file = openForReading(path);
    if (!file) return file.error();
    // The line in which a range starts belongs to the range before, unless it starts right there.
    LineWindow window(file->descriptor, path, range.begin == 0 ? 0 : range.begin - 1);
    if (range.begin > 0) {
        if (const auto skipped = window.next(); !skipped) return skipped.error();
    }
    LineReader reader(sink);
    std::int64_t lines = 0;
    while (!stop.stop_requested()) {
        const auto next = window.next();
        if (!next) return next.error();
        if (!next->has_value()) {
            sink.onFileEnd(window.offset(), window.bytesBefore());
            return lines;
        }
        if (window.offset() >= range.end) return lines;
        std::string_view text = **next;
        const bool isLast = window.isUnterminated();
        std::uint64_t offset = window.offset();
        if (isLast) sink.onUnterminatedLine(offset, lines, window.bytesBefore());
        if (!isLast && text.ends_with('\r')) text.remove_suffix(1);
        // A lone CR ends a line too.
        for (std::size_t end = text.find('\r'); end != std::string_view::npos; end = text.find('\r')) {
            reader.read(text.substr(0, end), offset, ++lines, false);
            text.remove_prefix(end + 1);
            offset += end + 1;
        }
        reader.read(text, offset, ++lines, isLast);
    }
    return cancelled(path);
}

Result<Trace> readTraceAt(const std::filesystem::path& path, std::uint64_t byteOffset)
{
    const auto file = openForReading(path);
    if (!file) return file.error();
    LineWindow window(file->descriptor, path, byteOffset);
    const auto next = window.next();
    if (!next) return next.error();
    const auto nothing = [&path] {
        return Error{ErrorCode::NotFound, "the record is no longer there", toValidUtf8(path.string()), 0, {}};
    };
    if (!next->has_value()) return nothing();
    const std::string_view text = trimWhitespace((*next)->substr(0, (*next)->find('\r')));
    auto decoded = decodeTrace(text, ReadMode::Tolerant);
    if (!decoded) {
        const std::vector<std::string_view> pieces = splitJsonValues(text);
        if (pieces.size() > 1) decoded = decodeTrace(trimWhitespace(pieces.front()), ReadMode::Tolerant);
    }
    if (!decoded) {
        Error error = decoded.error();
        error.file = toValidUtf8(path.string());
        error.line = 0;
        return error;
    }
    return std::move(decoded->value);
}

}  // namespace tracedeck
