// SPDX-License-Identifier: GPL-3.0-or-later
// Putting workloads and traces together: from files that were read, and from the old snapshot.
#include <algorithm>
#include <utility>

#include "core/io/json_codec.h"
#include "core/store/dataset_loader.h"
#include "core/store/parallel.h"

namespace tracedeck {

namespace {

bool isSameWorkload(const Trace& a, const Trace& b)
{
    return a.definition == b.definition && a.workload.uuid == b.workload.uuid && writeLine(encodeTrace(a)) == writeLine(encodeTrace(b));
}

std::size_t countOf(const std::vector<WorkloadRun>& runs)
{
    std::size_t count = 0;
    for (const WorkloadRun& run : runs) count += run.count;
    return count;
}

}  // namespace

/// The lists of workloads while they are put together.
class DatasetLoader::WorkloadLists {
public:
    using Lists = std::map<std::string, std::vector<Trace>>;

    void add(Trace workload, std::vector<WorkloadRun>& runs)
    {
        // The key is copied before the trace is moved from.
        const std::string definition = workload.definition;
        std::vector<Trace>& list = m_lists[definition];
        const bool goesOn = !runs.empty() && runs.back().definition == definition && runs.back().first + runs.back().count == list.size();
        if (!goesOn) runs.push_back(WorkloadRun{definition, list.size(), 0});
        ++runs.back().count;
        list.push_back(std::move(workload));
    }
    /// The first `count` workloads of a file of the old snapshot.
    void addOld(const Lists& old, const std::vector<WorkloadRun>& oldRuns, std::size_t count, std::vector<WorkloadRun>& runs)
    {
        for (const WorkloadRun& run : oldRuns) {
            const std::vector<Trace>& list = old.at(run.definition);
            for (std::size_t i = 0; i < run.count && count > 0; ++i, --count) add(list[run.first + i], runs);
        }
    }
    /// Whether the parts hold the workloads of an old file from the one with the number `first` on.
    static bool areSame(const Lists& old, const std::vector<WorkloadRun>& oldRuns, std::size_t first, const std::vector<LinePart>& parts)
    {
        std::vector<const Trace*> now;
        for (const LinePart& part : parts) {
            for (const Trace& workload : part.workloads) now.push_back(&workload);
        }
        if (first + now.size() != countOf(oldRuns)) return false;
        std::size_t index = 0;
        for (const WorkloadRun& run : oldRuns) {
            const std::vector<Trace>& list = old.at(run.definition);
            for (std::size_t i = 0; i < run.count; ++i, ++index) {
                if (index >= first && !isSameWorkload(list[run.first + i], *now[index - first])) return false;
            }
        }
        return true;
    }
    [[nodiscard]] std::shared_ptr<const Lists> take() && { return std::make_shared<const Lists>(std::move(m_lists)); }

private:
    Lists m_lists;
};

void DatasetLoader::addLines(Dataset& dataset)
{
    for (LineFile& file : m_lineFiles) finishFile(file);
    addTraces(dataset);
    addWorkloads(dataset);
    addLineProblems(dataset);
    // As much work as filling them was, were it left to one thread.
    parallelFor(m_lineFiles.size(), m_threads, [this](std::size_t i) { m_lineFiles[i].parts.clear(); });
}

/// Joins what the parts of a file say, but for its workloads.
void DatasetLoader::finishFile(LineFile& file) const
{
    if (file.reading == LineFile::Reading::Kept) {
        file.placed.record = file.old->record;
        file.keptRows = file.old->record->rows;
        return;
    }
    auto record = std::make_shared<LineFileRecord>();
    const bool isResumed = file.reading == LineFile::Reading::Resumed;
    if (isResumed) {
        const LineFileRecord& old = *file.old->record;
        record->rows = old.rowsBeforeResume;
        record->problems = old.problems;
        record->lines = old.lines;
        record->workloadsBeforeResume = old.workloadsBeforeResume;
    }
    const std::size_t oldRows = record->rows;
    bool isSound = true;
    std::size_t workloads = record->workloadsBeforeResume;
    for (LinePart& part : file.parts) {
        const bool isLast = &part == &file.parts.back();
        record->problems.append(std::move(part.problems), record->lines);
        record->rowsBeforeResume = record->rows + part.traces.size();
        record->workloadsBeforeResume = workloads + part.workloads.size();
        std::int64_t lines = part.lines;
        if (part.openLine) {
            // An open line inside the file: it was cut while it was read. The next reload reads all of it again.
            ProblemList& problems = isLast ? record->openLineProblems : record->problems;
            problems.append(std::move(part.openLine->problems), record->lines);
            if (isLast) {
                lines = part.openLine->linesBefore;
                record->rowsBeforeResume = record->rows + part.openLine->firstTrace;
                record->workloadsBeforeResume = workloads + part.openLine->firstWorkload;
            }
        }
        isSound = isSound && part.isComplete && (isLast || !part.openLine);
        record->lines += lines;
        record->rows += part.traces.size();
        workloads += part.workloads.size();
    }
    LinePart& last = file.parts.back();
    record->resumeAt = last.resumeAt;
    if (record->resumeAt > m_limits.wholeFileBytes) {
        record->bytesBeforeResume = std::move(last.bytesBeforeResume);
        if (isResumed && file.parts.size() == 1 && !record->bytesBeforeResume.empty()) {
            // The first of these bytes is the line end before the place where reading went on.
            std::string joined = file.old->record->bytesBeforeResume + record->bytesBeforeResume.substr(1);
            if (record->bytesBeforeResume.size() < TraceLineSink::kBytesBefore) {
                record->bytesBeforeResume = joined.substr(joined.size() - std::min(joined.size(), TraceLineSink::kBytesBefore));
            }
        }
    }
    if (isSound) record->stamp = file.stamp;
    record->isOpenLinePending = m_old != nullptr && !record->openLineProblems.empty() && file.stamp &&
                                ageNs(*file.stamp) < m_limits.openLineNs;
    file.keptRows = oldRows;
    if (file.old != nullptr) {
        // Rows that were read again and are as they were.
        std::size_t wanted = file.old->record->rows - oldRows;
        for (const LinePart& part : file.parts) {
            const std::size_t same = m_old->m_traces.commonRows(file.old->firstRow + file.keptRows, wanted, part.traces, 0);
            file.keptRows += same;
            wanted -= same;
            if (same < part.traces.size()) break;
        }
    }
    file.placed.record = std::move(record);
}

void DatasetLoader::addTraces(Dataset& dataset)
{
    std::size_t kept = 0;
    for (const LineFile& file : m_lineFiles) kept += file.keptRows;
    // Numbers of files that are gone stay taken while a snapshot only grows; not for ever.
    const bool isGrown = m_old != nullptr && kept == m_old->m_traces.size() &&
                         m_old->m_traceFiles.size() < 2 * m_lineFiles.size() + 1000 && m_old->m_traceFiles.size() + m_lineFiles.size() < kMaximumLineFiles;
    if (isGrown) dataset.m_traceFiles = m_old->m_traceFiles;
    std::vector<TraceRowRange> ranges;
    std::size_t row = 0;
    for (LineFile& file : m_lineFiles) {
        PlacedLineFile& placed = file.placed;
        if (isGrown && file.old != nullptr) {
            placed.fileIndex = file.old->fileIndex;
        } else {
            placed.fileIndex = static_cast<std::uint32_t>(dataset.m_traceFiles.size());
            dataset.m_traceFiles.emplace_back(file.file);
        }
        placed.firstRow = row;
        row += placed.record->rows;
        const std::size_t beforeParts = file.reading == LineFile::Reading::Resumed ? file.old->record->rowsBeforeResume : 0;
        if (!isGrown && file.reading != LineFile::Reading::Kept) file.keptRows = beforeParts;
        if (file.keptRows > 0) ranges.push_back({&m_old->m_traces, file.old->firstRow, file.keptRows, placed.fileIndex});
        std::size_t skipped = file.keptRows - std::min(beforeParts, file.keptRows);
        for (const LinePart& part : file.parts) {
            const std::size_t first = std::min(skipped, part.traces.size());
            skipped -= first;
            if (first < part.traces.size()) ranges.push_back({&part.traces, first, part.traces.size() - first, placed.fileIndex});
        }
    }
    if (!isGrown) {
        dataset.m_traces = TraceTable::assemble(ranges, m_threads);
        dataset.indexTraces(0, m_threads);
        return;
    }
    dataset.m_traces = TraceTable::assembleGrown(m_old->m_traces, ranges, m_threads);
    if (dataset.m_traces.rows().data() != m_old->m_traces.rows().data()) {
        dataset.indexTraces(0, m_threads);
        return;
    }
    dataset.m_rowsByDefinition = m_old->m_rowsByDefinition;
    dataset.m_rowsBySolution = m_old->m_rowsBySolution;
    dataset.indexTraces(m_old->m_traces.size(), 1);
}

void DatasetLoader::addWorkloads(Dataset& dataset)
{
    static const WorkloadLists::Lists kNone;
    const WorkloadLists::Lists& old = m_old != nullptr ? *m_old->m_workloads : kNone;
    std::size_t keptWorkloads = 0;
    bool isSame = m_old != nullptr;
    for (const LineFile& file : m_lineFiles) {
        if (!isSame) break;
        const std::size_t known = file.old != nullptr ? countOf(file.old->record->workloads) : 0;
        const std::size_t before = file.reading == LineFile::Reading::Resumed ? file.old->record->workloadsBeforeResume : 0;
        static const std::vector<WorkloadRun> kNoRuns;
        isSame = file.reading == LineFile::Reading::Kept ||
                 WorkloadLists::areSame(old, file.old != nullptr ? file.old->record->workloads : kNoRuns, before, file.parts);
        keptWorkloads += known;
    }
    if (isSame && keptWorkloads == m_old->workloadCount()) {
        dataset.m_workloads = m_old->m_workloads;
        for (LineFile& file : m_lineFiles) {
            if (file.reading == LineFile::Reading::Kept || file.old == nullptr || file.old->record->workloads.empty()) continue;
            auto record = std::make_shared<LineFileRecord>(*file.placed.record);
            record->workloads = file.old->record->workloads;
            file.placed.record = std::move(record);
        }
        return;
    }
    WorkloadLists lists;
    for (LineFile& file : m_lineFiles) {
        std::vector<WorkloadRun> runs;
        if (file.reading != LineFile::Reading::Whole) {
            const LineFileRecord& known = *file.old->record;
            const bool isKept = file.reading == LineFile::Reading::Kept;
            lists.addOld(old, known.workloads, isKept ? countOf(known.workloads) : known.workloadsBeforeResume, runs);
        }
        for (LinePart& part : file.parts) {
            for (Trace& workload : part.workloads) lists.add(std::move(workload), runs);
        }
        if (runs.empty() && file.placed.record->workloads.empty()) continue;
        auto record = std::make_shared<LineFileRecord>(*file.placed.record);
        record->workloads = std::move(runs);
        file.placed.record = std::move(record);
    }
    dataset.m_workloads = std::move(lists).take();
}

void DatasetLoader::addLineProblems(Dataset& dataset)
{
    for (const LineFile& file : m_lineFiles) {
        const LineFileRecord& record = *file.placed.record;
        if (record.isOpenLinePending) dataset.m_growingFiles.emplace_back(file.file);
        if (record.problems.empty() && (record.openLineProblems.empty() || record.isOpenLinePending)) continue;
        ProblemList problems = record.problems;
        if (!record.isOpenLinePending) problems.append(record.openLineProblems, 0);
        auto taken = std::move(problems).take(displayPath(file.file));
        std::move(taken.begin(), taken.end(), std::back_inserter(dataset.m_problems));
    }
}

}  // namespace tracedeck
