// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnose/timeline.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "core/diagnose/generated_code.h"
#include "core/model/text.h"
#include "core/report/text_table.h"

namespace tracedeck {

namespace {

constexpr int kWarmCalls = 3;
constexpr std::size_t kMostEntries = 1'000'000;

struct Record {
    TimelineEntry entry;
    std::uint64_t start = 0;
    std::uint64_t end = 0;
};

Result<Record> recordOf(const Json& json, std::size_t index)
{
    const std::string place = fmt::format("activities.{}.", index);
    auto entry = timelineEntryFrom(json, place);
    if (!entry) return entry.error();
    Record record{std::move(*entry)};
    if (record.entry.kind == TimelineEntry::Kind::Kernel) record.entry.name = demangled(record.entry.name);
    for (const auto& [name, target] : {std::pair{"start", &record.start}, std::pair{"end", &record.end}}) {
        const auto value = timelineCount(json, place, name);
        if (!value) return value.error();
        *target = *value;
    }
    if (record.end < record.start) return Error{ErrorCode::InvalidInput, "lies before the start", {}, 0, place + "end"};
    if (auto read = readTimelineSizes(record.entry, json, place, "shared", "local"); !read) return read.error();
    return record;
}

/// Where in the span an entry lies, as a line of a bar chart.
std::string barText(const TimelineEntry& entry, double spanUs)
{
    constexpr std::size_t kWidth = 40;
    if (!(spanUs > 0)) return {};
    const auto place = [spanUs](double us) { return std::min(kWidth - 1, static_cast<std::size_t>(us / spanUs * static_cast<double>(kWidth))); };
    std::string bar(kWidth, ' ');
    for (std::size_t at = place(entry.startUs); at <= place(entry.startUs + entry.durationUs); ++at) bar[at] = '#';
    return bar;
}

}  // namespace

Result<Timeline> decodeTimeline(const Json& activities)
{
    if (!activities.is_array() || activities.size() > kMostEntries) return Error{ErrorCode::InvalidInput, "must be a list", {}, 0, "activities"};
    std::vector<Record> records;
    for (std::size_t i = 0; i < activities.size(); ++i) {
        auto record = recordOf(activities[i], i);
        if (!record) return record.error();
        records.push_back(std::move(*record));
    }
    std::ranges::stable_sort(records, {}, &Record::start);
    Timeline timeline;
    if (records.empty()) return timeline;
    const std::uint64_t first = records.front().start;
    std::uint64_t last = first;
    std::uint64_t busy = 0;
    for (Record& record : records) {
        if (record.end > last) {
            busy += record.end - std::max(record.start, last);
            last = record.end;
        }
        record.entry.startUs = static_cast<double>(record.start - first) / 1e3;
        record.entry.durationUs = static_cast<double>(record.end - record.start) / 1e3;
        timeline.entries.push_back(std::move(record.entry));
    }
    timeline.spanUs = static_cast<double>(last - first) / 1e3;
    timeline.busyUs = static_cast<double>(busy) / 1e3;
    return timeline;
}

Result<Timeline> recordTimeline(const DiagnosisTarget& target, const DiagnosisProgress& onProgress, std::stop_token stop)
{
    SoloOptions options;
    options.calls = kWarmCalls + 1;
    options.hasTimeline = true;
    auto solo = SoloCall::prepare(target, options, onProgress, stop);
    if (!solo) return solo.error();
    if ((*solo)->device() == "cpu") return Error{ErrorCode::Unsupported, "a kernel timeline is of a GPU: choose a CUDA device", {}, 0, "device"};
    if (onProgress) onProgress("recording a call of " + target.solution);
    auto outcome = (*solo)->run({}, SoloWalls::All, target.request.timeoutSeconds, stop);
    if (!outcome) return outcome.error();
    Timeline timeline;
    if (outcome->error.empty()) {
        auto decoded = decodeTimeline(outcome->activities);
        if (!decoded) return decoded.error();
        timeline = std::move(*decoded);
        if (timeline.entries.empty()) timeline.error = "the GPU did nothing in this call";
    } else {
        timeline.error = outcome->error;
    }
    timeline.confinement = outcome->confinement;
    return timeline;
}

Result<void> keepTimelineOf(const DiagnosisTarget& target, const Timeline& timeline)
{
    const Dataset& dataset = *target.request.dataset;
    const Solution* solution = dataset.findSolution(target.solution);
    if (solution == nullptr) return Error{ErrorCode::NotFound, "there is no solution " + target.solution, {}, 0, "solution"};
    return keepTimeline(dataset.root(), target.definition, target.solution, {timeline, target.workload, solution->contentHash()});
}

std::string timelineText(const Timeline& timeline)
{
    if (!timeline.error.empty()) return "No timeline: " + printable(timeline.error) + "\n";
    TextTable table({{"Start, µs", TextTable::Align::Right}, {"µs", TextTable::Align::Right}, {"", TextTable::Align::Left}, {"What", TextTable::Align::Left},
                     {"Grid", TextTable::Align::Left}, {"Block", TextTable::Align::Left}, {"Registers", TextTable::Align::Right}, {"Shared, bytes", TextTable::Align::Right},
                     {"Bytes", TextTable::Align::Right}, {"Stream", TextTable::Align::Right}});
    for (const TimelineEntry& entry : timeline.entries) {
        const bool isKernel = entry.kind == TimelineEntry::Kind::Kernel;
        table.addRow({fmt::format("{:.2f}", entry.startUs), fmt::format("{:.2f}", entry.durationUs), barText(entry, timeline.spanUs), entry.name, launchSizeText(entry.grid),
                      launchSizeText(entry.block), isKernel ? std::to_string(entry.registers) : "", isKernel ? std::to_string(entry.sharedBytes) : "",
                      isKernel ? "" : std::to_string(entry.bytes), std::to_string(entry.stream)});
    }
    return table.toString() + fmt::format("\n{} {} in {:.2f} µs; nothing ran for {:.2f} µs of them.\n", timeline.entries.size(), timeline.entries.size() == 1 ? "activity" : "activities", timeline.spanUs,
                                          timeline.gapsUs());
}

}  // namespace tracedeck
