// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/codec_context.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include "core/model/text.h"

namespace tracedeck {

namespace {

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

/// Drops `_` separators; std::nullopt when one does not stand between two digits.
std::optional<std::string> withoutSeparators(std::string_view text)
{
    std::string plain;
    plain.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '_') {
            plain += text[i];
        } else if (i == 0 || i + 1 == text.size() || !isDigit(text[i - 1]) || !isDigit(text[i + 1])) {
            return std::nullopt;
        }
    }
    return plain;
}

std::optional<std::int64_t> intFromText(std::string_view text)
{
    const auto plain = withoutSeparators(trimWhitespace(text));
    if (!plain) return std::nullopt;
    std::string_view rest = *plain;
    // "5.0" is an integer, "5." and "5.5" are not.
    if (const std::size_t dot = rest.find('.'); dot != std::string_view::npos) {
        const std::string_view fraction = rest.substr(dot + 1);
        if (fraction.empty() || fraction.find_first_not_of('0') != std::string_view::npos) return std::nullopt;
        rest = rest.substr(0, dot);
    }
    if (rest.starts_with('+')) {
        rest.remove_prefix(1);
        if (rest.starts_with('-')) return std::nullopt;
    }
    std::int64_t value = 0;
    const auto [end, code] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
    if (code != std::errc() || end != rest.data() + rest.size()) return std::nullopt;
    return value;
}

std::optional<double> floatFromText(std::string_view text)
{
    const auto plain = withoutSeparators(trimWhitespace(text));
    if (!plain) return std::nullopt;
    std::string_view rest = *plain;
    bool isNegative = false;
    if (rest.starts_with('+') || rest.starts_with('-')) {
        isNegative = rest.front() == '-';
        rest.remove_prefix(1);
    }
    const std::string lower = asciiLower(rest);
    double value = 0;
    if (lower == "nan") {
        value = std::numeric_limits<double>::quiet_NaN();
    } else if (lower == "inf" || lower == "infinity") {
        value = std::numeric_limits<double>::infinity();
    } else {
        // Words such as "nan(x)", which from_chars knows, are not numbers of the format.
        if (rest.empty() || (!isDigit(rest.front()) && rest.front() != '.')) return std::nullopt;
        const auto [end, code] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
        if (end != rest.data() + rest.size()) return std::nullopt;
        if (code == std::errc::result_out_of_range) {
            // Too large becomes infinity, too small becomes zero: strtod tells which.
            value = std::strtod(std::string(rest).c_str(), nullptr);
        } else if (code != std::errc()) {
            return std::nullopt;
        }
    }
    return isNegative ? -value : value;
}

constexpr std::array<std::string_view, 6> kTrueWords{"1", "t", "true", "y", "yes", "on"};
constexpr std::array<std::string_view, 6> kFalseWords{"0", "f", "false", "n", "no", "off"};

bool contains(const std::array<std::string_view, 6>& words, const std::string& word)
{
    return std::find(words.begin(), words.end(), word) != words.end();
}

/// An integer that is right in kind but has more than 64 bits.
bool isIntBeyond64Bits(const Json& value)
{
    if (value.is_number_unsigned()) {
        return value.get<std::uint64_t>() > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    }
    if (!value.is_number_float()) return false;
    const double number = value.get<double>();
    return std::isfinite(number) && std::trunc(number) == number && std::abs(number) >= 0x1p63;
}

}  // namespace

std::string FieldPath::toString() const
{
    std::string text = parent != nullptr ? parent->toString() : std::string();
    if (!text.empty() && !name.empty()) text += '.';
    text += name;
    return text;
}

void DecodeContext::fail(const FieldPath& path, std::string reason)
{
    if (!m_error) m_error = Error{ErrorCode::InvalidInput, std::move(reason), {}, 0, path.toString()};
}

void DecodeContext::addWarning(const FieldPath& path, std::string reason, bool isRepair)
{
    m_warnings.push_back(
        Problem{Severity::Warning, Error{ErrorCode::InvalidInput, std::move(reason), {}, 0, path.toString()}, isRepair});
}

void DecodeContext::warnOfSolForm(const FieldPath& path, const std::string& what)
{
    if (!isSol()) remark(path, what + ": SOL-ExecBench has this, programs for FlashInfer-Trace refuse the file");
}

ObjectReader::ObjectReader(DecodeContext& context, const Json& value, const FieldPath& path)
    : m_context(context), m_object(value.get_ptr<const Json::object_t*>()), m_path(path)
{
    if (m_object == nullptr) context.fail(path, "expected an object, got " + describe(value));
}

const Json* ObjectReader::peek(std::string_view key) const
{
    if (m_object == nullptr) return nullptr;
    const auto found = std::find_if(m_object->begin(), m_object->end(), [&](const auto& m) { return m.first == key; });
    return found == m_object->end() ? nullptr : &found->second;
}

const Json* ObjectReader::find(std::string_view key)
{
    m_known.push_back(key);
    return peek(key);
}

const Json* ObjectReader::require(std::string_view key)
{
    const Json* value = find(key);
    if (value == nullptr && m_object != nullptr) m_context.fail(FieldPath{&m_path, key}, "the field is missing");
    return value;
}

Json ObjectReader::unknownKeys() const
{
    Json unknown = Json::object();
    if (m_object == nullptr) return unknown;
    auto& members = unknown.get_ref<Json::object_t&>();
    for (const auto& member : *m_object) {
        if (std::find(m_known.begin(), m_known.end(), member.first) == m_known.end()) {
            // Keys of an object are distinct already; the map's own insertion would compare each with all before it.
            static_cast<Json::object_t::Container&>(members).push_back(member);
        }
    }
    return unknown;
}

std::string describe(const Json& value)
{
    switch (value.type()) {
    case Json::value_t::null: return "null";
    case Json::value_t::object: return "an object";
    case Json::value_t::array: return "an array";
    case Json::value_t::boolean: return value.get<bool>() ? "true" : "false";
    case Json::value_t::string: {
        const auto& text = value.get_ref<const std::string&>();
        constexpr std::size_t kShown = 40;
        const bool isShort = text.size() <= kShown && text.find_first_of("\n\r") == std::string::npos;
        return text.empty() ? "an empty string" : isShort ? "the string '" + text + "'" : "a string";
    }
    case Json::value_t::number_integer:
    case Json::value_t::number_unsigned: return "the number " + value.dump();
    case Json::value_t::number_float: {
        const double number = value.get<double>();
        if (std::isnan(number)) return "NaN";
        if (std::isinf(number)) return number > 0 ? "Infinity" : "-Infinity";
        return "the number " + value.dump();
    }
    case Json::value_t::binary:
    case Json::value_t::discarded: break;
    }
    return "no JSON value";
}

std::optional<std::int64_t> coerceInt(const Json& value)
{
    if (isIntBeyond64Bits(value)) return std::nullopt;
    if (value.is_number_integer()) return value.get<std::int64_t>();
    if (value.is_number_float()) {
        const double number = value.get<double>();
        if (!std::isfinite(number) || std::trunc(number) != number) return std::nullopt;
        return static_cast<std::int64_t>(number);
    }
    if (value.is_boolean()) return value.get<bool>() ? 1 : 0;
    if (value.is_string()) return intFromText(value.get_ref<const std::string&>());
    return std::nullopt;
}

std::optional<double> coerceFloat(const Json& value)
{
    if (value.is_number()) return value.get<double>();
    if (value.is_boolean()) return value.get<bool>() ? 1.0 : 0.0;
    if (value.is_string()) return floatFromText(value.get_ref<const std::string&>());
    return std::nullopt;
}

std::optional<bool> coerceBool(const Json& value)
{
    if (value.is_boolean()) return value.get<bool>();
    if (value.is_number()) {
        const double number = value.get<double>();
        if (number == 0.0) return false;
        if (number == 1.0) return true;
        return std::nullopt;
    }
    if (value.is_string()) {
        const std::string word = asciiLower(value.get_ref<const std::string&>());
        if (contains(kTrueWords, word)) return true;
        if (contains(kFalseWords, word)) return false;
    }
    return std::nullopt;
}

std::string readString(DecodeContext& context, const Json& value, const FieldPath& path)
{
    if (value.is_string()) return value.get<std::string>();
    context.fail(path, "expected a string, got " + describe(value));
    return {};
}

std::string readNonEmptyString(DecodeContext& context, const Json& value, const FieldPath& path)
{
    std::string text = readString(context, value, path);
    if (text.empty()) context.fail(path, "expected a string that is not empty");
    return text;
}

std::int64_t readNonNegativeInt(DecodeContext& context, const Json& value, const FieldPath& path)
{
    const auto number = coerceInt(value);
    if (!number) {
        context.fail(path, isIntBeyond64Bits(value) ? "the integer does not fit in 64 bits"
                                                    : "expected an integer of at least 0, got " + describe(value));
        return 0;
    }
    if (*number < 0) context.fail(path, "expected an integer of at least 0, got " + describe(value));
    return *number;
}

double readFloat(DecodeContext& context, const Json& value, const FieldPath& path)
{
    const auto number = coerceFloat(value);
    if (!number) context.fail(path, "expected a number, got " + describe(value));
    return number.value_or(0.0);
}

bool readBool(DecodeContext& context, const Json& value, const FieldPath& path)
{
    const auto flag = coerceBool(value);
    if (!flag) context.fail(path, "expected true or false, got " + describe(value));
    return flag.value_or(false);
}

std::optional<std::string> readNullableString(DecodeContext& context, const Json* value, const FieldPath& path)
{
    if (value == nullptr || value->is_null()) return std::nullopt;
    return readString(context, *value, path);
}

std::vector<std::string> readStringList(DecodeContext& context, const Json& value, const FieldPath& path, EmptyText empty)
{
    std::vector<std::string> texts;
    if (!value.is_array()) {
        context.fail(path, "expected an array of strings, got " + describe(value));
        return texts;
    }
    texts.reserve(value.size());
    for (std::size_t i = 0; i < value.size(); ++i) {
        const std::string index = std::to_string(i);
        const FieldPath element{&path, index};
        texts.push_back(empty == EmptyText::Allowed ? readString(context, value[i], element)
                                                    : readNonEmptyString(context, value[i], element));
    }
    return texts;
}

std::vector<std::string> readOptionalList(DecodeContext& context, const Json* value, const FieldPath& path)
{
    if (value == nullptr) return {};
    if (value->is_null() && context.isTolerant()) {
        context.warn(path, "null is read as an empty list");
        return {};
    }
    return readStringList(context, *value, path, EmptyText::Refused);
}

void appendUnknownKeys(Json& json, const Json& unknownKeys)
{
    if (!unknownKeys.is_object()) return;
    for (const auto& [key, value] : unknownKeys.items()) {
        if (!json.contains(key)) json[key] = value;
    }
}

Json encodeFloat(double value)
{
    if (std::isnan(value)) return "NaN";
    if (std::isinf(value)) return value > 0 ? "Infinity" : "-Infinity";
    return value;
}

}  // namespace tracedeck
