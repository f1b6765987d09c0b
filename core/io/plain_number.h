// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace tracedeck {

/// Reads the JSON number without a sign that stands between `at` and `end`: the double next to it, bit for bit as
/// std::from_chars finds it, in a third of the time. Returns the place behind the number; nullptr when there is none, when it
/// is beyond what a double holds, or when it is an integer of more than 15 digits, about which the codec decides. Eight bytes behind the end must be readable.
[[nodiscard]] const char* readPlainNumber(const char* at, const char* end, double& number);

}  // namespace tracedeck
