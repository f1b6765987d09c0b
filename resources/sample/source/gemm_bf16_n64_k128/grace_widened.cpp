// SPDX-License-Identifier: GPL-3.0-or-later
#include <cstdint>

#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/function.h>

#include "bf16.h"

using tvm::ffi::TensorView;

namespace {

constexpr std::int64_t kColumns = 64;
constexpr std::int64_t kDepth = 128;
constexpr std::int64_t kTile = 8;

typedef float Lanes __attribute__((vector_size(16), aligned(4)));

// Sums of `Rows` rows and eight columns of the transposed weights.
template <int Rows>
void multiplyTile(const float* x, const float* weights, float* sums) {
    Lanes low[Rows] = {};
    Lanes high[Rows] = {};
    for (std::int64_t k = 0; k < kDepth; ++k) {
        const Lanes w0 = *reinterpret_cast<const Lanes*>(weights + k * kColumns);
        const Lanes w1 = *reinterpret_cast<const Lanes*>(weights + k * kColumns + 4);
        for (int row = 0; row < Rows; ++row) {
            low[row] += x[row * kDepth + k] * w0;
            high[row] += x[row * kDepth + k] * w1;
        }
    }
    for (int row = 0; row < Rows; ++row) {
        *reinterpret_cast<Lanes*>(sums + row * kTile) = low[row];
        *reinterpret_cast<Lanes*>(sums + row * kTile + 4) = high[row];
    }
}

template <int Rows>
void multiplyRows(const std::uint16_t* a, const float* weights, std::uint16_t* c) {
    float x[Rows * kDepth];
    for (std::int64_t i = 0; i < Rows * kDepth; ++i) {
        x[i] = bf16ToFloat(a[i]);
    }
    for (std::int64_t column = 0; column < kColumns; column += kTile) {
        float sums[Rows * kTile];
        multiplyTile<Rows>(x, weights + column, sums);
        for (int row = 0; row < Rows; ++row) {
            for (std::int64_t i = 0; i < kTile; ++i) {
                c[row * kColumns + column + i] = bf16FromFloat(sums[row * kTile + i]);
            }
        }
    }
}

}  // namespace

void run(TensorView a, TensorView b, TensorView c) {
    const auto* left = static_cast<const std::uint16_t*>(a.data_ptr());
    const auto* right = static_cast<const std::uint16_t*>(b.data_ptr());
    auto* product = static_cast<std::uint16_t*>(c.data_ptr());
    const std::int64_t rows = a.size(0);

    float weights[kDepth * kColumns];
    for (std::int64_t n = 0; n < kColumns; ++n) {
        for (std::int64_t k = 0; k < kDepth; ++k) {
            weights[k * kColumns + n] = bf16ToFloat(right[n * kDepth + k]);
        }
    }
    std::int64_t m = 0;
    for (; m + 2 <= rows; m += 2) {
        multiplyRows<2>(left + m * kDepth, weights, product + m * kColumns);
    }
    if (m < rows) {
        multiplyRows<1>(left + m * kDepth, weights, product + m * kColumns);
    }
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(run, run);
