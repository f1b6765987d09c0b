// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>
#include <cstdint>

#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/function.h>

using tvm::ffi::TensorView;

namespace {

typedef float Lanes __attribute__((vector_size(16), aligned(4)));

Lanes load(const float* from) { return *reinterpret_cast<const Lanes*>(from); }
void store(float* to, Lanes lanes) { *reinterpret_cast<Lanes*>(to) = lanes; }

}  // namespace

void run(TensorView hiddenStates, TensorView residual, TensorView weight, TensorView output, TensorView newResidual) {
    const auto* x = static_cast<const float*>(hiddenStates.data_ptr());
    const auto* r = static_cast<const float*>(residual.data_ptr());
    const auto* w = static_cast<const float*>(weight.data_ptr());
    auto* y = static_cast<float*>(output.data_ptr());
    auto* total = static_cast<float*>(newResidual.data_ptr());
    const std::int64_t rows = hiddenStates.size(0);
    const std::int64_t columns = hiddenStates.size(1);   // 512: a multiple of 8
    for (std::int64_t row = 0; row < rows; ++row) {
        const std::int64_t start = row * columns;
        Lanes even = {}, odd = {};
        for (std::int64_t i = start; i < start + columns; i += 8) {
            const Lanes t0 = load(x + i) + load(r + i);
            const Lanes t1 = load(x + i + 4) + load(r + i + 4);
            store(total + i, t0);
            store(total + i + 4, t1);
            even += t0 * t0;
            odd += t1 * t1;
        }
        const Lanes sums = even + odd;
        const float sum = (sums[0] + sums[1]) + (sums[2] + sums[3]);
        const float scale = 1.0f / std::sqrt(sum / static_cast<float>(columns) + 1e-5f);
        for (std::int64_t column = 0; column < columns; column += 4) {
            store(y + start + column, load(total + start + column) * scale * load(w + column));
        }
    }
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(run, run);
