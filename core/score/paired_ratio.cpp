// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/score/paired_ratio.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tracedeck {

namespace {

/// Continued fraction of the incomplete beta function (Lentz's method; Press et al., Numerical Recipes §6.4 gives the terms).
double betaFraction(double a, double b, double x)
{
    constexpr int kMostTerms = 500;
    constexpr double kTiny = 1e-300;
    constexpr double kExact = 1e-15;
    const auto kept = [](double value) { return std::abs(value) < kTiny ? kTiny : value; };
    double c = 1;
    double d = 1 / kept(1 - (a + b) * x / (a + 1));
    double result = d;
    for (int m = 1; m <= kMostTerms; ++m) {
        const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        d = 1 / kept(1 + even * d);
        c = kept(1 + even / c);
        result *= d * c;
        const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        d = 1 / kept(1 + odd * d);
        c = kept(1 + odd / c);
        result *= d * c;
        if (std::abs(d * c - 1) < kExact) break;
    }
    return result;
}

double incompleteBeta(double a, double b, double x)
{
    if (x <= 0) return 0;
    if (x >= 1) return 1;
    const double front = std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) + a * std::log(x) + b * std::log1p(-x));
    return x < (a + 1) / (a + b + 2) ? front * betaFraction(a, b, x) / a : 1 - front * betaFraction(b, a, 1 - x) / b;
}

/// Share of the distribution above t ≥ 0.
double studentTail(double t, double degrees)
{
    return incompleteBeta(degrees / 2, 0.5, degrees / (degrees + t * t)) / 2;
}

}  // namespace

double studentQuantile(double share, double degrees)
{
    if (share < 0.5) return -studentQuantile(1 - share, degrees);
    const double tail = 1 - share;
    double low = 0;
    double high = 1;
    while (studentTail(high, degrees) > tail && high < 1e12) high *= 2;
    for (int step = 0; step < 200; ++step) {
        const double middle = (low + high) / 2;
        (studentTail(middle, degrees) > tail ? low : high) = middle;
    }
    return (low + high) / 2;
}

PairedRatio comparePaired(const std::vector<double>& a, const std::vector<double>& b, double margin, double confidence)
{
    PairedRatio result;
    result.rounds = std::min(a.size(), b.size());
    result.ratio = std::numeric_limits<double>::quiet_NaN();
    result.interval = {result.ratio, result.ratio};
    if (result.rounds == 0) return result;
    std::vector<double> ratios;
    double sum = 0;
    for (std::size_t i = 0; i < result.rounds; ++i) {
        ratios.push_back(b[i] / a[i]);
        sum += std::log(ratios.back());
    }
    const auto count = static_cast<double>(result.rounds);
    const double mean = sum / count;
    result.ratio = std::exp(mean);
    if (result.rounds < 2) return result;
    double squares = 0;
    for (const double ratio : ratios) squares += (std::log(ratio) - mean) * (std::log(ratio) - mean);
    const double half = studentQuantile(1 - (1 - confidence) / 2, count - 1) * std::sqrt(squares / (count - 1) / count);
    const Interval resampled = geometricMean(ratios, confidence).interval;
    result.interval = {std::min(std::exp(mean - half), resampled.low), std::max(std::exp(mean + half), resampled.high)};
    const double low = std::log(result.interval.low);
    const double high = std::log(result.interval.high);
    const double counts = std::log1p(margin);
    if (high < 0 && mean < -counts) result.verdict = LatencyVerdict::Faster;
    else if (low > 0 && mean > counts) result.verdict = LatencyVerdict::Slower;
    else if (low >= -counts && high <= counts) result.verdict = LatencyVerdict::Same;
    return result;
}

double confidenceOfLook(double confidence, std::size_t look, std::size_t comparisons)
{
    const auto number = static_cast<double>(std::max<std::size_t>(look, 1));
    return 1 - (1 - confidence) / (number * (number + 1)) / static_cast<double>(std::max<std::size_t>(comparisons, 1));
}

}  // namespace tracedeck
