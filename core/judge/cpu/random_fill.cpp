// SPDX-License-Identifier: GPL-3.0-or-later
// The loops below are written for the compiler's vectoriser (plain arrays, no branches), also in debug builds, where
// core/CMakeLists.txt optimises this file all the same: inputs are made anew before every call.
#include "core/judge/cpu/random_fill.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>

#include "core/judge/number_formats.h"
#include "core/judge/normal_tables.h"
#include "core/judge/random_values.h"

namespace tracedeck::judge {

namespace {

constexpr std::size_t kBlocks = kFillBlocks;
constexpr std::size_t kChunk = kFillChunk;

/// Random words of one chunk: word k of block b is at 64 k + b. A plain array, since checked ones don't vectorise.
using Words = std::uint32_t[kChunk];

/// Philox for the 64 blocks of one chunk, words of equal rank side by side (see philox.h for one block).
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
    for (int round = 0; round < kPhiloxRounds; ++round) {
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

/// The whole tensor: each word becomes one unit of some elements (random_values.h).
template <class Make>
TRACEDECK_INLINE void fillUnits(std::span<std::byte> data, const ContentKey& key, Make make)
{
    using Unit = decltype(make(std::uint32_t{}));
    alignas(64) Words words;
    alignas(64) Unit units[kChunk];
    for (std::size_t begin = 0; begin < data.size(); begin += sizeof units) {
        generate(words, begin / sizeof units, key);
        for (std::size_t i = 0; i < kChunk; ++i) {
            units[i] = make(words[i]);
        }
        std::memcpy(data.data() + begin, units, std::min(sizeof units, data.size() - begin));
    }
}

/// The dtype is one that fillRandomCpu has accepted.
TRACEDECK_INLINE void fillAll(std::span<std::byte> data, DType dtype, const ContentKey& key)
{
    const NormalTables& tables = normalTables();
    const auto two16 = [](const auto& pairs) { return [table = pairs.data()](std::uint32_t word) { return twoNormals16(word, table); }; };
    const auto four8 = [](const auto& fours) { return [table = fours.data()](std::uint32_t word) { return fourNormals8(word, table); }; };
    switch (dtype) {
    case DType::Float32:
        fillUnits(data, key, [segments = tables.float32.data()](std::uint32_t word) { return normalValue(word, segments); });
        break;
    case DType::Float16: fillUnits(data, key, two16(tables.float16)); break;
    case DType::BFloat16: fillUnits(data, key, two16(tables.bfloat16)); break;
    case DType::Float8E4M3FN: fillUnits(data, key, four8(tables.float8e4m3)); break;
    case DType::Float8E5M2: fillUnits(data, key, four8(tables.float8e5m2)); break;
    case DType::Int64: fillUnits(data, key, [](std::uint32_t word) { return std::int64_t{smallInteger(word)}; }); break;
    case DType::Int32: fillUnits(data, key, [](std::uint32_t word) { return smallInteger(word); }); break;
    case DType::Int16: fillUnits(data, key, [](std::uint32_t word) { return twoSmallIntegers(word); }); break;
    case DType::Int8: fillUnits(data, key, [](std::uint32_t word) { return word; }); break;
    default: fillUnits(data, key, [](std::uint32_t word) { return fourCoins(word); }); break;
    }
}

void fillPlain(std::span<std::byte> data, DType dtype, const ContentKey& key)
{
    fillAll(data, dtype, key);
}

#if defined(__x86_64__)
// Without fused multiply-add, which would round differently from the plain version.
__attribute__((target("avx2"))) void fillAvx2(std::span<std::byte> data, DType dtype, const ContentKey& key)
{
    fillAll(data, dtype, key);
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
    const std::span<std::byte> drawn = data.first(static_cast<std::size_t>(byteSize(dtype, elements)));
#if defined(__x86_64__)
    static const bool hasAvx2 = __builtin_cpu_supports("avx2") != 0;
    if (hasAvx2) {
        fillAvx2(drawn, dtype, key);
        return {};
    }
#endif
    fillPlain(drawn, dtype, key);
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
