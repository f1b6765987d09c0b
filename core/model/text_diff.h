// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace tracedeck {

/// Bytes of a line, from `begin` to `end` - 1.
struct TextSpan {
    std::size_t begin = 0;
    std::size_t end = 0;

    bool operator==(const TextSpan&) const = default;
};

/// One row of two texts side by side.
struct DiffRow {
    std::optional<std::size_t> left;      ///< line number from 0; none: a line was added
    std::optional<std::size_t> right;     ///< none: a line was removed
    bool isSame = false;                  ///< both are there and equal, as far as was asked for
    std::vector<TextSpan> leftSpans{};    ///< what differs in a line that has a partner; none where the two have little in common
    std::vector<TextSpan> rightSpans{};

    bool operator==(const DiffRow&) const = default;
};

struct TextDiff {
    std::vector<DiffRow> rows;
    std::size_t changed = 0;   ///< lines that have a partner and differ
    std::size_t removed = 0;
    std::size_t added = 0;

    [[nodiscard]] bool isSame() const { return changed + removed + added == 0; }
};

/// Lines of a text without their ends (LF or CRLF); a text that ends with a line end has no empty line after it.
[[nodiscard]] std::vector<std::string_view> splitLines(std::string_view text);

/// Two texts line by line, with as few lines removed and added as there can be (Myers, "An O(ND) difference algorithm", 1986), and
/// word by word in lines that replace each other. Texts that have next to nothing in common are cut short: what lies between
/// their common beginning and end counts as replaced. `ignoreBlanks`: runs of blanks and tabs count as one, none at the ends.
[[nodiscard]] TextDiff diffTexts(std::string_view left, std::string_view right, bool ignoreBlanks = false);

}  // namespace tracedeck
