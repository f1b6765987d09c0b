// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <utility>
#include <vector>

namespace tracedeck {

/// A row number with the key that it is ordered by.
struct KeyedRow {
    std::uint64_t key = 0;
    std::uint32_t row = 0;
};

/// Ascending by key, equal keys keep their order. Radix sort: linear, and bytes that are the same in all keys cost nothing.
/// On several threads when there are many rows. When the token is set, the rows may be left in any order.
void sortByKey(std::vector<KeyedRow>& rows, const std::stop_token& stop = {});

/// Into how many parts a job over so many rows is cut, one for each thread: fewer rows are done faster than a thread starts.
[[nodiscard]] std::size_t partsFor(std::size_t rowCount);
/// Rows `first` to `second` - 1 of one part.
[[nodiscard]] std::pair<std::size_t, std::size_t> rowsOfPart(std::size_t rowCount, std::size_t part, std::size_t parts);

/// A key whose unsigned order is the order of the numbers; NaN comes after +infinity. Never more than kGreatestKey.
[[nodiscard]] std::uint64_t orderedKey(double value);
/// Greatest key of a value; what has no value gets kMissingKey.
inline constexpr std::uint64_t kGreatestKey = ~std::uint64_t{0} - 1;
inline constexpr std::uint64_t kMissingKey = ~std::uint64_t{0};

}  // namespace tracedeck
