// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <tuple>
#include <vector>

#include "core/io/dataset_scanner.h"
#include "core/io/problem_list.h"
#include "core/store/merge.h"
#include "core/store/merge_lines.h"
#include "core/store/merge_staging.h"
#include "core/model/definition.h"
#include "core/model/solution.h"

namespace tracedeck {

/// One merge, kind by kind over all sources: a later kind needs to know what became of the earlier ones.
class Merger {
public:
    Merger(const MergeRequest& request, std::vector<ScannedFiles> scans, StagingFolder& staging, std::stop_token stop);
    Result<void> merge();
    [[nodiscard]] MergeReport takeReport() && { return std::move(m_report); }

private:
    /// A source and what of it lost a conflict in a way that concerns what was made with it.
    struct Source {
        std::filesystem::path root;
        ScannedFiles files;
        std::set<std::string> strandedDefinitions;
        std::set<std::string> strandedSolutions;
        std::set<std::pair<std::string, std::string>> strandedWorkloads;   ///< definition and uuid
    };
    template <class Item>
    struct Kept {
        Item item;
        std::string file;
        std::size_t source = 0;
    };
    struct KeptWorkload {
        std::string content;   ///< canonical
        std::string place;     ///< file:line
        std::size_t source = 0;
    };
    /// What became of one blob of a source.
    enum class BlobOutcome { InPlace, Missing, Different };
    class LineSink;

    Result<void> addDefinition(std::size_t index, const std::string& file);
    Result<void> addSolution(std::size_t index, const std::string& file);
    Result<void> addAllBlobs(std::size_t index);
    Result<BlobOutcome> addBlob(std::size_t index, const std::string& path);
    Result<void> addLines(std::size_t index, const std::string& file);
    Result<void> removeRepeatedTraces();
    Result<void> checkSelection() const;

    /// Keeps a whole file that cannot be part of the merged dataset.
    Result<void> setFileAside(std::size_t index, const char* kind, const std::string& file, const Error& reason);
    Result<void> setLineAside(std::size_t index, const char* kind, const std::string& file, std::string_view text,
                              const std::string& reason);
    void countAside(const char* kind, const std::string& file, const std::string& aside, const std::string& reason);
    void addConflict(const char* kind, const std::string& name, const std::string& kept, const std::string& other,
                     const std::string& aside, std::string reason);
    void addProblem(Severity severity, ErrorCode code, std::string reason, std::string file, std::int64_t line = 0,
                    std::string field = {});

    [[nodiscard]] bool isSelected(const std::string& definition) const;
    [[nodiscard]] std::string displayPath(std::size_t index, const std::string& file) const;
    [[nodiscard]] std::string asidePath(std::size_t index, const std::string& file) const;
    /// op_type folder for what belongs to a definition; of an unknown one, as the source has it.
    [[nodiscard]] std::string opTypeFor(const std::string& definition, const std::string& file) const;
    [[nodiscard]] std::string authorFor(const std::string& solution, const std::string& file) const;

    const MergeRequest& m_request;
    StagingFolder& m_staging;
    std::stop_token m_stop;
    std::vector<Source> m_sources;
    MergeReport m_report;
    std::set<std::string> m_selected;   ///< definitions, when only some are wanted
    std::set<std::string> m_foundNames;
    std::set<std::string> m_foundOpTypes;
    std::map<std::string, Kept<Definition>> m_definitions;
    std::map<std::string, Kept<Solution>> m_solutions;
    std::map<std::pair<std::string, std::string>, KeptWorkload> m_workloads;   ///< by definition and uuid
    std::map<std::string, std::filesystem::path> m_blobs;   ///< path in the target → file it came from
    std::map<std::pair<std::size_t, std::string>, BlobOutcome> m_blobOutcomes;   ///< by source and path
    std::map<std::string, std::uint64_t> m_traceLines;   ///< traces file in the target → lines written to it
    std::map<std::tuple<std::string, std::string, std::string>, std::size_t> m_asideIndex;
};

}  // namespace tracedeck
