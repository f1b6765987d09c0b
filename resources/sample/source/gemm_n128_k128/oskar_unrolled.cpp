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
            const float* x = left + m * depth;
            const float* w = right + n * depth;
            float even = 0.0f;
            float odd = 0.0f;
            for (std::int64_t k = 0; k + 8 < depth; k += 8) {
                even += x[k] * w[k] + x[k + 2] * w[k + 2] + x[k + 4] * w[k + 4] + x[k + 6] * w[k + 6];
                odd += x[k + 1] * w[k + 1] + x[k + 3] * w[k + 3] + x[k + 5] * w[k + 5] + x[k + 7] * w[k + 7];
            }
            product[m * columns + n] = even + odd;
        }
    }
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(run, run);
