// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/judge/device.h"
#include "core/model/dtype.h"

namespace tracedeck::judge {

/// Error statistics of benchmark §4.3 over `elements` values of one dtype, in 32-bit floats as the format does.
/// `poisonPattern` is what Device::poison wrote before the call.
Comparison compareCpu(std::span<const std::byte> actual, std::span<const std::byte> expected, DType dtype, std::uint64_t elements,
                      double atol, double rtol, std::uint64_t poisonPattern);

/// Softmax over rows of `columns` values, in place. `dtype` is a floating one.
void softmaxRowsCpu(std::span<std::byte> data, DType dtype, std::uint64_t rows, std::uint64_t columns);

}  // namespace tracedeck::judge
