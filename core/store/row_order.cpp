// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/row_order.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "core/store/parallel.h"

namespace tracedeck {

namespace {

constexpr std::size_t kBytes = 8;
constexpr std::size_t kValues = 256;
constexpr std::size_t kRowsToOrderOnAThread = 50'000;
using Histogram = std::array<std::size_t, kValues>;

std::size_t byteOf(std::uint64_t key, std::size_t index)
{
    return static_cast<std::size_t>((key >> (8 * index)) & 0xFFU);
}

/// How often each value of each byte occurs.
std::array<Histogram, kBytes> countBytes(const std::vector<KeyedRow>& rows, std::size_t parts)
{
    std::vector<std::array<Histogram, kBytes>> ofParts(parts);
    parallelFor(parts, static_cast<unsigned>(parts), [&](std::size_t part) {
        auto& histograms = ofParts[part];
        const auto [begin, end] = rowsOfPart(rows.size(), part, parts);
        for (std::size_t i = begin; i < end; ++i) {
            for (std::size_t index = 0; index < kBytes; ++index) ++histograms[index][byteOf(rows[i].key, index)];
        }
    });
    for (std::size_t part = 1; part < parts; ++part) {
        for (std::size_t index = 0; index < kBytes; ++index) {
            for (std::size_t value = 0; value < kValues; ++value) ofParts.front()[index][value] += ofParts[part][index][value];
        }
    }
    return ofParts.front();
}

/// One stable pass by one byte of the keys.
void sortByByte(const std::vector<KeyedRow>& rows, std::vector<KeyedRow>& sorted, std::size_t index, std::size_t parts)
{
    // Where the rows of each part go, value by value: before those of the same value in later parts.
    std::vector<Histogram> positions(parts, Histogram{});
    parallelFor(parts, static_cast<unsigned>(parts), [&](std::size_t part) {
        const auto [begin, end] = rowsOfPart(rows.size(), part, parts);
        for (std::size_t i = begin; i < end; ++i) ++positions[part][byteOf(rows[i].key, index)];
    });
    std::size_t next = 0;
    for (std::size_t value = 0; value < kValues; ++value) {
        for (Histogram& ofPart : positions) {
            const std::size_t count = ofPart[value];
            ofPart[value] = next;
            next += count;
        }
    }
    parallelFor(parts, static_cast<unsigned>(parts), [&](std::size_t part) {
        Histogram place = positions[part];   // of its own: neighbours in memory would slow each other
        const auto [begin, end] = rowsOfPart(rows.size(), part, parts);
        for (std::size_t i = begin; i < end; ++i) sorted[place[byteOf(rows[i].key, index)]++] = rows[i];
    });
}

}  // namespace

std::size_t partsFor(std::size_t rowCount)
{
    return std::clamp<std::size_t>(rowCount / kRowsToOrderOnAThread, 1, defaultThreads());
}

std::pair<std::size_t, std::size_t> rowsOfPart(std::size_t rowCount, std::size_t part, std::size_t parts)
{
    return {rowCount * part / parts, rowCount * (part + 1) / parts};
}

void sortByKey(std::vector<KeyedRow>& rows, const std::stop_token& stop)
{
    if (rows.size() < 2) return;
    const std::size_t parts = partsFor(rows.size());
    const auto histograms = countBytes(rows, parts);
    std::vector<KeyedRow> sorted(rows.size());
    for (std::size_t index = 0; index < kBytes && !stop.stop_requested(); ++index) {
        if (histograms[index][byteOf(rows.front().key, index)] == rows.size()) continue;   // all keys share this byte
        sortByByte(rows, sorted, index, parts);
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
