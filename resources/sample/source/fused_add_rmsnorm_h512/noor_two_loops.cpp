// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>
#include <cstdint>

#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/function.h>

using tvm::ffi::TensorView;

void run(TensorView hiddenStates, TensorView residual, TensorView weight, TensorView output, TensorView newResidual) {
    const auto* x = static_cast<const float*>(hiddenStates.data_ptr());
    const auto* r = static_cast<const float*>(residual.data_ptr());
    const auto* w = static_cast<const float*>(weight.data_ptr());
    auto* y = static_cast<float*>(output.data_ptr());
    auto* total = static_cast<float*>(newResidual.data_ptr());
    const std::int64_t rows = hiddenStates.size(0);
    const std::int64_t columns = hiddenStates.size(1);
    for (std::int64_t i = 0; i < rows * columns; ++i) {
        total[i] = x[i] + r[i];
    }
    for (std::int64_t row = 0; row < rows; ++row) {
        float sum = 0.0f;
        for (std::int64_t column = 0; column < columns; ++column) {
            sum += total[row * columns + column] * total[row * columns + column];
        }
        const float scale = 1.0f / std::sqrt(sum / static_cast<float>(columns) + 1e-5f);
        for (std::int64_t column = 0; column < columns; ++column) {
            y[row * columns + column] = total[row * columns + column] * scale * w[column];
        }
    }
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(run, run);
