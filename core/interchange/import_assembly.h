// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/interchange/interchange.h"
#include "core/interchange/kernel_kinds.h"
#include "core/io/problem_list.h"
#include "core/store/merge_staging.h"

namespace tracedeck {

/// A text as a name that is safe as that of a file, on screens and in tables: other characters than letters, digits, `.`, `_`, `-` and what is not
/// ASCII and visible become `_`. A name that had to change ends in a digest of what it was, so that different texts stay different.
[[nodiscard]] std::string safeName(std::string_view text);

/// A result before its dataset is put together.
struct ImportedResult {
    std::string definition;       ///< one that was added
    std::string implementation;   ///< as the file has it
    std::string author;
    std::string description;      ///< of the solution: its tags
    Language language = Language::Python;
    std::string device = "cuda";
    Workload workload;
    Evaluation evaluation;
};

/// Gathers what several files hold and writes it as a dataset.
class ImportAssembly {
public:
    /// The first of a name counts; axes that a later one has more are added to it.
    void addDefinition(Definition definition);
    [[nodiscard]] const Definition* findDefinition(const std::string& name) const;
    void addContents(const std::string& blob, std::vector<KindContent> contents);
    [[nodiscard]] bool hasContents(const std::string& blob) const { return m_blobs.contains(blob); }
    /// How many more bytes of contents an import may make: a few lines must not fill a disk.
    [[nodiscard]] std::uint64_t contentBytesLeft() const { return m_contentBytesLeft; }
    [[nodiscard]] const std::vector<ImportedResult>& results() const { return m_results; }
    void add(ImportedResult result) { m_results.push_back(std::move(result)); }
    void addProblem(Severity severity, std::int64_t line, std::string field, std::string reason);
    /// Ends the problems of one file.
    void endFile(const std::filesystem::path& file);
    void notCarried(const std::string& what, std::size_t count = 1) { m_notCarried[what] += count; }
    [[nodiscard]] bool isEmpty() const { return m_results.empty(); }

    /// Writes everything. Error: the disk refused, or the token was set.
    Result<ImportReport> write(const std::filesystem::path& target, const std::stop_token& stop);
    [[nodiscard]] std::vector<Problem> takeProblems() { return std::move(m_problems); }

private:
    void nameSolutions();
    Result<void> writeItems(StagingFolder& folder, ImportReport& report);
    Result<void> writeTraces(StagingFolder& folder, ImportReport& report, const std::stop_token& stop);

    std::vector<Definition> m_definitions;
    std::map<std::string, std::size_t> m_definitionIndex;
    std::map<std::string, std::vector<KindContent>> m_blobs;   ///< by path
    std::uint64_t m_contentBytesLeft = std::uint64_t{128} << 20U;
    std::vector<ImportedResult> m_results;
    std::vector<Solution> m_solutions;
    std::vector<std::size_t> m_solutionOf;                     ///< by result
    std::map<std::string, std::size_t> m_notCarried;
    ProblemList m_fileProblems;
    std::vector<Problem> m_problems;
};

/// A definition of which only the results are known: no inputs, no outputs, a reference that says so.
[[nodiscard]] Definition definitionWithoutReference(const std::string& name, const std::string& opType, const std::string& description);
/// Variable axes in the order of `workload`; a name that is none of an axis is left to the caller.
void addAxes(Definition& definition, const Workload& workload);

// One reader a format. They add what they find, and problems for what they cannot read.
void importKernelsBenchmarks(ImportAssembly& assembly, const std::filesystem::path& file, const std::string& text, const ImportRequest& request);
void importNvBench(ImportAssembly& assembly, const std::filesystem::path& file, const std::string& text, const ImportRequest& request);

}  // namespace tracedeck
