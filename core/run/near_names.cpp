// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/near_names.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/model/text.h"

namespace tracedeck {

namespace {

/// Levenshtein's distance, or `limit` + 1 when it is larger.
std::size_t editDistance(std::string_view one, std::string_view two, std::size_t limit)
{
    const std::size_t difference = one.size() > two.size() ? one.size() - two.size() : two.size() - one.size();
    if (difference > limit) return limit + 1;
    std::vector<std::size_t> row(two.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < one.size(); ++i) {
        std::size_t diagonal = std::exchange(row[0], i + 1);
        for (std::size_t j = 0; j < two.size(); ++j) {
            const std::size_t replaced = diagonal + (one[i] == two[j] ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
        }
    }
    return std::min(row.back(), limit + 1);
}

}  // namespace

std::string nearestName(std::string_view name, const std::vector<std::string_view>& known)
{
    constexpr std::size_t kLongest = 200;   // nobody mistypes more
    if (name.size() > kLongest) return {};
    const std::string wanted = asciiLower(name);
    std::size_t best = std::max<std::size_t>(1, name.size() / 3) + 1;
    std::string_view nearest;
    for (const std::string_view candidate : known) {
        const std::size_t distance = editDistance(wanted, asciiLower(candidate), best - 1);
        if (distance >= best) continue;
        best = distance;
        nearest = candidate;
        if (best == 0) break;
    }
    return std::string(nearest);
}

}  // namespace tracedeck
