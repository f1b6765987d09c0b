// SPDX-License-Identifier: GPL-3.0-or-later
// Records of Hugging Face's kernels-benchmarks (viewer features §3.3): one JSON object a line for each implementation and workload.
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "core/interchange/import_assembly.h"
#include "core/interchange/imported_times.h"
#include "core/io/json_codec.h"
#include "core/io/json_parse.h"
#include "core/model/python_source.h"
#include "core/model/text.h"

namespace tracedeck {

namespace {

constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

/// Reads one record. A field that is wrong becomes a problem with the record's line.
class HubRecordReader {
public:
    HubRecordReader(ImportAssembly& assembly, const ImportRequest& request, std::string kind, std::int64_t line)
        : m_assembly(assembly), m_request(request), m_kind(std::move(kind)), m_line(line)
    {
    }

    void read(std::string_view text)
    {
        auto parsed = parseJson(text);
        if (!parsed) return left(parsed.error().field, parsed.error().reason);
        m_record = *std::move(parsed);
        if (!m_record.is_object()) return left("", "expected an object, got " + std::string(m_record.type_name()));
        const Json* own = member(m_record, "tracedeck");
        if (own != nullptr && own->is_object()) m_own = *own;
        ImportedResult result;
        result.implementation = textMember(m_record, "impl");
        if (result.implementation.empty()) return left("impl", "expected the name of the implementation");
        if (!readWorkload(result) || !readEvaluation(result)) return;
        readTags(result);
        Json& imported = result.evaluation.unknownKeys["imported"];
        imported = {{"from", toString(InterchangeFormat::KernelsBenchmarks)}, {"kind", m_kind}, {"line", m_line}};
        addTimes(imported, m_times);
        imported["text"] = std::string(text);
        m_assembly.add(std::move(result));
    }

private:
    static const Json* member(const Json& object, const char* key)
    {
        if (!object.is_object()) return nullptr;
        const auto found = object.find(key);
        return found == object.end() || found->is_null() ? nullptr : &*found;
    }
    void left(std::string field, std::string reason) { m_assembly.addProblem(Severity::Error, m_line, std::move(field), std::move(reason) + "; the record is left out"); }
    void warn(std::string field, std::string reason) { m_assembly.addProblem(Severity::Warning, m_line, std::move(field), std::move(reason)); }

    /// Of a record that Tracedeck wrote: what the other form has no place for.
    [[nodiscard]] std::string own(const char* key) const { return textMember(m_own, key); }

    bool readWorkload(ImportedResult& result)
    {
        const Json* workload = member(m_record, "wl");
        if (workload == nullptr || !workload->is_object()) {
            left("wl", "expected an object with the axes of the workload");
            return false;
        }
        const std::string dtype = textMember(*workload, "dtype");
        result.device = textMember(*workload, "device").starts_with("cpu") ? "cpu" : "cuda";
        AxisValues axes;
        std::vector<std::string> order;
        for (const auto& [name, value] : workload->items()) {
            if (name == "seed" || !value.is_number_integer()) continue;
            const bool isTooGreat = value.is_number_unsigned() && value.get<std::uint64_t>() > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
            if (isTooGreat || value.get<std::int64_t>() < 0) {
                warn("wl." + name, "an axis is a number from 0 up; this one is left out of the workload");
            } else if (!isPythonIdentifier(name)) {
                warn("wl", "'" + name + "' cannot be the name of an axis; it is left out of the workload");
            } else {
                axes[name] = value.get<std::int64_t>();
                order.push_back(name);
            }
        }
        if (!own("definition").empty()) return nameWorkload(result, own("definition"), own("op_type"), std::move(axes), std::move(order));
        if (const KernelKind* kind = findKernelKind(m_kind); kind != nullptr && useKind(result, *kind, *workload, dtype, axes)) return true;
        const std::string name = dtype.empty() ? m_kind : m_kind + "_" + dtype;
        return nameWorkload(result, name, m_kind, std::move(axes), std::move(order));
    }

    /// A workload of a definition of which only the name is known, or which is one of a kind after all.
    bool nameWorkload(ImportedResult& result, const std::string& name, const std::string& opType, AxisValues axes, std::vector<std::string> order)
    {
        const std::size_t dtypeAt = name.rfind('_');
        const KernelKind* kind = dtypeAt == std::string::npos ? nullptr : findKernelKind(name.substr(0, dtypeAt));
        const std::string uuid = own("uuid");
        if (kind != nullptr && kind->name == name.substr(0, dtypeAt) && useKind(result, *kind, m_record["wl"], name.substr(dtypeAt + 1), axes)) {
            if (!uuid.empty()) result.workload.uuid = uuid;
            return true;
        }
        result.definition = safeName(name);
        std::string identity = name;
        for (const auto& [axis, value] : axes) identity += fmt::format(";{}={}", axis, value);
        result.workload.uuid = uuid.empty() ? uuidOfText(identity) : uuid;
        result.workload.axes = std::move(axes);
        result.workload.axisOrder = std::move(order);
        Definition definition = definitionWithoutReference(result.definition, safeName(opType.empty() ? name : opType), "Results that were imported: " + toValidUtf8(name));
        addAxes(definition, result.workload);
        m_assembly.addDefinition(std::move(definition));
        return true;
    }

    /// False when the record's axes are not those of the kind.
    bool useKind(ImportedResult& result, const KernelKind& kind, const Json& workload, const std::string& dtype, const AxisValues& axes)
    {
        auto definition = kindDefinition(kind, dtype);
        if (!definition) return false;
        SpatialShapes shapes;
        if (const Json* levels = member(workload, "spatial_shapes"); levels != nullptr && levels->is_array()) {
            for (const Json& level : *levels) {
                if (!level.is_array() || level.size() != 2 || !level[0].is_number_integer() || !level[1].is_number_integer()) return false;
                shapes.emplace_back(level[0].get<std::int64_t>(), level[1].get<std::int64_t>());
            }
        }
        auto made = kindWorkload(kind, *definition, axes, shapes, 0);
        if (!made) return false;
        if (!made->blob.empty() && !m_assembly.hasContents(made->blob)) {
            if (m_assembly.contentBytesLeft() == 0) return false;
            auto whole = kindWorkload(kind, *definition, axes, std::move(shapes), m_assembly.contentBytesLeft());
            if (!whole) return false;
            m_assembly.addContents(whole->blob, std::move(whole->contents));
        }
        result.definition = definition->name;
        result.workload = std::move(made->workload);
        m_assembly.addDefinition(*std::move(definition));
        return true;
    }

    bool readEvaluation(ImportedResult& result)
    {
        Evaluation& evaluation = result.evaluation;
        readEnvironment(evaluation);
        evaluation.timestamp = textMember(m_record, "ts");
        if (evaluation.timestamp.empty()) {
            warn("ts", "the record has no time of day; it counts as older than any that has one");
            evaluation.timestamp = "(unknown)";
        }
        const Json* latency = member(m_record, "lat_ms");
        if (latency != nullptr && !latency->is_object()) {
            left("lat_ms", "expected an object or null");
            return false;
        }
        const auto ok = m_record.find("ok");
        if (ok == m_record.end() || !ok->is_boolean()) {
            left("ok", "expected true or false");
            return false;
        }
        const Json* error = member(m_record, "err");
        if (error != nullptr) return readFailure(evaluation, *error);
        if (latency == nullptr) {
            left("lat_ms", "the record has neither times nor an error");
            return false;
        }
        evaluation.status = ok->get<bool>() ? Status::Passed : Status::IncorrectNumerical;
        evaluation.correctness = readCorrectness();
        const std::optional<double> time = readLatency(*latency);
        if (!time) return false;
        if (evaluation.status != Status::Passed) return true;
        // Nobody timed the reference, which 0 says.
        evaluation.performance = Performance{*time, numberIn(m_own, "reference_latency_ms", 0), numberIn(m_own, "speedup_factor", 0), Json::object()};
        return true;
    }

    void readEnvironment(Evaluation& evaluation)
    {
        const Json* environment = member(m_record, "env");
        if (environment == nullptr || !environment->is_object()) warn("env", "the record does not say where it was measured");
        const Json none = Json::object();
        const Json& known = environment != nullptr && environment->is_object() ? *environment : none;
        const std::string gpu = textMember(known, "gpu");
        const std::string platform = textMember(known, "plat");
        evaluation.environment.hardware = !gpu.empty() ? gpu : !platform.empty() ? "CPU (" + platform + ")" : "unknown";
        for (const auto& [key, lib] : {std::pair{"torch", "torch"}, std::pair{"cuda", "cuda"}, std::pair{"py", "python"}}) {
            if (const std::string version = textMember(known, key); !version.empty()) evaluation.environment.libs[lib] = version;
        }
    }

    bool readFailure(Evaluation& evaluation, const Json& error)
    {
        const std::string type = textMember(error, "type");
        const auto status = statusFromString(type);
        evaluation.status = status && isFormatStatus(*status) && *status != Status::Passed ? *status : Status::RuntimeError;
        evaluation.log = type + ": " + textMember(error, "msg");
        if (evaluation.status == Status::IncorrectNumerical) evaluation.correctness = readCorrectness();
        return true;
    }

    /// The greatest absolute error: of several outputs (`absmax_q`, `absmax_k`) the greatest. What the record does not say is NaN.
    [[nodiscard]] Correctness readCorrectness() const
    {
        Correctness correctness;
        const Json* details = member(m_record, "corr");
        const Json none = Json::object();
        const Json& known = details != nullptr && details->is_object() ? *details : none;
        double absolute = numberIn(m_record, "absmax", kNoNumber);
        for (const auto& [key, value] : known.items()) {
            if (!key.starts_with("absmax") || !value.is_number()) continue;
            const double error = value.get<double>();
            if (std::isnan(absolute) || std::isnan(error) || error > absolute) absolute = error;
        }
        correctness.maxAbsoluteError = absolute < 0 ? kNoNumber : absolute;
        const double relative = numberIn(known, "relmax", kNoNumber);
        correctness.maxRelativeError = relative < 0 ? kNoNumber : relative;
        return correctness;
    }

    /// The median; std::nullopt: none that can be true.
    [[nodiscard]] std::optional<double> readLatency(const Json& latency)
    {
        if (const Json* raw = member(latency, "raw_times"); raw != nullptr) {
            m_times = timesOf(*raw, 1);
            if (m_times.empty() && !(raw->is_array() && raw->empty())) warn("lat_ms.raw_times", "expected an array of times in milliseconds; the times of single calls are left out");
        }
        double time = numberIn(latency, "p50", kNoNumber);
        if (std::isnan(time) && !m_times.empty()) time = orderStatistic(m_times, 0.5);
        if (std::isnan(time)) time = numberIn(latency, "mean", kNoNumber);
        if (isUsableLatency(time)) return time;
        left("lat_ms.p50", fmt::format("expected a time in milliseconds (usable: {:g} to {:g})", kShortestLatencyMs, kLongestLatencyMs));
        return std::nullopt;
    }

    [[nodiscard]] static double numberIn(const Json& object, const char* key, double otherwise)
    {
        const Json* value = member(object, key);
        return value != nullptr && value->is_number() ? value->get<double>() : otherwise;
    }

    void readTags(ImportedResult& result)
    {
        std::string tags;
        std::string family;
        std::string backend;
        if (const Json* given = member(m_record, "tags"); given != nullptr && given->is_object()) {
            for (const auto& [name, value] : given->items()) {
                const std::string text = value.is_string() ? value.get<std::string>() : writeLine(value);
                tags += fmt::format("{}{}={}", tags.empty() ? "" : ", ", name, text);
                if (name == "family") family = text;
                if (name == "backend") backend = text;
            }
        } else if (given != nullptr) {
            warn("tags", "expected an object; the tags are left out");
        }
        result.description = "Imported from kernels-benchmarks" + (tags.empty() ? std::string() : "; " + tags);
        result.author = safeName(!m_request.author.empty() ? m_request.author : !family.empty() ? family : m_kind);
        if (backend.find("triton") != std::string::npos) result.language = Language::Triton;
    }

    ImportAssembly& m_assembly;
    const ImportRequest& m_request;
    std::string m_kind;
    std::int64_t m_line;
    Json m_record;
    Json m_own = Json::object();
    std::vector<double> m_times;
};

}  // namespace

void importKernelsBenchmarks(ImportAssembly& assembly, const std::filesystem::path& file, const std::string& text, const ImportRequest& request)
{
    const std::string kind = request.kind.empty() ? toValidUtf8(file.stem().string()) : request.kind;
    std::string_view rest = withoutByteOrderMark(text);
    for (std::int64_t line = 1; !rest.empty(); ++line) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        const std::string_view record = trimWhitespace(rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
        if (!record.empty()) HubRecordReader(assembly, request, kind, line).read(record);
    }
    assembly.endFile(file);
}

}  // namespace tracedeck
