// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/trace_fields.h"

namespace tracedeck {

bool TraceFields::isInconsistent() const
{
    if (!hasEvaluation || status == Status::Other) return false;   // nobody knows what belongs to that one
    const bool wantsPerformance = status == Status::Passed;
    const bool wantsCorrectness = wantsPerformance || status == Status::IncorrectNumerical;
    return wantsCorrectness != hasCorrectness || wantsPerformance != hasPerformance;
}

void TraceFields::clear()
{
    std::vector<std::pair<std::string_view, std::int64_t>> kept = std::move(axes);
    *this = TraceFields{};
    axes = std::move(kept);
    axes.clear();
}

TraceFields fieldsOf(const Trace& trace)
{
    TraceFields fields;
    fields.definition = trace.definition;
    fields.workloadUuid = trace.workload.uuid;
    for (const auto& [name, value] : trace.workload.axes) fields.axes.emplace_back(name, value);
    if (trace.solution) fields.solution = *trace.solution;
    if (!trace.evaluation) return fields;
    const Evaluation& evaluation = *trace.evaluation;
    fields.hasEvaluation = true;
    fields.status = evaluation.status;
    fields.hardware = evaluation.environment.hardware;
    fields.timestamp = evaluation.timestamp;
    if (evaluation.correctness) {
        fields.hasCorrectness = true;
        fields.maxAbsoluteError = evaluation.correctness->maxAbsoluteError;
        fields.maxRelativeError = evaluation.correctness->maxRelativeError;
    }
    if (evaluation.performance) {
        fields.hasPerformance = true;
        fields.latencyMs = evaluation.performance->latencyMs;
        fields.referenceLatencyMs = evaluation.performance->referenceLatencyMs;
        fields.speedupFactor = evaluation.performance->speedupFactor;
    }
    return fields;
}

}  // namespace tracedeck
