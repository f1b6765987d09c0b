// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "core/io/file_descriptor.h"
#include "core/model/result.h"

namespace tracedeck {

// Changing the files of a dataset while others may be at it, too. Several tracedeck processes take turns by a lock on the file;
// flashinfer-bench locks nothing and appends in one go, so what it appends at any moment is looked for and kept.
// Paths are relative to the root of the dataset. Links below the first folder are refused: the loader does not follow them, and
// they could lead out of the dataset.

/// A file opened in its folder.
struct DataFile {
    FileDescriptor folder;
    FileDescriptor file;
    bool isNew = false;
};

struct AppendedLines {
    DataFile opened;                ///< not yet forced to disk
    std::uint64_t byteOffset = 0;   ///< of the first byte of the text
};

/// Appends whole lines (each with its line end) in one write; folders are made as needed. A last line that lacks its line end gets
/// one first; when it is torn, it is moved to `<file>.torn`. On error nothing is left behind in the file.
[[nodiscard]] Result<AppendedLines> appendLines(const std::filesystem::path& root, const std::filesystem::path& file, std::string_view text);

/// How a file of lines ends.
enum class LineFileEnd {
    Ended,          ///< with a line end, or the file is empty
    LacksLineEnd,   ///< with a whole record: others who append could glue theirs to it
    TornRecord,     ///< with half a record, as a program leaves it that is stopped while it writes
    Unclear         ///< with something else
};
/// Error: the file cannot be read.
[[nodiscard]] Result<LineFileEnd> lineFileEnd(const std::filesystem::path& root, const std::filesystem::path& file);
/// Adds the line end that is missing, or moves the torn record to `<file>.torn`, as appendLines() does first. Returns what was
/// wrong. On error the file is as it was; Unsupported: it is Unclear.
[[nodiscard]] Result<LineFileEnd> repairLineFileEnd(const std::filesystem::path& root, const std::filesystem::path& file);

/// Whether appendLines() to this file can be expected to work; folders are made as needed, the file is not. Error: as there.
[[nodiscard]] Result<void> checkAppendable(const std::filesystem::path& root, const std::filesystem::path& file);

/// What a rewritten file is made of.
enum class FileKind {
    Object,   ///< one JSON value: someone else's change meanwhile is a Conflict
    Lines     ///< records: lines that someone else appends meanwhile are kept
};
/// New content from the present one; called again when the file changes under it.
using FileEdit = std::function<Result<std::string>(const std::string& present)>;

/// Replaces the content of a file that exists: readers see the old or the new one, a kill at any moment leaves one of them
/// behind (and perhaps a hidden `.tmp` beside it). Error Conflict: someone else changed the file meanwhile, or keeps it open for
/// writing; the file is as they left it.
[[nodiscard]] Result<void> rewriteFile(const std::filesystem::path& root, const std::filesystem::path& file, FileKind kind, const FileEdit& edit);

}  // namespace tracedeck
