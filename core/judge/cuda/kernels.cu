// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/cuda/kernel_support.cuh"

namespace tracedeck::judge::kernels {

namespace {

// ---- Patterns and red zones ----

struct PatternBatch {
    Pattern patterns[kMostCopies];
};

__global__ void __launch_bounds__(kThreads) patternKernel(std::uint8_t* data, std::uint64_t bytes, PatternBatch batch, std::uint64_t stride)
{
    const Pattern& pattern = batch.patterns[blockIdx.y];
    data += blockIdx.y * stride;
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

// ---- Hidden words ----

__global__ void __launch_bounds__(kMostHidden) hideKernel(const WordSwap* swaps, HiddenValue* values, unsigned count)
{
    const unsigned i = threadIdx.x;
    std::uint32_t decoy = 0;
    if (i < count) {
        decoy = *swaps[i].decoy;
        values[i] = {*swaps[i].word, decoy};
    }
    __syncthreads();
    if (i < count) {
        *swaps[i].word = decoy;
    }
}

// ---- Softmax ----

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

// ---- Equality, checksum ----

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

}  // namespace

cudaError_t fillPatterns(const Launch& launch, void* data, std::uint64_t bytes, std::span<const Pattern> patterns, std::uint64_t stride)
{
    if (patterns.size() > kMostCopies) {
        return cudaErrorInvalidValue;
    }
    if (bytes == 0 || patterns.empty()) {
        return cudaSuccess;
    }
    PatternBatch batch{};
    std::copy(patterns.begin(), patterns.end(), batch.patterns);
    const auto count = static_cast<unsigned>(patterns.size());
    const Launch share{launch.stream, std::max(1U, launch.blocks / count)};
    patternKernel<<<dim3(gridFor(share, (bytes + kVectorBytes - 1) / kVectorBytes), count), kThreads, 0, launch.stream>>>(
        static_cast<std::uint8_t*>(data), bytes, batch, stride);
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

cudaError_t hideWords(const Launch& launch, const WordSwap* swaps, HiddenValue* values, std::size_t count)
{
    if (count > kMostHidden) {
        return cudaErrorInvalidValue;
    }
    if (count != 0) {
        hideKernel<<<1, static_cast<unsigned>(kMostHidden), 0, launch.stream>>>(swaps, values, static_cast<unsigned>(count));
    }
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

}  // namespace tracedeck::judge::kernels
