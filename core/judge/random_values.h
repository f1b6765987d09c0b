// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "core/judge/device_code.h"

namespace tracedeck::judge {

/// Generator blocks of four words in one chunk of random contents: word k of block b makes element 64 k + b of the chunk, so
/// that words of equal rank lie side by side.
inline constexpr unsigned kFillBlocks = 64;
/// Elements of one chunk.
inline constexpr unsigned kFillChunk = kFillBlocks * 4;

/// Box-Muller: two uniform words to two independent standard normal values. Polynomials, so that it vectorises and
/// gives the same bits everywhere (compiled without fused multiply-add); accurate to some 1e-7.
TRACEDECK_HOST_DEVICE TRACEDECK_INLINE void normalPair(std::uint32_t radiusWord, std::uint32_t angleWord, float& one, float& two)
{
    // u in (0, 1], written as mantissa m in [2/3, 4/3) times a power of two; ln m = 2 atanh((m - 1) / (m + 1)).
    const float u = (static_cast<float>(static_cast<std::int32_t>(radiusWord >> 1)) + 0.5F) * 0x1p-31F;
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(u);
    const std::uint32_t shifted = bits - 0x3F2AAAABU;
    const float power = static_cast<float>(static_cast<std::int32_t>(shifted) >> 23);
    const float mantissa = std::bit_cast<float>((shifted & 0x007FFFFFU) + 0x3F2AAAABU);
    const float s = (mantissa - 1.0F) / (mantissa + 1.0F);
    const float s2 = s * s;
    const float series = 2.0F + s2 * (2.0F / 3 + s2 * (2.0F / 5 + s2 * (2.0F / 7 + s2 * (2.0F / 9))));
    const float logarithm = power * 0.693147180559945F + s * series;
    const float squared = -2.0F * logarithm;
    const float radius = std::sqrt(squared > 0.0F ? squared : 0.0F);
    // Two bits choose the quadrant, thirty the angle within it, from -pi/4 to pi/4; Taylor series there.
    const float angle = (static_cast<float>(static_cast<std::int32_t>(angleWord & 0x3FFFFFFFU)) * 0x1p-30F - 0.5F) * 1.57079632679490F;
    const float a2 = angle * angle;
    const float sine = angle * (1.0F + a2 * (-1.0F / 6 + a2 * (1.0F / 120 + a2 * (-1.0F / 5040 + a2 * (1.0F / 362880)))));
    const float cosine = 1.0F + a2 * (-0.5F + a2 * (1.0F / 24 + a2 * (-1.0F / 720 + a2 * (1.0F / 40320))));
    const std::uint32_t swap = 0U - (angleWord >> 30 & 1U);   // all ones in the odd quadrants
    const std::uint32_t sineBits = std::bit_cast<std::uint32_t>(sine);
    const std::uint32_t cosineBits = std::bit_cast<std::uint32_t>(cosine);
    const std::uint32_t x = (cosineBits & ~swap) | (sineBits & swap);
    const std::uint32_t y = (sineBits & ~swap) | (cosineBits & swap);
    const std::uint32_t quadrant = angleWord >> 30;
    const std::uint32_t signX = ((quadrant + 1) >> 1 & 1U) << 31;
    const std::uint32_t signY = (quadrant >> 1 & 1U) << 31;
    one = radius * std::bit_cast<float>(x ^ signX);
    two = radius * std::bit_cast<float>(y ^ signY);
}

/// What the float8 formats take of a normal value (benchmark §1.2).
TRACEDECK_HOST_DEVICE TRACEDECK_INLINE float clampToTwo(float value)
{
    return value < -2.0F ? -2.0F : value > 2.0F ? 2.0F : value;
}

/// Uniform in -1024 … 1023, for int16, int32 and int64.
TRACEDECK_HOST_DEVICE TRACEDECK_INLINE std::int32_t smallInteger(std::uint32_t word)
{
    return static_cast<std::int32_t>(word & 2047U) - 1024;
}

}  // namespace tracedeck::judge
