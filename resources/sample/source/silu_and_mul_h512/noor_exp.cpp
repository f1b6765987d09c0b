// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>
#include <cstdint>

#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/function.h>

using tvm::ffi::TensorView;

void run(TensorView gateUp, TensorView output) {
    const std::int64_t rows = output.size(0);
    const std::int64_t columns = output.size(1);
    for (std::int64_t row = 0; row < rows; ++row) {
        const float* gate = static_cast<const float*>(gateUp.data_ptr()) + row * 2 * columns;
        const float* up = gate + columns;
        float* y = static_cast<float*>(output.data_ptr()) + row * columns;
        for (std::int64_t i = 0; i < columns; ++i) {
            y[i] = gate[i] / (1.0f + std::exp(-gate[i])) * up[i];
        }
    }
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(run, run);
