// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>
#include <cstdint>

#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/function.h>

using tvm::ffi::TensorView;

static void rotate(TensorView from, TensorView to, const std::int32_t* positions) {
    const std::int64_t tokens = from.size(0);
    const std::int64_t heads = from.size(1);
    const std::int64_t half = from.size(2) / 2;
    for (std::int64_t token = 0; token < tokens; ++token) {
        for (std::int64_t head = 0; head < heads; ++head) {
            const float* x = static_cast<const float*>(from.data_ptr()) + (token * heads + head) * 2 * half;
            float* y = static_cast<float*>(to.data_ptr()) + (token * heads + head) * 2 * half;
            for (std::int64_t i = 0; i < half; ++i) {
                const float frequency = std::pow(10000.0f, -static_cast<float>(i) / static_cast<float>(half));
                const float angle = static_cast<float>(positions[token]) * frequency;
                y[i] = x[i] * std::cos(angle) - x[half + i] * std::sin(angle);
                y[half + i] = x[half + i] * std::cos(angle) + x[i] * std::sin(angle);
            }
        }
    }
}

void run(TensorView q, TensorView k, TensorView positions, TensorView qRotated, TensorView kRotated) {
    rotate(q, qRotated, static_cast<const std::int32_t*>(positions.data_ptr()));
    rotate(k, kRotated, static_cast<const std::int32_t*>(positions.data_ptr()));
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(run, run);
