// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/text.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace tracedeck {

namespace {

/// UTF-8 of the white space beyond ASCII that Python trims.
constexpr std::array<std::string_view, 19> kWideSpaces{
    "\xC2\x85",     "\xC2\xA0",     "\xE1\x9A\x80", "\xE2\x80\x80", "\xE2\x80\x81", "\xE2\x80\x82", "\xE2\x80\x83",
    "\xE2\x80\x84", "\xE2\x80\x85", "\xE2\x80\x86", "\xE2\x80\x87", "\xE2\x80\x88", "\xE2\x80\x89", "\xE2\x80\x8A",
    "\xE2\x80\xA8", "\xE2\x80\xA9", "\xE2\x80\xAF", "\xE2\x81\x9F", "\xE3\x80\x80"};

bool isNarrowSpace(char c)
{
    const auto byte = static_cast<unsigned char>(c);
    return byte == 0x20 || (byte >= 0x09 && byte <= 0x0D) || (byte >= 0x1C && byte <= 0x1F);
}

/// Bytes of white space at the front; 0 when there is none.
std::size_t leadingSpace(std::string_view text)
{
    if (text.empty()) return 0;
    if (isNarrowSpace(text.front())) return 1;
    if (static_cast<unsigned char>(text.front()) < 0x80) return 0;   // by far the most frequent case
    for (const std::string_view space : kWideSpaces) {
        if (text.starts_with(space)) return space.size();
    }
    return 0;
}

std::size_t trailingSpace(std::string_view text)
{
    if (text.empty()) return 0;
    if (isNarrowSpace(text.back())) return 1;
    if (static_cast<unsigned char>(text.back()) < 0x80) return 0;
    for (const std::string_view space : kWideSpaces) {
        if (text.ends_with(space)) return space.size();
    }
    return 0;
}

/// Bytes of the valid UTF-8 sequence at the front; 0 when there is none.
std::size_t utf8SequenceLength(std::string_view text)
{
    const auto byte = [&text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char first = byte(0);
    if (first < 0x80) return 1;
    const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
    if (first < 0xC2 || first > 0xF4 || text.size() < length) return 0;
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xC0U) != 0x80) return 0;
    }
    // Overlong forms, surrogates, and values beyond U+10FFFF.
    const unsigned char second = byte(1);
    if ((first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F) || (first == 0xF0 && second < 0x90) ||
        (first == 0xF4 && second > 0x8F)) {
        return 0;
    }
    return length;
}

}  // namespace

std::string_view trimWhitespace(std::string_view text)
{
    while (const std::size_t count = leadingSpace(text)) text.remove_prefix(count);
    while (const std::size_t count = trailingSpace(text)) text.remove_suffix(count);
    return text;
}

std::string asciiLower(std::string_view text)
{
    std::string lower(text);
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return lower;
}

std::string asciiUpper(std::string_view text)
{
    std::string upper(text);
    std::transform(upper.begin(), upper.end(), upper.begin(),
                   [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
    return upper;
}

std::string toValidUtf8(std::string_view text)
{
    std::string valid;
    valid.reserve(text.size());
    while (!text.empty()) {
        const std::size_t length = utf8SequenceLength(text);
        if (length == 0) {
            valid += "\xEF\xBF\xBD";
            text.remove_prefix(1);
        } else {
            valid += text.substr(0, length);
            text.remove_prefix(length);
        }
    }
    return valid;
}

std::string shapeText(const std::vector<std::int64_t>& numbers)
{
    return fmt::format("[{}]", fmt::join(numbers, ", "));
}

std::string bytesText(std::uint64_t bytes, std::string_view smallestUnit)
{
    constexpr double kStep = 1024;
    constexpr std::array kUnits{"KiB", "MiB", "GiB", "TiB"};
    auto value = static_cast<double>(bytes);
    if (value < kStep) return fmt::format("{} {}", bytes, smallestUnit);
    value /= kStep;
    std::size_t unit = 0;
    for (; value >= kStep && unit + 1 < kUnits.size(); ++unit) value /= kStep;
    return fmt::format("{:.1f} {}", value, kUnits[unit]);
}

}  // namespace tracedeck
