// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cuda_runtime_api.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/judge/normal_map.h"
#include "core/judge/normal_tables.h"
#include "core/model/dtype.h"

/// The judge's own kernels. All run asynchronously on one stream; each function returns the error of its launch. Data is aligned
/// to 16 bytes, and memory is readable (not meaningful) up to the next multiple of 16 bytes.
namespace tracedeck::judge::kernels {

/// Where and how wide to launch: `blocks` bounds the grid, on which no result depends.
struct Launch {
    cudaStream_t stream = nullptr;
    unsigned blocks = 1;
};

/// Blocks that fill a device of so many multiprocessors.
[[nodiscard]] constexpr unsigned blocksFor(int multiprocessors)
{
    return static_cast<unsigned>(multiprocessors > 0 ? multiprocessors : 1) * 8U;
}

/// Position of random contents: Philox key and the two upper words of its counter.
struct FillKey {
    std::uint64_t seed;
    std::uint32_t call;
    std::uint32_t tensor;
};

/// So many tensors of one kind, `stride` bytes from one to the next; at most kMostCopies.
struct Copies {
    unsigned count = 1;
    std::uint64_t stride = 0;
};
inline constexpr std::size_t kMostCopies = 32;

/// Same bytes as fillRandomCpu; `tables` is a copy of normalTables() in device memory. Each further copy has the next `call`.
/// cudaErrorInvalidValue for a dtype without a distribution.
cudaError_t fillRandom(const Launch& launch, void* data, DType dtype, std::uint64_t elements, const FillKey& key, const NormalTables* tables,
                       const Copies& copies = {});

/// Applies a NormalMap to every element in place. cudaErrorInvalidValue for dtypes that mapNormalsCpu doesn't take.
cudaError_t mapNormals(const Launch& launch, void* data, DType dtype, std::uint64_t elements, const NormalMap& map);

/// Sixteen bytes that repeat.
struct Pattern {
    std::array<std::uint8_t, 16> bytes;
};
/// Writes a pattern again and again, from `data` on the first, `stride` bytes further the second, and so on. At most kMostCopies.
cudaError_t fillPatterns(const Launch& launch, void* data, std::uint64_t bytes, std::span<const Pattern> patterns, std::uint64_t stride = 0);
inline cudaError_t fillPattern(const Launch& launch, void* data, std::uint64_t bytes, const Pattern& pattern)
{
    return fillPatterns(launch, data, bytes, std::span(&pattern, 1));
}

/// The two red zones of one block: [0, dataBegin) and [dataEnd, blockEnd). Byte i of the block holds zone byte i modulo 16.
struct RedZones {
    std::uint8_t* block;
    std::uint64_t dataBegin;
    std::uint64_t dataEnd;
    std::uint64_t blockEnd;
    Pattern zone;
};
/// Blocks that one launch takes (the kernel's parameters hold them).
inline constexpr std::size_t kRedZoneBatch = 48;
cudaError_t writeRedZones(const Launch& launch, const RedZones& zones);
/// Lowers *firstBroken (device memory) to `first` + the index of the first block of which a byte differs. At most kRedZoneBatch.
cudaError_t checkRedZones(const Launch& launch, std::span<const RedZones> blocks, unsigned first, unsigned* firstBroken);

/// Everything that one comparison finds. Keys are the bits of a non-negative float, which order as the floats do; NaN is above
/// infinity.
struct CompareTotals {
    std::uint64_t bad;                 ///< over both bounds
    std::uint64_t infinities;
    std::uint64_t nans;
    std::uint64_t expectedNonFinite;
    std::uint64_t poisoned;            ///< codes equal to the poison where the expected code is another (float4: bytes)
    std::uint64_t worst;               ///< first element of the largest absolute error
    std::uint32_t absoluteKey;
    std::uint32_t relativeKey;
};
/// `partials` has room for launch.blocks, `total` for one.
cudaError_t compare(const Launch& launch, const void* actual, const void* expected, DType dtype, std::uint64_t elements, float atol,
                    float rtol, std::uint64_t poison, CompareTotals* partials, CompareTotals* total);

/// One word to hide: where it is, and where its decoy comes from.
struct WordSwap {
    std::uint32_t* word;
    const std::uint32_t* decoy;
};
/// What a hidden word held, and what it holds meanwhile.
struct HiddenValue {
    std::uint32_t truth;
    std::uint32_t decoy;
};
/// Puts the decoys into the words and notes both values. Everything is read before anything is written. All in memory that the GPU
/// reaches; at most kMostHidden.
inline constexpr std::size_t kMostHidden = 1024;
cudaError_t hideWords(const Launch& launch, const WordSwap* swaps, HiddenValue* values, std::size_t count);

/// Softmax over rows in place. cudaErrorInvalidValue for dtypes that softmaxRowsCpu doesn't take.
cudaError_t softmaxRows(const Launch& launch, void* data, DType dtype, std::uint64_t rows, std::uint64_t columns);

/// Sets *different (device memory, 0 before) when one byte differs.
cudaError_t findDifference(const Launch& launch, const void* one, const void* two, std::uint64_t bytes, unsigned* different);

/// One word's share in a checksum: the sum (modulo 2^64) over all 64-bit words of the data, zero-padded, and over their number.
[[nodiscard]] constexpr std::uint64_t mixWord(std::uint64_t word, std::uint64_t position)
{
    std::uint64_t mixed = word + (position + 1) * 0x9E3779B97F4A7C15U;
    mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9U;   // the finaliser of SplitMix64 (Steele, Lea, Flood 2014)
    mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EBU;
    return mixed ^ mixed >> 31;
}
/// Adds the shares of all words of the data to *sum (device memory).
cudaError_t checksum(const Launch& launch, const void* data, std::uint64_t bytes, unsigned long long* sum);

}  // namespace tracedeck::judge::kernels
