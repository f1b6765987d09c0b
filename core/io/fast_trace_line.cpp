// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/fast_trace_line.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include <simdjson.h>

namespace tracedeck {

namespace {

namespace dom = simdjson::dom;

static_assert(FastTraceLine::kPadding >= simdjson::SIMDJSON_PADDING);

/// Far below the codec's limit, which then decides.
constexpr std::size_t kMaximumDepth = 64;

/// Notes each known key of an object; false when it comes a second time (the codec knows which of the two counts).
class SeenKeys {
public:
    bool first(unsigned key)
    {
        const unsigned bit = 1U << key;
        const bool isNew = (m_bits & bit) == 0;
        m_bits |= bit;
        return isNew;
    }
    [[nodiscard]] bool has(unsigned key) const { return (m_bits & (1U << key)) != 0; }

private:
    unsigned m_bits = 0;
};

/// A comparison whose length the compiler knows: keys are most of what this reader looks at.
template <std::size_t N>
bool is(std::string_view key, const char (&name)[N])
{
    return key.size() == N - 1 && std::memcmp(key.data(), name, N - 1) == 0;
}

/// Whether an escaped half of a surrogate pair may stand in the text.
bool mayHoldSurrogates(std::string_view text)
{
    for (std::size_t at = text.find('\\'); at != std::string_view::npos; at = text.find('\\', at + 2)) {
        const std::string_view escape = text.substr(at + 1, 2);
        if (escape == "ud" || escape == "uD") return true;
    }
    return false;
}

bool readText(const dom::element& value, std::string_view& text)
{
    return value.get_string().get(text) == simdjson::SUCCESS && !text.empty();
}

/// A number of at least 0, or the text that stands for a non-finite one.
bool readMeasure(const dom::element& value, double& number, bool allowsNan)
{
    switch (value.type()) {
    case dom::element_type::INT64:
    case dom::element_type::UINT64:
    case dom::element_type::DOUBLE: return value.get_double().get(number) == simdjson::SUCCESS && !(number < 0);
    case dom::element_type::STRING: {
        std::string_view text;
        if (value.get_string().get(text) != simdjson::SUCCESS) return false;
        if (text == "Infinity") {
            number = std::numeric_limits<double>::infinity();
            return true;
        }
        number = std::numeric_limits<double>::quiet_NaN();
        return allowsNan && text == "NaN";
    }
    default: return false;
    }
}

bool readAxes(const dom::element& value, TraceFields& fields)
{
    dom::object axes;
    if (value.get_object().get(axes) != simdjson::SUCCESS) return false;
    bool isSorted = true;
    for (const auto& [name, axis] : axes) {
        std::int64_t number = 0;
        if (axis.type() != dom::element_type::INT64 || axis.get_int64().get(number) != simdjson::SUCCESS || number < 0) return false;
        isSorted = isSorted && (fields.axes.empty() || fields.axes.back().first < name);
        fields.axes.emplace_back(name, number);
    }
    if (isSorted) return true;
    std::sort(fields.axes.begin(), fields.axes.end());
    // A name that comes twice is left to the codec.
    return std::adjacent_find(fields.axes.begin(), fields.axes.end(),
                              [](const auto& a, const auto& b) { return a.first == b.first; }) == fields.axes.end();
}

/// Whether the codec would accept the input as it stands.
bool isPlainInput(const dom::element& value)
{
    dom::object input;
    if (value.get_object().get(input) != simdjson::SUCCESS) return false;
    enum Key : unsigned { Type, Value, Path, TensorKey };
    SeenKeys seen;
    std::string_view type;
    bool hasScalar = false;
    for (const auto& [key, member] : input) {
        std::string_view text;
        if (is(key, "type")) {
            if (!seen.first(Type) || !readText(member, type)) return false;
        } else if (is(key, "value")) {
            if (!seen.first(Value)) return false;
            const dom::element_type kind = member.type();
            hasScalar = kind == dom::element_type::INT64 || kind == dom::element_type::DOUBLE || kind == dom::element_type::BOOL;
        } else if (is(key, "path")) {
            if (!seen.first(Path) || !readText(member, text)) return false;
        } else if (is(key, "tensor_key")) {
            if (!seen.first(TensorKey) || !readText(member, text)) return false;
        }
    }
    if (type == "random" || type == "custom") return true;
    if (type == "scalar") return hasScalar;
    return type == "safetensors" && seen.has(Path) && seen.has(TensorKey);
}

/// Whether the codec would take the tolerance without a word.
bool isPlainTolerance(const dom::element& value)
{
    if (value.is_null()) return true;
    dom::object tolerance;
    if (value.get_object().get(tolerance) != simdjson::SUCCESS) return false;
    enum Key : unsigned { Atol, Rtol, Ratio, Cap, NegativeInf };
    SeenKeys seen;
    double number = 0;
    const auto isBound = [&number](const dom::element& member) {
        return member.is_number() && member.get_double().get(number) == simdjson::SUCCESS && number >= 0;
    };
    for (const auto& [key, member] : tolerance) {
        if (is(key, "max_atol")) {
            if (!seen.first(Atol) || !isBound(member)) return false;
        } else if (is(key, "max_rtol")) {
            if (!seen.first(Rtol) || !isBound(member)) return false;
        } else if (is(key, "required_matched_ratio")) {
            if (!seen.first(Ratio) || !isBound(member)) return false;
        } else if (is(key, "max_error_cap")) {
            if (!seen.first(Cap) || !(member.is_null() || isBound(member))) return false;
        } else if (is(key, "allow_negative_inf")) {
            if (!seen.first(NegativeInf) || !member.is_bool()) return false;
        } else if (is(key, "required_match_ratio")) {
            return false;
        }
    }
    return true;
}

bool readWorkload(const dom::element& value, TraceFields& fields)
{
    dom::object workload;
    if (value.get_object().get(workload) != simdjson::SUCCESS) return false;
    enum Key : unsigned { Axes, Inputs, Uuid, ToleranceKey };
    SeenKeys seen;
    for (const auto& [key, member] : workload) {
        if (is(key, "axes")) {
            if (!seen.first(Axes) || !readAxes(member, fields)) return false;
        } else if (is(key, "inputs")) {
            dom::object inputs;
            if (!seen.first(Inputs) || member.get_object().get(inputs) != simdjson::SUCCESS) return false;
            for (const auto& input : inputs) {
                if (!isPlainInput(input.value)) return false;
            }
        } else if (is(key, "uuid")) {
            if (!seen.first(Uuid) || !readText(member, fields.workloadUuid)) return false;
        } else if (is(key, "tolerance")) {
            if (!seen.first(ToleranceKey) || !isPlainTolerance(member)) return false;
        }
    }
    return seen.has(Axes) && seen.has(Inputs) && seen.has(Uuid);
}

bool readEnvironment(const dom::element& value, TraceFields& fields)
{
    dom::object environment;
    if (value.get_object().get(environment) != simdjson::SUCCESS) return false;
    enum Key : unsigned { Hardware, Libs };
    SeenKeys seen;
    for (const auto& [key, member] : environment) {
        if (is(key, "hardware")) {
            if (!seen.first(Hardware) || !readText(member, fields.hardware)) return false;
        } else if (is(key, "libs")) {
            dom::object libs;
            if (!seen.first(Libs) || member.get_object().get(libs) != simdjson::SUCCESS) return false;
            for (const auto& lib : libs) {
                if (!lib.value.is_string()) return false;
            }
        }
    }
    return seen.has(Hardware);
}

bool readCorrectness(const dom::element& value, TraceFields& fields)
{
    if (value.is_null()) return true;
    dom::object correctness;
    if (value.get_object().get(correctness) != simdjson::SUCCESS) return false;
    enum Key : unsigned { Relative, Absolute, Extra, HasNan, HasInf };
    SeenKeys seen;
    fields.hasCorrectness = true;
    fields.maxRelativeError = 0;
    fields.maxAbsoluteError = 0;
    for (const auto& [key, member] : correctness) {
        if (is(key, "max_relative_error")) {
            if (!seen.first(Relative) || !readMeasure(member, fields.maxRelativeError, true)) return false;
        } else if (is(key, "max_absolute_error")) {
            if (!seen.first(Absolute) || !readMeasure(member, fields.maxAbsoluteError, true)) return false;
        } else if (is(key, "extra")) {
            if (!seen.first(Extra) || !(member.is_null() || member.is_object())) return false;
        } else if (is(key, "matched_ratio")) {
            return false;
        } else if (is(key, "has_nan") || is(key, "has_inf")) {
            // Set, or given more than once, they change what the errors mean.
            if (!seen.first(is(key, "has_nan") ? HasNan : HasInf) || !member.is_bool() || member.get_bool().value()) return false;
        }
    }
    return true;
}

bool readPerformance(const dom::element& value, TraceFields& fields)
{
    if (value.is_null()) return true;
    dom::object performance;
    if (value.get_object().get(performance) != simdjson::SUCCESS) return false;
    enum Key : unsigned { Latency, Reference, Speedup };
    SeenKeys seen;
    fields.hasPerformance = true;
    fields.latencyMs = 0;
    fields.referenceLatencyMs = 0;
    fields.speedupFactor = 0;
    for (const auto& [key, member] : performance) {
        if (is(key, "latency_ms")) {
            if (!seen.first(Latency) || !readMeasure(member, fields.latencyMs, false)) return false;
        } else if (is(key, "reference_latency_ms")) {
            if (!seen.first(Reference) || !readMeasure(member, fields.referenceLatencyMs, false)) return false;
        } else if (is(key, "speedup_factor")) {
            if (!seen.first(Speedup) || !readMeasure(member, fields.speedupFactor, false)) return false;
        }
    }
    return true;
}

bool readEvaluation(const dom::element& value, TraceFields& fields)
{
    dom::object evaluation;
    if (value.get_object().get(evaluation) != simdjson::SUCCESS) return false;
    enum Key : unsigned { StatusKey, Environment, Timestamp, Log, Correctness, Performance };
    SeenKeys seen;
    for (const auto& [key, member] : evaluation) {
        if (is(key, "status")) {
            std::string_view name;
            if (!seen.first(StatusKey) || !readText(member, name)) return false;
            const auto status = statusFromString(name);
            if (!status) return false;
            fields.status = *status;
        } else if (is(key, "environment")) {
            if (!seen.first(Environment) || !readEnvironment(member, fields)) return false;
        } else if (is(key, "timestamp")) {
            if (!seen.first(Timestamp) || !readText(member, fields.timestamp)) return false;
        } else if (is(key, "log")) {
            if (!seen.first(Log) || !member.is_string()) return false;
        } else if (is(key, "correctness")) {
            if (!seen.first(Correctness) || !readCorrectness(member, fields)) return false;
        } else if (is(key, "performance")) {
            if (!seen.first(Performance) || !readPerformance(member, fields)) return false;
        }
    }
    fields.hasEvaluation = true;
    return seen.has(StatusKey) && seen.has(Environment) && seen.has(Timestamp) && seen.has(Log) && !fields.isInconsistent();
}

bool readPlainTrace(const dom::element& value, TraceFields& fields)
{
    dom::object trace;
    if (value.get_object().get(trace) != simdjson::SUCCESS) return false;
    enum Key : unsigned { Definition, WorkloadKey, Solution, EvaluationKey };
    SeenKeys seen;
    for (const auto& [key, member] : trace) {
        if (is(key, "definition")) {
            if (!seen.first(Definition) || !readText(member, fields.definition)) return false;
        } else if (is(key, "workload")) {
            if (!seen.first(WorkloadKey) || !readWorkload(member, fields)) return false;
        } else if (is(key, "solution")) {
            std::string_view name;
            if (!seen.first(Solution) || !readText(member, name)) return false;
            fields.solution = name;
        } else if (is(key, "evaluation")) {
            if (!seen.first(EvaluationKey) || !readEvaluation(member, fields)) return false;
        }
    }
    return seen.has(Definition) && seen.has(WorkloadKey) && seen.has(Solution) && seen.has(EvaluationKey);
}

}  // namespace

struct FastTraceLine::State {
    dom::parser parser;
};

FastTraceLine::FastTraceLine() : m_state(std::make_unique<State>()) {}
FastTraceLine::~FastTraceLine() = default;

bool FastTraceLine::read(std::string_view line, TraceFields& fields)
{
    fields.clear();
    // Halves of surrogate pairs are the one thing in which the two parsers might differ.
    if (mayHoldSurrogates(line)) return false;
    if (line.size() > m_state->parser.capacity() &&
        m_state->parser.allocate(std::max<std::size_t>(2 * line.size(), 4096), kMaximumDepth) != simdjson::SUCCESS) {
        return false;
    }
    dom::element root;
    if (m_state->parser.parse(line.data(), line.size(), false).get(root) != simdjson::SUCCESS) return false;
    return readPlainTrace(root, fields);
}

}  // namespace tracedeck
