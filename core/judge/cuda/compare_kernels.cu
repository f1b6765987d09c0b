// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/cuda/kernel_support.cuh"

namespace tracedeck::judge::kernels {

namespace {

constexpr std::uint64_t kNowhere = ~std::uint64_t{0};
constexpr unsigned kWarp = 32;
constexpr unsigned kWholeWarp = 0xFFFFFFFFU;

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

/// Below these an element is neither wrong nor worse than one that its warp has seen: most are, and need neither a division nor
/// any counting. Later elements of a warp have higher indexes than all earlier ones, so that of equal errors the first still wins.
struct Limits {
    float absolute = 0;
    float relative = 0;

    __device__ __forceinline__ bool includes(float x, float y) const
    {
        const float difference = fabsf(x - y);   // not finite where one of the two is not
        return difference <= absolute && difference <= relative * (fabsf(y) + 1e-8F);
    }
    /// Takes the warp's maxima. The relative one is lowered by more than the product above is rounded, and is of no use where that
    /// product may be subnormal.
    __device__ void follow(const Findings& found, float atol)
    {
        std::uint32_t absoluteKey = found.absoluteKey;
        std::uint32_t relativeKey = found.relativeKey;
        for (unsigned distance = kWarp / 2; distance > 0; distance /= 2) {
            absoluteKey = max(absoluteKey, __shfl_xor_sync(kWholeWarp, absoluteKey, distance));
            relativeKey = max(relativeKey, __shfl_xor_sync(kWholeWarp, relativeKey, distance));
        }
        constexpr std::uint32_t kLargestFinite = kInfinityBits - 1;
        absolute = fminf(atol, __uint_as_float(min(absoluteKey, kLargestFinite)));
        const float largest = __uint_as_float(min(relativeKey, kLargestFinite));
        relative = largest > 1e-25F ? largest * (1 - 0x1p-20F) : 0;
    }
};

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

/// Whether four bytes of the expected output hold something that is not finite.
template <DType dtype>
__device__ __forceinline__ bool anyNonFinite(std::uint32_t bytes)
{
    if constexpr (dtype == DType::Float8E4M3FN) {
        return __vcmpeq4(bytes & 0x7F7F7F7FU, 0x7F7F7F7FU) != 0;
    } else if constexpr (dtype == DType::Float8E5M2) {
        return __vcmpeq4(bytes & 0x7C7C7C7CU, 0x7C7C7C7CU) != 0;
    }
    return false;
}

/// Whether nothing of these elements is worth counting.
template <DType dtype, unsigned count>
__device__ __forceinline__ bool areDull(const typename Stored<dtype>::Code (&codes)[count], const typename Stored<dtype>::Code (&expectedCodes)[count],
                                        const uint4& x, const uint4& y, typename Stored<dtype>::Code poison, const Limits& limits)
{
    if constexpr (sizeof(typename Stored<dtype>::Code) == 1) {
        // Sixteen elements take longer to decode than to read, and most are equal: no error, and no poison, which the other would be, too.
        if (x.x == y.x && x.y == y.y && x.z == y.z && x.w == y.w &&
            !(anyNonFinite<dtype>(y.x) || anyNonFinite<dtype>(y.y) || anyNonFinite<dtype>(y.z) || anyNonFinite<dtype>(y.w))) {
            return true;
        }
    }
    bool isDull = true;
#pragma unroll
    for (unsigned e = 0; e < count; ++e) {
        const bool within = limits.includes(Stored<dtype>::decode(codes[e]), Stored<dtype>::decode(expectedCodes[e]));
        const bool isPoison = codes[e] == poison && expectedCodes[e] != poison;
        isDull = isDull & within & !isPoison;   // no branches
    }
    return isDull;
}

template <DType dtype>
__global__ void __launch_bounds__(kThreads)
compareKernel(const uint4* __restrict__ actual, const uint4* __restrict__ expected, std::uint64_t elements, float atol, float rtol,
              typename Stored<dtype>::Code poison, CompareTotals* partials)
{
    using Code = typename Stored<dtype>::Code;
    constexpr unsigned kPerVector = kVectorBytes / sizeof(Code);
    const std::uint64_t vectors = (elements + kPerVector - 1) / kPerVector;
    const unsigned lane = threadIdx.x % kWarp;
    Findings found;
    Limits limits;
    for (std::uint64_t ofWarp = firstOfThread() - lane; ofWarp < vectors; ofWarp += threadsOfGrid()) {
        const std::uint64_t i = ofWarp + lane;
        uint4 x{};
        uint4 y{};
        if (i < vectors) {
            x = actual[i];
            y = expected[i];
        }
        const std::uint64_t first = i * kPerVector;
        if (i < vectors && elements - first < kPerVector) {
            // Equal zeros beyond the end: no error, no poison.
            cut(x, static_cast<unsigned>((elements - first) * sizeof(Code)));
            cut(y, static_cast<unsigned>((elements - first) * sizeof(Code)));
        }
        Code codes[kPerVector];
        Code expectedCodes[kPerVector];
        memcpy(codes, &x, sizeof(x));
        memcpy(expectedCodes, &y, sizeof(y));
        if (__any_sync(kWholeWarp, areDull<dtype>(codes, expectedCodes, x, y, poison, limits) ? 0 : 1) == 0) {
            continue;
        }
#pragma unroll
        for (unsigned e = 0; e < kPerVector; ++e) {
            found.add(Stored<dtype>::decode(codes[e]), Stored<dtype>::decode(expectedCodes[e]), atol, rtol, first + e);
            found.poisoned += codes[e] == poison && expectedCodes[e] != poison ? 1U : 0U;
        }
        limits.follow(found, atol);
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

}  // namespace

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

}  // namespace tracedeck::judge::kernels
