// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/packed_keys.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/judge/cpu/random_fill.h"
#include "core/judge/number_formats.h"
#include "core/judge/philox.h"

namespace tracedeck::judge {

std::optional<KeyCacheShape> keyCacheShape(DType dtype, const std::vector<std::int64_t>& shape)
{
    constexpr auto kScaleBytes = static_cast<std::int64_t>(sizeof(float));
    if (dtype != DType::Int8 || shape.size() != 4 || shape[2] != 1 || shape[3] <= kScaleBytes || shape[1] <= 0) {
        return std::nullopt;
    }
    return KeyCacheShape{static_cast<std::uint64_t>(shape[0]), static_cast<std::uint64_t>(shape[1]), static_cast<std::uint64_t>(shape[3] - kScaleBytes)};
}

std::vector<std::byte> randomKeyCache(const KeyCacheShape& shape, const ContentKey& key)
{
    constexpr float kLargestValue = 448.0F;   // of float8_e4m3fn
    constexpr float kSmallestAmplitude = 1e-4F;
    const auto perPage = static_cast<std::size_t>(shape.pageSize * shape.headDim);
    const auto headDim = static_cast<std::size_t>(shape.headDim);
    std::vector<std::byte> cache(static_cast<std::size_t>(shape.bytes()));
    std::vector<std::byte> drawn(perPage * 2);
    std::vector<float> values(perPage);
    for (std::uint64_t page = 0; page < shape.pages; ++page) {
        const std::uint64_t seed = philoxWord(key.seed, page, std::uint64_t{key.tensor} << 32 | key.call);
        // bfloat16 has a distribution, and the buffer is as large as it must be.
        static_cast<void>(fillRandomCpu(drawn, DType::BFloat16, perPage, {seed, key.call, key.tensor}));
        decodeToFloat(DType::BFloat16, drawn, 0, values);
        std::byte* place = cache.data() + page * shape.pageBytes();
        for (std::size_t token = 0; token < shape.pageSize; ++token) {
            const std::span<const float> ofToken = std::span(values).subspan(token * headDim, headDim);
            float amplitude = kSmallestAmplitude;
            for (const float value : ofToken) {
                amplitude = std::max(amplitude, std::fabs(value));
            }
            const float scale = amplitude / kLargestValue;
            const float factor = 1.0F / scale;
            for (std::size_t i = 0; i < headDim; ++i) {
                // Rounding may carry the largest one over the end of the format, where it would become NaN.
                const float scaled = std::clamp(ofToken[i] * factor, -kLargestValue, kLargestValue);
                place[token * headDim + i] = static_cast<std::byte>(Float8E4M3::encode(scaled));
            }
            std::memcpy(place + perPage + token * sizeof(float), &scale, sizeof scale);
        }
    }
    return cache;
}

void unpackKey(std::span<const std::byte> cache, const KeyCacheShape& shape, std::uint64_t page, std::uint64_t offset, std::span<float> out)
{
    const std::byte* place = cache.data() + page * shape.pageBytes();
    float scale = 0;
    std::memcpy(&scale, place + shape.pageSize * shape.headDim + offset * sizeof(float), sizeof scale);
    for (std::size_t i = 0; i < out.size(); ++i) {
        out[i] = Float8E4M3::decode(std::to_integer<std::uint32_t>(place[offset * shape.headDim + i])) * scale;
    }
}

}  // namespace tracedeck::judge
