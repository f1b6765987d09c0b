// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/trace_fields.h"

#include <cmath>

#include "core/model/judge_record.h"
#include "core/model/timestamp.h"

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

TimingMethod timingMethodFromString(std::string_view name)
{
    if (name == "judge") return TimingMethod::Judge;
    if (name == "cupti") return TimingMethod::Cupti;
    return name == "cuda_event" ? TimingMethod::CudaEvent : TimingMethod::Unknown;
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
    const Json* time = judgeTime(evaluation);
    if (time == nullptr) return fields;
    if (const auto method = time->find("method"); method != time->end() && method->is_string())
        fields.timingMethod = timingMethodFromString(method->get_ref<const std::string&>());
    if (const auto bound = time->find("launch_bound"); bound != time->end() && bound->is_boolean()) fields.isLaunchBound = bound->get<bool>();
    return fields;
}

std::vector<OddValue> oddValuesOf(const TraceFields& fields)
{
    std::vector<OddValue> values;
    if (!fields.hasEvaluation) return values;
    // A time that is missing was remarked on when the line was read.
    if (!fields.timestamp.empty() && !isTimestamp(fields.timestamp)) {
        values.push_back({"odd-timestamp", "evaluation.timestamp",
                          "this is not a time such as 2026-01-31T12:00:00: the trace counts as older than any that has one; correct the field"});
    }
    if (fields.status != Status::Passed || !fields.hasPerformance) return values;
    if (!isUsableLatency(fields.latencyMs)) {
        values.push_back({"unusable-latency", "evaluation.performance.latency_ms",
                          "no kernel has such a latency (usable: 1e-9 to 1e12 ms): the trace is shown, but left out of rankings, best traces "
                          "and charts; measure again or remove the line",
                          true});
    }
    // 0: the reference was not timed, which is nothing odd.
    if (fields.referenceLatencyMs != 0 && !isUsableLatency(fields.referenceLatencyMs)) {
        values.push_back({"odd-reference-latency", "evaluation.performance.reference_latency_ms",
                          "no reference has such a latency (usable: 1e-9 to 1e12 ms, or 0 when it was not timed), so the speedup means nothing; "
                          "measure again or remove the line"});
    }
    if (!std::isfinite(fields.speedupFactor)) {
        values.push_back({"odd-speedup", "evaluation.performance.speedup_factor",
                          "a speedup is a finite number: the trace is shown, but is never the best one; measure again or remove the line"});
    }
    return values;
}

}  // namespace tracedeck
