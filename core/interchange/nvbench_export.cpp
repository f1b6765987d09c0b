// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <bit>
#include <cmath>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "core/interchange/export_rows.h"
#include "core/interchange/imported_times.h"
#include "core/interchange/nvbench_tags.h"
#include "core/score/failures.h"
#include "core/model/judge_samples.h"
#include "core/model/text.h"
#include "core/report/report.h"

namespace tracedeck {

namespace {

constexpr double kMsPerSecond = 1e3;

/// One state, with what it is sorted by.
struct NvState {
    std::string benchmark;
    std::vector<std::tuple<std::string, std::int64_t, std::string>> axes;   ///< name, number, text
    std::string solution;
    Json device;                  ///< without its id
    Json state;
    std::vector<double> samples;   ///< milliseconds
};

Json namedValue(std::string_view name, std::string_view type, std::string value) { return {{"name", name}, {"type", type}, {"value", std::move(value)}}; }

Json summary(std::string_view tag, std::string_view name, std::string_view hint, std::string_view description, Json data)
{
    return {{"tag", tag}, {"name", name}, {"description", description}, {"hint", hint}, {"data", Json::array({std::move(data)})}};
}

/// Numbers are texts, so that integers of 64 bits survive.
Json numberSummary(std::string_view tag, std::string_view name, std::string_view hint, std::string_view description, double value)
{
    return summary(tag, name, hint, description, namedValue("value", "float64", shortestNumber(value)));
}

Json summariesOf(const Evaluation& evaluation, const std::vector<double>& samples)
{
    Json list = Json::array();
    if (!evaluation.performance) return list;
    const double latency = evaluation.performance->latencyMs;
    const double mean = samples.empty() ? latency : meanOf(samples);
    if (!samples.empty()) {
        list.push_back(summary(kSampleSizeTag, "Samples", "sample_size", "Number of isolated kernel executions", namedValue("value", "int64", std::to_string(samples.size()))));
    }
    list.push_back(numberSummary(kMeanTag, "GPU Time", "duration", "Mean isolated kernel execution time", mean / kMsPerSecond));
    if (samples.size() > 1) {
        double squares = 0;
        for (const double sample : samples) squares += (sample - mean) * (sample - mean);
        list.push_back(numberSummary(kNoiseTag, "Noise", "percentage", "Relative standard deviation of isolated kernel execution times", std::sqrt(squares / static_cast<double>(samples.size() - 1)) / mean));
    }
    list.push_back(numberSummary(kLatencyTag, "Median", "", "Latency in milliseconds as Tracedeck stores it", latency));
    return list;
}

NvState importedState(const ExportRow& row, const Json& record)
{
    NvState made;
    made.benchmark = textMember(record, "benchmark");
    made.state = record.value("state", Json::object());
    made.device = record.value("device", Json());
    if (!made.state.is_object()) made.state = Json::object();
    if (!made.device.is_object()) made.device = {{"name", row.evaluation().environment.hardware}};
    made.device.erase("id");
    Json axes = Json::array();
    made.solution = *row.trace.solution;
    if (const auto values = made.state.find("axis_values"); values != made.state.end() && values->is_array()) {
        for (Json& axis : *values) {
            if (textMember(axis, "name") == kSolutionAxis) made.solution = textMember(axis, "value");
            else axes.push_back(std::move(axis));
        }
    }
    made.state["axis_values"] = std::move(axes);
    return made;
}

NvState nativeState(const ExportRow& row)
{
    const Evaluation& evaluation = row.evaluation();
    NvState made;
    made.benchmark = row.trace.definition;
    made.solution = *row.trace.solution;
    made.device = {{"name", evaluation.environment.hardware}};
    Json axes = Json::array();
    for (const auto& [axis, value] : row.trace.workload.axes) axes.push_back(namedValue(axis, "int64", std::to_string(value)));
    made.state = {{"name", ""}, {"axis_values", std::move(axes)}, {"summaries", summariesOf(evaluation, judgeSamplesMs(evaluation))}, {"is_skipped", !evaluation.performance}};
    if (!evaluation.performance) made.state["skip_reason"] = fmt::format("{}: {}", evaluation.statusName(), tellingReason(evaluation));
    return made;
}

NvState stateOf(const ExportRow& row, LeftBehind& left)
{
    const Json* record = row.record(InterchangeFormat::NvBench);
    if (record == nullptr) countLeftBehind(left, row);
    NvState made = record != nullptr ? importedState(row, *record) : nativeState(row);
    made.samples = judgeSamplesMs(row.evaluation());
    for (const Json& axis : made.state["axis_values"]) {
        const std::string text = axis.is_object() && axis.contains("value") ? (axis["value"].is_string() ? axis["value"].get<std::string>() : axis["value"].dump()) : std::string();
        made.axes.emplace_back(textMember(axis, "name"), textMember(axis, "type") == "int64" ? std::strtoll(text.c_str(), nullptr, 10) : 0, text);
    }
    made.state["axis_values"].push_back(namedValue(kSolutionAxis, "string", made.solution));
    return made;
}

std::string float32Bytes(const std::vector<double>& samplesMs)
{
    std::string bytes;
    for (const double sample : samplesMs) {
        const auto word = std::bit_cast<std::uint32_t>(static_cast<float>(sample / kMsPerSecond));
        for (unsigned i = 0; i < sizeof word; ++i) bytes += static_cast<char>(word >> (8 * i));
    }
    return bytes;
}

/// The axes of all states of a benchmark, each with the values that it takes.
class AxisLists {
public:
    void add(const Json& axis)
    {
        const std::string name = textMember(axis, "name");
        auto list = std::find_if(m_lists.begin(), m_lists.end(), [&](const auto& known) { return textMember(known, "name") == name; });
        if (list == m_lists.end()) {
            m_lists.push_back({{"name", name}, {"type", textMember(axis, "type")}, {"flags", ""}, {"values", Json::array()}});
            list = m_lists.end() - 1;
        }
        const Json value = axis.is_object() ? axis.value("value", Json()) : Json();
        const std::string text = value.is_string() ? value.get<std::string>() : value.dump();
        if (!m_seen.emplace(name, text).second) return;
        (*list)["values"].push_back({{"input_string", text}, {"description", ""}, {"value", value}});
    }
    [[nodiscard]] Json take() { return Json(std::move(m_lists)); }

private:
    std::vector<Json> m_lists;
    std::set<std::pair<std::string, std::string>> m_seen;
};

/// `Device=0 M=16 solution=fast`, as nvbench names states.
std::string stateName(std::size_t device, const Json& axes)
{
    std::string name = fmt::format("Device={}", device);
    for (const Json& axis : axes) {
        const Json value = axis.value("value", Json());
        name += fmt::format(" {}={}", textMember(axis, "name"), value.is_string() ? value.get<std::string>() : value.dump());
    }
    return name;
}

class NvBenchDocument {
public:
    explicit NvBenchDocument(std::filesystem::path out) : m_out(std::move(out)) {}

    void add(NvState state)
    {
        if (m_benchmarks.empty() || textMember(m_benchmarks.back(), "name") != state.benchmark) begin(state.benchmark);
        const std::size_t device = deviceNumber(state.device);
        Json made = std::move(state.state);
        made["name"] = stateName(device, made["axis_values"]);
        made["device"] = device;
        for (const Json& axis : made["axis_values"]) m_axes.back().add(axis);
        if (!state.samples.empty()) {
            const std::string name = fmt::format("{}-bin/{}.bin", m_out.filename().string(), m_samples.size());
            m_samples.push_back({m_out.parent_path() / name, float32Bytes(state.samples)});
            made["summaries"].push_back({{"tag", kSamplesTag}, {"name", "Samples Times File"}, {"description", "Binary file containing sample times as little-endian float32."}, {"hint", "file/sample_times"}, {"hide", "Not needed in table."},
                                         {"data", Json::array({namedValue("filename", "string", toValidUtf8(name)), namedValue("size", "int64", std::to_string(state.samples.size()))})}});
        }
        auto& devices = m_benchmarks.back()["devices"];
        if (std::find(devices.begin(), devices.end(), Json(device)) == devices.end()) devices.push_back(device);
        m_benchmarks.back()["states"].push_back(std::move(made));
    }

    [[nodiscard]] std::vector<ExportFile> files()
    {
        for (std::size_t i = 0; i < m_benchmarks.size(); ++i) m_benchmarks[i]["axes"] = m_axes[i].take();
        const Json root = {{"meta", {{"argv", Json::array()}, {"version", {{"json", {{"major", 1}, {"minor", 0}, {"patch", 0}, {"string", "1.0.0"}}}}}}},
                           {"devices", m_devices}, {"benchmarks", m_benchmarks}};
        std::vector<ExportFile> files = std::move(m_samples);
        files.push_back({m_out, root.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"});   // last: what it names is there
        return files;
    }

private:
    void begin(const std::string& name)
    {
        m_benchmarks.push_back({{"name", name}, {"index", m_benchmarks.size()}, {"devices", Json::array()}, {"axes", Json::array()}, {"states", Json::array()}});
        m_axes.emplace_back();
    }
    /// Files that were put together may use one number for several devices: they are numbered anew.
    std::size_t deviceNumber(const Json& device)
    {
        const auto found = std::find(m_known.begin(), m_known.end(), device);
        if (found != m_known.end()) return static_cast<std::size_t>(found - m_known.begin());
        Json numbered = {{"id", m_known.size()}};
        numbered.update(device);
        m_known.push_back(device);
        m_devices.push_back(std::move(numbered));
        return m_known.size() - 1;
    }

    std::filesystem::path m_out;
    std::vector<Json> m_benchmarks;
    std::vector<AxisLists> m_axes;
    std::vector<Json> m_known;
    Json m_devices = Json::array();
    std::vector<ExportFile> m_samples;
};

}  // namespace

Result<std::vector<ExportFile>> nvBenchFiles(std::vector<ExportRow> rows, const std::filesystem::path& out, LeftBehind& left)
{
    std::vector<NvState> states;
    for (const ExportRow& row : rows) states.push_back(stateOf(row, left));
    std::stable_sort(states.begin(), states.end(), [](const NvState& a, const NvState& b) {
        return std::tuple(std::cref(a.benchmark).get(), a.axes, a.solution, a.device.dump()) < std::tuple(std::cref(b.benchmark).get(), b.axes, b.solution, b.device.dump());
    });
    NvBenchDocument document(out);
    for (NvState& state : states) document.add(std::move(state));
    return document.files();
}

}  // namespace tracedeck
