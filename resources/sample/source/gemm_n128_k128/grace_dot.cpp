// SPDX-License-Identifier: GPL-3.0-or-later
#include <cstdint>

#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/function.h>

using tvm::ffi::TensorView;

namespace {

// Four floats that may lie at any address; the compiler turns the operations into vector instructions.
typedef float Lanes __attribute__((vector_size(16), aligned(4)));

float sumOf(Lanes lanes) { return (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]); }

}  // namespace

void run(TensorView a, TensorView b, TensorView c) {
    const auto* left = static_cast<const float*>(a.data_ptr());
    const auto* right = static_cast<const float*>(b.data_ptr());
    auto* product = static_cast<float*>(c.data_ptr());
    const std::int64_t rows = a.size(0);
    const std::int64_t columns = b.size(0);   // 128: a multiple of 4
    const std::int64_t depth = a.size(1);     // 128: a multiple of 4
    for (std::int64_t m = 0; m < rows; ++m) {
        const float* x = left + m * depth;
        for (std::int64_t n = 0; n < columns; n += 4) {
            const float* w = right + n * depth;
            Lanes s0 = {}, s1 = {}, s2 = {}, s3 = {};
            for (std::int64_t k = 0; k < depth; k += 4) {
                const Lanes v = *reinterpret_cast<const Lanes*>(x + k);
                s0 += v * *reinterpret_cast<const Lanes*>(w + k);
                s1 += v * *reinterpret_cast<const Lanes*>(w + depth + k);
                s2 += v * *reinterpret_cast<const Lanes*>(w + 2 * depth + k);
                s3 += v * *reinterpret_cast<const Lanes*>(w + 3 * depth + k);
            }
            float* y = product + m * columns + n;
            y[0] = sumOf(s0);
            y[1] = sumOf(s1);
            y[2] = sumOf(s2);
            y[3] = sumOf(s3);
        }
    }
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(run, run);
