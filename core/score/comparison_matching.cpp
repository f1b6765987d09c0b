// SPDX-License-Identifier: GPL-3.0-or-later
// Which results of two sides belong together.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <compare>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/model/judge_samples.h"
#include "core/model/text.h"
#include "core/score/comparison.h"
#include "core/score/workload_groups.h"
#include "core/store/parallel.h"

namespace tracedeck {

namespace {

/// What results that belong together have in common. Texts are empty where it may differ.
struct MatchKey {
    std::string definition;
    std::string solution;
    std::string hardware;
    std::vector<std::pair<std::string, std::int64_t>> axes;
    std::string uuid;

    auto operator<=>(const MatchKey&) const = default;
};

/// The traces of one side behind one row.
struct Candidate {
    std::uint32_t row = 0;             ///< whose status counts
    std::vector<std::uint32_t> timed;  ///< passed ones, whose times count
    std::size_t solutions = 1;
};
using Candidates = std::map<MatchKey, Candidate>;

struct MatchedPair {
    MatchKey key;
    std::optional<Candidate> a;
    std::optional<Candidate> b;
    bool isByAxes = false;
};

using EnvironmentValues = std::map<std::string, std::string>;

MatchKey keyOfRow(const Dataset& dataset, const TraceRow& row)
{
    const TraceTable& traces = dataset.traces();
    const WorkloadKey& workload = traces.workloadKeys()[row.workload];
    MatchKey key{traces.definitionName(row), std::string(traces.solutionName(row)), std::string(traces.hardwareName(row)), {}, traces.workloadUuid(row)};
    for (const auto& [name, value] : workload.axes) key.axes.emplace_back(traces.names().text(name), value);
    return key;
}

/// Whether a solution's result is the better one of the side's: passed and faster; of equal ones the first by name stays.
bool isBetter(const Dataset& dataset, const Candidate& candidate, const Candidate& than)
{
    const auto latencyOf = [&dataset](const Candidate& one) {
        const TraceRow& row = dataset.traces().row(one.row);
        const double latency = row.status == Status::Passed && (row.flags & TraceFlag::kInconsistent) == 0 ? usableLatency(row) : std::nan("");
        return std::isnan(latency) ? std::numeric_limits<double>::infinity() : latency;
    };
    const auto passed = [&dataset](const Candidate& one) { return dataset.traces().row(one.row).status == Status::Passed; };
    return std::pair(latencyOf(candidate), !passed(candidate)) < std::pair(latencyOf(than), !passed(than));
}

Candidates candidatesOf(const ComparisonSide& side, const ComparisonOptions& options, bool bySolution, bool byHardware, const std::stop_token& stop)
{
    const Dataset& dataset = *side.dataset;
    const TraceTable& traces = dataset.traces();
    RowIndex rows = filterTraces(dataset, side.filter, stop);
    std::erase_if(rows, [&traces](std::uint32_t index) {
        constexpr auto kResult = TraceFlag::kHasEvaluation | TraceFlag::kHasSolution;
        return (traces.row(index).flags & kResult) != kResult;
    });
    const bool takesAll = options.policy == SelectionPolicy::All;
    Candidates single;
    for (const std::uint32_t index : selectTraces(dataset, rows, takesAll ? SelectionPolicy::Newest : options.policy, stop)) {
        single[keyOfRow(dataset, traces.row(index))] = {index, {index}};
    }
    if (takesAll) {
        // The newest trace of a workload decides, also where older ones have other axes under the same uuid: those are left out.
        for (auto& [key, candidate] : single) candidate.timed.clear();
        for (const std::uint32_t index : rows) {
            if (traces.row(index).status != Status::Passed) continue;
            const auto found = single.find(keyOfRow(dataset, traces.row(index)));
            if (found != single.end()) found->second.timed.push_back(index);
        }
    }
    Candidates reduced;
    for (auto& [key, candidate] : single) {
        MatchKey shared = key;
        if (!bySolution) shared.solution.clear();
        if (!byHardware) shared.hardware.clear();
        const auto [place, isNew] = reduced.emplace(std::move(shared), candidate);
        if (isNew) continue;
        const std::size_t solutions = place->second.solutions + 1;
        if (isBetter(dataset, candidate, place->second)) place->second = candidate;
        place->second.solutions = solutions;
    }
    return reduced;
}

/// (definition, uuid) of all workloads that a dataset knows.
std::set<std::pair<std::string, std::string>> knownWorkloads(const Dataset& dataset)
{
    std::set<std::pair<std::string, std::string>> known;
    const StringPool& names = dataset.traces().names();
    for (const WorkloadKey& key : dataset.traces().workloadKeys()) known.emplace(names.text(key.definition), names.text(key.uuid));
    for (const auto& [definition, lines] : dataset.workloads()) {
        for (const Trace& line : lines) known.emplace(definition, line.workload.uuid);
    }
    return known;
}

/// Of what has no partner, joins the only one of A with the only one of B that has the same axes, when neither dataset knows the other's uuid.
void joinByAxes(std::vector<MatchedPair>& pairs, const Dataset& a, const Dataset& b)
{
    const auto knownToA = knownWorkloads(a);
    const auto knownToB = knownWorkloads(b);
    struct Lonely {
        std::vector<std::size_t> ofA;
        std::vector<std::size_t> ofB;
    };
    std::map<MatchKey, Lonely> byAxes;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        const MatchedPair& pair = pairs[i];
        if (pair.a && pair.b) continue;
        if ((pair.a ? knownToB : knownToA).contains({pair.key.definition, pair.key.uuid})) continue;
        MatchKey key = pair.key;
        key.uuid.clear();
        (pair.a ? byAxes[key].ofA : byAxes[key].ofB).push_back(i);
    }
    std::vector<bool> isGone(pairs.size(), false);
    for (const auto& [key, lonely] : byAxes) {
        if (lonely.ofA.size() != 1 || lonely.ofB.size() != 1) continue;
        MatchedPair& kept = pairs[lonely.ofA.front()];
        kept.b = std::move(pairs[lonely.ofB.front()].b);
        kept.isByAxes = true;
        isGone[lonely.ofB.front()] = true;
    }
    std::vector<MatchedPair> left;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        if (!isGone[i]) left.push_back(std::move(pairs[i]));
    }
    pairs = std::move(left);
}

std::vector<MatchedPair> matchSides(Candidates ofA, Candidates ofB, const Dataset& a, const Dataset& b)
{
    // A workload is its uuid: axes only order the rows, unless the datasets are different ones.
    const auto withoutAxes = [](const MatchKey& key) { return std::tuple(key.definition, key.solution, key.hardware, key.uuid); };
    std::map<std::tuple<std::string, std::string, std::string, std::string>, MatchedPair> matched;
    for (auto& [key, candidate] : ofA) {
        matched.try_emplace(withoutAxes(key), MatchedPair{key, std::move(candidate), {}});
    }
    for (auto& [key, candidate] : ofB) {
        const auto [place, isNew] = matched.try_emplace(withoutAxes(key), MatchedPair{key, {}, {}});
        place->second.b = std::move(candidate);
    }
    std::vector<MatchedPair> pairs;
    for (auto& [key, pair] : matched) pairs.push_back(std::move(pair));
    if (&a != &b) joinByAxes(pairs, a, b);
    std::sort(pairs.begin(), pairs.end(), [](const MatchedPair& one, const MatchedPair& other) { return one.key < other.key; });
    return pairs;
}

/// Without what only the line has.
Measurement measurementOf(const Dataset& dataset, const Candidate& candidate)
{
    const TraceTable& traces = dataset.traces();
    const TraceRow& row = traces.row(candidate.row);
    Measurement measurement;
    measurement.row = candidate.row;
    measurement.solution = traces.solutionName(row);
    measurement.hardware = traces.hardwareName(row);
    measurement.workloadUuid = traces.workloadUuid(row);
    measurement.status = row.status;
    measurement.timing = timingMethodOf(row);
    measurement.isContradictory = (row.flags & TraceFlag::kInconsistent) != 0;
    measurement.solutionCount = candidate.solutions;
    for (const std::uint32_t index : candidate.timed) {
        const double latency = usableLatency(traces.row(index));
        const bool counts = traces.row(index).status == Status::Passed && timingMethodOf(traces.row(index)) == measurement.timing;
        if (counts && !std::isnan(latency)) measurement.sessions.push_back({latency});
    }
    return measurement;
}

/// Reads the lines back: samples, and in which environment the status came about.
void readLines(const Dataset& dataset, const Candidate& candidate, Measurement& measurement, EnvironmentValues& environment)
{
    const auto note = [&measurement](const Error& error) { measurement.unreadable = error.toString(); };
    const auto newest = dataset.readTrace(candidate.row);
    if (!newest) return note(newest.error());
    if (!newest->evaluation) return note({ErrorCode::InvalidInput, "the line has no evaluation any more", {}, 0, {}});
    environment = EnvironmentValues(newest->evaluation->environment.libs.begin(), newest->evaluation->environment.libs.end());
    environment["hardware"] = newest->evaluation->environment.hardware;
    environment["times from"] = timingText(measurement.timing);
    Sessions sessions;
    bool haveSamples = true;
    for (const std::uint32_t index : candidate.timed) {
        const TraceRow& row = dataset.traces().row(index);
        const double latency = usableLatency(row);
        if (row.status != Status::Passed || timingMethodOf(row) != measurement.timing || std::isnan(latency)) continue;
        std::vector<double> samples;
        if (index == candidate.row) {
            samples = judgeSamplesMs(*newest->evaluation);
        } else {
            const auto trace = dataset.readTrace(index);
            if (!trace) return note(trace.error());
            if (trace->evaluation) samples = judgeSamplesMs(*trace->evaluation);
        }
        haveSamples = haveSamples && !samples.empty();
        if (samples.empty()) samples.push_back(latency);
        sessions.push_back(std::move(samples));
    }
    measurement.hasSamples = haveSamples && !sessions.empty();
    measurement.sessions = std::move(sessions);
}

std::vector<EnvironmentDifference> differencesOf(const std::vector<std::pair<EnvironmentValues, EnvironmentValues>>& environments)
{
    std::map<std::string, EnvironmentDifference> all;
    std::set<std::string> differing;
    for (const auto& [ofA, ofB] : environments) {
        if (ofA.empty() || ofB.empty()) continue;   // not both read
        for (const auto& [name, value] : ofA) {
            all[name].a.insert(value);
            const auto other = ofB.find(name);
            if (other == ofB.end() || other->second != value) differing.insert(name);
        }
        for (const auto& [name, value] : ofB) {
            all[name].b.insert(value);
            if (!ofA.contains(name)) differing.insert(name);
        }
    }
    std::vector<EnvironmentDifference> differences;
    for (const std::string& name : differing) {
        EnvironmentDifference& difference = all[name];
        difference.name = name;
        differences.push_back(std::move(difference));
    }
    return differences;
}

std::string opTypeOf(const std::string& name, const Dataset& a, const Dataset& b)
{
    const Definition* definition = a.findDefinition(name);
    if (definition == nullptr) definition = b.findDefinition(name);
    return definition == nullptr ? std::string() : definition->opType;
}

/// A side that names no GPU takes the other's. Whether only results of one GPU are to be compared.
Result<bool> settleHardware(ComparisonSide& a, ComparisonSide& b)
{
    auto& ofA = a.filter.hardware;
    auto& ofB = b.filter.hardware;
    if (ofA.empty()) ofA = ofB;
    if (ofB.empty()) ofB = ofA;
    if (ofA == ofB) return true;
    if (ofA.size() == 1 && ofB.size() == 1) return false;
    return Error{ErrorCode::Usage,
                 fmt::format("which GPU is compared with which? A names {}, B {}: name one on each side, or the same ones", fmt::join(ofA, " and "), fmt::join(ofB, " and ")),
                 {}, 0, {}};
}

}  // namespace

Result<Comparison> compareSides(ComparisonSide a, ComparisonSide b, const ComparisonOptions& given, std::stop_token stop, const ComparisonProgress& progress)
{
    ComparisonOptions options = given;
    if (options.policy == SelectionPolicy::Pooled) {   // here samples are kept apart by the process that took them, which says more than a pool
        options.policy = SelectionPolicy::All;
        a.dataset = a.dataset->plain();
        b.dataset = b.dataset->plain();
    }
    Comparison comparison;
    const auto byHardware = settleHardware(a, b);
    if (!byHardware) return byHardware.error();
    comparison.isByHardware = *byHardware;
    comparison.isBySolution = a.filter.solutions == b.filter.solutions && a.filter.authors == b.filter.authors;
    comparison.a = describeSide(a);
    comparison.b = describeSide(b);
    if (a.dataset != b.dataset) {
        comparison.a += " in " + toValidUtf8(a.dataset->root().string());
        comparison.b += " in " + toValidUtf8(b.dataset->root().string());
    }
    const Error cancelled{ErrorCode::Cancelled, "the comparison was stopped", {}, 0, {}};
    Candidates ofA = candidatesOf(a, options, comparison.isBySolution, *byHardware, stop);
    Candidates ofB = candidatesOf(b, options, comparison.isBySolution, *byHardware, stop);
    if (stop.stop_requested()) return cancelled;
    for (const auto& [candidates, side, name] : {std::tuple{&ofA, &a, "A"}, std::tuple{&ofB, &b, "B"}}) {
        if (!candidates->empty()) continue;
        return Error{ErrorCode::Usage, fmt::format("side {} ({}) selects no result", name, describeSide(*side)), toValidUtf8(side->dataset->root().string()), 0, {}};
    }
    const std::vector<MatchedPair> pairs = matchSides(std::move(ofA), std::move(ofB), *a.dataset, *b.dataset);
    comparison.rows.resize(pairs.size());
    std::vector<std::pair<EnvironmentValues, EnvironmentValues>> environments(pairs.size());
    std::atomic<std::size_t> done{0};
    parallelFor(
        pairs.size(), defaultThreads(),
        [&](std::size_t i) {
            const MatchedPair& pair = pairs[i];
            std::optional<Measurement> first;
            std::optional<Measurement> second;
            if (pair.a) first = measurementOf(*a.dataset, *pair.a);
            if (pair.b) second = measurementOf(*b.dataset, *pair.b);
            if (pair.a && pair.b) {
                readLines(*a.dataset, *pair.a, *first, environments[i].first);
                readLines(*b.dataset, *pair.b, *second, environments[i].second);
            }
            ComparisonRow row = compareMeasurements(std::move(first), std::move(second), options.aaFloor);
            row.definition = pair.key.definition;
            row.opType = opTypeOf(pair.key.definition, *a.dataset, *b.dataset);
            row.axes = pair.key.axes;
            row.isMatchedByAxes = pair.isByAxes;
            if (pair.isByAxes) row.reason += "; matched by equal axes, the workloads' uuids differ";
            comparison.rows[i] = std::move(row);
            if (progress) progress(++done, pairs.size());
        },
        stop);
    if (stop.stop_requested()) return cancelled;
    comparison.differences = differencesOf(environments);
    std::vector<std::size_t> all(comparison.rows.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    static_cast<ComparisonSummary&>(comparison) = summarizeRows(comparison, all);
    return comparison;
}

}  // namespace tracedeck
