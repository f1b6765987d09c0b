// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/definition_summary.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <unordered_map>
#include <utility>

namespace tracedeck::ui {
namespace {

constexpr std::size_t kRowsBetweenStopChecks = 4096;

/// Running geometric mean of positive finite values.
struct GeometricMean {
    double logSum = 0;
    std::size_t count = 0;

    void add(double value)
    {
        if (std::isfinite(value) && value > 0) {
            logSum += std::log(value);
            ++count;
        }
    }
    [[nodiscard]] double value() const
    {
        return count == 0 ? std::numeric_limits<double>::quiet_NaN() : std::exp(logSum / static_cast<double>(count));
    }
};

/// Rows of the definition on this hardware that have an evaluation of a solution.
RowIndex rowsOn(const Dataset& dataset, const std::string& definition, const std::string& hardware, std::set<std::string>& seen)
{
    RowIndex rows;
    const TraceTable& table = dataset.traces();
    for (const std::uint32_t index : dataset.traceRowsOfDefinition(definition)) {
        const TraceRow& row = table.row(index);
        if ((row.flags & TraceFlag::kHasEvaluation) == 0 || (row.flags & TraceFlag::kHasSolution) == 0)
            continue;
        const std::string_view name = table.hardwareName(row);
        if (!name.empty())
            seen.emplace(name);
        if (hardware.empty() || name == hardware)
            rows.push_back(index);
    }
    return rows;
}

/// What the times come to against the speed of light and the pins.
void setAgainstBaselines(DefinitionSummary& summary, const Dataset& dataset, const RowIndex& rows, const SummaryBaselines& baselines, const std::stop_token& stop)
{
    const TraceTable& table = dataset.traces();
    summary.light = LightTimes(dataset, rows, baselines.ceilings, stop);
    if (baselines.pinned)
        summary.pinned = baselines.pinned;
    const auto changes = pinnedChanges(dataset, rows, RankBy::Solution, *summary.pinned);
    std::unordered_map<std::string, GeometricMean> shares;
    for (const std::uint32_t index : rows) {
        const TraceRow& row = table.row(index);
        if (const double share = summary.light.share(row); std::isfinite(share))
            shares[std::string(table.solutionName(row))].add(std::min(share, 1.0));
    }
    for (SolutionSummary& solution : summary.solutions) {
        if (const auto share = shares.find(solution.name); share != shares.end())
            solution.lightShare = share->second.value();
        const auto found = changes.find(solution.name);
        solution.changes = found == changes.end() ? std::vector<PinnedChange>(summary.pinned->size()) : found->second;
    }
}

struct Fastest {
    double latencyMs = std::numeric_limits<double>::infinity();
    std::size_t solution = 0;
};

}  // namespace

DefinitionSummary summarizeDefinition(std::shared_ptr<const Dataset> dataset, const std::string& definition,
                                      const std::string& hardware, SelectionPolicy policy, std::stop_token stop, const SummaryBaselines& baselines)
{
    DefinitionSummary summary;
    summary.definition = definition;
    std::unordered_map<std::string, std::size_t> indexByName;
    for (const Solution* solution : dataset->solutionsOf(definition)) {
        indexByName.emplace(solution->name, summary.solutions.size());
        summary.solutions.push_back({.name = solution->name, .solution = solution});
    }
    std::set<std::string> seenHardware;
    const RowIndex rows = selectTraces(*dataset, rowsOn(*dataset, definition, hardware, seenHardware), policy);
    summary.hardware.assign(seenHardware.begin(), seenHardware.end());

    const TraceTable& table = dataset->traces();
    std::vector<std::pair<GeometricMean, GeometricMean>> means(summary.solutions.size());   // speedup, latency
    std::map<std::pair<std::uint32_t, std::uint16_t>, Fastest> fastest;                     // by workload key and hardware
    for (std::size_t position = 0; position < rows.size(); ++position) {
        if (position % kRowsBetweenStopChecks == 0 && stop.stop_requested())
            break;
        const TraceRow& row = table.row(rows[position]);
        if (row.status == Status::InvalidReference)
            continue;   // says nothing about a solution
        const auto [found, isNew] = indexByName.try_emplace(std::string(table.solutionName(row)), summary.solutions.size());
        if (isNew) {
            summary.solutions.push_back({.name = found->first});
            means.emplace_back();
        }
        const std::size_t index = found->second;
        SolutionSummary& solution = summary.solutions[index];
        WorkloadSummary& workload = summary.workloads[table.workloadUuid(row)];
        ++summary.traces;
        ++solution.attempted;
        ++workload.attempted;
        summary.timing.add(row);
        if (row.status != Status::Passed)
            continue;
        ++summary.passed;
        ++solution.passed;
        ++workload.passed;
        if (!isUsableLatency(row.latencyMs))
            continue;
        means[index].first.add(row.speedupFactor);
        means[index].second.add(row.latencyMs);
        Fastest& first = fastest[{row.workload, row.hardware}];
        if (row.latencyMs < first.latencyMs)
            first = {row.latencyMs, index};
        if (!(workload.bestLatencyMs <= row.latencyMs)) {
            workload.bestLatencyMs = row.latencyMs;
            workload.bestSolution = solution.name;
            workload.bestRow = rows[position];
        }
    }
    for (const auto& [pair, first] : fastest)
        ++summary.solutions[first.solution].best;
    std::size_t mostPassed = 0;
    for (std::size_t index = 0; index < summary.solutions.size(); ++index) {
        SolutionSummary& solution = summary.solutions[index];
        solution.speedup = means[index].first.value();
        solution.latencyMs = means[index].second.value();
        if (!std::isfinite(solution.speedup))
            continue;
        const bool better = summary.best < 0 || solution.passed > mostPassed ||
                            (solution.passed == mostPassed &&
                             solution.speedup > summary.solutions[static_cast<std::size_t>(summary.best)].speedup);
        if (better) {
            summary.best = static_cast<int>(index);
            mostPassed = solution.passed;
        }
    }
    setAgainstBaselines(summary, *dataset, rows, baselines, stop);
    summary.dataset = std::move(dataset);
    return summary;
}

}  // namespace tracedeck::ui
