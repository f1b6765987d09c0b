// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/log_text.h"

#include <QStringMatcher>
#include <algorithm>
#include <array>

#include "ui/style/text.h"

namespace tracedeck::ui {
namespace {

constexpr int kTabColumns = 8;
/// Beyond these the rest is left out of the view, or without colours; memory stays bounded whatever a log holds.
constexpr std::size_t kMostLogBytes = std::size_t{1} << 30U;
constexpr std::size_t kMostLogRows = 20'000'000;
constexpr std::size_t kMostLogSpans = 1'000'000;
/// An escape sequence longer than this is none.
constexpr std::size_t kLongestEscape = 4096;
constexpr unsigned char kEscape = 0x1B;
constexpr unsigned char kDelete = 0x7F;
/// How often a long job looks whether it is still wanted, in bytes or lines.
constexpr std::size_t kLogStopInterval = 1U << 16U;

struct CodePoint {
    char32_t value = QChar::ReplacementCharacter;
    std::size_t size = 1;
    bool isValid = false;
};

CodePoint codePointAt(std::string_view text, std::size_t at)
{
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char first = byte(at);
    if (first < 0x80)
        return {first, 1, true};
    const std::size_t size = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
    if (first < 0xC2 || first > 0xF4 || at + size > text.size())
        return {};
    char32_t value = first & (0x7FU >> size);
    for (std::size_t i = 1; i < size; ++i) {
        if ((byte(at + i) & 0xC0U) != 0x80)
            return {};
        value = value << 6U | (byte(at + i) & 0x3FU);
    }
    constexpr std::array<char32_t, 5> kSmallest{0, 0, 0x80, 0x800, 0x10000};
    const bool isValid = value >= kSmallest[size] && value <= 0x10FFFF && (value < 0xD800 || value > 0xDFFF);
    return isValid ? CodePoint{value, size, true} : CodePoint{};
}

/// East Asian wide characters and pictures take two columns; near enough for the width of the view.
int columnsOf(char32_t c)
{
    return c >= 0x1100 && (c <= 0x115F || (c >= 0x2E80 && c <= 0xD7A3) || (c >= 0xF900 && c <= 0xFAFF) || (c >= 0xFE30 && c <= 0xFE6F) ||
                           (c >= 0xFF00 && c <= 0xFF60) || c >= 0x1F300)
               ? 2
               : 1;
}

struct Escape {
    std::size_t size = 0;          ///< 0: none
    std::string_view colorCodes;   ///< parameters of a colour sequence
    bool isColor = false;
};

/// The terminal's escape sequence at this place.
Escape escapeAt(std::string_view text, std::size_t at)
{
    const std::string_view rest = text.substr(at, kLongestEscape);
    if (rest.size() < 2)
        return {};
    if (rest[1] == '[') {
        std::size_t end = 2;
        while (end < rest.size() && rest[end] >= 0x20 && rest[end] <= 0x3F)
            ++end;
        if (end == rest.size() || rest[end] < 0x40 || rest[end] > 0x7E)
            return {};
        return {end + 1, rest.substr(2, end - 2), rest[end] == 'm'};
    }
    if (rest[1] == ']') {   // a window title or link, up to BEL or ESC \ on the same line
        for (std::size_t end = 2; end < rest.size() && rest[end] != '\n'; ++end) {
            if (rest[end] == '\a')
                return {end + 1, {}, false};
            if (rest[end] == '\x1B' && end + 1 < rest.size() && rest[end + 1] == '\\')
                return {end + 2, {}, false};
        }
        return {};
    }
    if (rest[1] == '(' || rest[1] == ')')
        return {rest.size() > 2 && rest[2] > 0x20 && rest[2] < 0x7F ? std::size_t{3} : std::size_t{0}, {}, false};
    return {rest[1] >= 0x30 && rest[1] < 0x7F ? std::size_t{2} : std::size_t{0}, {}, false};
}

LogText::Color colorAfter(LogText::Color color, std::string_view codes)
{
    while (true) {
        const std::size_t end = codes.find(';');
        const std::string_view code = codes.substr(0, end);
        if (code.empty() || code == "0" || code == "39")
            color = LogText::Color::Plain;
        else if (code == "38" || code == "48")   // a colour by number: what follows are no codes of their own
            return color;
        else if (code.size() == 2 && (code[0] == '3' || code[0] == '9') && code[1] >= '0' && code[1] <= '7')
            color = code[1] >= '1' && code[1] <= '6' ? static_cast<LogText::Color>(code[1] - '0') : LogText::Color::Plain;
        if (end == std::string_view::npos)
            return color;
        codes.remove_prefix(end + 1);
    }
}

}  // namespace

class LogText::Builder {
public:
    Builder(LogText& target, std::string_view log) : m_target(target), m_log(log) {}

    void run(const std::stop_token& stop)
    {
        m_target.m_text.reserve(std::min(m_log.size(), kMostLogBytes));
        beginRow();
        std::size_t lastLook = 0;
        while (m_at < m_log.size()) {
            if (m_at - lastLook >= kLogStopInterval) {
                lastLook = m_at;
                if (stop.stop_requested())
                    return;
            }
            if (m_target.m_text.size() >= kMostLogBytes || m_target.m_starts.size() >= kMostLogRows) {
                m_target.m_bytesLeftOut = m_log.size() - m_at;
                break;
            }
            takeOne();
        }
        endRow();
        // A line end at the end begins no further line.
        if (m_target.m_starts.size() > 1 && m_target.m_starts.back() == m_target.m_text.size() && !m_isContinued)
            m_target.m_starts.pop_back();
    }

private:
    void beginRow()
    {
        m_target.m_starts.push_back(static_cast<std::uint32_t>(m_target.m_text.size()));
        m_column = 0;
        m_units = 0;
        m_spanStart = 0;
    }
    void endRow()
    {
        endSpan();
        m_target.m_columns = std::max(m_target.m_columns, m_column);
    }
    void endSpan()
    {
        if (m_color != Color::Plain && m_units > m_spanStart && m_target.m_spans.size() < kMostLogSpans)
            m_target.m_spans.push_back({static_cast<std::uint32_t>(m_target.m_starts.size() - 1), static_cast<std::uint16_t>(m_spanStart),
                                        static_cast<std::uint16_t>(m_units - m_spanStart), m_color});
        m_spanStart = m_units;
    }
    void makeRoom(int columns)
    {
        if (m_column + columns <= kRowColumns)
            return;
        endRow();
        beginRow();
        m_target.m_continued.push_back(static_cast<std::uint32_t>(m_target.m_starts.size() - 1));
        m_isContinued = true;
    }
    void put(std::string_view bytes, int columns, int units)
    {
        makeRoom(columns);
        m_target.m_text += bytes;
        m_column += columns;
        m_units += units;
    }
    void put(const QString& shown)
    {
        const QByteArray bytes = shown.toUtf8();
        put({bytes.constData(), static_cast<std::size_t>(bytes.size())}, static_cast<int>(shown.size()), static_cast<int>(shown.size()));
    }
    void takeOne()
    {
        const CodePoint c = codePointAt(m_log, m_at);
        if (c.value == '\n' || c.value == '\r') {
            m_at += c.value == '\r' && m_log.substr(m_at).starts_with("\r\n") ? std::size_t{2} : std::size_t{1};
            endRow();
            m_isContinued = false;
            beginRow();
            return;
        }
        if (c.value == '\t') {
            const int width = kTabColumns - m_column % kTabColumns;
            put(std::string(static_cast<std::size_t>(width), ' '), width, width);
        } else if (c.value == kEscape) {
            if (const Escape escape = escapeAt(m_log, m_at); escape.size > 0) {
                m_at += escape.size;
                if (escape.isColor) {
                    endSpan();
                    m_color = colorAfter(m_color, escape.colorCodes);
                }
                return;
            }
            put(QString(QChar(0x2400 + kEscape)));
        } else if (c.value < 0x20 || c.value == kDelete) {
            put(QString(QChar(c.value == kDelete ? 0x2421 : 0x2400 + c.value)));
        } else if (c.value < 0x7F) {
            takePlain();
            return;
        } else if (!c.isValid) {
            put(QString(QChar(QChar::ReplacementCharacter)));
        } else {
            const QString text = QString::fromUcs4(&c.value, 1);
            const QString shown = visibleText(text);
            if (shown == text)
                put(m_log.substr(m_at, c.size), columnsOf(c.value), static_cast<int>(text.size()));
            else
                put(shown);
        }
        m_at += c.size;
    }
    /// As many printable ASCII characters as the row has room for, at once.
    void takePlain()
    {
        makeRoom(1);
        const std::string_view rest = m_log.substr(m_at, static_cast<std::size_t>(kRowColumns - m_column));
        const auto end = std::find_if(rest.begin(), rest.end(), [](char c) { return c < 0x20 || c == 0x7F; });
        const auto size = static_cast<std::size_t>(end - rest.begin());
        put(rest.substr(0, size), static_cast<int>(size), static_cast<int>(size));
        m_at += size;
    }

    LogText& m_target;
    std::string_view m_log;
    std::size_t m_at = 0;
    int m_column = 0;
    int m_units = 0;
    int m_spanStart = 0;
    Color m_color = Color::Plain;
    bool m_isContinued = false;
};

std::shared_ptr<const LogText> LogText::build(std::shared_ptr<const std::string> log, const std::stop_token& stop)
{
    auto text = std::make_shared<LogText>();
    text->m_original = std::move(log);
    if (!text->m_original->empty())
        Builder(*text, *text->m_original).run(stop);
    text->m_text.shrink_to_fit();
    return text;
}

std::string_view LogText::bytes(int row) const
{
    const auto index = static_cast<std::size_t>(row);
    const std::size_t start = m_starts[index];
    const std::size_t end = index + 1 < m_starts.size() ? m_starts[index + 1] : m_text.size();
    return std::string_view(m_text).substr(start, end - start);
}

QString LogText::row(int row) const { return row < 0 || row >= rowCount() ? QString() : fromView(bytes(row)); }

bool LogText::isContinued(int row) const { return std::binary_search(m_continued.begin(), m_continued.end(), static_cast<std::uint32_t>(row)); }

int LogText::lineNumber(int row) const
{
    const auto upTo = std::upper_bound(m_continued.begin(), m_continued.end(), static_cast<std::uint32_t>(row));
    return row + 1 - static_cast<int>(upTo - m_continued.begin());
}

int LogText::rowOfLine(int line) const
{
    int first = 0;
    int count = rowCount();
    while (count > 0) {   // the first row whose number is not below the line's
        const int half = count / 2;
        if (lineNumber(first + half) < line) {
            first += half + 1;
            count -= half + 1;
        } else {
            count = half;
        }
    }
    return first;
}

std::vector<LogText::Span> LogText::spans(int row) const
{
    const auto [first, last] = std::equal_range(m_spans.begin(), m_spans.end(), Span{static_cast<std::uint32_t>(row), 0, 0, Color::Plain},
                                                [](const Span& a, const Span& b) { return a.row < b.row; });
    return {first, last};
}

QString LogText::text(Place from, Place to) const
{
    if (to < from)
        std::swap(from, to);
    QString text;
    for (int i = std::max(0, from.row); i <= std::min(to.row, rowCount() - 1); ++i) {
        if (i > from.row && !isContinued(i))
            text += QLatin1Char('\n');
        const QString shown = row(i);
        const qsizetype start = i == from.row ? std::min<qsizetype>(from.column, shown.size()) : 0;
        const qsizetype end = i == to.row ? std::min<qsizetype>(to.column, shown.size()) : shown.size();
        text += QStringView(shown).mid(start, end - start);
    }
    return text;
}

LogText::Matches LogText::find(const QString& wanted, const std::stop_token& stop) const
{
    Matches matches{wanted, {}, false};
    if (wanted.isEmpty() || wanted.size() > kRowColumns)
        return matches;
    const QStringMatcher matcher(wanted, Qt::CaseInsensitive);
    std::size_t bytesSeen = 0;
    std::vector<qsizetype> rowEnds;
    auto nextContinued = m_continued.begin();
    for (int first = 0; first < rowCount();) {
        QString line = row(first);
        rowEnds.assign(1, line.size());
        bytesSeen += bytes(first).size() + 1;
        int last = first;
        while (nextContinued != m_continued.end() && static_cast<int>(*nextContinued) == last + 1) {
            ++last;
            ++nextContinued;
            line += row(last);
            rowEnds.push_back(line.size());
            bytesSeen += bytes(last).size();
        }
        for (qsizetype at = matcher.indexIn(line); at >= 0; at = matcher.indexIn(line, at + wanted.size())) {
            if (matches.found.size() >= kMostMatches) {
                matches.isCut = true;
                return matches;
            }
            const auto behind = std::upper_bound(rowEnds.begin(), rowEnds.end(), at);
            const auto offset = behind - rowEnds.begin();
            const qsizetype rowStart = offset == 0 ? 0 : rowEnds[static_cast<std::size_t>(offset - 1)];
            matches.found.push_back({first + static_cast<int>(offset), static_cast<int>(at - rowStart), static_cast<int>(wanted.size())});
        }
        first = last + 1;
        if (bytesSeen >= kLogStopInterval) {
            bytesSeen = 0;
            if (stop.stop_requested())
                return matches;
        }
    }
    return matches;
}

}  // namespace tracedeck::ui
