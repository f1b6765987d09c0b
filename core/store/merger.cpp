// SPDX-License-Identifier: GPL-3.0-or-later
// Merging definitions, solutions and blobs; merger_lines.cpp has workloads and traces.
#include "core/store/merger.h"

#include <algorithm>
#include <array>
#include <system_error>

#include "core/io/contained_path.h"
#include "core/io/json_codec.h"
#include "core/io/read_file.h"
#include "core/io/safetensors.h"
#include "core/io/trace_writer.h"
#include "core/model/name_rules.h"
#include "core/model/text.h"
#include "core/store/same_content.h"

namespace tracedeck {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMaximumItemBytes = std::uint64_t{256} << 20U;
/// File systems allow 255 bytes for a name with its suffix and that of a temporary file.
constexpr std::size_t kMaximumNameBytes = 200;
/// First components that no blob may have: what lies there is loaded, or is ours.
constexpr std::array<std::string_view, 5> kTakenFolders{"definitions", "solutions", "workloads", "traces", "conflicts"};

template <class Item>
struct ReadItem {
    Item item;
    std::string text;                ///< what the strict reader takes
    std::vector<Problem> warnings;   ///< old forms that were brought up to date
};

template <class Item, class Decode, class Encode>
Result<ReadItem<Item>> readItem(const fs::path& path, Decode decode, Encode encode)
{
    auto text = readWholeFile(path, kMaximumItemBytes);
    if (!text) return text.error();
    if (auto strict = decode(*text, ReadMode::Strict)) {
        return ReadItem<Item>{std::move(strict->value), std::move(*text), {}};
    }
    auto tolerant = decode(*text, ReadMode::Tolerant);
    if (!tolerant) return tolerant.error();
    std::string updated = writeObjectFile(encode(tolerant->value));
    auto strict = decode(updated, ReadMode::Strict);
    if (!strict) return strict.error();
    return ReadItem<Item>{std::move(strict->value), std::move(updated), std::move(tolerant->warnings)};
}

/// Why a name cannot be that of a file or folder, or nothing.
std::optional<Error> nameProblem(const char* field, const std::string& name)
{
    if (isSafePathComponent(name) && name.size() <= kMaximumNameBytes) return std::nullopt;
    return Error{
        ErrorCode::InvalidInput,
        std::string("the ") + field +
            " cannot be the name of a file or folder: it must not be empty, '.', '..', longer than 200 bytes, or "
            "contain '/', '\\' or NUL",
        {},
        0,
        field};
}

constexpr const char* kTwoInOneSource =
    "one source has both: as when it is loaded, what was made with either is taken to belong to the first";

/// Whether a file of a source is a link to something outside the folder that it lies in. Such a file is a file of the
/// reader of the merged dataset, not of the source: a copy could give it away.
bool isLinkToOutside(const fs::path& root, const std::string& file)
{
    const std::size_t slash = file.find('/');   // behind the start folder, which itself may be a link
    return !resolveContained(root / file.substr(0, slash), file.substr(slash + 1));
}

}  // namespace

Merger::Merger(const MergeRequest& request, std::vector<ScannedFiles> scans, StagingFolder& staging,
               std::stop_token stop)
    : m_request(request), m_staging(staging), m_stop(std::move(stop)),
      m_selected(request.definitions.begin(), request.definitions.end())
{
    m_report.target = request.target;
    m_report.sources = request.sources;
    for (std::size_t i = 0; i < scans.size(); ++i) {
        for (Problem& problem : scans[i].problems) m_report.problems.push_back(std::move(problem));
        m_sources.push_back(Source{request.sources[i], std::move(scans[i]), {}, {}, {}});
    }
}

Result<void> Merger::merge()
{
    const auto forEachFile = [this](std::vector<std::string> ScannedFiles::*list,
                                    Result<void> (Merger::*add)(std::size_t, const std::string&)) -> Result<void> {
        for (std::size_t i = 0; i < m_sources.size(); ++i) {
            for (const std::string& file : m_sources[i].files.*list) {
                if (m_stop.stop_requested()) return Error{ErrorCode::Cancelled, "the merge was cancelled", {}, 0, {}};
                if (isLinkToOutside(m_sources[i].root, file)) {
                    addProblem(Severity::Error, ErrorCode::InvalidInput,
                               "this link leads out of the dataset; what it names is not copied", displayPath(i, file));
                } else if (auto added = (this->*add)(i, file); !added) {
                    return added;
                }
            }
        }
        return {};
    };
    if (auto done = forEachFile(&ScannedFiles::definitions, &Merger::addDefinition); !done) return done;
    if (auto checked = checkSelection(); !checked) return checked;
    if (auto done = forEachFile(&ScannedFiles::solutions, &Merger::addSolution); !done) return done;
    if (!m_request.isSubset()) {
        for (std::size_t i = 0; i < m_sources.size(); ++i) {
            if (auto done = addAllBlobs(i); !done) return done;
        }
    }
    // Workloads before the traces that were measured on them; old datasets keep some in the traces folder under such a
    // name.
    for (Source& source : m_sources) {
        std::stable_partition(source.files.traces.begin(), source.files.traces.end(),
                              [](const std::string& file) { return file.ends_with("_workloads.jsonl"); });
    }
    if (auto done = forEachFile(&ScannedFiles::workloads, &Merger::addLines); !done) return done;
    if (auto done = forEachFile(&ScannedFiles::traces, &Merger::addLines); !done) return done;
    return removeRepeatedTraces();
}

Result<void> Merger::addDefinition(std::size_t index, const std::string& file)
{
    Source& source = m_sources[index];
    auto read = readItem<Definition>(
        source.root / file, [](std::string_view text, ReadMode mode) { return decodeDefinition(text, mode); },
        encodeDefinition);
    if (!read) return setFileAside(index, "definition", file, read.error());
    Definition& definition = read->item;
    m_foundNames.insert(definition.name);
    m_foundOpTypes.insert(definition.opType);
    if (std::find(m_request.opTypes.begin(), m_request.opTypes.end(), definition.opType) != m_request.opTypes.end()) {
        m_selected.insert(definition.name);
    }
    if (!isSelected(definition.name)) return {};
    for (const auto& problem : {nameProblem("name", definition.name), nameProblem("op_type", definition.opType)}) {
        if (problem) return setFileAside(index, "definition", file, *problem);
    }
    for (const Problem& warning : read->warnings) {
        addProblem(Severity::Warning, warning.error.code, warning.error.reason, displayPath(index, file),
                   warning.error.line, warning.error.field);
    }
    const auto kept = m_definitions.find(definition.name);
    if (kept == m_definitions.end()) {
        ++m_report.definitions.written;
        const std::string path = "definitions/" + definition.opType + "/" + definition.name + ".json";
        const std::string name = definition.name;
        m_definitions.emplace(name, Kept<Definition>{std::move(definition), displayPath(index, file), index});
        return m_staging.write(path, read->text);
    }
    if (encodeDefinition(kept->second.item) == encodeDefinition(definition)) {
        ++m_report.definitions.identical;
        return {};
    }
    const bool isSame = computesTheSame(kept->second.item, definition);
    const bool isOwn = kept->second.source == index;
    if (!isSame && !isOwn) source.strandedDefinitions.insert(definition.name);
    const std::string aside = asidePath(index, file);
    addConflict("definition", definition.name, kept->second.file, displayPath(index, file), aside,
                isSame ? kWordsDiffer
                : isOwn
                    ? kTwoInOneSource
                    : "they compute different things: what this source has for the definition is set aside with it");
    return m_staging.copy(source.root / file, aside);
}

Result<void> Merger::checkSelection() const
{
    const auto check = [](const char* what, const std::vector<std::string>& wanted, const std::set<std::string>& found) {
        return requireKnownNames(what, wanted, {found.begin(), found.end()}, {});
    };
    if (auto checked = check("definition", m_request.definitions, m_foundNames); !checked) return checked;
    return check("op_type", m_request.opTypes, m_foundOpTypes);
}

Result<void> Merger::addSolution(std::size_t index, const std::string& file)
{
    Source& source = m_sources[index];
    auto read = readItem<Solution>(
        source.root / file, [](std::string_view text, ReadMode mode) { return decodeSolution(text, mode); },
        encodeSolution);
    if (!read) return setFileAside(index, "solution", file, read.error());
    Solution& solution = read->item;
    if (!isSelected(solution.definition)) return {};
    for (const auto& problem : {nameProblem("name", solution.name), nameProblem("author", solution.author),
                                nameProblem("definition", solution.definition)}) {
        if (problem) return setFileAside(index, "solution", file, *problem);
    }
    for (const Problem& warning : read->warnings) {
        addProblem(Severity::Warning, warning.error.code, warning.error.reason, displayPath(index, file),
                   warning.error.line, warning.error.field);
    }
    const auto kept = m_solutions.find(solution.name);
    if (kept != m_solutions.end() && encodeSolution(kept->second.item) == encodeSolution(solution)) {
        ++m_report.solutions.identical;
        return {};
    }
    const std::string aside = asidePath(index, file);
    if (kept != m_solutions.end()) {
        const bool isSame = runsTheSame(kept->second.item, solution);
        const bool isOwn = kept->second.source == index;
        if (!isSame && !isOwn) source.strandedSolutions.insert(solution.name);
        addConflict("solution", solution.name, kept->second.file, displayPath(index, file), aside,
                    isSame  ? kWordsDiffer
                    : isOwn ? kTwoInOneSource
                            : "they run different code: traces of this source's solution are set aside with it");
        return m_staging.copy(source.root / file, aside);
    }
    if (source.strandedDefinitions.contains(solution.definition)) {
        source.strandedSolutions.insert(solution.name);
        countAside("solution", displayPath(index, file), aside,
                   "it solves this source's definition '" + solution.definition + "', which is set aside");
        return m_staging.copy(source.root / file, aside);
    }
    ++m_report.solutions.written;
    const std::string path = "solutions/" + solution.author + "/" + opTypeFor(solution.definition, file) + "/" +
                             solution.definition + "/" + solution.name + ".json";
    const std::string name = solution.name;
    m_solutions.emplace(name, Kept<Solution>{std::move(solution), displayPath(index, file), index});
    return m_staging.write(path, read->text);
}

Result<void> Merger::addAllBlobs(std::size_t index)
{
    const fs::path base = fs::absolute(m_sources[index].root / "").lexically_normal();
    std::error_code code;
    if (!fs::is_directory(base / "blob", code)) return {};
    std::vector<std::string> paths;
    fs::recursive_directory_iterator entries(base / "blob", code);
    while (!code && entries != fs::recursive_directory_iterator()) {
        std::error_code unknown;   // what cannot be examined is reported when it cannot be opened
        const std::string path = entries->path().lexically_relative(base).string();
        if (!entries->is_directory(unknown)) {
            paths.push_back(path);
        } else if (entries->is_symlink(unknown)) {
            addProblem(Severity::Error, ErrorCode::Unsupported,
                       "links to folders are not followed; what lies in it is not copied", displayPath(index, path));
        }
        entries.increment(code);
    }
    if (code) {
        addProblem(Severity::Error, ErrorCode::Io, "the folder cannot be read: " + code.message(),
                   displayPath(index, "blob"));
    }
    std::sort(paths.begin(), paths.end(), precedesInLoadOrder);
    for (const std::string& path : paths) {
        if (m_stop.stop_requested()) return Error{ErrorCode::Cancelled, "the merge was cancelled", {}, 0, {}};
        if (const auto resolved = resolveBlobPath(base, path); !resolved) {
            addProblem(Severity::Error, ErrorCode::InvalidInput, resolved.error().reason + "; it is not copied",
                       displayPath(index, path));
            continue;
        }
        const auto outcome = addBlob(index, path);
        if (!outcome) return outcome.error();
        if (*outcome == BlobOutcome::Missing) {
            addProblem(Severity::Error, ErrorCode::Io, "this is no file that can be read; it is not copied",
                       displayPath(index, path));
        }
    }
    return {};
}

/// `path`: relative and normal, within the source.
Result<Merger::BlobOutcome> Merger::addBlob(std::size_t index, const std::string& path)
{
    const auto [known, isNew] = m_blobOutcomes.try_emplace({index, path}, BlobOutcome::Missing);
    if (!isNew) return known->second;
    const std::string_view first = std::string_view(path).substr(0, path.find('/'));
    const fs::path file = m_sources[index].root / path;
    if (std::find(kTakenFolders.begin(), kTakenFolders.end(), first) != kTakenFolders.end() || !openForReading(file)) {
        return known->second;
    }
    const auto kept = m_blobs.find(path);
    if (kept == m_blobs.end()) {
        if (auto copied = m_staging.copy(file, path); !copied) return copied.error();
        m_blobs.emplace(path, file);
        ++m_report.blobs.written;
        return known->second = BlobOutcome::InPlace;
    }
    const auto isSame = haveSameBytes(kept->second, file);
    if (!isSame) return isSame.error();
    if (*isSame) {
        ++m_report.blobs.identical;
        return known->second = BlobOutcome::InPlace;
    }
    const std::string aside = asidePath(index, path);
    if (auto copied = m_staging.copy(file, aside); !copied) return copied.error();
    addConflict("blob", path, toValidUtf8(kept->second.string()), displayPath(index, path), aside,
                "they hold different bytes: this source's workloads that use the file are set aside with it");
    return known->second = BlobOutcome::Different;
}

Result<void> Merger::removeRepeatedTraces()
{
    for (const auto& [path, lines] : m_traceLines) {
        if (m_stop.stop_requested()) return Error{ErrorCode::Cancelled, "the merge was cancelled", {}, 0, {}};
        m_report.traces.written += static_cast<std::size_t>(lines);
        // A single dataset may have reasons for repeated lines; two that were copied from each other have not.
        if (m_sources.size() < 2) continue;
        const auto removed = m_staging.removeRepeatedLines(path, lines);
        if (!removed) return removed.error();
        m_report.traces.written -= *removed;
        m_report.traces.identical += *removed;
    }
    return m_staging.flush();
}

Result<void> Merger::setFileAside(std::size_t index, const char* kind, const std::string& file, const Error& reason)
{
    const std::string shown = displayPath(index, file);
    const fs::path source = m_sources[index].root / file;
    if (m_request.isSubset()) {
        addProblem(Severity::Warning, reason.code,
                   reason.reason + "; whether it belongs to the selection cannot be told", shown, reason.line,
                   reason.field);
        return {};
    }
    addProblem(Severity::Error, reason.code, reason.reason, shown, reason.line, reason.field);
    if (!openForReading(source)) return {};   // there is nothing to keep
    const std::string aside = asidePath(index, file);
    countAside(kind, shown, aside, "flashinfer-bench would refuse to load a dataset with it: " + reason.reason);
    return m_staging.copy(source, aside);
}

Result<void> Merger::setLineAside(std::size_t index, const char* kind, const std::string& file, std::string_view text,
                                  const std::string& reason)
{
    const std::string aside = asidePath(index, file);
    countAside(kind, displayPath(index, file), aside, reason);
    return m_staging.appendLine(aside, text);
}

void Merger::countAside(const char* kind, const std::string& file, const std::string& aside, const std::string& reason)
{
    const auto [found, isNew] = m_asideIndex.try_emplace({kind, aside, reason}, m_report.setAside.size());
    if (isNew) m_report.setAside.push_back({kind, file, aside, reason, 0});
    ++m_report.setAside[found->second].count;
}

void Merger::addConflict(const char* kind, const std::string& name, const std::string& kept, const std::string& other,
                         const std::string& aside, std::string reason)
{
    m_report.conflicts.push_back({kind, name, kept, other, aside, std::move(reason)});
}

void Merger::addProblem(Severity severity, ErrorCode code, std::string reason, std::string file, std::int64_t line,
                        std::string field)
{
    m_report.problems.push_back(
        Problem{severity, Error{code, std::move(reason), std::move(file), line, std::move(field)}});
}

bool Merger::isSelected(const std::string& definition) const
{
    return !m_request.isSubset() || m_selected.contains(definition);
}

std::string Merger::displayPath(std::size_t index, const std::string& file) const
{
    return toValidUtf8((m_sources[index].root / file).string());
}

std::string Merger::asidePath(std::size_t index, const std::string& file) const
{
    return "conflicts/" + std::to_string(index + 1) + "/" + file;
}

namespace {

/// Folders of a path from the second on: `traces/ann/gemm/g.jsonl` → ann, gemm.
std::vector<std::string> foldersOf(const std::string& file)
{
    std::vector<std::string> folders;
    const fs::path parent = fs::path(file).parent_path();
    for (auto part = parent.begin(); part != parent.end(); ++part) {
        if (part != parent.begin()) folders.push_back(part->string());
    }
    return folders;
}

}  // namespace

std::string Merger::opTypeFor(const std::string& definition, const std::string& file) const
{
    if (const auto found = m_definitions.find(definition); found != m_definitions.end()) {
        return found->second.item.opType;
    }
    // workloads/<op_type>/…, traces/<author>/<op_type>/…, solutions/<author>/<op_type>/<definition>/…
    const std::vector<std::string> folders = foldersOf(file);
    if (folders.size() == 1) return folders[0];
    return folders.size() >= 2 ? folders[1] : "unknown";
}

std::string Merger::authorFor(const std::string& solution, const std::string& file) const
{
    if (const auto found = m_solutions.find(solution); found != m_solutions.end()) return found->second.item.author;
    const std::vector<std::string> folders = foldersOf(file);
    return folders.size() == 2 ? folders[0] : "unknown";
}

}  // namespace tracedeck
