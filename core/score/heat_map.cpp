// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/score/heat_map.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <unordered_map>

#include <fmt/format.h>

#include "core/score/ranking.h"
#include "core/score/workload_groups.h"

namespace tracedeck {

namespace {

constexpr std::array<std::pair<HeatMeasure, std::string_view>, 3> kHeatMeasures{
    {{HeatMeasure::Baseline, "baseline"}, {HeatMeasure::Reference, "reference"}, {HeatMeasure::Best, "best"}}};

std::vector<std::size_t> everyNumber(std::size_t count)
{
    std::vector<std::size_t> numbers(count);
    std::iota(numbers.begin(), numbers.end(), std::size_t{0});
    return numbers;
}

/// 0: has a ratio, 1: passed without one, 2: failed, 3: not run.
int rankOf(const HeatMapCell& cell)
{
    if (std::isfinite(cell.ratio)) return 0;
    return !cell.isRun() ? 3 : cell.isFailed() ? 2 : 1;
}

bool comesBefore(const HeatMapCell& a, const HeatMapCell& b, bool descending)
{
    const int rankOfA = rankOf(a);
    const int rankOfB = rankOf(b);
    if (rankOfA != rankOfB) return rankOfA < rankOfB;
    if (rankOfA != 0) return false;
    return descending ? a.ratio > b.ratio : a.ratio < b.ratio;
}

/// Workloads as the file has them, then those that only traces know.
std::vector<HeatMapWorkload> workloadsOf(const Dataset& dataset, const std::string& definition)
{
    std::vector<HeatMapWorkload> workloads;
    std::unordered_map<std::string, std::size_t> known;
    for (const Trace& line : dataset.workloadsOf(definition)) {
        if (!known.emplace(line.workload.uuid, known.size()).second) continue;
        HeatMapWorkload workload{line.workload.uuid, {}};
        for (const auto& [name, value] : line.workload.axes) workload.axes.emplace_back(name, value);
        std::sort(workload.axes.begin(), workload.axes.end());
        workloads.push_back(std::move(workload));
    }
    const TraceTable& traces = dataset.traces();
    for (const std::uint32_t index : dataset.traceRowsOfDefinition(definition)) {
        const TraceRow& row = traces.row(index);
        if ((row.flags & TraceFlag::kHasEvaluation) == 0) continue;
        const std::string& uuid = traces.workloadUuid(row);
        if (!known.emplace(uuid, known.size()).second) continue;
        HeatMapWorkload workload{uuid, {}};
        for (const auto& [name, value] : traces.workloadKeys()[row.workload].axes) workload.axes.emplace_back(traces.names().text(name), value);
        workloads.push_back(std::move(workload));
    }
    return workloads;
}

/// Rows of the definition that were measured on the hardware, one for each (solution, workload).
RowIndex selectedRows(const Dataset& dataset, const HeatMapQuestion& question, const std::stop_token& stop)
{
    const TraceTable& traces = dataset.traces();
    RowIndex rows;
    for (const std::uint32_t index : dataset.traceRowsOfDefinition(question.definition)) {
        const TraceRow& row = traces.row(index);
        constexpr auto kResult = TraceFlag::kHasEvaluation | TraceFlag::kHasSolution;
        if ((row.flags & kResult) == kResult && traces.hardwareName(row) == question.hardware) rows.push_back(index);
    }
    return selectTraces(dataset, rows, question.policy == SelectionPolicy::All ? SelectionPolicy::Newest : question.policy, stop);
}

void fillRatios(HeatMap& map, const Dataset& dataset)
{
    const std::size_t width = map.solutions.size();
    std::size_t baseline = width;
    for (std::size_t s = 0; s < width; ++s) {
        if (map.solutions[s].name == map.baselineSolution) baseline = s;
    }
    for (std::size_t w = 0; w < map.workloads.size(); ++w) {
        double other = std::numeric_limits<double>::quiet_NaN();
        if (map.question.measure == HeatMeasure::Baseline && baseline < width) {
            other = map.at(w, baseline).latencyMs;
        } else if (map.question.measure == HeatMeasure::Best) {
            for (std::size_t s = 0; s < width; ++s) {
                const double latency = map.at(w, s).latencyMs;
                if (!(other <= latency)) other = std::isnan(latency) ? other : latency;
            }
        }
        for (std::size_t s = 0; s < width; ++s) {
            HeatMapCell& cell = map.cells[w * width + s];
            if (std::isnan(cell.latencyMs)) continue;
            const double ratio = map.question.measure == HeatMeasure::Reference ? dataset.traces().row(*cell.row).speedupFactor : other / cell.latencyMs;
            if (std::isfinite(ratio) && ratio > 0) cell.ratio = ratio;
        }
    }
}

void summarizeSolutions(HeatMap& map)
{
    for (std::size_t s = 0; s < map.solutions.size(); ++s) {
        HeatMapSolution& solution = map.solutions[s];
        double logarithms = 0;
        std::size_t count = 0;
        for (std::size_t w = 0; w < map.workloads.size(); ++w) {
            const HeatMapCell& cell = map.at(w, s);
            if (cell.isFailed()) ++solution.failed;
            else if (cell.isRun()) ++solution.passed;
            if (!std::isfinite(cell.ratio)) continue;
            logarithms += std::log(cell.ratio);
            ++count;
        }
        if (count > 0) solution.geometricMean = std::exp(logarithms / static_cast<double>(count));
    }
}

}  // namespace

std::string_view toString(HeatMeasure measure)
{
    for (const auto& [value, name] : kHeatMeasures) {
        if (value == measure) return name;
    }
    return {};
}

std::optional<HeatMeasure> heatMeasureFromString(std::string_view name)
{
    for (const auto& [value, known] : kHeatMeasures) {
        if (known == name) return value;
    }
    return std::nullopt;
}

std::string HeatMapWorkload::axesText() const
{
    std::string text;
    for (const auto& [name, value] : axes) text += fmt::format("{}{}={}", text.empty() ? "" : ";", name, value);
    return text;
}

double HeatMap::greatestDoubling() const
{
    constexpr double kLeast = 1;
    constexpr double kMost = 6;
    double greatest = kLeast;
    for (const HeatMapCell& cell : cells) {
        if (std::isfinite(cell.ratio)) greatest = std::max(greatest, std::abs(std::log2(cell.ratio)));
    }
    return std::min(greatest, kMost);
}

std::vector<std::size_t> HeatMap::workloadsByAxes() const
{
    std::vector<std::size_t> order = everyNumber(workloads.size());
    std::stable_sort(order.begin(), order.end(), [this](std::size_t a, std::size_t b) { return workloads[a].axes < workloads[b].axes; });
    return order;
}

std::vector<std::size_t> HeatMap::workloadsByRatio(std::size_t solution, bool descending) const
{
    std::vector<std::size_t> order = everyNumber(workloads.size());
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return comesBefore(at(a, solution), at(b, solution), descending); });
    return order;
}

std::vector<std::size_t> HeatMap::solutionsByRatio(std::size_t workload, bool descending) const
{
    std::vector<std::size_t> order = everyNumber(solutions.size());
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return comesBefore(at(workload, a), at(workload, b), descending); });
    return order;
}

std::vector<std::size_t> HeatMap::solutionsByMean() const
{
    std::vector<std::size_t> order = everyNumber(solutions.size());
    std::stable_sort(order.begin(), order.end(), [this](std::size_t a, std::size_t b) {
        const double meanOfA = solutions[a].geometricMean;
        const double meanOfB = solutions[b].geometricMean;
        if (std::isnan(meanOfA) || std::isnan(meanOfB)) return !std::isnan(meanOfA) && std::isnan(meanOfB);
        return meanOfA > meanOfB;
    });
    return order;
}

std::vector<std::size_t> HeatMap::solutionsByName() const
{
    std::vector<std::size_t> order = everyNumber(solutions.size());
    std::stable_sort(order.begin(), order.end(), [this](std::size_t a, std::size_t b) { return solutions[a].name < solutions[b].name; });
    return order;
}

Result<HeatMap> heatMap(const Dataset& dataset, const HeatMapQuestion& question, const std::stop_token& stop)
{
    HeatMap map;
    map.question = question;
    if (dataset.findDefinition(question.definition) == nullptr && dataset.traceRowsOfDefinition(question.definition).empty()) {
        return Error{ErrorCode::NotFound, fmt::format("there is no definition '{}'", question.definition), {}, 0, {}};
    }
    map.machines = hardwareOf(dataset, question.definition);
    if (map.question.hardware.empty()) map.question.hardware = busiestHardware(dataset, question.definition);
    if (question.measure == HeatMeasure::Baseline) {
        const auto baseline = baselineOf(dataset, question.definition, question.baselineAuthor);
        if (!baseline) return baseline.error();
        map.baselineSolution = (*baseline)->name;
    }
    map.workloads = workloadsOf(dataset, question.definition);
    std::unordered_map<std::string, std::size_t> workloadNumbers;
    for (std::size_t w = 0; w < map.workloads.size(); ++w) workloadNumbers.emplace(map.workloads[w].uuid, w);
    const RowIndex rows = selectedRows(dataset, map.question, stop);
    if (stop.stop_requested()) return Error{ErrorCode::Cancelled, "the heat map was stopped", {}, 0, {}};
    const TraceTable& traces = dataset.traces();
    std::map<std::string_view, std::size_t> solutionNumbers;   // first by name: those without a file
    for (const std::uint32_t index : rows) {
        const std::string_view name = traces.solutionName(traces.row(index));
        if (dataset.findSolution(std::string(name)) == nullptr) solutionNumbers.emplace(name, 0);
    }
    for (const Solution* solution : dataset.solutionsOf(question.definition)) map.solutions.push_back({solution->name, solution->author});
    for (auto& [name, number] : solutionNumbers) map.solutions.push_back({std::string(name), {}});
    for (std::size_t s = 0; s < map.solutions.size(); ++s) solutionNumbers[map.solutions[s].name] = s;
    map.cells.resize(map.workloads.size() * map.solutions.size());
    for (const std::uint32_t index : rows) {
        const TraceRow& row = traces.row(index);
        const auto solution = solutionNumbers.find(traces.solutionName(row));
        if (solution == solutionNumbers.end()) continue;   // a solution that says it is of another definition
        HeatMapCell& cell = map.cells[workloadNumbers.at(traces.workloadUuid(row)) * map.solutions.size() + solution->second];
        cell.row = index;
        cell.status = row.status;
        if (row.status == Status::Passed && (row.flags & TraceFlag::kInconsistent) == 0) cell.latencyMs = usableLatency(row);
    }
    fillRatios(map, dataset);
    summarizeSolutions(map);
    return map;
}

}  // namespace tracedeck
