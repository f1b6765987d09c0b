// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/difference.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <queue>

#include "core/judge/number_formats.h"

namespace tracedeck::judge {

namespace {

constexpr std::size_t kWorstElements = 32;
constexpr std::uint32_t kMostCells = 64;
constexpr std::size_t kElementsAtOnce = 4096;
constexpr double kRelativeEpsilon = 1e-8;   // benchmark §4.3
constexpr double kInfinite = std::numeric_limits<double>::infinity();
/// What is looked at of one output: both sides are copied into this process's memory.
constexpr std::uint64_t kMostBytesLookedAt = std::uint64_t{1} << 30U;
/// Powers of ten of the histogram.
constexpr int kLeastPower = -9;
constexpr int kGreatestPower = 6;

/// Order of the worst: what is not finite first, then by the absolute error.
double weightOf(const WorstElement& element)
{
    return std::isfinite(element.absolute) ? element.absolute : kInfinite;
}

struct IsWorse {
    bool operator()(const WorstElement& one, const WorstElement& other) const
    {
        return weightOf(one) != weightOf(other) ? weightOf(one) > weightOf(other) : one.element < other.element;
    }
};

ErrorMap emptyMap(const std::vector<std::int64_t>& shape, std::uint64_t elements)
{
    ErrorMap map;
    map.columns = shape.empty() || shape.back() <= 0 ? std::max<std::uint64_t>(elements, 1) : static_cast<std::uint64_t>(shape.back());
    map.rows = std::max<std::uint64_t>(elements / map.columns, 1);
    map.cellRows = static_cast<std::uint32_t>(std::min<std::uint64_t>(map.rows, kMostCells));
    map.cellColumns = static_cast<std::uint32_t>(std::min<std::uint64_t>(map.columns, kMostCells));
    const std::size_t cells = std::size_t{map.cellRows} * map.cellColumns;
    map.wrongShare.assign(cells, 0);
    map.largest.assign(cells, 0);
    return map;
}

std::vector<ErrorBin> emptyHistogram()
{
    std::vector<ErrorBin> bins{{0, 0, 0}};   // equal
    bins.push_back({0, std::pow(10.0, kLeastPower), 0});
    for (int power = kLeastPower; power < kGreatestPower; ++power) {
        bins.push_back({std::pow(10.0, power), std::pow(10.0, power + 1), 0});
    }
    bins.push_back({std::pow(10.0, kGreatestPower), std::numeric_limits<double>::max(), 0});
    bins.push_back({kInfinite, kInfinite, 0});   // not finite
    return bins;
}

std::size_t binOf(const std::vector<ErrorBin>& bins, double absolute)
{
    if (!std::isfinite(absolute)) {
        return bins.size() - 1;
    }
    if (absolute == 0) {
        return 0;
    }
    const auto above = std::upper_bound(bins.begin() + 1, bins.end() - 1, absolute, [](double value, const ErrorBin& bin) { return value < bin.high; });
    return std::min(static_cast<std::size_t>(above - bins.begin()), bins.size() - 2);
}

std::vector<std::int64_t> indexOf(std::uint64_t element, const std::vector<std::int64_t>& shape)
{
    std::vector<std::int64_t> index(shape.size(), 0);
    for (std::size_t axis = shape.size(); axis-- > 0;) {
        const auto extent = static_cast<std::uint64_t>(std::max<std::int64_t>(shape[axis], 1));
        index[axis] = static_cast<std::int64_t>(element % extent);
        element /= extent;
    }
    return index;
}

/// The bits of an element of whole bytes; 0 for those that share one.
std::uint64_t bitsOf(std::span<const std::byte> data, std::size_t element, std::size_t width)
{
    std::uint64_t bits = 0;
    std::memcpy(&bits, data.data() + element * width, width);
    return bits;
}

/// Goes through one tensor.
class Survey {
public:
    Survey(const TensorLayout& layout, double atol, double rtol)
    {
        m_result.output = layout.name;
        m_result.dtype = layout.dtypeName;
        m_result.shape = layout.shape;
        m_result.elements = layout.elements;
        m_result.atol = atol;
        m_result.rtol = rtol;
        m_result.map = emptyMap(layout.shape, layout.elements);
        m_result.histogram = emptyHistogram();
        m_sizes.assign(m_result.map.largest.size(), 0);
    }

    void look(std::uint64_t element, float got, float expected)
    {
        const double absolute = std::fabs(static_cast<double>(got) - static_cast<double>(expected));
        const bool isSame = got == expected || (std::isnan(got) && std::isnan(expected));
        const double error = isSame ? 0 : absolute;
        const double relative = error / (std::fabs(static_cast<double>(expected)) + kRelativeEpsilon);
        const bool isFinite = std::isfinite(got);
        // Whatever stands where the reference is not finite passes by the format's rule, if it is finite itself.
        const bool isWrong = !isFinite || (error > m_result.atol && relative > m_result.rtol);
        m_result.notFinite += isFinite ? 0U : 1U;
        m_result.wrong += isWrong ? 1U : 0U;
        if (std::isfinite(error)) {
            m_result.maxAbsolute = std::max(m_result.maxAbsolute, error);
            m_result.maxRelative = std::isfinite(relative) ? std::max(m_result.maxRelative, relative) : m_result.maxRelative;
            m_sum += error;
            m_signed += isSame ? 0 : static_cast<double>(got) - static_cast<double>(expected);
            ++m_finite;
        }
        ++m_result.histogram[binOf(m_result.histogram, error)].count;
        const std::size_t cell = cellOf(element);
        ++m_sizes[cell];
        m_result.map.wrongShare[cell] += isWrong ? 1U : 0U;
        m_result.map.largest[cell] = std::max(m_result.map.largest[cell], std::isfinite(error) ? error : kInfinite);
        if (!isSame) {
            keep({element, {}, static_cast<double>(expected), static_cast<double>(got), error, relative, isWrong});
        }
    }

    TensorDifference finish(std::uint64_t lookedAt)
    {
        m_result.lookedAt = lookedAt;
        for (std::size_t cell = 0; cell < m_sizes.size(); ++cell) {
            m_result.map.wrongShare[cell] /= m_sizes[cell] == 0 ? 1 : static_cast<double>(m_sizes[cell]);
        }
        if (m_finite > 0) {
            m_result.meanAbsolute = m_sum / static_cast<double>(m_finite);
            m_result.bias = m_signed / static_cast<double>(m_finite);
        }
        for (; !m_worst.empty(); m_worst.pop()) {
            m_result.worst.push_back(m_worst.top());
            m_result.worst.back().index = indexOf(m_result.worst.back().element, m_result.shape);
        }
        std::ranges::reverse(m_result.worst);
        return std::move(m_result);
    }

    TensorDifference& result() { return m_result; }

private:
    std::size_t cellOf(std::uint64_t element) const
    {
        const ErrorMap& map = m_result.map;
        const std::uint64_t row = std::min(element / map.columns, map.rows - 1) * map.cellRows / map.rows;
        const std::uint64_t column = element % map.columns * map.cellColumns / map.columns;
        return static_cast<std::size_t>(row * map.cellColumns + column);
    }
    void keep(WorstElement element)
    {
        if (m_worst.size() == kWorstElements && !IsWorse()(element, m_worst.top())) {
            return;
        }
        m_worst.push(std::move(element));
        if (m_worst.size() > kWorstElements) {
            m_worst.pop();
        }
    }

    TensorDifference m_result;
    std::vector<std::uint64_t> m_sizes;   ///< of the cells
    double m_sum = 0;
    double m_signed = 0;
    std::uint64_t m_finite = 0;
    std::priority_queue<WorstElement, std::vector<WorstElement>, IsWorse> m_worst;   ///< the least of them on top
};

}  // namespace

TensorDifference tensorDifference(std::span<const std::byte> got, std::span<const std::byte> expected, const TensorLayout& layout, double atol,
                                  double rtol, std::optional<std::uint64_t> poison)
{
    const auto width = static_cast<std::uint64_t>(bitWidth(layout.dtype));
    const std::uint64_t bytes = std::min(got.size(), expected.size());
    const std::uint64_t elements = width == 0 ? 0 : std::min<std::uint64_t>(layout.elements, bytes * 8 / width);
    const auto wholeBytes = static_cast<std::size_t>(width / 8);
    Survey survey(layout, atol, rtol);
    std::array<float, kElementsAtOnce> gotValues{};
    std::array<float, kElementsAtOnce> expectedValues{};
    for (std::uint64_t begin = 0; begin < elements; begin += kElementsAtOnce) {
        const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(kElementsAtOnce, elements - begin));
        decodeToFloat(layout.dtype, got, static_cast<std::size_t>(begin), std::span(gotValues).first(count));
        decodeToFloat(layout.dtype, expected, static_cast<std::size_t>(begin), std::span(expectedValues).first(count));
        for (std::size_t i = 0; i < count; ++i) {
            survey.look(begin + i, gotValues[i], expectedValues[i]);
            if (wholeBytes == 0) {
                survey.result().equal += gotValues[i] == expectedValues[i] ? 1U : 0U;
                continue;
            }
            const std::uint64_t bits = bitsOf(got, static_cast<std::size_t>(begin) + i, wholeBytes);
            const std::uint64_t right = bitsOf(expected, static_cast<std::size_t>(begin) + i, wholeBytes);
            survey.result().equal += bits == right ? 1U : 0U;
            // The narrow formats have so few values that an honest one may hit the pattern (comparison.cpp).
            const bool tells = wholeBytes >= 2 || isFloating(layout.dtype);
            survey.result().unwritten += poison && tells && bits == *poison && bits != right ? 1U : 0U;
        }
    }
    return survey.finish(elements);
}

std::vector<TensorDifference> outputDifferences(const Device& device, const EvalConfig& config, const ExpectedOutputs& expected,
                                                const std::vector<TensorLayout>& actual, const KeptOutputs& kept)
{
    std::vector<TensorDifference> differences;
    for (std::size_t i = 0; i < expected.size() && i < actual.size() && i < kept.contents.size(); ++i) {
        const TensorLayout& right = expected[i].layout;
        if (!kept.contents[i] || actual[i].shape != right.shape || actual[i].dtype != right.dtype) {
            continue;
        }
        const auto bytes = static_cast<std::size_t>(std::min<std::uint64_t>(right.bytes(), kMostBytesLookedAt));
        std::uint64_t poison = poisonElement(right.dtype, kept.poisonPattern);
        if (bitWidth(right.dtype) < 64) {
            poison &= (std::uint64_t{1} << static_cast<unsigned>(bitWidth(right.dtype))) - 1;
        }
        differences.push_back(tensorDifference(device.download(*kept.contents[i], bytes), device.download(*expected[i].contents, bytes), right, config.atol,
                                               config.rtol, kept.isPoisoned ? std::optional(poison) : std::nullopt));
    }
    return differences;
}

}  // namespace tracedeck::judge
