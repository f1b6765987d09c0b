// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/query.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <unordered_map>

#include "core/store/column_keys.h"
#include "core/store/parallel.h"
#include "core/store/row_order.h"

namespace tracedeck {

namespace {

/// Orders the candidates of one group; the greatest is the one that counts.
class Candidates {
public:
    Candidates(const Dataset& dataset, SelectionPolicy policy)
        : m_traces(dataset.traces()), m_policy(policy)
    {
    }
    [[nodiscard]] bool isBetter(std::uint32_t candidate, std::uint32_t best) const
    {
        const TraceRow& a = m_traces.row(candidate);
        const TraceRow& b = m_traces.row(best);
        if (m_policy == SelectionPolicy::Fastest) {
            if (isTimed(a) != isTimed(b)) return isTimed(a);
            if (isTimed(a) && a.latencyMs != b.latencyMs) return a.latencyMs < b.latencyMs;
        }
        const std::int64_t timeA = time(a);
        const std::int64_t timeB = time(b);
        return timeA != timeB ? timeA > timeB : candidate > best;
    }

private:
    static bool isTimed(const TraceRow& row)
    {
        return row.status == Status::Passed && (row.flags & TraceFlag::kHasPerformance) != 0 &&
               (row.flags & TraceFlag::kInconsistent) == 0 && isUsableLatency(row.latencyMs);
    }
    /// A trace without a readable time is older than any that has one.
    [[nodiscard]] std::int64_t time(const TraceRow& row) const
    {
        return timestampMicroseconds(m_traces.timestamp(row)).value_or(std::numeric_limits<std::int64_t>::min());
    }

    const TraceTable& m_traces;
    SelectionPolicy m_policy;
};

}  // namespace

void sortTraces(const Dataset& dataset, RowIndex& rows, const std::vector<TraceSort>& keys, std::stop_token stop)
{
    // Stable passes from the key that counts least to the one that counts most.
    for (auto sort = keys.rbegin(); sort != keys.rend() && !stop.stop_requested(); ++sort) {
        std::vector<KeyedRow> keyed = columnKeys(dataset, rows, sort->column);
        if (sort->descending) {
            for (KeyedRow& row : keyed) {
                if (row.key != kMissingKey) row.key = kGreatestKey - row.key;
            }
        }
        sortByKey(keyed, stop);
        std::transform(keyed.begin(), keyed.end(), rows.begin(), [](const KeyedRow& row) { return row.row; });
    }
}

std::string authorOf(const Dataset& dataset, const TraceRow& row)
{
    if (row.solution == StringPool::kNone) return {};
    const Solution* solution = dataset.findSolution(dataset.traces().names().text(row.solution));
    return solution == nullptr ? std::string{} : solution->author;
}

RowIndex selectTraces(const Dataset& dataset, const RowIndex& rows, SelectionPolicy policy, std::stop_token stop)
{
    if (policy == SelectionPolicy::All) return rows;
    const TraceTable& traces = dataset.traces();
    // The same uuid may occur with other axes: those are one workload here.
    std::unordered_map<std::uint64_t, std::uint32_t> idOfWorkload;
    std::vector<std::uint32_t> workloadIds;
    workloadIds.reserve(traces.workloadKeys().size());
    for (const WorkloadKey& key : traces.workloadKeys()) {
        const std::uint64_t name = (std::uint64_t{key.definition} << 32U) | key.uuid;
        workloadIds.push_back(idOfWorkload.emplace(name, static_cast<std::uint32_t>(idOfWorkload.size())).first->second);
    }
    const auto hardwareOf = [&](const KeyedRow& row) { return traces.row(row.row).hardware; };
    std::vector<KeyedRow> keyed(rows.size());
    std::transform(rows.begin(), rows.end(), keyed.begin(), [&](std::uint32_t row) { return KeyedRow{traces.row(row).hardware, row}; });
    sortByKey(keyed, stop);
    for (KeyedRow& row : keyed) row.key = (std::uint64_t{workloadIds[traces.row(row.row).workload]} << 32U) | traces.row(row.row).solution;
    sortByKey(keyed, stop);
    if (stop.stop_requested()) return {};

    const auto isOneGroup = [&](std::size_t a, std::size_t b) { return keyed[a].key == keyed[b].key && hardwareOf(keyed[a]) == hardwareOf(keyed[b]); };
    const std::size_t parts = partsFor(keyed.size());
    std::vector<char> selected(traces.size(), 0);   // not bits: several threads write
    parallelFor(parts, static_cast<unsigned>(parts), [&](std::size_t part) {
        const Candidates candidates(dataset, policy);
        auto [begin, end] = rowsOfPart(keyed.size(), part, parts);
        // A group belongs to the part in which it begins.
        while (begin > 0 && begin < end && isOneGroup(begin - 1, begin)) ++begin;
        while (begin < end && !stop.stop_requested()) {
            std::uint32_t best = keyed[begin].row;
            std::size_t next = begin + 1;
            for (; next < keyed.size() && isOneGroup(begin, next); ++next) {
                if (candidates.isBetter(keyed[next].row, best)) best = keyed[next].row;
            }
            selected[best] = 1;
            begin = next;
        }
    });
    RowIndex kept;
    std::copy_if(rows.begin(), rows.end(), std::back_inserter(kept), [&](std::uint32_t row) { return selected[row] != 0; });
    return kept;
}

}  // namespace tracedeck
