// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>
#include <cstdint>

#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/function.h>

// Lets the compiler turn the rotation into vector instructions; other compilers ignore it.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("O3")
#endif

using tvm::ffi::TensorView;

namespace {

constexpr int kHalf = 32;
constexpr int kHeadDim = 2 * kHalf;

void rotateHeads(const float* x, float* y, std::int64_t heads, const float* cosine, const float* sine) {
    for (std::int64_t head = 0; head < heads; ++head, x += kHeadDim, y += kHeadDim) {
        float rotated[kHeadDim];
        for (int i = 0; i < kHalf; ++i) {
            rotated[i] = x[i] * cosine[i] - x[kHalf + i] * sine[i];
            rotated[kHalf + i] = x[kHalf + i] * cosine[i] + x[i] * sine[i];
        }
        for (int i = 0; i < kHeadDim; ++i) {
            y[i] = rotated[i];
        }
    }
}

}  // namespace

void run(TensorView q, TensorView k, TensorView positions, TensorView qRotated, TensorView kRotated) {
    const auto* queries = static_cast<const float*>(q.data_ptr());
    const auto* keys = static_cast<const float*>(k.data_ptr());
    const auto* places = static_cast<const std::int32_t*>(positions.data_ptr());
    auto* queryResults = static_cast<float*>(qRotated.data_ptr());
    auto* keyResults = static_cast<float*>(kRotated.data_ptr());
    const std::int64_t queryHeads = q.size(1);
    const std::int64_t keyHeads = k.size(1);

    float frequencies[kHalf];
    for (int i = 0; i < kHalf; ++i) {
        frequencies[i] = std::pow(10000.0f, -static_cast<float>(i) / kHalf);
    }
    for (std::int64_t token = 0; token < q.size(0); ++token) {
        float cosine[kHalf], sine[kHalf];
        for (int i = 0; i < kHalf; ++i) {
            const float angle = static_cast<float>(places[token]) * frequencies[i];
            cosine[i] = std::cos(angle);
            sine[i] = std::sin(angle);
        }
        const std::int64_t queryStart = token * queryHeads * kHeadDim;
        const std::int64_t keyStart = token * keyHeads * kHeadDim;
        rotateHeads(queries + queryStart, queryResults + queryStart, queryHeads, cosine, sine);
        rotateHeads(keys + keyStart, keyResults + keyStart, keyHeads, cosine, sine);
    }
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(run, run);
