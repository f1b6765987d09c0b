// SPDX-License-Identifier: GPL-3.0-or-later
// Putting one trace table together from the rows of others.
#include <algorithm>
#include <bit>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/store/dataset.h"
#include "core/store/parallel.h"
#include "core/store/trace_table.h"

namespace tracedeck {

namespace {

constexpr std::uint16_t kNoHardwareIndex = 0xFFFF;
constexpr std::uint32_t kNotMapped = StringPool::kNone;
/// Less than this is copied faster than a thread starts.
constexpr std::size_t kRowsWorthAThread = 32'768;

bool isSameNumber(double a, double b)
{
    return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

}  // namespace

/// Translates the ids of one table into those of another.
class TraceTable::RowCopier {
public:
    RowCopier(TraceTable& target, const TraceTable& source)
        : m_target(target), m_source(source), m_names(source.m_names.size(), kNotMapped),
          m_workloads(source.workloadKeys().size(), kNotMapped), m_hardware(source.m_hardware.size(), kNoHardwareIndex)
    {
    }
    /// For a source of which every row is copied: they may be translated after this and placeTimes(). Names get their numbers
    /// in the order in which they got them in the source: that of the rows.
    void prepareAll()
    {
        for (std::uint32_t id = 0; id < m_names.size(); ++id) (void)nameOf(id);
        for (std::size_t i = 0; i < m_workloads.size(); ++i) m_workloads[i] = addWorkload(m_source.workloadKeys()[i]);
        for (std::size_t i = 0; i < m_hardware.size(); ++i) m_hardware[i] = m_target.internHardware(m_source.m_hardware[i]);
    }
    /// Where its times of day go; fillTimes() must be called once, on any thread. No others may be added after this.
    void placeTimes(TextList::Room& times, std::uint32_t& firstTimestamp)
    {
        m_times = times.takeFor(m_source.m_timestamps);
        m_firstTimestamp = firstTimestamp;
        firstTimestamp += static_cast<std::uint32_t>(m_source.m_timestamps.size());
    }
    void fillTimes() const { m_times.fill(m_source.m_timestamps); }
    /// For a source of which some rows are copied: must have seen a row before translate() may. Only the times of day that
    /// are needed are taken over, so that what was removed does not pile up from reload to reload.
    void prepare(const TraceRow& row)
    {
        if (m_timestamps.empty()) m_timestamps.resize(m_source.m_timestamps.size(), kNotMapped);
        std::uint32_t& workload = m_workloads[row.workload];
        if (workload == kNotMapped) workload = addWorkload(m_source.workloadKeys()[row.workload]);
        if (row.solution != StringPool::kNone) (void)nameOf(row.solution);
        if (row.hardware != kNoHardwareIndex && m_hardware[row.hardware] == kNoHardwareIndex) {
            m_hardware[row.hardware] = m_target.internHardware(m_source.m_hardware[row.hardware]);
        }
        if (row.timestamp != StringPool::kNone) m_timestamps[row.timestamp] = m_target.m_timestamps.add(m_source.m_timestamps.text(row.timestamp));
    }
    [[nodiscard]] TraceRow translate(TraceRow row, std::uint32_t file) const
    {
        row.workload = m_workloads[row.workload];
        if (row.solution != StringPool::kNone) row.solution = m_names[row.solution];
        if (row.timestamp != StringPool::kNone) {
            row.timestamp = m_timestamps.empty() ? m_firstTimestamp + row.timestamp : m_timestamps[row.timestamp];
        }
        if (row.hardware != kNoHardwareIndex) row.hardware = m_hardware[row.hardware];
        row.location = makeLocation(file, offsetOf(row));
        return row;
    }

private:
    std::uint32_t nameOf(std::uint32_t id)
    {
        if (m_names[id] == kNotMapped) m_names[id] = m_target.m_names.intern(m_source.m_names.text(id));
        return m_names[id];
    }
    std::uint32_t addWorkload(const WorkloadKey& key)
    {
        m_key.definition = nameOf(key.definition);
        m_key.uuid = nameOf(key.uuid);
        m_key.axes.clear();
        for (const auto& [name, value] : key.axes) m_key.axes.emplace_back(nameOf(name), value);
        return m_target.internWorkload(m_key);
    }

    TraceTable& m_target;
    const TraceTable& m_source;
    TextList::Room m_times;
    std::uint32_t m_firstTimestamp = 0;
    std::vector<std::uint32_t> m_timestamps;   ///< empty: the source's numbers plus m_firstTimestamp
    std::vector<std::uint32_t> m_names;
    std::vector<std::uint32_t> m_workloads;
    std::vector<std::uint16_t> m_hardware;
    WorkloadKey m_key;
};

TraceTable TraceTable::assemble(std::span<const TraceRowRange> ranges, unsigned threads)
{
    TraceTable table;
    table.reserveFor(ranges);
    table.appendRanges(ranges, nullptr, threads);
    table.m_names.share();
    return table;
}

TraceTable TraceTable::assembleGrown(const TraceTable& old, std::span<const TraceRowRange> ranges, unsigned threads)
{
    TraceTable table = old;
    const auto isOld = [&old](const TraceRowRange& range) { return range.table == &old; };
    const auto firstNew = std::find_if_not(ranges.begin(), ranges.end(), isOld);
    if (std::none_of(firstNew, ranges.end(), isOld)) {
        table.appendRanges({firstNew, ranges.end()}, nullptr, threads);
        return table;
    }
    table.m_rows = {};
    table.reserveFor(ranges);
    table.appendRanges(ranges, &old, threads);
    return table;
}

void TraceTable::reserveFor(std::span<const TraceRowRange> ranges)
{
    std::size_t rows = 0;
    std::size_t timestamps = 0;
    std::size_t bytes = 0;
    const TraceTable* last = nullptr;
    for (const TraceRowRange& range : ranges) {
        rows += range.count;
        if (range.table == last) continue;   // a table's ranges follow each other, or it is the old one, whose texts are there
        last = range.table;
        timestamps += last->m_timestamps.size();
        bytes += last->m_timestamps.byteCount();
    }
    // With room for the results of a run, so that not even the first of them moves everything.
    const auto withRoom = [](std::size_t count) { return count + count / 32 + 4096; };
    m_rows.reserve(withRoom(rows));
    if (m_timestamps.size() == 0) m_timestamps.reserve(withRoom(timestamps), withRoom(bytes));
}

void TraceTable::appendRanges(std::span<const TraceRowRange> ranges, const TraceTable* shared, unsigned threads)
{
    std::unordered_map<const TraceTable*, std::size_t> rowsOf;
    std::vector<std::size_t> firstRow(ranges.size());
    std::size_t count = 0;
    for (std::size_t i = 0; i < ranges.size(); ++i) {
        firstRow[i] = count;
        count += ranges[i].count;
        rowsOf[ranges[i].table] += ranges[i].count;
    }
    // Names one table after the other, so that their numbers do not depend on threads; then rows and times, which are the bulk.
    std::unordered_map<const TraceTable*, RowCopier> copiers;
    copiers.reserve(rowsOf.size());
    std::vector<RowCopier*> copierOf(ranges.size(), nullptr);
    std::vector<std::size_t> wholeTables;   // by the number of their first range
    std::size_t texts = 0;
    std::size_t bytes = 0;
    for (std::size_t i = 0; i < ranges.size(); ++i) {
        const TraceRowRange& range = ranges[i];
        if (range.table == shared) continue;
        const auto [found, isFirst] = copiers.try_emplace(range.table, *this, *range.table);
        copierOf[i] = &found->second;
        if (rowsOf[range.table] != range.table->size()) {
            for (const TraceRow& row : range.table->rows().subspan(range.first, range.count)) found->second.prepare(row);
        } else if (isFirst) {
            found->second.prepareAll();
            wholeTables.push_back(i);
            texts += range.table->m_timestamps.size();
            bytes += range.table->m_timestamps.byteCount();
        }
    }
    auto firstTimestamp = static_cast<std::uint32_t>(m_timestamps.size());
    TextList::Room times = m_timestamps.grow(texts, bytes);
    std::vector<bool> fillsTimes(ranges.size(), false);
    for (const std::size_t i : wholeTables) {
        copierOf[i]->placeTimes(times, firstTimestamp);
        fillsTimes[i] = true;
    }
    const std::span<TraceRow> target = m_rows.grow(count);
    parallelFor(ranges.size(), count < kRowsWorthAThread ? 1 : threads, [&](std::size_t i) {
        const TraceRowRange& range = ranges[i];
        const std::span<const TraceRow> from = range.table->rows().subspan(range.first, range.count);
        const auto to = target.subspan(firstRow[i], range.count);
        if (range.table == shared) {
            std::copy(from.begin(), from.end(), to.begin());
            return;
        }
        const RowCopier& copier = *copierOf[i];
        if (fillsTimes[i]) copier.fillTimes();
        std::transform(from.begin(), from.end(), to.begin(), [&](const TraceRow& row) { return copier.translate(row, range.file); });
    });
}

void TraceTable::replaceTimes(const std::unordered_map<std::uint32_t, PooledFigure>& figures)
{
    if (figures.empty()) return;
    SharedArray<TraceRow> rows;
    const std::span<TraceRow> copy = rows.grow(m_rows.size());
    std::copy(m_rows.span().begin(), m_rows.span().end(), copy.begin());
    for (const auto& [row, figure] : figures) {
        copy[row].latencyMs = figure.latencyMs;
        copy[row].referenceLatencyMs = figure.referenceLatencyMs;
        copy[row].speedupFactor = figure.referenceLatencyMs / figure.latencyMs;
    }
    m_rows = std::move(rows);
}

bool TraceTable::isSameTrace(const TraceTable& tableA, const TraceRow& a, const TraceTable& tableB, const TraceRow& b)
{
    return isSameNumber(a.latencyMs, b.latencyMs) && isSameNumber(a.referenceLatencyMs, b.referenceLatencyMs) &&
           isSameNumber(a.speedupFactor, b.speedupFactor) && isSameNumber(a.maxAbsoluteError, b.maxAbsoluteError) &&
           isSameNumber(a.maxRelativeError, b.maxRelativeError) && a.status == b.status && a.flags == b.flags &&
           tableA.timestamp(a) == tableB.timestamp(b) && tableA.hardwareName(a) == tableB.hardwareName(b) &&
           tableA.solutionName(a) == tableB.solutionName(b) && tableA.definitionName(a) == tableB.definitionName(b) &&
           tableA.workloadUuid(a) == tableB.workloadUuid(b) && tableA.axesText(a) == tableB.axesText(b);
}

std::size_t TraceTable::commonRows(std::size_t first, std::size_t count, const TraceTable& other, std::size_t otherFirst) const
{
    const std::size_t limit = std::min(count, other.size() - otherFirst);
    for (std::size_t i = 0; i < limit; ++i) {
        const TraceRow& a = m_rows[first + i];
        const TraceRow& b = other.m_rows[otherFirst + i];
        if (offsetOf(a) != offsetOf(b) || !isSameTrace(*this, a, other, b)) return i;
    }
    return limit;
}

}  // namespace tracedeck
