// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/judge/evaluator_default.h"

namespace tracedeck::judge {

/// DSA sparse attention (benchmark §4.7): the default rule, but a value-returning solution may leave out the second output, lse.
class SparseAttentionEvaluator final : public DefaultEvaluator {
public:
    using DefaultEvaluator::DefaultEvaluator;

    CheckFinding check(const JudgedCall& call) override;

protected:
    [[nodiscard]] bool mayBeMissing(const JudgedCall& call, std::size_t output) const override;
};

}  // namespace tracedeck::judge
