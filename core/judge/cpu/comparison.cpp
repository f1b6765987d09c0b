// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/cpu/comparison.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "core/judge/number_formats.h"

namespace tracedeck::judge {

namespace {

constexpr std::size_t kWidenedElements = 1024;
constexpr std::size_t kLanes = 16;
constexpr float kEpsilon = 1e-8F;

/// Counts and maxima, one set a lane so that no addition waits for the one before.
struct Lanes {
    std::array<float, kLanes> maxAbsolute{};
    std::array<float, kLanes> maxRelative{};
    std::array<std::uint32_t, kLanes> bad{};
    std::array<std::uint32_t, kLanes> infinite{};
    std::array<std::uint32_t, kLanes> nan{};
    std::array<std::uint32_t, kLanes> expectedNonFinite{};
    std::array<std::uint32_t, kLanes> absoluteNan{};
    std::array<std::uint32_t, kLanes> relativeNan{};
};

/// `count` is a multiple of kLanes; missing elements are filled up with zeros on both sides.
void accumulate(const float* actual, const float* expected, std::size_t count, float atol, float rtol, Lanes& lanes)
{
    for (std::size_t i = 0; i < count; i += kLanes) {
        for (std::size_t lane = 0; lane < kLanes; ++lane) {
            const float x = actual[i + lane];
            const float y = expected[i + lane];
            const float absolute = std::fabs(x - y);
            const float relative = absolute / (std::fabs(y) + kEpsilon);
            const std::uint32_t magnitude = std::bit_cast<std::uint32_t>(x) & 0x7FFFFFFFU;
            const std::uint32_t expectedMagnitude = std::bit_cast<std::uint32_t>(y) & 0x7FFFFFFFU;
            const std::uint32_t overAbsolute = absolute > atol ? 1U : 0U;
            const std::uint32_t overRelative = relative > rtol ? 1U : 0U;
            lanes.bad[lane] += overAbsolute & overRelative;
            lanes.infinite[lane] += magnitude == 0x7F800000U ? 1U : 0U;
            lanes.nan[lane] += magnitude > 0x7F800000U ? 1U : 0U;
            lanes.expectedNonFinite[lane] += expectedMagnitude >= 0x7F800000U ? 1U : 0U;
            lanes.absoluteNan[lane] |= absolute != absolute ? 1U : 0U;
            lanes.relativeNan[lane] |= relative != relative ? 1U : 0U;
            lanes.maxAbsolute[lane] = absolute > lanes.maxAbsolute[lane] ? absolute : lanes.maxAbsolute[lane];
            lanes.maxRelative[lane] = relative > lanes.maxRelative[lane] ? relative : lanes.maxRelative[lane];
        }
    }
}

/// Order of absolute errors: NaN above infinity.
std::uint32_t errorKey(float absolute)
{
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(absolute) & 0x7FFFFFFFU;
    return bits > 0x7F800000U ? 0xFFFFFFFFU : bits;
}

/// The largest key of all lanes so far.
std::uint32_t largestKey(const Lanes& lanes)
{
    for (const std::uint32_t nan : lanes.absoluteNan) {
        if (nan != 0) {
            return 0xFFFFFFFFU;
        }
    }
    return errorKey(*std::max_element(lanes.maxAbsolute.begin(), lanes.maxAbsolute.end()));
}

/// Index of the first element whose error has this key.
std::size_t firstWithKey(std::span<const float> actual, std::span<const float> expected, std::uint32_t key)
{
    std::size_t i = 0;
    while (i + 1 < actual.size() && errorKey(std::fabs(actual[i] - expected[i])) != key) {
        ++i;
    }
    return i;
}

std::uint64_t sum(const std::array<std::uint32_t, kLanes>& lanes)
{
    std::uint64_t total = 0;
    for (const std::uint32_t value : lanes) {
        total += value;
    }
    return total;
}

double maximum(const std::array<float, kLanes>& lanes, const std::array<std::uint32_t, kLanes>& nan)
{
    return sum(nan) != 0 ? std::numeric_limits<double>::quiet_NaN() : static_cast<double>(*std::max_element(lanes.begin(), lanes.end()));
}

template <class Element>
std::uint64_t countEqual(std::span<const std::byte> actual, std::span<const std::byte> expected, std::uint64_t elements, std::uint64_t pattern)
{
    const auto poison = static_cast<Element>(pattern);
    std::uint64_t count = 0;
    for (std::uint64_t i = 0; i < elements; ++i) {
        Element value;
        Element right;
        std::memcpy(&value, actual.data() + i * sizeof(Element), sizeof(Element));
        std::memcpy(&right, expected.data() + i * sizeof(Element), sizeof(Element));
        count += value == poison && right != poison ? 1U : 0U;
    }
    return count;
}

/// Elements that were not written, counted only where chance can't explain them: the narrow integer formats have so few
/// values that an honest result may hit the pattern, so there only a wholly untouched tensor counts.
std::uint64_t countPoisoned(std::span<const std::byte> actual, std::span<const std::byte> expected, DType dtype, std::uint64_t elements,
                            std::uint64_t pattern)
{
    const std::uint64_t poison = poisonElement(dtype, pattern);
    switch (dtype) {
    case DType::Float32:
    case DType::Int32: return countEqual<std::uint32_t>(actual, expected, elements, poison);
    case DType::Int64: return countEqual<std::uint64_t>(actual, expected, elements, poison);
    case DType::Float16:
    case DType::BFloat16: return countEqual<std::uint16_t>(actual, expected, elements, poison);
    case DType::Float8E4M3FN:
    case DType::Float8E5M2:
    case DType::Bool: return countEqual<std::uint8_t>(actual, expected, elements, poison);
    case DType::Int16: {
        const std::uint64_t count = countEqual<std::uint16_t>(actual, expected, elements, poison);
        return count == elements && elements >= 4 ? count : 0;
    }
    default: {
        const std::uint64_t bytes = byteSize(dtype, elements);
        const std::uint64_t count = countEqual<std::uint8_t>(actual, expected, bytes, poison);
        return count == bytes && bytes >= 8 ? elements : 0;
    }
    }
}

}  // namespace

Comparison compareCpu(std::span<const std::byte> actual, std::span<const std::byte> expected, DType dtype, std::uint64_t elements,
                      double atol, double rtol, std::uint64_t poisonPattern)
{
    Comparison result;
    std::uint64_t bad = 0;
    alignas(64) std::array<float, kWidenedElements> x{};
    alignas(64) std::array<float, kWidenedElements> y{};
    Lanes lanes;
    std::uint32_t worstKey = 0;
    for (std::uint64_t begin = 0; begin < elements; begin += kWidenedElements) {
        const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(kWidenedElements, elements - begin));
        const std::size_t padded = (count + kLanes - 1) / kLanes * kLanes;
        decodeToFloat(dtype, actual, static_cast<std::size_t>(begin), std::span(x).first(count));
        decodeToFloat(dtype, expected, static_cast<std::size_t>(begin), std::span(y).first(count));
        std::fill(x.begin() + static_cast<std::ptrdiff_t>(count), x.begin() + static_cast<std::ptrdiff_t>(padded), 0.0F);
        std::fill(y.begin() + static_cast<std::ptrdiff_t>(count), y.begin() + static_cast<std::ptrdiff_t>(padded), 0.0F);
        accumulate(x.data(), y.data(), padded, static_cast<float>(atol), static_cast<float>(rtol), lanes);
        if (const std::uint32_t key = largestKey(lanes); key > worstKey) {
            worstKey = key;
            result.worstElement = begin + firstWithKey(std::span(x).first(count), std::span(y).first(count), key);
        }
        // The lanes count in 32 bits; empty them long before they are full.
        bad += sum(lanes.bad);
        result.infinities += sum(lanes.infinite);
        result.nans += sum(lanes.nan);
        result.expectedNonFinite += sum(lanes.expectedNonFinite);
        lanes.bad = lanes.infinite = lanes.nan = lanes.expectedNonFinite = {};
    }
    result.maxAbsoluteError = maximum(lanes.maxAbsolute, lanes.absoluteNan);
    result.maxRelativeError = maximum(lanes.maxRelative, lanes.relativeNan);
    if (elements > 0) {
        result.matchedRatio = std::clamp(1.0 - static_cast<double>(bad) / static_cast<double>(elements), 0.0, 1.0);
    }
    result.poisoned = countPoisoned(actual, expected, dtype, elements, poisonPattern);
    return result;
}

void softmaxRowsCpu(std::span<std::byte> data, DType dtype, std::uint64_t rows, std::uint64_t columns)
{
    std::vector<float> row(static_cast<std::size_t>(columns));
    for (std::uint64_t r = 0; r < rows; ++r) {
        const auto first = static_cast<std::size_t>(r * columns);
        decodeToFloat(dtype, data, first, row);
        float largest = -std::numeric_limits<float>::infinity();
        for (const float value : row) {
            largest = std::max(largest, value);
        }
        double total = 0;
        for (float& value : row) {
            value = std::exp(value - largest);
            total += static_cast<double>(value);
        }
        for (float& value : row) {
            value = static_cast<float>(static_cast<double>(value) / total);
        }
        encodeFromFloat(dtype, row, first, data);
    }
}

}  // namespace tracedeck::judge
