// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/normal_tables.h"

#include <bit>
#include <cmath>
#include <memory>
#include <numbers>
#include <numeric>
#include <utility>
#include <vector>

#include "core/judge/number_formats.h"
#include "core/judge/philox.h"

namespace tracedeck::judge {

namespace {

/// Finds x with P(X > x) = share of a standard normal X by Newton's method, for shares that fall from call to call: the tail is
/// convex for x >= 0, so that the steps from a smaller x never pass the solution.
class FallingTail {
public:
    double next(double share)
    {
        for (int step = 0; step < kMostSteps; ++step) {
            const double tail = 0.5 * std::erfc(m_x / std::numbers::sqrt2);
            const double density = std::exp(-0.5 * m_x * m_x) * std::numbers::inv_sqrtpi / std::numbers::sqrt2;
            const double change = (tail - share) / density;
            m_x += change;
            if (std::fabs(change) < 1e-13) {
                break;
            }
        }
        return m_x;
    }

private:
    static constexpr int kMostSteps = 100;
    double m_x = 0;
};

void makeSegments(NormalTables& tables)
{
    FallingTail tail;
    double right = 0;   // at the right edge of the last segment every word is in the middle of the bell
    for (unsigned i = kNormalSegments; i-- > 0;) {
        const auto edge = static_cast<double>(std::bit_cast<float>((i + kFirstNormalSegment) << kNormalSegmentShift));
        // Beyond 2^31 there are no words.
        const double left = edge >= 0x1p31 ? 0 : tail.next(edge * 0x1p-32);
        tables.float32[i] = {static_cast<float>(2 * left - right), static_cast<float>(right - left)};
        right = left;
    }
}

/// Where each step of probability lies in the tables: a permutation that is always the same.
std::vector<unsigned> quantilePlaces()
{
    constexpr std::uint64_t kKey = 0x6D61676E69747564U;
    std::vector<unsigned> places(kNormalQuantiles);
    std::iota(places.begin(), places.end(), 0U);
    for (unsigned i = kNormalQuantiles - 1; i > 0; --i) {
        std::swap(places[i], places[philoxWord(kKey, i, 0) % (i + 1)]);
    }
    return places;
}

/// Puts a code of `bits` bits at the place `place` of a table.
template <std::size_t size>
void put(std::array<std::uint32_t, size>& table, unsigned place, std::uint32_t code, unsigned bits)
{
    const unsigned perEntry = 32 / bits;
    table[place / perEntry] |= code << place % perEntry * bits;
}

void makeQuantiles(NormalTables& tables)
{
    const std::vector<unsigned> places = quantilePlaces();
    FallingTail tail;
    for (unsigned i = 0; i < kNormalQuantiles; ++i) {
        const auto value = static_cast<float>(tail.next(0.5 - (i + 0.5) / (2.0 * kNormalQuantiles)));
        const float clamped = value > 2 ? 2 : value;
        put(tables.float16, places[i], Float16::encode(value), 16);
        put(tables.bfloat16, places[i], encodeBFloat16(value), 16);
        put(tables.float8e4m3, places[i], Float8E4M3::encode(clamped), 8);
        put(tables.float8e5m2, places[i], Float8E5M2::encode(clamped), 8);
    }
}

}  // namespace

const NormalTables& normalTables()
{
    static const std::unique_ptr<const NormalTables> kTables = [] {
        auto tables = std::make_unique<NormalTables>();
        makeSegments(*tables);
        makeQuantiles(*tables);
        return tables;
    }();
    return *kTables;
}

}  // namespace tracedeck::judge
