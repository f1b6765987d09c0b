// SPDX-License-Identifier: GPL-3.0-or-later
#include "device.cuh"

namespace {

constexpr int kQueryHeads = 8;
constexpr int kKeyHeads = 2;
constexpr int kHalf = 32;

/// One block a token, one warp a head, one pair a lane.
__global__ void rotate(const float* q, const float* k, const int32_t* positions, float* rotatedQ, float* rotatedK)
{
    const int64_t token = blockIdx.x;
    const int head = static_cast<int>(threadIdx.x / kHalf);
    const int pair = static_cast<int>(threadIdx.x % kHalf);
    const float angle = static_cast<float>(positions[token]) * powf(10000.0F, -static_cast<float>(pair) / kHalf);
    float sine = 0;
    float cosine = 0;
    sincosf(angle, &sine, &cosine);
    const bool isQuery = head < kQueryHeads;
    const float* from = isQuery ? q : k;
    float* to = isQuery ? rotatedQ : rotatedK;
    const int64_t row = isQuery ? token * kQueryHeads + head : token * kKeyHeads + head - kQueryHeads;
    const float first = from[row * 2 * kHalf + pair];
    const float second = from[row * 2 * kHalf + kHalf + pair];
    to[row * 2 * kHalf + pair] = first * cosine - second * sine;
    to[row * 2 * kHalf + kHalf + pair] = second * cosine + first * sine;
}

void run(TensorView q, TensorView k, TensorView positions, TensorView rotatedQ, TensorView rotatedK)
{
    rotate<<<static_cast<unsigned>(q.size(0)), (kQueryHeads + kKeyHeads) * kHalf, 0, streamOf(q)>>>(
        dataOf<float>(q), dataOf<float>(k), dataOf<int32_t>(positions), dataOf<float>(rotatedQ), dataOf<float>(rotatedK));
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(run, run);
