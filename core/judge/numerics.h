// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/model/dtype.h"
#include "core/model/trace.h"

namespace tracedeck::judge {

/// Whether a dtype holds whole numbers or truth values.
[[nodiscard]] bool isExact(DType dtype);

/// What a comparison by the strict rules finds: an element is right when |x − y| ≤ atol + rtol · |y|, when both are the same infinity, or
/// when both are NaN; integers and truth values only when they are equal.
struct StrictComparison {
    std::uint64_t bad = 0;
    std::uint64_t nonFiniteBad = 0;        ///< of these, where one of the two is no finite number
    double maxAbsoluteError = 0;           ///< over the elements that are finite on both sides
    double maxRelativeError = 0;
    double matchedRatio = 1;
    std::uint64_t firstBad = 0;
};
[[nodiscard]] StrictComparison compareStrict(std::span<const std::byte> actual, std::span<const std::byte> expected, DType dtype, std::uint64_t elements,
                                             double atol, double rtol);

/// How many elements differ, as whole numbers.
[[nodiscard]] std::uint64_t countDifferent(std::span<const std::byte> actual, std::span<const std::byte> expected, DType dtype, std::uint64_t elements);

/// SOL-ExecBench's formula for one output (dialect §5.2).
struct SolComparison {
    bool isRight = true;
    bool hasNan = false;
    bool hasInf = false;
    bool isAllZero = false;            ///< rule 2: nothing but zeros where the reference has others
    bool isOverCap = false;            ///< rule 5: one element is farther off than the cap allows
    double maxAbsoluteError = 0;
    double maxRelativeError = 0;
    double matchedRatio = 1;
};
/// `requiredRatio`: the share that counts, which a misspelt key may or may not set.
[[nodiscard]] SolComparison compareSol(std::span<const std::byte> actual, std::span<const std::byte> expected, DType dtype, std::uint64_t elements,
                                       const WorkloadTolerance& tolerance, double requiredRatio);

}  // namespace tracedeck::judge
