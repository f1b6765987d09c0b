// SPDX-License-Identifier: GPL-3.0-or-later
// Compiled without fused multiply-add, so that random contents and error statistics are those of the cpu device to the bit.
// No result depends on the grid: sums are of integers, maxima are ordered, and no thread shares an accumulator of floats.
#include "core/judge/cuda/kernels.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "core/judge/number_formats.h"
#include "core/judge/random_values.h"

namespace tracedeck::judge::kernels {

namespace {

constexpr unsigned kThreads = 256;
constexpr std::uint64_t kVectorBytes = sizeof(uint4);
constexpr std::uint64_t kNowhere = ~std::uint64_t{0};
constexpr std::uint32_t kInfinityBits = 0x7F800000U;

__device__ std::uint64_t firstOfThread() { return std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; }
__device__ std::uint64_t threadsOfGrid() { return std::uint64_t{gridDim.x} * blockDim.x; }

unsigned gridFor(const Launch& launch, std::uint64_t items)
{
    const std::uint64_t needed = (items + kThreads - 1) / kThreads;
    return static_cast<unsigned>(std::clamp<std::uint64_t>(needed, 1, launch.blocks));
}

template <class To, class From>
__device__ To reinterpret(const From& from)
{
    static_assert(sizeof(To) == sizeof(From));
    To to;
    memcpy(&to, &from, sizeof(To));
    return to;
}

// ---- Random contents ----

template <DType dtype>
struct Drawn;

template <class Element>
struct DrawnNormal {
    using Code = Element;
    template <class Convert>
    static __device__ void make(const std::uint32_t (&words)[4], Code (&out)[4], Convert convert)
    {
        float values[4];
        normalPair(words[0], words[1], values[0], values[1]);
        normalPair(words[2], words[3], values[2], values[3]);
        for (int i = 0; i < 4; ++i) {
            out[i] = static_cast<Code>(convert(values[i]));
        }
    }
};
template <>
struct Drawn<DType::Float32> : DrawnNormal<float> {
    static __device__ void draw(const std::uint32_t (&words)[4], float (&out)[4])
    {
        make(words, out, [](float value) { return value; });
    }
};
template <>
struct Drawn<DType::Float16> : DrawnNormal<std::uint16_t> {
    static __device__ void draw(const std::uint32_t (&words)[4], std::uint16_t (&out)[4])
    {
        make(words, out, [](float value) { return Float16::encode(value); });
    }
};
template <>
struct Drawn<DType::BFloat16> : DrawnNormal<std::uint16_t> {
    static __device__ void draw(const std::uint32_t (&words)[4], std::uint16_t (&out)[4])
    {
        make(words, out, [](float value) { return encodeBFloat16(value); });
    }
};
template <>
struct Drawn<DType::Float8E4M3FN> : DrawnNormal<std::uint8_t> {
    static __device__ void draw(const std::uint32_t (&words)[4], std::uint8_t (&out)[4])
    {
        make(words, out, [](float value) { return Float8E4M3::encode(clampToTwo(value)); });
    }
};
template <>
struct Drawn<DType::Float8E5M2> : DrawnNormal<std::uint8_t> {
    static __device__ void draw(const std::uint32_t (&words)[4], std::uint8_t (&out)[4])
    {
        make(words, out, [](float value) { return Float8E5M2::encode(clampToTwo(value)); });
    }
};

template <class Element>
struct DrawnSmall {
    using Code = Element;
    static __device__ void draw(const std::uint32_t (&words)[4], Code (&out)[4])
    {
        for (int i = 0; i < 4; ++i) {
            out[i] = static_cast<Code>(smallInteger(words[i]));
        }
    }
};
template <>
struct Drawn<DType::Int64> : DrawnSmall<std::int64_t> {};
template <>
struct Drawn<DType::Int32> : DrawnSmall<std::int32_t> {};
template <>
struct Drawn<DType::Int16> : DrawnSmall<std::int16_t> {};
template <>
struct Drawn<DType::Int8> {
    using Code = std::uint8_t;
    static __device__ void draw(const std::uint32_t (&words)[4], Code (&out)[4])
    {
        for (int i = 0; i < 4; ++i) {
            out[i] = static_cast<Code>(words[i] & 0xFFU);
        }
    }
};
template <>
struct Drawn<DType::Bool> {
    using Code = std::uint8_t;
    static __device__ void draw(const std::uint32_t (&words)[4], Code (&out)[4])
    {
        for (int i = 0; i < 4; ++i) {
            out[i] = static_cast<Code>(words[i] >> 31);
        }
    }
};

/// Philox 4x32-10 (see philox.h) at one position.
__device__ __forceinline__ void generate(std::uint64_t position, const FillKey& key, std::uint32_t (&words)[4])
{
    words[0] = static_cast<std::uint32_t>(position);
    words[1] = static_cast<std::uint32_t>(position >> 32);
    words[2] = key.call;
    words[3] = key.tensor;
    auto low = static_cast<std::uint32_t>(key.seed);
    auto high = static_cast<std::uint32_t>(key.seed >> 32);
#pragma unroll
    for (int round = 0; round < 10; ++round) {
        const std::uint64_t first = std::uint64_t{0xD2511F53U} * words[0];
        const std::uint64_t second = std::uint64_t{0xCD9E8D57U} * words[2];
        words[0] = static_cast<std::uint32_t>(second >> 32) ^ words[1] ^ low;
        words[1] = static_cast<std::uint32_t>(second);
        words[2] = static_cast<std::uint32_t>(first >> 32) ^ words[3] ^ high;
        words[3] = static_cast<std::uint32_t>(first);
        low += 0x9E3779B9U;
        high += 0xBB67AE85U;
    }
}

/// One thread makes as many neighbouring generator blocks as fill a vector, hence four vectors, one for each rank of words.
template <DType dtype>
__global__ void __launch_bounds__(kThreads) fillKernel(typename Drawn<dtype>::Code* data, std::uint64_t elements, FillKey key)
{
    using Code = typename Drawn<dtype>::Code;
    constexpr unsigned kPerVector = kVectorBytes / sizeof(Code);
    constexpr unsigned kGroups = kFillBlocks / kPerVector;   // threads that share a chunk
    const std::uint64_t groups = (elements + kFillChunk - 1) / kFillChunk * kGroups;
    for (std::uint64_t group = firstOfThread(); group < groups; group += threadsOfGrid()) {
        Code out[4][kPerVector];
#pragma unroll
        for (unsigned i = 0; i < kPerVector; ++i) {
            std::uint32_t words[4];
            Code codes[4];
            generate(group * kPerVector + i, key, words);
            Drawn<dtype>::draw(words, codes);
            for (int rank = 0; rank < 4; ++rank) {
                out[rank][i] = codes[rank];
            }
        }
        const std::uint64_t first = group / kGroups * kFillChunk + group % kGroups * kPerVector;
#pragma unroll
        for (unsigned rank = 0; rank < 4; ++rank) {
            const std::uint64_t begin = first + rank * kFillBlocks;
            if (begin + kPerVector <= elements) {
                *reinterpret_cast<uint4*>(data + begin) = reinterpret<uint4>(out[rank]);
            } else {
#pragma unroll
                for (unsigned i = 0; i < kPerVector; ++i) {   // unrolled: the index of an array in registers must be known
                    if (begin + i < elements) {
                        data[begin + i] = out[rank][i];
                    }
                }
            }
        }
    }
}

template <DType dtype>
cudaError_t launchFill(const Launch& launch, void* data, std::uint64_t elements, const FillKey& key)
{
    using Code = typename Drawn<dtype>::Code;
    const std::uint64_t groups = (elements + kFillChunk - 1) / kFillChunk * (kFillBlocks * sizeof(Code) / kVectorBytes);
    fillKernel<dtype><<<gridFor(launch, groups), kThreads, 0, launch.stream>>>(static_cast<Code*>(data), elements, key);
    return cudaGetLastError();
}

// ---- Patterns and red zones ----

__global__ void __launch_bounds__(kThreads) patternKernel(std::uint8_t* data, std::uint64_t bytes, Pattern pattern)
{
    const auto vector = reinterpret<uint4>(pattern);
    const std::uint64_t vectors = bytes / kVectorBytes;
    for (std::uint64_t i = firstOfThread(); i < vectors; i += threadsOfGrid()) {
        reinterpret_cast<uint4*>(data)[i] = vector;
    }
    const std::uint64_t rest = vectors * kVectorBytes + firstOfThread();
    if (rest < bytes) {
        data[rest] = pattern.bytes[rest % kVectorBytes];
    }
}

/// Calls `each(vector, first byte, end byte)` for every vector of the block that touches a red zone; bytes are within the vector.
template <class Each>
__device__ __forceinline__ void forZoneVectors(const RedZones& zones, std::uint64_t start, std::uint64_t stride, Each each)
{
    const std::uint64_t head = (zones.dataBegin + kVectorBytes - 1) / kVectorBytes;
    for (std::uint64_t i = start; i < head; i += stride) {
        each(i, 0U, static_cast<unsigned>(min(kVectorBytes, zones.dataBegin - i * kVectorBytes)));
    }
    const std::uint64_t tail = zones.dataEnd / kVectorBytes;
    const std::uint64_t end = zones.blockEnd / kVectorBytes;
    for (std::uint64_t i = tail + start; i < end; i += stride) {
        each(i, i == tail ? static_cast<unsigned>(zones.dataEnd % kVectorBytes) : 0U, static_cast<unsigned>(kVectorBytes));
    }
}

__global__ void __launch_bounds__(kThreads) writeZonesKernel(RedZones zones)
{
    const auto vector = reinterpret<uint4>(zones.zone);
    forZoneVectors(zones, firstOfThread(), threadsOfGrid(), [&](std::uint64_t i, unsigned first, unsigned end) {
        if (first == 0 && end == kVectorBytes) {
            reinterpret_cast<uint4*>(zones.block)[i] = vector;
            return;
        }
        for (unsigned byte = first; byte < end; ++byte) {
            zones.block[i * kVectorBytes + byte] = zones.zone.bytes[byte];
        }
    });
}

struct RedZoneBatch {
    RedZones blocks[kRedZoneBatch];
};

__global__ void __launch_bounds__(kThreads) checkZonesKernel(RedZoneBatch batch, unsigned first, unsigned* firstBroken)
{
    const RedZones& zones = batch.blocks[blockIdx.y];
    const auto right = reinterpret<uint4>(zones.zone);
    bool broken = false;
    forZoneVectors(zones, firstOfThread(), threadsOfGrid(), [&](std::uint64_t i, unsigned begin, unsigned end) {
        if (begin == 0 && end == kVectorBytes) {
            const uint4 found = reinterpret_cast<const uint4*>(zones.block)[i];
            broken = broken || found.x != right.x || found.y != right.y || found.z != right.z || found.w != right.w;
            return;
        }
        for (unsigned byte = begin; byte < end; ++byte) {
            broken = broken || zones.block[i * kVectorBytes + byte] != zones.zone.bytes[byte];
        }
    });
    if (__syncthreads_or(broken ? 1 : 0) != 0 && threadIdx.x == 0) {
        atomicMin(firstBroken, first + blockIdx.y);
    }
}

// ---- Comparison ----

template <DType dtype>
struct Stored;
template <>
struct Stored<DType::Float32> {
    using Code = std::uint32_t;
    static __device__ float decode(Code code) { return __uint_as_float(code); }
};
template <>
struct Stored<DType::Float16> {
    using Code = std::uint16_t;
    static __device__ float decode(Code code) { return Float16::decode(code); }
    static __device__ Code encode(float value) { return static_cast<Code>(Float16::encode(value)); }
};
template <>
struct Stored<DType::BFloat16> {
    using Code = std::uint16_t;
    static __device__ float decode(Code code) { return decodeBFloat16(code); }
    static __device__ Code encode(float value) { return encodeBFloat16(value); }
};
template <>
struct Stored<DType::Float8E4M3FN> {
    using Code = std::uint8_t;
    static __device__ float decode(Code code) { return Float8E4M3::decode(code); }
    static __device__ Code encode(float value) { return static_cast<Code>(Float8E4M3::encode(value)); }
};
template <>
struct Stored<DType::Float8E5M2> {
    using Code = std::uint8_t;
    static __device__ float decode(Code code) { return Float8E5M2::decode(code); }
    static __device__ Code encode(float value) { return static_cast<Code>(Float8E5M2::encode(value)); }
};
template <>
struct Stored<DType::Int64> {
    using Code = std::uint64_t;
    static __device__ float decode(Code code) { return static_cast<float>(static_cast<std::int64_t>(code)); }
};
template <>
struct Stored<DType::Int32> {
    using Code = std::uint32_t;
    static __device__ float decode(Code code) { return static_cast<float>(static_cast<std::int32_t>(code)); }
};
template <>
struct Stored<DType::Int16> {
    using Code = std::uint16_t;
    static __device__ float decode(Code code) { return static_cast<float>(static_cast<std::int16_t>(code)); }
};
template <>
struct Stored<DType::Int8> {
    using Code = std::uint8_t;
    static __device__ float decode(Code code) { return static_cast<float>(static_cast<std::int8_t>(code)); }
};
template <>
struct Stored<DType::Bool> {
    using Code = std::uint8_t;
    static __device__ float decode(Code code) { return code != 0 ? 1.0F : 0.0F; }
};

__device__ __forceinline__ float float4Value(unsigned code)
{
    // 0, 0.5, 1, 1.5, 2, 3, 4, 6: the half-values of the eight magnitudes, four bits each.
    const auto halves = static_cast<float>(0xC8643210U >> (4 * (code & 7U)) & 15U);
    return (code & 8U) != 0 ? -0.5F * halves : 0.5F * halves;
}

/// What one thread has found so far. Its elements are few enough for 32 bits.
struct Findings {
    std::uint32_t bad = 0;
    std::uint32_t infinities = 0;
    std::uint32_t nans = 0;
    std::uint32_t expectedNonFinite = 0;
    std::uint32_t poisoned = 0;
    std::uint32_t absoluteKey = 0;
    std::uint32_t relativeKey = 0;
    std::uint64_t worst = kNowhere;

    __device__ __forceinline__ void add(float x, float y, float atol, float rtol, std::uint64_t index)
    {
        const float absolute = fabsf(x - y);
        const float relative = absolute / (fabsf(y) + 1e-8F);
        const std::uint32_t magnitude = __float_as_uint(x) & 0x7FFFFFFFU;
        const std::uint32_t expectedMagnitude = __float_as_uint(y) & 0x7FFFFFFFU;
        bad += absolute > atol && relative > rtol ? 1U : 0U;
        if (max(magnitude, expectedMagnitude) >= kInfinityBits) {
            infinities += magnitude == kInfinityBits ? 1U : 0U;
            nans += magnitude > kInfinityBits ? 1U : 0U;
            expectedNonFinite += expectedMagnitude >= kInfinityBits ? 1U : 0U;
        }
        // Every NaN that arithmetic makes here has the same bits, above those of infinity.
        const std::uint32_t absoluteBits = __float_as_uint(absolute);
        worst = absoluteBits > absoluteKey ? index : worst;
        absoluteKey = max(absoluteKey, absoluteBits);
        relativeKey = max(relativeKey, __float_as_uint(relative) & 0x7FFFFFFFU);
    }
};

/// Zeroes the bytes of a vector from `valid` on.
__device__ __forceinline__ void cut(uint4& vector, unsigned valid)
{
    auto* words = reinterpret_cast<std::uint32_t*>(&vector);
#pragma unroll
    for (unsigned i = 0; i < 4; ++i) {
        const int left = static_cast<int>(valid) - static_cast<int>(4 * i);
        words[i] = left >= 4 ? words[i] : left <= 0 ? 0U : words[i] & ((1U << (8 * left)) - 1U);
    }
}

__device__ void merge(CompareTotals& into, const CompareTotals& other)
{
    into.bad += other.bad;
    into.infinities += other.infinities;
    into.nans += other.nans;
    into.expectedNonFinite += other.expectedNonFinite;
    into.poisoned += other.poisoned;
    if (other.absoluteKey > into.absoluteKey || (other.absoluteKey == into.absoluteKey && other.worst < into.worst)) {
        into.absoluteKey = other.absoluteKey;
        into.worst = other.worst;
    }
    into.relativeKey = max(into.relativeKey, other.relativeKey);
}

/// The totals of a block's threads, in thread 0.
__device__ CompareTotals mergeBlock(const CompareTotals& mine)
{
    __shared__ CompareTotals shared[kThreads];
    shared[threadIdx.x] = mine;
    __syncthreads();
    for (unsigned half = kThreads / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) {
            merge(shared[threadIdx.x], shared[threadIdx.x + half]);
        }
        __syncthreads();
    }
    return shared[0];
}

__device__ CompareTotals nothingFound()
{
    return CompareTotals{0, 0, 0, 0, 0, kNowhere, 0, 0};
}

__device__ void storePartial(const Findings& found, CompareTotals* partials)
{
    const CompareTotals mine{found.bad,      found.infinities, found.nans,        found.expectedNonFinite,
                             found.poisoned, found.worst,      found.absoluteKey, found.relativeKey};
    const CompareTotals all = mergeBlock(mine);
    if (threadIdx.x == 0) {
        partials[blockIdx.x] = all;
    }
}

template <DType dtype>
__global__ void __launch_bounds__(kThreads)
compareKernel(const uint4* __restrict__ actual, const uint4* __restrict__ expected, std::uint64_t elements, float atol, float rtol,
              typename Stored<dtype>::Code poison, CompareTotals* partials)
{
    using Code = typename Stored<dtype>::Code;
    constexpr unsigned kPerVector = kVectorBytes / sizeof(Code);
    const std::uint64_t vectors = (elements + kPerVector - 1) / kPerVector;
    Findings found;
    for (std::uint64_t i = firstOfThread(); i < vectors; i += threadsOfGrid()) {
        uint4 x = actual[i];
        uint4 y = expected[i];
        const std::uint64_t first = i * kPerVector;
        if (elements - first < kPerVector) {
            // Equal zeros beyond the end: no error, no poison.
            cut(x, static_cast<unsigned>((elements - first) * sizeof(Code)));
            cut(y, static_cast<unsigned>((elements - first) * sizeof(Code)));
        }
        Code codes[kPerVector];
        Code expectedCodes[kPerVector];
        memcpy(codes, &x, sizeof(x));
        memcpy(expectedCodes, &y, sizeof(y));
#pragma unroll
        for (unsigned e = 0; e < kPerVector; ++e) {
            found.add(Stored<dtype>::decode(codes[e]), Stored<dtype>::decode(expectedCodes[e]), atol, rtol, first + e);
            found.poisoned += codes[e] == poison && expectedCodes[e] != poison ? 1U : 0U;
        }
    }
    storePartial(found, partials);
}

/// Two elements a byte; the last byte's upper half may be none. Poison is counted by bytes.
__global__ void __launch_bounds__(kThreads) compareFloat4Kernel(const std::uint8_t* __restrict__ actual, const std::uint8_t* __restrict__ expected,
                                                                std::uint64_t elements, float atol, float rtol, std::uint8_t poison,
                                                                CompareTotals* partials)
{
    const std::uint64_t bytes = (elements + 1) / 2;
    Findings found;
    for (std::uint64_t i = firstOfThread(); i < bytes; i += threadsOfGrid()) {
        const unsigned x = actual[i];
        const unsigned y = expected[i];
        found.poisoned += x == poison && y != poison ? 1U : 0U;
        found.add(float4Value(x & 15U), float4Value(y & 15U), atol, rtol, 2 * i);
        if (2 * i + 1 < elements) {
            found.add(float4Value(x >> 4), float4Value(y >> 4), atol, rtol, 2 * i + 1);
        }
    }
    storePartial(found, partials);
}

__global__ void __launch_bounds__(kThreads) mergeKernel(const CompareTotals* partials, unsigned count, CompareTotals* total)
{
    CompareTotals mine = nothingFound();
    for (unsigned i = threadIdx.x; i < count; i += kThreads) {
        merge(mine, partials[i]);
    }
    CompareTotals all = mergeBlock(mine);
    if (threadIdx.x == 0) {
        all.worst = all.worst == kNowhere ? 0 : all.worst;
        *total = all;
    }
}

template <DType dtype>
unsigned launchCompare(const Launch& launch, const void* actual, const void* expected, std::uint64_t elements, float atol, float rtol,
                       std::uint64_t poison, CompareTotals* partials)
{
    using Code = typename Stored<dtype>::Code;
    const unsigned grid = gridFor(launch, (elements * sizeof(Code) + kVectorBytes - 1) / kVectorBytes);
    compareKernel<dtype><<<grid, kThreads, 0, launch.stream>>>(static_cast<const uint4*>(actual), static_cast<const uint4*>(expected), elements,
                                                              atol, rtol, static_cast<Code>(poison), partials);
    return grid;
}

// ---- Softmax ----

template <class Value, class Combine>
__device__ Value combineBlock(Value mine, Combine combine)
{
    __shared__ Value shared[kThreads];
    __syncthreads();   // the last result may still be read
    shared[threadIdx.x] = mine;
    __syncthreads();
    for (unsigned half = kThreads / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) {
            shared[threadIdx.x] = combine(shared[threadIdx.x], shared[threadIdx.x + half]);
        }
        __syncthreads();
    }
    return shared[0];
}

/// One block a row at a time; the sum's order depends on nothing but the number of columns.
template <DType dtype>
__global__ void __launch_bounds__(kThreads) softmaxKernel(typename Stored<dtype>::Code* data, std::uint64_t rows, std::uint64_t columns)
{
    for (std::uint64_t row = blockIdx.x; row < rows; row += gridDim.x) {
        auto* values = data + row * columns;
        float largest = -__uint_as_float(kInfinityBits);
        for (std::uint64_t i = threadIdx.x; i < columns; i += kThreads) {
            largest = fmaxf(largest, Stored<dtype>::decode(values[i]));
        }
        largest = combineBlock(largest, [](float one, float two) { return fmaxf(one, two); });
        double sum = 0;
        for (std::uint64_t i = threadIdx.x; i < columns; i += kThreads) {
            sum += static_cast<double>(expf(Stored<dtype>::decode(values[i]) - largest));
        }
        sum = combineBlock(sum, [](double one, double two) { return one + two; });
        for (std::uint64_t i = threadIdx.x; i < columns; i += kThreads) {
            const auto share = static_cast<float>(static_cast<double>(expf(Stored<dtype>::decode(values[i]) - largest)) / sum);
            if constexpr (dtype == DType::Float32) {
                values[i] = __float_as_uint(share);
            } else {
                values[i] = Stored<dtype>::encode(share);
            }
        }
    }
}

template <DType dtype>
cudaError_t launchSoftmax(const Launch& launch, void* data, std::uint64_t rows, std::uint64_t columns)
{
    const auto grid = static_cast<unsigned>(std::clamp<std::uint64_t>(rows, 1, launch.blocks));
    softmaxKernel<dtype><<<grid, kThreads, 0, launch.stream>>>(static_cast<typename Stored<dtype>::Code*>(data), rows, columns);
    return cudaGetLastError();
}

// ---- Equality, checksum, cache eviction ----

__global__ void __launch_bounds__(kThreads) differenceKernel(const uint4* __restrict__ one, const uint4* __restrict__ two, std::uint64_t bytes,
                                                             unsigned* different)
{
    const std::uint64_t vectors = (bytes + kVectorBytes - 1) / kVectorBytes;
    bool found = false;
    for (std::uint64_t i = firstOfThread(); i < vectors; i += threadsOfGrid()) {
        uint4 x = one[i];
        uint4 y = two[i];
        const std::uint64_t left = bytes - i * kVectorBytes;
        if (left < kVectorBytes) {
            cut(x, static_cast<unsigned>(left));
            cut(y, static_cast<unsigned>(left));
        }
        found = found || x.x != y.x || x.y != y.y || x.z != y.z || x.w != y.w;
    }
    if (__syncthreads_or(found ? 1 : 0) != 0 && threadIdx.x == 0) {
        atomicOr(different, 1U);
    }
}

__global__ void __launch_bounds__(kThreads) checksumKernel(const uint4* __restrict__ data, std::uint64_t bytes, unsigned long long* sum)
{
    const std::uint64_t vectors = (bytes + kVectorBytes - 1) / kVectorBytes;
    std::uint64_t mine = 0;
    for (std::uint64_t i = firstOfThread(); i < vectors; i += threadsOfGrid()) {
        uint4 vector = data[i];
        const std::uint64_t left = bytes - i * kVectorBytes;
        if (left < kVectorBytes) {
            cut(vector, static_cast<unsigned>(left));
        }
        mine += mixWord(std::uint64_t{vector.y} << 32 | vector.x, 2 * i);
        if (left > kVectorBytes / 2) {
            mine += mixWord(std::uint64_t{vector.w} << 32 | vector.z, 2 * i + 1);
        }
    }
    mine = combineBlock(mine, [](std::uint64_t one, std::uint64_t two) { return one + two; });
    if (threadIdx.x == 0) {
        atomicAdd(sum, static_cast<unsigned long long>(mine));   // integers: any order gives the same sum
    }
}

__global__ void __launch_bounds__(kThreads) readKernel(const uint4* __restrict__ data, std::uint64_t vectors, unsigned* sink)
{
    std::uint32_t all = 0;
    for (std::uint64_t i = firstOfThread(); i < vectors; i += threadsOfGrid()) {
        const uint4 vector = data[i];
        all |= vector.x | vector.y | vector.z | vector.w;
    }
    if (all == 0) {   // the write pass leaves no zero behind: the compiler can't know, so it has to read
        *sink = 1;
    }
}

}  // namespace

cudaError_t fillRandom(const Launch& launch, void* data, DType dtype, std::uint64_t elements, const FillKey& key)
{
    if (elements == 0) {
        return cudaSuccess;
    }
    switch (dtype) {
    case DType::Float32: return launchFill<DType::Float32>(launch, data, elements, key);
    case DType::Float16: return launchFill<DType::Float16>(launch, data, elements, key);
    case DType::BFloat16: return launchFill<DType::BFloat16>(launch, data, elements, key);
    case DType::Float8E4M3FN: return launchFill<DType::Float8E4M3FN>(launch, data, elements, key);
    case DType::Float8E5M2: return launchFill<DType::Float8E5M2>(launch, data, elements, key);
    case DType::Int64: return launchFill<DType::Int64>(launch, data, elements, key);
    case DType::Int32: return launchFill<DType::Int32>(launch, data, elements, key);
    case DType::Int16: return launchFill<DType::Int16>(launch, data, elements, key);
    case DType::Int8: return launchFill<DType::Int8>(launch, data, elements, key);
    case DType::Bool: return launchFill<DType::Bool>(launch, data, elements, key);
    default: return cudaErrorInvalidValue;
    }
}

cudaError_t fillPattern(const Launch& launch, void* data, std::uint64_t bytes, const Pattern& pattern)
{
    if (bytes == 0) {
        return cudaSuccess;
    }
    patternKernel<<<gridFor(launch, (bytes + kVectorBytes - 1) / kVectorBytes), kThreads, 0, launch.stream>>>(static_cast<std::uint8_t*>(data), bytes,
                                                                                                            pattern);
    return cudaGetLastError();
}

cudaError_t writeRedZones(const Launch& launch, const RedZones& zones)
{
    const std::uint64_t bytes = std::max(zones.dataBegin, zones.blockEnd - zones.dataEnd);
    writeZonesKernel<<<gridFor(launch, bytes / kVectorBytes + 1), kThreads, 0, launch.stream>>>(zones);
    return cudaGetLastError();
}

cudaError_t checkRedZones(const Launch& launch, std::span<const RedZones> blocks, unsigned first, unsigned* firstBroken)
{
    if (blocks.empty()) {
        return cudaSuccess;
    }
    if (blocks.size() > kRedZoneBatch) {
        return cudaErrorInvalidValue;
    }
    RedZoneBatch batch{};
    std::uint64_t bytes = 0;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        batch.blocks[i] = blocks[i];
        bytes = std::max({bytes, blocks[i].dataBegin, blocks[i].blockEnd - blocks[i].dataEnd});
    }
    const auto count = static_cast<unsigned>(blocks.size());
    const Launch share{launch.stream, std::max(1U, launch.blocks / count)};
    checkZonesKernel<<<dim3(gridFor(share, bytes / kVectorBytes + 1), count), kThreads, 0, launch.stream>>>(batch, first, firstBroken);
    return cudaGetLastError();
}

cudaError_t compare(const Launch& launch, const void* actual, const void* expected, DType dtype, std::uint64_t elements, float atol,
                    float rtol, std::uint64_t poison, CompareTotals* partials, CompareTotals* total)
{
    unsigned count = 0;
    const auto run = [&]<DType type>() { count = launchCompare<type>(launch, actual, expected, elements, atol, rtol, poison, partials); };
    switch (dtype) {
    case DType::Float32: run.operator()<DType::Float32>(); break;
    case DType::Float16: run.operator()<DType::Float16>(); break;
    case DType::BFloat16: run.operator()<DType::BFloat16>(); break;
    case DType::Float8E4M3FN: run.operator()<DType::Float8E4M3FN>(); break;
    case DType::Float8E5M2: run.operator()<DType::Float8E5M2>(); break;
    case DType::Int64: run.operator()<DType::Int64>(); break;
    case DType::Int32: run.operator()<DType::Int32>(); break;
    case DType::Int16: run.operator()<DType::Int16>(); break;
    case DType::Int8: run.operator()<DType::Int8>(); break;
    case DType::Bool: run.operator()<DType::Bool>(); break;
    case DType::Float4E2M1:
        count = gridFor(launch, (elements + 1) / 2);
        compareFloat4Kernel<<<count, kThreads, 0, launch.stream>>>(static_cast<const std::uint8_t*>(actual),
                                                                   static_cast<const std::uint8_t*>(expected), elements, atol, rtol,
                                                                   static_cast<std::uint8_t>(poison), partials);
        break;
    default: return cudaErrorInvalidValue;
    }
    if (const cudaError_t error = cudaGetLastError(); error != cudaSuccess) {
        return error;
    }
    mergeKernel<<<1, kThreads, 0, launch.stream>>>(partials, count, total);
    return cudaGetLastError();
}

cudaError_t softmaxRows(const Launch& launch, void* data, DType dtype, std::uint64_t rows, std::uint64_t columns)
{
    if (rows == 0 || columns == 0) {
        return cudaSuccess;
    }
    switch (dtype) {
    case DType::Float32: return launchSoftmax<DType::Float32>(launch, data, rows, columns);
    case DType::Float16: return launchSoftmax<DType::Float16>(launch, data, rows, columns);
    case DType::BFloat16: return launchSoftmax<DType::BFloat16>(launch, data, rows, columns);
    case DType::Float8E4M3FN: return launchSoftmax<DType::Float8E4M3FN>(launch, data, rows, columns);
    case DType::Float8E5M2: return launchSoftmax<DType::Float8E5M2>(launch, data, rows, columns);
    default: return cudaErrorInvalidValue;
    }
}

cudaError_t findDifference(const Launch& launch, const void* one, const void* two, std::uint64_t bytes, unsigned* different)
{
    if (bytes == 0) {
        return cudaSuccess;
    }
    differenceKernel<<<gridFor(launch, (bytes + kVectorBytes - 1) / kVectorBytes), kThreads, 0, launch.stream>>>(
        static_cast<const uint4*>(one), static_cast<const uint4*>(two), bytes, different);
    return cudaGetLastError();
}

cudaError_t checksum(const Launch& launch, const void* data, std::uint64_t bytes, unsigned long long* sum)
{
    if (bytes == 0) {
        return cudaSuccess;
    }
    checksumKernel<<<gridFor(launch, (bytes + kVectorBytes - 1) / kVectorBytes), kThreads, 0, launch.stream>>>(static_cast<const uint4*>(data), bytes, sum);
    return cudaGetLastError();
}

cudaError_t sweep(const Launch& launch, void* buffer, std::uint64_t bytes, std::uint32_t value, unsigned* sink)
{
    Pattern pattern{};
    const std::uint32_t nonZero = value | 1U;
    for (std::size_t i = 0; i < pattern.bytes.size(); i += sizeof(nonZero)) {
        std::memcpy(pattern.bytes.data() + i, &nonZero, sizeof(nonZero));
    }
    if (const cudaError_t error = fillPattern(launch, buffer, bytes, pattern); error != cudaSuccess) {
        return error;
    }
    readKernel<<<gridFor(launch, bytes / kVectorBytes), kThreads, 0, launch.stream>>>(static_cast<const uint4*>(buffer), bytes / kVectorBytes, sink);
    return cudaGetLastError();
}

}  // namespace tracedeck::judge::kernels
