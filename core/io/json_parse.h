// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <map>
#include <string>
#include <optional>
#include <string_view>
#include <vector>

#include "core/io/json_codec.h"

namespace tracedeck {

/// True when the text begins with a UTF-8 byte order mark.
[[nodiscard]] bool hasByteOrderMark(std::string_view text);
/// The text without a byte order mark.
[[nodiscard]] std::string_view withoutByteOrderMark(std::string_view text);

/// What a JSON text may hold.
struct JsonRules {
    std::size_t maximumDepth = 200;
    bool allowsNonFinite = true;       ///< NaN, Infinity, numbers beyond the range of a double
    bool allowsDuplicateKeys = true;   ///< the last one counts
    std::size_t maximumValues = std::numeric_limits<std::size_t>::max();   ///< of any kind, at any depth
};
/// Parses UTF-8 text without a byte order mark.
[[nodiscard]] Result<Json> parseJsonText(std::string_view text, const JsonRules& rules);

/// The value in a small file of our own, strictly: no NaN, no key twice. Nothing when there is no such file. Errors name the file.
[[nodiscard]] Result<std::optional<Json>> readJsonFile(const std::filesystem::path& file, std::uint64_t maximumBytes);

/// Fills in the line of each error and warning from its dotted field. For a field that is missing, the line of the
/// innermost object that would hold it. `text` must be valid JSON as parseJson() reads it.
void assignLines(std::string_view text, std::vector<Error*> places);

/// Where the first object or array of a text ends (the place after its last bracket); std::nullopt when it does not.
[[nodiscard]] std::optional<std::size_t> jsonValueEnd(std::string_view text);

/// The JSON values that stand one after the other in a text, for records that were glued on one line. Only objects
/// and arrays are told apart; the last piece may be cut off. One piece when there is nothing to split.
[[nodiscard]] std::vector<std::string_view> splitJsonValues(std::string_view text);

}  // namespace tracedeck
