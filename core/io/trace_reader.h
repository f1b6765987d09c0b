// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <stop_token>
#include <string_view>

#include "core/io/json_codec.h"
#include "core/io/line_window.h"
#include "core/io/problem_list.h"
#include "core/io/trace_fields.h"
#include "core/model/result.h"
#include "core/model/trace.h"

namespace tracedeck {

/// Takes what stands in the lines of a workloads or traces file, in file order.
class TraceLineSink {
public:
    virtual ~TraceLineSink() = default;
    /// A trace with a solution or an evaluation; the texts end with the call. `byteOffset` is the record's place in the file.
    virtual void onTrace(const TraceFields& fields, std::uint64_t byteOffset, std::int64_t line) = 0;
    /// A line without both.
    virtual void onWorkload(Trace workload, std::int64_t line) = 0;
    /// Without the file; the line counts from the start of the range.
    virtual void onProblem(Problem problem) = 0;
    /// What follows stands on a last line without line end, which another program may still be writing. `lines`: how many
    /// lines come before it; `byteOffset`: where it begins; `before`: up to kBytesBefore bytes in front of it.
    virtual void onUnterminatedLine(std::uint64_t byteOffset, std::int64_t lines, std::string_view before);
    /// The file ends here; not called when the range ends before the file does.
    virtual void onFileEnd(std::uint64_t byteOffset, std::string_view before);
    static constexpr std::size_t kBytesBefore = LineWindow::kBytesBefore;
};

/// Part of a file: the lines that begin at or after `begin` and before `end`.
struct ByteRange {
    std::uint64_t begin = 0;
    std::uint64_t end = std::numeric_limits<std::uint64_t>::max();
};

/// Memory that reading lines takes, for one file after the other: getting it takes as long as reading some hundred lines.
class TraceReaderMemory {
public:
    TraceReaderMemory();
    ~TraceReaderMemory();
    TraceReaderMemory(const TraceReaderMemory&) = delete;
    TraceReaderMemory& operator=(const TraceReaderMemory&) = delete;

    struct State;
    [[nodiscard]] State& state() { return *m_state; }

private:
    std::unique_ptr<State> m_state;
};

/// Reads lines in tolerant mode (data model §1.5, §5.3), block by block: a file that changes meanwhile does no harm. A
/// torn last line, one that is not UTF-8 or breaks a rule is a problem, and the next one is read. Returns the number of lines
/// that the range has. Error: the file cannot be read, or the stop token was set.
[[nodiscard]] Result<std::int64_t> readTraceLines(const std::filesystem::path& path, const ByteRange& range, TraceLineSink& sink,
                                                  TraceReaderMemory& memory, std::stop_token stop = {}, const ReadPlace& place = {});
[[nodiscard]] Result<std::int64_t> readTraceLines(const std::filesystem::path& path, const ByteRange& range, TraceLineSink& sink,
                                                  std::stop_token stop = {}, const ReadPlace& place = {});

/// The same for a file that may be one JSON array of traces, or hold records of several lines each (SOL-ExecBench's
/// traces.json); one that has a record a line is read as such. Files of that other kind above 256 MiB are refused.
[[nodiscard]] Result<std::int64_t> readTraceDocument(const std::filesystem::path& path, TraceLineSink& sink, TraceReaderMemory& memory,
                                                     std::stop_token stop = {}, const ReadPlace& place = {});

/// Reads the one record that starts at an offset, as readTraceLines and readTraceDocument count them. Error: no record
/// starts there.
[[nodiscard]] Result<Trace> readTraceAt(const std::filesystem::path& path, std::uint64_t byteOffset);

}  // namespace tracedeck
