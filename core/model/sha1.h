// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace tracedeck {

/// Lower-case hexadecimal SHA-1 of the bytes. The format names things by it; it protects nothing.
[[nodiscard]] std::string sha1Hex(std::string_view bytes);

}  // namespace tracedeck
