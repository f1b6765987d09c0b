// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/model/result.h"

namespace tracedeck {

/// Why a name cannot be that of one file or folder, as the end of "…, because it"; empty when it can.
[[nodiscard]] std::string fileNameFault(std::string_view name);
/// Why a name does not show as what it is (control characters, ones that turn the direction of text or take no room), in the
/// same form; empty when it does.
[[nodiscard]] std::string displayFault(std::string_view name);

/// Names of `known` that someone who typed `name` may have meant: those that contain it or lie a few letters apart, the
/// nearest first.
[[nodiscard]] std::vector<std::string> nearNames(std::string_view name, const std::vector<std::string>& known);
/// "; did you mean 'a' or 'b'?", or what there is when nothing is near: "; there are a, b, c and 5 more"; "; there are none".
[[nodiscard]] std::string nameHint(std::string_view name, const std::vector<std::string>& known);

/// Error Usage that says which of the names in `asked` are not in `known`; `kind` as in "there is no definition 'x'", `where`
/// the folder or file that has them.
[[nodiscard]] Result<void> requireKnownNames(const std::string& kind, const std::vector<std::string>& asked,
                                             const std::vector<std::string>& known, const std::string& where);

}  // namespace tracedeck
