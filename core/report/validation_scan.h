// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/definition.h"
#include "core/model/result.h"
#include "core/model/solution.h"
#include "core/model/trace.h"

namespace tracedeck {

/// Which of the four folders of a dataset something lies in.
enum class DatasetFolder { Definitions, Solutions, Workloads, Traces };
constexpr std::size_t kDatasetFolderCount = 4;
[[nodiscard]] std::string_view toString(DatasetFolder folder);

/// An entry below one of the four folders, whatever it is.
struct ScannedEntry {
    enum class Kind { File, Folder, Broken, Other };
    std::string path;                 ///< relative to the root, with forward slashes
    std::vector<std::string> parts;   ///< below the folder
    Kind kind = Kind::File;           ///< of what a link leads to; Broken: a link to nothing
    bool isLink = false;
    bool hasSuffix = false;   ///< its name ends as the names of this folder's files do
    bool isAtPlace = false;   ///< at the depth at which flashinfer-bench's validator looks
};

/// A definition or solution file. `value` is not set when the strict reader refuses it; `error` says why.
template <class Item>
struct ScannedObject {
    std::string path;                 ///< relative to the root
    std::vector<std::string> parts;   ///< below its folder: op_type…, file name
    std::string stem;                 ///< file name without its suffix, as Python has it
    bool isAtPlace = false;
    std::optional<Item> value;
    std::string error;
    bool isUnreadable = false;   ///< the system refused to read it
};
using ScannedDefinition = ScannedObject<Definition>;
using ScannedSolution = ScannedObject<Solution>;

/// A workloads file (with its records) or a traces file (whose records are read as they are needed).
struct ScannedLines {
    std::string path;
    std::vector<std::string> parts;
    std::string stem;
    bool isAtPlace = false;
    std::vector<Trace> records;        ///< of a workloads file; none when one line is bad
    std::vector<std::int64_t> lines;   ///< of the records
    std::string error;                 ///< first bad line; empty when there is none
    bool isUnreadable = false;
};

/// The folder as the validator sees it. The lists are in load order and hold what lies at the wrong depth, too; the
/// maps hold only what lies at its place: index into the list, a later file replaces an earlier one.
struct ValidationScan {
    std::filesystem::path root;
    std::vector<ScannedEntry> entries;
    std::vector<Problem> folderProblems;   ///< folders that cannot be read
    std::vector<ScannedDefinition> definitions;
    std::vector<ScannedSolution> solutions;
    std::vector<ScannedLines> workloads;
    std::vector<ScannedLines> traces;
    std::map<std::string, std::size_t> definitionByStem;
    std::map<std::string, std::size_t> workloadsByStem;
    std::map<std::string, std::vector<std::size_t>> solutionsByFolder;        ///< by definition folder
    std::map<std::string, std::map<std::string, std::size_t>> tracesByStem;   ///< by stem, then author folder
};

/// Walks the folder and reads definitions, solutions and workloads with the strict reader. `withMisplaced`: also those
/// that lie at the wrong depth. Error: the stop token was set.
[[nodiscard]] Result<ValidationScan> scanForValidation(const std::filesystem::path& root, bool withMisplaced,
                                                       const std::stop_token& stop);

/// A text as Python's `str.splitlines` cuts it: at LF, CR, CRLF, VT, FF, U+001C to U+001E, U+0085, U+2028 and U+2029.
/// `text` has no LF in it, except for what precedes it; calls back with each piece.
void splitPythonLines(std::string_view text, const std::function<void(std::string_view)>& onLine);

/// What became of reading the lines of a file one by one.
struct LinesOutcome {
    std::string error;   ///< empty: every line is a record
    bool isUnreadable = false;
};
/// Reads the records of a file as flashinfer-bench's validator does: strict, cut at every line end that Python knows.
/// `onRecord` gets the trimmed text (with FastTraceLine::kPadding readable bytes behind it) and its line, and returns
/// what is wrong with it, or nothing; the first such text ends the reading.
[[nodiscard]] LinesOutcome
readValidatedLines(const std::filesystem::path& file,
                   const std::function<std::optional<std::string>(std::string_view, std::int64_t)>& onRecord,
                   const std::stop_token& stop);

/// The root as Python's pathlib spells it: no doubled or trailing separators, no `.` parts.
[[nodiscard]] std::string pythonPath(const std::filesystem::path& path);
/// Text of an error without its file, for a message that names the file by itself.
[[nodiscard]] std::string withoutFile(const Error& error);

}  // namespace tracedeck
