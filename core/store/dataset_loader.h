// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <vector>

#include "core/io/dataset_scanner.h"
#include "core/io/problem_list.h"
#include "core/store/dataset.h"
#include "core/store/line_file.h"
#include "core/store/load_record.h"
#include "core/store/problem_folder_loading.h"

namespace tracedeck {

/// Builds one Dataset: scans the folder, reads files (large ones in parts) on several threads, and puts the parts together
/// in load order, so that the outcome does not depend on the threads. With an older snapshot, files that did not change
/// since are taken from it, and of those that only grew the new lines alone are read; the outcome is that of a full load.
/// Where there are or were problem folders, what a file means depends on others, and everything is read again.
class DatasetLoader {
public:
    /// Sizes that decide how files are read.
    struct Limits {
        /// Files of lines larger than two of these are read in parts.
        std::uint64_t partBytes = std::uint64_t{8} << 20U;
        /// A grown file up to this size is read again as a whole, which proves that its old lines are as they were. Of a
        /// larger one only the bytes before the new lines are compared.
        std::uint64_t wholeFileBytes = std::uint64_t{1} << 20U;
        /// How long a last line without line end may stay as it is before a reload calls it a problem.
        std::int64_t openLineNs = 2'000'000'000;
    };

    /// `old`: null for a full load; else a loaded snapshot (one that Dataset::load or Dataset::reload gave).
    DatasetLoader(std::filesystem::path root, std::shared_ptr<const Dataset> old, std::stop_token stop, LoadProgress* progress,
                  unsigned threads);
    void setLimits(const Limits& limits) { m_limits = limits; }
    Result<std::shared_ptr<const Dataset>> load();
    /// See core/store/dataset_part.h.
    static std::shared_ptr<const Dataset> part(const Dataset& whole, const std::vector<std::uint32_t>& rows);

private:
    /// Numbers that a row has for its file.
    static constexpr std::size_t kMaximumLineFiles = std::size_t{1} << 20U;
    template <class Item>
    struct ObjectFile {
        std::string file;   ///< relative to the root
        ObjectRecord<Item> record;
        bool isKept = false;
    };
    struct LineFile {
        std::string file;   ///< relative to the root
        bool isTraceFolder = false;
        LinePlaces::Place place;
        const PlacedLineFile* old = nullptr;
        std::optional<FileStamp> stamp;
        enum class Reading { Whole, Resumed, Kept };
        Reading reading = Reading::Whole;
        std::vector<LinePart> parts;
        PlacedLineFile placed;
        std::size_t keptRows = 0;   ///< how many rows of the old snapshot stand for the first rows of this file
    };
    class WorkloadLists;
    /// Memory of the threads that read lines, kept from one file to the next.
    class ReaderMemories {
    public:
        [[nodiscard]] std::unique_ptr<TraceReaderMemory> take();
        void giveBack(std::unique_ptr<TraceReaderMemory> memory);

    private:
        std::mutex m_mutex;
        std::vector<std::unique_ptr<TraceReaderMemory>> m_free;
    };

    template <class Item, class Decode>
    void planObjects(std::vector<ObjectFile<Item>>& objects, const std::vector<std::string>& files,
                     const std::unordered_map<std::string, ObjectRecord<Item>>* old, Decode decode,
                     std::vector<std::function<void()>>& tasks);
    void placeLines(const ScannedFiles& scanned);
    void planLines(const std::vector<std::string>& files, bool isTraceFolder);
    void planReading(LineFile& file) const;
    void addReadingTasks(LineFile& file, std::vector<std::function<void()>>& tasks);
    void runTasks(const std::vector<std::function<void()>>& tasks);
    template <class Item, class Decode>
    void readObject(ObjectFile<Item>& object, Decode decode);

    void addDefinitions(Dataset& dataset);
    void addSolutions(Dataset& dataset);
    void addLines(Dataset& dataset);
    void finishFile(LineFile& file) const;
    void addTraces(Dataset& dataset);
    void addWorkloads(Dataset& dataset);
    void addLineProblems(Dataset& dataset);
    void warnOfUnknownDefinitions(Dataset& dataset) const;
    [[nodiscard]] std::shared_ptr<LoadRecord> makeRecord();
    [[nodiscard]] bool isNothingNew() const;
    [[nodiscard]] std::string displayPath(const std::string& file) const;

    std::filesystem::path m_root;
    std::shared_ptr<const Dataset> m_old;
    const LoadRecord* m_oldRecord = nullptr;
    std::stop_token m_stop;
    LoadProgress* m_progress;
    unsigned m_threads;
    Limits m_limits;
    std::vector<ObjectFile<Definition>> m_definitions;
    std::vector<ObjectFile<Solution>> m_solutions;
    std::vector<LineFile> m_lineFiles;
    ReaderMemories m_memories;
};

}  // namespace tracedeck
