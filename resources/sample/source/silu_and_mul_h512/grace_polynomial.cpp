// SPDX-License-Identifier: GPL-3.0-or-later
#include <cstdint>
#include <cstring>

#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/extra/c_env_api.h>
#include <tvm/ffi/function.h>

using tvm::ffi::Tensor;
using tvm::ffi::TensorView;

namespace {

typedef float Lanes __attribute__((vector_size(16), aligned(4)));
typedef std::int32_t Bits __attribute__((vector_size(16), aligned(4)));

// 2^x for -126 <= x <= 126: 2^(whole part) is put together from bits, 2^(rest) is a polynomial on [-0.5, 0.5].
Lanes powerOfTwo(Lanes x) {
    // Adding and subtracting 1.5 * 2^23 rounds to a whole number, which then also stands in the low bits.
    const Lanes magic = Lanes{} + 12582912.0f;
    const Lanes shifted = x + magic;
    const Lanes rest = x - (shifted - magic);
    Bits whole;
    std::memcpy(&whole, &shifted, sizeof whole);
    whole = (whole - 0x4B400000 + 127) << 23;
    Lanes power;
    std::memcpy(&power, &whole, sizeof power);
    // Taylor series of 2^x: the coefficients are ln(2)^n / n!.
    const Lanes series =
        1.0f + rest * (0.693147181f + rest * (0.240226507f + rest * (0.0555041087f + rest * (0.00961812911f +
        rest * (0.00133335581f + rest * 0.000154035304f)))));
    return power * series;
}

Lanes clamp(Lanes x, float low, float high) {
    const Lanes lower = Lanes{} + low;
    const Lanes upper = Lanes{} + high;
    x = x < lower ? lower : x;
    return x > upper ? upper : x;
}

}  // namespace

Tensor run(TensorView gateUp) {
    const std::int64_t rows = gateUp.size(0);
    const std::int64_t columns = gateUp.size(1) / 2;   // 512: a multiple of 4
    Tensor output = Tensor::FromEnvAlloc(TVMFFIEnvTensorAlloc, {rows, columns}, gateUp.dtype(), gateUp.device());
    const auto* input = static_cast<const float*>(gateUp.data_ptr());
    auto* y = static_cast<float*>(output.data_ptr());
    for (std::int64_t row = 0; row < rows; ++row) {
        const float* gate = input + row * 2 * columns;
        const float* up = gate + columns;
        for (std::int64_t i = 0; i < columns; i += 4) {
            const Lanes g = *reinterpret_cast<const Lanes*>(gate + i);
            const Lanes u = *reinterpret_cast<const Lanes*>(up + i);
            // exp(-g) = 2^(-g / ln(2))
            const Lanes e = powerOfTwo(clamp(g * -1.44269504f, -126.0f, 126.0f));
            *reinterpret_cast<Lanes*>(y + row * columns + i) = g / (1.0f + e) * u;
        }
    }
    return output;
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(run, run);
