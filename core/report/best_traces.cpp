// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/best_traces.h"

namespace tracedeck {

std::vector<BestTrace> bestTraces(const Dataset& dataset, const RankingScope& scope, RankingRule rule)
{
    std::vector<BestTrace> result;
    const CountedTraces counted(dataset, scope.policy);
    for (const auto& definition : dataset.definitions()) {
        if (!scope.opType.empty() && definition->opType != scope.opType) continue;
        if (!scope.definition.empty() && definition->name != scope.definition) continue;
        if (dataset.traceRowsOfDefinition(definition->name).empty()) continue;
        result.push_back({definition.get(), bestTrace(dataset, definition->name, {}, 0.01, 0.01, scope.hardware, rule, counted)});
    }
    return result;
}

}  // namespace tracedeck
