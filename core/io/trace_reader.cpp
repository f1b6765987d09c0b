// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/trace_reader.h"

#include <algorithm>
#include <vector>

#include "core/io/fast_trace_line.h"
#include "core/io/json_codec.h"
#include "core/io/json_parse.h"
#include "core/io/line_window.h"
#include "core/io/read_file.h"
#include "core/model/text.h"

namespace tracedeck {

namespace {

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

Error cancelled(const std::filesystem::path& path)
{
    return Error{ErrorCode::Cancelled, "loading was cancelled", toValidUtf8(path.string()), 0, {}};
}

}  // namespace

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
        if (!next->has_value() || window.offset() >= range.end) return lines;
        std::string_view text = **next;
        const bool isLast = window.isUnterminated();
        std::uint64_t offset = window.offset();
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
