// SPDX-License-Identifier: GPL-3.0-or-later
// nvbench's JSON: devices, benchmarks, and for each benchmark a state for each combination of axis values with summaries by tag.
#include <bit>
#include <chrono>
#include <cmath>
#include <limits>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "core/interchange/import_assembly.h"
#include "core/interchange/imported_times.h"
#include "core/interchange/nvbench_tags.h"
#include "core/io/contained_path.h"
#include "core/io/json_codec.h"
#include "core/io/json_parse.h"
#include "core/io/read_file.h"
#include "core/model/python_source.h"
#include "core/model/text.h"
#include "core/model/timestamp.h"

namespace tracedeck {

namespace {

constexpr double kNoTime = std::numeric_limits<double>::quiet_NaN();

/// A number, also where it is written as a text.
std::optional<double> numberOf(const Json& value)
{
    if (value.is_number()) return value.get<double>();
    if (!value.is_string()) return std::nullopt;
    const auto parsed = parseJson(value.get_ref<const std::string&>());
    if (!parsed || !parsed->is_number()) return std::nullopt;
    return parsed->get<double>();
}

std::optional<std::int64_t> integerOf(const Json& value)
{
    if (value.is_string()) {
        const auto parsed = parseJson(value.get_ref<const std::string&>());
        return parsed && parsed->is_number_integer() ? integerOf(*parsed) : std::nullopt;
    }
    if (!value.is_number_integer()) return std::nullopt;
    if (value.is_number_unsigned() && value.get<std::uint64_t>() > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) return std::nullopt;
    return value.get<std::int64_t>();
}

/// When the file was last written, which is when its benchmarks ended.
std::string fileTime(const std::filesystem::path& file)
{
    std::error_code failure;
    const auto written = std::filesystem::last_write_time(file, failure);
    if (failure) return "(unknown)";
    const auto onClock = std::chrono::file_clock::to_sys(written);
    return timestampText(std::chrono::duration_cast<std::chrono::microseconds>(onClock.time_since_epoch()).count());
}

class NvBenchReader {
public:
    NvBenchReader(ImportAssembly& assembly, std::filesystem::path file, const ImportRequest& request)
        : m_assembly(assembly), m_file(std::move(file)), m_stem(toValidUtf8(m_file.stem().string())), m_author(safeName(request.author.empty() ? m_stem : request.author)), m_fileTime(fileTime(m_file))
    {
    }

    void read(const std::string& text)
    {
        const bool isJson = readDocument(text);
        // Lines are found in one pass, at the end.
        std::vector<Error*> places;
        for (Problem& problem : m_found) places.push_back(&problem.error);
        if (isJson) assignLines(withoutByteOrderMark(text), places);
        for (Problem& problem : m_found) m_assembly.addProblem(problem.severity, problem.error.line, problem.error.field, problem.error.reason);
    }

private:
    bool readDocument(const std::string& text)
    {
        auto parsed = parseJson(withoutByteOrderMark(text), ReadMode::Tolerant);
        if (!parsed) {
            m_found.push_back({Severity::Error, parsed.error(), false, 1});
            return false;
        }
        const Json root = *std::move(parsed);
        const auto benchmarks = root.is_object() ? root.find("benchmarks") : root.end();
        if (benchmarks == root.end() || !benchmarks->is_array()) {
            report(Severity::Error, "benchmarks", "expected an array of benchmarks");
            return true;
        }
        if (const auto devices = root.find("devices"); devices != root.end() && devices->is_array()) m_devices = *devices;
        if (root.contains("meta")) m_assembly.notCarried("meta (command line and versions) of an nvbench file");
        for (std::size_t i = 0; i < benchmarks->size(); ++i) readBenchmark((*benchmarks)[i], fmt::format("benchmarks.{}", i));
        return true;
    }

    void report(Severity severity, std::string field, std::string reason)
    {
        m_found.push_back({severity, {ErrorCode::InvalidInput, std::move(reason), {}, 0, std::move(field)}, false, 1});
    }
    void left(std::string field, std::string reason) { report(Severity::Error, std::move(field), std::move(reason) + "; it is left out"); }

    void readBenchmark(const Json& benchmark, const std::string& path)
    {
        const std::string name = textMember(benchmark, "name");
        if (name.empty()) return left(path + ".name", "expected the name of the benchmark");
        const auto states = benchmark.find("states");
        if (states == benchmark.end() || !states->is_array()) return left(path + ".states", "expected an array of states");
        for (const char* key : {"axes", "devices", "min_samples", "min_time", "max_noise", "skip_time", "timeout"}) {
            if (benchmark.contains(key)) m_assembly.notCarried(fmt::format("{} of a benchmark (each state's own are kept)", key));
        }
        for (std::size_t i = 0; i < states->size(); ++i) readState(name, (*states)[i], fmt::format("{}.states.{}", path, i));
    }

    void readState(const std::string& benchmark, const Json& state, const std::string& path)
    {
        if (!state.is_object()) return left(path, "expected an object");
        ImportedResult result;
        std::string variant = benchmark;
        if (!readAxes(result, state, path, variant)) return;
        result.definition = safeName(variant);
        std::string identity = variant;
        for (const auto& [axis, value] : result.workload.axes) identity += fmt::format(";{}={}", axis, value);
        result.workload.uuid = uuidOfText(identity);
        if (result.implementation.empty()) result.implementation = m_stem;
        result.author = m_author;
        result.description = "Imported from nvbench, file " + m_stem;
        const Json* device = findDevice(state);
        if (device == nullptr) report(Severity::Warning, path + ".device", "the file names no such device: where it was measured is not known");
        const std::string hardware = device == nullptr ? std::string() : textMember(*device, "name");
        result.evaluation.environment.hardware = hardware.empty() ? "unknown" : hardware;
        result.evaluation.timestamp = m_fileTime;   // there is no other
        Json& imported = result.evaluation.unknownKeys["imported"];
        imported = {{"from", toString(InterchangeFormat::NvBench)}, {"benchmark", benchmark}, {"device", device == nullptr ? Json(nullptr) : *device}};
        if (!readOutcome(result, state, path, imported)) return;
        imported["state"] = keptState(state);
        Definition definition = definitionWithoutReference(result.definition, "nvbench", "Results that were imported from nvbench: " + toValidUtf8(variant));
        addAxes(definition, result.workload);
        m_assembly.addDefinition(std::move(definition));
        m_assembly.add(std::move(result));
    }

    /// Integers are axes of the workload; the solution stands in an axis of its own; everything else makes another definition.
    bool readAxes(ImportedResult& result, const Json& state, const std::string& path, std::string& variant)
    {
        const auto values = state.find("axis_values");
        if (values == state.end() || values->is_null()) return true;   // a benchmark without axes
        if (!values->is_array()) {
            left(path + ".axis_values", "expected an array of axes");
            return false;
        }
        for (std::size_t i = 0; i < values->size(); ++i) {
            const Json& axis = (*values)[i];
            const std::string name = textMember(axis, "name");
            const auto value = axis.is_object() ? axis.find("value") : axis.end();
            if (name.empty() || value == axis.end() || !(value->is_string() || value->is_number())) {
                left(fmt::format("{}.axis_values.{}", path, i), "expected an axis with name, type and value");
                return false;
            }
            const auto number = textMember(axis, "type") == "int64" ? integerOf(*value) : std::nullopt;
            if (number && *number >= 0 && isPythonIdentifier(name)) {
                if (result.workload.axes.emplace(name, *number).second) result.workload.axisOrder.push_back(name);
            } else if (const std::string text = value->is_string() ? value->get<std::string>() : value->dump(); name == kSolutionAxis && !text.empty()) {
                result.implementation = text;
            } else {
                variant += fmt::format("_{}_{}", name, text);
                m_assembly.notCarried("axes that are no integers, as axes: they became part of the definition's name");
            }
        }
        return true;
    }

    [[nodiscard]] const Json* findDevice(const Json& state) const
    {
        const auto id = state.find("device");
        if (id == state.end() || !m_devices.is_array()) return nullptr;
        for (const Json& device : m_devices) {
            if (device.is_object() && device.value("id", Json()) == *id) return &device;
        }
        return nullptr;
    }

    /// False when the state holds no result.
    bool readOutcome(ImportedResult& result, const Json& state, const std::string& path, Json& imported)
    {
        Evaluation& evaluation = result.evaluation;
        if (state.value("is_skipped", Json(false)) == true) {
            const std::string reason = textMember(state, "skip_reason");
            const auto status = statusFromString(reason.substr(0, reason.find(':')));
            if (!status || *status == Status::Passed || !isFormatStatus(*status)) {
                m_assembly.notCarried("skipped states, which are no results");
                return false;
            }
            evaluation.status = *status;
            evaluation.log = reason;
            if (*status == Status::IncorrectNumerical) evaluation.correctness = Correctness{kNoTime, kNoTime, {}, {}, {}, Json::object()};
            return true;
        }
        const auto summaries = state.find("summaries");
        if (summaries == state.end() || !summaries->is_array()) {
            left(path + ".summaries", "expected an array of summaries");
            return false;
        }
        double meanMs = kNoTime;
        double ownMs = kNoTime;
        for (std::size_t i = 0; i < summaries->size(); ++i) {
            const Json& summary = (*summaries)[i];
            const std::string tag = textMember(summary, "tag");
            const auto seconds = valueOf(summary, "value");
            if (tag == kMeanTag && seconds) meanMs = numberOf(*seconds).value_or(kNoTime) * 1e3;
            else if (tag == kLatencyTag && seconds) ownMs = numberOf(*seconds).value_or(kNoTime);
            else if (tag == kSamplesTag) readSamples(summary, fmt::format("{}.summaries.{}", path, i), imported);
            else if (tag.starts_with("nv/json/")) m_assembly.notCarried("binary files other than sample times: " + tag);
        }
        const double latencyMs = std::isnan(ownMs) ? meanMs : ownMs;
        if (!isUsableLatency(latencyMs)) {
            left(path + ".summaries", fmt::format("the state has no {} that can be true", kMeanTag));
            return false;
        }
        // nvbench compares nothing with anything; a state that ran counts as passed.
        evaluation.status = Status::Passed;
        evaluation.correctness = Correctness{kNoTime, kNoTime, {}, {}, {}, Json::object()};
        evaluation.performance = Performance{latencyMs, 0, 0, Json::object()};
        return true;
    }

    static const Json* valueOf(const Json& summary, std::string_view name)
    {
        const auto data = summary.find("data");
        if (data == summary.end() || !data->is_array()) return nullptr;
        for (const Json& entry : *data) {
            if (entry.is_object() && textMember(entry, "name") == name && entry.contains("value")) return &entry["value"];
        }
        return nullptr;
    }

    /// Little-endian float32 in seconds, in a file beside this one.
    void readSamples(const Json& summary, const std::string& path, Json& imported)
    {
        const Json* name = valueOf(summary, "filename");
        const Json* size = valueOf(summary, "size");
        const auto count = size == nullptr ? std::nullopt : integerOf(*size);
        if (name == nullptr || !name->is_string() || !count || *count < 0) return report(Severity::Warning, path, "expected the name and size of a file of sample times");
        const auto file = sampleFile(name->get<std::string>());
        if (!file) return report(Severity::Warning, path, "the file of sample times " + file.error().reason + "; the times of single calls are left out");
        constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30U;
        const auto bytes = readWholeFile(*file, kMostBytes);
        if (!bytes) return report(Severity::Warning, path, "the file of sample times cannot be read (" + bytes.error().reason + "); the times of single calls are left out");
        if (bytes->size() != static_cast<std::uint64_t>(*count) * sizeof(float)) {
            return report(Severity::Warning, path, fmt::format("the file of sample times has {} bytes in place of {} times of 4; they are left out", bytes->size(), *count));
        }
        std::vector<double> times;
        for (std::size_t at = 0; at < bytes->size(); at += sizeof(float)) {
            std::uint32_t word = 0;
            for (unsigned i = 0; i < sizeof word; ++i) word |= static_cast<std::uint32_t>(static_cast<unsigned char>((*bytes)[at + i])) << (8 * i);
            times.push_back(static_cast<double>(std::bit_cast<float>(word)) * 1e3);
            if (!isUsableLatency(times.back())) return report(Severity::Warning, path, "the file of sample times holds something that is no time; they are left out");
        }
        addTimes(imported, times);
    }

    /// nvbench names it from the folder that it was started in: looked for beside the JSON file, never elsewhere.
    [[nodiscard]] Result<std::filesystem::path> sampleFile(const std::string& name) const
    {
        const std::filesystem::path given(name);
        const std::filesystem::path lastTwo = given.parent_path().filename() / given.filename();
        Error error;
        for (const std::string& candidate : {given.is_absolute() ? lastTwo.string() : name, lastTwo.string()}) {
            auto path = resolveContained(m_file.has_parent_path() ? m_file.parent_path() : std::filesystem::path("."), candidate);
            std::error_code failure;
            if (path && std::filesystem::exists(*path, failure)) return path;
            error = path ? Error{ErrorCode::NotFound, "is not there", {}, 0, {}} : path.error();
        }
        return error;
    }

    /// The state without what is read anew when it is written: axes that became the workload's stay, as their order and types count.
    static Json keptState(const Json& state)
    {
        Json kept = state;
        kept.erase("device");
        if (const auto summaries = kept.find("summaries"); summaries != kept.end() && summaries->is_array()) {
            Json list = Json::array();
            for (Json& summary : *summaries) {
                if (!textMember(summary, "tag").starts_with("nv/json/")) list.push_back(std::move(summary));
            }
            *summaries = std::move(list);
        }
        return kept;
    }

    ImportAssembly& m_assembly;
    std::filesystem::path m_file;
    std::string m_stem;
    std::string m_author;
    std::string m_fileTime;
    Json m_devices = Json::array();
    std::vector<Problem> m_found;
};

}  // namespace

void importNvBench(ImportAssembly& assembly, const std::filesystem::path& file, const std::string& text, const ImportRequest& request)
{
    NvBenchReader(assembly, file, request).read(text);
    assembly.endFile(file);
}

}  // namespace tracedeck
