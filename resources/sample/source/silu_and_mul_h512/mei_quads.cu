// SPDX-License-Identifier: GPL-3.0-or-later
#include "device.cuh"

namespace {

constexpr int kQuads = 128;   // of four numbers, in a row of the result

__device__ float gated(float gate, float up)
{
    return gate / (1.0F + expf(-gate)) * up;
}

/// One block a row, four numbers a thread.
__global__ void siluAndMultiply(const float4* gateUp, float4* output)
{
    const int64_t row = blockIdx.x;
    const float4 gate = gateUp[row * 2 * kQuads + threadIdx.x];
    const float4 up = gateUp[row * 2 * kQuads + kQuads + threadIdx.x];
    output[row * kQuads + threadIdx.x] = {gated(gate.x, up.x), gated(gate.y, up.y), gated(gate.z, up.z), gated(gate.w, up.w)};
}

void run(TensorView gateUp, TensorView output)
{
    siluAndMultiply<<<static_cast<unsigned>(gateUp.size(0)), kQuads, 0, streamOf(gateUp)>>>(dataOf<float4>(gateUp), dataOf<float4>(output));
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(run, run);
