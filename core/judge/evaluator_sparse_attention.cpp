// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/evaluator_sparse_attention.h"

#include <fmt/format.h>

namespace tracedeck::judge {

CheckFinding SparseAttentionEvaluator::check(const JudgedCall& call)
{
    if (call.expected->size() != 2) {
        return failedCheck(Status::RuntimeError, "output.type",
                           fmt::format("the definition has {} outputs; the evaluator of DSA sparse attention needs two, output and lse", call.expected->size()));
    }
    if (call.kept.returned && (*call.kept.returned == 0 || *call.kept.returned > 2)) {
        return failedCheck(Status::IncorrectShape, "output.shape",
                           fmt::format("the call returned {} values; one (output) or two (output, lse) are right", *call.kept.returned));
    }
    return DefaultEvaluator::check(call);
}

/// The host says how many values came, and is believed where the rest of the buffers was not touched.
bool SparseAttentionEvaluator::mayBeMissing(const JudgedCall& call, std::size_t output) const
{
    if (context().isDestinationPassing || output == 0) {
        return false;
    }
    if (call.kept.returned) {
        return output >= *call.kept.returned;
    }
    if (!call.kept.contents[output] || !call.kept.isPoisoned) {
        return false;
    }
    const ExpectedOutput& expected = (*call.expected)[output];
    const auto compared = context().device.compare(*call.kept.contents[output], *expected.contents, expected.layout.dtype, expected.layout.elements,
                                                   context().config.atol, context().config.rtol, call.kept.poisonPattern);
    return compared && expected.layout.elements > 0 && compared->poisoned == expected.layout.elements;
}

}  // namespace tracedeck::judge
