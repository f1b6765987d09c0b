// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <bit>
#include <cstdint>

#include "core/judge/device_code.h"

namespace tracedeck::judge {

/// Rounds of the generator (philox.h): the fewest that pass every test of BigCrush (Salmon et al., "Parallel random numbers: as easy
/// as 1, 2, 3", 2011). More of them would make contents slower than memory.
inline constexpr int kPhiloxRounds = 7;

/// Generator blocks of four words in one chunk of random contents. Each word makes one unit: as many neighbouring elements as it
/// has bits for. Word k of block b makes unit 64 k + b of the chunk, so that words of equal rank lie side by side.
inline constexpr unsigned kFillBlocks = 64;
/// Units of one chunk.
inline constexpr unsigned kFillChunk = kFillBlocks * 4;

/// One piece of a piecewise linear function: offset + slope · t for t in [1, 2).
struct NormalSegment {
    float offset;
    float slope;
};
/// Segments are found by a float's bits above this one: the exponent and six bits of the mantissa.
inline constexpr int kNormalSegmentShift = 17;
/// The segment of 0.5, below which no word lies, and as many as reach to 2^31, above all of them.
inline constexpr unsigned kFirstNormalSegment = 126U << 6;
inline constexpr unsigned kNormalSegments = 32 * 64 + 1;
/// Steps of equal probability that the magnitudes of narrow formats come in.
inline constexpr unsigned kNormalQuantiles = 1U << 14;
/// They lie in the tables of narrow formats in a random order, as many side by side as one word makes, since a look at a table
/// costs more than the word: neighbours from one word are among so many pairs (or fours) of magnitudes, each with signs of its own.
inline constexpr unsigned kNormalPairs = kNormalQuantiles / 2;
inline constexpr unsigned kNormalFours = kNormalQuantiles / 4;

/// Standard normal: the word's highest bit is the sign, the others are the share of the tail, inverted by a table
/// (NormalTables::float32) whose steps follow that share's exponent, so that the tails are as exact as the middle: to some 1e-5.
/// Same bits everywhere (compiled without fused multiply-add).
TRACEDECK_HOST_DEVICE TRACEDECK_INLINE float normalValue(std::uint32_t word, const NormalSegment* segments)
{
    const float share = static_cast<float>(static_cast<std::int32_t>(word & 0x7FFFFFFFU)) + 0.5F;
    const auto bits = std::bit_cast<std::uint32_t>(share);
    const NormalSegment segment = segments[(bits >> kNormalSegmentShift) - kFirstNormalSegment];
    const auto within = std::bit_cast<float>(0x3F800000U | (bits << (23 - kNormalSegmentShift) & 0x007FFFFFU));
    const float magnitude = segment.offset + segment.slope * within;
    return std::bit_cast<float>(std::bit_cast<std::uint32_t>(magnitude) ^ (word & 0x80000000U));
}

/// Two 16-bit floats from a word: its lowest bits choose both magnitudes, two others are the signs.
TRACEDECK_HOST_DEVICE TRACEDECK_INLINE std::uint32_t twoNormals16(std::uint32_t word, const std::uint32_t* pairs)
{
    return pairs[word & (kNormalPairs - 1)] | (word & 0x80008000U);
}

/// Four 8-bit floats: the highest bits of its bytes are the signs, twelve of the others choose the magnitudes.
TRACEDECK_HOST_DEVICE TRACEDECK_INLINE std::uint32_t fourNormals8(std::uint32_t word, const std::uint32_t* fours)
{
    return fours[(word & 0x7FU) | (word >> 1 & 0xF80U)] | (word & 0x80808080U);
}

/// Uniform in -1024 … 1023, for int32 and int64.
TRACEDECK_HOST_DEVICE TRACEDECK_INLINE std::int32_t smallInteger(std::uint32_t word)
{
    return static_cast<std::int32_t>(word & 2047U) - 1024;
}

/// Two of them, of 16 bits.
TRACEDECK_HOST_DEVICE TRACEDECK_INLINE std::uint32_t twoSmallIntegers(std::uint32_t word)
{
    return (static_cast<std::uint32_t>(smallInteger(word)) & 0xFFFFU) | static_cast<std::uint32_t>(smallInteger(word >> 16)) << 16;
}

/// Four bytes of a fair coin.
TRACEDECK_HOST_DEVICE TRACEDECK_INLINE std::uint32_t fourCoins(std::uint32_t word)
{
    return word >> 7 & 0x01010101U;
}

}  // namespace tracedeck::judge
