// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/text_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/report/text_look.h"

namespace tracedeck {

namespace {

constexpr std::string_view kGap = "  ";

/// Length in bytes of a character at the start that changes the direction of text or cannot be seen, which could make a
/// name read as another one; 0 for any other. `codePoint` is set with it.
std::size_t deceptiveLength(std::string_view text, unsigned& codePoint)
{
    const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
    if (byte(0) == 0xD8U && byte(1) == 0x9CU) {
        codePoint = 0x061CU;   // Arabic letter mark
        return 2;
    }
    if ((byte(0) & 0xF0U) != 0xE0U || (byte(1) & 0xC0U) != 0x80U || (byte(2) & 0xC0U) != 0x80U) return 0;
    codePoint = (byte(0) & 0x0FU) << 12U | (byte(1) & 0x3FU) << 6U | (byte(2) & 0x3FU);
    const bool isDeceptive = (codePoint >= 0x200BU && codePoint <= 0x200FU) || (codePoint >= 0x2028U && codePoint <= 0x202EU) ||
                             (codePoint >= 0x2060U && codePoint <= 0x2069U) || codePoint == 0xFEFFU;
    return isDeceptive ? 3 : 0;
}

/// With the gaps between columns; 0 is a column that is not there.
std::size_t totalWidth(const std::vector<std::size_t>& widths)
{
    std::size_t total = 0;
    for (const std::size_t width : widths) total += width == 0 ? 0 : (total == 0 ? 0 : kGap.size()) + width;
    return total;
}

}  // namespace

std::string printable(std::string_view text)
{
    std::string result;
    result.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        // U+0080 to U+009F are the C1 controls: C2 80 to C2 9F.
        const bool isC1 = byte == 0xC2U && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xA0U;
        unsigned codePoint = 0;
        if (const std::size_t length = byte < 0x80U ? 0 : deceptiveLength(text.substr(i), codePoint); length > 0) {
            i += length - 1;
            result += fmt::format("\\u{:04x}", codePoint);
        } else if (isC1) {
            ++i;
            result += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[i]));
        } else if (byte == '\n') {
            result += "\\n";
        } else if (byte == '\t') {
            result += "\\t";
        } else if (byte < 0x20U || byte == 0x7FU) {
            result += fmt::format("\\x{:02x}", byte);
        } else {
            result += text[i];
        }
    }
    return result;
}

std::string printableLines(std::string_view text)
{
    std::string result;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find_first_of("\n\r\t", begin), text.size());
        result += printable(text.substr(begin, end - begin));
        if (end < text.size()) result += text[end];
        begin = end + 1;
    }
    return result;
}

TextTable::TextTable(std::vector<Column> columns) : m_columns(std::move(columns))
{
    for (const Column& column : m_columns) m_widths.push_back(displayWidth(column.title));
}

void TextTable::addRow(const std::vector<std::string>& cells)
{
    std::vector<std::string> row;
    for (std::size_t i = 0; i < m_columns.size(); ++i) {
        row.push_back(i < cells.size() ? printable(cells[i]) : std::string{});
        m_widths[i] = std::max(m_widths[i], displayWidth(row.back()));
    }
    m_rows.push_back(std::move(row));
}

/// The whole widths of the columns that are kept (others: 0), the widest texts made narrower until they fit, but no text below `least`.
std::vector<std::size_t> TextTable::shrunkWidths(const std::vector<bool>& kept, std::size_t least, std::size_t room) const
{
    std::vector<std::size_t> widths(m_widths.size(), 0);
    for (std::size_t i = 0; i < widths.size(); ++i) widths[i] = kept[i] ? m_widths[i] : 0;
    for (std::size_t total = totalWidth(widths); total > room; --total) {
        std::size_t widest = widths.size();
        for (std::size_t i = 0; i < widths.size(); ++i) {
            const bool mayShrink = m_columns[i].align == Align::Left && widths[i] > least;
            if (mayShrink && (widest == widths.size() || widths[i] > widths[widest])) widest = i;
        }
        if (widest == widths.size()) break;
        --widths[widest];
    }
    return widths;
}

std::vector<std::size_t> TextTable::fittedWidths() const
{
    constexpr std::size_t kReadableText = 16;
    constexpr std::size_t kShortestText = 8;
    const std::size_t room = textLook().width;
    if (room == 0) return m_widths;
    std::vector<bool> kept(m_widths.size(), true);
    for (const std::size_t least : {kReadableText, kShortestText}) {
        while (true) {
            std::vector<std::size_t> widths = shrunkWidths(kept, least, room);
            if (totalWidth(widths) <= room) return widths;
            // What says least goes, from the right; what matters, only when texts are as short as can be.
            std::size_t leaves = kept.size();
            for (std::size_t i = kept.size() - 1; i > 0 && leaves == kept.size(); --i) {
                if (kept[i] && (m_columns[i].isMinor || least == kShortestText)) leaves = i;
            }
            if (leaves == kept.size()) break;
            kept[leaves] = false;
        }
    }
    std::vector<std::size_t> widths(m_widths.size(), 0);
    widths.front() = std::min(m_widths.front(), room);
    return widths;
}

std::string TextTable::toString() const
{
    const std::vector<std::size_t> widths = fittedWidths();
    std::string text;
    std::size_t last = widths.size() - 1;
    while (last > 0 && widths[last] == 0) --last;
    const auto appendLine = [&](const auto& cellOf, bool isTitle) {
        std::string line;
        for (std::size_t i = 0; i <= last; ++i) {
            if (widths[i] == 0) continue;
            if (i > 0) line += kGap;
            appendCell(line, cellOf(i), widths[i], m_columns[i].align, i == last, isTitle);
        }
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + "\n";
    };
    appendLine([this](std::size_t i) { return m_columns[i].title; }, true);
    text += toned(std::string(totalWidth(widths), '-'), TextTone::Quiet) + '\n';
    for (const auto& row : m_rows) appendLine([&row](std::size_t i) { return row[i]; }, false);
    std::string left;
    for (std::size_t i = 0; i < widths.size(); ++i) {
        if (widths[i] == 0 && m_widths[i] > 0) left += (left.empty() ? "" : ", ") + m_columns[i].title;
    }
    if (!left.empty()) text += fitted("(no room for: " + left + ")", textLook().width) + "\n";
    return text;
}

void TextTable::appendCell(std::string& line, const std::string& cell, std::size_t width, Align align, bool isLast, bool isTitle)
{
    const std::string shown = fitted(cell, width);
    const std::string padding(width - std::min(width, displayWidth(shown)), ' ');
    const std::string colored = toned(shown, isTitle ? TextTone::Heading : toneOf(cell));
    line += align == Align::Left ? colored + (isLast ? std::string() : padding) : padding + colored;
}

}  // namespace tracedeck
