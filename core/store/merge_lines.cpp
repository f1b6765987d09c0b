// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/merge_lines.h"

#include <vector>

#include "core/io/fast_trace_line.h"
#include "core/io/json_codec.h"
#include "core/io/json_parse.h"
#include "core/io/line_window.h"
#include "core/io/read_file.h"
#include "core/model/text.h"

namespace tracedeck {

namespace {

class LineTextReader {
public:
    explicit LineTextReader(LineTextSink& sink) : m_sink(sink) {}

    /// `text` is followed by FastTraceLine::kPadding readable bytes.
    Result<void> read(std::string_view text, std::int64_t line)
    {
        const std::string_view trimmed = trimWhitespace(line == 1 ? withoutByteOrderMark(text) : text);
        if (trimmed.empty()) return {};
        if (m_fast.read(trimmed, m_fields)) {
            // Borrowed texts of the fields lie in the reader, not in the line.
            return hasLineBreak(trimmed) ? m_sink.onTraceText(escapeLineBreaks(std::string(trimmed)), m_fields, line)
                                         : m_sink.onTraceText(trimmed, m_fields, line);
        }
        if (const auto strict = decodeTrace(trimmed, ReadMode::Strict)) {
            return pass(escapeLineBreaks(std::string(trimmed)), strict->value, line);
        }
        auto tolerant = decodeTrace(trimmed, ReadMode::Tolerant);
        if (tolerant) return update(trimmed, *tolerant, line);
        const std::vector<std::string_view> pieces = splitJsonValues(trimmed);
        if (pieces.size() < 2) return m_sink.onRefusedText(trimmed, tolerant.error(), line);
        // Old appenders could put a record on a line that was not ended.
        for (const std::string_view piece : pieces) {
            const std::string_view record = trimWhitespace(piece);
            auto decoded = decodeTrace(record, ReadMode::Tolerant);
            auto done = decoded ? update(record, *decoded, line) : m_sink.onRefusedText(record, decoded.error(), line);
            if (!done) return done;
        }
        return {};
    }

private:
    static bool hasLineBreak(std::string_view text)
    {
        return text.find("\xC2\x85") != std::string_view::npos || text.find("\xE2\x80\xA8") != std::string_view::npos ||
               text.find("\xE2\x80\xA9") != std::string_view::npos;
    }

    Result<void> pass(const std::string& text, const Trace& trace, std::int64_t line)
    {
        return trace.isWorkloadTrace() ? m_sink.onWorkloadText(text, trace, line)
                                       : m_sink.onTraceText(text, fieldsOf(trace), line);
    }

    Result<void> update(std::string_view original, Decoded<Trace>& decoded, std::int64_t line)
    {
        const std::string text = writeLine(encodeTrace(decoded.value));
        const auto strict = decodeTrace(text, ReadMode::Strict);
        if (!strict) return m_sink.onRefusedText(original, strict.error(), line);
        for (const Problem& warning : decoded.warnings) m_sink.onUpdated(warning, line);
        return pass(text, strict->value, line);
    }

    LineTextSink& m_sink;
    FastTraceLine m_fast;
    TraceFields m_fields;
};

}  // namespace

Result<void> readLineTexts(const std::filesystem::path& path, LineTextSink& sink, const std::stop_token& stop)
{
    const auto file = openForReading(path);
    if (!file) return file.error();
    LineWindow window(file->descriptor, path, 0);
    LineTextReader reader(sink);
    std::int64_t line = 0;
    while (!stop.stop_requested()) {
        const auto next = window.next();
        if (!next) return next.error();
        if (!next->has_value()) return {};
        std::string_view text = **next;
        if (!window.isUnterminated() && text.ends_with('\r')) text.remove_suffix(1);
        // A lone CR ends a line too.
        for (std::size_t end = text.find('\r'); end != std::string_view::npos; end = text.find('\r')) {
            if (auto done = reader.read(text.substr(0, end), ++line); !done) return done;
            text.remove_prefix(end + 1);
        }
        if (auto done = reader.read(text, ++line); !done) return done;
    }
    return Error{ErrorCode::Cancelled, "the merge was cancelled", toValidUtf8(path.string()), 0, {}};
}

}  // namespace tracedeck
