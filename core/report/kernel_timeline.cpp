// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/kernel_timeline.h"

#include <algorithm>
#include <cmath>
#include <system_error>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/io/contained_path.h"
#include "core/io/json_parse.h"
#include "core/io/trace_writer.h"
#include "core/model/text.h"
#include "core/report/html_text.h"
#include "core/report/svg_ink.h"
#include "core/report/svg_plots.h"
#include "core/report/text_table.h"

namespace tracedeck {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMostTimelineBytes = std::uint64_t{64} << 20U;

std::string_view kindName(TimelineEntry::Kind kind)
{
    return kind == TimelineEntry::Kind::Kernel ? "kernel" : kind == TimelineEntry::Kind::Copy ? "copy" : "fill";
}

Error timelineError(const std::string& field, const std::string& reason)
{
    return Error{ErrorCode::InvalidInput, reason, {}, 0, field};
}

/// A finite number from 0 on.
Result<double> timeMember(const Json& json, const std::string& place, const char* name)
{
    const auto field = json.find(name);
    const double value = field != json.end() && field->is_number() ? field->get<double>() : -1;
    if (!std::isfinite(value) || value < 0) return timelineError(place + name, "must be a number from 0 on");
    return value;
}

Result<std::vector<std::int64_t>> threeNumbers(const Json& json, const std::string& place, const char* name)
{
    const auto field = json.find(name);
    const bool isRight = field != json.end() && field->is_array() && field->size() == 3 &&
                         std::all_of(field->begin(), field->end(), [](const Json& one) { return one.is_number_integer(); });
    if (!isRight) return timelineError(place + name, "must be three whole numbers");
    return field->get<std::vector<std::int64_t>>();
}

Result<TimelineEntry> storedEntry(const Json& json, const std::string& place)
{
    auto entry = timelineEntryFrom(json, place);
    if (!entry) return entry;
    for (const auto& [name, target] : {std::pair{"start_us", &entry->startUs}, std::pair{"duration_us", &entry->durationUs}}) {
        const auto value = timeMember(json, place, name);
        if (!value) return value.error();
        *target = *value;
    }
    if (auto read = readTimelineSizes(*entry, json, place, "shared_bytes", "local_bytes"); !read) return read.error();
    return entry;
}

}  // namespace

std::string launchSizeText(const std::vector<std::int64_t>& size)
{
    return size.empty() ? std::string() : fmt::format("{}", fmt::join(size, "×"));
}

Json encodeTimeline(const Timeline& timeline)
{
    Json entries = Json::array();
    for (const TimelineEntry& entry : timeline.entries) {
        entries.push_back({{"kind", kindName(entry.kind)},
                           {"name", entry.name},
                           {"start_us", entry.startUs},
                           {"duration_us", entry.durationUs},
                           {"grid", entry.grid},
                           {"block", entry.block},
                           {"registers", entry.registers},
                           {"shared_bytes", entry.sharedBytes},
                           {"local_bytes", entry.localBytes},
                           {"bytes", entry.bytes},
                           {"stream", entry.stream}});
    }
    return {{"span_us", timeline.spanUs}, {"busy_us", timeline.busyUs}, {"error", timeline.error}, {"confinement", timeline.confinement}, {"entries", std::move(entries)}};
}

Result<std::uint64_t> timelineCount(const Json& json, const std::string& place, const char* name)
{
    const auto field = json.find(name);
    if (field == json.end() || !field->is_number_unsigned()) return timelineError(place + name, "must be a whole number from 0 on");
    return field->get<std::uint64_t>();
}

Result<TimelineEntry> timelineEntryFrom(const Json& json, const std::string& place)
{
    if (!json.is_object()) return timelineError(place.substr(0, place.size() - 1), "must be an object");
    TimelineEntry entry;
    const std::string kind = textMember(json, "kind");
    if (kind != "kernel" && kind != "copy" && kind != "fill") return timelineError(place + "kind", "must be kernel, copy or fill");
    entry.kind = kind == "kernel" ? TimelineEntry::Kind::Kernel : kind == "copy" ? TimelineEntry::Kind::Copy : TimelineEntry::Kind::Fill;
    entry.name = toValidUtf8(textMember(json, "name"));
    return entry;
}

Result<void> readTimelineSizes(TimelineEntry& entry, const Json& json, const std::string& place, const char* sharedKey, const char* localKey)
{
    std::vector<std::pair<const char*, std::uint64_t*>> counts{{"stream", &entry.stream}};
    const bool isKernel = entry.kind == TimelineEntry::Kind::Kernel;
    if (isKernel) counts.insert(counts.end(), {{"registers", &entry.registers}, {sharedKey, &entry.sharedBytes}, {localKey, &entry.localBytes}});
    else counts.emplace_back("bytes", &entry.bytes);
    for (const auto& [name, target] : counts) {
        const auto value = timelineCount(json, place, name);
        if (!value) return value.error();
        *target = *value;
    }
    if (!isKernel) return {};
    for (const auto& [name, target] : {std::pair{"grid", &entry.grid}, std::pair{"block", &entry.block}}) {
        auto value = threeNumbers(json, place, name);
        if (!value) return value.error();
        *target = std::move(*value);
    }
    return {};
}

Result<Timeline> timelineFromJson(const Json& json)
{
    const auto entries = json.is_object() ? json.find("entries") : json.end();
    if (!json.is_object() || entries == json.end() || !entries->is_array()) return timelineError("entries", "must be a list");
    Timeline timeline;
    timeline.error = toValidUtf8(textMember(json, "error"));
    timeline.confinement = toValidUtf8(textMember(json, "confinement"));
    for (const auto& [name, target] : {std::pair{"span_us", &timeline.spanUs}, std::pair{"busy_us", &timeline.busyUs}}) {
        const auto value = timeMember(json, "", name);
        if (!value) return value.error();
        *target = *value;
    }
    for (std::size_t i = 0; i < entries->size(); ++i) {
        auto entry = storedEntry((*entries)[i], fmt::format("entries.{}.", i));
        if (!entry) return entry.error();
        timeline.entries.push_back(std::move(*entry));
    }
    return timeline;
}

Result<fs::path> timelineFile(const fs::path& root, const std::string& definition, const std::string& solution)
{
    for (const std::string& name : {definition, solution}) {
        if (!isSafePathComponent(name) || name.starts_with('.')) return timelineError("name", "`" + printable(name) + "` can't be a file's name");
    }
    const std::string relative = "tracedeck/timelines/" + definition + "/" + solution + ".json";
    auto file = resolveContained(root, relative);
    if (!file) return Error{ErrorCode::InvalidInput, file.error().reason, (root / relative).string(), 0, {}};
    return file;
}

Result<void> keepTimeline(const fs::path& root, const std::string& definition, const std::string& solution, const KeptTimeline& kept)
{
    const auto file = timelineFile(root, definition, solution);
    if (!file) return file.error();
    std::error_code failure;
    fs::create_directories(file->parent_path(), failure);
    if (failure) return Error{ErrorCode::Io, "could not make the folder: " + failure.message(), file->parent_path().string(), 0, {}};
    Json document = encodeTimeline(kept.timeline);
    document["workload"] = kept.workload;
    document["source"] = kept.source;
    return writeFileAtomically(*file, document.dump(2) + "\n");
}

Result<std::optional<KeptTimeline>> readTimeline(const fs::path& root, const std::string& definition, const std::string& solution)
{
    const auto file = timelineFile(root, definition, solution);
    if (!file) return file.error().field == "name" ? Result<std::optional<KeptTimeline>>(std::optional<KeptTimeline>()) : file.error();
    const auto read = readJsonFile(*file, kMostTimelineBytes);
    if (!read) return read.error();
    if (!*read) return std::optional<KeptTimeline>();
    auto timeline = timelineFromJson(**read);
    if (!timeline) {
        Error error = timeline.error();
        error.file = file->string();
        return error;
    }
    return std::optional(KeptTimeline{std::move(*timeline), toValidUtf8(textMember(**read, "workload")), toValidUtf8(textMember(**read, "source"))});
}

std::string timelineSvg(const Timeline& timeline, PlotLook look)
{
    constexpr double kNameWidth = 250;
    constexpr double kBarsWidth = 430;
    constexpr double kRow = 18;
    constexpr double kTop = 8;
    constexpr double kBottom = 26;
    constexpr double kNarrowestBar = 1;
    constexpr std::size_t kLongestName = 38;
    if (timeline.entries.empty() || !(timeline.spanUs > 0)) return {};
    const SvgInk ink(look);
    const std::size_t rows = std::min(timeline.entries.size(), kMostTimelineRows);
    const double height = kTop + kRow * static_cast<double>(rows) + kBottom;
    std::string svg = ink.begin(kNameWidth + kBarsWidth + 20, height, fmt::format("{} activities of the GPU in {:.4g} microseconds", timeline.entries.size(), timeline.spanUs));
    const auto x = [&](double us) { return kNameWidth + std::min(us / timeline.spanUs, 1.0) * kBarsWidth; };
    for (std::size_t i = 0; i < rows; ++i) {
        const TimelineEntry& entry = timeline.entries[i];
        const double y = kTop + kRow * static_cast<double>(i);
        svg += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"end\" {}>{}</text>", coordinate(kNameWidth - 8), coordinate(y + 12), ink.text(), htmlText(shortened(entry.name, kLongestName)));
        svg += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"12\" {}><title>{}: {:.2f} to {:.2f} µs</title></rect>", coordinate(x(entry.startUs)), coordinate(y + 2),
                           coordinate(std::max(x(entry.startUs + entry.durationUs) - x(entry.startUs), kNarrowestBar)), ink.dot(entry.kind == TimelineEntry::Kind::Kernel ? 0 : 1), htmlText(entry.name),
                           entry.startUs, entry.startUs + entry.durationUs);
    }
    const double axis = height - kBottom + 4;
    svg += fmt::format("<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" {}/>", coordinate(kNameWidth), coordinate(axis), coordinate(kNameWidth + kBarsWidth), coordinate(axis), ink.axis());
    svg += fmt::format("<text x=\"{}\" y=\"{}\" {}>0</text>", coordinate(kNameWidth), coordinate(axis + 16), ink.text());
    svg += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"end\" {}>{:.4g} µs</text>", coordinate(kNameWidth + kBarsWidth), coordinate(axis + 16), ink.text(), timeline.spanUs);
    return svg + "</svg>";
}

}  // namespace tracedeck
