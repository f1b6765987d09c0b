// SPDX-License-Identifier: GPL-3.0-or-later
#include <cstdint>
#include <vector>

#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/function.h>

using tvm::ffi::TensorView;

// One version for processors with fused multiply-add and one for all others; the loader picks.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define FOR_EVERY_PROCESSOR __attribute__((target_clones("fma", "default")))
#else
#define FOR_EVERY_PROCESSOR
#endif

namespace {

constexpr std::int64_t kColumns = 128;
constexpr std::int64_t kDepth = 128;
constexpr std::int64_t kTile = 16;

typedef float Lanes __attribute__((vector_size(32), aligned(4)));

// Panels of 16 columns: packed[(panel * depth + k) * 16 + column]
void pack(const float* b, float* packed) {
    for (std::int64_t panel = 0; panel < kColumns; panel += kTile) {
        for (std::int64_t k = 0; k < kDepth; ++k) {
            for (std::int64_t column = 0; column < kTile; ++column) {
                packed[panel * kDepth + k * kTile + column] = b[(panel + column) * kDepth + k];
            }
        }
    }
}

FOR_EVERY_PROCESSOR
void multiply(const float* a, const float* packed, float* c, std::int64_t rows) {
    for (std::int64_t panel = 0; panel < kColumns; panel += kTile) {
        const float* weights = packed + panel * kDepth;
        std::int64_t m = 0;
        for (; m + 4 <= rows; m += 4) {
            const float* x = a + m * kDepth;
            Lanes s00 = {}, s01 = {}, s10 = {}, s11 = {}, s20 = {}, s21 = {}, s30 = {}, s31 = {};
            for (std::int64_t k = 0; k < kDepth; ++k) {
                const Lanes w0 = *reinterpret_cast<const Lanes*>(weights + k * kTile);
                const Lanes w1 = *reinterpret_cast<const Lanes*>(weights + k * kTile + 8);
                const float x0 = x[k], x1 = x[kDepth + k], x2 = x[2 * kDepth + k], x3 = x[3 * kDepth + k];
                s00 += x0 * w0;
                s01 += x0 * w1;
                s10 += x1 * w0;
                s11 += x1 * w1;
                s20 += x2 * w0;
                s21 += x2 * w1;
                s30 += x3 * w0;
                s31 += x3 * w1;
            }
            float* y = c + m * kColumns + panel;
            *reinterpret_cast<Lanes*>(y) = s00;
            *reinterpret_cast<Lanes*>(y + 8) = s01;
            *reinterpret_cast<Lanes*>(y + kColumns) = s10;
            *reinterpret_cast<Lanes*>(y + kColumns + 8) = s11;
            *reinterpret_cast<Lanes*>(y + 2 * kColumns) = s20;
            *reinterpret_cast<Lanes*>(y + 2 * kColumns + 8) = s21;
            *reinterpret_cast<Lanes*>(y + 3 * kColumns) = s30;
            *reinterpret_cast<Lanes*>(y + 3 * kColumns + 8) = s31;
        }
        for (; m < rows; ++m) {
            const float* x = a + m * kDepth;
            Lanes s0 = {}, s1 = {};
            for (std::int64_t k = 0; k < kDepth; ++k) {
                s0 += x[k] * *reinterpret_cast<const Lanes*>(weights + k * kTile);
                s1 += x[k] * *reinterpret_cast<const Lanes*>(weights + k * kTile + 8);
            }
            float* y = c + m * kColumns + panel;
            *reinterpret_cast<Lanes*>(y) = s0;
            *reinterpret_cast<Lanes*>(y + 8) = s1;
        }
    }
}

}  // namespace

void run(TensorView a, TensorView b, TensorView c) {
    std::vector<float> packed(kColumns * kDepth);
    pack(static_cast<const float*>(b.data_ptr()), packed.data());
    multiply(static_cast<const float*>(a.data_ptr()), packed.data(), static_cast<float*>(c.data_ptr()), a.size(0));
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(run, run);
