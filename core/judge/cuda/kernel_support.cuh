// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What the kernels' files share. Everything is compiled without fused multiply-add, so that random contents and error statistics
// are those of the cpu device to the bit. No result depends on the grid: sums are of integers, maxima are ordered, and no thread
// shares an accumulator of floats.
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "core/judge/cuda/kernels.h"
#include "core/judge/number_formats.h"

namespace tracedeck::judge::kernels {

constexpr unsigned kThreads = 256;
constexpr std::uint64_t kVectorBytes = sizeof(uint4);
constexpr std::uint32_t kInfinityBits = 0x7F800000U;

__device__ __forceinline__ std::uint64_t firstOfThread() { return std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; }
__device__ __forceinline__ std::uint64_t threadsOfGrid() { return std::uint64_t{gridDim.x} * blockDim.x; }

inline unsigned gridFor(const Launch& launch, std::uint64_t items)
{
    const std::uint64_t needed = (items + kThreads - 1) / kThreads;
    return static_cast<unsigned>(std::clamp<std::uint64_t>(needed, 1, launch.blocks));
}

template <class To, class From>
__device__ __forceinline__ To reinterpret(const From& from)
{
    static_assert(sizeof(To) == sizeof(From));
    To to;
    memcpy(&to, &from, sizeof(To));
    return to;
}

/// How elements of a dtype are stored: `decode` is exact, but for the payload of a NaN.
template <DType dtype>
struct Stored;
template <>
struct Stored<DType::Float32> {
    using Code = std::uint32_t;
    static __device__ __forceinline__ float decode(Code code) { return __uint_as_float(code); }
};
template <>
struct Stored<DType::Float16> {
    using Code = std::uint16_t;
    static __device__ __forceinline__ float decode(Code code) { return __half2float(__half(__half_raw{code})); }
    static __device__ Code encode(float value) { return static_cast<Code>(Float16::encode(value)); }
};
template <>
struct Stored<DType::BFloat16> {
    using Code = std::uint16_t;
    static __device__ __forceinline__ float decode(Code code) { return decodeBFloat16(code); }
    static __device__ Code encode(float value) { return encodeBFloat16(value); }
};
template <>
struct Stored<DType::Float8E4M3FN> {
    using Code = std::uint8_t;
    static __device__ __forceinline__ float decode(Code code) { return __half2float(__half(__nv_cvt_fp8_to_halfraw(code, __NV_E4M3))); }
    static __device__ Code encode(float value) { return static_cast<Code>(Float8E4M3::encode(value)); }
};
template <>
struct Stored<DType::Float8E5M2> {
    using Code = std::uint8_t;
    static __device__ __forceinline__ float decode(Code code) { return __half2float(__half(__half_raw{static_cast<unsigned short>(code << 8)})); }
    static __device__ Code encode(float value) { return static_cast<Code>(Float8E5M2::encode(value)); }
};
/// Two's complement in a code without a sign.
template <class Unsigned>
struct StoredInteger {
    using Code = Unsigned;
    static __device__ __forceinline__ float decode(Code code) { return static_cast<float>(static_cast<std::make_signed_t<Code>>(code)); }
};
template <>
struct Stored<DType::Int64> : StoredInteger<std::uint64_t> {};
template <>
struct Stored<DType::Int32> : StoredInteger<std::uint32_t> {};
template <>
struct Stored<DType::Int16> : StoredInteger<std::uint16_t> {};
template <>
struct Stored<DType::Int8> : StoredInteger<std::uint8_t> {};
template <>
struct Stored<DType::Bool> {
    using Code = std::uint8_t;
    static __device__ __forceinline__ float decode(Code code) { return code != 0 ? 1.0F : 0.0F; }
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

}  // namespace tracedeck::judge::kernels
