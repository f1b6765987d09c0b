// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tracedeck {

/// Microseconds since 1970 of an ISO 8601 time such as `2026-01-31T12:00:00.5`, with or without zone (none: taken as UTC,
/// so that times of one machine compare). nullopt for any other text.
[[nodiscard]] std::optional<std::int64_t> timestampMicroseconds(std::string_view timestamp);

/// Whether it has a value for a text; a few times faster for one such as `2026-01-31T12:00:00.123456`.
[[nodiscard]] bool isTimestamp(std::string_view timestamp);

/// The text of a time in microseconds since 1970: `2026-01-31T12:00:00`, with six decimals where it is no whole second.
[[nodiscard]] std::string timestampText(std::int64_t microseconds);

/// Local time without zone, microseconds: `2026-01-31T12:00:00.123456`, as the format writes it.
[[nodiscard]] std::string localTimestamp();

}  // namespace tracedeck
