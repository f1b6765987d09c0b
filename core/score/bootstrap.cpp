// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/score/bootstrap.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>
#include <utility>

namespace tracedeck {

/// Which samples, counted from 1 in ascending order, are in the middle of n draws with replacement from n samples.
struct MedianBootstrap::RankOdds {
    std::size_t count = 0;
    std::vector<double> atMost;   ///< [i - 1]: odds that the lower one of the middle (the only one, where n is odd) is one of the first i
    std::vector<double> leaves;   ///< even n, [i - 1]: odds that the upper one is another sample, the lower one being the i-th
};

namespace {

/// ln(n! / (k! (n - k)!))
double logChoices(std::size_t n, std::size_t k)
{
    double sum = 0;
    for (std::size_t i = 1; i <= std::min(k, n - k); ++i) sum += std::log(static_cast<double>(n - i + 1)) - std::log(static_cast<double>(i));
    return sum;
}

/// Odds that at least `least` of `n` events happen, each with the odds p: the terms of the smaller tail, from its greatest one outwards.
double atLeastOdds(std::size_t n, std::size_t least, double p, double logChoicesOfLeast)
{
    if (p >= 1) return 1;
    if (p <= 0) return 0;
    constexpr double kNegligible = 1e-18;
    const auto size = static_cast<double>(n);
    const auto first = static_cast<double>(least);
    const double odds = p / (1 - p);
    double term = std::exp(logChoicesOfLeast + first * std::log(p) + (size - first) * std::log1p(-p));
    double sum = 0;
    if (p * size <= first) {
        for (double k = first; k <= size && term > kNegligible * sum; ++k) {
            sum += term;
            term *= (size - k) / (k + 1) * odds;
        }
        return std::min(sum, 1.0);
    }
    for (double k = first; k >= 1;) {
        term *= k / (size - k + 1) / odds;
        --k;   // now the term of k
        if (term <= kNegligible * sum) break;
        sum += term;
    }
    return std::max(1 - sum, 0.0);
}

MedianBootstrap::RankOdds rankOddsOf(std::size_t n)
{
    MedianBootstrap::RankOdds odds{n, {}, {}};
    const std::size_t lower = (n + 1) / 2;
    const auto size = static_cast<double>(n);
    const double choices = logChoices(n, lower);
    // At least `lower` draws are among the first i.
    for (std::size_t i = 1; i <= n; ++i) odds.atMost.push_back(atLeastOdds(n, lower, static_cast<double>(i) / size, choices));
    if (n % 2 == 1) return odds;
    for (std::size_t i = 1; i <= n; ++i) {
        // Just `lower` draws are among the first i, the greatest of them being the i-th; the others lie above.
        const auto place = static_cast<double>(i);
        const double share = odds.atMost[i - 1] - (i == 1 ? 0 : odds.atMost[i - 2]);
        const double greatestIs = i == 1 ? 1 : -std::expm1(static_cast<double>(lower) * std::log1p(-1 / place));
        const double both = i == n ? 0 : greatestIs * std::exp(choices + static_cast<double>(lower) * std::log(place / size) + (size - static_cast<double>(lower)) * std::log1p(-place / size));
        odds.leaves.push_back(share > 0 ? std::min(both / share, 1.0) : 0);
    }
    return odds;
}

/// Results of one device have as many samples each, so the same odds are asked for again and again.
std::shared_ptr<const MedianBootstrap::RankOdds> cachedRankOdds(std::size_t n)
{
    constexpr std::size_t kMostSizes = 32;
    thread_local std::unordered_map<std::size_t, std::shared_ptr<const MedianBootstrap::RankOdds>> cache;
    const auto found = cache.find(n);
    if (found != cache.end()) return found->second;
    if (cache.size() >= kMostSizes) cache.clear();
    return cache[n] = std::make_shared<const MedianBootstrap::RankOdds>(rankOddsOf(n));
}

}  // namespace

std::size_t binomialDraw(std::size_t trials, std::uint64_t part, std::uint64_t whole, BootstrapRandom& random)
{
    if (part == 0) return 0;
    if (part >= whole) return trials;
    constexpr std::size_t kLanes = 64;
    std::size_t happened = 0;
    // 64 trials at once: each compares a random binary fraction with part ÷ whole, digit by digit, until they differ.
    for (std::size_t done = 0; done < trials; done += kLanes) {
        const std::size_t lanes = std::min(kLanes, trials - done);
        std::uint64_t open = lanes == kLanes ? ~std::uint64_t{0} : (std::uint64_t{1} << lanes) - 1;
        std::uint64_t rest = part;
        while (open != 0 && rest != 0) {
            rest *= 2;
            const std::uint64_t digits = random.next();
            if (rest >= whole) {
                rest -= whole;
                happened += static_cast<std::size_t>(__builtin_popcountll(open & ~digits));   // a 0 below our 1
                open &= digits;
            } else {
                open &= ~digits;
            }
        }
    }
    return happened;
}

MedianBootstrap::MedianBootstrap(const std::vector<std::vector<double>>& sessions)
{
    if (sessions.size() == 1) {
        m_values = sessions.front();
        std::sort(m_values.begin(), m_values.end());
        m_sizes = {m_values.size()};
        m_odds = cachedRankOdds(m_values.size());
        return;
    }
    std::vector<std::pair<double, std::size_t>> all;   // with the session
    for (std::size_t session = 0; session < sessions.size(); ++session) {
        for (const double value : sessions[session]) all.emplace_back(value, session);
        m_sizes.push_back(sessions[session].size());
    }
    std::sort(all.begin(), all.end());
    m_before.assign(sessions.size(), std::vector<std::size_t>(all.size() + 1, 0));
    for (std::size_t i = 0; i < all.size(); ++i) {
        m_values.push_back(all[i].first);
        for (auto& before : m_before) before[i + 1] = before[i];
        ++m_before[all[i].second][i + 1];
    }
}

MedianBootstrap::~MedianBootstrap() = default;

double MedianBootstrap::draw(BootstrapRandom& random) const { return m_odds ? drawFromOne(random) : drawFromSeveral(random); }

double MedianBootstrap::drawFromOne(BootstrapRandom& random) const
{
    const std::vector<double>& atMost = m_odds->atMost;
    const auto found = std::lower_bound(atMost.begin(), atMost.end(), random.unit());
    const auto lower = std::min(static_cast<std::size_t>(found - atMost.begin()), m_values.size() - 1);
    if (m_odds->leaves.empty()) return m_values[lower];
    if (random.unit() > m_odds->leaves[lower]) return m_values[lower];
    // The upper one is the least of the other half of the draws, which lie anywhere above.
    const std::size_t above = m_values.size() - 1 - lower;
    const double least = 1 - std::pow(random.unit(), 2 / static_cast<double>(m_values.size()));
    const std::size_t step = std::min(static_cast<std::size_t>(least * static_cast<double>(above)), above - 1);
    return (m_values[lower] + m_values[lower + 1 + step]) / 2;
}

std::size_t MedianBootstrap::split(std::size_t begin, std::size_t middle, std::size_t end, Counts& counts, Counts& right, BootstrapRandom& random) const
{
    std::size_t stay = 0;
    for (std::size_t session = 0; session < counts.size(); ++session) {
        const std::vector<std::size_t>& before = m_before[session];
        const std::size_t left = binomialDraw(counts[session], before[middle] - before[begin], before[end] - before[begin], random);
        right[session] = counts[session] - left;
        counts[session] = left;
        stay += left;
    }
    return stay;
}

/// The sample that `rank` of the resample's samples in the range lie before.
double MedianBootstrap::select(std::size_t begin, std::size_t end, Counts counts, std::size_t rank, BootstrapRandom& random) const
{
    Counts right(counts.size());
    while (end - begin > 1) {
        const std::size_t middle = begin + (end - begin) / 2;
        const std::size_t left = split(begin, middle, end, counts, right, random);
        if (rank < left) {
            end = middle;
        } else {
            rank -= left;
            begin = middle;
            std::swap(counts, right);
        }
    }
    return m_values[begin];
}

double MedianBootstrap::drawFromSeveral(BootstrapRandom& random) const
{
    Counts counts(m_sizes.size(), 0);
    for (std::size_t i = 0; i < m_sizes.size(); ++i) {
        const std::size_t session = random.below(m_sizes.size());
        counts[session] += m_sizes[session];
    }
    const std::size_t total = std::accumulate(counts.begin(), counts.end(), std::size_t{0});
    if (total % 2 == 1) return select(0, m_values.size(), std::move(counts), total / 2, random);
    // Two neighbours in the middle: together as long as they are on the same side.
    std::size_t begin = 0;
    std::size_t end = m_values.size();
    std::size_t upper = total / 2;
    Counts right(counts.size());
    while (end - begin > 1) {
        const std::size_t middle = begin + (end - begin) / 2;
        const std::size_t left = split(begin, middle, end, counts, right, random);
        if (upper < left) {
            end = middle;
        } else if (upper > left) {
            upper -= left;
            begin = middle;
            std::swap(counts, right);
        } else {
            const double low = select(begin, middle, counts, left - 1, random);
            return (low + select(middle, end, right, 0, random)) / 2;
        }
    }
    return m_values[begin];
}

}  // namespace tracedeck
