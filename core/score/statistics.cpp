// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/score/statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "core/score/bootstrap.h"

namespace tracedeck {

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr Interval kUnknown{kNaN, kNaN};
/// Resamples of a bootstrap: enough for two digits of an interval's ends.
constexpr int kResamples = 2000;
/// From so many sessions on, how they differ is known well enough.
constexpr std::size_t kFewSessions = 3;
constexpr double kLeastMargin = 0.02;
constexpr double kMarginOfFewSessions = 0.05;

/// Standard normal quantile of (1 + confidence) / 2, by bisection of the error function: called a few times only.
double normalQuantile(double confidence)
{
    double low = 0;
    double high = 10;
    for (int i = 0; i < 100; ++i) {
        const double middle = (low + high) / 2;
        (std::erf(middle / std::sqrt(2.0)) < confidence ? low : high) = middle;
    }
    return low;
}

double medianInPlace(std::vector<double>& values)
{
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    const double upper = *middle;
    return values.size() % 2 == 1 ? upper : (*std::max_element(values.begin(), middle) + upper) / 2;
}

Sessions withSamples(const Sessions& sessions)
{
    Sessions kept;
    std::copy_if(sessions.begin(), sessions.end(), std::back_inserter(kept), [](const auto& session) { return !session.empty(); });
    return kept;
}

double pooledMedian(const Sessions& sessions)
{
    std::vector<double> all;
    for (const auto& session : sessions) all.insert(all.end(), session.begin(), session.end());
    return median(std::move(all));
}

/// quantile() of values in any order, which it reorders: sorting thousands of resamples would cost more than drawing them.
double quantileInPlace(std::vector<double>& values, double share)
{
    const double position = share * static_cast<double>(values.size() - 1);
    const auto below = values.begin() + static_cast<std::ptrdiff_t>(position);
    std::nth_element(values.begin(), below, values.end());
    const double above = below + 1 == values.end() ? *below : *std::min_element(below + 1, values.end());
    return std::lerp(*below, above, position - std::floor(position));
}

Interval percentileInterval(std::vector<double> values, double confidence)
{
    const double low = quantileInPlace(values, (1 - confidence) / 2);
    return {low, quantileInPlace(values, (1 + confidence) / 2)};
}

/// Median of the absolute deviations from the median.
double medianDeviation(const std::vector<double>& sample, double centre)
{
    std::vector<double> deviations;
    for (const double value : sample) deviations.push_back(std::abs(value - centre));
    return median(std::move(deviations));
}

/// The largest gap between neighbours among the middle 80 %, when at least a fifth of the samples lies on each side of it.
bool hasGap(const std::vector<double>& sorted, double deviation)
{
    const std::size_t count = sorted.size();
    const std::size_t first = count / 10;
    const std::size_t last = count - 1 - count / 10;
    double widest = 0;
    std::size_t place = 0;
    for (std::size_t i = first; i < last; ++i) {
        if (sorted[i + 1] - sorted[i] > widest) {
            widest = sorted[i + 1] - sorted[i];
            place = i + 1;
        }
    }
    return widest > 3 * deviation && widest > 0 && place * 5 >= count && (count - place) * 5 >= count;
}

}  // namespace

double quantile(std::span<const double> sorted, double share)
{
    const double position = share * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(position);
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    return std::lerp(sorted[below], sorted[above], position - static_cast<double>(below));
}

double median(std::vector<double> sample)
{
    return sample.empty() ? kNaN : medianInPlace(sample);
}

Interval medianInterval(std::vector<double> sample, double confidence)
{
    const std::size_t count = sample.size();
    // The median lies below the rank-th sample when fewer than `rank` samples lie below the median: a sum of the binomial
    // distribution with even odds. Grown term by term, in logarithms, since 2^-n has no double for many samples.
    const auto size = static_cast<double>(count);
    double logTerm = -size * std::log(2.0);
    double below = 0;
    std::size_t rank = 0;   // the greatest that still covers enough
    for (std::size_t i = 0; i < count / 2; ++i) {
        below += std::exp(logTerm);
        if (1 - 2 * below < confidence) break;
        rank = i + 1;
        logTerm += std::log((size - static_cast<double>(i)) / static_cast<double>(i + 1));
    }
    if (rank == 0) return kUnknown;
    std::sort(sample.begin(), sample.end());
    return {sample[rank - 1], sample[count - rank]};
}

Interval shareInterval(std::size_t successes, std::size_t trials, double confidence)
{
    if (trials == 0) return kUnknown;
    const double z = normalQuantile(confidence);
    const auto n = static_cast<double>(trials);
    const double share = static_cast<double>(successes) / n;
    const double scale = 1 + z * z / n;
    const double centre = (share + z * z / (2 * n)) / scale;
    const double half = z / scale * std::sqrt(share * (1 - share) / n + z * z / (4 * n * n));
    return {std::max(0.0, centre - half), std::min(1.0, centre + half)};
}

double trendOf(std::span<const double> series)
{
    const std::size_t count = series.size();
    if (count < 3) return 0;
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&series](std::size_t a, std::size_t b) { return series[a] < series[b]; });
    std::vector<double> ranks(count);
    for (std::size_t begin = 0; begin < count;) {
        std::size_t end = begin + 1;
        while (end < count && series[order[end]] == series[order[begin]]) ++end;
        for (std::size_t i = begin; i < end; ++i) ranks[order[i]] = static_cast<double>(begin + end - 1) / 2;
        begin = end;
    }
    const double mean = static_cast<double>(count - 1) / 2;
    double covariance = 0;
    double ofRanks = 0;
    double ofPlaces = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const double place = static_cast<double>(i) - mean;
        covariance += place * (ranks[i] - mean);
        ofRanks += (ranks[i] - mean) * (ranks[i] - mean);
        ofPlaces += place * place;
    }
    return ofRanks > 0 ? covariance / std::sqrt(ofRanks * ofPlaces) : 0;
}

SeriesShape shapeOf(const std::vector<double>& series)
{
    constexpr std::size_t kFewestSamples = 10;
    constexpr double kDriftTrend = 0.5;
    constexpr double kDriftShare = 0.02;
    SeriesShape shape;
    if (series.size() < kFewestSamples) return shape;
    const auto third = static_cast<std::ptrdiff_t>(series.size() / 3);
    const double first = median(std::vector<double>(series.begin(), series.begin() + third));
    const double last = median(std::vector<double>(series.end() - third, series.end()));
    shape.driftShare = first > 0 ? last / first - 1 : 0;
    shape.drifts = std::abs(trendOf(series)) > kDriftTrend && std::abs(shape.driftShare) > kDriftShare;
    std::vector<double> sorted = series;
    std::sort(sorted.begin(), sorted.end());
    const double centre = quantile(sorted, 0.5);
    const double deviation = medianDeviation(series, centre);
    const auto outliers = std::count_if(series.begin(), series.end(), [&](double value) { return value > centre + 5 * deviation; });
    shape.outlierShare = static_cast<double>(outliers) / static_cast<double>(series.size());
    shape.isBimodal = hasGap(sorted, deviation);
    return shape;
}

Interval bootstrapMedian(const Sessions& sessions, double confidence, std::uint64_t seed)
{
    const Sessions kept = withSamples(sessions);
    if (kept.empty()) return kUnknown;
    const MedianBootstrap resamples(kept);
    BootstrapRandom random(seed);
    std::vector<double> medians;
    for (int i = 0; i < kResamples; ++i) medians.push_back(resamples.draw(random));
    return percentileInterval(std::move(medians), confidence);
}

std::string_view toString(LatencyVerdict verdict)
{
    switch (verdict) {
    case LatencyVerdict::Faster: return "FASTER";
    case LatencyVerdict::Slower: return "SLOWER";
    case LatencyVerdict::Same: return "SAME";
    case LatencyVerdict::CannotTell: break;
    }
    return "CANT_TELL";
}

LatencyComparison compareLatencies(const Sessions& a, const Sessions& b, double floor, double confidence, std::uint64_t seed)
{
    LatencyComparison comparison;
    const Sessions ofA = withSamples(a);
    const Sessions ofB = withSamples(b);
    comparison.margin = std::max(kLeastMargin, std::expm1(2 * floor));
    const std::size_t sessions = std::min(ofA.size(), ofB.size());
    if (sessions < kFewSessions) comparison.margin = std::max(comparison.margin, kMarginOfFewSessions);
    comparison.ratio = kNaN;
    comparison.interval = kUnknown;
    if (sessions == 0) return comparison;
    comparison.ratio = pooledMedian(ofB) / pooledMedian(ofA);
    const MedianBootstrap resamplesOfA(ofA);
    const MedianBootstrap resamplesOfB(ofB);
    BootstrapRandom random(seed);
    std::vector<double> ratios;
    for (int i = 0; i < kResamples; ++i) {
        const double medianOfB = resamplesOfB.draw(random);
        ratios.push_back(medianOfB / resamplesOfA.draw(random));
    }
    comparison.interval = percentileInterval(std::move(ratios), confidence);
    const double low = std::log(comparison.interval.low);
    const double high = std::log(comparison.interval.high);
    const double point = std::log(comparison.ratio);
    const double margin = std::log1p(comparison.margin);
    if (high < 0 && point < -margin) {
        comparison.verdict = LatencyVerdict::Faster;
    } else if (low > 0 && point > margin) {
        comparison.verdict = LatencyVerdict::Slower;
    } else if (low >= -margin && high <= margin) {
        comparison.verdict = LatencyVerdict::Same;
    } else if (sessions >= 2 && std::isfinite(high - low)) {
        // The interval shrinks with the square root of the number of sessions: until it fits what the point needs.
        const double wanted = std::abs(point) > margin ? 2 * std::abs(point) : 2 * (margin - std::abs(point));
        if (wanted > 0) {
            const double factor = (high - low) / wanted;
            const auto needed = static_cast<double>(sessions) * std::max(1.0, factor * factor);
            if (needed < 1000) comparison.sessionsNeeded = static_cast<std::size_t>(std::ceil(needed)) + 1;
        }
    }
    return comparison;
}

double aaFloor(const std::vector<double>& logRatios)
{
    if (logRatios.empty()) return 0;
    std::vector<double> sizes;
    for (const double ratio : logRatios) sizes.push_back(std::abs(ratio));
    std::sort(sizes.begin(), sizes.end());
    return quantile(sizes, 0.95);
}

RatioMean geometricMean(const std::vector<double>& ratios, double confidence, std::uint64_t seed)
{
    if (ratios.empty()) return {kNaN, kUnknown};
    std::vector<double> logarithms;
    for (const double ratio : ratios) logarithms.push_back(std::log(ratio));
    const auto count = static_cast<double>(logarithms.size());
    RatioMean result;
    result.mean = std::exp(std::accumulate(logarithms.begin(), logarithms.end(), 0.0) / count);
    BootstrapRandom random(seed);
    std::vector<double> means;
    for (int i = 0; i < kResamples; ++i) {
        double sum = 0;
        for (std::size_t k = 0; k < logarithms.size(); ++k) sum += logarithms[random.below(logarithms.size())];
        means.push_back(std::exp(sum / count));
    }
    result.interval = percentileInterval(std::move(means), confidence);
    return result;
}

}  // namespace tracedeck
