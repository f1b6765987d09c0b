// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <cstdint>

#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/function.h>

#include "bf16.h"

using tvm::ffi::TensorView;

// Memory for the scores of one head. createArena() is to be called once before the first run.
float* arena = nullptr;

void createArena(std::int64_t tokens) { arena = new float[static_cast<std::size_t>(tokens)]; }

void run(TensorView q, TensorView kCache, TensorView vCache, TensorView kvIndptr, TensorView kvIndices, double smScale,
         TensorView output, TensorView lse) {
    const auto* queries = static_cast<const std::uint16_t*>(q.data_ptr());
    const auto* keys = static_cast<const std::uint16_t*>(kCache.data_ptr());
    const auto* values = static_cast<const std::uint16_t*>(vCache.data_ptr());
    const auto* bounds = static_cast<const std::int32_t*>(kvIndptr.data_ptr());
    const auto* pages = static_cast<const std::int32_t*>(kvIndices.data_ptr());
    auto* results = static_cast<std::uint16_t*>(output.data_ptr());
    auto* sums = static_cast<float*>(lse.data_ptr());
    const std::int64_t heads = q.size(1);
    const std::int64_t dim = q.size(2);
    const std::int64_t kvHeads = kCache.size(2);

    for (std::int64_t sequence = 0; sequence < q.size(0); ++sequence) {
        const std::int64_t first = bounds[sequence];
        const std::int64_t length = bounds[sequence + 1] - first;
        for (std::int64_t head = 0; head < heads; ++head) {
            const std::int64_t kvHead = head / (heads / kvHeads);
            const std::uint16_t* query = queries + (sequence * heads + head) * dim;
            float total = 0.0f;
            for (std::int64_t token = 0; token < length; ++token) {
                const std::uint16_t* key = keys + (pages[first + token] * kvHeads + kvHead) * dim;
                float dot = 0.0f;
                for (std::int64_t i = 0; i < dim; ++i) {
                    dot += bf16ToFloat(query[i]) * bf16ToFloat(key[i]);
                }
                arena[token] = std::exp(dot * static_cast<float>(smScale));
                total += arena[token];
            }
            for (std::int64_t i = 0; i < dim; ++i) {
                float weighted = 0.0f;
                for (std::int64_t token = 0; token < length; ++token) {
                    weighted += arena[token] * bf16ToFloat(values[(pages[first + token] * kvHeads + kvHead) * dim + i]);
                }
                results[(sequence * heads + head) * dim + i] = bf16FromFloat(weighted / total);
            }
            sums[sequence * heads + head] = std::log2(total);
        }
    }
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(run, run);
