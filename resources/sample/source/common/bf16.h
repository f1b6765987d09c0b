// SPDX-License-Identifier: GPL-3.0-or-later
// A bfloat16 is the upper half of a float32.
#pragma once

#include <cstdint>
#include <cstring>

inline float bf16ToFloat(std::uint16_t half) {
    const std::uint32_t bits = static_cast<std::uint32_t>(half) << 16;
    float value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

// Rounds to nearest, ties to even. A NaN stays a NaN.
inline std::uint16_t bf16FromFloat(float value) {
    std::uint32_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    const std::uint32_t rounded = (bits + 0x7FFFu + ((bits >> 16) & 1u)) >> 16;
    const std::uint32_t quietNan = (bits >> 16) | 0x40u;
    const bool isNan = (bits & 0x7FFFFFFFu) > 0x7F800000u;
    return static_cast<std::uint16_t>(isNan ? quietNan : rounded);
}
