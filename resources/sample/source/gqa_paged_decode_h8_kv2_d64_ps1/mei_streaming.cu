// SPDX-License-Identifier: GPL-3.0-or-later
#include "device.cuh"

namespace {

constexpr int kHeads = 8;
constexpr int kKvHeads = 2;
constexpr int kDim = 64;
constexpr int kWarps = 4;

/// One block for each sequence and query head. Its warps share the tokens; each keeps a running maximum, sum and result, and
/// the first warp puts them together.
__global__ void decode(const Bf16* q, const Bf16* keys, const Bf16* values, const int32_t* indptr, const int32_t* indices, float scale, Bf16* output,
                       float* lse)
{
    __shared__ float tops[kWarps];
    __shared__ float totals[kWarps];
    __shared__ float parts[kWarps][kDim];
    const int sequence = static_cast<int>(blockIdx.x);
    const int head = static_cast<int>(blockIdx.y);
    const int warp = static_cast<int>(threadIdx.x / 32);
    const int lane = static_cast<int>(threadIdx.x % 32);
    const int64_t query = (int64_t{sequence} * kHeads + head) * kDim;
    const float first = __bfloat162float(q[query + lane]) * scale;
    const float second = __bfloat162float(q[query + lane + 32]) * scale;
    float top = -INFINITY;
    float total = 0;
    float low = 0;
    float high = 0;
    for (int token = indptr[sequence] + warp; token < indptr[sequence + 1]; token += kWarps) {
        const int64_t place = (int64_t{indices[token]} * kKvHeads + head / (kHeads / kKvHeads)) * kDim;
        const float score = warpSum(first * __bfloat162float(keys[place + lane]) + second * __bfloat162float(keys[place + lane + 32]));
        const float newTop = fmaxf(top, score);
        const float shrink = expf(top - newTop);
        const float weight = expf(score - newTop);
        total = total * shrink + weight;
        low = low * shrink + weight * __bfloat162float(values[place + lane]);
        high = high * shrink + weight * __bfloat162float(values[place + lane + 32]);
        top = newTop;
    }
    if (lane == 0) {
        tops[warp] = top;
        totals[warp] = total;
    }
    parts[warp][lane] = low;
    parts[warp][lane + 32] = high;
    __syncthreads();
    if (warp != 0) return;
    top = -INFINITY;
    for (const float other : tops) top = fmaxf(top, other);
    total = low = high = 0;
    for (int i = 0; i < kWarps; ++i) {
        if (totals[i] == 0) continue;
        const float shrink = expf(tops[i] - top);
        total += totals[i] * shrink;
        low += parts[i][lane] * shrink;
        high += parts[i][lane + 32] * shrink;
    }
    output[query + lane] = __float2bfloat16(total > 0 ? low / total : 0.0F);
    output[query + lane + 32] = __float2bfloat16(total > 0 ? high / total : 0.0F);
    if (lane == 0) lse[int64_t{sequence} * kHeads + head] = total > 0 ? log2f(total) + top * 1.4426950408889634F : 0.0F;
}

void run(TensorView q, TensorView keys, TensorView values, TensorView indptr, TensorView indices, double scale, TensorView output, TensorView lse)
{
    const dim3 grid(static_cast<unsigned>(q.size(0)), kHeads);
    decode<<<grid, 32 * kWarps, 0, streamOf(q)>>>(dataOf<Bf16>(q), dataOf<Bf16>(keys), dataOf<Bf16>(values), dataOf<int32_t>(indptr),
                                                  dataOf<int32_t>(indices), static_cast<float>(scale), dataOf<Bf16>(output), dataOf<float>(lse));
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(run, run);
