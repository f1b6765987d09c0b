// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/json_parse.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <memory>
#include <system_error>
#include <unordered_map>
#include <unordered_set>

#include <simdjson.h>

#include "core/io/non_finite_tokens.h"
#include "core/io/read_file.h"

namespace tracedeck {

namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

std::int64_t lineAt(std::string_view text, std::size_t position)
{
    const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(position, text.size()));
    return 1 + std::count(text.begin(), end, '\n');
}

/// What nlohmann/json says, without its prefix and without the text that it last read (which may be long or not UTF-8).
std::string plainMessage(std::string message)
{
    if (const std::size_t start = message.find("] "); start != std::string::npos) message.erase(0, start + 2);
    if (const std::size_t tail = message.find("; last read"); tail != std::string::npos) message.resize(tail);
    if (const std::size_t colon = message.find(": "); message.starts_with("parse error") && colon != std::string::npos) {
        message.erase(0, colon + 2);
    }
    return message;
}

/// Builds the value from parser events. The library's own builder looks every key up from the front, which takes
/// quadratic time on objects with very many keys; this one indexes large objects.
class ValueBuilder {
public:
    ValueBuilder(const JsonRules& rules, const std::vector<std::pair<std::size_t, double>>& nonFinite)
        : m_rules(rules), m_nonFinite(nonFinite)
    {
    }

    bool null() { return add(nullptr); }
    bool boolean(bool value) { return add(value); }
    bool number_integer(Json::number_integer_t value) { return addNumber(value); }
    bool number_unsigned(Json::number_unsigned_t value) { return addNumber(value); }
    bool number_float(Json::number_float_t value, const std::string&) { return addNumber(value); }
    bool string(std::string& value) { return add(std::move(value)); }
    bool binary(Json::binary_t&) { return false; }
    bool start_object(std::size_t) { return open(Json::object()); }
    bool start_array(std::size_t) { return open(Json::array()); }
    bool end_object() { return close(); }
    bool end_array() { return close(); }

    bool key(std::string& name)
    {
        Level& level = m_levels.back();
        Members& members = membersOf(*level.value);
        constexpr std::size_t kSmall = 16;
        if (members.size() < kSmall) {
            const auto found =
                std::find_if(members.begin(), members.end(), [&](const auto& member) { return member.first == name; });
            level.member = static_cast<std::size_t>(found - members.begin());
            if (found != members.end()) return duplicate(name);
            members.emplace_back(std::move(name), nullptr);
            return true;
        }
        if (!level.index) {
            level.index = std::make_unique<std::unordered_map<std::string, std::size_t>>();
            for (std::size_t i = 0; i < members.size(); ++i) level.index->emplace(members[i].first, i);
        }
        const auto [found, isNew] = level.index->emplace(name, members.size());
        level.member = found->second;
        if (!isNew) return duplicate(name);
        members.emplace_back(std::move(name), nullptr);
        return true;
    }

    template <class Exception>
    bool parse_error(std::size_t position, const std::string&, const Exception& error)
    {
        m_errorPosition = position;
        m_error = plainMessage(error.what());
        return false;
    }

    Json takeValue() { return std::move(m_root); }
    [[nodiscard]] const std::string& error() const { return m_error; }
    [[nodiscard]] std::size_t errorPosition() const { return m_errorPosition; }
    /// A rule was broken that the parser itself does not know: there is no position.
    [[nodiscard]] bool hasBrokenRule() const { return m_hasBrokenRule; }

private:
    using Members = std::vector<std::pair<const std::string, Json>>;
    struct Level {
        Json* value = nullptr;
        std::size_t member = 0;   ///< of the key that waits for its value
        std::unique_ptr<std::unordered_map<std::string, std::size_t>> index;
    };

    static Members& membersOf(Json& object) { return object.get_ref<Json::object_t&>(); }

    bool breakRule(std::string reason)
    {
        m_error = std::move(reason);
        m_hasBrokenRule = true;
        return false;
    }

    bool duplicate(const std::string& name)
    {
        return m_rules.allowsDuplicateKeys || breakRule("the key '" + name.substr(0, 100) + "' comes twice in one object");
    }

    template <class Number>
    bool addNumber(Number value)
    {
        const std::size_t ordinal = m_numbers++;
        if (m_nextNonFinite < m_nonFinite.size() && m_nonFinite[m_nextNonFinite].first == ordinal) {
            const double nonFinite = m_nonFinite[m_nextNonFinite++].second;
            return add(std::signbit(static_cast<double>(value)) ? -nonFinite : nonFinite);
        }
        return add(value);
    }

    template <class Value>
    bool add(Value&& value)
    {
        if (!count()) return false;
        place(std::forward<Value>(value));
        return true;
    }

    bool count()
    {
        return ++m_values <= m_rules.maximumValues || breakRule("it has more than " + std::to_string(m_rules.maximumValues) + " values");
    }

    template <class Value>
    Json& place(Value&& value)
    {
        if (m_levels.empty()) return m_root = Json(std::forward<Value>(value));
        Level& level = m_levels.back();
        if (level.value->is_array()) return level.value->emplace_back(std::forward<Value>(value));
        return membersOf(*level.value)[level.member].second = Json(std::forward<Value>(value));
    }

    bool open(Json container)
    {
        if (m_levels.size() >= m_rules.maximumDepth) {
            return breakRule("nested more than " + std::to_string(m_rules.maximumDepth) + " levels deep");
        }
        if (!count()) return false;
        Json& placed = place(std::move(container));
        m_levels.push_back(Level{&placed, 0, nullptr});
        return true;
    }

    bool close()
    {
        m_levels.pop_back();
        return true;
    }

    const JsonRules& m_rules;
    const std::vector<std::pair<std::size_t, double>>& m_nonFinite;
    std::size_t m_nextNonFinite = 0;
    std::size_t m_numbers = 0;
    std::size_t m_values = 0;
    Json m_root;
    std::vector<Level> m_levels;
    std::string m_error;
    std::size_t m_errorPosition = 0;
    bool m_hasBrokenRule = false;
};

/// Characters of a text for the parser, counting the lines that it has read.
struct LineCounter {
    std::int64_t line = 1;        ///< of the next character
    std::int64_t tokenLine = 1;   ///< of the last character that is not a blank: the parser reads one ahead of a number
};
class LineCountingIterator {
public:
    using iterator_category = std::input_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = const char*;
    using reference = const char&;

    LineCountingIterator(const char* position, LineCounter* counter) : m_position(position), m_counter(counter) {}
    reference operator*() const { return *m_position; }
    LineCountingIterator& operator++()
    {
        const char c = *m_position++;
        if (c == '\n') {
            ++m_counter->line;
        } else if (c != ' ' && c != '\t' && c != '\r') {
            m_counter->tokenLine = m_counter->line;
        }
        return *this;
    }
    LineCountingIterator operator++(int)
    {
        const LineCountingIterator before = *this;
        ++*this;
        return before;
    }
    bool operator==(const LineCountingIterator& other) const { return m_position == other.m_position; }
    bool operator!=(const LineCountingIterator& other) const { return !(*this == other); }

private:
    const char* m_position;
    LineCounter* m_counter;
};

/// Notes the lines of the dotted fields that are asked for.
class LineIndexer {
public:
    LineIndexer(const LineCounter& counter, const std::unordered_set<std::string>& wanted)
        : m_counter(counter), m_wanted(wanted)
    {
    }

    bool null() { return value(); }
    bool boolean(bool) { return value(); }
    bool number_integer(Json::number_integer_t) { return value(); }
    bool number_unsigned(Json::number_unsigned_t) { return value(); }
    bool number_float(Json::number_float_t, const std::string&) { return value(); }
    bool string(std::string&) { return value(); }
    bool binary(Json::binary_t&) { return false; }
    bool start_object(std::size_t) { return open(false); }
    bool start_array(std::size_t) { return open(true); }
    bool end_object() { return close(); }
    bool end_array() { return close(); }
    bool key(std::string& name)
    {
        setLast(name);
        note();
        return true;
    }
    template <class Exception>
    bool parse_error(std::size_t, const std::string&, const Exception&)
    {
        return false;
    }

    [[nodiscard]] const std::unordered_map<std::string, std::int64_t>& lines() const { return m_lines; }

private:
    struct Level {
        bool isArray = false;
        std::size_t next = 0;         ///< index of the next element
        std::size_t prefixLength = 0; ///< of the container's own path within m_path
    };

    void setLast(const std::string& part)
    {
        m_path.resize(m_levels.back().prefixLength);
        if (!m_path.empty()) m_path += '.';
        m_path += part;
    }
    void note()
    {
        if (m_wanted.contains(m_path)) m_lines[m_path] = m_counter.tokenLine;   // the last duplicate counts
    }
    void startValue()
    {
        if (m_levels.empty() || !m_levels.back().isArray) return;
        setLast(std::to_string(m_levels.back().next++));
        note();
    }
    bool value()
    {
        startValue();
        return true;
    }
    bool open(bool isArray)
    {
        startValue();
        m_levels.push_back(Level{isArray, 0, m_path.size()});
        return true;
    }
    bool close()
    {
        m_path.resize(m_levels.back().prefixLength);
        m_levels.pop_back();
        return true;
    }

    const LineCounter& m_counter;
    const std::unordered_set<std::string>& m_wanted;
    std::unordered_map<std::string, std::int64_t> m_lines;
    std::vector<Level> m_levels;
    std::string m_path;
};

/// The field, then the fields that hold it, innermost first.
std::vector<std::string> fieldAndParents(const std::string& field)
{
    std::vector<std::string> fields;
    for (std::string_view rest = field; !rest.empty();) {
        fields.emplace_back(rest);
        const std::size_t dot = rest.rfind('.');
        rest = dot == std::string_view::npos ? std::string_view() : rest.substr(0, dot);
    }
    return fields;
}

/// A line end is never part of a longer UTF-8 sequence, so lines can be judged one by one.
std::int64_t firstLineNotUtf8(std::string_view text)
{
    for (std::int64_t line = 1;; ++line) {
        const std::string_view current = text.substr(0, text.find('\n'));
        if (!simdjson::validate_utf8(current.data(), current.size()) || current.size() == text.size()) return line;
        text.remove_prefix(current.size() + 1);
    }
}

namespace dom = simdjson::dom;

/// Whether more than 18 digits follow each other, with or without points between them.
bool hasManyDigits(std::string_view text)
{
    constexpr std::ptrdiff_t kMostDigits = 18;
    const auto isPart = [](char c) { return (c >= '0' && c <= '9') || c == '.'; };
    // One byte in 19 must be part of such a run.
    const char* const end = text.data() + text.size();
    for (const char* start = text.data(); end - start > kMostDigits;) {
        const char* const probe = start + kMostDigits;
        if (!isPart(*probe)) {
            start = probe + 1;
            continue;
        }
        const char* first = probe;
        while (first != start && isPart(first[-1])) --first;
        const char* const behind = std::find_if_not(probe, end, isPart);
        if (behind - first - std::count(first, behind, '.') > kMostDigits) return true;
        start = behind;
    }
    return false;
}

/// False for texts that simdjson 3.0 reads otherwise than they are meant: it takes a fraction behind more digits than 64 bits hold
/// for 0, half a surrogate pair for a character, and -0 for 0.
bool isPlain(std::string_view text)
{
    if (hasManyDigits(text)) return false;
    for (std::size_t at = text.find("-0"); at != std::string_view::npos; at = text.find("-0", at + 2)) {
        const char next = at + 2 < text.size() ? text[at + 2] : ' ';
        if (next != '.' && next != 'e' && next != 'E' && (next < '0' || next > '9')) return false;
    }
    for (std::size_t at = text.find("\\u"); at != std::string_view::npos; at = text.find("\\u", at + 2)) {
        if (at + 2 < text.size() && (text[at + 2] == 'd' || text[at + 2] == 'D')) return false;
    }
    return true;
}

/// Gives the events of a text that simdjson has read. False: a rule of the builder's is broken.
bool replay(const dom::element& element, ValueBuilder& builder)   // NOLINT(misc-no-recursion): the builder bounds the depth
{
    switch (element.type()) {
    case dom::element_type::OBJECT: {
        if (!builder.start_object(0)) return false;
        for (const auto& [name, value] : dom::object(element)) {
            std::string key(name);
            if (!builder.key(key) || !replay(value, builder)) return false;
        }
        return builder.end_object();
    }
    case dom::element_type::ARRAY:
        if (!builder.start_array(0)) return false;
        for (const dom::element value : dom::array(element)) {
            if (!replay(value, builder)) return false;
        }
        return builder.end_array();
    case dom::element_type::STRING: {
        std::string text(std::string_view{element});
        return builder.string(text);
    }
    case dom::element_type::INT64: {
        const std::int64_t number{element};
        return number < 0 ? builder.number_integer(number) : builder.number_unsigned(static_cast<std::uint64_t>(number));
    }
    case dom::element_type::UINT64: return builder.number_unsigned(std::uint64_t{element});
    case dom::element_type::DOUBLE: return builder.number_float(double{element}, {});
    case dom::element_type::BOOL: return builder.boolean(bool{element});
    case dom::element_type::NULL_VALUE: break;
    }
    return builder.null();
}

/// The value by simdjson, which is several times as fast. Nothing when it can't read the text, or a rule is broken: the slow way
/// says what is wrong.
std::optional<Json> parseFast(std::string_view text, const JsonRules& rules)
{
    if (!isPlain(text)) return std::nullopt;
    // Kept for the next text, but for what a large one takes.
    constexpr std::size_t kLarge = std::size_t{4} << 20;
    thread_local dom::parser kept;
    std::optional<dom::parser> own;
    dom::parser& parser = text.size() > kLarge ? own.emplace() : kept;
    dom::element root;
    if (parser.parse(text.data(), text.size()).get(root) != simdjson::SUCCESS) return std::nullopt;
    const std::vector<std::pair<std::size_t, double>> none;
    ValueBuilder builder(rules, none);
    if (!replay(root, builder)) return std::nullopt;
    return builder.takeValue();
}

Error invalidJson(std::string_view text, std::string reason, std::size_t position)
{
    return Error{ErrorCode::InvalidInput, std::move(reason), {}, lineAt(text, position), {}};
}

}  // namespace

bool hasByteOrderMark(std::string_view text)
{
    return text.starts_with(kByteOrderMark);
}

std::string_view withoutByteOrderMark(std::string_view text)
{
    return hasByteOrderMark(text) ? text.substr(kByteOrderMark.size()) : text;
}

Result<Json> parseJson(std::string_view text, ReadMode mode)
{
    if (hasByteOrderMark(text) && mode == ReadMode::Strict) {
        return invalidJson(
            text, "the text starts with a byte order mark, which the format does not allow; save it as UTF-8 without one", 0);
    }
    return parseJsonText(withoutByteOrderMark(text), JsonRules{});
}

Result<std::optional<Json>> readJsonFile(const std::filesystem::path& file, std::uint64_t maximumBytes)
{
    std::error_code failure;
    if (std::filesystem::status(file, failure).type() == std::filesystem::file_type::not_found) return std::optional<Json>();
    const auto text = readWholeFile(file, maximumBytes);
    if (!text) return text.error();
    auto parsed = parseJsonText(withoutByteOrderMark(*text), {.allowsNonFinite = false, .allowsDuplicateKeys = false});
    if (parsed) return std::optional<Json>(*std::move(parsed));
    Error error = parsed.error();
    error.file = file.string();
    return error;
}

Result<Json> parseJsonText(std::string_view text, const JsonRules& rules)
{
    if (hasByteOrderMark(text)) return invalidJson(text, "not valid JSON: it starts with a byte order mark", 0);
    if (!simdjson::validate_utf8(text.data(), text.size())) {
        return Error{ErrorCode::InvalidInput, "the text is not UTF-8", {}, firstLineNotUtf8(text), {}};
    }
    // The parser takes a NUL for the end of the text.
    if (const std::size_t nul = text.find('\0'); nul != std::string_view::npos) {
        return invalidJson(text, "not valid JSON: a NUL character stands in the text", nul);
    }
    if (auto value = parseFast(text, rules)) return std::move(*value);
    const auto failure = [&text](const ValueBuilder& failed) {
        if (failed.hasBrokenRule()) return Error{ErrorCode::InvalidInput, "not valid JSON: " + failed.error(), {}, 0, {}};
        return invalidJson(text, "not valid JSON: " + failed.error(), failed.errorPosition());
    };
    const std::vector<std::pair<std::size_t, double>> none;
    ValueBuilder builder(rules, none);
    if (Json::sax_parse(text.begin(), text.end(), &builder)) return builder.takeValue();
    if (builder.hasBrokenRule() || !rules.allowsNonFinite) return failure(builder);
    const FiniteText finite = replaceNonFiniteTokens(text);
    if (finite.replaced.empty()) return failure(builder);
    ValueBuilder second(rules, finite.replaced);
    if (Json::sax_parse(finite.text.begin(), finite.text.end(), &second)) return second.takeValue();
    return failure(second);
}

void assignLines(std::string_view text, std::vector<Error*> places)
{
    text = withoutByteOrderMark(text);
    std::erase_if(places, [](const Error* place) { return place->line != 0; });
    if (places.empty()) return;
    std::unordered_map<std::string, std::int64_t> lines;
    if (text.find('\n') != std::string_view::npos) {
        std::unordered_set<std::string> wanted;
        for (const Error* place : places) {
            for (std::string& field : fieldAndParents(place->field)) wanted.insert(std::move(field));
        }
        const FiniteText finite = replaceNonFiniteTokens(text);
        LineCounter counter;
        LineIndexer indexer(counter, wanted);
        const char* const begin = finite.text.data();
        // A failure leaves the lines that were seen before it: the rest get the line of what holds them.
        (void)Json::sax_parse(LineCountingIterator(begin, &counter),
                              LineCountingIterator(begin + finite.text.size(), &counter), &indexer);
        lines = indexer.lines();
    }
    for (Error* place : places) {
        place->line = 1;
        for (const std::string& field : fieldAndParents(place->field)) {
            if (const auto found = lines.find(field); found != lines.end()) {
                place->line = found->second;
                break;
            }
        }
    }
}

std::optional<std::size_t> jsonValueEnd(std::string_view text)
{
    std::size_t depth = 0;
    bool isString = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (isString) {
            if (c == '\\') {
                ++i;
            } else if (c == '"') {
                isString = false;
            }
            continue;
        }
        if (c == '"') {
            isString = true;
        } else if (c == '{' || c == '[') {
            ++depth;
        } else if ((c == '}' || c == ']') && depth > 0 && --depth == 0) {
            return i + 1;
        }
    }
    return std::nullopt;
}

std::vector<std::string_view> splitJsonValues(std::string_view text)
{
    std::vector<std::string_view> pieces;
    while (const auto end = jsonValueEnd(text)) {
        pieces.push_back(text.substr(0, *end));
        text.remove_prefix(*end);
    }
    if (text.find_first_not_of(" \t\r\n") != std::string_view::npos) pieces.push_back(text);
    return pieces;
}

}  // namespace tracedeck
