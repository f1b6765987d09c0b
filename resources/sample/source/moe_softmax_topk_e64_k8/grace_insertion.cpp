// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>
#include <cstdint>

#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/function.h>

using tvm::ffi::TensorView;

namespace {

constexpr int kExperts = 64;
constexpr int kChosen = 8;

void route(const float* logits, float* weights, std::int32_t* ids) {
    float best[kChosen];
    int count = 0;
    for (int expert = 0; expert < kExperts; ++expert) {
        const float logit = logits[expert];
        if (count == kChosen && !(logit > best[kChosen - 1])) {
            continue;
        }
        int place = count < kChosen ? count++ : kChosen - 1;
        for (; place > 0 && logit > best[place - 1]; --place) {
            best[place] = best[place - 1];
            ids[place] = ids[place - 1];
        }
        best[place] = logit;
        ids[place] = expert;
    }
    float total = 0.0f;
    for (int i = 0; i < kChosen; ++i) {
        weights[i] = std::exp(best[i] - best[0]);
        total += weights[i];
    }
    for (int i = 0; i < kChosen; ++i) {
        weights[i] /= total;
    }
}

}  // namespace

void run(TensorView routerLogits, TensorView topkWeights, TensorView topkIds) {
    const auto* logits = static_cast<const float*>(routerLogits.data_ptr());
    auto* weights = static_cast<float*>(topkWeights.data_ptr());
    auto* ids = static_cast<std::int32_t*>(topkIds.data_ptr());
    const std::int64_t tokens = routerLogits.size(0);
    for (std::int64_t token = 0; token < tokens; ++token) {
        route(logits + token * kExperts, weights + token * kChosen, ids + token * kChosen);
    }
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(run, run);
