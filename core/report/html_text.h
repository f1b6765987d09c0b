// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace tracedeck {

/// Text as the content of an element or of a quoted attribute, in HTML and in SVG: markup characters become entities, what could steer a
/// terminal, turn the direction of text or hide becomes a visible escape (printable()), bytes that are no UTF-8 become U+FFFD.
[[nodiscard]] std::string htmlText(std::string_view text);
/// The same for several lines (logs, sources): line ends, CR alone among them, and tabs stay.
[[nodiscard]] std::string htmlLines(std::string_view text);
/// At most `most` characters, `…` in the middle for what is left out: names differ at both ends.
[[nodiscard]] std::string shortened(std::string_view text, std::size_t most);
/// Base64 of the SHA-256 of a text, as a content security policy names scripts and styles.
[[nodiscard]] std::string sha256Base64(std::string_view text);

}  // namespace tracedeck
