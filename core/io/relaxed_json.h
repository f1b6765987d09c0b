// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tracedeck {

/// JSON as people write it, made JSON.
struct RelaxedJson {
    std::string text;                     ///< as long as the original: what was taken out is blank, line ends stay
    std::vector<std::size_t> comments;    ///< where `//` and `/* */` comments began
    std::vector<std::size_t> commas;      ///< where commas stood before a closing bracket
};
/// Takes comments and trailing commas out; the rest is not looked at and need not be JSON.
[[nodiscard]] RelaxedJson relaxJson(std::string_view text);

}  // namespace tracedeck
