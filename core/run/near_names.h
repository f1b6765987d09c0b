// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tracedeck {

/// What somebody who wrote `name` may have meant: the known name with the fewest letters to insert, delete or replace, when those
/// are at most a third of its length; capitals do not count. Empty when nothing is close.
[[nodiscard]] std::string nearestName(std::string_view name, const std::vector<std::string_view>& known);

}  // namespace tracedeck
