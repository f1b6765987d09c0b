// SPDX-License-Identifier: GPL-3.0-or-later
// The loops below are written for the compiler's vectoriser (plain arrays, no branches), also in debug builds, where
// core/CMakeLists.txt optimises this file all the same: inputs are made anew before every call.
#include "core/judge/cpu/random_fill.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <string>

#include "core/judge/number_formats.h"

namespace tracedeck::judge {

namespace {

constexpr std::size_t kBlocks = 64;              // generator blocks of four words a chunk
constexpr std::size_t kChunk = kBlocks * 4;      // elements a chunk

/// Random words of one chunk: word k of block b is element 64 k + b. A plain array, since checked ones don't vectorise.
using Words = std::uint32_t[kChunk];

#define TRACEDECK_INLINE inline __attribute__((always_inline))

/// Philox 4x32-10 for the 64 blocks of one chunk, words of equal rank side by side (see philox.h for one block).
TRACEDECK_INLINE void generate(Words& words, std::uint64_t chunk, const ContentKey& key)
{
    for (std::size_t block = 0; block < kBlocks; ++block) {
        const std::uint64_t position = chunk * kBlocks + block;
        words[block] = static_cast<std::uint32_t>(position);
        words[kBlocks + block] = static_cast<std::uint32_t>(position >> 32);
        words[2 * kBlocks + block] = key.call;
        words[3 * kBlocks + block] = key.tensor;
    }
    auto low = static_cast<std::uint32_t>(key.seed);
    auto high = static_cast<std::uint32_t>(key.seed >> 32);
    for (int round = 0; round < 10; ++round) {
        for (std::size_t block = 0; block < kBlocks; ++block) {
            const std::uint64_t first = std::uint64_t{0xD2511F53U} * words[block];
            const std::uint64_t second = std::uint64_t{0xCD9E8D57U} * words[2 * kBlocks + block];
            words[block] = static_cast<std::uint32_t>(second >> 32) ^ words[kBlocks + block] ^ low;
            words[kBlocks + block] = static_cast<std::uint32_t>(second);
            words[2 * kBlocks + block] = static_cast<std::uint32_t>(first >> 32) ^ words[3 * kBlocks + block] ^ high;
            words[3 * kBlocks + block] = static_cast<std::uint32_t>(first);
        }
        low += 0x9E3779B9U;
        high += 0xBB67AE85U;
    }
}

/// Box-Muller: two uniform words to two independent standard normal values. Polynomials, so that it vectorises and
/// gives the same bits everywhere; accurate to some 1e-7.
TRACEDECK_INLINE void normalPair(std::uint32_t radiusWord, std::uint32_t angleWord, float& one, float& two)
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

TRACEDECK_INLINE void normals(const Words& words, float (&out)[kChunk])
{
    for (std::size_t half = 0; half < 2; ++half) {
        const std::size_t first = 2 * half * kBlocks;
        for (std::size_t block = 0; block < kBlocks; ++block) {
            normalPair(words[first + block], words[first + kBlocks + block], out[first + block], out[first + kBlocks + block]);
        }
    }
}

template <class Element, class Convert>
TRACEDECK_INLINE void store(std::byte* target, std::size_t count, Convert convert)
{
    alignas(64) Element elements[kChunk];
    for (std::size_t i = 0; i < kChunk; ++i) {
        elements[i] = static_cast<Element>(convert(i));
    }
    std::memcpy(target, elements, count * sizeof(Element));
}

/// The whole tensor; the dtype is one that fillRandomCpu has accepted.
TRACEDECK_INLINE void fillAll(std::byte* data, DType dtype, std::uint64_t elements, const ContentKey& key)
{
    alignas(64) Words words;
    alignas(64) float normal[kChunk];
    for (std::uint64_t begin = 0; begin < elements; begin += kChunk) {
        const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(kChunk, elements - begin));
        generate(words, begin / kChunk, key);
        const auto word = [&words](std::size_t i) { return words[i]; };
        const auto small = [&word](std::size_t i) { return static_cast<std::int32_t>(word(i) & 2047U) - 1024; };
        if (isFloating(dtype)) {
            normals(words, normal);
        }
        const auto clamped = [&normal](std::size_t i) { return normal[i] < -2.0F ? -2.0F : normal[i] > 2.0F ? 2.0F : normal[i]; };
        switch (dtype) {
        case DType::Float32: store<float>(data + begin * 4, count, [&](std::size_t i) { return normal[i]; }); break;
        case DType::Float16: store<std::uint16_t>(data + begin * 2, count, [&](std::size_t i) { return Float16::encode(normal[i]); }); break;
        case DType::BFloat16: store<std::uint16_t>(data + begin * 2, count, [&](std::size_t i) { return encodeBFloat16(normal[i]); }); break;
        case DType::Float8E4M3FN: store<std::uint8_t>(data + begin, count, [&](std::size_t i) { return Float8E4M3::encode(clamped(i)); }); break;
        case DType::Float8E5M2: store<std::uint8_t>(data + begin, count, [&](std::size_t i) { return Float8E5M2::encode(clamped(i)); }); break;
        case DType::Int64: store<std::int64_t>(data + begin * 8, count, small); break;
        case DType::Int32: store<std::int32_t>(data + begin * 4, count, small); break;
        case DType::Int16: store<std::int16_t>(data + begin * 2, count, small); break;
        case DType::Int8: store<std::uint8_t>(data + begin, count, [&](std::size_t i) { return word(i) & 0xFFU; }); break;
        default: store<std::uint8_t>(data + begin, count, [&](std::size_t i) { return word(i) >> 31; }); break;
        }
    }
}

void fillPlain(std::byte* data, DType dtype, std::uint64_t elements, const ContentKey& key)
{
    fillAll(data, dtype, elements, key);
}

#if defined(__x86_64__)
// Without fused multiply-add, which would round differently from the plain version.
__attribute__((target("avx2"))) void fillAvx2(std::byte* data, DType dtype, std::uint64_t elements, const ContentKey& key)
{
    fillAll(data, dtype, elements, key);
}
#endif

}  // namespace

Result<void> fillRandomCpu(std::span<std::byte> data, DType dtype, std::uint64_t elements, const ContentKey& key)
{
    if (dtype == DType::Float4E2M1 || dtype == DType::Float4E2M1FNx2 || dtype == DType::Float64 || dtype == DType::Unknown) {
        return Error{ErrorCode::Unsupported,
                     "random inputs of dtype " + std::string(toString(dtype)) + " can't be made; the workload must bring them in a safetensors file",
                     {}, 0, {}};
    }
    if (byteSize(dtype, elements) > data.size()) {
        return Error{ErrorCode::InvalidInput, "a buffer is smaller than its tensor", {}, 0, {}};
    }
#if defined(__x86_64__)
    static const bool hasAvx2 = __builtin_cpu_supports("avx2") != 0;
    if (hasAvx2) {
        fillAvx2(data.data(), dtype, elements, key);
        return {};
    }
#endif
    fillPlain(data.data(), dtype, elements, key);
    return {};
}

Result<Json> drawScalar(DType dtype, const ContentKey& key)
{
    std::array<std::byte, 8> bytes{};
    if (auto filled = fillRandomCpu(bytes, dtype, 1, key); !filled) {
        return filled.error();
    }
    std::array<float, 1> value{};
    decodeToFloat(dtype, bytes, 0, value);
    if (dtype == DType::Bool) {
        return Json(value[0] != 0.0F);
    }
    if (isFloating(dtype)) {
        return Json(static_cast<double>(value[0]));
    }
    return Json(static_cast<std::int64_t>(value[0]));
}

}  // namespace tracedeck::judge
