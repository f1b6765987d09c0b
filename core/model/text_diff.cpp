// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/text_diff.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <unordered_map>

namespace tracedeck {

namespace {

/// Changes that are looked for one by one; the time grows with their number times the size of the texts, the memory with its square.
constexpr std::int64_t kMostChanges = 2000;
/// Longer lines are different as a whole.
constexpr std::size_t kLongestLineByWords = 2000;
constexpr double kLeastShared = 0.4;
using Numbers = std::vector<std::uint32_t>;

/// Places that both sequences have in common, in order.
using Matches = std::vector<std::pair<std::size_t, std::size_t>>;

bool isBlankOrTab(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/// Runs of blanks as one, none at the ends.
std::string withoutBlanks(std::string_view line)
{
    std::string text;
    for (const char c : line) {
        if (!isBlankOrTab(c)) text += c;
        else if (!text.empty() && text.back() != ' ') text += ' ';
    }
    if (!text.empty() && text.back() == ' ') text.pop_back();
    return text;
}

/// Replaces equal texts by equal numbers.
class Numberer {
public:
    explicit Numberer(bool ignoreBlanks) : m_ignoreBlanks(ignoreBlanks) {}
    Numbers numbersOf(const std::vector<std::string_view>& parts)
    {
        Numbers numbers;
        for (const std::string_view part : parts) {
            const auto next = static_cast<std::uint32_t>(m_ids.size());
            numbers.push_back(m_ids.emplace(m_ignoreBlanks ? withoutBlanks(part) : std::string(part), next).first->second);
        }
        return numbers;
    }

private:
    bool m_ignoreBlanks;
    std::unordered_map<std::string, std::uint32_t> m_ids;
};

/// Myers's greedy algorithm between a common beginning and a common end, which are taken off first.
class SequenceMatcher {
public:
    SequenceMatcher(const Numbers& left, const Numbers& right) : m_left(left), m_right(right) {}

    Matches find()
    {
        std::size_t begin = 0;
        while (begin < m_left.size() && begin < m_right.size() && m_left[begin] == m_right[begin]) ++begin;
        std::size_t end = 0;
        while (end < m_left.size() - begin && end < m_right.size() - begin && m_left[m_left.size() - 1 - end] == m_right[m_right.size() - 1 - end]) ++end;
        Matches matches;
        for (std::size_t i = 0; i < begin; ++i) matches.emplace_back(i, i);
        m_offset = begin;
        m_leftSize = static_cast<std::int64_t>(m_left.size() - begin - end);
        m_rightSize = static_cast<std::int64_t>(m_right.size() - begin - end);
        matchMiddle(matches);
        for (std::size_t i = end; i > 0; --i) matches.emplace_back(m_left.size() - i, m_right.size() - i);
        return matches;
    }

private:
    [[nodiscard]] bool isEqual(std::int64_t x, std::int64_t y) const
    {
        return m_left[m_offset + static_cast<std::size_t>(x)] == m_right[m_offset + static_cast<std::size_t>(y)];
    }
    /// How far the best path with `changes` changes gets on each diagonal (x - y), every second of -changes … changes.
    [[nodiscard]] std::int64_t& furthest(std::vector<std::int64_t>& reached, std::int64_t diagonal, std::int64_t changes) const
    {
        return reached[static_cast<std::size_t>((diagonal + changes) / 2)];
    }
    /// Whether the path to a diagonal came from the one above: by a line of the right text.
    [[nodiscard]] bool comesFromAbove(std::vector<std::int64_t>& before, std::int64_t diagonal, std::int64_t changes) const
    {
        if (diagonal == -changes) return true;
        return diagonal != changes && furthest(before, diagonal - 1, changes - 1) < furthest(before, diagonal + 1, changes - 1);
    }
    [[nodiscard]] std::int64_t startOn(std::vector<std::int64_t>& before, std::int64_t diagonal, std::int64_t changes) const
    {
        if (changes == 0) return 0;
        return comesFromAbove(before, diagonal, changes) ? furthest(before, diagonal + 1, changes - 1) : furthest(before, diagonal - 1, changes - 1) + 1;
    }

    void matchMiddle(Matches& matches)
    {
        if (m_leftSize == 0 || m_rightSize == 0) return;
        std::vector<std::vector<std::int64_t>> reachedBy;   // by number of changes
        const std::int64_t most = std::min(m_leftSize + m_rightSize, kMostChanges);
        for (std::int64_t changes = 0; changes <= most; ++changes) {
            reachedBy.emplace_back(static_cast<std::size_t>(changes) + 1);
            for (std::int64_t diagonal = -changes; diagonal <= changes; diagonal += 2) {
                std::int64_t x = startOn(changes > 0 ? reachedBy[static_cast<std::size_t>(changes) - 1] : reachedBy.back(), diagonal, changes);
                std::int64_t y = x - diagonal;
                while (x < m_leftSize && y >= 0 && y < m_rightSize && isEqual(x, y)) {
                    ++x;
                    ++y;
                }
                furthest(reachedBy.back(), diagonal, changes) = x;
                if (x >= m_leftSize && y >= m_rightSize) {
                    walkBack(reachedBy, matches);
                    return;
                }
            }
        }
    }
    void walkBack(std::vector<std::vector<std::int64_t>>& reachedBy, Matches& matches) const
    {
        const std::size_t first = matches.size();
        std::int64_t x = m_leftSize;
        std::int64_t y = m_rightSize;
        for (auto changes = static_cast<std::int64_t>(reachedBy.size()) - 1; changes >= 0; --changes) {
            std::vector<std::int64_t>& before = reachedBy[static_cast<std::size_t>(std::max<std::int64_t>(changes - 1, 0))];
            const std::int64_t diagonal = x - y;
            const std::int64_t start = startOn(before, diagonal, changes);
            for (; x > start; --x, --y) matches.emplace_back(m_offset + static_cast<std::size_t>(x - 1), m_offset + static_cast<std::size_t>(y - 1));
            if (changes > 0) {
                if (comesFromAbove(before, diagonal, changes)) --y;
                else --x;
            }
        }
        std::reverse(matches.begin() + static_cast<std::ptrdiff_t>(first), matches.end());
    }

    const Numbers& m_left;
    const Numbers& m_right;
    std::size_t m_offset = 0;
    std::int64_t m_leftSize = 0;
    std::int64_t m_rightSize = 0;
};

bool isWordByte(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}

/// Words, runs of blanks, and every other byte by itself.
std::vector<std::string_view> splitWords(std::string_view line)
{
    std::vector<std::string_view> words;
    for (std::size_t begin = 0; begin < line.size();) {
        std::size_t end = begin + 1;
        const auto same = isWordByte(line[begin]) ? isWordByte : isBlankOrTab;
        while (end < line.size() && same(line[begin]) && same(line[end])) ++end;
        words.push_back(line.substr(begin, end - begin));
        begin = end;
    }
    return words;
}

/// What of `words` has no match, neighbours as one span.
std::vector<TextSpan> unmatched(const std::vector<std::string_view>& words, const std::vector<bool>& isMatched)
{
    std::vector<TextSpan> spans;
    std::size_t place = 0;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::size_t end = place + words[i].size();
        if (!isMatched[i]) {
            if (!spans.empty() && spans.back().end == place) spans.back().end = end;
            else spans.push_back({place, end});
        }
        place = end;
    }
    return spans;
}

/// How much of a line, blanks left out, lies outside the spans.
double sharedShare(std::string_view line, const std::vector<TextSpan>& spans)
{
    const auto solid = [](std::string_view text) { return std::count_if(text.begin(), text.end(), [](char c) { return !isBlankOrTab(c); }); };
    const auto all = solid(line);
    std::ptrdiff_t different = 0;
    for (const TextSpan& span : spans) different += solid(line.substr(span.begin, span.end - span.begin));
    return all == 0 ? 1.0 : 1.0 - static_cast<double>(different) / static_cast<double>(all);
}

void markWords(DiffRow& row, std::string_view left, std::string_view right, bool ignoreBlanks)
{
    if (left.size() > kLongestLineByWords || right.size() > kLongestLineByWords) {
        return;
    }
    const auto leftWords = splitWords(left);
    const auto rightWords = splitWords(right);
    Numberer numberer(ignoreBlanks);
    const Numbers leftNumbers = numberer.numbersOf(leftWords);
    const Numbers rightNumbers = numberer.numbersOf(rightWords);
    std::vector<bool> ofLeft(leftWords.size(), false);
    std::vector<bool> ofRight(rightWords.size(), false);
    for (const auto& [l, r] : SequenceMatcher(leftNumbers, rightNumbers).find()) {
        ofLeft[l] = true;
        ofRight[r] = true;
    }
    row.leftSpans = unmatched(leftWords, ofLeft);
    row.rightSpans = unmatched(rightWords, ofRight);
    // Lines that only happen to share a few signs are different as a whole.
    if (sharedShare(left, row.leftSpans) < kLeastShared && sharedShare(right, row.rightSpans) < kLeastShared) {
        row.leftSpans.clear();
        row.rightSpans.clear();
    }
}

}  // namespace

std::vector<std::string_view> splitLines(std::string_view text)
{
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const auto end = text.find('\n');
        std::string_view line = text.substr(0, end);
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
        if (line.ends_with('\r')) line.remove_suffix(1);
        lines.push_back(line);
    }
    return lines;
}

TextDiff diffTexts(std::string_view left, std::string_view right, bool ignoreBlanks)
{
    const auto leftLines = splitLines(left);
    const auto rightLines = splitLines(right);
    Numberer numberer(ignoreBlanks);
    const Numbers leftNumbers = numberer.numbersOf(leftLines);
    const Numbers rightNumbers = numberer.numbersOf(rightLines);
    Matches matches = SequenceMatcher(leftNumbers, rightNumbers).find();
    matches.emplace_back(leftLines.size(), rightLines.size());   // the end
    TextDiff diff;
    std::size_t l = 0;
    std::size_t r = 0;
    for (const auto& [leftMatch, rightMatch] : matches) {
        // Lines between two matches: pairs replace each other, the rest was removed or added.
        while (l < leftMatch || r < rightMatch) {
            DiffRow row;
            if (l < leftMatch) row.left = l++;
            if (r < rightMatch) row.right = r++;
            if (row.left && row.right) {
                markWords(row, leftLines[*row.left], rightLines[*row.right], ignoreBlanks);
                ++diff.changed;
            } else {
                ++(row.left ? diff.removed : diff.added);
            }
            diff.rows.push_back(std::move(row));
        }
        if (leftMatch < leftLines.size()) diff.rows.push_back({l++, r++, true});
    }
    return diff;
}

}  // namespace tracedeck
