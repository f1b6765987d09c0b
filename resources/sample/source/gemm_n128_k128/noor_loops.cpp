// SPDX-License-Identifier: GPL-3.0-or-later
#include <cstdint>

#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/function.h>

using tvm::ffi::TensorView;

void run(TensorView a, TensorView b, TensorView c) {
    const auto* left = static_cast<const float*>(a.data_ptr());
    const auto* right = static_cast<const float*>(b.data_ptr());
    auto* product = static_cast<float*>(c.data_ptr());
    const std::int64_t rows = a.size(0);
    const std::int64_t columns = b.size(0);
    const std::int64_t depth = a.size(1);
    for (std::int64_t m = 0; m < rows; ++m) {
        for (std::int64_t n = 0; n < columns; ++n) {
            float sum = 0.0f;
            for (std::int64_t k = 0; k < depth; ++k) {
                sum += left[m * depth + k] * right[n * depth + k];
            }
            product[m * columns + n] = sum;
        }
    }
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(run, run);
