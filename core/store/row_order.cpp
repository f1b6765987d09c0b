// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/row_order.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>

namespace tracedeck {

namespace {

constexpr int kBytes = 8;
using Histogram = std::array<std::size_t, 256>;

std::size_t byteOf(std::uint64_t key, int index)
{
    return static_cast<std::size_t>((key >> (8 * index)) & 0xFFU);
}

}  // namespace

void sortByKey(std::vector<KeyedRow>& rows)
{
    if (rows.size() < 2) return;
    std::vector<Histogram> histograms(kBytes, Histogram{});
    for (const KeyedRow& row : rows) {
        for (int index = 0; index < kBytes; ++index) ++histograms[static_cast<std::size_t>(index)][byteOf(row.key, index)];
    }
    std::vector<KeyedRow> sorted(rows.size());
    for (int index = 0; index < kBytes; ++index) {
        Histogram& positions = histograms[static_cast<std::size_t>(index)];
        if (positions[byteOf(rows.front().key, index)] == rows.size()) continue;   // all keys share this byte
        std::size_t next = 0;
        for (std::size_t& position : positions) {
            const std::size_t count = position;
            position = next;
            next += count;
        }
        for (const KeyedRow& row : rows) sorted[positions[byteOf(row.key, index)]++] = row;
        rows.swap(sorted);
    }
}

std::uint64_t orderedKey(double value)
{
    if (std::isnan(value)) return kGreatestKey;
    constexpr std::uint64_t sign = std::uint64_t{1} << 63U;
    const auto bits = std::bit_cast<std::uint64_t>(value + 0.0);   // −0 becomes +0: they are equal
    return (bits & sign) != 0 ? ~bits : bits | sign;
}

}  // namespace tracedeck
