// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/evaluator_topk_indexer.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <unordered_set>

#include <fmt/format.h>

#include "core/judge/number_formats.h"

namespace tracedeck::judge {

namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

Error indexerError(const std::string& input, const std::string& reason)
{
    return Error{ErrorCode::InvalidInput, fmt::format("input `{}`: {}", input, reason), {}, 0, "inputs." + input};
}

std::vector<float> floatsOf(const HostTensor& tensor)
{
    std::vector<float> values(static_cast<std::size_t>(tensor.layout.elements));
    decodeToFloat(tensor.layout.dtype, tensor.bytes, 0, values);
    return values;
}

std::vector<std::int32_t> wordsOf(const HostTensor& tensor)
{
    std::vector<std::int32_t> values(static_cast<std::size_t>(tensor.layout.elements));
    if (!values.empty()) {
        std::memcpy(values.data(), tensor.bytes.data(), values.size() * sizeof(std::int32_t));
    }
    return values;
}

std::string rowList(const std::vector<std::size_t>& rows)
{
    constexpr std::size_t kMostRows = 20;
    const std::vector<std::size_t> some(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(std::min(rows.size(), kMostRows)));
    return fmt::format("[{}{}]", fmt::join(some, ", "), rows.size() > kMostRows ? ", …" : "");
}

/// The indices of one row, −1 for padding.
using RowIndices = std::span<const std::int32_t>;

bool hasDuplicate(RowIndices indices)
{
    std::unordered_set<std::int32_t> seen;
    return std::ranges::any_of(indices, [&seen](std::int32_t index) { return index >= 0 && !seen.insert(index).second; });
}

}  // namespace

const std::vector<std::string>& indexerInputNames()
{
    static const std::vector<std::string> names{"q_index_fp8", "k_index_cache_fp8", "weights", "seq_lens", "block_table"};
    return names;
}

Result<IndexerInputs> IndexerInputs::make(const std::vector<HostTensor>& tensors)
{
    const TensorLayout& queries = tensors[0].layout;
    const TensorLayout& cache = tensors[1].layout;
    const TensorLayout& weights = tensors[2].layout;
    const TensorLayout& lengths = tensors[3].layout;
    const TensorLayout& table = tensors[4].layout;
    if (queries.dtype != DType::Float8E4M3FN || queries.shape.size() != 3) {
        return indexerError("q_index_fp8", "must be a float8_e4m3fn tensor [batch, heads, head_dim]");
    }
    const auto shape = keyCacheShape(cache.dtype, cache.shape);
    if (!shape || shape->headDim != static_cast<std::uint64_t>(queries.shape[2])) {
        return indexerError("k_index_cache_fp8", "must be an int8 tensor [pages, page_size, 1, head_dim + 4] with the head_dim of q_index_fp8");
    }
    const std::int64_t batch = queries.shape[0];
    if (!isFloating(weights.dtype) || weights.shape != std::vector<std::int64_t>{batch, queries.shape[1]}) {
        return indexerError("weights", "must be a floating tensor [batch, heads]");
    }
    if (lengths.dtype != DType::Int32 || lengths.shape != std::vector<std::int64_t>{batch}) {
        return indexerError("seq_lens", "must be an int32 tensor [batch]");
    }
    if (table.dtype != DType::Int32 || table.shape.size() != 2 || table.shape[0] != batch) {
        return indexerError("block_table", "must be an int32 tensor [batch, pages of a row]");
    }
    IndexerInputs inputs;
    inputs.cacheShape = *shape;
    inputs.cache = tensors[1].bytes;
    inputs.queries = floatsOf(tensors[0]);
    inputs.weights = floatsOf(tensors[2]);
    inputs.lengths = wordsOf(tensors[3]);
    inputs.blockTable = wordsOf(tensors[4]);
    inputs.batch = static_cast<std::size_t>(batch);
    inputs.heads = static_cast<std::size_t>(queries.shape[1]);
    inputs.pagesOfRow = static_cast<std::size_t>(table.shape[1]);
    return inputs;
}

bool IndexerInputs::isReachable(std::size_t row, std::int64_t index) const
{
    const auto pageSize = static_cast<std::int64_t>(cacheShape.pageSize);
    const std::int64_t page = index / pageSize;
    if (page >= static_cast<std::int64_t>(cacheShape.pages)) {
        return false;
    }
    const auto ofRow = std::span(blockTable).subspan(row * pagesOfRow, pagesOfRow);
    const auto slot = std::ranges::find(ofRow, static_cast<std::int32_t>(page));
    return slot != ofRow.end() && (slot - ofRow.begin()) * pageSize + index % pageSize < lengths[row];
}

float IndexerInputs::score(std::size_t row, std::int64_t index) const
{
    const auto headDim = static_cast<std::size_t>(cacheShape.headDim);
    std::vector<float> key(headDim);
    unpackKey(cache, cacheShape, static_cast<std::uint64_t>(index) / cacheShape.pageSize, static_cast<std::uint64_t>(index) % cacheShape.pageSize, key);
    float total = 0;
    for (std::size_t head = 0; head < heads; ++head) {
        const float* query = queries.data() + (row * heads + head) * headDim;
        float product = 0;
        for (std::size_t i = 0; i < headDim; ++i) {
            product += query[i] * key[i];
        }
        // A NaN stays one, as it does in the reference.
        total += (product < 0 ? 0.0F : product) * weights[row * heads + head];
    }
    return total;
}

void compareSortedScores(std::vector<float> actual, std::vector<float> expected, double atol, double rtol, ScoreComparison& into)
{
    constexpr float kEpsilonOfScore = 1e-8F;
    // NaN first, as a descending sort has it in the format's own program.
    const auto precedes = [](float one, float other) { return std::isnan(one) ? !std::isnan(other) : one > other; };
    std::ranges::sort(actual, precedes);
    std::ranges::sort(expected, precedes);
    const std::size_t count = std::max(actual.size(), expected.size());
    into.count += count;
    for (std::size_t i = 0; i < count; ++i) {
        const float x = actual[i];
        const float y = expected[i];
        if ((std::isnan(x) && std::isnan(y)) || (std::isinf(x) && x == y)) {
            continue;
        }
        if (!std::isfinite(x) || !std::isfinite(y)) {
            ++into.bad;
            into.maxAbsoluteError = into.maxRelativeError = kInfinite;
            continue;
        }
        const float absolute = std::fabs(x - y);
        const float relative = absolute / (std::fabs(y) + kEpsilonOfScore);
        into.maxAbsoluteError = std::max(into.maxAbsoluteError, static_cast<double>(absolute));
        into.maxRelativeError = std::max(into.maxRelativeError, static_cast<double>(relative));
        into.bad += absolute > static_cast<float>(atol) && relative > static_cast<float>(rtol) ? 1U : 0U;
    }
}

CheckFinding TopKIndexerEvaluator::check(const JudgedCall& call)
{
    const Device& device = context().device;
    const EvalConfig& config = context().config;
    const ExpectedOutput& expected = call.expected->front();
    const TensorLayout& right = expected.layout;
    if (auto wrong = checkLayout(call.actual.front(), right, call.kept.contents.front() != nullptr)) {
        return std::move(*wrong);
    }
    if (right.dtype != DType::Int32 || right.shape.size() != 2) {
        return failedCheck(Status::RuntimeError, "evaluator", "the reference's indices must be an int32 tensor [batch, topk]");
    }
    const auto looked = context().device.compare(*call.kept.contents.front(), *expected.contents, right.dtype, right.elements, config.atol, config.rtol,
                                                 call.kept.poisonPattern);
    if (looked && call.kept.isPoisoned) {
        if (auto wrong = checkPoison(right, *looked)) {
            return std::move(*wrong);
        }
    }
    auto tensors = context().inputs(indexerInputNames(), call.seed, call.call);
    auto inputs = tensors ? IndexerInputs::make(*tensors) : Result<IndexerInputs>(tensors.error());
    if (inputs && static_cast<std::size_t>(right.shape.front()) != inputs->batch) {
        inputs = indexerError("q_index_fp8", "has another batch size than the reference's indices");
    }
    if (!inputs) {
        return failedCheck(Status::RuntimeError, "evaluator", inputs.error().reason);
    }
    const auto read = [&](const PrivateBuffer& buffer) { return wordsOf({right, device.download(buffer, right.bytes())}); };
    const std::vector<std::int32_t> actual = read(*call.kept.contents.front());
    const std::vector<std::int32_t> wanted = read(*expected.contents);
    const auto topK = static_cast<std::size_t>(right.shape[1]);
    std::vector<std::size_t> unreachable;
    std::vector<std::size_t> repeating;
    for (std::size_t row = 0; row < inputs->batch; ++row) {
        const RowIndices indices = std::span(actual).subspan(row * topK, topK);
        if (std::ranges::any_of(indices, [&](std::int32_t index) { return index >= 0 && !inputs->isReachable(row, index); })) {
            unreachable.push_back(row);
        }
        if (hasDuplicate(indices)) {
            repeating.push_back(row);
        }
    }
    if (!unreachable.empty()) {
        return failedValues(kInfinite, "output.wrong", "out-of-range indices in batch " + rowList(unreachable));
    }
    if (!repeating.empty()) {
        return failedValues(kInfinite, "output.wrong", "duplicate indices in batch " + rowList(repeating));
    }
    ScoreComparison scores;
    for (std::size_t row = 0; row < inputs->batch; ++row) {
        const auto scoresOf = [&](const std::vector<std::int32_t>& all) {
            const auto lastIndex = static_cast<std::int64_t>(inputs->cacheShape.pages * inputs->cacheShape.pageSize);
            std::vector<float> values;
            for (const std::int32_t index : std::span(all).subspan(row * topK, topK)) {
                values.push_back(index < 0 || index >= lastIndex ? -std::numeric_limits<float>::infinity() : inputs->score(row, index));
            }
            return values;
        };
        compareSortedScores(scoresOf(actual), scoresOf(wanted), config.atol, config.rtol, scores);
    }
    Comparison errors;
    errors.maxAbsoluteError = scores.maxAbsoluteError;
    errors.maxRelativeError = scores.maxRelativeError;
    m_maxima.fold(errors);
    CheckFinding finding;
    finding.log = fmt::format("scores of the chosen tokens: largest error {:g} absolute, {:g} relative, {:.6g} of them match", scores.maxAbsoluteError,
                              scores.maxRelativeError, scores.matchedRatio());
    if (scores.matchedRatio() < config.requiredMatchedRatio.value_or(1.0)) {
        finding.isWrong = true;
        finding.verdict = "output.wrong";
        finding.message = fmt::format("the chosen tokens score otherwise than the reference's: {:.6g} of the scores match (atol {:g}, rtol {:g})",
                                      scores.matchedRatio(), config.atol, config.rtol);
    }
    return finding;
}

}  // namespace tracedeck::judge
