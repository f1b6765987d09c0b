// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/io/problem_list.h"
#include "core/io/trace_reader.h"
#include "core/store/file_stamp.h"
#include "core/store/trace_table.h"

namespace tracedeck {

/// What was read from some consecutive lines of a workloads or traces file.
struct LinePart {
    ByteRange range;
    TraceTable traces;              ///< all with the file number 0
    std::vector<Trace> workloads;
    ProblemList problems;
    std::int64_t lines = 0;
    bool isComplete = false;        ///< false: the file could not be read to the end of the range
    std::uint64_t resumeAt = 0;     ///< of the last part: start of the open line, else the end of the file
    std::string bytesBeforeResume;
    /// The last line when no line end follows it: it may still be growing. Its traces and workloads are at the end of the
    /// lists above, its problems here only.
    struct OpenLine {
        std::int64_t linesBefore = 0;
        std::size_t firstTrace = 0;
        std::size_t firstWorkload = 0;
        ProblemList problems;
    };
    std::optional<OpenLine> openLine;
};

/// A workloads or traces file.
struct LineSource {
    std::filesystem::path path;
    bool isTraceFolder = false;
    ReadPlace place;
};

/// False: it may be one array, or hold records of several lines (SOL-ExecBench's traces.json), and is read as a whole.
[[nodiscard]] bool isReadByLines(const std::filesystem::path& file);

/// Reads one part; what goes wrong becomes a problem of it. `sizeHint`: bytes of the part, as far as known. `traceCount` is
/// raised while reading when it is not null.
void readLinePart(const LineSource& source, LinePart& part, std::uint64_t sizeHint, TraceReaderMemory& memory, const std::stop_token& stop,
                  std::atomic<std::uint64_t>* traceCount);

/// Consecutive workloads of one definition, as they stand in a file.
struct WorkloadRun {
    std::string definition;
    std::size_t first = 0;   ///< index in the dataset's list of the definition
    std::size_t count = 0;
};

/// What a dataset remembers of a workloads or traces file, so that a reload reads only what is new in it.
struct LineFileRecord {
    std::optional<FileStamp> stamp;   ///< from before the file was read; not set when it cannot be taken for unchanged
    std::size_t rows = 0;             ///< consecutive rows of the table
    std::vector<WorkloadRun> workloads;
    ProblemList problems;             ///< of the lines that are ended
    std::int64_t lines = 0;           ///< those that are ended
    /// Where reading goes on when the file grows: the end, or the start of a last line that is not ended.
    std::uint64_t resumeAt = 0;
    std::size_t rowsBeforeResume = 0;
    std::size_t workloadsBeforeResume = 0;
    ProblemList openLineProblems;
    bool isOpenLinePending = false;   ///< openLineProblems are not reported, as the line may still be growing
    /// Bytes right before resumeAt, of large files only: when they are still there, the file only grew.
    std::string bytesBeforeResume;
};

}  // namespace tracedeck
