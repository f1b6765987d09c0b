// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>
#include <cstdint>

#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/function.h>

#include "bf16.h"

// Lets the compiler turn the loops below into vector instructions; other compilers ignore it.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("O3")
#endif

using tvm::ffi::TensorView;

namespace {

constexpr std::int64_t kColumns = 512;
constexpr std::int64_t kLanes = 8;

void normaliseRow(const std::uint16_t* x, const float* weight, std::uint16_t* y) {
    float values[kColumns];
    for (std::int64_t i = 0; i < kColumns; ++i) {
        values[i] = bf16ToFloat(x[i]);
    }
    // Independent sums, so that one addition need not wait for the one before.
    float sums[kLanes] = {};
    for (std::int64_t i = 0; i < kColumns; i += kLanes) {
        for (std::int64_t lane = 0; lane < kLanes; ++lane) {
            sums[lane] += values[i + lane] * values[i + lane];
        }
    }
    float sum = 0.0f;
    for (const float part : sums) {
        sum += part;
    }
    const float scale = 1.0f / std::sqrt(sum / static_cast<float>(kColumns) + 1e-6f);
    for (std::int64_t i = 0; i < kColumns; ++i) {
        y[i] = bf16FromFloat(values[i] * scale * weight[i]);
    }
}

}  // namespace

void run(TensorView hiddenStates, TensorView weight, TensorView output) {
    const auto* x = static_cast<const std::uint16_t*>(hiddenStates.data_ptr());
    const auto* w = static_cast<const std::uint16_t*>(weight.data_ptr());
    auto* y = static_cast<std::uint16_t*>(output.data_ptr());
    float weights[kColumns];
    for (std::int64_t i = 0; i < kColumns; ++i) {
        weights[i] = bf16ToFloat(w[i]);
    }
    const std::int64_t rows = hiddenStates.size(0);
    for (std::int64_t row = 0; row < rows; ++row) {
        normaliseRow(x + row * kColumns, weights, y + row * kColumns);
    }
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(run, run);
