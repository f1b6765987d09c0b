// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/io/safetensors.h"

namespace tracedeck {

struct SafetensorsHeader {
    std::vector<SafetensorsEntry> entries;   ///< in header order
    SafetensorsMetadata metadata;
};

/// Reads the JSON header and checks it against the number of data bytes (rules 4 to 11 of data model §6.2, in order).
/// Errors have no file.
[[nodiscard]] Result<SafetensorsHeader> parseSafetensorsHeader(std::string_view header, std::uint64_t dataBytes);

/// Bits of one element of a header dtype; std::nullopt for a name that the format does not have.
[[nodiscard]] std::optional<std::uint64_t> safetensorsBits(std::string_view dtype);
/// Place of a header dtype in the writer's order, ascending; only for names that the format has.
[[nodiscard]] std::size_t safetensorsRank(std::string_view dtype);

}  // namespace tracedeck
