// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/column_keys.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string_view>
#include <utility>

#include "core/store/parallel.h"

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
        case TraceColumn::Folder: return byFolder();
        }
        return {};
    }

    [[nodiscard]] std::vector<KeyedRow> ofFigure(const TraceFigure& figure) const
    {
        return byNumber([&figure](const TraceRow& row) {
            const double value = figure(row);
            return std::isnan(value) ? kMissingKey : orderedKey(value);
        });
    }

    [[nodiscard]] std::vector<KeyedRow> ofAxis(const std::string& axis) const
    {
        const std::uint32_t name = m_traces.names().find(axis);
        std::vector<std::uint64_t> keys;
        keys.reserve(m_traces.workloadKeys().size());
        for (const WorkloadKey& workload : m_traces.workloadKeys()) {
            const auto found = std::find_if(workload.axes.begin(), workload.axes.end(), [name](const auto& entry) { return entry.first == name; });
            constexpr std::uint64_t kSign = std::uint64_t{1} << 63U;
            keys.push_back(found == workload.axes.end() ? kMissingKey
                                                        : std::min(static_cast<std::uint64_t>(found->second) ^ kSign, kGreatestKey));
        }
        return byNumber([&keys](const TraceRow& row) { return keys[row.workload]; });
    }

private:
    [[nodiscard]] const WorkloadKey& key(const TraceRow& row) const { return m_traces.workloadKeys()[row.workload]; }

    /// Calls `work(begin, end, part)` for parts of the rows, each on a thread of its own.
    template <class Work>
    void overParts(Work work) const
    {
        const std::size_t parts = partsFor(m_rows.size());
        parallelFor(parts, static_cast<unsigned>(parts), [&](std::size_t part) {
            const auto [begin, end] = rowsOfPart(m_rows.size(), part, parts);
            work(begin, end, part);
        });
    }
    template <class KeyOf>
    [[nodiscard]] std::vector<KeyedRow> byNumber(KeyOf keyOf) const
    {
        std::vector<KeyedRow> keyed(m_rows.size());
        overParts([&](std::size_t begin, std::size_t end, std::size_t) {
            for (std::size_t i = begin; i < end; ++i) keyed[i] = {keyOf(m_traces.row(m_rows[i])), m_rows[i]};
        });
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
        std::vector<std::vector<bool>> seen(partsFor(m_rows.size()), std::vector<bool>(names.size(), false));
        overParts([&](std::size_t begin, std::size_t end, std::size_t part) {
            for (std::size_t i = begin; i < end; ++i) {
                const std::uint32_t id = idOf(m_traces.row(m_rows[i]));
                if (id != StringPool::kNone) seen[part][id] = true;
            }
        });
        std::vector<std::uint32_t> ids;
        for (std::uint32_t id = 0; id < names.size(); ++id) {
            if (std::any_of(seen.begin(), seen.end(), [id](const auto& ofPart) { return ofPart[id]; })) ids.push_back(id);
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
    [[nodiscard]] std::vector<KeyedRow> byFolder() const
    {
        const auto& folders = m_dataset.folders();
        std::vector<std::uint32_t> ids(folders.size());
        std::iota(ids.begin(), ids.end(), 0U);
        const TextRanks ranks(std::move(ids), folders.size(), [&](std::uint32_t id) { return std::string_view(folders[id].name); });
        return byNumber([&](const TraceRow& row) { return folders.empty() ? 0 : ranks.of(static_cast<std::uint32_t>(m_dataset.folderIndexOf(row))); });
    }
    /// Times in their order, then texts that are no time.
    [[nodiscard]] std::vector<KeyedRow> byTime() const
    {
        constexpr std::uint64_t epoch = std::uint64_t{1} << 62U;
        constexpr std::uint64_t firstText = std::uint64_t{1} << 63U;
        std::vector<std::vector<std::string_view>> textsOfParts(partsFor(m_rows.size()));
        std::vector<KeyedRow> keyed(m_rows.size());
        overParts([&](std::size_t begin, std::size_t end, std::size_t part) {
            for (std::size_t i = begin; i < end; ++i) {
                const std::string_view text = m_traces.timestamp(m_traces.row(m_rows[i]));
                const auto time = timestampMicroseconds(text);
                if (!time && !text.empty()) textsOfParts[part].push_back(text);
                keyed[i] = {time ? epoch + static_cast<std::uint64_t>(*time) : text.empty() ? kMissingKey : firstText, m_rows[i]};
            }
        });
        std::vector<std::string_view> texts;
        for (const auto& ofPart : textsOfParts) texts.insert(texts.end(), ofPart.begin(), ofPart.end());
        if (texts.empty()) return keyed;
        std::sort(texts.begin(), texts.end());
        for (KeyedRow& row : keyed) {
            if (row.key != firstText) continue;
            const std::string_view text = m_traces.timestamp(m_traces.row(row.row));
            row.key += static_cast<std::uint64_t>(std::lower_bound(texts.begin(), texts.end(), text) - texts.begin());
        }
        return keyed;
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

}  // namespace

std::vector<KeyedRow> columnKeys(const Dataset& dataset, const RowIndex& rows, TraceColumn column)
{
    return ColumnKeys(dataset, rows).make(column);
}

std::vector<KeyedRow> figureKeys(const Dataset& dataset, const RowIndex& rows, const TraceFigure& figure) { return ColumnKeys(dataset, rows).ofFigure(figure); }

std::vector<KeyedRow> axisKeys(const Dataset& dataset, const RowIndex& rows, const std::string& axis)
{
    return ColumnKeys(dataset, rows).ofAxis(axis);
}

}  // namespace tracedeck
