// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>
#include <cstdint>

#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/function.h>

#include "bf16.h"

using tvm::ffi::TensorView;

namespace {

constexpr int kHeads = 8;
constexpr int kKvHeads = 2;
constexpr int kGroup = kHeads / kKvHeads;
constexpr int kDim = 64;
constexpr int kWidth = 4;
constexpr int kVectors = kDim / kWidth;
constexpr float kLog2E = 1.44269504f;

typedef float Lanes __attribute__((vector_size(16)));

void widen(const std::uint16_t* from, Lanes* to) {
    for (int i = 0; i < kVectors; ++i) {
        for (int lane = 0; lane < kWidth; ++lane) {
            to[i][lane] = bf16ToFloat(from[i * kWidth + lane]);
        }
    }
}

// The state of one query head: scores are kept as powers of two, so that the result is a logarithm to base 2.
struct Head {
    Lanes query[kVectors];
    Lanes weighted[kVectors];
    float largest;
    float total;

    void start(const std::uint16_t* from, float scale) {
        widen(from, query);
        for (int i = 0; i < kVectors; ++i) {
            query[i] *= scale * kLog2E;
            weighted[i] = Lanes{};
        }
        largest = -INFINITY;
        total = 0.0f;
    }

    void add(const Lanes* key, const Lanes* value) {
        Lanes dots = {};
        for (int i = 0; i < kVectors; ++i) {
            dots += query[i] * key[i];
        }
        const float score = (dots[0] + dots[1]) + (dots[2] + dots[3]);
        if (score > largest) {
            const float shrink = std::exp2(largest - score);
            largest = score;
            total *= shrink;
            for (int i = 0; i < kVectors; ++i) {
                weighted[i] *= shrink;
            }
        }
        const float weight = std::exp2(score - largest);
        total += weight;
        for (int i = 0; i < kVectors; ++i) {
            weighted[i] += weight * value[i];
        }
    }

    void finish(std::uint16_t* result, float* lse) const {
        for (int i = 0; i < kVectors; ++i) {
            for (int lane = 0; lane < kWidth; ++lane) {
                result[i * kWidth + lane] = bf16FromFloat(weighted[i][lane] / total);
            }
        }
        *lse = largest + std::log2(total);
    }
};

}  // namespace

void run(TensorView q, TensorView kCache, TensorView vCache, TensorView kvIndptr, TensorView kvIndices, double smScale,
         TensorView output, TensorView lse) {
    const auto* queries = static_cast<const std::uint16_t*>(q.data_ptr());
    const auto* keys = static_cast<const std::uint16_t*>(kCache.data_ptr());
    const auto* values = static_cast<const std::uint16_t*>(vCache.data_ptr());
    const auto* bounds = static_cast<const std::int32_t*>(kvIndptr.data_ptr());
    const auto* pages = static_cast<const std::int32_t*>(kvIndices.data_ptr());
    auto* results = static_cast<std::uint16_t*>(output.data_ptr());
    auto* sums = static_cast<float*>(lse.data_ptr());

    for (std::int64_t sequence = 0; sequence < q.size(0); ++sequence) {
        for (int kvHead = 0; kvHead < kKvHeads; ++kvHead) {
            const std::int64_t firstHead = sequence * kHeads + kvHead * kGroup;
            Head group[kGroup];
            for (int head = 0; head < kGroup; ++head) {
                group[head].start(queries + (firstHead + head) * kDim, static_cast<float>(smScale));
            }
            for (std::int64_t token = bounds[sequence]; token < bounds[sequence + 1]; ++token) {
                const std::int64_t place = (static_cast<std::int64_t>(pages[token]) * kKvHeads + kvHead) * kDim;
                Lanes key[kVectors], value[kVectors];
                widen(keys + place, key);
                widen(values + place, value);
                for (Head& head : group) {
                    head.add(key, value);
                }
            }
            for (int head = 0; head < kGroup; ++head) {
                group[head].finish(results + (firstHead + head) * kDim, sums + firstHead + head);
            }
        }
    }
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(run, run);
