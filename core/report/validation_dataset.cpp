// SPDX-License-Identifier: GPL-3.0-or-later
// Our own check: what flashinfer-bench's validator does not look at.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <system_error>
#include <unordered_map>
#include <unordered_set>

#include "core/io/json_codec.h"
#include "core/io/read_file.h"
#include "core/io/trace_writer.h"
#include "core/model/name_rules.h"
#include "core/model/text.h"
#include "core/report/validation_checks.h"

namespace tracedeck {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMaximumNamedFileBytes = std::uint64_t{256} << 20U;
constexpr std::string_view kBlobFolder = "blob";

/// What a file that the strict reader refuses is called, as far as the tolerant one can tell: its results are no
/// orphans.
template <class Item, class Decode>
std::optional<Item> tolerantItem(const fs::path& root, const ScannedObject<Item>& scanned, Decode decode)
{
    if (scanned.value) return scanned.value;
    const auto text = readWholeFile(root / scanned.path, kMaximumNamedFileBytes);
    if (!text) return std::nullopt;
    auto decoded = decode(*text);
    if (!decoded) return std::nullopt;
    return std::move(decoded->value);
}

class DatasetChecker {
public:
    DatasetChecker(const ValidationScan& scan, const std::vector<std::optional<TraceFileFacts>>& facts)
        : m_scan(scan), m_facts(facts)
    {
    }

    DatasetCheckResult check()
    {
        checkFolders();
        for (const ScannedEntry& entry : m_scan.entries) checkEntry(entry);
        checkDefinitionFiles();
        checkSolutionFiles();
        checkWorkloadFiles();
        checkTraceFiles();
        checkUnusedBlobs();
        DatasetCheckResult result;
        for (const DatasetFinding& finding : m_findings) result.status = std::max(result.status, finding.level);
        result.findings = std::move(m_findings);
        return result;
    }

private:
    void add(CheckLevel level, const char* kind, const std::string& file, std::int64_t line, std::string reason)
    {
        m_findings.push_back({level, kind, toValidUtf8(file), line, std::move(reason)});
    }
    void error(const char* kind, const std::string& file, std::string reason, std::int64_t line = 0)
    {
        add(CheckLevel::Error, kind, file, line, std::move(reason));
    }
    void warning(const char* kind, const std::string& file, std::string reason, std::int64_t line = 0)
    {
        add(CheckLevel::Warning, kind, file, line, std::move(reason));
    }

    void checkFolders()
    {
        for (const Problem& problem : m_scan.folderProblems) {
            error("unreadable", problem.error.file, problem.error.reason);
        }
        std::error_code code;
        for (std::size_t i = 0; i < kDatasetFolderCount; ++i) {
            const fs::path folder(toString(static_cast<DatasetFolder>(i)));
            checkLink(folder.string(), fs::is_symlink(m_scan.root / folder, code));
        }
    }

    void checkLink(const std::string& path, bool isLink)
    {
        if (isLink && !resolveBlobPath(m_scan.root, path)) {
            warning("link-leads-out", path,
                    "this link leads out of the dataset folder: a copy of the dataset would lack what it names");
        }
    }

    void checkEntry(const ScannedEntry& entry)
    {
        using Kind = ScannedEntry::Kind;
        checkLink(entry.path, entry.isLink);
        if (entry.kind == Kind::Folder) {
            if (entry.isLink) {
                warning("linked-folder", entry.path,
                        "links to folders are not followed: what lies in it is not loaded");
            }
            if (entry.hasSuffix) {
                error("folder-named-as-file", entry.path,
                      "this folder is named like a file: flashinfer-bench fails on it; rename it");
            }
            return;
        }
        if (!entry.hasSuffix) {
            add(CheckLevel::Info, "not-loaded", entry.path, 0,
                "the name of this file does not end as the format asks: it is not loaded");
            return;
        }
        if (entry.kind == Kind::Broken) {
            error("broken-link", entry.path, "this link leads to nothing: loading fails on it");
        }
        if (entry.kind == Kind::Other) error("unreadable", entry.path, "this is not a regular file");
        if (std::any_of(entry.parts.begin(), entry.parts.end(),
                        [](const std::string& part) { return part.starts_with('.'); })) {
            warning("hidden", entry.path, "this file is hidden, but it is loaded all the same");
        }
        if (!entry.isAtPlace) {
            warning(
                "wrong-depth", entry.path,
                "this file is loaded, but lies at the wrong depth: flashinfer-bench's validator does not look at it");
        }
    }

    /// A file that the strict reader refuses and that no other check names.
    void reportRefused(const std::string& path, const std::string& reason, bool isUnreadable, bool isCovered)
    {
        if (!reason.empty() && !isCovered) error(isUnreadable ? "unreadable" : "invalid", path, reason);
    }

    void checkName(const char* what, const std::string& name, const std::string& path)
    {
        if (const std::string fault = fileNameFault(name); !fault.empty()) {
            error("unsafe-name", path,
                  fmt::format("the {} '{}' cannot be the name of a file or folder, because it {}: no result can be stored under it; give "
                              "it another one, here and wherever it is named",
                              what, name, fault));
            m_findings.back().field = what;
        } else if (const std::string shown = displayFault(name); !shown.empty()) {
            warning("deceptive-name", path,
                    fmt::format("the {} '{}' does not show as what it is, because it {}: it may pass for another name; give it another one, "
                                "here and wherever it is named",
                                what, name, shown));
            m_findings.back().field = what;
        }
    }

    void checkDefinitionFiles()
    {
        for (std::size_t i = 0; i < m_scan.definitions.size(); ++i) {
            const ScannedDefinition& scanned = m_scan.definitions[i];
            const bool isCovered = scanned.isAtPlace && m_scan.definitionByStem.at(scanned.stem) == i;
            reportRefused(scanned.path, scanned.error, scanned.isUnreadable, isCovered);
            auto definition = tolerantItem<Definition>(
                m_scan.root, scanned, [](std::string_view text) { return decodeDefinition(text, ReadMode::Tolerant); });
            if (!definition) continue;
            checkName("name", definition->name, scanned.path);
            checkName("op_type", definition->opType, scanned.path);
            const std::string name = definition->name;
            const auto [first, isNew] =
                m_definitions.try_emplace(name, Placed<Definition>{std::move(*definition), scanned.path});
            if (isNew) continue;
            error("duplicate-definition", scanned.path,
                  fmt::format("a definition named '{}' is in {} too: flashinfer-bench refuses to load such a dataset",
                              name, first->second.path));
        }
    }

    void checkSolutionFiles()
    {
        std::map<std::string, std::string> fileOf;
        for (const ScannedSolution& scanned : m_scan.solutions) {
            const bool isCovered = scanned.isAtPlace && m_scan.definitionByStem.contains(scanned.parts[2]);
            reportRefused(scanned.path, scanned.error, scanned.isUnreadable, isCovered);
            const auto solution = tolerantItem<Solution>(
                m_scan.root, scanned, [](std::string_view text) { return decodeSolution(text, ReadMode::Tolerant); });
            if (!solution) continue;
            checkName("name", solution->name, scanned.path);
            checkName("author", solution->author, scanned.path);
            const auto [first, isNew] = fileOf.try_emplace(solution->name, scanned.path);
            if (!isNew) {
                error("duplicate-solution", scanned.path,
                      fmt::format("a solution named '{}' is in {} too: flashinfer-bench refuses to load such a dataset",
                                  solution->name, first->second));
            }
            if (!m_definitions.contains(solution->definition)) {
                error("orphan-solution", scanned.path,
                      fmt::format("the definition '{}' is not in the dataset", solution->definition));
            }
        }
    }

    void checkWorkloadFiles()
    {
        for (std::size_t i = 0; i < m_scan.workloads.size(); ++i) {
            const ScannedLines& file = m_scan.workloads[i];
            const bool isCovered = file.isAtPlace && m_scan.workloadsByStem.at(file.stem) == i &&
                                   m_scan.definitionByStem.contains(file.stem);
            reportRefused(file.path, file.error, file.isUnreadable, isCovered);
            std::map<std::string, TraceFileFacts::Group> orphans;
            for (std::size_t record = 0; record < file.records.size(); ++record) {
                checkWorkloadLine(file.records[record], file.path, file.lines[record], orphans);
            }
            reportGroups("orphan-workload", file.path, orphans,
                         "{0} {2} the definition '{1}', which is not in the dataset",
                         {"workload names", "workloads name"});
        }
    }

    void checkWorkloadLine(const Trace& trace, const std::string& path, std::int64_t line,
                           std::map<std::string, TraceFileFacts::Group>& orphans)
    {
        if (!trace.isWorkloadTrace()) {
            error("trace-in-workloads", path,
                  "this line has a solution or an evaluation: flashinfer-bench refuses to load such a dataset", line);
        }
        const Workload& workload = trace.workload;
        const auto definition = m_definitions.find(trace.definition);
        if (definition == m_definitions.end()) {
            TraceFileFacts::Group& group = orphans[trace.definition];
            if (group.count++ == 0) group.firstLine = line;
        }
        const auto [first, isNew] = m_uuids.try_emplace(workload.uuid, UuidPlace{trace.definition, path, line});
        if (!isNew) {
            const bool isSameDefinition = first->second.definition == trace.definition;
            add(isSameDefinition ? CheckLevel::Error : CheckLevel::Warning, "duplicate-uuid", path, line,
                fmt::format("the uuid '{}' is used in {}:{} too{}", workload.uuid, first->second.path,
                            first->second.line,
                            isSameDefinition ? ": results of the two workloads cannot be told apart" : ""));
        }
        for (const auto& [name, input] : workload.inputs) {
            if (const auto* tensor = std::get_if<SafetensorsInput>(&input)) {
                checkTensor(*tensor,
                            definition == m_definitions.end() ? nullptr : definition->second.item.findInput(name), name,
                            path, line);
            }
        }
    }

    void checkTensor(const SafetensorsInput& tensor, const TensorSpec* spec, const std::string& input,
                     const std::string& path, std::int64_t line)
    {
        const auto resolved = resolveBlobPath(m_scan.root, tensor.path);
        if (!resolved) {
            error("path-escape", path, fmt::format("{}: {}; the file is not opened", input, resolved.error().reason),
                  line);
            return;
        }
        m_usedBlobs.insert(resolved->string());
        if (fs::path(tensor.path).is_absolute()) {
            warning("absolute-path", path,
                    fmt::format("{}: the blob path '{}' is absolute: a copy of the dataset would still use this folder",
                                input, tensor.path),
                    line);
        }
        if (spec == nullptr || spec->isScalar()) return;
        const auto file = SafetensorsFile::open(*resolved);
        const SafetensorsEntry* entry = file ? (*file)->find(tensor.tensorKey) : nullptr;
        if (entry == nullptr) return;   // the check of the workload says so
        const auto dtype = dtypeFromSafetensors(entry->dtype);
        if (dtype && *dtype == spec->dtype) return;
        error("blob-dtype", path,
              fmt::format("{}: dtype mismatch: the definition asks for {}, the tensor '{}' in {} has {}", input,
                          spec->dtypeName, tensor.tensorKey, tensor.path,
                          dtype ? std::string(toString(*dtype)) : entry->dtype + ", which no definition can name"),
              line);
    }

    void checkTraceFiles()
    {
        for (std::size_t i = 0; i < m_scan.traces.size(); ++i) {
            const ScannedLines& file = m_scan.traces[i];
            if (!m_facts[i]) continue;
            const TraceFileFacts& facts = *m_facts[i];
            const bool isCovered = file.isAtPlace && m_scan.tracesByStem.at(file.stem).at(file.parts[0]) == i &&
                                   m_scan.definitionByStem.contains(file.stem);
            reportRefused(file.path, facts.error, facts.isUnreadable, isCovered);
            reportGroups("orphan-trace", file.path, facts.unknownDefinitions,
                         "{0} {2} the definition '{1}', which is not in the dataset", kTraces);
            reportGroups("unknown-solution", file.path, facts.unknownSolutions,
                         "{0} {2} the solution '{1}', which is not in the dataset", kTraces);
            for (const auto& [kind, odd] : facts.oddValues) {
                add(odd.value.isMisleading ? CheckLevel::Error : CheckLevel::Warning, odd.value.kind, file.path, odd.group.firstLine,
                    odd.group.count == 1 ? std::string(odd.value.reason) : fmt::format("{} ({} lines of this file)", odd.value.reason, odd.group.count));
                m_findings.back().field = odd.value.field;
            }
            if (const auto& group = facts.workloadOnly; group.count > 0) {
                error("workload-in-traces", file.path,
                      fmt::format("lines with neither solution nor evaluation: {}; flashinfer-bench refuses to load "
                                  "such a dataset",
                                  group.count),
                      group.firstLine);
            }
            if (const auto& group = facts.unknownWorkloads; group.count > 0) {
                warning("unknown-workload", file.path,
                        fmt::format("traces of workloads that the definition does not have: {}", group.count),
                        group.firstLine);
            }
            if (const auto& group = facts.otherAxes; group.count > 0) {
                warning(
                    "other-axes", file.path,
                    fmt::format("traces whose axes differ from those of the workload with their uuid: {}", group.count),
                    group.firstLine);
            }
        }
    }

    using Words = std::array<const char*, 2>;   ///< for one, for several
    static constexpr Words kTraces{"trace names", "traces name"};
    /// `form`: count, name, words.
    void reportGroups(const char* kind, const std::string& path,
                      const std::map<std::string, TraceFileFacts::Group>& groups, const char* form, const Words& words)
    {
        for (const auto& [name, group] : groups) {
            error(kind, path, fmt::format(fmt::runtime(form), group.count, name, words.at(group.count == 1 ? 0 : 1)),
                  group.firstLine);
        }
    }

    void checkUnusedBlobs()
    {
        std::error_code code;
        const fs::path base = fs::absolute(m_scan.root / "").lexically_normal();
        if (!fs::is_directory(m_scan.root / kBlobFolder, code)) return;
        fs::recursive_directory_iterator entries(base / kBlobFolder, fs::directory_options::skip_permission_denied,
                                                 code);
        std::vector<std::string> unused;
        std::size_t count = 0;
        while (!code && entries != fs::recursive_directory_iterator()) {
            std::error_code ignored;   // an entry that cannot be examined is no unused blob
            checkLink(entries->path().lexically_relative(base).string(), entries->is_symlink(ignored));
            if (entries->is_regular_file(ignored) && !m_usedBlobs.contains(entries->path().string())) {
                ++count;
                // One example, the first in order.
                const std::string path = entries->path().lexically_relative(base).string();
                if (unused.empty() || path < unused.front()) unused = {path};
            }
            entries.increment(code);
        }
        if (code) error("unreadable", std::string(kBlobFolder), "the folder cannot be read: " + code.message());
        if (count > 0) {
            add(CheckLevel::Info, "unused-blob", unused.front(), 0,
                count == 1 ? std::string("this file is used by no workload")
                           : fmt::format("this file and {} others are used by no workload", count - 1));
        }
    }

    template <class Item>
    struct Placed {
        Item item;
        std::string path;
    };
    struct UuidPlace {
        std::string definition;
        std::string path;
        std::int64_t line = 0;
    };

    const ValidationScan& m_scan;
    const std::vector<std::optional<TraceFileFacts>>& m_facts;
    std::vector<DatasetFinding> m_findings;
    std::map<std::string, Placed<Definition>> m_definitions;   ///< by name
    std::unordered_map<std::string, UuidPlace> m_uuids;
    std::unordered_set<std::string> m_usedBlobs;   ///< absolute
};

}  // namespace

DatasetNames namesOfDataset(const ValidationScan& scan)
{
    DatasetNames names;
    for (const ScannedDefinition& scanned : scan.definitions) {
        const auto definition = tolerantItem<Definition>(
            scan.root, scanned, [](std::string_view text) { return decodeDefinition(text, ReadMode::Tolerant); });
        if (definition) names.definitions.insert(definition->name);
    }
    for (const ScannedSolution& scanned : scan.solutions) {
        const auto solution = tolerantItem<Solution>(
            scan.root, scanned, [](std::string_view text) { return decodeSolution(text, ReadMode::Tolerant); });
        if (solution) names.solutions.insert(solution->name);
    }
    for (const ScannedLines& file : scan.workloads) {
        for (const Trace& trace : file.records) {
            names.workloads[trace.definition].try_emplace(trace.workload.uuid, trace.workload.axes);
        }
    }
    return names;
}

DatasetCheckResult checkDataset(const ValidationScan& scan, const std::vector<std::optional<TraceFileFacts>>& facts)
{
    return DatasetChecker(scan, facts).check();
}

}  // namespace tracedeck
