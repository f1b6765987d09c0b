// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/judge/device_code.h"
#include "core/model/dtype.h"
#include "core/model/result.h"

namespace tracedeck::judge {

/// A function of a standard normal (and, for a mask, of the element's place) that gives one of SOL-ExecBench's distributions
/// (dialect §4.4).
struct NormalMap {
    enum class Kind : std::uint8_t {
        Constant,     ///< a
        Scaled,       ///< a · normal
        Cosine,       ///< of a normal clamped to ±π
        Sine,
        Magnitude,    ///< |normal| + a
        Coin,         ///< 0 or 1, even odds
        Uniform,      ///< between a and b
        CausalMask    ///< 0 on and below the diagonal of the last two axes, a above
    };
    Kind kind = Kind::Constant;
    float a = 0;
    float b = 0;
    std::uint64_t columns = 1;   ///< length of the last axis, for masks

    /// Whether the values do not depend on what was drawn.
    [[nodiscard]] bool isFixed() const { return kind == Kind::Constant || kind == Kind::CausalMask; }
};

/// One element; `index` counts them in row order.
TRACEDECK_HOST_DEVICE inline float mapNormal(const NormalMap& map, float normal, std::uint64_t index)
{
    constexpr float kPi = 3.14159265F;
    constexpr float kSquareRootOfHalf = 0.70710678F;
    const float clamped = normal < -kPi ? -kPi : normal > kPi ? kPi : normal;
    switch (map.kind) {
    case NormalMap::Kind::Constant: return map.a;
    case NormalMap::Kind::Scaled: return map.a * normal;
    case NormalMap::Kind::Cosine: return std::cos(clamped);
    case NormalMap::Kind::Sine: return std::sin(clamped);
    case NormalMap::Kind::Magnitude: return std::fabs(normal) + map.a;
    case NormalMap::Kind::Coin: return normal < 0 ? 0.0F : 1.0F;
    case NormalMap::Kind::Uniform: return map.a + (map.b - map.a) * 0.5F * std::erfc(-normal * kSquareRootOfHalf);   // the normal's own distribution function
    case NormalMap::Kind::CausalMask: return index % map.columns <= index / map.columns % map.columns ? 0.0F : map.a;
    }
    return 0;
}

/// Error Unsupported for dtypes that are no float of 16 or 32 bits, InvalidInput for too small a buffer.
Result<void> checkNormalMap(DType dtype, std::uint64_t elements, std::uint64_t bytes);
/// Applies the map to every element in place. Errors as above.
Result<void> mapNormalsCpu(std::span<std::byte> data, DType dtype, std::uint64_t elements, const NormalMap& map);

}  // namespace tracedeck::judge
