// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>
#include <cstdint>

#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/function.h>

#include "bf16.h"

using tvm::ffi::TensorView;

void run(TensorView hiddenStates, TensorView weight, TensorView output) {
    const auto* x = static_cast<const std::uint16_t*>(hiddenStates.data_ptr());
    const auto* w = static_cast<const std::uint16_t*>(weight.data_ptr());
    auto* y = static_cast<std::uint16_t*>(output.data_ptr());
    const std::int64_t rows = hiddenStates.size(0);
    const std::int64_t columns = hiddenStates.size(1);
    for (std::int64_t row = 0; row < rows; ++row) {
        float sum = 0.0f;
        for (std::int64_t column = 0; column < columns; ++column) {
            const float value = bf16ToFloat(x[row * columns + column]);
            sum += value * value;
        }
        const float scale = 1.0f / std::sqrt(sum / static_cast<float>(columns) + 1e-6f);
        for (std::int64_t column = 0; column < columns; ++column) {
            const float value = bf16ToFloat(x[row * columns + column]);
            y[row * columns + column] = bf16FromFloat(value * scale * bf16ToFloat(w[column]));
        }
    }
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(run, run);
