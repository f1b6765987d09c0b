// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tracedeck {

/// How texts for people are laid out.
struct TextLook {
    std::size_t width = 0;   ///< columns of the terminal, which no line of a table exceeds; 0: as wide as it takes
    bool color = false;      ///< with escape sequences for colours
};
/// That of this process. The default is that of files and pipes: whole and plain.
[[nodiscard]] const TextLook& textLook();
/// Once, at the start of a program that writes to a terminal, before other threads are there.
void setTextLook(const TextLook& look);

/// Columns that a text takes on a terminal: East Asian wide characters take two, combining ones none.
[[nodiscard]] std::size_t displayWidth(std::string_view text);
/// At most so many columns; what is too long has `…` for its middle, as names differ at both ends.
[[nodiscard]] std::string fitted(std::string_view text, std::size_t width);

/// What a text says of a result.
enum class TextTone { Plain, Good, Bad, Heading, Quiet };
/// By the statuses and verdicts of results.
[[nodiscard]] TextTone toneOf(std::string_view cell);
/// With colour where the look has some; never without.
[[nodiscard]] std::string toned(std::string text, TextTone tone);

}  // namespace tracedeck
