// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/sampling_support.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <functional>
#include <numbers>
#include <numeric>

namespace tracedeck::judge {

namespace {

constexpr double kTopPSlack = 0.05;        // the format's
constexpr double kExactSlack = 1e-4;       // adding up 100 000 floats in another order moves the crossing by less

bool hasTopK(const SamplingRow& row)
{
    return row.topK && *row.topK > 0 && *row.topK < static_cast<std::int64_t>(row.probabilities.size());
}

/// The format treats p outside (0, 1) as no limit; a reference takes the likeliest token for p ≤ 0.
bool hasTopP(const SamplingRow& row, SamplingRules rules)
{
    return row.topP && *row.topP < 1 && (rules == SamplingRules::Exact || *row.topP > 0);
}

float kthLargest(std::span<const float> values, std::int64_t k)
{
    std::vector<float> copy(values.begin(), values.end());
    const auto place = copy.begin() + (k - 1);
    std::nth_element(copy.begin(), place, copy.end(), std::greater<>());
    return *place;
}

/// Whether top-p keeps a token: `before` and `own` are sums of probabilities, of all tokens that precede it and of itself.
bool keepsByTopP(double before, double own, float topP, SamplingRules rules, bool isLargest)
{
    if (rules == SamplingRules::Exact) {
        return topP <= 0 ? isLargest : isLargest || before <= static_cast<double>(topP) + kExactSlack;
    }
    return static_cast<float>(before + own) <= static_cast<float>(static_cast<double>(topP) + kTopPSlack);
}

}  // namespace

SamplingMethod samplingMethod(const std::string& definition)
{
    std::string name = definition;
    std::ranges::transform(name, name.begin(), [](unsigned char character) { return static_cast<char>(std::tolower(character)); });
    const auto has = [&name](const char* part) { return name.find(part) != std::string::npos; };
    return has("top_k_top_p") ? SamplingMethod::TopKTopP : has("top_k") ? SamplingMethod::TopK : has("top_p") ? SamplingMethod::TopP : SamplingMethod::All;
}

std::vector<bool> samplingMask(const SamplingRow& row, SamplingRules rules)
{
    const std::size_t size = row.probabilities.size();
    std::vector<bool> mask(size, true);
    if (size == 0) {
        return mask;
    }
    double total = 1;
    if (hasTopK(row)) {
        const float least = kthLargest(row.probabilities, *row.topK);
        total = 0;
        for (std::size_t i = 0; i < size; ++i) {
            mask[i] = row.probabilities[i] >= least;   // ties are kept
            total += mask[i] ? static_cast<double>(row.probabilities[i]) : 0.0;
        }
    }
    if (!hasTopP(row, rules)) {
        return mask;
    }
    // The format looks at the probabilities as they came, a reference at what top-k left, made to add up to 1 again.
    const bool isRenormalised = rules == SamplingRules::Exact && hasTopK(row) && total > 0;
    std::vector<std::size_t> order(size);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, [&row](std::size_t one, std::size_t other) { return row.probabilities[one] > row.probabilities[other]; });
    double sum = 0;
    bool keepsAny = false;
    std::vector<bool> nucleus(size, false);
    for (std::size_t rank = 0; rank < size; ++rank) {
        const std::size_t token = order[rank];
        const double own = static_cast<double>(row.probabilities[token]) / (isRenormalised ? total : 1.0);
        const bool isLargest = row.probabilities[token] == row.probabilities[order.front()];
        if (!keepsByTopP(sum, own, *row.topP, rules, isLargest)) {
            break;   // sums only grow
        }
        nucleus[token] = keepsAny = true;
        sum += own;
    }
    if (!keepsAny) {
        nucleus[order.front()] = true;
    }
    for (std::size_t i = 0; i < size; ++i) {
        mask[i] = mask[i] && nucleus[i];
    }
    return mask;
}

bool isInSupport(const SamplingRow& row, SamplingRules rules, std::size_t token)
{
    const float own = row.probabilities[token];
    std::int64_t greater = 0;
    double before = 0;   // all that a stable sort puts ahead of the token
    float largest = row.probabilities.front();
    std::size_t first = 0;
    for (std::size_t i = 0; i < row.probabilities.size(); ++i) {
        const float other = row.probabilities[i];
        greater += other > own ? 1 : 0;
        before += other > own || (other == own && i < token) ? static_cast<double>(other) : 0.0;
        if (other > largest) {
            largest = other;
            first = i;
        }
    }
    if (hasTopK(row) && greater >= *row.topK) {
        return false;
    }
    if (!hasTopP(row, rules)) {
        return true;
    }
    double total = 1;
    if (rules == SamplingRules::Exact && hasTopK(row)) {
        const float least = kthLargest(row.probabilities, *row.topK);
        total = 0;
        for (const float other : row.probabilities) {
            total += other >= least ? static_cast<double>(other) : 0.0;
        }
    }
    return keepsByTopP(before / total, static_cast<double>(own) / total, *row.topP, rules, own == largest) || token == first;
}

std::vector<float> expectedFrequencies(const SamplingRow& row, SamplingRules rules)
{
    const std::vector<bool> mask = samplingMask(row, rules);
    double total = 0;
    for (std::size_t i = 0; i < mask.size(); ++i) {
        total += mask[i] ? static_cast<double>(row.probabilities[i]) : 0.0;
    }
    std::vector<float> expected(mask.size(), 0.0F);
    for (std::size_t i = 0; i < mask.size() && total > 0; ++i) {
        expected[i] = mask[i] ? static_cast<float>(static_cast<double>(row.probabilities[i]) / total) : 0.0F;
    }
    return expected;
}

double placeOf(const SamplingRow& row, SamplingRules rules, std::size_t token, double within)
{
    const std::vector<float> expected = expectedFrequencies(row, rules);
    const float own = row.probabilities[token];
    double before = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const float other = row.probabilities[i];
        before += other > own || (other == own && i < token) ? static_cast<double>(expected[i]) : 0.0;
    }
    return std::clamp(before + within * static_cast<double>(expected[token]), 0.0, 1.0);
}

double distanceFromEven(std::vector<double> places)
{
    std::ranges::sort(places);
    double distance = 0;
    const auto count = static_cast<double>(places.size());
    for (std::size_t i = 0; i < places.size(); ++i) {
        distance = std::max({distance, static_cast<double>(i + 1) / count - places[i], places[i] - static_cast<double>(i) / count});
    }
    return distance;
}

double boundOfChance(std::size_t count)
{
    constexpr double kProbability = 1e-9;
    return std::sqrt(std::log(2 / kProbability) / (2 * static_cast<double>(count)));
}

double totalVariation(std::span<const std::uint32_t> counts, double samples, std::span<const float> expected)
{
    double sum = 0;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        sum += std::fabs(static_cast<double>(counts[i]) / samples - static_cast<double>(expected[i]));
    }
    return sum / 2;
}

double expectedNoise(double samples, std::span<const float> expected)
{
    // The mean absolute deviation of a binomial share is about sqrt(2 p (1 − p) / (π n)), and never more than 2 p.
    double sum = 0;
    for (const float share : expected) {
        const double p = static_cast<double>(share);
        sum += std::min(2 * p, std::sqrt(2 * p * (1 - p) / (std::numbers::pi * samples)));
    }
    return sum / 2;
}

}  // namespace tracedeck::judge
