// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/judge/evaluator.h"
#include "core/judge/sampling_support.h"

namespace tracedeck::judge {

/// `extra.sampling_validation_trials` calls on one set of inputs; the reference's own draws are of no use.
[[nodiscard]] Result<EvaluatorNeeds> needsOfSampling(const EvalConfig& config);
void addSamplingRules(const EvalConfig& config, Json& rules);

/// For sampling definitions (benchmark §4.6): every token that comes must be one that may come, and over many calls on repeated rows each
/// must come as often as it should. Outputs differ from call to call; those of timed calls are held to the first rule.
/// Of `extra`: `sampling_validation_trials` (100), `sampling_tvd_threshold` (0.2), and ours: `sampling_distribution_samples` a row (500000),
/// `sampling_rows` of one call (10000), `sampling_rules` (`format`, `exact`).
class SamplingEvaluator final : public Evaluator {
public:
    explicit SamplingEvaluator(EvaluatorContext context);

    CheckFinding check(const JudgedCall& call) override;
    [[nodiscard]] Correctness correctness() const override;
    [[nodiscard]] Result<std::optional<RepeatedCalls>> repeatedCalls(std::uint64_t seed) override;
    CheckFinding countRepeated(std::span<const std::byte> contents, DType dtype, std::uint64_t elements) override;
    CheckFinding concludeRepeated() override;
    /// More than usual: one call says little about a distribution.
    [[nodiscard]] std::size_t verifiedCalls(std::size_t usual) const override;
    /// Whether the timed calls' samples could have been drawn: a warning only, since whoever seeds a generator anew in every call
    /// is no cheat by the format's rules.
    [[nodiscard]] std::vector<Verdict> notes() override;

private:
    /// The inputs of one call, as rows.
    struct Inputs {
        std::uint64_t seed = 0;
        std::uint32_t call = 0;
        std::vector<float> probabilities;
        std::vector<std::int64_t> topK;   ///< empty: none; one entry: for all rows
        std::vector<float> topP;
        std::size_t rows = 0;
        std::size_t vocabulary = 0;

        [[nodiscard]] SamplingRow row(std::size_t index) const;
    };
    Result<void> read(std::uint64_t seed, std::uint32_t call);
    void noteTimed(const std::vector<std::int64_t>& samples);

    SamplingMethod m_method;
    SamplingRules m_rules;
    double m_threshold;
    double m_samples;                      ///< a row wants
    double m_mostRows;                     ///< of one call
    std::optional<Inputs> m_inputs;        ///< of the call that was looked at last
    std::vector<std::uint32_t> m_counts;   ///< row by row, one entry a token
    std::uint64_t m_drawn = 0;             ///< for each row
    double m_maxAbsoluteError = 0;
    double m_maxRelativeError = 0;
    std::vector<double> m_distances;       ///< one a row
    std::uint64_t m_checkedSeed = 0;       ///< of the calls that are not timed
    std::vector<double> m_places;          ///< of samples of timed calls
    std::vector<std::vector<std::int64_t>> m_timed;   ///< all samples of these calls
    double m_logCollision = 0;             ///< logarithm of the chance that all these calls give the same
};

}  // namespace tracedeck::judge
