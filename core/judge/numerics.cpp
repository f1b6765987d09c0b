// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/numerics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include "core/judge/number_formats.h"

namespace tracedeck::judge {

namespace {

constexpr std::size_t kAtOnce = 1024;

/// Calls `visit(x, y, index)` for all elements as 32-bit floats.
template <class Visit>
void forEachPair(std::span<const std::byte> actual, std::span<const std::byte> expected, DType dtype, std::uint64_t elements, Visit visit)
{
    std::array<float, kAtOnce> x{};
    std::array<float, kAtOnce> y{};
    for (std::uint64_t begin = 0; begin < elements; begin += kAtOnce) {
        const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(kAtOnce, elements - begin));
        decodeToFloat(dtype, actual, static_cast<std::size_t>(begin), std::span(x).first(count));
        decodeToFloat(dtype, expected, static_cast<std::size_t>(begin), std::span(y).first(count));
        for (std::size_t i = 0; i < count; ++i) {
            visit(x[i], y[i], begin + i);
        }
    }
}

/// An integer as it is, a truth value as 0 or 1.
std::int64_t wholeNumber(std::span<const std::byte> data, DType dtype, std::uint64_t index)
{
    const auto read = [&]<class Element>(Element value) {
        std::memcpy(&value, data.data() + index * sizeof value, sizeof value);
        return value;
    };
    switch (dtype) {
    case DType::Int64: return read(std::int64_t{});
    case DType::Int32: return read(std::int32_t{});
    case DType::Int16: return read(std::int16_t{});
    case DType::Int8: return read(std::int8_t{});
    default: return read(std::uint8_t{}) != 0 ? 1 : 0;
    }
}

double ratioOf(std::uint64_t bad, std::uint64_t elements)
{
    return elements == 0 ? 1.0 : std::clamp(1.0 - static_cast<double>(bad) / static_cast<double>(elements), 0.0, 1.0);
}

StrictComparison compareWhole(std::span<const std::byte> actual, std::span<const std::byte> expected, DType dtype, std::uint64_t elements)
{
    StrictComparison result;
    for (std::uint64_t i = 0; i < elements; ++i) {
        const std::int64_t x = wholeNumber(actual, dtype, i);
        const std::int64_t y = wholeNumber(expected, dtype, i);
        if (x == y) {
            continue;
        }
        result.firstBad = result.bad++ == 0 ? i : result.firstBad;
        // The difference of two 64-bit numbers has 65 bits: as double it is near enough.
        const double absolute = std::fabs(static_cast<double>(x) - static_cast<double>(y));
        result.maxAbsoluteError = std::max(result.maxAbsoluteError, std::max(absolute, 1.0));
        result.maxRelativeError = std::max(result.maxRelativeError, std::max(absolute, 1.0) / (std::fabs(static_cast<double>(y)) + 1e-8));
    }
    result.matchedRatio = ratioOf(result.bad, elements);
    return result;
}

}  // namespace

bool isExact(DType dtype)
{
    return dtype == DType::Int64 || dtype == DType::Int32 || dtype == DType::Int16 || dtype == DType::Int8 || dtype == DType::Bool;
}

std::uint64_t countDifferent(std::span<const std::byte> actual, std::span<const std::byte> expected, DType dtype, std::uint64_t elements)
{
    std::uint64_t different = 0;
    for (std::uint64_t i = 0; i < elements; ++i) {
        different += wholeNumber(actual, dtype, i) != wholeNumber(expected, dtype, i) ? 1U : 0U;
    }
    return different;
}

StrictComparison compareStrict(std::span<const std::byte> actual, std::span<const std::byte> expected, DType dtype, std::uint64_t elements, double atol,
                               double rtol)
{
    if (isExact(dtype)) {
        return compareWhole(actual, expected, dtype, elements);
    }
    StrictComparison result;
    forEachPair(actual, expected, dtype, elements, [&](float x, float y, std::uint64_t index) {
        bool isRight = false;
        if (std::isfinite(x) && std::isfinite(y)) {
            const double absolute = std::fabs(static_cast<double>(x) - static_cast<double>(y));
            const double magnitude = std::fabs(static_cast<double>(y));
            result.maxAbsoluteError = std::max(result.maxAbsoluteError, absolute);
            result.maxRelativeError = std::max(result.maxRelativeError, absolute / (magnitude + 1e-8));
            isRight = absolute <= atol + rtol * magnitude;
        } else {
            isRight = (std::isnan(x) && std::isnan(y)) || x == y;
            result.nonFiniteBad += isRight ? 0U : 1U;
        }
        if (!isRight) {
            result.firstBad = result.bad++ == 0 ? index : result.firstBad;
        }
    });
    result.matchedRatio = ratioOf(result.bad, elements);
    return result;
}

SolComparison compareSol(std::span<const std::byte> actual, std::span<const std::byte> expected, DType dtype, std::uint64_t elements,
                         const WorkloadTolerance& tolerance, double requiredRatio)
{
    const bool allowsNegativeInfinity = tolerance.allowNegativeInf.value_or(false);
    const auto isExcused = [allowsNegativeInfinity](float x, float y) {
        constexpr float kNegativeInfinity = -std::numeric_limits<float>::infinity();
        return allowsNegativeInfinity && x == kNegativeInfinity && y == kNegativeInfinity;
    };
    SolComparison result;
    double squaresOfActual = 0;
    double squaresOfExpected = 0;
    std::uint64_t counted = 0;
    std::uint64_t bad = 0;
    bool isNotANumber = false;
    const auto atol = static_cast<float>(tolerance.atol());
    const auto rtol = static_cast<float>(tolerance.rtol());
    forEachPair(actual, expected, dtype, elements, [&](float x, float y, std::uint64_t) {
        if (isExcused(x, y)) {
            return;
        }
        result.hasNan = result.hasNan || std::isnan(x) || std::isnan(y);
        result.hasInf = result.hasInf || std::isinf(x) || std::isinf(y);
        squaresOfActual += static_cast<double>(x) * static_cast<double>(x);
        squaresOfExpected += static_cast<double>(y) * static_cast<double>(y);
        const float absolute = std::fabs(x - y);
        const float relative = absolute / std::max(std::fabs(y), atol);
        ++counted;
        bad += absolute <= atol + rtol * std::fabs(y) ? 0U : 1U;
        result.maxAbsoluteError = std::max(result.maxAbsoluteError, static_cast<double>(absolute));
        isNotANumber = isNotANumber || std::isnan(relative);
        result.maxRelativeError = std::max(result.maxRelativeError, static_cast<double>(relative));
    });
    if (result.hasNan || result.hasInf) {
        result.isRight = false;
        result.hasInf = result.hasInf && !result.hasNan;
        result.maxAbsoluteError = result.maxRelativeError = 0;
        result.matchedRatio = ratioOf(bad, counted);
        return result;
    }
    if (squaresOfExpected > 0 && squaresOfActual == 0) {
        result.isRight = false;
        result.isAllZero = true;
        result.maxAbsoluteError = result.maxRelativeError = std::sqrt(squaresOfExpected);
        result.matchedRatio = ratioOf(bad, counted);
        return result;
    }
    if (isNotANumber) {
        result.maxRelativeError = std::numeric_limits<double>::quiet_NaN();
    }
    result.matchedRatio = ratioOf(bad, counted);
    result.isOverCap = tolerance.maxErrorCap && result.maxAbsoluteError > *tolerance.maxErrorCap;
    result.isRight = result.matchedRatio >= requiredRatio && !result.isOverCap;
    return result;
}

}  // namespace tracedeck::judge
