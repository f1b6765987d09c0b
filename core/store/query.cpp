// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/query.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <unordered_map>

#include "core/store/row_order.h"

namespace tracedeck {

namespace {

/// Replaces dense ids by the rank of their text; an id whose text is empty has no rank.
class TextRanks {
public:
    template <class TextOf>
    TextRanks(std::vector<std::uint32_t> ids, std::size_t idCount, TextOf textOf) : m_ranks(idCount, kMissingKey)
    {
        std::sort(ids.begin(), ids.end());
        ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
        std::vector<std::pair<std::string_view, std::uint32_t>> texts;
        texts.reserve(ids.size());
        for (const std::uint32_t id : ids) {
            const std::string_view text = textOf(id);
            if (!text.empty()) texts.emplace_back(text, id);
        }
        std::sort(texts.begin(), texts.end());
        std::uint64_t rank = 0;
        for (std::size_t i = 0; i < texts.size(); ++i) {
            if (i > 0 && texts[i].first != texts[i - 1].first) ++rank;
            m_ranks[texts[i].second] = rank;
        }
    }
    [[nodiscard]] std::uint64_t of(std::uint32_t id) const { return id < m_ranks.size() ? m_ranks[id] : kMissingKey; }

private:
    std::vector<std::uint64_t> m_ranks;
};

/// Keys of all rows for one column, ascending order.
class ColumnKeys {
public:
    ColumnKeys(const Dataset& dataset, const RowIndex& rows) : m_dataset(dataset), m_traces(dataset.traces()), m_rows(rows) {}

    [[nodiscard]] std::vector<KeyedRow> make(TraceColumn column) const
    {
        switch (column) {
        case TraceColumn::Definition: return byName([this](const TraceRow& row) { return key(row).definition; });
        case TraceColumn::OpType:
            return byName([this](const TraceRow& row) { return key(row).definition; },
                          [this](const std::string& name) -> std::string_view {
                              const Definition* definition = m_dataset.findDefinition(name);
                              return definition == nullptr ? std::string_view{} : std::string_view(definition->opType);
                          });
        case TraceColumn::Solution: return byName([](const TraceRow& row) { return row.solution; });
        case TraceColumn::Language:
            return byName([](const TraceRow& row) { return row.solution; },
                          [this](const std::string& name) -> std::string_view {
                              const Solution* solution = m_dataset.findSolution(name);
                              return solution == nullptr ? std::string_view{} : toString(solution->spec.language);
                          });
        case TraceColumn::Author:
            return byName([](const TraceRow& row) { return row.solution; },
                          [this](const std::string& name) -> std::string_view {
                              const Solution* solution = m_dataset.findSolution(name);
                              return solution == nullptr ? std::string_view{} : std::string_view(solution->author);
                          });
        case TraceColumn::Workload: return byName([this](const TraceRow& row) { return key(row).uuid; });
        case TraceColumn::Axes: return byAxes();
        case TraceColumn::Status:
            return byNumber([](const TraceRow& row) {
                return (row.flags & TraceFlag::kHasEvaluation) != 0 ? static_cast<std::uint64_t>(row.status) : kMissingKey;
            });
        case TraceColumn::Latency: return byMeasure(TraceFlag::kHasPerformance, &TraceRow::latencyMs);
        case TraceColumn::ReferenceLatency: return byMeasure(TraceFlag::kHasPerformance, &TraceRow::referenceLatencyMs);
        case TraceColumn::Speedup: return byMeasure(TraceFlag::kHasPerformance, &TraceRow::speedupFactor);
        case TraceColumn::MaxAbsoluteError: return byMeasure(TraceFlag::kHasCorrectness, &TraceRow::maxAbsoluteError);
        case TraceColumn::MaxRelativeError: return byMeasure(TraceFlag::kHasCorrectness, &TraceRow::maxRelativeError);
        case TraceColumn::Hardware: return byHardware();
        case TraceColumn::Timestamp: return byTime();
        }
        return {};
    }

private:
    [[nodiscard]] const WorkloadKey& key(const TraceRow& row) const { return m_traces.workloadKeys()[row.workload]; }

    template <class KeyOf>
    [[nodiscard]] std::vector<KeyedRow> byNumber(KeyOf keyOf) const
    {
        std::vector<KeyedRow> keyed;
        keyed.reserve(m_rows.size());
        for (const std::uint32_t row : m_rows) keyed.push_back({keyOf(m_traces.row(row)), row});
        return keyed;
    }
    [[nodiscard]] std::vector<KeyedRow> byMeasure(std::uint8_t flag, double TraceRow::*member) const
    {
        return byNumber([flag, member](const TraceRow& row) { return (row.flags & flag) != 0 ? orderedKey(row.*member) : kMissingKey; });
    }
    template <class IdOf>
    [[nodiscard]] std::vector<KeyedRow> byName(IdOf idOf) const
    {
        return byName(idOf, [](const std::string& name) { return std::string_view(name); });
    }
    /// By a text that the interned name leads to.
    template <class IdOf, class TextOfName>
    [[nodiscard]] std::vector<KeyedRow> byName(IdOf idOf, TextOfName textOfName) const
    {
        const StringPool& names = m_traces.names();
        std::vector<std::uint32_t> ids;
        std::vector<bool> seen(names.size(), false);
        for (const std::uint32_t row : m_rows) {
            const std::uint32_t id = idOf(m_traces.row(row));
            if (id == StringPool::kNone || seen[id]) continue;
            seen[id] = true;
            ids.push_back(id);
        }
        const TextRanks ranks(std::move(ids), names.size(), [&](std::uint32_t id) { return textOfName(names.text(id)); });
        return byNumber([&](const TraceRow& row) { return ranks.of(idOf(row)); });
    }
    [[nodiscard]] std::vector<KeyedRow> byHardware() const
    {
        const auto& names = m_traces.hardwareNames();
        std::vector<std::uint32_t> ids(names.size());
        std::iota(ids.begin(), ids.end(), 0U);
        const TextRanks ranks(std::move(ids), names.size(), [&](std::uint32_t id) { return std::string_view(names[id]); });
        return byNumber([&](const TraceRow& row) { return ranks.of(row.hardware); });
    }
    /// Times in their order, then texts that are no time.
    [[nodiscard]] std::vector<KeyedRow> byTime() const
    {
        constexpr std::uint64_t epoch = std::uint64_t{1} << 62U;
        constexpr std::uint64_t firstText = std::uint64_t{1} << 63U;
        std::vector<std::string_view> texts;
        for (const std::uint32_t row : m_rows) {
            const std::string_view text = m_traces.timestamp(m_traces.row(row));
            if (!text.empty() && !timestampMicroseconds(text)) texts.push_back(text);
        }
        std::sort(texts.begin(), texts.end());
        return byNumber([&](const TraceRow& row) {
            const std::string_view text = m_traces.timestamp(row);
            if (text.empty()) return kMissingKey;
            if (const auto time = timestampMicroseconds(text)) return epoch + static_cast<std::uint64_t>(*time);
            return firstText + static_cast<std::uint64_t>(std::lower_bound(texts.begin(), texts.end(), text) - texts.begin());
        });
    }
    [[nodiscard]] std::vector<KeyedRow> byAxes() const
    {
        const auto& workloads = m_traces.workloadKeys();
        std::vector<std::uint32_t> order(workloads.size());
        std::iota(order.begin(), order.end(), 0U);
        const auto isLess = [&](std::uint32_t a, std::uint32_t b) {
            const StringPool& names = m_traces.names();
            return std::lexicographical_compare(
                workloads[a].axes.begin(), workloads[a].axes.end(), workloads[b].axes.begin(), workloads[b].axes.end(),
                [&names](const auto& left, const auto& right) {
                    if (left.first != right.first) return names.text(left.first) < names.text(right.first);
                    return left.second < right.second;
                });
        };
        std::sort(order.begin(), order.end(), isLess);
        std::vector<std::uint64_t> ranks(workloads.size(), kMissingKey);
        std::uint64_t rank = 0;
        for (std::size_t i = 0; i < order.size(); ++i) {
            if (i > 0 && isLess(order[i - 1], order[i])) ++rank;
            if (!workloads[order[i]].axes.empty()) ranks[order[i]] = rank;
        }
        return byNumber([&](const TraceRow& row) { return ranks[row.workload]; });
    }

    const Dataset& m_dataset;
    const TraceTable& m_traces;
    const RowIndex& m_rows;
};

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
        std::vector<KeyedRow> keyed = ColumnKeys(dataset, rows).make(sort->column);
        if (sort->descending) {
            for (KeyedRow& row : keyed) {
                if (row.key != kMissingKey) row.key = kGreatestKey - row.key;
            }
        }
        sortByKey(keyed);
        std::transform(keyed.begin(), keyed.end(), rows.begin(), [](const KeyedRow& row) { return row.row; });
    }
}

std::string authorOf(const Dataset& dataset, const TraceRow& row)
{
    if (row.solution == StringPool::kNone) return {};
    const Solution* solution = dataset.findSolution(dataset.traces().names().text(row.solution));
    return solution == nullptr ? std::string{} : solution->author;
}

RowIndex selectTraces(const Dataset& dataset, const RowIndex& rows, SelectionPolicy policy)
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
    const auto pairOf = [&](std::uint32_t row) {
        return (std::uint64_t{workloadIds[traces.row(row).workload]} << 32U) | traces.row(row).solution;
    };
    std::vector<KeyedRow> keyed;
    keyed.reserve(rows.size());
    for (const std::uint32_t row : rows) keyed.push_back({traces.row(row).hardware, row});
    sortByKey(keyed);
    for (KeyedRow& row : keyed) row.key = pairOf(row.row);
    sortByKey(keyed);

    std::vector<bool> selected(traces.size(), false);
    const Candidates candidates(dataset, policy);
    for (std::size_t begin = 0; begin < keyed.size();) {
        std::uint32_t best = keyed[begin].row;
        std::size_t end = begin + 1;
        for (; end < keyed.size() && keyed[end].key == keyed[begin].key &&
               traces.row(keyed[end].row).hardware == traces.row(keyed[begin].row).hardware;
             ++end) {
            if (candidates.isBetter(keyed[end].row, best)) best = keyed[end].row;
        }
        selected[best] = true;
        begin = end;
    }
    RowIndex kept;
    std::copy_if(rows.begin(), rows.end(), std::back_inserter(kept), [&](std::uint32_t row) { return selected[row]; });
    return kept;
}

}  // namespace tracedeck
