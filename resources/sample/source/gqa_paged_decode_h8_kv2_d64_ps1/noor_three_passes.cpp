// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/function.h>

#include "bf16.h"

using tvm::ffi::TensorView;

void run(TensorView q, TensorView kCache, TensorView vCache, TensorView kvIndptr, TensorView kvIndices, double smScale,
         TensorView output, TensorView lse) {
    const auto* queries = static_cast<const std::uint16_t*>(q.data_ptr());
    const auto* keys = static_cast<const std::uint16_t*>(kCache.data_ptr());
    const auto* values = static_cast<const std::uint16_t*>(vCache.data_ptr());
    const auto* bounds = static_cast<const std::int32_t*>(kvIndptr.data_ptr());
    const auto* pages = static_cast<const std::int32_t*>(kvIndices.data_ptr());
    auto* results = static_cast<std::uint16_t*>(output.data_ptr());
    auto* sums = static_cast<float*>(lse.data_ptr());
    const std::int64_t batch = q.size(0);
    const std::int64_t heads = q.size(1);
    const std::int64_t dim = q.size(2);
    const std::int64_t kvHeads = kCache.size(2);
    const auto scale = static_cast<float>(smScale);

    for (std::int64_t sequence = 0; sequence < batch; ++sequence) {
        const std::int64_t first = bounds[sequence];
        const std::int64_t length = bounds[sequence + 1] - first;
        for (std::int64_t head = 0; head < heads; ++head) {
            const std::int64_t kvHead = head / (heads / kvHeads);
            const std::uint16_t* query = queries + (sequence * heads + head) * dim;
            std::vector<float> scores(static_cast<std::size_t>(length));
            float largest = -INFINITY;
            for (std::int64_t token = 0; token < length; ++token) {
                const std::uint16_t* key = keys + (pages[first + token] * kvHeads + kvHead) * dim;
                float dot = 0.0f;
                for (std::int64_t i = 0; i < dim; ++i) {
                    dot += bf16ToFloat(query[i]) * bf16ToFloat(key[i]);
                }
                scores[static_cast<std::size_t>(token)] = dot * scale;
                largest = std::max(largest, dot * scale);
            }
            float total = 0.0f;
            for (float& score : scores) {
                score = std::exp(score - largest);
                total += score;
            }
            std::vector<float> weighted(static_cast<std::size_t>(dim), 0.0f);
            for (std::int64_t token = 0; token < length; ++token) {
                const std::uint16_t* value = values + (pages[first + token] * kvHeads + kvHead) * dim;
                for (std::int64_t i = 0; i < dim; ++i) {
                    weighted[static_cast<std::size_t>(i)] += scores[static_cast<std::size_t>(token)] * bf16ToFloat(value[i]);
                }
            }
            for (std::int64_t i = 0; i < dim; ++i) {
                results[(sequence * heads + head) * dim + i] = bf16FromFloat(weighted[static_cast<std::size_t>(i)] / total);
            }
            sums[sequence * heads + head] = (largest + std::log(total)) / std::log(2.0f);
        }
    }
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(run, run);
