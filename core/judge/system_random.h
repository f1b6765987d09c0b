// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace tracedeck::judge {

/// 64 bits from the system's random source.
[[nodiscard]] std::uint64_t systemRandom();

}  // namespace tracedeck::judge
