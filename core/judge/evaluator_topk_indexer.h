// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/judge/evaluator.h"
#include "core/judge/packed_keys.h"

namespace tracedeck::judge {

/// The inputs of the DSA top-k indexer (benchmark §4.7), in this process's memory.
struct IndexerInputs {
    KeyCacheShape cacheShape;
    std::vector<std::byte> cache;
    std::vector<float> queries;            ///< [batch, heads, headDim]
    std::vector<float> weights;            ///< [batch, heads]
    std::vector<std::int32_t> lengths;     ///< [batch]
    std::vector<std::int32_t> blockTable;  ///< [batch, pagesOfRow]
    std::size_t batch = 0;
    std::size_t heads = 0;
    std::size_t pagesOfRow = 0;

    /// Checks shapes and dtypes of `q_index_fp8`, `k_index_cache_fp8`, `weights`, `seq_lens`, `block_table`. Error InvalidInput.
    static Result<IndexerInputs> make(const std::vector<HostTensor>& tensors);
    /// Whether a row may name this token: its page is in the row's part of the block table, and the token lies within the row's length.
    [[nodiscard]] bool isReachable(std::size_t row, std::int64_t index) const;
    /// Score of a token for a row, in 32-bit floats. The index must lie in the cache.
    [[nodiscard]] float score(std::size_t row, std::int64_t index) const;
};
/// Names of the inputs, in the order that make() wants.
[[nodiscard]] const std::vector<std::string>& indexerInputNames();

/// How the scores of two sets of tokens compare once each is sorted, position by position.
struct ScoreComparison {
    double maxAbsoluteError = 0;
    double maxRelativeError = 0;
    std::uint64_t bad = 0;
    std::uint64_t count = 0;

    [[nodiscard]] double matchedRatio() const { return count == 0 ? 1.0 : 1.0 - static_cast<double>(bad) / static_cast<double>(count); }
};
/// Sorts both from the largest down and adds to `into`. Padding has the score −infinity.
void compareSortedScores(std::vector<float> actual, std::vector<float> expected, double atol, double rtol, ScoreComparison& into);

/// For DSA top-k indexers: the tokens that were chosen must be reachable, different, and score as well as the reference's; their order
/// does not matter.
class TopKIndexerEvaluator final : public Evaluator {
public:
    using Evaluator::Evaluator;

    CheckFinding check(const JudgedCall& call) override;
    [[nodiscard]] Correctness correctness() const override { return m_maxima.correctness(); }

private:
    ErrorMaxima m_maxima;
};

}  // namespace tracedeck::judge
