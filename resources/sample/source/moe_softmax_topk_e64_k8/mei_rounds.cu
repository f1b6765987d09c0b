// SPDX-License-Identifier: GPL-3.0-or-later
#include "device.cuh"

namespace {

constexpr int kExperts = 64;
constexpr int kChosen = 8;
constexpr int kWarps = 4;

/// One warp a token, two experts a lane: eight rounds that each find the largest one left.
__global__ void choose(const float* logits, float* weights, int32_t* ids, int64_t tokens)
{
    const int64_t token = int64_t{blockIdx.x} * kWarps + threadIdx.x / 32;
    const int lane = static_cast<int>(threadIdx.x % 32);
    if (token >= tokens) return;
    float mine[2] = {logits[token * kExperts + lane], logits[token * kExperts + lane + 32]};
    float chosen = -INFINITY;   // in lane n, the one of round n
    int expert = 0;
    for (int round = 0; round < kChosen; ++round) {
        float best = fmaxf(mine[0], mine[1]);
        int place = mine[0] >= mine[1] ? lane : lane + 32;
        for (int distance = 16; distance > 0; distance /= 2) {
            const float other = __shfl_xor_sync(0xffffffffU, best, distance);
            const int otherPlace = __shfl_xor_sync(0xffffffffU, place, distance);
            if (other > best || (other == best && otherPlace < place)) {
                best = other;
                place = otherPlace;
            }
        }
        if (lane == round) {
            chosen = best;
            expert = place;
        }
        if (place % 32 == lane) mine[place / 32] = -INFINITY;
    }
    const float top = __shfl_sync(0xffffffffU, chosen, 0);
    const float weight = lane < kChosen ? expf(chosen - top) : 0.0F;
    const float total = warpSum(weight);
    if (lane < kChosen) {
        weights[token * kChosen + lane] = weight / total;
        ids[token * kChosen + lane] = expert;
    }
}

void run(TensorView logits, TensorView weights, TensorView ids)
{
    choose<<<blocksFor(logits.size(0), kWarps), 32 * kWarps, 0, streamOf(logits)>>>(dataOf<float>(logits), dataOf<float>(weights), dataOf<int32_t>(ids),
                                                                                  logits.size(0));
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(run, run);
