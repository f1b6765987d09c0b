// SPDX-License-Identifier: GPL-3.0-or-later
// What the CUDA solutions share: the caller's stream and typed pointers.
#pragma once

#include <cuda_bf16.h>
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/extra/c_env_api.h>
#include <tvm/ffi/function.h>

#include <cstdint>

using tvm::ffi::TensorView;
using Bf16 = __nv_bfloat16;

inline cudaStream_t streamOf(const TensorView& tensor)
{
    return static_cast<cudaStream_t>(TVMFFIEnvGetStream(tensor.device().device_type, tensor.device().device_id));
}

template <class Element>
Element* dataOf(const TensorView& tensor)
{
    return static_cast<Element*>(tensor.data_ptr());
}

/// Blocks that are enough for `count` items.
inline unsigned blocksFor(int64_t count, int64_t perBlock)
{
    return static_cast<unsigned>((count + perBlock - 1) / perBlock);
}

/// The sum over the 32 lanes of a warp, in each of them.
__device__ inline float warpSum(float value)
{
    for (int distance = 16; distance > 0; distance /= 2) value += __shfl_xor_sync(0xffffffffU, value, distance);
    return value;
}
