// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/text_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

namespace tracedeck {

namespace {

constexpr std::string_view kGap = "  ";

std::size_t codePoints(std::string_view text)
{
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

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
    for (const Column& column : m_columns) m_widths.push_back(codePoints(column.title));
}

void TextTable::addRow(const std::vector<std::string>& cells)
{
    std::vector<std::string> row;
    for (std::size_t i = 0; i < m_columns.size(); ++i) {
        row.push_back(i < cells.size() ? printable(cells[i]) : std::string{});
        m_widths[i] = std::max(m_widths[i], codePoints(row.back()));
    }
    m_rows.push_back(std::move(row));
}

std::string TextTable::toString() const
{
    std::string text;
    std::vector<std::string> titles;
    for (const Column& column : m_columns) titles.push_back(column.title);
    appendLine(text, titles);
    const std::size_t width = std::accumulate(m_widths.begin(), m_widths.end(), kGap.size() * (m_columns.size() - 1));
    text.append(width, '-');
    text += '\n';
    for (const auto& row : m_rows) appendLine(text, row);
    return text;
}

void TextTable::appendLine(std::string& text, const std::vector<std::string>& cells) const
{
    std::string line;
    for (std::size_t i = 0; i < m_columns.size(); ++i) {
        if (i > 0) line += kGap;
        const std::string padding(m_widths[i] - codePoints(cells[i]), ' ');
        line += m_columns[i].align == Align::Left ? cells[i] + padding : padding + cells[i];
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
}

}  // namespace tracedeck
