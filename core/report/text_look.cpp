// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/text_look.h"

#include <algorithm>
#include <array>
#include <utility>

namespace tracedeck {

namespace {

TextLook g_look;

struct DecodedPoint {
    char32_t point = 0;
    std::size_t bytes = 1;
};

/// Of valid UTF-8; any other byte stands for itself.
DecodedPoint pointAt(std::string_view text, std::size_t at)
{
    const auto first = static_cast<unsigned char>(text[at]);
    const std::size_t bytes = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 1;
    if (bytes == 1 || at + bytes > text.size()) return {first, 1};
    char32_t point = first & (0x7FU >> bytes);
    for (std::size_t i = 1; i < bytes; ++i) point = (point << 6U) | (static_cast<unsigned char>(text[at + i]) & 0x3FU);
    return {point, bytes};
}

std::size_t widthOf(char32_t point)
{
    constexpr std::array<std::pair<char32_t, char32_t>, 12> kWide{{{0x1100, 0x115F}, {0x2E80, 0x303E}, {0x3041, 0xA4CF}, {0xA960, 0xA97F}, {0xAC00, 0xD7A3}, {0xF900, 0xFAFF},
                                                                    {0xFE30, 0xFE6F}, {0xFF00, 0xFF60}, {0xFFE0, 0xFFE6}, {0x1F300, 0x1F64F}, {0x1F900, 0x1F9FF}, {0x20000, 0x3FFFD}}};
    const auto within = [point](const auto& range) { return point >= range.first && point <= range.second; };
    if (std::any_of(kWide.begin(), kWide.end(), within)) return 2;
    const bool isCombining = (point >= 0x300 && point <= 0x36F) || (point >= 0x1AB0 && point <= 0x1AFF) || (point >= 0x20D0 && point <= 0x20FF) || (point >= 0xFE00 && point <= 0xFE0F);
    return isCombining ? 0 : 1;
}

}  // namespace

const TextLook& textLook() { return g_look; }

void setTextLook(const TextLook& look) { g_look = look; }

std::size_t displayWidth(std::string_view text)
{
    std::size_t width = 0;
    for (std::size_t at = 0; at < text.size();) {
        const DecodedPoint next = pointAt(text, at);
        width += widthOf(next.point);
        at += next.bytes;
    }
    return width;
}

std::string fitted(std::string_view text, std::size_t width)
{
    const std::size_t whole = displayWidth(text);
    if (whole <= width) return std::string(text);
    if (width == 0) return {};
    const std::size_t front = (width - 1 + 1) / 2;   // of an odd rest the front gets more
    const std::size_t back = width - 1 - front;
    std::size_t taken = 0;
    std::size_t begin = 0;
    while (begin < text.size()) {
        const DecodedPoint next = pointAt(text, begin);
        if (taken + widthOf(next.point) > front) break;
        taken += widthOf(next.point);
        begin += next.bytes;
    }
    std::size_t left = whole - taken;
    std::size_t end = begin;
    while (end < text.size() && left > back) {
        const DecodedPoint next = pointAt(text, end);
        left -= widthOf(next.point);
        end += next.bytes;
    }
    return std::string(text.substr(0, begin)) + "…" + std::string(text.substr(end));
}

TextTone toneOf(std::string_view cell)
{
    if (cell == "PASSED" || cell == "FASTER" || cell == "NOW_PASSING") return TextTone::Good;
    if (cell == "SLOWER" || cell == "NOW_FAILING" || cell == "TIMEOUT" || cell == "REWARD_HACK" || cell.starts_with("INCORRECT") || cell.ends_with("_ERROR")) return TextTone::Bad;
    return TextTone::Plain;
}

std::string toned(std::string text, TextTone tone)
{
    if (!g_look.color || tone == TextTone::Plain || text.empty()) return text;
    const char* const code = tone == TextTone::Good ? "32" : tone == TextTone::Bad ? "31" : tone == TextTone::Heading ? "1" : "2";
    return std::string("\x1b[") + code + "m" + text + "\x1b[0m";
}

}  // namespace tracedeck
