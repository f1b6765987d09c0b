// SPDX-License-Identifier: GPL-3.0-or-later
#include <cstdint>

#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/function.h>

#include "bf16.h"

using tvm::ffi::TensorView;

template <typename Element>
void multiply(const Element* left, const Element* right, Element* product, std::int64_t rows, std::int64_t columns,
              std::int64_t depth) {
    for (std::int64_t m = 0; m < rows; ++m) {
        for (std::int64_t n = 0; n < columns; ++n) {
            float sum = 0.0f;
            for (std::int64_t k = 0; k < depth; ++k) {
                sum += widen(left[m * depth + k]) * widen(right[n * depth + k]);
            }
            product[m * columns + n] = bf16FromFloat(sum);
        }
    }
}

void run(TensorView a, TensorView b, TensorView c) {
    multiply(static_cast<const std::uint16_t*>(a.data_ptr()), static_cast<const std::uint16_t*>(b.data_ptr()),
             static_cast<std::uint16_t*>(c.data_ptr()), a.size(0), b.size(0), a.size(1));
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(run, run);
