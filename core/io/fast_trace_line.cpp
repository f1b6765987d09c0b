// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/fast_trace_line.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include <simdjson.h>

#include "core/io/json_parse.h"
#include "core/io/line_cursor.h"
#include "core/io/repeated_text.h"
#include "core/io/usual_trace_line.h"

namespace tracedeck {

namespace {

namespace ondemand = simdjson::ondemand;

static_assert(FastTraceLine::kPadding >= simdjson::SIMDJSON_PADDING);

/// Far below the codec's limit, which then decides.
constexpr int kMaximumDepth = 64;

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

/// Whether every escape in a line is one that escapeSize() knows; the others are left to the codec.
bool hasPlainEscapes(std::string_view text, bool& hasAny)
{
    const char* const end = text.data() + text.size();
    const char* at = text.data();
    hasAny = false;
    while ((at = static_cast<const char*>(std::memchr(at, '\\', static_cast<std::size_t>(end - at)))) != nullptr) {
        hasAny = true;
        const std::size_t size = escapeSize(at, end);
        if (size == 0) return false;
        at += size;
        if (at >= end) break;
    }
    return true;
}

/// Reads the parts of one line. What is not looked at is still checked: a line that is not valid JSON is the codec's.
class LineParts {
public:
    LineParts(TraceFields& fields, std::string_view line, bool hasEscapes, ondemand::document& document, RepeatedTexts& repeats)
        : m_fields(fields), m_lineEnd(line.data() + line.size()), m_hasEscapes(hasEscapes), m_document(document), m_repeats(repeats)
    {
    }

    bool readTrace(ondemand::object trace)
    {
        enum Key : unsigned { Definition, Workload, Solution, Evaluation };
        SeenKeys seen;
        const bool isRead = forEachMember(trace, [&](const char* key, ondemand::value& member) {
            if (is(key, "definition")) return seen.first(Definition) && readText(member, m_fields.definition);
            if (is(key, "workload")) return seen.first(Workload) && readKnownWorkload(member);
            if (is(key, "solution")) {
                std::string_view name;
                if (!seen.first(Solution) || !readText(member, name)) return false;
                m_fields.solution = name;
                return true;
            }
            if (is(key, "evaluation")) return seen.first(Evaluation) && readEvaluation(member);
            return skipUnknown(key, member);
        });
        return isRead && seen.has(Definition) && seen.has(Workload) && seen.has(Solution) && seen.has(Evaluation);
    }

private:
    /// A comparison whose length the compiler knows: keys are most of what this reader looks at. `key` ends with a quote.
    template <std::size_t N>
    static bool is(const char* key, const char (&name)[N])
    {
        return std::memcmp(key, name, N - 1) == 0 && key[N - 1] == '"';
    }

    /// False as soon as one member is not as it should be, or the object is not valid JSON.
    template <class OnMember>
    static bool forEachMember(ondemand::object& object, OnMember onMember)
    {
        for (auto result : object) {
            ondemand::field field;
            if (std::move(result).get(field) != simdjson::SUCCESS) return false;
            ondemand::value member = field.value();
            if (!onMember(field.key().raw(), member)) return false;
        }
        return true;
    }
    template <class OnMember>
    static bool forEachMember(ondemand::value& value, OnMember onMember)
    {
        ondemand::object object;
        return value.get_object().get(object) == simdjson::SUCCESS && forEachMember(object, onMember);
    }

    /// The text between the quotes of a string that begins a token; the token may end with white space.
    static std::string_view betweenQuotes(std::string_view token)
    {
        const std::size_t last = token.find_last_of('"');
        return last == 0 || last == std::string_view::npos ? std::string_view() : token.substr(1, last - 1);
    }
    bool readAnyText(ondemand::value& value, std::string_view& text) const
    {
        const std::string_view token = value.raw_json_token();
        if (token.empty() || token.front() != '"') return false;
        text = betweenQuotes(token);
        if (m_hasEscapes && text.find('\\') != std::string_view::npos) return value.get_string().get(text) == simdjson::SUCCESS;
        return value.get_raw_json_string().error() == simdjson::SUCCESS;
    }
    bool readText(ondemand::value& value, std::string_view& text) const { return readAnyText(value, text) && !text.empty(); }
    /// A string of which only its being one counts.
    static bool skipString(ondemand::value& value) { return value.get_raw_json_string().error() == simdjson::SUCCESS; }
    static bool readNull(ondemand::value& value)
    {
        bool isNull = false;
        return value.is_null().get(isNull) == simdjson::SUCCESS && isNull;
    }

    /// Checks a value of any kind and passes over it.
    bool skip(ondemand::value& value, int depth = 0) const
    {
        if (depth > kMaximumDepth) return false;
        ondemand::json_type type{};
        if (value.type().get(type) != simdjson::SUCCESS) return false;
        switch (type) {
        case ondemand::json_type::object:
            return forEachMember(value, [&](const char*, ondemand::value& member) { return skip(member, depth + 1); });
        case ondemand::json_type::array: {
            ondemand::array array;
            if (value.get_array().get(array) != simdjson::SUCCESS) return false;
            for (auto result : array) {
                ondemand::value element;
                if (std::move(result).get(element) != simdjson::SUCCESS || !skip(element, depth + 1)) return false;
            }
            return true;
        }
        case ondemand::json_type::number: {
            ondemand::number number;
            return value.get_number().get(number) == simdjson::SUCCESS;
        }
        case ondemand::json_type::string: return skipString(value);
        case ondemand::json_type::boolean: {
            bool flag = false;
            return value.get_bool().get(flag) == simdjson::SUCCESS;
        }
        case ondemand::json_type::null: return readNull(value);
        }
        return false;
    }
    /// A key that is written with escapes may be a known one.
    bool skipUnknown(const char* key, ondemand::value& value) const
    {
        if (m_hasEscapes) {
            for (const char* c = key; *c != '"'; ++c) {
                if (*c == '\\') return false;
            }
        }
        return skip(value);
    }

    /// simdjson 3.0 reads a fraction behind more digits than 64 bits hold as 0: the codec takes such numbers.
    static bool hasManyDigits(std::string_view token)
    {
        constexpr int kMostDigits = 18;
        int digits = 0;
        for (const char c : token) {
            if (c >= '0' && c <= '9') digits += digits > 0 || c != '0' ? 1 : 0;
            else if (c != '.' && c != '-') break;
        }
        return digits > kMostDigits;
    }

    /// A number of at least 0, or the text that stands for a non-finite one.
    bool readMeasure(ondemand::value& value, double& measure, bool allowsNan) const
    {
        ondemand::json_type type{};
        if (value.type().get(type) != simdjson::SUCCESS) return false;
        if (type == ondemand::json_type::number) {
            ondemand::number number;
            if (hasManyDigits(value.raw_json_token()) || value.get_number().get(number) != simdjson::SUCCESS) return false;
            measure = number.as_double();
            return !(measure < 0);
        }
        std::string_view text;
        if (type != ondemand::json_type::string || !readAnyText(value, text)) return false;
        if (text == "Infinity") {
            measure = std::numeric_limits<double>::infinity();
            return true;
        }
        measure = std::numeric_limits<double>::quiet_NaN();
        return allowsNan && text == "NaN";
    }

    bool readAxes(ondemand::value& value)
    {
        bool isSorted = true;
        auto& axes = m_fields.axes;
        ondemand::object object;
        if (value.get_object().get(object) != simdjson::SUCCESS) return false;
        for (auto result : object) {
            ondemand::field field;
            if (std::move(result).get(field) != simdjson::SUCCESS) return false;
            std::string_view name;
            const char* const key = field.key().raw();
            name = std::string_view(key, static_cast<std::size_t>(static_cast<const char*>(std::strchr(key, '"')) - key));
            if (m_hasEscapes && name.find('\\') != std::string_view::npos) return false;
            ondemand::value axis = field.value();
            ondemand::number number;
            if (axis.get_number().get(number) != simdjson::SUCCESS || !number.is_int64() || number.get_int64() < 0) return false;
            isSorted = isSorted && (axes.empty() || axes.back().first < name);
            axes.emplace_back(name, number.get_int64());
        }
        if (isSorted) return true;
        std::sort(axes.begin(), axes.end());
        // A name that comes twice is left to the codec.
        return std::adjacent_find(axes.begin(), axes.end(), [](const auto& a, const auto& b) { return a.first == b.first; }) == axes.end();
    }

    /// Whether the strict codec would accept the input as it stands. One of the type `custom` is good in some places only.
    bool isPlainInput(ondemand::value& input) const
    {
        enum Key : unsigned { Type, Value, Path, TensorKey };
        SeenKeys seen;
        std::string_view type;
        bool hasScalar = false;
        const bool isRead = forEachMember(input, [&](const char* key, ondemand::value& member) {
            std::string_view text;
            if (is(key, "type")) return seen.first(Type) && readText(member, type);
            if (is(key, "value")) return seen.first(Value) && readScalar(member, hasScalar);
            if (is(key, "path")) return seen.first(Path) && readText(member, text);
            if (is(key, "tensor_key")) return seen.first(TensorKey) && readText(member, text);
            return skipUnknown(key, member);
        });
        if (!isRead) return false;
        if (type == "random") return true;
        if (type == "scalar") return hasScalar;
        return type == "safetensors" && seen.has(Path) && seen.has(TensorKey);
    }
    bool readScalar(ondemand::value& value, bool& isScalar) const
    {
        ondemand::json_type type{};
        if (value.type().get(type) != simdjson::SUCCESS) return false;
        if (type == ondemand::json_type::number) {
            ondemand::number number;
            if (value.get_number().get(number) != simdjson::SUCCESS) return false;
            isScalar = !number.is_uint64();
            return true;
        }
        isScalar = type == ondemand::json_type::boolean;
        return skip(value);
    }

    /// Whether the codec would take the tolerance without a word.
    bool isPlainTolerance(ondemand::value& value) const
    {
        if (isNull(value)) return readNull(value);
        enum Key : unsigned { Atol, Rtol, Ratio, Cap, NegativeInf };
        SeenKeys seen;
        return forEachMember(value, [&](const char* key, ondemand::value& member) {
            if (is(key, "max_atol")) return seen.first(Atol) && isBound(member);
            if (is(key, "max_rtol")) return seen.first(Rtol) && isBound(member);
            if (is(key, "required_matched_ratio")) return seen.first(Ratio) && isBound(member);
            if (is(key, "max_error_cap")) return seen.first(Cap) && (isNull(member) ? readNull(member) : isBound(member));
            if (is(key, "allow_negative_inf")) {
                bool flag = false;
                return seen.first(NegativeInf) && member.get_bool().get(flag) == simdjson::SUCCESS;
            }
            if (is(key, "required_match_ratio")) return false;
            return skipUnknown(key, member);
        });
    }
    static bool isBound(ondemand::value& value)
    {
        ondemand::number number;
        return isOfType(value, ondemand::json_type::number) && !hasManyDigits(value.raw_json_token()) && value.get_number().get(number) == simdjson::SUCCESS && number.as_double() >= 0;
    }

    bool readKnownWorkload(ondemand::value& value)
    {
        const char* const start = value.raw_json_token().data();
        // The walk over the line passes over what nobody reads.
        if (m_repeats.findWorkload(start, m_lineEnd, m_fields) > 0) return true;
        if (!readWorkload(value)) return false;
        if (const std::string_view text = textSince(start); !text.empty()) m_repeats.addWorkload(text, m_fields);
        return true;
    }
    bool readKnownEnvironment(ondemand::value& value)
    {
        const char* const start = value.raw_json_token().data();
        if (m_repeats.findEnvironment(start, m_lineEnd, m_fields) > 0) return true;
        if (!readEnvironment(value)) return false;
        if (const std::string_view text = textSince(start); !text.empty()) m_repeats.addEnvironment(text, m_fields);
        return true;
    }
    /// What was just read; empty when it has escapes, as the fields then do not point into it.
    [[nodiscard]] std::string_view textSince(const char* start) const
    {
        const char* here = nullptr;
        if (m_document.current_location().get(here) != simdjson::SUCCESS || here <= start || here > m_lineEnd) return {};
        const std::string_view text(start, static_cast<std::size_t>(here - start));
        return m_hasEscapes && text.find('\\') != std::string_view::npos ? std::string_view() : text;
    }

    bool readWorkload(ondemand::value& value)
    {
        enum Key : unsigned { Axes, Inputs, Uuid, Tolerance };
        SeenKeys seen;
        const bool isRead = forEachMember(value, [&](const char* key, ondemand::value& member) {
            if (is(key, "axes")) return seen.first(Axes) && readAxes(member);
            if (is(key, "inputs")) {
                return seen.first(Inputs) && forEachMember(member, [&](const char*, ondemand::value& input) { return isPlainInput(input); });
            }
            if (is(key, "uuid")) return seen.first(Uuid) && readText(member, m_fields.workloadUuid);
            if (is(key, "tolerance")) return seen.first(Tolerance) && isPlainTolerance(member);
            return skipUnknown(key, member);
        });
        return isRead && seen.has(Axes) && seen.has(Inputs) && seen.has(Uuid);
    }

    bool readEnvironment(ondemand::value& value)
    {
        enum Key : unsigned { Hardware, Libs };
        SeenKeys seen;
        const bool isRead = forEachMember(value, [&](const char* key, ondemand::value& member) {
            if (is(key, "hardware")) return seen.first(Hardware) && readText(member, m_fields.hardware);
            if (is(key, "libs")) {
                return seen.first(Libs) && forEachMember(member, [](const char*, ondemand::value& version) { return skipString(version); });
            }
            return skipUnknown(key, member);
        });
        return isRead && seen.has(Hardware);
    }

    bool readCorrectness(ondemand::value& value)
    {
        enum Key : unsigned { Relative, Absolute, Extra, HasNan, HasInf };
        SeenKeys seen;
        m_fields.hasCorrectness = true;
        m_fields.maxRelativeError = 0;
        m_fields.maxAbsoluteError = 0;
        return forEachMember(value, [&](const char* key, ondemand::value& member) {
            if (is(key, "max_relative_error")) return seen.first(Relative) && readMeasure(member, m_fields.maxRelativeError, true);
            if (is(key, "max_absolute_error")) return seen.first(Absolute) && readMeasure(member, m_fields.maxAbsoluteError, true);
            if (is(key, "extra")) return seen.first(Extra) && (isNull(member) ? readNull(member) : isObject(member) && skip(member));
            if (is(key, "matched_ratio")) return false;
            // Set, or given more than once, they change what the errors mean.
            if (is(key, "has_nan")) return seen.first(HasNan) && isFalse(member);
            if (is(key, "has_inf")) return seen.first(HasInf) && isFalse(member);
            return skipUnknown(key, member);
        });
    }

    bool readPerformance(ondemand::value& value)
    {
        enum Key : unsigned { Latency, Reference, Speedup };
        SeenKeys seen;
        m_fields.hasPerformance = true;
        m_fields.latencyMs = 0;
        m_fields.referenceLatencyMs = 0;
        m_fields.speedupFactor = 0;
        return forEachMember(value, [&](const char* key, ondemand::value& member) {
            if (is(key, "latency_ms")) return seen.first(Latency) && readMeasure(member, m_fields.latencyMs, false);
            if (is(key, "reference_latency_ms")) return seen.first(Reference) && readMeasure(member, m_fields.referenceLatencyMs, false);
            if (is(key, "speedup_factor")) return seen.first(Speedup) && readMeasure(member, m_fields.speedupFactor, false);
            return skipUnknown(key, member);
        });
    }

    /// How the times were taken. The rest of the judge's record is passed over, and so is a record of another shape.
    bool readJudge(ondemand::value& value)
    {
        if (!isObject(value)) return skip(value);
        enum Key : unsigned { Time, Method, LaunchBound };
        SeenKeys seen;
        return forEachMember(value, [&](const char* key, ondemand::value& member) {
            if (!is(key, "time")) return skipUnknown(key, member);
            if (!seen.first(Time)) return false;
            if (!isObject(member)) return skip(member);
            return forEachMember(member, [&](const char* timeKey, ondemand::value& entry) {
                if (is(timeKey, "method")) {
                    std::string_view name;
                    if (!seen.first(Method)) return false;
                    if (!isOfType(entry, ondemand::json_type::string)) return skip(entry);
                    if (!readAnyText(entry, name)) return false;
                    m_fields.timingMethod = timingMethodFromString(name);
                    return true;
                }
                if (is(timeKey, "launch_bound")) {
                    if (!seen.first(LaunchBound)) return false;
                    if (!isOfType(entry, ondemand::json_type::boolean)) return skip(entry);
                    return entry.get_bool().get(m_fields.isLaunchBound) == simdjson::SUCCESS;
                }
                return skipUnknown(timeKey, entry);
            });
        });
    }

    bool readEvaluation(ondemand::value& value)
    {
        enum Key : unsigned { StatusKey, Environment, Timestamp, Log, Correctness, Performance, Judge };
        SeenKeys seen;
        const bool isRead = forEachMember(value, [&](const char* key, ondemand::value& member) {
            if (is(key, "status")) {
                std::string_view name;
                if (!seen.first(StatusKey) || !readText(member, name)) return false;
                const auto status = statusFromString(name);
                if (!status || !isFormatStatus(*status)) return false;   // whether the others are good depends on the place
                m_fields.status = *status;
                return true;
            }
            if (is(key, "environment")) return seen.first(Environment) && readKnownEnvironment(member);
            if (is(key, "timestamp")) return seen.first(Timestamp) && readText(member, m_fields.timestamp);
            if (is(key, "judge")) return seen.first(Judge) && readJudge(member);
            if (is(key, "log")) return seen.first(Log) && skipString(member);
            if (is(key, "correctness")) return seen.first(Correctness) && (isNull(member) ? readNull(member) : readCorrectness(member));
            if (is(key, "performance")) return seen.first(Performance) && (isNull(member) ? readNull(member) : readPerformance(member));
            return skipUnknown(key, member);
        });
        m_fields.hasEvaluation = true;
        return isRead && seen.has(StatusKey) && seen.has(Environment) && seen.has(Timestamp) && seen.has(Log) && !m_fields.isInconsistent();
    }

    static bool isOfType(ondemand::value& value, ondemand::json_type wanted)
    {
        ondemand::json_type type{};
        return value.type().get(type) == simdjson::SUCCESS && type == wanted;
    }
    static bool isFalse(ondemand::value& value)
    {
        bool flag = true;
        return value.get_bool().get(flag) == simdjson::SUCCESS && !flag;
    }
    static bool isNull(ondemand::value& value) { return isOfType(value, ondemand::json_type::null); }
    static bool isObject(ondemand::value& value) { return isOfType(value, ondemand::json_type::object); }

    TraceFields& m_fields;
    const char* m_lineEnd;
    bool m_hasEscapes;
    ondemand::document& m_document;
    RepeatedTexts& m_repeats;
};

}  // namespace

struct FastTraceLine::State {
    ondemand::parser parser;
    RepeatedTexts repeats;
    UsualTraceLine usual;
};

FastTraceLine::FastTraceLine() : m_state(std::make_unique<State>()) {}
FastTraceLine::~FastTraceLine() = default;

void FastTraceLine::forgetWorkloads()
{
    m_state->repeats.forgetWorkloads();
}

std::size_t FastTraceLine::readAhead(std::string_view text, TraceFields& fields)
{
    fields.clear();
    const std::size_t size = m_state->usual.read(text, fields, m_state->repeats);
    return size > 0 && size < text.size() && text[size] == '\n' ? size : 0;
}

bool FastTraceLine::read(std::string_view line, TraceFields& fields)
{
    fields.clear();
    if (const std::size_t size = m_state->usual.read(line, fields, m_state->repeats); size > 0 && size == line.size()) return true;
    fields.clear();
    bool hasEscapes = false;
    // Newer versions of simdjson skip a byte order mark, which the codec refuses.
    if (hasByteOrderMark(line) || !hasPlainEscapes(line, hasEscapes)) return false;
    if (line.size() > m_state->parser.capacity() &&
        m_state->parser.allocate(std::max<std::size_t>(2 * line.size(), 4096)) != simdjson::SUCCESS) {
        return false;
    }
    ondemand::document document;
    ondemand::object trace;
    if (m_state->parser.iterate(line.data(), line.size(), line.size() + kPadding).get(document) != simdjson::SUCCESS) return false;
    if (document.get_object().get(trace) != simdjson::SUCCESS) return false;
    // Behind the object there must be nothing.
    return LineParts(fields, line, hasEscapes, document, m_state->repeats).readTrace(trace) && document.current_location().error() == simdjson::OUT_OF_BOUNDS;
}

}  // namespace tracedeck
