// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/function.h>

using tvm::ffi::TensorView;

void run(TensorView routerLogits, TensorView topkWeights, TensorView topkIds) {
    const std::int64_t tokens = routerLogits.size(0);
    const std::int64_t experts = routerLogits.size(1);
    const std::int64_t chosen = topkIds.size(1);
    for (std::int64_t token = 0; token < tokens; ++token) {
        const float* logits = static_cast<const float*>(routerLogits.data_ptr()) + token * experts;
        float* weights = static_cast<float*>(topkWeights.data_ptr()) + token * chosen;
        auto* ids = static_cast<std::int32_t*>(topkIds.data_ptr()) + token * chosen;
        std::vector<std::int32_t> order(static_cast<std::size_t>(experts));
        std::iota(order.begin(), order.end(), 0);
        std::stable_sort(order.begin(), order.end(),
                         [logits](std::int32_t a, std::int32_t b) { return logits[a] > logits[b]; });
        float total = 0.0f;
        for (std::int64_t i = 0; i < chosen; ++i) {
            ids[i] = order[static_cast<std::size_t>(i)];
            weights[i] = std::exp(logits[ids[i]] - logits[ids[0]]);
            total += weights[i];
        }
        for (std::int64_t i = 0; i < chosen; ++i) {
            weights[i] /= total;
        }
    }
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(run, run);
