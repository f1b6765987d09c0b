// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/score/pins.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "core/model/timestamp.h"
#include "core/score/measurement_runs.h"

namespace tracedeck {

namespace {

constexpr std::string_view kTracePrefix = "trace=";
constexpr std::string_view kSolutionPrefix = "solution=";
constexpr std::string_view kAuthorPrefix = "author=";
constexpr std::string_view kPinnedRunPrefix = "run=";

Error pinError(std::string reason) { return {ErrorCode::Usage, std::move(reason), {}, 0, {}}; }

bool isAuthor(const Dataset& dataset, std::string_view name)
{
    const auto& solutions = dataset.solutions();
    return std::any_of(solutions.begin(), solutions.end(), [name](const auto& solution) { return solution->author == name; });
}

Result<Pin> tracePin(const Dataset& dataset, std::string_view text)
{
    Pin pin{.kind = Pin::Kind::Trace};
    std::string_view pair = text;
    if (const auto at = text.rfind('@'); at != std::string_view::npos && isTimestamp(text.substr(at + 1))) {
        pin.timestamp = text.substr(at + 1);
        pair = text.substr(0, at);
    }
    const auto colon = pair.rfind(':');
    if (colon == std::string_view::npos) return pinError(fmt::format("the pin 'trace={}' must be trace=SOLUTION:UUID, or trace=SOLUTION:UUID@TIMESTAMP", text));
    pin.name = pair.substr(0, colon);
    pin.workload = pair.substr(colon + 1);
    const TraceTable& traces = dataset.traces();
    for (const std::uint32_t index : dataset.traceRowsOfSolution(pin.name)) {
        const TraceRow& row = traces.row(index);
        if (traces.workloadUuid(row) == pin.workload && (pin.timestamp.empty() || traces.timestamp(row) == pin.timestamp)) return pin;
    }
    return pinError(fmt::format("the dataset has no trace of the solution '{}' on the workload '{}'{}", pin.name, pin.workload, pin.timestamp.empty() ? "" : " of " + pin.timestamp));
}

Result<Pin> runPin(const Dataset& dataset, std::string_view text)
{
    const std::vector<MeasurementRun> runs = measurementRuns(dataset);
    if (const auto number = runNumber(text, runs.size())) return Pin{.kind = Pin::Kind::Run, .moment = runs[*number - 1].start};
    const auto moment = timestampMicroseconds(text);
    const bool isThere = moment && std::any_of(runs.begin(), runs.end(), [&](const MeasurementRun& run) { return run.start <= *moment && *moment <= run.end; });
    if (isThere) return Pin{.kind = Pin::Kind::Run, .moment = *moment};
    return pinError(fmt::format("the dataset has no run '{}': last, previous, a number from 1 to {}, or a time in one", text, runs.size()));
}

}  // namespace

std::string pinText(const Pin& pin)
{
    switch (pin.kind) {
    case Pin::Kind::Trace: return fmt::format("{}{}:{}{}{}", kTracePrefix, pin.name, pin.workload, pin.timestamp.empty() ? "" : "@", pin.timestamp);
    case Pin::Kind::Solution: return std::string(kSolutionPrefix) + pin.name;
    case Pin::Kind::Author: return std::string(kAuthorPrefix) + pin.name;
    case Pin::Kind::Run: break;
    }
    return std::string(kPinnedRunPrefix) + timestampText(pin.moment);
}

Result<Pin> pinFromText(const Dataset& dataset, std::string_view text)
{
    if (text.starts_with(kTracePrefix)) return tracePin(dataset, text.substr(kTracePrefix.size()));
    if (text.starts_with(kPinnedRunPrefix)) return runPin(dataset, text.substr(kPinnedRunPrefix.size()));
    if (text.starts_with(kSolutionPrefix)) {
        const std::string name(text.substr(kSolutionPrefix.size()));
        if (dataset.findSolution(name) != nullptr || !dataset.traceRowsOfSolution(name).empty()) return Pin{.kind = Pin::Kind::Solution, .name = name};
        return pinError(fmt::format("the dataset has no solution '{}' to pin", name));
    }
    if (text.starts_with(kAuthorPrefix)) {
        const std::string name(text.substr(kAuthorPrefix.size()));
        if (isAuthor(dataset, name)) return Pin{.kind = Pin::Kind::Author, .name = name};
        return pinError(fmt::format("the dataset has no solution by '{}' to pin", name));
    }
    return pinError(fmt::format("the pin '{}' must be solution=NAME, author=NAME, run=last, run=previous, run=N, or trace=SOLUTION:UUID", text));
}

Result<std::vector<Pin>> pinsFromTexts(const Dataset& dataset, const std::vector<std::string>& texts)
{
    if (texts.size() > kMostPins) return pinError(fmt::format("{} pins are too many: at most {}", texts.size(), kMostPins));
    std::vector<Pin> pins;
    for (const std::string& text : texts) {
        auto pin = pinFromText(dataset, text);
        if (!pin) return pin.error();
        if (std::find(pins.begin(), pins.end(), *pin) != pins.end()) return pinError(fmt::format("'{}' is pinned twice", text));
        pins.push_back(*std::move(pin));
    }
    return pins;
}

Pin pinOfTrace(const Dataset& dataset, const TraceRow& row)
{
    const TraceTable& traces = dataset.traces();
    Pin pin{.kind = Pin::Kind::Trace, .name = std::string(traces.solutionName(row)), .workload = traces.workloadUuid(row)};
    if (isTimestamp(traces.timestamp(row))) pin.timestamp = traces.timestamp(row);
    return pin;
}

std::size_t PinnedLatencies::KeyHash::operator()(const Key& key) const
{
    // splitmix64's last step: keys are small numbers.
    std::uint64_t value = (std::uint64_t{key.group} << 32U | key.solution) + std::uint64_t{key.hardware} * 0x9E3779B97F4A7C15U;
    value = (value ^ (value >> 30U)) * 0xBF58476D1CE4E5B9U;
    value = (value ^ (value >> 27U)) * 0x94D049BB133111EBU;
    return static_cast<std::size_t>(value ^ (value >> 31U));
}

PinnedLatencies::PinnedLatencies(const Dataset& dataset, std::vector<Pin> pins, SelectionPolicy policy, const std::stop_token& stop) : m_pins(std::move(pins))
{
    m_bases.resize(m_pins.size());
    if (m_pins.empty()) return;
    const TraceTable& traces = dataset.traces();
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> groups;
    for (const WorkloadKey& key : traces.workloadKeys()) {
        m_groups.push_back(groups.try_emplace({key.definition, key.uuid}, static_cast<std::uint32_t>(groups.size())).first->second);
    }
    for (std::size_t pin = 0; pin < m_pins.size() && !stop.stop_requested(); ++pin) {
        for (const std::uint32_t index : rowsOf(dataset, m_pins[pin], policy, stop)) {
            const TraceRow& row = traces.row(index);
            if (!isTimed(row)) continue;
            const auto [place, isNew] = m_bases[pin].try_emplace(keyOf(pin, row), Base{row.latencyMs, index});
            if (!isNew && row.latencyMs < place->second.latencyMs) place->second = {row.latencyMs, index};
        }
    }
}

/// The traces that a pin's times are of: where several are of one key, the fastest counts.
RowIndex PinnedLatencies::rowsOf(const Dataset& dataset, const Pin& pin, SelectionPolicy policy, const std::stop_token& stop) const
{
    const TraceTable& traces = dataset.traces();
    const auto single = policy == SelectionPolicy::All ? SelectionPolicy::Newest : policy;
    switch (pin.kind) {
    case Pin::Kind::Trace: {
        RowIndex rows;
        for (const std::uint32_t index : dataset.traceRowsOfSolution(pin.name)) {
            const TraceRow& row = traces.row(index);
            if (traces.workloadUuid(row) == pin.workload && (pin.timestamp.empty() || traces.timestamp(row) == pin.timestamp)) rows.push_back(index);
        }
        return selectTraces(dataset, rows, SelectionPolicy::NewestPassing, stop);
    }
    case Pin::Kind::Solution: return selectTraces(dataset, dataset.traceRowsOfSolution(pin.name), single, stop);
    case Pin::Kind::Author: {
        RowIndex rows;
        for (const auto& solution : dataset.solutions()) {
            if (solution->author != pin.name) continue;
            const auto& ofSolution = dataset.traceRowsOfSolution(solution->name);
            rows.insert(rows.end(), ofSolution.begin(), ofSolution.end());
        }
        return selectTraces(dataset, rows, single, stop);
    }
    case Pin::Kind::Run: break;
    }
    const std::vector<MeasurementRun> runs = measurementRuns(dataset, kPauseBetweenRuns, stop);
    const auto run = std::find_if(runs.begin(), runs.end(), [&pin](const MeasurementRun& one) { return one.start <= pin.moment && pin.moment <= one.end; });
    if (run == runs.end()) return {};
    TraceFilter ofRun;
    ofRun.ranges[TraceColumn::Timestamp] = {static_cast<double>(run->start), static_cast<double>(run->end)};
    return selectTraces(dataset, filterTraces(dataset, ofRun, stop), SelectionPolicy::NewestPassing, stop);
}

PinnedLatencies::Key PinnedLatencies::keyOf(std::size_t pin, const TraceRow& row) const
{
    return {m_groups[row.workload], m_pins[pin].kind == Pin::Kind::Run ? row.solution : StringPool::kNone, row.hardware};
}

const PinnedLatencies::Base* PinnedLatencies::find(std::size_t pin, const TraceRow& row) const
{
    if (pin >= m_bases.size() || row.workload >= m_groups.size()) return nullptr;   // a workload that came later
    const auto found = m_bases[pin].find(keyOf(pin, row));
    return found == m_bases[pin].end() ? nullptr : &found->second;
}

double PinnedLatencies::latencyMs(std::size_t pin, const TraceRow& row) const
{
    const Base* base = find(pin, row);
    return base != nullptr ? base->latencyMs : std::numeric_limits<double>::quiet_NaN();
}

double PinnedLatencies::change(std::size_t pin, const TraceRow& row) const
{
    return isTimed(row) ? row.latencyMs / latencyMs(pin, row) - 1 : std::numeric_limits<double>::quiet_NaN();
}

bool PinnedLatencies::isBase(std::size_t pin, std::uint32_t index, const TraceRow& row) const
{
    const Base* base = find(pin, row);
    return base != nullptr && base->row == index;
}

std::map<std::string, std::vector<PinnedChange>> pinnedChanges(const Dataset& dataset, const RowIndex& rows, RankBy by, const PinnedLatencies& pinned)
{
    const TraceTable& traces = dataset.traces();
    // The best row of each name on each workload of a definition and each kind of hardware.
    using Place = std::tuple<std::uint32_t, std::uint32_t, std::uint16_t>;
    std::map<std::string, std::map<Place, std::uint32_t>> best;
    std::map<std::uint32_t, std::string> names;   // by solution: an author is looked up once
    for (const std::uint32_t index : rows) {
        const TraceRow& row = traces.row(index);
        if (!isTimed(row) || row.solution == StringPool::kNone) continue;
        const auto [name, isNew] = names.try_emplace(row.solution);
        if (isNew) name->second = by == RankBy::Author ? authorOf(dataset, row) : std::string(traces.solutionName(row));
        const WorkloadKey& workload = traces.workloadKeys()[row.workload];
        const auto [place, isFirst] = best[name->second].try_emplace({workload.definition, workload.uuid, row.hardware}, index);
        if (!isFirst && row.latencyMs < traces.row(place->second).latencyMs) place->second = index;
    }
    std::map<std::string, std::vector<PinnedChange>> changes;
    for (const auto& [name, places] : best) {
        auto& ofName = changes[name];
        for (std::size_t pin = 0; pin < pinned.size(); ++pin) {
            PinnedChange made{.isBase = true};
            double logarithms = 0;
            for (const auto& [place, index] : places) {
                const TraceRow& row = traces.row(index);
                const double base = pinned.latencyMs(pin, row);
                if (std::isnan(base)) continue;
                logarithms += std::log(row.latencyMs / base);
                made.isBase = made.isBase && pinned.isBase(pin, index, row);
                ++made.pairs;
            }
            made.isBase = made.isBase && made.pairs > 0;
            if (made.pairs > 0) made.change = std::expm1(logarithms / static_cast<double>(made.pairs));
            ofName.push_back(made);
        }
    }
    return changes;
}

RowIndex rowsInScope(const Dataset& dataset, const RankingScope& scope, const std::stop_token& stop)
{
    TraceFilter filter;
    if (!scope.definition.empty()) filter.definitions.insert(scope.definition);
    if (!scope.hardware.empty()) filter.hardware.insert(scope.hardware);
    if (!scope.opType.empty()) filter.opTypes.insert(scope.opType);
    return selectTraces(dataset, filterTraces(dataset, filter, stop), scope.policy, stop);
}

void addPinnedChanges(RankTable& table, const Dataset& dataset, const PinnedLatencies& pinned)
{
    const auto changes = pinnedChanges(dataset, rowsInScope(dataset, table.scope), table.by, pinned);
    table.pins.clear();
    for (const Pin& pin : pinned.pins()) table.pins.push_back(pinText(pin));
    for (RankRow& row : table.rows) {
        const auto found = changes.find(row.name);
        row.changes = found != changes.end() ? found->second : std::vector<PinnedChange>(pinned.size());
    }
}

}  // namespace tracedeck
