// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/cuda/kernel_support.cuh"
#include "core/judge/random_values.h"

namespace tracedeck::judge::kernels {

namespace {

/// Twice the usual, so that few blocks read the tables.
constexpr unsigned kFillThreads = 512;

/// What one word makes: `Unit` values of a dtype, from a table or without one. The twin of the loops in cpu/random_fill.cpp.
template <class Unit, class Entry, unsigned entries>
struct Maker {
    using Made = Unit;
    using TableEntry = Entry;
    static constexpr unsigned kEntries = entries;
};
using Untabled = unsigned char;

struct MakeFloat32 : Maker<float, NormalSegment, kNormalSegments> {
    static __device__ __forceinline__ float make(std::uint32_t word, const NormalSegment* table) { return normalValue(word, table); }
};
struct MakeFloats16 : Maker<std::uint32_t, std::uint32_t, kNormalPairs> {
    static __device__ __forceinline__ std::uint32_t make(std::uint32_t word, const std::uint32_t* table) { return twoNormals16(word, table); }
};
struct MakeFloats8 : Maker<std::uint32_t, std::uint32_t, kNormalFours> {
    static __device__ __forceinline__ std::uint32_t make(std::uint32_t word, const std::uint32_t* table) { return fourNormals8(word, table); }
};
struct MakeInt64 : Maker<std::int64_t, Untabled, 0> {
    static __device__ __forceinline__ std::int64_t make(std::uint32_t word, const Untabled*) { return smallInteger(word); }
};
struct MakeInt32 : Maker<std::int32_t, Untabled, 0> {
    static __device__ __forceinline__ std::int32_t make(std::uint32_t word, const Untabled*) { return smallInteger(word); }
};
struct MakeInts16 : Maker<std::uint32_t, Untabled, 0> {
    static __device__ __forceinline__ std::uint32_t make(std::uint32_t word, const Untabled*) { return twoSmallIntegers(word); }
};
struct MakeInts8 : Maker<std::uint32_t, Untabled, 0> {
    static __device__ __forceinline__ std::uint32_t make(std::uint32_t word, const Untabled*) { return word; }
};
struct MakeCoins : Maker<std::uint32_t, Untabled, 0> {
    static __device__ __forceinline__ std::uint32_t make(std::uint32_t word, const Untabled*) { return fourCoins(word); }
};

/// Philox (see philox.h) at one position.
__device__ __forceinline__ void generate(std::uint64_t position, const FillKey& key, std::uint32_t (&words)[4])
{
    words[0] = static_cast<std::uint32_t>(position);
    words[1] = static_cast<std::uint32_t>(position >> 32);
    words[2] = key.call;
    words[3] = key.tensor;
    auto low = static_cast<std::uint32_t>(key.seed);
    auto high = static_cast<std::uint32_t>(key.seed >> 32);
#pragma unroll
    for (int round = 0; round < kPhiloxRounds; ++round) {
        const std::uint64_t first = std::uint64_t{0xD2511F53U} * words[0];
        const std::uint64_t second = std::uint64_t{0xCD9E8D57U} * words[2];
        words[0] = static_cast<std::uint32_t>(second >> 32) ^ words[1] ^ low;
        words[1] = static_cast<std::uint32_t>(second);
        words[2] = static_cast<std::uint32_t>(first >> 32) ^ words[3] ^ high;
        words[3] = static_cast<std::uint32_t>(first);
        low += 0x9E3779B9U;
        high += 0xBB67AE85U;
    }
    // All 32 bits are wanted: where only some are used, the compiler splits the products into slower ones.
    asm volatile("" : "+r"(words[0]), "+r"(words[1]), "+r"(words[2]), "+r"(words[3]));
}

/// One thread makes as many neighbouring generator blocks as fill a vector, hence four vectors, one for each rank of words.
template <class Make>
__global__ void __launch_bounds__(kFillThreads) fillKernel(std::uint8_t* data, std::uint64_t bytes, FillKey key, std::uint64_t stride,
                                                           const typename Make::TableEntry* __restrict__ table)
{
    using Unit = typename Make::Made;
    using Entry = typename Make::TableEntry;
    constexpr unsigned kPerVector = kVectorBytes / sizeof(Unit);
    constexpr unsigned kGroups = kFillBlocks / kPerVector;   // threads that share a chunk
    constexpr std::uint64_t kChunkBytes = kFillChunk * sizeof(Unit);
    __shared__ alignas(16) Entry shared[Make::kEntries + 1];
    if constexpr (Make::kEntries > 0) {
        for (unsigned i = threadIdx.x; i < Make::kEntries; i += kFillThreads) {
            shared[i] = table[i];
        }
        __syncthreads();
    }
    data += blockIdx.y * stride;
    key.call += blockIdx.y;
    const std::uint64_t groups = (bytes + kChunkBytes - 1) / kChunkBytes * kGroups;
    for (std::uint64_t group = firstOfThread(); group < groups; group += threadsOfGrid()) {
        Unit out[4][kPerVector];
#pragma unroll
        for (unsigned i = 0; i < kPerVector; ++i) {
            std::uint32_t words[4];
            generate(group * kPerVector + i, key, words);
#pragma unroll
            for (int rank = 0; rank < 4; ++rank) {
                out[rank][i] = Make::make(words[rank], shared);
            }
        }
        const std::uint64_t first = group / kGroups * kChunkBytes + group % kGroups * kVectorBytes;
#pragma unroll
        for (unsigned rank = 0; rank < 4; ++rank) {
            const std::uint64_t begin = first + rank * kFillBlocks * sizeof(Unit);
            const auto vector = reinterpret<uint4>(out[rank]);
            if (begin + kVectorBytes <= bytes) {
                *reinterpret_cast<uint4*>(data + begin) = vector;
                continue;
            }
            const std::uint32_t parts[4] = {vector.x, vector.y, vector.z, vector.w};
#pragma unroll
            for (unsigned byte = 0; byte < kVectorBytes; ++byte) {   // unrolled: the index of an array in registers must be known
                if (begin + byte < bytes) {
                    data[begin + byte] = static_cast<std::uint8_t>(parts[byte / 4] >> (8 * (byte % 4)));
                }
            }
        }
    }
}

template <class Make>
cudaError_t launchFill(const Launch& launch, void* data, std::uint64_t bytes, const FillKey& key, const Copies& copies,
                       const typename Make::TableEntry* table)
{
    constexpr std::uint64_t kChunkBytes = kFillChunk * sizeof(typename Make::Made);
    const std::uint64_t groups = (bytes + kChunkBytes - 1) / kChunkBytes * (kFillBlocks * sizeof(typename Make::Made) / kVectorBytes);
    const std::uint64_t needed = (groups + kFillThreads - 1) / kFillThreads;
    const auto grid = static_cast<unsigned>(std::clamp<std::uint64_t>(needed, 1, std::max(1U, launch.blocks * kThreads / kFillThreads / copies.count)));
    fillKernel<Make><<<dim3(grid, copies.count), kFillThreads, 0, launch.stream>>>(static_cast<std::uint8_t*>(data), bytes, key, copies.stride, table);
    return cudaGetLastError();
}

}  // namespace

cudaError_t fillRandom(const Launch& launch, void* data, DType dtype, std::uint64_t elements, const FillKey& key, const NormalTables* tables,
                       const Copies& copies)
{
    if (copies.count == 0 || copies.count > kMostCopies) {
        return cudaErrorInvalidValue;
    }
    if (elements == 0) {
        return cudaSuccess;
    }
    const std::uint64_t bytes = byteSize(dtype, elements);
    const auto table = [tables](auto member) { return (tables->*member).data(); };   // an address on the GPU: nothing is read here
    switch (dtype) {
    case DType::Float32: return launchFill<MakeFloat32>(launch, data, bytes, key, copies, table(&NormalTables::float32));
    case DType::Float16: return launchFill<MakeFloats16>(launch, data, bytes, key, copies, table(&NormalTables::float16));
    case DType::BFloat16: return launchFill<MakeFloats16>(launch, data, bytes, key, copies, table(&NormalTables::bfloat16));
    case DType::Float8E4M3FN: return launchFill<MakeFloats8>(launch, data, bytes, key, copies, table(&NormalTables::float8e4m3));
    case DType::Float8E5M2: return launchFill<MakeFloats8>(launch, data, bytes, key, copies, table(&NormalTables::float8e5m2));
    case DType::Int64: return launchFill<MakeInt64>(launch, data, bytes, key, copies, nullptr);
    case DType::Int32: return launchFill<MakeInt32>(launch, data, bytes, key, copies, nullptr);
    case DType::Int16: return launchFill<MakeInts16>(launch, data, bytes, key, copies, nullptr);
    case DType::Int8: return launchFill<MakeInts8>(launch, data, bytes, key, copies, nullptr);
    case DType::Bool: return launchFill<MakeCoins>(launch, data, bytes, key, copies, nullptr);
    default: return cudaErrorInvalidValue;
    }
}

}  // namespace tracedeck::judge::kernels
