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

/// Columns of text padded to a common width (in code points).
class TextTable {
public:
    enum class Align { Left, Right };
    struct Column {
        std::string title;
        Align align = Align::Left;
    };

    explicit TextTable(std::vector<Column> columns);
    /// One cell a column; cells go through printable().
    void addRow(const std::vector<std::string>& cells);
    /// Title line, a line of dashes, rows; two blanks between columns; each line ends with a newline.
    [[nodiscard]] std::string toString() const;

private:
    void appendLine(std::string& text, const std::vector<std::string>& cells) const;

    std::vector<Column> m_columns;
    std::vector<std::size_t> m_widths;
    std::vector<std::vector<std::string>> m_rows;
};

}  // namespace tracedeck
