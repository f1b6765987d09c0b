// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

namespace tracedeck {

/// A row number with the key that it is ordered by.
struct KeyedRow {
    std::uint64_t key = 0;
    std::uint32_t row = 0;
};

/// Ascending by key, equal keys keep their order. Radix sort: linear, and bytes that are the same in all keys cost nothing.
void sortByKey(std::vector<KeyedRow>& rows);

/// A key whose unsigned order is the order of the numbers; NaN comes after +infinity. Never more than kGreatestKey.
[[nodiscard]] std::uint64_t orderedKey(double value);
/// Greatest key of a value; what has no value gets kMissingKey.
inline constexpr std::uint64_t kGreatestKey = ~std::uint64_t{0} - 1;
inline constexpr std::uint64_t kMissingKey = ~std::uint64_t{0};

}  // namespace tracedeck
