// SPDX-License-Identifier: GPL-3.0-or-later
// What one row of an A/B comparison says. How rows come about: comparison_matching.cpp.
#include "core/score/comparison.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/model/name_rules.h"
#include "core/model/text.h"
#include "core/score/ranking.h"
#include "core/score/regression.h"

namespace tracedeck {

namespace {

/// So few traces without samples say nothing about noise.
constexpr std::size_t kSessionsWithoutSamples = 3;

/// The figures that follow from the sessions.
void summarizeSessions(Measurement& measurement)
{
    std::vector<double> all;
    for (const auto& session : measurement.sessions) all.insert(all.end(), session.begin(), session.end());
    measurement.runs = measurement.sessions.size();
    if (all.empty()) return;
    std::sort(all.begin(), all.end());
    measurement.latencyMs = quantile(all, 0.5);
    if (!measurement.hasSamples) return;
    measurement.samples = all.size();
    measurement.noise = (quantile(all, 0.75) - quantile(all, 0.25)) / measurement.latencyMs;
}

std::string percentText(double share)
{
    return fmt::format("{:+.1f} %", share * 100);
}

/// Why nothing can be said about times, before any statistics; empty when something can.
std::string reasonAgainst(const Measurement& measurement, std::string_view side)
{
    if (!measurement.unreadable.empty()) return fmt::format("{}'s trace could not be read back: {}", side, measurement.unreadable);
    if (measurement.isContradictory) return fmt::format("{}'s trace contradicts itself", side);
    if (!std::isfinite(measurement.latencyMs)) return fmt::format("{} passed, but has no latency that can be true", side);
    return {};
}

bool isNoiseKnown(const Measurement& measurement)
{
    return measurement.hasSamples || measurement.sessions.size() >= kSessionsWithoutSamples;
}

void judgeTimes(ComparisonRow& row, double aaFloor)
{
    const Measurement& a = *row.a;
    const Measurement& b = *row.b;
    row.verdict = ComparisonVerdict::CannotTell;
    for (const auto& [measurement, side] : {std::pair{&a, "A"}, std::pair{&b, "B"}}) {
        row.reason = reasonAgainst(*measurement, side);
        if (!row.reason.empty()) return;
    }
    if (a.timing != b.timing) {
        row.reason = fmt::format("A's times are from {}, B's from {}: such times don't compare", timingText(a.timing), timingText(b.timing));
        return;
    }
    row.differenceMs = b.latencyMs - a.latencyMs;
    row.ratio = b.latencyMs / a.latencyMs;
    const bool knowsA = isNoiseKnown(a);
    const bool knowsB = isNoiseKnown(b);
    if (!knowsA || !knowsB) {
        row.reason = fmt::format("how noisy {} are isn't known: no samples are stored; measure again with tracedeck, or {} times or more",
                                 !knowsA && !knowsB ? "the times" : !knowsA ? "A's times" : "B's times", kSessionsWithoutSamples);
        return;
    }
    const LatencyComparison comparison = compareLatencies(a.sessions, b.sessions, aaFloor);
    row.interval = comparison.interval;
    row.margin = comparison.margin;
    const std::string interval = fmt::format("95 % interval {} to {}", percentText(row.interval.low - 1), percentText(row.interval.high - 1));
    switch (comparison.verdict) {
    case LatencyVerdict::Faster:
    case LatencyVerdict::Slower:
        row.verdict = comparison.verdict == LatencyVerdict::Faster ? ComparisonVerdict::Faster : ComparisonVerdict::Slower;
        row.reason = fmt::format("{}, {}: all on one side, and more than the margin of {:.1f} %", percentText(row.ratio - 1), interval, row.margin * 100);
        return;
    case LatencyVerdict::Same:
        row.verdict = ComparisonVerdict::Same;
        row.reason = fmt::format("{}: within the margin of {:.1f} %", interval, row.margin * 100);
        return;
    case LatencyVerdict::CannotTell: break;
    }
    row.reason = fmt::format("{}, {}: neither within the margin of {:.1f} % nor clearly outside", percentText(row.ratio - 1), interval, row.margin * 100);
    if (comparison.sessionsNeeded) row.reason += fmt::format("; about {} runs of each would tell", *comparison.sessionsNeeded);
}

template <class Set>
void appendPart(std::vector<std::string>& parts, const char* name, const Set& values)
{
    if (!values.empty()) parts.push_back(fmt::format("{} {}", name, fmt::join(values, " or ")));
}

std::vector<std::string> lowerWords(std::string_view text)
{
    std::vector<std::string> words;
    std::string word;
    for (const char letter : asciiLower(text) + ' ') {
        if (letter != ' ') word += letter;
        else if (!word.empty()) words.push_back(std::exchange(word, {}));
    }
    return words;
}

/// Whether each word occurs in something that names the row.
bool hasWords(const ComparisonRow& row, const std::vector<std::string>& words)
{
    std::string text = row.definition + '\n' + row.opType + '\n' + row.axesText();
    for (const auto& side : {&row.a, &row.b}) {
        if (*side) text += '\n' + (*side)->solution + '\n' + (*side)->hardware + '\n' + (*side)->workloadUuid + '\n' + std::string(toString((*side)->status));
    }
    text = asciiLower(text + '\n' + std::string(toString(row.verdict)));
    return std::all_of(words.begin(), words.end(), [&text](const std::string& word) { return text.find(word) != std::string::npos; });
}

}  // namespace

std::string timingText(TimingMethod method)
{
    switch (method) {
    case TimingMethod::Judge: return "the judge's clock";
    case TimingMethod::Cupti: return "CUPTI";
    case TimingMethod::CudaEvent: return "CUDA events";
    case TimingMethod::Unknown: break;
    }
    return "another program";
}

Result<void> addToSide(ComparisonSide& side, std::string_view keyAndValue)
{
    const std::size_t equals = keyAndValue.find('=');
    const std::string key(keyAndValue.substr(0, equals));
    const std::string value(equals == std::string_view::npos ? std::string_view{} : keyAndValue.substr(equals + 1));
    const auto usage = [&](const std::string& reason) { return Error{ErrorCode::Usage, reason, {}, 0, {}}; };
    if (value.empty()) {
        return usage(fmt::format("'{}' selects nothing: write KEY=VALUE, KEY being solution, author, hardware, run, since or until", toValidUtf8(keyAndValue)));
    }
    const Dataset& dataset = *side.dataset;
    const std::string where = toValidUtf8(dataset.root().string());
    if (key == "solution") {
        std::vector<std::string> names;
        for (const auto& solution : dataset.solutions()) names.push_back(solution->name);
        // Traces may name a solution whose file is gone.
        if (dataset.traceRowsOfSolution(value).empty()) {
            if (auto known = requireKnownNames("solution", {value}, names, where); !known) return known;
        }
        side.filter.solutions.insert(value);
    } else if (key == "author") {
        if (auto known = requireKnownNames("author", {value}, authorsOf(dataset), where); !known) return known;
        side.filter.authors.insert(value);
    } else if (key == "hardware") {
        if (auto known = requireKnownNames("hardware", {value}, hardwareOf(dataset), where); !known) return known;
        side.filter.hardware.insert(value);
    } else if (key == "since" || key == "until") {
        const auto time = timestampMicroseconds(value);
        if (!time) return usage(fmt::format("{} '{}' is no time such as 2026-01-31T12:00:00", key, toValidUtf8(value)));
        ValueRange& range = side.filter.ranges[TraceColumn::Timestamp];
        (key == "since" ? range.least : range.greatest) = static_cast<double>(*time);
    } else if (key == "run") {
        const auto runs = measurementRuns(dataset);
        const auto number = runNumber(value, runs.size());
        if (!number) {
            return usage(fmt::format("'{}' is no run of {}: write last, previous, or a number from 1 (the oldest) to {}", toValidUtf8(value), where, runs.size()));
        }
        limitToRun(side, runs[*number - 1]);
    } else {
        return usage(fmt::format("there is no key '{}': a side is chosen by solution, author, hardware, run, since or until", toValidUtf8(key)));
    }
    return {};
}

void limitToRun(ComparisonSide& side, const MeasurementRun& run)
{
    side.filter.ranges[TraceColumn::Timestamp] = {static_cast<double>(run.start), static_cast<double>(run.end)};
}

std::string describeSide(const ComparisonSide& side)
{
    const TraceFilter& filter = side.filter;
    std::vector<std::string> parts;
    appendPart(parts, "definition", filter.definitions);
    appendPart(parts, "op_type", filter.opTypes);
    appendPart(parts, "solution", filter.solutions);
    appendPart(parts, "author", filter.authors);
    appendPart(parts, "hardware", filter.hardware);
    if (const auto times = filter.ranges.find(TraceColumn::Timestamp); times != filter.ranges.end()) {
        if (std::isfinite(times->second.least)) parts.push_back("since " + timestampText(static_cast<std::int64_t>(times->second.least)));
        if (std::isfinite(times->second.greatest)) parts.push_back("until " + timestampText(static_cast<std::int64_t>(times->second.greatest)));
    }
    return parts.empty() ? std::string("all traces") : fmt::format("{}", fmt::join(parts, ", "));
}

std::string_view toString(ComparisonVerdict verdict)
{
    switch (verdict) {
    case ComparisonVerdict::Same: return "SAME";
    case ComparisonVerdict::Faster: return "FASTER";
    case ComparisonVerdict::Slower: return "SLOWER";
    case ComparisonVerdict::CannotTell: return "CANT_TELL";
    case ComparisonVerdict::New: return "NEW";
    case ComparisonVerdict::Missing: return "MISSING";
    case ComparisonVerdict::NowFailing: return "NOW_FAILING";
    case ComparisonVerdict::NowPassing: return "NOW_PASSING";
    case ComparisonVerdict::StillFailing: break;
    }
    return "STILL_FAILING";
}

ComparisonRow compareMeasurements(std::optional<Measurement> a, std::optional<Measurement> b, double aaFloor)
{
    ComparisonRow row;
    row.a = std::move(a);
    row.b = std::move(b);
    for (auto* side : {&row.a, &row.b}) {
        if (*side) summarizeSessions(**side);
    }
    if (!row.a && !row.b) {
        row.reason = "neither has a result";
    } else if (!row.b) {
        row.verdict = ComparisonVerdict::Missing;
        row.reason = "only A has a result";
    } else if (!row.a) {
        row.verdict = ComparisonVerdict::New;
        row.reason = "only B has a result";
    } else if (row.a->isPassed() && row.b->isPassed()) {
        judgeTimes(row, aaFloor);
    } else if (row.a->isPassed()) {
        row.verdict = ComparisonVerdict::NowFailing;
        row.reason = fmt::format("A passed, B ended with {}", toString(row.b->status));
    } else if (row.b->isPassed()) {
        row.verdict = ComparisonVerdict::NowPassing;
        row.reason = fmt::format("A ended with {}, B passed", toString(row.a->status));
    } else {
        row.verdict = ComparisonVerdict::StillFailing;
        row.reason = fmt::format("A ended with {}, B with {}", toString(row.a->status), toString(row.b->status));
    }
    // A comparison of many workloads would hold all samples of two datasets.
    for (auto* side : {&row.a, &row.b}) {
        if (*side) Sessions().swap((*side)->sessions);
    }
    return row;
}

std::string ComparisonRow::axesText() const
{
    std::string text;
    for (const auto& [name, value] : axes) text += fmt::format("{}{}={}", text.empty() ? "" : ";", name, value);
    return text;
}

std::vector<std::size_t> selectRows(const Comparison& comparison, const ComparisonFilter& filter)
{
    const std::vector<std::string> words = lowerWords(filter.text);
    std::vector<std::size_t> selected;
    for (std::size_t i = 0; i < comparison.rows.size(); ++i) {
        const ComparisonRow& row = comparison.rows[i];
        if (!filter.verdicts.empty() && !filter.verdicts.contains(row.verdict)) continue;
        if (!filter.opTypes.empty() && !filter.opTypes.contains(row.opType)) continue;
        if (!words.empty() && !hasWords(row, words)) continue;
        selected.push_back(i);
    }
    return selected;
}

ComparisonSummary summarizeRows(const Comparison& comparison, const std::vector<std::size_t>& rows)
{
    ComparisonSummary summary;
    std::vector<double> ratios;
    for (const std::size_t index : rows) {
        const ComparisonRow& row = comparison.rows[index];
        ++summary.counts[static_cast<std::size_t>(row.verdict)];
        if (std::isfinite(row.ratio)) ratios.push_back(row.ratio);
    }
    summary.ratios = ratios.size();
    summary.ratioMean = geometricMean(ratios);
    return summary;
}

void keepRows(Comparison& comparison, const std::vector<std::size_t>& rows)
{
    static_cast<ComparisonSummary&>(comparison) = summarizeRows(comparison, rows);
    std::vector<ComparisonRow> kept;
    kept.reserve(rows.size());
    for (const std::size_t index : rows) kept.push_back(std::move(comparison.rows[index]));
    comparison.rows = std::move(kept);
}

std::optional<ComparisonVerdict> comparisonVerdictFromString(std::string_view name)
{
    for (int i = 0; i < kComparisonVerdictCount; ++i) {
        if (toString(static_cast<ComparisonVerdict>(i)) == name) return static_cast<ComparisonVerdict>(i);
    }
    return std::nullopt;
}

bool isRegression(const ComparisonRow& row, double share)
{
    return row.verdict == ComparisonVerdict::NowFailing || (row.verdict == ComparisonVerdict::Slower && row.interval.low > 1 + share);
}

std::size_t Comparison::regressions(double share) const
{
    return static_cast<std::size_t>(std::count_if(rows.begin(), rows.end(), [share](const ComparisonRow& row) { return isRegression(row, share); }));
}

}  // namespace tracedeck
