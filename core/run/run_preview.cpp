// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/run_preview.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "core/model/timestamp.h"
#include "core/score/work_estimate.h"
#include "core/run/devices.h"

namespace tracedeck {

namespace {

/// From the start of a host to its first call. Seen: 2 to 3 s for PyTorch on the CPU, less than 1 s for a fork of a warm Python.
constexpr double kStartSeconds = 1.5;
/// An evaluation of which nothing is known.
constexpr double kUsualSeconds = 3;
/// A longer pause between two traces is no evaluation.
constexpr double kLongestGapSeconds = 600;
/// So many of the newest traces of a definition are looked at.
constexpr std::size_t kMostTraces = 20'000;

double medianOf(std::vector<double> values)
{
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

/// How long evaluations of a definition took on some hardware.
struct Durations {
    std::map<std::string, std::vector<double>> bySolution;
    std::vector<double> all;
    struct Latencies {
        double solutionMs = 0;
        double referenceMs = 0;
    };
    std::map<std::pair<std::string, std::string>, Latencies> latencies;   ///< by solution and workload, the newest
};

Durations durationsOf(const Dataset& dataset, const std::string& definition, const std::set<std::string>& hardware)
{
    struct Ended {
        std::int64_t time = 0;
        std::uint32_t row = 0;
    };
    Durations durations;
    const TraceTable& table = dataset.traces();
    const auto& rows = dataset.traceRowsOfDefinition(definition);
    std::vector<Ended> ended;
    for (std::size_t i = rows.size() > kMostTraces ? rows.size() - kMostTraces : 0; i < rows.size(); ++i) {
        const TraceRow& row = table.row(rows[i]);
        if (!hardware.contains(std::string(table.hardwareName(row)))) continue;
        if (const auto time = timestampMicroseconds(table.timestamp(row))) ended.push_back({*time, rows[i]});
    }
    std::ranges::stable_sort(ended, {}, &Ended::time);
    for (std::size_t i = 0; i < ended.size(); ++i) {
        const TraceRow& row = table.row(ended[i].row);
        const std::string solution(table.solutionName(row));
        if (row.latencyMs > 0) durations.latencies[{solution, table.workloadUuid(row)}] = {row.latencyMs, row.referenceLatencyMs > 0 ? row.referenceLatencyMs : 0};
        if (i == 0) continue;
        const double seconds = static_cast<double>(ended[i].time - ended[i - 1].time) / 1e6;
        if (seconds <= 0 || seconds > kLongestGapSeconds) continue;
        durations.bySolution[solution].push_back(seconds);
        durations.all.push_back(seconds);
    }
    return durations;
}

void estimate(const Durations& known, const EvalConfig& config, PairPreview& pair)
{
    constexpr std::size_t kFewestOfSolution = 2;
    constexpr std::size_t kFewestOfDefinition = 3;
    if (const auto own = known.bySolution.find(pair.pair.solution); own != known.bySolution.end() && own->second.size() >= kFewestOfSolution) {
        pair.seconds = medianOf(own->second);
        pair.source = EstimateSource::Solution;
    } else if (known.all.size() >= kFewestOfDefinition) {
        pair.seconds = medianOf(known.all);
        pair.source = EstimateSource::Definition;
    } else if (const auto latency = known.latencies.find({pair.pair.solution, pair.pair.workloadUuid}); latency != known.latencies.end()) {
        const double calls = static_cast<double>(config.numTrials) * (config.warmupRuns + config.iterations);
        pair.seconds = kStartSeconds + calls * (latency->second.solutionMs + latency->second.referenceMs) / 1000;
        pair.source = EstimateSource::Latency;
    } else {
        pair.seconds = kUsualSeconds;
        pair.source = EstimateSource::Usual;
    }
}

std::vector<DevicePreview> devicesOf(const std::vector<std::string>& names, const RunDevices& known)
{
    std::vector<DevicePreview> devices;
    for (const std::string& name : names) {
        DevicePreview device;
        device.device = name;
        device.hardware = fmt::format("{}", fmt::join(hardwareNames({name}, known), ""));
        if (const auto state = deviceState(name)) {
            device.totalBytes = state->totalBytes;
            device.freeBytes = state->freeBytes;
        }
        devices.push_back(std::move(device));
    }
    return devices;
}

}  // namespace

std::string_view toString(EstimateSource source)
{
    constexpr std::array<std::string_view, 4> kNames{"solution", "definition", "latency", "usual"};
    return kNames.at(static_cast<std::size_t>(source));
}

std::uint64_t workloadBytes(const Definition& definition, const Workload& workload, const EvalConfig& config)
{
    AxisValues axes;
    for (const auto& [name, value] : workload.axes) axes[name] = value;
    const auto work = estimateWork(definition, axes);
    if (!work) return 0;
    const double bytes = work->inputBytes + work->outputBytes * (config.numTrials + 2.0);
    return bytes < 0 || bytes > 1e18 ? 0 : static_cast<std::uint64_t>(bytes);
}

Result<RunPreview> previewRun(RunRequest request, const std::stop_token& stop)
{
    const RunDevices known = findRunDevices();
    auto devices = chooseDevices(request.devices, known);
    if (!devices) return devices.error();
    request.devices = std::move(*devices);
    const std::set<std::string> hardware = hardwareNames(request.devices, known);
    if (request.hardware.empty()) request.hardware = hardware;
    auto plan = makePlan(request);
    if (!plan) return plan.error();

    RunPreview preview;
    preview.plan = std::move(*plan);
    preview.devices = devicesOf(request.devices, known);
    std::map<std::string, Durations> durations;
    std::map<std::pair<std::string, std::size_t>, std::uint64_t> bytes;
    for (const auto& [pairs, isSkipped] : {std::pair{&preview.plan.pairs, false}, std::pair{&preview.plan.skipped, true}}) {
        for (const RunPair& pair : *pairs) {
            if (stop.stop_requested()) return Error{.code = ErrorCode::Cancelled, .reason = "cancelled", .file = {}, .line = 0, .field = {}};
            const Definition& definition = *request.dataset->findDefinition(pair.definition);
            const EvalConfig config = request.configFile.resolve(definition.opType, definition.name, request.overrides);
            PairPreview row;
            row.pair = pair;
            row.isSkipped = isSkipped;
            auto found = durations.find(pair.definition);
            if (found == durations.end()) found = durations.emplace(pair.definition, durationsOf(*request.dataset, pair.definition, hardware)).first;
            estimate(found->second, config, row);
            const auto [size, isNew] = bytes.try_emplace({pair.definition, pair.workload}, 0);
            if (isNew) size->second = workloadBytes(definition, request.dataset->workloadsOf(pair.definition).at(pair.workload).workload, config);
            row.bytes = size->second;
            if (!isSkipped) {
                preview.seconds += row.seconds;
                preview.mostBytes = std::max(preview.mostBytes, row.bytes);
                preview.estimated += row.source == EstimateSource::Solution || row.source == EstimateSource::Definition ? 1U : 0U;
                for (DevicePreview& device : preview.devices) device.tooLarge += device.freeBytes && row.bytes > *device.freeBytes ? 1U : 0U;
            }
            preview.pairs.push_back(std::move(row));
        }
    }
    preview.seconds /= static_cast<double>(std::max<std::size_t>(request.devices.size(), 1));
    return preview;
}

std::string shortDuration(double seconds)
{
    constexpr long long kHour = 3600;
    constexpr long long kDay = 24 * kHour;
    const auto whole = static_cast<long long>(std::max(0.0, std::round(seconds)));
    if (seconds > 0 && seconds < 9.95) return fmt::format("{:.1f}s", seconds);
    if (whole < 60) return fmt::format("{}s", whole);
    if (whole < kHour) return fmt::format("{}m{:02}s", whole / 60, whole % 60);
    if (whole < 2 * kDay) return fmt::format("{}h{:02}m", whole / kHour, whole / 60 % 60);
    return fmt::format("{}d{:02}h", whole / kDay, whole / kHour % 24);
}

}  // namespace tracedeck
