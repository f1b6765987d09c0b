// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/io/json_codec.h"
#include "core/model/definition.h"
#include "core/model/result.h"
#include "core/model/solution.h"
#include "core/model/trace.h"
#include "core/store/trace_table.h"

namespace tracedeck {

/// Progress of a long job; written by the job, polled by anyone.
struct LoadProgress {
    std::atomic<std::uint64_t> filesTotal{0};
    std::atomic<std::uint64_t> filesDone{0};
    std::atomic<std::uint64_t> traces{0};
};

struct LoadRecord;
class Dataset;

/// One of the folders that are shown as one dataset, and what of it lost a conflict: what was made with that is left out, too.
struct JoinedFolder {
    std::shared_ptr<const Dataset> dataset;
    std::string name;   ///< the end of its path, as long as it takes to tell it from the others
    std::set<std::string> strandedDefinitions;
    std::set<std::string> strandedSolutions;
    std::set<std::pair<std::string, std::string>> strandedWorkloads;   ///< definition and uuid
};

/// The figure of a (solution, workload, hardware) from all its traces that passed, timed in one way. Times in milliseconds.
struct PooledFigure {
    double latencyMs = std::numeric_limits<double>::quiet_NaN();            ///< median of the samples together, or of the traces' latencies
    double referenceLatencyMs = std::numeric_limits<double>::quiet_NaN();   ///< median over the traces
    double lowMs = std::numeric_limits<double>::quiet_NaN();                ///< p10 and p90 of the samples together
    double highMs = std::numeric_limits<double>::quiet_NaN();
    std::uint32_t runs = 0;
    std::uint32_t samples = 0;   ///< 0: not all of the traces keep them
};

/// What some policies make of a snapshot before anything is computed from it (core/score/policy_view.h).
struct PolicyView {
    struct Span {
        std::int64_t start = 0;   ///< microseconds since 1970; both ends belong to it
        std::int64_t end = 0;
    };
    std::shared_ptr<const Dataset> plain;                        ///< with the traces' own times
    std::unordered_map<std::uint32_t, PooledFigure> pooled;      ///< by the row that stands for its pair
    std::vector<char> contributes;                               ///< by row: whether it is in a figure, or of the pinned run
    std::optional<Span> pinnedRun;                               ///< of SelectionPolicy::PinnedRun
};

/// One loaded dataset: an immutable snapshot, shared as `std::shared_ptr<const Dataset>` between threads.
class Dataset : public std::enable_shared_from_this<Dataset> {
public:
    /// Loads a folder in tolerant mode: bad items become problems, the rest loads. Error only when the root cannot be
    /// read at all (it is never created), is no dataset (see scanDataset) or the stop token was set. Files are read on up to `threads` threads.
    static Result<std::shared_ptr<const Dataset>> load(const std::filesystem::path& root, std::stop_token stop = {},
                                                       LoadProgress* progress = nullptr, unsigned threads = 0);
    /// A snapshot of what was read or made elsewhere, without traces: its blobs are below `root`. Of items with one name the first is kept.
    static std::shared_ptr<const Dataset> assemble(const std::filesystem::path& root, std::vector<Definition> definitions,
                                                   std::vector<Solution> solutions, std::map<std::string, std::vector<Trace>> workloads);
    /// The same folder as it is now: what load() would give, but only what changed since `old` is read again. Gives `old`
    /// itself when no file changed. A last line that cannot be read and has no line end may still be growing: it becomes a
    /// problem only when its file has not changed for two seconds (see growingFiles). Errors as in load().
    static Result<std::shared_ptr<const Dataset>> reload(const std::shared_ptr<const Dataset>& old, std::stop_token stop = {},
                                                         LoadProgress* progress = nullptr, unsigned threads = 0);
    /// `path` when not empty, else FIB_DATASET_PATH (with ~ expanded), else ~/.cache/flashinfer_bench/dataset.
    static std::filesystem::path resolveRoot(const std::string& path);

    /// Of joined folders a name that no folder has: what is read or written lies in one of folders().
    [[nodiscard]] const std::filesystem::path& root() const { return m_root; }
    /// The folders that this snapshot joins (core/store/joined_dataset.h), the first one counts most; empty for that of one folder.
    [[nodiscard]] const std::vector<JoinedFolder>& folders() const;
    [[nodiscard]] bool isJoined() const { return m_folders != nullptr; }
    /// Number of the folder that a row is from; 0 when there is one only.
    [[nodiscard]] std::size_t folderIndexOf(const TraceRow& row) const;
    /// Root of the folder that a row is from.
    [[nodiscard]] const std::filesystem::path& folderOf(const TraceRow& row) const;
    /// Name of that folder.
    [[nodiscard]] std::string folderName(const TraceRow& row) const;
    /// Load order (data model D6); duplicates of a name after the first are problems.
    [[nodiscard]] const std::vector<std::shared_ptr<const Definition>>& definitions() const { return m_definitions; }
    [[nodiscard]] const std::vector<std::shared_ptr<const Solution>>& solutions() const { return m_solutions; }
    [[nodiscard]] const Definition* findDefinition(const std::string& name) const;
    [[nodiscard]] const Solution* findSolution(const std::string& name) const;
    /// Solutions whose `definition` field is this name, in load order; also for unknown definitions (orphans).
    [[nodiscard]] std::vector<const Solution*> solutionsOf(const std::string& definition) const;
    /// Workload lines of a definition in load order.
    [[nodiscard]] const std::vector<Trace>& workloadsOf(const std::string& definition) const;
    [[nodiscard]] const std::map<std::string, std::vector<Trace>>& workloads() const { return *m_workloads; }
    [[nodiscard]] std::size_t workloadCount() const;
    [[nodiscard]] const TraceTable& traces() const { return m_traces; }
    /// Rows of a definition or of a solution, in load order.
    [[nodiscard]] const std::vector<std::uint32_t>& traceRowsOfDefinition(const std::string& definition) const;
    [[nodiscard]] const std::vector<std::uint32_t>& traceRowsOfSolution(const std::string& solution) const;
    /// Reads the whole line behind a row back from disk. Error when the file changed under us.
    [[nodiscard]] Result<Trace> readTrace(std::size_t row) const;
    /// File of a row, relative to the root; absolute in joined folders.
    [[nodiscard]] std::filesystem::path traceFile(std::size_t row) const;
    [[nodiscard]] const std::vector<Problem>& problems() const { return m_problems; }
    /// Files, relative to the root, whose last line another program seems to be writing: reload soon.
    [[nodiscard]] const std::vector<std::filesystem::path>& growingFiles() const { return m_growingFiles; }
    /// Whether both show the same: the same items, rows and problems, in the same order. Cheap, and true only for snapshots
    /// of which one came from the other.
    [[nodiscard]] bool hasSameContent(const Dataset& other) const;
    /// Whether the line that begins at this byte of a file (relative to the root) was there when the files were read. Takes no
    /// time; of loaded snapshots only, false for those that grew from one. The file may be absolute, too.
    [[nodiscard]] bool hasRead(const std::filesystem::path& file, std::uint64_t byteOffset) const;
    /// The loaded snapshot that this one grew from with withTraces; null when it is one itself.
    [[nodiscard]] const std::shared_ptr<const Dataset>& loaded() const { return m_loaded; }
    /// Bytes in memory for all traces, without and with the interned names and workloads that they share.
    struct MemoryUse {
        std::size_t traceBytes = 0;
        std::size_t internedBytes = 0;
    };
    [[nodiscard]] MemoryUse memoryUse() const;
    /// Gives memory that loading needed for a while back to the system; the allocator keeps it otherwise. For programs that
    /// go on for long, off the thread that paints: it takes some ten milliseconds.
    static void releaseFreedMemory();
    /// Distinct op_types in ascending order with their number of definitions.
    [[nodiscard]] std::map<std::string, std::size_t> opTypes() const;
    /// A copy of this snapshot with traces added that are on disk at the given places (results of a run).
    struct AddedTrace {
        Trace trace;
        std::filesystem::path file;
        std::uint64_t byteOffset = 0;
    };
    [[nodiscard]] std::shared_ptr<const Dataset> withTraces(const std::vector<AddedTrace>& added) const;
    /// Of joined folders: a copy that shows the same, with newer snapshots of the same folders.
    [[nodiscard]] std::shared_ptr<const Dataset> withFolders(std::vector<JoinedFolder> folders) const;

    /// A copy in which the rows that stand for their pairs have the times of the view.
    [[nodiscard]] std::shared_ptr<const Dataset> withPolicyView(std::shared_ptr<const PolicyView> view) const;
    /// Null for a plain snapshot.
    [[nodiscard]] const PolicyView* policyView() const { return m_view.get(); }
    /// The snapshot without a view: itself, when it has none.
    [[nodiscard]] std::shared_ptr<const Dataset> plain() const { return m_view ? m_view->plain : shared_from_this(); }
    [[nodiscard]] const Dataset& plainReference() const { return m_view ? *m_view->plain : *this; }

private:
    friend class DatasetLoader;
    friend class DatasetJoiner;
    /// Adds the rows from `firstRow` on to the lists of their definitions and solutions.
    void indexTraces(std::size_t firstRow, unsigned threads);
    std::filesystem::path m_root;
    std::vector<std::shared_ptr<const Definition>> m_definitions;
    std::vector<std::shared_ptr<const Solution>> m_solutions;
    std::unordered_map<std::string, const Definition*> m_definitionByName;
    std::unordered_map<std::string, const Solution*> m_solutionByName;
    std::unordered_map<std::string, std::vector<const Solution*>> m_solutionsByDefinition;
    /// Shared with grown snapshots, as what a run adds changes neither.
    std::shared_ptr<const std::map<std::string, std::vector<Trace>>> m_workloads =
        std::make_shared<const std::map<std::string, std::vector<Trace>>>();
    TraceTable m_traces;
    /// Name → rows. Lists are shared with grown snapshots and copied before they grow.
    using RowLists = std::unordered_map<std::string, std::shared_ptr<std::vector<std::uint32_t>>>;
    RowLists m_rowsByDefinition;
    RowLists m_rowsBySolution;
    std::vector<std::filesystem::path> m_traceFiles;
    std::vector<Problem> m_problems;
    std::vector<Problem> m_scanProblems;   ///< those of the folders, which come first in m_problems
    std::vector<std::filesystem::path> m_growingFiles;
    std::shared_ptr<const LoadRecord> m_record;   ///< what a reload compares with; of loaded snapshots only
    std::shared_ptr<const Dataset> m_loaded;
    std::shared_ptr<const PolicyView> m_view;
    std::shared_ptr<const std::vector<JoinedFolder>> m_folders;   ///< null: not joined
    std::vector<std::uint16_t> m_folderOfFile;                    ///< by file number, when joined
};

}  // namespace tracedeck
