// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/judge/evaluator.h"
#include "core/judge/numerics.h"

namespace tracedeck::judge {

/// SOL-ExecBench's: ten rounds with fresh inputs, one median (dialect §8.2). `extra.sol_rounds` sets another number of rounds.
[[nodiscard]] Result<EvaluatorNeeds> needsOfSol(const EvalConfig& config);
void addSolRules(const Workload& workload, const EvalConfig& config, Json& rules);

/// SOL-ExecBench's formula with the workload's tolerance (dialect §5). The first failing output of the first failing call decides.
class SolEvaluator final : public Evaluator {
public:
    explicit SolEvaluator(EvaluatorContext context);

    CheckFinding check(const JudgedCall& call) override;
    [[nodiscard]] Correctness correctness() const override;

private:
    WorkloadTolerance m_tolerance;
    double m_requiredRatio;
    SolComparison m_worst;   ///< the output with the largest absolute error so far
};

}  // namespace tracedeck::judge
