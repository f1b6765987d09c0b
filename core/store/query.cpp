// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/query.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <numeric>
#include <span>
#include <unordered_map>
#include <utility>

#include "core/store/column_keys.h"
#include "core/store/parallel.h"
#include "core/store/row_order.h"
#include "core/store/trace_groups.h"

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
        const bool takesNewest = m_policy == SelectionPolicy::Newest || m_policy == SelectionPolicy::PinnedRun;
        if (!takesNewest && isTimed(a) != isTimed(b)) return isTimed(a);
        if (m_policy == SelectionPolicy::LowestMedian && isTimed(a) && a.latencyMs != b.latencyMs) return a.latencyMs < b.latencyMs;
        const std::int64_t timeA = time(a);
        const std::int64_t timeB = time(b);
        return timeA != timeB ? timeA > timeB : candidate > best;
    }
    /// The one of a group that counts.
    [[nodiscard]] std::uint32_t choose(std::span<const std::uint32_t> group)
    {
        if (m_policy == SelectionPolicy::MiddleRun) {
            m_timed.clear();
            for (const std::uint32_t index : group) {
                if (const TraceRow& row = m_traces.row(index); isTimed(row)) m_timed.emplace_back(row.latencyMs, index);
            }
            if (!m_timed.empty()) {
                const auto middle = m_timed.begin() + static_cast<std::ptrdiff_t>((m_timed.size() - 1) / 2);
                std::nth_element(m_timed.begin(), middle, m_timed.end());
                return middle->second;
            }
        }
        std::uint32_t best = group.front();
        for (const std::uint32_t index : group.subspan(1)) {
            if (isBetter(index, best)) best = index;
        }
        return best;
    }

private:
    /// A trace without a readable time is older than any that has one.
    [[nodiscard]] std::int64_t time(const TraceRow& row) const
    {
        return timestampMicroseconds(m_traces.timestamp(row)).value_or(std::numeric_limits<std::int64_t>::min());
    }

    const TraceTable& m_traces;
    SelectionPolicy m_policy;
    std::vector<std::pair<double, std::uint32_t>> m_timed;   ///< keeps its memory from group to group
};

constexpr std::array<std::pair<SelectionPolicy, std::string_view>, kSelectionPolicyCount> kPolicyNames{
    {{SelectionPolicy::Newest, "newest"},
     {SelectionPolicy::NewestPassing, "newest-passing"},
     {SelectionPolicy::LowestMedian, "lowest-median"},
     {SelectionPolicy::MiddleRun, "middle-run"},
     {SelectionPolicy::Pooled, "pooled"},
     {SelectionPolicy::PinnedRun, "pinned-run"},
     {SelectionPolicy::All, "all"}}};
constexpr std::string_view kOldNameOfLowestMedian = "fastest";

}  // namespace

void sortTraces(const Dataset& dataset, RowIndex& rows, const std::vector<TraceSort>& keys, std::stop_token stop)
{
    // Stable passes from the key that counts least to the one that counts most.
    for (auto sort = keys.rbegin(); sort != keys.rend() && !stop.stop_requested(); ++sort) {
        std::vector<KeyedRow> keyed = sort->figure ? figureKeys(dataset, rows, sort->figure) : columnKeys(dataset, rows, sort->column);
        if (sort->descending) {
            for (KeyedRow& row : keyed) {
                if (row.key != kMissingKey) row.key = kGreatestKey - row.key;
            }
        }
        sortByKey(keyed, stop);
        std::transform(keyed.begin(), keyed.end(), rows.begin(), [](const KeyedRow& row) { return row.row; });
    }
}

std::optional<RowIndex> inOrderOf(const RowIndex& ordered, const RowIndex& subset, std::size_t rowCount)
{
    constexpr std::size_t kBits = 64;
    std::vector<std::uint64_t> isWanted(rowCount / kBits + 1, 0);
    for (const std::uint32_t row : subset) isWanted[row / kBits] |= std::uint64_t{1} << row % kBits;
    RowIndex picked(subset.size());
    std::size_t count = 0;
    for (const std::uint32_t row : ordered) {
        if ((isWanted[row / kBits] >> row % kBits & 1U) == 0) continue;
        if (count == picked.size()) return std::nullopt;   // a row stands in it twice
        picked[count++] = row;
    }
    return count == picked.size() ? std::optional(std::move(picked)) : std::nullopt;
}

std::string authorOf(const Dataset& dataset, const TraceRow& row)
{
    if (row.solution == StringPool::kNone) return {};
    const Solution* solution = dataset.findSolution(dataset.traces().names().text(row.solution));
    return solution == nullptr ? std::string{} : solution->author;
}

std::string_view toString(SelectionPolicy policy)
{
    for (const auto& [value, name] : kPolicyNames) {
        if (value == policy) return name;
    }
    return {};
}

std::optional<SelectionPolicy> selectionPolicyFromString(std::string_view name)
{
    if (name == kOldNameOfLowestMedian) return SelectionPolicy::LowestMedian;
    for (const auto& [value, known] : kPolicyNames) {
        if (known == name) return value;
    }
    return std::nullopt;
}

std::vector<std::string> selectionPolicyNames()
{
    std::vector<std::string> names;
    for (const auto& [value, name] : kPolicyNames) names.emplace_back(name);
    names.emplace_back(kOldNameOfLowestMedian);
    return names;
}

std::string describePolicy(SelectionPolicy policy)
{
    switch (policy) {
    case SelectionPolicy::Newest: return "Of several traces of a solution on a workload and a GPU the newest one counts; a failure after a pass is a failure.";
    case SelectionPolicy::NewestPassing: return "Of several traces of a solution on a workload and a GPU the newest one that passed counts.";
    case SelectionPolicy::LowestMedian: return "Of several traces of a solution on a workload and a GPU the one that passed with the lowest latency counts.";
    case SelectionPolicy::MiddleRun:
        return "Of several traces of a solution on a workload and a GPU that passed, the one whose latency is in the middle counts.";
    case SelectionPolicy::Pooled:
        return "Each solution has one figure on a workload and a GPU, from all its traces that passed: the median of their samples together, or of their latencies where not all kept samples.";
    case SelectionPolicy::PinnedRun:
        return "Only traces of the pinned run count: of several of a solution on a workload and a GPU the newest one.";
    case SelectionPolicy::All: return "Every trace counts by itself.";
    }
    return {};
}

CountedTraces::CountedTraces(const Dataset& dataset, SelectionPolicy policy, std::stop_token stop)
{
    if (policy == SelectionPolicy::All) return;
    RowIndex rows(dataset.traces().size());
    std::iota(rows.begin(), rows.end(), 0U);
    auto counts = std::make_shared<std::vector<char>>(rows.size(), '\0');
    for (const std::uint32_t row : selectTraces(dataset, rows, policy, std::move(stop))) (*counts)[row] = 1;
    m_counts = std::move(counts);
}

CountedTraces CountedTraces::contributing(const Dataset& dataset, SelectionPolicy policy, std::stop_token stop)
{
    const PolicyView* view = dataset.policyView();
    if (policy != SelectionPolicy::Pooled || view == nullptr) return CountedTraces(dataset, policy, std::move(stop));
    CountedTraces counted;
    counted.m_counts = std::make_shared<const std::vector<char>>(view->contributes);
    return counted;
}

RowIndex countedRows(const Dataset& dataset, SelectionPolicy policy, const std::string& hardware, std::stop_token stop)
{
    TraceFilter filter;
    if (!hardware.empty()) filter.hardware.insert(hardware);
    const RowIndex rows = filterTraces(dataset, filter, stop);
    return selectTraces(dataset, rows, policy, std::move(stop));
}

bool isTimed(const TraceRow& row)
{
    return row.status == Status::Passed && (row.flags & TraceFlag::kHasPerformance) != 0 && (row.flags & TraceFlag::kInconsistent) == 0 &&
           isUsableLatency(row.latencyMs);
}

RowIndex selectTraces(const Dataset& dataset, const RowIndex& rows, SelectionPolicy policy, std::stop_token stop)
{
    if (policy == SelectionPolicy::All) return rows;
    if (const PolicyView* view = dataset.policyView(); policy == SelectionPolicy::PinnedRun && view != nullptr && view->pinnedRun) {
        RowIndex ofRun;
        std::copy_if(rows.begin(), rows.end(), std::back_inserter(ofRun), [view](std::uint32_t row) { return view->contributes[row] != 0; });
        return selectTraces(dataset, ofRun, SelectionPolicy::Newest, std::move(stop));
    }
    const TraceGroups groups(dataset, rows, stop);
    const std::size_t parts = partsFor(rows.size());
    std::vector<char> selected(dataset.traces().size(), 0);   // not bits: several threads write
    parallelFor(parts, static_cast<unsigned>(parts), [&](std::size_t part) {
        Candidates candidates(dataset, policy);
        const auto [begin, end] = rowsOfPart(groups.size(), part, parts);
        for (std::size_t group = begin; group < end && !stop.stop_requested(); ++group) selected[candidates.choose(groups.group(group))] = 1;
    });
    RowIndex kept;
    std::copy_if(rows.begin(), rows.end(), std::back_inserter(kept), [&](std::uint32_t row) { return selected[row] != 0; });
    return kept;
}

}  // namespace tracedeck
