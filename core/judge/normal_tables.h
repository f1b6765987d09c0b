// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>

#include "core/judge/random_values.h"

namespace tracedeck::judge {

/// What turns random words into standard normal values (random_values.h). Both devices read the same tables, so that a seed
/// gives the same bits on each.
struct NormalTables {
    /// By exponent and upper mantissa bits of the word's lower 31 bits as a float: the inverse of the tail's share, piecewise linear.
    std::array<NormalSegment, kNormalSegments> float32;
    /// Codes of the magnitudes at equal steps of probability, in a random order, two or four in an entry; the float8 formats clamp
    /// to two (benchmark §1.2).
    std::array<std::uint32_t, kNormalPairs> float16;
    std::array<std::uint32_t, kNormalPairs> bfloat16;
    std::array<std::uint32_t, kNormalFours> float8e4m3;
    std::array<std::uint32_t, kNormalFours> float8e5m2;
};

/// Made at the first call.
[[nodiscard]] const NormalTables& normalTables();

}  // namespace tracedeck::judge
