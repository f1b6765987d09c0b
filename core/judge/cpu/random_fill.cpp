// SPDX-License-Identifier: GPL-3.0-or-later
// The loops below are written for the compiler's vectoriser (plain arrays, no branches), also in debug builds, where
// core/CMakeLists.txt optimises this file all the same: inputs are made anew before every call.
#include "core/judge/cpu/random_fill.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>

#include "core/judge/number_formats.h"
#include "core/judge/random_values.h"

namespace tracedeck::judge {

namespace {

constexpr std::size_t kBlocks = kFillBlocks;
constexpr std::size_t kChunk = kFillChunk;

/// Random words of one chunk: word k of block b is element 64 k + b. A plain array, since checked ones don't vectorise.
using Words = std::uint32_t[kChunk];

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
        const auto small = [&word](std::size_t i) { return smallInteger(word(i)); };
        if (isFloating(dtype)) {
            normals(words, normal);
        }
        const auto clamped = [&normal](std::size_t i) { return clampToTwo(normal[i]); };
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

Result<void> checkRandomFill(DType dtype, std::uint64_t elements, std::uint64_t bytes)
{
    if (dtype == DType::Float4E2M1 || dtype == DType::Float4E2M1FNx2 || dtype == DType::Float64 || dtype == DType::Unknown) {
        return Error{ErrorCode::Unsupported,
                     "random inputs of dtype " + std::string(toString(dtype)) + " can't be made; the workload must bring them in a safetensors file",
                     {}, 0, {}};
    }
    if (byteSize(dtype, elements) > bytes) {
        return Error{ErrorCode::InvalidInput, "a buffer is smaller than its tensor", {}, 0, {}};
    }
    return {};
}

Result<void> fillRandomCpu(std::span<std::byte> data, DType dtype, std::uint64_t elements, const ContentKey& key)
{
    if (auto possible = checkRandomFill(dtype, elements, data.size()); !possible) {
        return possible;
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
