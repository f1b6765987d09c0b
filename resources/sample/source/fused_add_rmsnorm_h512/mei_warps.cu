// SPDX-License-Identifier: GPL-3.0-or-later
#include "device.cuh"

namespace {

constexpr int kColumns = 512;
constexpr int kQuads = kColumns / 4 / 32;   // of four numbers, for each lane
constexpr int kWarps = 4;

/// One warp a row, four numbers a load; the sum stays in registers until it is scaled.
__global__ void addAndNormalise(const float4* x, const float4* residual, const float4* weight, float4* output, float4* sums, int64_t rows)
{
    const int64_t row = int64_t{blockIdx.x} * kWarps + threadIdx.x / 32;
    const int lane = static_cast<int>(threadIdx.x % 32);
    if (row >= rows) return;
    float4 values[kQuads];
    float square = 0;
    for (int i = 0; i < kQuads; ++i) {
        const int64_t place = row * (kColumns / 4) + 32 * i + lane;
        const float4 one = x[place];
        const float4 other = residual[place];
        values[i] = {one.x + other.x, one.y + other.y, one.z + other.z, one.w + other.w};
        square += values[i].x * values[i].x + values[i].y * values[i].y + values[i].z * values[i].z + values[i].w * values[i].w;
        sums[place] = values[i];
    }
    const float scale = rsqrtf(warpSum(square) / kColumns + 1e-5F);
    for (int i = 0; i < kQuads; ++i) {
        const float4 w = weight[32 * i + lane];
        output[row * (kColumns / 4) + 32 * i + lane] = {values[i].x * scale * w.x, values[i].y * scale * w.y, values[i].z * scale * w.z,
                                                        values[i].w * scale * w.w};
    }
}

void run(TensorView x, TensorView residual, TensorView weight, TensorView output, TensorView sums)
{
    addAndNormalise<<<blocksFor(x.size(0), kWarps), 32 * kWarps, 0, streamOf(x)>>>(
        dataOf<float4>(x), dataOf<float4>(residual), dataOf<float4>(weight), dataOf<float4>(output), dataOf<float4>(sums), x.size(0));
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(run, run);
