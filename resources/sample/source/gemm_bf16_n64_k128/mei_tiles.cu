// SPDX-License-Identifier: GPL-3.0-or-later
#include "device.cuh"

namespace {

constexpr int kTile = 16;
constexpr int kDepth = 128;
constexpr int kColumns = 64;

/// A block computes 16 × 16 results; both operands pass through shared memory in float32.
__global__ void multiply(const Bf16* a, const Bf16* b, Bf16* c, int64_t rows)
{
    __shared__ float left[kTile][kTile + 1];
    __shared__ float right[kTile][kTile + 1];
    const int64_t row = int64_t{blockIdx.y} * kTile + threadIdx.y;
    const int column = static_cast<int>(blockIdx.x) * kTile;
    float sum = 0;
    for (int start = 0; start < kDepth; start += kTile) {
        left[threadIdx.y][threadIdx.x] = row < rows ? __bfloat162float(a[row * kDepth + start + threadIdx.x]) : 0.0F;
        right[threadIdx.y][threadIdx.x] = __bfloat162float(b[(column + threadIdx.y) * kDepth + start + threadIdx.x]);
        __syncthreads();
        for (int k = 0; k < kTile; ++k) sum += left[threadIdx.y][k] * right[threadIdx.x][k];
        __syncthreads();
    }
    if (row < rows) c[row * kColumns + column + threadIdx.x] = __float2bfloat16(sum);
}

void run(TensorView a, TensorView b, TensorView c)
{
    const dim3 grid(kColumns / kTile, blocksFor(a.size(0), kTile));
    multiply<<<grid, dim3(kTile, kTile), 0, streamOf(a)>>>(dataOf<Bf16>(a), dataOf<Bf16>(b), dataOf<Bf16>(c), a.size(0));
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(run, run);
