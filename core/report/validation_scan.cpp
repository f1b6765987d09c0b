// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/validation_scan.h"

#include <algorithm>
#include <array>
#include <system_error>

#include "core/io/dataset_scanner.h"
#include "core/io/json_codec.h"
#include "core/io/line_window.h"
#include "core/io/read_file.h"
#include "core/model/text.h"

namespace tracedeck {

namespace {

namespace fs = std::filesystem;

struct FolderFacts {
    std::string_view name;
    std::string_view suffix;
    std::size_t depth;   ///< parts of a path below the folder
};
constexpr std::array<FolderFacts, kDatasetFolderCount> kFolderFacts{
    {{"definitions", ".json", 2}, {"solutions", ".json", 4}, {"workloads", ".jsonl", 2}, {"traces", ".jsonl", 3}}};

/// Definitions and solutions are source text: nothing near this size is one.
constexpr std::uint64_t kMaximumFileBytes = std::uint64_t{256} << 20U;

/// `a.b.json` → `a.b`; a name that is nothing but a suffix has none.
std::string stemOf(const std::string& name)
{
    const std::size_t dot = name.rfind('.');
    return dot == std::string::npos || dot == 0 ? name : name.substr(0, dot);
}

ScannedEntry scannedEntry(const fs::directory_entry& entry, const FolderFacts& facts, const std::string& folder)
{
    ScannedEntry scanned;
    const std::string name = entry.path().filename().string();
    scanned.path = folder + "/" + name;
    std::error_code code;
    scanned.isLink = entry.is_symlink(code);
    const fs::file_status status = entry.status(code);
    if (fs::is_directory(status)) scanned.kind = ScannedEntry::Kind::Folder;
    else if (fs::is_regular_file(status)) scanned.kind = ScannedEntry::Kind::File;
    else if (scanned.isLink && !fs::exists(status)) scanned.kind = ScannedEntry::Kind::Broken;
    else scanned.kind = ScannedEntry::Kind::Other;
    scanned.hasSuffix = name.ends_with(facts.suffix);
    return scanned;
}

void splitParts(ScannedEntry& entry, const FolderFacts& facts)
{
    std::size_t start = facts.name.size() + 1;
    for (std::size_t slash = entry.path.find('/', start); slash != std::string::npos;
         slash = entry.path.find('/', start)) {
        entry.parts.push_back(entry.path.substr(start, slash - start));
        start = slash + 1;
    }
    entry.parts.push_back(entry.path.substr(start));
    entry.isAtPlace = entry.hasSuffix && entry.parts.size() == facts.depth;
}

/// Everything below one of the four folders, in load order. Links to folders are listed but not followed.
std::vector<ScannedEntry> walkDatasetFolder(const fs::path& root, const FolderFacts& facts,
                                            std::vector<Problem>& problems, const std::stop_token& stop)
{
    std::vector<ScannedEntry> entries;
    std::error_code code;
    if (!fs::is_directory(root / facts.name, code)) return entries;
    std::vector<std::string> pending{std::string(facts.name)};
    while (!pending.empty() && !stop.stop_requested()) {
        const std::string folder = std::move(pending.back());
        pending.pop_back();
        const auto unreadable = [&](const std::error_code& why) {
            problems.push_back(Problem{
                Severity::Error, Error{ErrorCode::Io, "the folder cannot be read: " + why.message(), folder, 0, {}}});
        };
        fs::directory_iterator iterator(root / folder, code);
        if (code) {
            unreadable(code);
            continue;
        }
        while (iterator != fs::directory_iterator()) {
            entries.push_back(scannedEntry(*iterator, facts, folder));
            splitParts(entries.back(), facts);
            if (entries.back().kind == ScannedEntry::Kind::Folder && !entries.back().isLink) {
                pending.push_back(entries.back().path);
            }
            iterator.increment(code);
            if (code) {
                unreadable(code);
                break;
            }
        }
    }
    std::sort(entries.begin(), entries.end(),
              [](const ScannedEntry& a, const ScannedEntry& b) { return precedesInLoadOrder(a.path, b.path); });
    return entries;
}

template <class Scanned>
Scanned newScanned(const ScannedEntry& entry)
{
    Scanned scanned;
    scanned.path = entry.path;
    scanned.parts = entry.parts;
    scanned.stem = stemOf(entry.parts.back());
    scanned.isAtPlace = entry.isAtPlace;
    return scanned;
}

template <class Item, class Decode>
ScannedObject<Item> readObjectFile(const fs::path& root, const ScannedEntry& entry, Decode decode)
{
    auto scanned = newScanned<ScannedObject<Item>>(entry);
    const auto text = readWholeFile(root / entry.path, kMaximumFileBytes);
    if (!text) {
        scanned.error = withoutFile(text.error());
        scanned.isUnreadable = true;
        return scanned;
    }
    auto decoded = decode(*text);
    if (decoded) scanned.value = std::move(decoded->value);
    else scanned.error = withoutFile(decoded.error());
    return scanned;
}

ScannedLines readWorkloadsFile(const fs::path& root, const ScannedEntry& entry, const std::stop_token& stop)
{
    auto scanned = newScanned<ScannedLines>(entry);
    const LinesOutcome outcome = readValidatedLines(
        root / entry.path,
        [&scanned](std::string_view text, std::int64_t line) -> std::optional<std::string> {
            auto decoded = decodeTrace(text, ReadMode::Strict);
            if (!decoded) return withoutFile(decoded.error());
            scanned.records.push_back(std::move(decoded->value));
            scanned.lines.push_back(line);
            return std::nullopt;
        },
        stop);
    scanned.error = outcome.error;
    scanned.isUnreadable = outcome.isUnreadable;
    if (!scanned.error.empty()) {
        scanned.records.clear();
        scanned.lines.clear();
    }
    return scanned;
}

void indexPlaces(ValidationScan& scan)
{
    for (std::size_t i = 0; i < scan.definitions.size(); ++i) {
        if (scan.definitions[i].isAtPlace) scan.definitionByStem[scan.definitions[i].stem] = i;
    }
    for (std::size_t i = 0; i < scan.workloads.size(); ++i) {
        if (scan.workloads[i].isAtPlace) scan.workloadsByStem[scan.workloads[i].stem] = i;
    }
    for (std::size_t i = 0; i < scan.solutions.size(); ++i) {
        if (scan.solutions[i].isAtPlace) scan.solutionsByFolder[scan.solutions[i].parts[2]].push_back(i);
    }
    for (std::size_t i = 0; i < scan.traces.size(); ++i) {
        if (scan.traces[i].isAtPlace) scan.tracesByStem[scan.traces[i].stem][scan.traces[i].parts[0]] = i;
    }
}

/// Bytes of the line end at the front, as Python has them; 0 when there is none.
std::size_t pythonLineEnd(std::string_view text)
{
    switch (static_cast<unsigned char>(text.front())) {
    case '\n':
    case '\v':
    case '\f':
    case 0x1C:
    case 0x1D:
    case 0x1E: return 1;
    case '\r': return text.starts_with("\r\n") ? 2 : 1;
    case 0xC2: return text.starts_with("\xC2\x85") ? 2 : 0;
    case 0xE2: return text.starts_with("\xE2\x80\xA8") || text.starts_with("\xE2\x80\xA9") ? 3 : 0;
    default: return 0;
    }
}

}  // namespace

std::string_view toString(DatasetFolder folder)
{
    return kFolderFacts.at(static_cast<std::size_t>(folder)).name;
}

void splitPythonLines(std::string_view text, const std::function<void(std::string_view)>& onLine)
{
    constexpr std::string_view kFirstBytes = "\n\v\f\r\x1C\x1D\x1E\xC2\xE2";
    std::size_t start = 0;
    for (std::size_t at = text.find_first_of(kFirstBytes); at != std::string_view::npos;
         at = text.find_first_of(kFirstBytes, at)) {
        const std::size_t length = pythonLineEnd(text.substr(at));
        if (length == 0) {
            ++at;
            continue;
        }
        onLine(text.substr(start, at - start));
        at += length;
        start = at;
    }
    if (start < text.size()) onLine(text.substr(start));
}

LinesOutcome
readValidatedLines(const fs::path& file,
                   const std::function<std::optional<std::string>(std::string_view, std::int64_t)>& onRecord,
                   const std::stop_token& stop)
{
    const auto opened = openForReading(file);
    if (!opened) return {withoutFile(opened.error()), true};
    LineWindow window(opened->descriptor, file, 0);
    LinesOutcome outcome;
    std::int64_t line = 0;
    while (outcome.error.empty() && !stop.stop_requested()) {
        const auto next = window.next();
        if (!next) return {withoutFile(next.error()), true};
        if (!next->has_value()) break;
        // The LF that ended the text: an empty text still is a line, and CR LF is one line end.
        std::string_view text = **next;
        if (!window.isUnterminated() && text.ends_with('\r')) text.remove_suffix(1);
        const bool endsWithLineEnd = !window.isUnterminated();
        const std::int64_t before = line;
        std::size_t consumed = 0;
        splitPythonLines(text, [&](std::string_view piece) {
            ++line;
            consumed = static_cast<std::size_t>(piece.data() - text.data()) + piece.size();
            const std::string_view record = trimWhitespace(piece);
            if (record.empty() || !outcome.error.empty()) return;
            if (auto problem = onRecord(record, line)) {
                outcome.error = *problem + " (line " + std::to_string(line) + ")";
            }
        });
        // What is left before the LF is an empty line of its own.
        if (endsWithLineEnd && (line == before || consumed < text.size())) ++line;
    }
    return outcome;
}

std::string pythonPath(const fs::path& path)
{
    std::string text = path.is_absolute() ? "/" : "";
    for (const fs::path& part : path.relative_path()) {
        if (part.empty() || part == ".") continue;
        if (!text.empty() && text.back() != '/') text += '/';
        text += part.string();
    }
    return text.empty() ? "." : text;
}

std::string withoutFile(const Error& error)
{
    Error placeless = error;
    placeless.file.clear();
    placeless.line = 0;
    const std::string text = placeless.toString();
    // The line within a file of many lines says more than that of a record, which is always 1.
    return error.line > 1 ? "line " + std::to_string(error.line) + ": " + text : text;
}

Result<ValidationScan> scanForValidation(const fs::path& root, bool withMisplaced, const std::stop_token& stop)
{
    ValidationScan scan;
    scan.root = root;
    for (std::size_t folder = 0; folder < kDatasetFolderCount; ++folder) {
        std::vector<ScannedEntry> entries = walkDatasetFolder(root, kFolderFacts.at(folder), scan.folderProblems, stop);
        for (const ScannedEntry& entry : entries) {
            if (stop.stop_requested()) {
                return Error{ErrorCode::Cancelled, "validation was cancelled", toValidUtf8(root.string()), 0, {}};
            }
            // The validator of flashinfer-bench takes a folder for a file when it is named like one.
            const bool isFileOfTheFormat =
                entry.hasSuffix && (entry.isAtPlace || (withMisplaced && entry.kind != ScannedEntry::Kind::Folder));
            if (!isFileOfTheFormat) continue;
            switch (static_cast<DatasetFolder>(folder)) {
            case DatasetFolder::Definitions:
                scan.definitions.push_back(readObjectFile<Definition>(
                    root, entry, [](std::string_view text) { return decodeDefinition(text, ReadMode::Strict); }));
                break;
            case DatasetFolder::Solutions:
                scan.solutions.push_back(readObjectFile<Solution>(
                    root, entry, [](std::string_view text) { return decodeSolution(text, ReadMode::Strict); }));
                break;
            case DatasetFolder::Workloads: scan.workloads.push_back(readWorkloadsFile(root, entry, stop)); break;
            case DatasetFolder::Traces: scan.traces.push_back(newScanned<ScannedLines>(entry)); break;
            }
        }
        std::move(entries.begin(), entries.end(), std::back_inserter(scan.entries));
    }
    indexPlaces(scan);
    return scan;
}

}  // namespace tracedeck
