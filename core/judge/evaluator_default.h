// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/judge/evaluator.h"

namespace tracedeck::judge {

/// The format's own rule for most definitions (benchmark §4.4), or with `strict_numerics` the strict one (numerics.h).
class DefaultEvaluator : public Evaluator {
public:
    using Evaluator::Evaluator;

    CheckFinding check(const JudgedCall& call) override;
    [[nodiscard]] Correctness correctness() const override { return m_maxima.correctness(); }
    [[nodiscard]] std::vector<Verdict> notes() override { return m_notes; }

protected:
    /// Outputs from this one on need not have come.
    [[nodiscard]] virtual bool mayBeMissing(const JudgedCall& call, std::size_t output) const
    {
        static_cast<void>(call);
        static_cast<void>(output);
        return false;
    }
    [[nodiscard]] virtual double requiredRatio() const { return context().config.requiredMatchedRatio.value_or(1.0); }
    /// Of each output of each call that was compared.
    virtual void takeRatio(double ratio) { static_cast<void>(ratio); }

private:
    CheckFinding checkStrictly(const JudgedCall& call, std::size_t output);
    void remark(const JudgedCall& call, std::size_t output, const Comparison& comparison);
    void addOnce(const std::string& id, const JudgedCall& call, const std::string& evidence);

    ErrorMaxima m_maxima;
    std::vector<Verdict> m_notes;
};

/// For definitions in narrow formats (benchmark §4.5): less has to match, and the trace says how much did.
class LowBitEvaluator final : public DefaultEvaluator {
public:
    using DefaultEvaluator::DefaultEvaluator;

    [[nodiscard]] Correctness correctness() const override;

protected:
    [[nodiscard]] double requiredRatio() const override { return context().config.requiredMatchedRatio.value_or(0.95); }
    void takeRatio(double ratio) override { m_ratio = ratio < m_ratio ? ratio : m_ratio; }

private:
    double m_ratio = 1;   ///< the smallest so far
};

}  // namespace tracedeck::judge
