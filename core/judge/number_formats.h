// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/judge/device_code.h"
#include "core/model/dtype.h"

namespace tracedeck::judge {

/// A floating-point format of at most 16 bits: sign, `exponentBits`, `mantissaBits`, IEEE-like bias.
/// `hasInfinity` false: all-ones exponent holds numbers but for all-ones mantissa, which is NaN (float8_e4m3fn).
template <int exponentBits, int mantissaBits, bool hasInfinity>
struct SmallFloat {
    static constexpr int kBias = (1 << (exponentBits - 1)) - 1;
    static constexpr std::uint32_t kExponentMask = (1U << exponentBits) - 1U;
    static constexpr std::uint32_t kMantissaMask = (1U << mantissaBits) - 1U;
    static constexpr int kSignShift = exponentBits + mantissaBits;

    /// Exact.
    TRACEDECK_HOST_DEVICE static float decode(std::uint32_t code)
    {
        const std::uint32_t sign = (code >> kSignShift & 1U) << 31;
        const std::uint32_t exponent = code >> mantissaBits & kExponentMask;
        const std::uint32_t mantissa = code & kMantissaMask;
        const std::uint32_t widened = mantissa << (23 - mantissaBits);
        if (hasInfinity ? exponent == kExponentMask : (exponent == kExponentMask && mantissa == kMantissaMask)) {
            const std::uint32_t quiet = mantissa != 0 ? 0x00400000U : 0U;
            return std::bit_cast<float>(sign | 0x7F800000U | widened | quiet);
        }
        if (exponent == 0) {
            // Subnormal: mantissa times the smallest positive number, a power of two.
            constexpr std::uint32_t kSmallest = static_cast<std::uint32_t>(127 + 1 - kBias - mantissaBits) << 23;
            const float magnitude = static_cast<float>(mantissa) * std::bit_cast<float>(kSmallest);
            return std::bit_cast<float>(sign | std::bit_cast<std::uint32_t>(magnitude));
        }
        return std::bit_cast<float>(sign | (exponent + static_cast<std::uint32_t>(127 - kBias)) << 23 | widened);
    }

    /// Nearest, ties to even. Too large: infinity, or NaN where the format has none. NaN becomes a quiet NaN.
    TRACEDECK_HOST_DEVICE static std::uint32_t encode(float value)
    {
        const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
        const std::uint32_t sign = bits >> 31 << kSignShift;
        const std::uint32_t magnitude = bits & 0x7FFFFFFFU;
        constexpr std::uint32_t kNan = hasInfinity ? (kExponentMask << mantissaBits | 1U << (mantissaBits - 1))
                                                   : (kExponentMask << mantissaBits | kMantissaMask);
        constexpr std::uint32_t kTooLarge = hasInfinity ? kExponentMask << mantissaBits : kNan;
        constexpr int kShift = 23 - mantissaBits;
        // First float whose rounding leaves the format.
        constexpr std::uint32_t kLimit = static_cast<std::uint32_t>(127 + static_cast<int>(kExponentMask) - kBias) << 23;
        constexpr std::uint32_t kSmallestNormal = static_cast<std::uint32_t>(127 + 1 - kBias) << 23;
        // Adding a power of two whose last place is the smallest subnormal makes the addition do the rounding.
        constexpr std::uint32_t kRounder = static_cast<std::uint32_t>(127 + 1 - kBias - mantissaBits + 23) << 23;
        const std::uint32_t subnormal =
            std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude) + std::bit_cast<float>(kRounder)) - kRounder;
        const std::uint32_t lastPlace = magnitude >> kShift & 1U;
        const std::uint32_t rounded = magnitude + (1U << (kShift - 1)) - 1U + lastPlace;
        std::uint32_t normal = (rounded - (static_cast<std::uint32_t>(127 - kBias) << 23)) >> kShift;
        if constexpr (hasInfinity) {
            normal = magnitude >= kLimit ? kTooLarge : normal;
        } else {
            normal = magnitude >= kLimit + (1U << 23) || normal > kNan ? kTooLarge : normal;
        }
        std::uint32_t code = magnitude < kSmallestNormal ? subnormal : normal;
        code = magnitude > 0x7F800000U ? kNan : code;
        return sign | code;
    }
};

using Float16 = SmallFloat<5, 10, true>;
using Float8E4M3 = SmallFloat<4, 3, false>;
using Float8E5M2 = SmallFloat<5, 2, true>;

TRACEDECK_HOST_DEVICE inline float decodeBFloat16(std::uint16_t code)
{
    return std::bit_cast<float>(static_cast<std::uint32_t>(code) << 16);
}
/// Nearest, ties to even; NaN becomes a quiet NaN.
TRACEDECK_HOST_DEVICE inline std::uint16_t encodeBFloat16(float value)
{
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
    const std::uint32_t rounded = (bits + 0x7FFFU + (bits >> 16 & 1U)) >> 16;
    const std::uint32_t nan = (bits >> 16 & 0x8000U) | 0x7FC0U;
    return static_cast<std::uint16_t>((bits & 0x7FFFFFFFU) > 0x7F800000U ? nan : rounded);
}
/// Value of a 4-bit float4_e2m1 code (no NaN, no infinity).
float decodeFloat4(std::uint8_t code);

/// Elements `first` … `first + out.size()` of packed data as 32-bit floats, as the comparison sees them (benchmark §4.3).
void decodeToFloat(DType dtype, std::span<const std::byte> data, std::size_t first, std::span<float> out);
/// Rounds floats into a floating dtype (not float4_e2m1), packed at element `first` of `data`.
void encodeFromFloat(DType dtype, std::span<const float> values, std::size_t first, std::span<std::byte> data);

/// Bits of one poisoned element: a quiet NaN with payload from `pattern`, a random number for integers, a byte other than
/// 0 and 1 for bool, a random byte (two elements) for float4_e2m1.
std::uint64_t poisonElement(DType dtype, std::uint64_t pattern);

}  // namespace tracedeck::judge
