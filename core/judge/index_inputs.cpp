// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/index_inputs.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "core/judge/philox.h"

namespace tracedeck::judge {

namespace {

/// Numbers of one tensor of one call, one after the other.
class Draws {
public:
    explicit Draws(const ContentKey& key) : m_key(key.seed), m_stream((std::uint64_t{key.call} << 32 | key.tensor) ^ 0x696E6465785F696EU) {}

    /// From 0 to `count` - 1; a bias of at most count / 2^32, or for more numbers count / 2^64, is nothing here.
    std::uint64_t below(std::uint64_t count)
    {
        const std::uint64_t word = philoxWord(m_key, m_position++, m_stream);
        return count >> 32 == 0 ? (word >> 32) * count >> 32 : word % count;
    }
    std::int64_t between(std::int64_t least, std::int64_t greatest)
    {
        return least + static_cast<std::int64_t>(below(static_cast<std::uint64_t>(greatest - least) + 1));
    }

private:
    std::uint64_t m_key;
    std::uint64_t m_stream;
    std::uint64_t m_position = 0;
};

/// `count` of the numbers 0 … range - 1, in any order, none twice; count ≤ range. Fisher and Yates's shuffle, of which only what
/// was moved is remembered.
std::vector<std::int64_t> distinctNumbers(std::uint64_t count, std::uint64_t range, Draws& draws)
{
    std::unordered_map<std::uint64_t, std::uint64_t> moved;
    const auto at = [&moved](std::uint64_t place) {
        const auto found = moved.find(place);
        return found == moved.end() ? place : found->second;
    };
    std::vector<std::int64_t> numbers;
    numbers.reserve(count);
    for (std::uint64_t i = 0; i < count; ++i) {
        const std::uint64_t other = i + draws.below(range - i);
        numbers.push_back(static_cast<std::int64_t>(at(other)));
        moved[other] = at(i);
    }
    return numbers;
}

/// The same where they do not suffice: each number as often as any other, or once more.
std::vector<std::int64_t> evenNumbers(std::uint64_t count, std::uint64_t range, Draws& draws)
{
    std::vector<std::int64_t> numbers;
    numbers.reserve(count);
    while (numbers.size() < count) {
        const auto some = distinctNumbers(std::min<std::uint64_t>(range, count - numbers.size()), range, draws);
        numbers.insert(numbers.end(), some.begin(), some.end());
    }
    return numbers;
}

std::uint64_t rowLength(const std::vector<std::int64_t>& shape)
{
    return shape.empty() ? 1 : static_cast<std::uint64_t>(shape.back());
}

/// A weight for an expert, from 1/16 to 1 in sixteenths, which bfloat16 holds exactly.
std::int64_t packedExpert(std::int64_t expert, Draws& draws)
{
    const auto weight = static_cast<float>(draws.between(1, 16)) / 16.0F;
    return expert << 16 | static_cast<std::int64_t>(std::bit_cast<std::uint32_t>(weight) >> 16);
}

/// Splits `total` into parts of at least `minimum` each; parts are as random as their sum allows.
std::vector<std::int64_t> splitTotal(std::int64_t total, const std::vector<std::int64_t>& minimum, Draws& draws)
{
    std::int64_t rest = total - std::accumulate(minimum.begin(), minimum.end(), std::int64_t{0});
    std::vector<std::int64_t> cuts{0, rest};
    for (std::size_t i = 1; i < minimum.size(); ++i) cuts.push_back(draws.between(0, rest));
    std::sort(cuts.begin(), cuts.end());
    std::vector<std::int64_t> parts = minimum;
    for (std::size_t i = 0; i < parts.size(); ++i) parts[i] += cuts[i + 1] - cuts[i];
    return parts;
}

/// The least that each of `count` parts of `total` must have: what is wanted, if that fits, else one, if that fits.
std::vector<std::int64_t> possibleMinimum(std::int64_t total, std::size_t count, std::vector<std::int64_t> wanted)
{
    wanted.resize(count, 1);
    for (std::int64_t& least : wanted) least = std::max<std::int64_t>(least, 1);
    if (std::accumulate(wanted.begin(), wanted.end(), std::int64_t{0}) <= total) return wanted;
    return std::vector<std::int64_t>(count, std::cmp_greater_equal(total, count) ? 1 : 0);
}

std::vector<std::int64_t> partsOf(const std::vector<std::int64_t>& offsets)
{
    std::vector<std::int64_t> parts;
    for (std::size_t i = 1; i < offsets.size(); ++i) parts.push_back(offsets[i] - offsets[i - 1]);
    return parts;
}

/// Makes the structures of one workload, each of which may need another one first.
class StructureMaker {
public:
    StructureMaker(std::span<const std::optional<IndexRule>> rules, std::span<const Shape> shapes, std::uint64_t seed)
        : m_rules(rules), m_shapes(shapes), m_seed(seed), m_made(rules.size())
    {
    }

    /// Query offsets have no rule that leads back: this ends.
    const std::vector<std::int64_t>& make(std::size_t index)
    {
        std::vector<std::int64_t>& made = m_made[index];
        const bool isStructure = m_rules[index] && m_rules[index]->isStructure() && m_shapes[index];
        if (!made.empty() || !isStructure) return made;
        Draws draws({m_seed, 0, static_cast<std::uint32_t>(index)});
        const IndexRule& rule = *m_rules[index];
        const auto count = static_cast<std::size_t>(elementCount(*m_shapes[index]));
        switch (rule.meaning) {
        case IndexMeaning::Offsets: made = offsets(rule, count, draws); break;
        case IndexMeaning::GroupSizes: made = splitTotal(rule.total, std::vector<std::int64_t>(count, 0), draws); break;
        case IndexMeaning::LastPageLengths: made = lastPages(rule, count, draws); break;
        default:
            for (std::size_t i = 0; i < count; ++i) made.push_back(draws.between(rule.least, rule.greatest));
        }
        return made;
    }
    std::vector<std::vector<std::int64_t>> takeAll()
    {
        for (std::size_t i = 0; i < m_rules.size(); ++i) make(i);
        return std::move(m_made);
    }

private:
    std::vector<std::int64_t> offsets(const IndexRule& rule, std::size_t count, Draws& draws)
    {
        std::vector<std::int64_t> wanted;
        if (rule.queries) {
            for (const std::int64_t queries : partsOf(make(*rule.queries))) wanted.push_back((queries + rule.unit - 1) / rule.unit);
        }
        std::vector<std::int64_t> offsets{0};
        if (count > 1) {
            for (const std::int64_t part : splitTotal(rule.total, possibleMinimum(rule.total, count - 1, wanted), draws)) {
                offsets.push_back(offsets.back() + part);
            }
        }
        return offsets;
    }
    std::vector<std::int64_t> lastPages(const IndexRule& rule, std::size_t count, Draws& draws)
    {
        const bool hasPages = rule.pages && m_rules[*rule.pages] && m_rules[*rule.pages]->meaning == IndexMeaning::Offsets;
        const std::vector<std::int64_t> pages = hasPages ? partsOf(make(*rule.pages)) : std::vector<std::int64_t>{};
        const auto ofQueries = hasPages ? m_rules[*rule.pages]->queries : std::nullopt;
        const std::vector<std::int64_t> queries = ofQueries ? partsOf(make(*ofQueries)) : std::vector<std::int64_t>{};
        std::vector<std::int64_t> lengths;
        for (std::size_t i = 0; i < count; ++i) {
            std::int64_t least = rule.least;
            if (i < pages.size() && i < queries.size()) {
                least = std::clamp(queries[i] - (pages[i] - 1) * rule.unit, rule.least, rule.greatest);
            }
            lengths.push_back(draws.between(least, rule.greatest));
        }
        return lengths;
    }

    std::span<const std::optional<IndexRule>> m_rules;
    std::span<const Shape> m_shapes;
    std::uint64_t m_seed;
    std::vector<std::vector<std::int64_t>> m_made;
};

}  // namespace

std::vector<std::vector<std::int64_t>> makeStructures(std::span<const std::optional<IndexRule>> rules, std::span<const Shape> shapes, std::uint64_t seed)
{
    return StructureMaker(rules, shapes, seed).takeAll();
}

std::vector<std::int64_t> drawIndexes(const IndexRule& rule, const std::vector<std::int64_t>& shape, const ContentKey& key)
{
    Draws draws(key);
    const std::uint64_t count = elementCount(shape);
    const std::uint64_t row = rowLength(shape);
    std::vector<std::int64_t> numbers;
    if (rule.meaning == IndexMeaning::DistinctNumbers) {
        numbers = evenNumbers(count, static_cast<std::uint64_t>(rule.greatest) + 1, draws);
        return numbers;
    }
    numbers.reserve(count);
    while (numbers.size() < count) {
        if (rule.meaning == IndexMeaning::Numbers) {
            numbers.push_back(draws.between(rule.least, rule.greatest));
            continue;
        }
        const std::uint64_t range = rule.meaning == IndexMeaning::Permutation ? row : static_cast<std::uint64_t>(rule.greatest) + 1;
        std::vector<std::int64_t> ofRow = distinctNumbers(std::min(row, range), range, draws);
        if (rule.meaning == IndexMeaning::PackedExperts) {
            std::ranges::transform(ofRow, ofRow.begin(), [&draws](std::int64_t expert) { return packedExpert(expert, draws); });
        }
        ofRow.resize(row, -1);
        numbers.insert(numbers.end(), ofRow.begin(), ofRow.end());
    }
    return numbers;
}

std::vector<std::byte> encodeIntegers(std::span<const std::int64_t> values, DType dtype)
{
    std::vector<std::byte> bytes(static_cast<std::size_t>(byteSize(dtype, values.size())));
    std::byte* place = bytes.data();
    for (const std::int64_t value : values) {
        if (dtype == DType::Int64) {
            std::memcpy(place, &value, sizeof(value));
            place += sizeof(value);
        } else {
            const auto narrow = static_cast<std::int32_t>(value);
            std::memcpy(place, &narrow, sizeof(narrow));
            place += sizeof(narrow);
        }
    }
    return bytes;
}

}  // namespace tracedeck::judge
