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

struct TraceReaderMemory::State {
    LineBuffer buffer;
    FastTraceLine fast;
    TraceFields fields;
};

TraceReaderMemory::TraceReaderMemory() : m_state(std::make_unique<State>()) {}
TraceReaderMemory::~TraceReaderMemory() = default;

namespace {

/// Turns the text of one line into records.
class LineReader {
public:
    LineReader(TraceLineSink& sink, const ReadPlace& place, TraceReaderMemory& memory)
        : m_sink(sink), m_place(place), m_fast(memory.state().fast), m_fields(memory.state().fields)
    {
        m_fast.forgetWorkloads();   // another sink numbers them anew
    }

    /// Reads the line at the start of a text when that can be done without looking for its end first. Returns its bytes
    /// without the LF; 0: it could not.
    std::size_t readAhead(std::string_view text, std::uint64_t byteOffset, std::int64_t line)
    {
        const std::size_t size = m_fast.readAhead(text, m_fields);
        if (size > 0) addTrace(m_fields, byteOffset, line);
        return size;
    }
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
            addTrace(m_fields, byteOffset, line);
            return;
        }
        auto decoded = decodeTrace(trimmed, ReadMode::Tolerant, m_place);
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
            addTrace(fieldsOf(decoded.value), byteOffset, line);
        }
    }

    void addTrace(const TraceFields& fields, std::uint64_t byteOffset, std::int64_t line)
    {
        for (const OddValue& odd : oddValuesOf(fields)) {
            m_sink.onProblem(Problem{Severity::Warning, Error{ErrorCode::InvalidInput, odd.reason, {}, line, odd.field}});
        }
        m_sink.onTrace(fields, byteOffset, line);
    }

    /// Old appenders could put a record on a line that was not ended.
    void readGlued(const std::vector<std::string_view>& pieces, std::string_view text, std::uint64_t byteOffset, std::int64_t line)
    {
        bool hasRecord = false;
        for (const std::string_view piece : pieces) {
            const std::string_view trimmed = trimWhitespace(piece);
            auto decoded = decodeTrace(trimmed, ReadMode::Tolerant, m_place);
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
        m_sink.onProblem(Problem{Severity::Warning, Error{ErrorCode::InvalidInput, std::move(reason), {}, line, {}}, true});
    }
    void fail(Error error, std::int64_t line)
    {
        error.line = line;
        m_sink.onProblem(Problem{Severity::Error, std::move(error)});
    }

    TraceLineSink& m_sink;
    ReadPlace m_place;
    FastTraceLine& m_fast;
    TraceFields& m_fields;
};

/// The first bytes of a file.
Result<std::string> readStart(const std::filesystem::path& path)
{
    const auto file = openForReading(path);
    if (!file) return file.error();
    std::string start(4096, '\0');
    const auto got = readAt(file->descriptor, path, start.data(), start.size(), 0);
    if (!got) return got.error();
    start.resize(*got);
    return start;
}

/// Whether a text is an array, or begins with an object that does not end on its first line.
bool spansLines(std::string_view text)
{
    text = trimWhitespace(withoutByteOrderMark(text));
    const std::string_view first = trimWhitespace(text.substr(0, text.find_first_of("\r\n")));
    return first.starts_with('[') || (first.starts_with('{') && first.ends_with('{'));
}

/// The object that starts at an offset, on however many lines it stands.
Result<std::string> readRecordOfLines(const FileDescriptor& file, const std::filesystem::path& path, std::uint64_t byteOffset)
{
    std::string text;
    for (std::size_t wanted = kBlockBytes; wanted <= kMaximumLineBytes; wanted *= 2) {
        const std::size_t had = text.size();
        text.resize(wanted);
        const auto got = readAt(file, path, text.data() + had, wanted - had, byteOffset + had);
        if (!got) return got.error();
        text.resize(had + *got);
        if (const auto end = jsonValueEnd(text)) return text.substr(0, *end);
        if (text.size() < wanted) break;
    }
    return Error{ErrorCode::NotFound, "the record is no longer there", toValidUtf8(path.string()), 0, {}};
}

Error cancelled(const std::filesystem::path& path)
{
    return Error{ErrorCode::Cancelled, "loading was cancelled", toValidUtf8(path.string()), 0, {}};
}

}  // namespace

void TraceLineSink::onUnterminatedLine(std::uint64_t, std::int64_t, std::string_view) {}
void TraceLineSink::onFileEnd(std::uint64_t, std::string_view) {}

Result<std::int64_t> readTraceLines(const std::filesystem::path& path, const ByteRange& range, TraceLineSink& sink,
                                    std::stop_token stop, const ReadPlace& place)
{
    TraceReaderMemory memory;
    return readTraceLines(path, range, sink, memory, std::move(stop), place);
}

Result<std::int64_t> readTraceLines(const std::filesystem::path& path, const ByteRange& range, TraceLineSink& sink,
                                    TraceReaderMemory& memory, std::stop_token stop, const ReadPlace& place)
{
    const auto file = openForReading(path);
    if (!file) return file.error();
    // The line in which a range starts belongs to the range before, unless it starts right there.
    LineWindow window(file->descriptor, path, range.begin == 0 ? 0 : range.begin - 1, memory.state().buffer);
    if (range.begin > 0) {
        if (const auto skipped = window.next(); !skipped) return skipped.error();
    }
    LineReader reader(sink, place, memory);
    std::int64_t lines = 0;
    while (!stop.stop_requested()) {
        if (window.aheadOffset() < range.end) {
            if (const std::size_t size = reader.readAhead(window.ahead(), window.aheadOffset(), lines + 1); size > 0) {
                window.take(size);
                ++lines;
                continue;
            }
        }
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

Result<std::int64_t> readTraceDocument(const std::filesystem::path& path, TraceLineSink& sink, TraceReaderMemory& memory,
                                       std::stop_token stop, const ReadPlace& place)
{
    const auto start = readStart(path);
    if (!start) return start.error();
    if (!spansLines(*start)) return readTraceLines(path, {}, sink, memory, std::move(stop), place);
    auto whole = readWholeFile(path, kMaximumLineBytes);
    if (!whole) return whole.error();
    const std::size_t size = whole->size();
    whole->append(FastTraceLine::kPadding, '\0');
    const std::string_view text(whole->data(), size);
    LineReader reader(sink, place, memory);
    std::int64_t line = 1;
    std::string_view rest = text;
    const auto skip = [&](std::size_t count) {
        line += std::count(rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(count), '\n');
        rest.remove_prefix(count);
    };
    skip(std::min(text.find_first_of("[{"), size));
    if (rest.starts_with('[')) skip(1);
    while (!stop.stop_requested()) {
        skip(std::min(rest.find_first_not_of(", \t\r\n"), rest.size()));
        if (rest.empty() || rest.starts_with(']')) return line;
        const std::size_t length = jsonValueEnd(rest).value_or(rest.size());
        reader.read(rest.substr(0, length), static_cast<std::uint64_t>(rest.data() - text.data()), line, length == rest.size());
        skip(length);
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
    if (!decoded && spansLines(text)) {
        auto record = readRecordOfLines(file->descriptor, path, byteOffset);
        if (!record) return record.error();
        decoded = decodeTrace(*record, ReadMode::Tolerant);
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
