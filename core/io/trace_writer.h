// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "core/model/result.h"
#include "core/model/trace.h"

namespace tracedeck {

/// True for a name that may become one path component: not empty, not `.` or `..`, no `/`, `\` or NUL.
[[nodiscard]] bool isSafePathComponent(const std::string& name);

/// `traces/<author>/<op_type>/<definition>.jsonl` below the root; Error when a part is not a safe path component.
[[nodiscard]] Result<std::filesystem::path> traceFilePath(const std::filesystem::path& root, const std::string& author,
                                                          const std::string& opType, const std::string& definition);

/// The line (without its end) that stores an evaluated trace. Error InvalidInput: it has no solution or evaluation, or a strict
/// reader of the dialect would refuse it.
[[nodiscard]] Result<std::string> resultLine(const Trace& trace, Dialect dialect = Dialect::FlashInferTrace);

/// Appends trace lines to the files of a dataset so that a kill at any moment leaves only whole lines behind.
/// One write per line under an exclusive lock on the file; fsync within a second and in flush(). Every line is checked with
/// the strict reader first. Folders are made as needed; links below `traces` are refused.
/// A last line that lacks its newline gets one first. When it is torn (half a record, left by a kill), it is moved to
/// `<file>.torn`, which no reader loads: other programs give up on a whole dataset over one such line.
/// Safe to call from several threads.
class TraceWriter {
public:
    explicit TraceWriter(std::filesystem::path root);
    ~TraceWriter();
    TraceWriter(const TraceWriter&) = delete;
    TraceWriter& operator=(const TraceWriter&) = delete;

    /// Where a line went.
    struct Appended {
        std::filesystem::path file;     ///< as traceFilePath gives it
        std::uint64_t byteOffset = 0;   ///< of the line's first byte
    };
    /// Appends one evaluated trace. On error nothing is left behind in the file. Error NotFound: the root itself is gone.
    Result<Appended> append(const Trace& trace, const std::string& author, const std::string& opType);
    /// The same to a file below `traces`, as a path relative to the root.
    Result<Appended> append(const Trace& trace, const std::filesystem::path& file, Dialect dialect);
    /// Forces everything to disk. Error: that failed, now or earlier in the background.
    Result<void> flush();

private:
    struct State;
    std::unique_ptr<State> m_state;
};

/// Writes a whole file through a temporary sibling and a rename. What is not a regular file (a pipe) is written to directly.
Result<void> writeFileAtomically(const std::filesystem::path& path, std::string_view content);

}  // namespace tracedeck
