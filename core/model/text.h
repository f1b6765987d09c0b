// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tracedeck {

/// Without the Unicode white space at both ends, as the format trims lines (Python's str.strip()).
[[nodiscard]] std::string_view trimWhitespace(std::string_view text);
/// ASCII letters in lower (upper) case, other bytes as they are.
[[nodiscard]] std::string asciiLower(std::string_view text);
[[nodiscard]] std::string asciiUpper(std::string_view text);
/// The text with every byte that is not part of valid UTF-8 replaced by U+FFFD, for file names in messages.
[[nodiscard]] std::string toValidUtf8(std::string_view text);
/// A shape or an index: `[4, 128]`.
[[nodiscard]] std::string shapeText(const std::vector<std::int64_t>& numbers);
/// `3.5 MiB`; what is below a KiB as a whole number of `smallestUnit`.
[[nodiscard]] std::string bytesText(std::uint64_t bytes, std::string_view smallestUnit = "bytes");

}  // namespace tracedeck
