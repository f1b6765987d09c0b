// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tracedeck {

/// Text that is safe to print: control characters, which could steer a terminal, become visible escapes such as `\x1b`;
/// characters that turn the direction of text or are invisible become `\u202e`.
[[nodiscard]] std::string printable(std::string_view text);

/// The same, line ends and tabs as they are.
[[nodiscard]] std::string printableLines(std::string_view text);

/// Columns of text padded to a common width, within that of textLook(): where there is no room, long texts lose their middle, then minor columns go, then the
/// last ones, and a line says which.
class TextTable {
public:
    enum class Align { Left, Right };
    struct Column {
        std::string title;
        Align align = Align::Left;
        bool isMinor = false;   ///< leaves first where there is no room
    };

    explicit TextTable(std::vector<Column> columns);
    /// One cell a column; cells go through printable().
    void addRow(const std::vector<std::string>& cells);
    /// Title line, a line of dashes, rows; two blanks between columns; each line ends with a newline.
    [[nodiscard]] std::string toString() const;

private:
    [[nodiscard]] std::vector<std::size_t> shrunkWidths(const std::vector<bool>& kept, std::size_t least, std::size_t room) const;
    /// The widths that the columns get; 0: there is no room for it.
    [[nodiscard]] std::vector<std::size_t> fittedWidths() const;
    static void appendCell(std::string& line, const std::string& cell, std::size_t width, Align align, bool isLast, bool isTitle);

    std::vector<Column> m_columns;
    std::vector<std::size_t> m_widths;
    std::vector<std::vector<std::string>> m_rows;
};

}  // namespace tracedeck
