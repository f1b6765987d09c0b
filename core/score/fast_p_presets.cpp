// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/score/fast_p_presets.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <unordered_map>

#include "core/model/text.h"
#include "core/score/workload_groups.h"
#include "core/store/query.h"

namespace tracedeck {

namespace {

constexpr double kNoLatency = std::numeric_limits<double>::quiet_NaN();

double ratioOf(std::size_t part, std::size_t whole)
{
    return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

bool passedWithLatency(const TraceRow& row)
{
    return row.status == Status::Passed && !std::isnan(usableLatency(row));
}

/// Solutions of one definition that can have a curve, by the id of their name in the traces.
struct Contestants {
    std::uint32_t baseline = StringPool::kNone;
    std::unordered_map<std::uint32_t, const Solution*> others;
    std::map<std::string, std::size_t> solutionsOfCurve;   ///< also those without traces
};

const std::string& curveName(const FastPReport& report, const Solution& solution)
{
    return report.by == RankBy::Author ? solution.author : solution.name;
}

/// Error: the definition has no single baseline.
Result<Contestants> contestantsOf(const FastPReport& report, const Dataset& dataset, const std::string& definition)
{
    const auto baseline = baselineOf(dataset, definition, report.baselineAuthor);
    if (!baseline) return baseline.error();
    const StringPool& names = dataset.traces().names();
    Contestants contestants;
    contestants.baseline = names.find((*baseline)->name);
    for (const Solution* solution : dataset.solutionsOf(definition)) {
        if (solution == *baseline) continue;
        ++contestants.solutionsOfCurve[curveName(report, *solution)];
        if (const std::uint32_t id = names.find(solution->name); id != StringPool::kNone) contestants.others.emplace(id, solution);
    }
    return contestants;
}

/// A curve in the making; `possible` is what its coverage is measured against.
struct OpenCurve {
    FastPCurve curve;
    std::size_t possible = 0;
};
using OpenCurves = std::map<std::string, OpenCurve>;

void closeCurves(FastPReport& report, OpenCurves&& open)
{
    for (auto& [name, entry] : open) {
        entry.curve.name = name;
        entry.curve.coverage = ratioOf(entry.curve.attempted, entry.possible);
        if (entry.curve.total > 0) report.curves.push_back(std::move(entry.curve));
    }
}

/// Traces that the newest-first rule compares: by time, then by load order.
class NewestRow {
public:
    explicit NewestRow(const TraceTable& traces) : m_traces(traces) {}
    /// Whether the later-loaded row `candidate` replaces `current`.
    [[nodiscard]] bool replaces(std::uint32_t candidate, std::uint32_t current) const { return timeOf(candidate) >= timeOf(current); }

private:
    /// A text that is no time counts as older than any time.
    [[nodiscard]] std::int64_t timeOf(std::uint32_t index) const
    {
        return timestampMicroseconds(m_traces.timestamp(m_traces.row(index))).value_or(std::numeric_limits<std::int64_t>::min());
    }
    const TraceTable& m_traces;
};

/// Newest row of each key.
template <class Key>
void keepNewest(std::map<Key, std::uint32_t>& newest, const Key& key, std::uint32_t row, const NewestRow& rule)
{
    const auto [place, isNew] = newest.emplace(key, row);
    if (!isNew && rule.replaces(row, place->second)) place->second = row;
}

/// Workloads of a definition that have a line or a trace.
std::size_t workloadsKnown(const Dataset& dataset, const std::string& definition)
{
    std::set<std::string> uuids;
    for (const Trace& trace : dataset.workloadsOf(definition)) uuids.insert(trace.workload.uuid);
    for (const std::uint32_t index : dataset.traceRowsOfDefinition(definition)) uuids.insert(dataset.traces().workloadUuid(dataset.traces().row(index)));
    return uuids.size();
}

/// Who a solution counts for in the win@p script: its author, or the text before the first underscore when it is unknown.
std::string scriptAuthor(const Dataset& dataset, const std::string& solution)
{
    const Solution* known = dataset.findSolution(solution);
    return known != nullptr ? known->author : solution.substr(0, solution.find('_'));
}

/// Definitions that the script would see: every one that a trace names, also without a definition file.
std::vector<std::string> definitionsOfTraces(const Dataset& dataset)
{
    const TraceTable& traces = dataset.traces();
    std::set<std::string> names;
    for (const WorkloadKey& key : traces.workloadKeys()) names.insert(traces.names().text(key.definition));
    return {names.begin(), names.end()};
}

}  // namespace

void addSiteCurves(FastPReport& report, const Dataset& dataset, const std::vector<const Definition*>& definitions, const CountedTraces& counted)
{
    const TraceTable& traces = dataset.traces();
    OpenCurves open;
    for (const Definition* definition : definitions) {
        if (dataset.traceRowsOfDefinition(definition->name).empty() || dataset.solutionsOf(definition->name).empty()) continue;
        const auto contestants = contestantsOf(report, dataset, definition->name);
        if (!contestants) {
            report.unscored.push_back({Severity::Warning, contestants.error()});
            continue;
        }
        std::size_t groups = 0;
        double greatest = 0;
        for (const WorkloadGroup& group : workloadGroups(dataset, definition->name, report.scope.hardware, counted)) {
            // The first trace of the baseline, whatever its status.
            const auto first = std::find_if(group.rows.begin(), group.rows.end(),
                                            [&](std::uint32_t index) { return traces.row(index).solution == contestants->baseline; });
            const double baseline = first == group.rows.end() || contestants->baseline == StringPool::kNone ? kNoLatency : usableLatency(traces.row(*first));
            if (std::isnan(baseline)) continue;
            ++groups;
            std::map<std::uint32_t, double> ratios;   // of each solution: its last pass, 0 when there is none
            for (const std::uint32_t index : group.rows) {
                const TraceRow& row = traces.row(index);
                if (!contestants->others.contains(row.solution)) continue;
                double& ratio = ratios.emplace(row.solution, 0.0).first->second;
                if (!passedWithLatency(row)) continue;
                ratio = baseline / row.latencyMs;
                greatest = std::max(greatest, ratio);
            }
            for (const auto& [id, ratio] : ratios) {
                FastPCurve& curve = open[curveName(report, *contestants->others.at(id))].curve;
                curve.ratios.push_back(ratio);
                ++curve.attempted;
                ++curve.total;
            }
        }
        report.groups += groups;
        for (const auto& [name, solutions] : contestants->solutionsOfCurve) {
            OpenCurve& entry = open[name];
            entry.possible += groups * solutions;
            entry.curve.greatestRatio = std::max(entry.curve.greatestRatio, greatest);
        }
    }
    if (report.by == RankBy::Author) {
        open.erase(report.baselineAuthor);
        // One chart holds all authors: its range is that of the greatest ratio of all.
        double greatest = 0;
        for (const auto& [name, entry] : open) greatest = std::max(greatest, entry.curve.greatestRatio);
        for (auto& [name, entry] : open) entry.curve.greatestRatio = greatest;
    }
    closeCurves(report, std::move(open));
}

void addWinPCurves(FastPReport& report, const Dataset& dataset, const std::vector<const Definition*>& definitions, const CountedTraces& counted)
{
    const TraceTable& traces = dataset.traces();
    const std::string baselineName = asciiLower(report.baselineAuthor);
    std::vector<std::string> names;
    if (report.scope.opType.empty() && report.scope.definition.empty()) names = definitionsOfTraces(dataset);
    else for (const Definition* definition : definitions) names.push_back(definition->name);

    struct Entrant {
        std::string author;
        double latencyMs = kNoLatency;   ///< lowest passing one
    };
    OpenCurves open;
    for (const std::string& definition : names) {
        for (const WorkloadGroup& group : workloadGroups(dataset, definition, report.scope.hardware, counted)) {
            std::map<std::string, Entrant> entrants;
            std::vector<std::string> order;   // of first appearance: decides between equally fast ones
            for (const std::uint32_t index : group.rows) {
                const TraceRow& row = traces.row(index);
                const std::string solution(traces.solutionName(row));
                if (solution.empty()) continue;
                std::string author = scriptAuthor(dataset, solution);
                const auto [place, isNew] = entrants.emplace(report.by == RankBy::Author ? author : solution, Entrant{author});
                if (isNew) order.push_back(place->first);
                if (!passedWithLatency(row)) continue;
                double& best = place->second.latencyMs;
                if (std::isnan(best) || row.latencyMs < best) best = row.latencyMs;
            }
            const std::string* acting = nullptr;
            bool isBaseline = false;
            for (const std::string& name : order) {
                const Entrant& entrant = entrants.at(name);
                if (std::isnan(entrant.latencyMs)) continue;
                const bool named = asciiLower(entrant.author) == baselineName;
                if (acting == nullptr || (named && !isBaseline) || (named == isBaseline && entrant.latencyMs < entrants.at(*acting).latencyMs)) {
                    acting = &name;
                    isBaseline = named;
                }
            }
            if (acting == nullptr) continue;   // nobody passed
            ++report.groups;
            if (!isBaseline) ++report.fallbackGroups;
            const double baseline = entrants.at(*acting).latencyMs;
            for (const auto& [name, entrant] : entrants) {
                if (isBaseline ? asciiLower(entrant.author) == baselineName : name == *acting) continue;
                FastPCurve& curve = open[name].curve;
                ++curve.attempted;
                ++curve.total;
                if (!std::isnan(entrant.latencyMs)) curve.ratios.push_back(baseline / entrant.latencyMs);
            }
        }
    }
    for (auto& [name, entry] : open) {
        entry.possible = report.groups;
        entry.curve.greatestRatio = entry.curve.ratios.empty() ? 0 : *std::max_element(entry.curve.ratios.begin(), entry.curve.ratios.end());
    }
    closeCurves(report, std::move(open));
}

void addKernelBenchCurves(FastPReport& report, const Dataset& dataset, const std::vector<const Definition*>& definitions, const CountedTraces& counted)
{
    const TraceTable& traces = dataset.traces();
    const NewestRow rule(traces);
    OpenCurves open;
    for (const Definition* definition : definitions) {
        if (dataset.solutionsOf(definition->name).empty()) continue;
        const auto contestants = contestantsOf(report, dataset, definition->name);
        if (!contestants) {
            report.unscored.push_back({Severity::Warning, contestants.error()});
            continue;
        }
        const std::size_t workloads = workloadsKnown(dataset, definition->name);
        report.groups += workloads;
        for (const auto& [name, solutions] : contestants->solutionsOfCurve) open[name].possible += workloads;
        std::set<std::string> compared;   // curves with a workload that the baseline passed
        for (const WorkloadGroup& group : workloadGroups(dataset, definition->name, report.scope.hardware, counted)) {
            std::map<std::uint32_t, std::uint32_t> newest;           // solution → row
            std::map<std::uint16_t, std::uint32_t> newestBaseline;   // hardware → row
            for (const std::uint32_t index : group.rows) {
                const TraceRow& row = traces.row(index);
                if (row.solution == contestants->baseline && row.solution != StringPool::kNone) keepNewest(newestBaseline, row.hardware, index, rule);
                else if (contestants->others.contains(row.solution)) keepNewest(newest, row.solution, index, rule);
            }
            struct Best {
                double ratio = 0;   ///< 0: tried, but there is none
                bool isComparable = false;
            };
            std::map<std::string, Best> best;   // of each curve on this workload
            for (const auto& [id, index] : newest) {
                const TraceRow& row = traces.row(index);
                Best& entry = best[curveName(report, *contestants->others.at(id))];
                const auto base = newestBaseline.find(row.hardware);
                if (base == newestBaseline.end() || !passedWithLatency(traces.row(base->second))) continue;
                entry.isComparable = true;
                if (passedWithLatency(row)) entry.ratio = std::max(entry.ratio, traces.row(base->second).latencyMs / row.latencyMs);
            }
            for (const auto& [name, entry] : best) {
                FastPCurve& curve = open[name].curve;
                ++curve.attempted;
                if (entry.ratio > 0) curve.ratios.push_back(entry.ratio);
                curve.greatestRatio = std::max(curve.greatestRatio, entry.ratio);
                if (!entry.isComparable) continue;
                ++curve.comparable;
                compared.insert(name);
            }
        }
        for (const std::string& name : compared) ++open[name].curve.definitions;
    }
    // An author is judged on every workload of the scope, a solution on those of its definition.
    for (auto& [name, entry] : open) {
        if (report.by == RankBy::Author) entry.possible = report.groups;
        entry.curve.total = entry.possible;
    }
    if (report.by == RankBy::Author) open.erase(report.baselineAuthor);
    closeCurves(report, std::move(open));
}

}  // namespace tracedeck
