// SPDX-License-Identifier: GPL-3.0-or-later
#include "device.cuh"

namespace {

constexpr int kColumns = 512;
constexpr int kEach = kColumns / 32;
constexpr int kWarps = 4;

/// One warp a row, which it keeps in registers between the sum of squares and the scaling.
__global__ void normaliseRows(const Bf16* x, const Bf16* weight, Bf16* output, int64_t rows)
{
    const int64_t row = int64_t{blockIdx.x} * kWarps + threadIdx.x / 32;
    const int lane = static_cast<int>(threadIdx.x % 32);
    if (row >= rows) return;
    float values[kEach];
    float sum = 0;
    for (int i = 0; i < kEach; ++i) {
        values[i] = __bfloat162float(x[row * kColumns + 32 * i + lane]);
        sum += values[i] * values[i];
    }
    const float scale = rsqrtf(warpSum(sum) / kColumns + 1e-6F);
    for (int i = 0; i < kEach; ++i) {
        output[row * kColumns + 32 * i + lane] = __float2bfloat16(values[i] * scale * __bfloat162float(weight[32 * i + lane]));
    }
}

void run(TensorView x, TensorView weight, TensorView output)
{
    normaliseRows<<<blocksFor(x.size(0), kWarps), 32 * kWarps, 0, streamOf(x)>>>(dataOf<Bf16>(x), dataOf<Bf16>(weight), dataOf<Bf16>(output), x.size(0));
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(run, run);
