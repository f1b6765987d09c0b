// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/score/policy_view.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/model/judge_samples.h"
#include "core/model/text.h"
#include "core/model/timestamp.h"
#include "core/score/statistics.h"
#include "core/store/parallel.h"
#include "core/store/trace_groups.h"

namespace tracedeck {

namespace {

constexpr std::string_view kRunPrefix = "run:";
constexpr double kLowShare = 0.1;
constexpr double kHighShare = 0.9;

/// The samples of these traces; empty when one of them has none, or cannot be read back.
std::vector<double> samplesOf(const Dataset& dataset, const std::vector<std::uint32_t>& rows)
{
    std::vector<double> all;
    for (const std::uint32_t row : rows) {
        const auto trace = dataset.readTrace(row);
        if (!trace || !trace->evaluation) return {};
        const std::vector<double> samples = judgeSamplesMs(*trace->evaluation);
        if (samples.empty()) return {};
        all.insert(all.end(), samples.begin(), samples.end());
    }
    return all;
}

/// The pool of a pair whose newest trace that passed is `chosen`; nullopt when that trace is all there is: it keeps its own figure.
std::optional<PooledFigure> poolOf(const Dataset& dataset, std::span<const std::uint32_t> group, std::uint32_t chosen, std::vector<std::uint32_t>& rows)
{
    const TraceTable& traces = dataset.traces();
    const TraceRow& newest = traces.row(chosen);
    rows.clear();
    if (!isTimed(newest)) return std::nullopt;
    // Times that were taken in another way are of something else.
    std::copy_if(group.begin(), group.end(), std::back_inserter(rows), [&](std::uint32_t row) {
        return isTimed(traces.row(row)) && timingMethodOf(traces.row(row)) == timingMethodOf(newest);
    });
    if (rows.size() < 2) return std::nullopt;
    const bool mayHaveSamples = timingMethodOf(newest) != TimingMethod::Unknown;   // whoever says how also keeps samples
    PooledFigure figure;
    figure.runs = static_cast<std::uint32_t>(rows.size());
    std::vector<double> references;
    for (const std::uint32_t row : rows) {
        if (isUsableLatency(traces.row(row).referenceLatencyMs)) references.push_back(traces.row(row).referenceLatencyMs);
    }
    figure.referenceLatencyMs = references.empty() ? newest.referenceLatencyMs : median(std::move(references));
    std::vector<double> samples = mayHaveSamples ? samplesOf(dataset, rows) : std::vector<double>();
    if (samples.empty()) {
        std::vector<double> medians;
        for (const std::uint32_t row : rows) medians.push_back(traces.row(row).latencyMs);
        figure.latencyMs = median(std::move(medians));
        return figure;
    }
    std::sort(samples.begin(), samples.end());
    figure.samples = static_cast<std::uint32_t>(samples.size());
    figure.latencyMs = quantile(samples, 0.5);
    figure.lowMs = quantile(samples, kLowShare);
    figure.highMs = quantile(samples, kHighShare);
    return figure;
}

std::shared_ptr<const PolicyView> pool(const std::shared_ptr<const Dataset>& dataset, const std::stop_token& stop)
{
    RowIndex all(dataset->traces().size());
    std::iota(all.begin(), all.end(), 0U);
    std::vector<char> isChosen(all.size(), 0);
    for (const std::uint32_t row : selectTraces(*dataset, all, SelectionPolicy::NewestPassing, stop)) isChosen[row] = 1;
    const TraceGroups groups(*dataset, all, stop);
    auto view = std::make_shared<PolicyView>();
    view->plain = dataset;
    view->contributes.assign(all.size(), 0);
    const std::size_t parts = std::clamp<std::size_t>(groups.size(), 1, 8 * defaultThreads());
    std::vector<std::vector<std::pair<std::uint32_t, PooledFigure>>> found(parts);
    parallelFor(parts, defaultThreads(), [&](std::size_t part) {
        std::vector<std::uint32_t> rows;
        for (std::size_t i = groups.size() * part / parts; i < groups.size() * (part + 1) / parts && !stop.stop_requested(); ++i) {
            const auto group = groups.group(i);
            const auto chosen = std::find_if(group.begin(), group.end(), [&](std::uint32_t row) { return isChosen[row] != 0; });
            if (chosen == group.end()) continue;
            if (const auto figure = poolOf(*dataset, group, *chosen, rows)) found[part].emplace_back(*chosen, *figure);
            view->contributes[*chosen] = 1;
            for (const std::uint32_t row : rows) view->contributes[row] = 1;
        }
    });
    if (stop.stop_requested()) return nullptr;
    for (const auto& ofPart : found) view->pooled.insert(ofPart.begin(), ofPart.end());
    return view;
}

std::shared_ptr<const PolicyView> pin(const std::shared_ptr<const Dataset>& dataset, const std::optional<std::int64_t>& time, const std::stop_token& stop)
{
    const std::vector<MeasurementRun> runs = measurementRuns(*dataset, kPauseBetweenRuns, stop);
    if (runs.empty() || stop.stop_requested()) return nullptr;
    auto run = std::find_if(runs.begin(), runs.end(), [&time](const MeasurementRun& one) { return time && one.start <= *time && *time <= one.end; });
    if (run == runs.end()) run = std::prev(runs.end());   // it is gone, or none was named
    auto view = std::make_shared<PolicyView>();
    view->plain = dataset;
    view->pinnedRun = PolicyView::Span{run->start, run->end};
    TraceFilter ofRun;
    ofRun.ranges[TraceColumn::Timestamp] = {static_cast<double>(run->start), static_cast<double>(run->end)};
    view->contributes.assign(dataset->traces().size(), 0);
    for (const std::uint32_t row : filterTraces(*dataset, ofRun, stop)) view->contributes[row] = 1;
    if (stop.stop_requested()) return nullptr;
    return view;
}

}  // namespace

std::optional<SelectionPolicy> policyOfText(std::string_view text)
{
    if (const auto policy = selectionPolicyFromString(text)) return policy;
    const bool isRun = text.starts_with(kRunPrefix) && runNumber(text.substr(kRunPrefix.size()), std::numeric_limits<std::size_t>::max());
    return isRun ? std::optional(SelectionPolicy::PinnedRun) : std::nullopt;
}

Result<PolicyChoice> policyChoiceFromString(const Dataset& dataset, std::string_view text)
{
    if (const auto policy = selectionPolicyFromString(text)) return PolicyChoice{*policy};
    if (text.starts_with(kRunPrefix)) {
        const auto runs = measurementRuns(dataset);
        if (const auto number = runNumber(text.substr(kRunPrefix.size()), runs.size())) return PolicyChoice{SelectionPolicy::PinnedRun, runs[*number - 1].start};
        return Error{ErrorCode::Usage, fmt::format("'{}' is no run of the dataset: write run:last, run:previous, or run: and a number from 1 (the oldest) to {}", toValidUtf8(text), runs.size()), {}, 0, {}};
    }
    return Error{ErrorCode::Usage, fmt::format("there is no policy '{}'", toValidUtf8(text)), {}, 0, {}};
}

std::shared_ptr<const Dataset> datasetFor(const std::shared_ptr<const Dataset>& dataset, const PolicyChoice& choice, const std::stop_token& stop)
{
    const auto plain = dataset->plain();
    std::shared_ptr<const PolicyView> view;
    if (choice.policy == SelectionPolicy::Pooled) view = pool(plain, stop);
    if (choice.policy == SelectionPolicy::PinnedRun) view = pin(plain, choice.runTime, stop);
    return view ? plain->withPolicyView(std::move(view)) : plain;
}

PoolCounts countPools(const PolicyView& view)
{
    PoolCounts counts;
    for (const auto& [row, figure] : view.pooled) ++(figure.samples > 0 ? counts.fromSamples : counts.fromMedians);
    return counts;
}

std::string describePolicyView(const Dataset& dataset)
{
    const PolicyView* view = dataset.policyView();
    if (view == nullptr) return {};
    if (view->pinnedRun) {
        return fmt::format("The run from {} to {} is pinned.", timestampText(view->pinnedRun->start), timestampText(view->pinnedRun->end));
    }
    const auto [fromSamples, fromMedians] = countPools(*view);
    return fmt::format("Of {} pairs measured several times {} have a figure from the pooled samples of their runs and {}, whose runs kept no samples, the median of the runs' medians.",
                       fromSamples + fromMedians, fromSamples, fromMedians);
}

}  // namespace tracedeck
