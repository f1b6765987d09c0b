// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/evaluator_default.h"

namespace tracedeck::judge {

Correctness LowBitEvaluator::correctness() const
{
    Correctness correctness = DefaultEvaluator::correctness();
    correctness.extra = Json{{"matched_ratio", m_ratio}};
    return correctness;
}

}  // namespace tracedeck::judge
