// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace tracedeck::ui {

/// A log made ready for showing: terminal colours taken out and remembered, control characters visible, very long lines
/// continued on further rows. Built once, on any thread; then read only.
class LogText {
public:
    /// Columns of a row; longer lines go on in the next row.
    static constexpr int kRowColumns = 1000;

    /// Colours that a log may ask for (SGR 31 to 36), shown in the theme's.
    enum class Color : std::uint8_t { Plain, Red, Green, Yellow, Blue, Magenta, Cyan };
    struct Span {
        std::uint32_t row = 0;
        std::uint16_t start = 0;    ///< in UTF-16 units of the row
        std::uint16_t length = 0;
        Color color = Color::Plain;
    };
    /// A place between two characters; `column` in UTF-16 units.
    struct Place {
        int row = 0;
        int column = 0;
        auto operator<=>(const Place&) const = default;
    };
    struct Match {
        int row = 0;
        int start = 0;    ///< in UTF-16 units; what goes beyond the end of the row goes on in the next one
        int length = 0;
    };
    struct Matches {
        QString wanted;
        std::vector<Match> found;    ///< in order
        bool isCut = false;          ///< there are more than kMostMatches
    };
    static constexpr std::size_t kMostMatches = 100'000;

    LogText() = default;
    /// An incomplete one when the stop token is set.
    [[nodiscard]] static std::shared_ptr<const LogText> build(std::shared_ptr<const std::string> log, const std::stop_token& stop = {});

    [[nodiscard]] int rowCount() const { return static_cast<int>(m_starts.size()); }
    [[nodiscard]] int lineCount() const { return rowCount() - static_cast<int>(m_continued.size()); }
    [[nodiscard]] QString row(int row) const;
    /// Whether the row goes on with the line of the row before.
    [[nodiscard]] bool isContinued(int row) const;
    /// Number of the row's line, counted from 1.
    [[nodiscard]] int lineNumber(int row) const;
    /// Where a line of these, counted from 1, begins.
    [[nodiscard]] int rowOfLine(int line) const;
    [[nodiscard]] std::vector<Span> spans(int row) const;
    /// The widest row, in columns of a monospaced font.
    [[nodiscard]] int columns() const { return m_columns; }
    /// Bytes at the end that are not shown, since the log is too large.
    [[nodiscard]] std::size_t bytesLeftOut() const { return m_bytesLeftOut; }
    /// The text between two places, with the log's own line ends.
    [[nodiscard]] QString text(Place from, Place to) const;
    /// The log as it was given.
    [[nodiscard]] const std::string& original() const { return *m_original; }
    /// Where the text occurs, in any case of its letters.
    [[nodiscard]] Matches find(const QString& wanted, const std::stop_token& stop = {}) const;

private:
    class Builder;
    [[nodiscard]] std::string_view bytes(int row) const;

    std::shared_ptr<const std::string> m_original = std::make_shared<const std::string>();
    std::string m_text;                          ///< rows without line ends, UTF-8
    std::vector<std::uint32_t> m_starts;         ///< of the rows
    std::vector<std::uint32_t> m_continued;      ///< rows that go on with the line before, ascending
    std::vector<Span> m_spans;                   ///< by row and start
    int m_columns = 0;
    std::size_t m_bytesLeftOut = 0;
};

}  // namespace tracedeck::ui
