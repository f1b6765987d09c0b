// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include "core/io/safetensors.h"

namespace tracedeck {

/// What the values of a tensor are like.
struct TensorSummary {
    static constexpr std::size_t kBins = 40;
    static constexpr std::size_t kMostFirstValues = 100;

    std::uint64_t elements = 0;
    std::uint64_t finite = 0;
    std::uint64_t nan = 0;
    std::uint64_t infinite = 0;
    std::uint64_t zeros = 0;
    /// Of the finite values; 0 when there are none. `deviation`: standard deviation over all of them (divided by n).
    double minimum = 0;
    double maximum = 0;
    double mean = 0;
    double deviation = 0;
    /// Counts of finite values in equal steps from minimum to maximum; one bin has all when both are equal.
    std::array<std::uint64_t, kBins> histogram{};
    std::vector<double> firstValues;   ///< in memory order, at most kMostFirstValues
};

/// Whether the values of this header dtype can be read: all of the format but for F8_E8M0, F6 and complex numbers.
[[nodiscard]] bool canSummarise(const std::string& dtype);
/// Reads a tensor piece by piece, twice. Error Unsupported: a dtype that cannot be read; Cancelled: the stop token was set; or as
/// SafetensorsFile::read.
[[nodiscard]] Result<TensorSummary> summariseTensor(const SafetensorsFile& file, const SafetensorsEntry& entry, const std::stop_token& stop = {});

}  // namespace tracedeck
