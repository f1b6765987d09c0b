// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tracedeck {

/// JSON text in which `NaN`, `Infinity` and numbers beyond the range of a double are replaced by finite numbers of the
/// same length, since nlohmann/json rejects them where the format accepts them.
struct FiniteText {
    std::string text;
    /// (how many number tokens come before it, the value it stands for without its sign), ascending.
    std::vector<std::pair<std::size_t, double>> replaced;
};

/// Text in strings is left alone. Anything that is not valid JSON stays as it is.
[[nodiscard]] FiniteText replaceNonFiniteTokens(std::string_view text);

}  // namespace tracedeck
