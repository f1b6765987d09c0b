// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "core/io/dataset_scanner.h"
#include "core/io/problem_list.h"
#include "core/io/trace_reader.h"
#include "core/store/dataset.h"

namespace tracedeck {

/// Builds one Dataset: scans the folder, reads files (large ones in parts) on several threads, and puts the parts together
/// in load order, so that the outcome does not depend on the threads.
class DatasetLoader {
public:
    DatasetLoader(std::filesystem::path root, std::stop_token stop, LoadProgress* progress, unsigned threads);
    Result<std::shared_ptr<const Dataset>> load();

private:
    template <class Item>
    struct ObjectPart {
        std::shared_ptr<Item> item;   ///< null when the file cannot be read as one
        std::vector<Problem> problems;
    };
    /// Part of a workloads or traces file.
    struct LinePart {
        std::string file;   ///< relative to the root
        ByteRange range;
        std::uint32_t fileIndex = 0;
        bool isFirst = false;
        bool isTraceFolder = false;
        ReadPlace place;
        std::string leftOutReason;   ///< not empty: nothing of the file is read, and why
        TraceTable traces;
        std::vector<Trace> workloads;
        ProblemList problems;
        std::int64_t lines = 0;
    };
    class PartSink;

    void planLines(const std::vector<std::string>& files, bool isTraceFolder);
    void runTasks(std::vector<std::function<void()>>& tasks);
    template <class Item, class Decode>
    void readObject(const std::string& file, ObjectPart<Item>& part, Decode decode);
    void readSolution(const std::string& file, ObjectPart<Solution>& part, const ReadPlace& place);
    void readLines(LinePart& part);
    void labelDefinitions(const ScannedFiles& scanned);
    void placeLines(const ScannedFiles& scanned);
    void addDefinitions(Dataset& dataset);
    void addSolutions(Dataset& dataset);
    void addLines(Dataset& dataset);
    void warnOfUnknownDefinitions(Dataset& dataset) const;
    [[nodiscard]] std::string displayPath(const std::string& file) const;

    std::filesystem::path m_root;
    std::stop_token m_stop;
    LoadProgress* m_progress;
    unsigned m_threads;
    std::vector<ObjectPart<Definition>> m_definitionParts;
    std::vector<ObjectPart<Solution>> m_solutionParts;
    std::vector<LinePart> m_lineParts;
    std::vector<std::filesystem::path> m_lineFiles;
};

}  // namespace tracedeck
