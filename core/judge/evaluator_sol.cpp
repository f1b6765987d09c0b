// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/evaluator_sol.h"

#include <cmath>

#include <fmt/format.h>

namespace tracedeck::judge {

namespace {

constexpr int kSolRounds = 10;
constexpr double kMostRounds = 1000;

/// NaN, then infinity, then the larger one.
bool isWorse(double one, double other)
{
    return std::isnan(one) ? !std::isnan(other) : one > other;
}

Correctness correctnessOf(const SolComparison& compared)
{
    Correctness correctness;
    correctness.maxAbsoluteError = compared.maxAbsoluteError;
    correctness.maxRelativeError = compared.maxRelativeError;
    correctness.hasNan = compared.hasNan;
    correctness.hasInf = compared.hasInf;
    return correctness;
}

std::string reasonOf(const SolComparison& compared, const WorkloadTolerance& tolerance, double requiredRatio)
{
    if (compared.hasNan || compared.hasInf) {
        return fmt::format("there are {} values in the solution's or the reference's output", compared.hasNan ? "NaN" : "infinite");
    }
    if (compared.isAllZero) {
        return "all elements are zero; the reference's are not";
    }
    if (compared.isOverCap) {
        return fmt::format("one element is off by {:g}, more than the cap of {:g}", compared.maxAbsoluteError, *tolerance.maxErrorCap);
    }
    return fmt::format("{:.6g} of the elements match, {:g} are required (max_atol {:g}, max_rtol {:g}); largest error {:g} absolute, {:g} relative",
                       compared.matchedRatio, requiredRatio, tolerance.atol(), tolerance.rtol(), compared.maxAbsoluteError, compared.maxRelativeError);
}

}  // namespace

Result<EvaluatorNeeds> needsOfSol(const EvalConfig& config)
{
    const auto rounds = extraNumber(config, "sol_rounds", kSolRounds, 1, kMostRounds);
    if (!rounds) {
        return rounds.error();
    }
    EvaluatorNeeds needs;
    needs.rounds = static_cast<int>(*rounds);
    needs.trials = 1;
    return needs;
}

void addSolRules(const Workload& workload, const EvalConfig& config, Json& rules)
{
    const WorkloadTolerance tolerance = workload.tolerance.value_or(WorkloadTolerance{});
    rules["tolerance"] = {{"max_atol", tolerance.atol()},
                          {"max_rtol", tolerance.rtol()},
                          {"required_matched_ratio", tolerance.matchedRatio(misspeltRatio(config))},
                          {"max_error_cap", tolerance.maxErrorCap ? Json(*tolerance.maxErrorCap) : Json(nullptr)},
                          {"allow_negative_inf", tolerance.allowNegativeInf.value_or(false)}};
}

SolEvaluator::SolEvaluator(EvaluatorContext context)
    : Evaluator(std::move(context)), m_tolerance(this->context().workload.tolerance.value_or(WorkloadTolerance{})),
      m_requiredRatio(m_tolerance.matchedRatio(misspeltRatio(this->context().config)))
{
}

CheckFinding SolEvaluator::check(const JudgedCall& call)
{
    Device& device = context().device;
    for (std::size_t i = 0; i < call.expected->size(); ++i) {
        const ExpectedOutput& expected = (*call.expected)[i];
        const TensorLayout& right = expected.layout;
        if (auto wrong = checkLayout(call.actual[i], right, call.kept.contents[i] != nullptr)) {
            return std::move(*wrong);
        }
        const PrivateBuffer& actual = *call.kept.contents[i];
        const auto looked = device.compare(actual, *expected.contents, right.dtype, right.elements, m_tolerance.atol(), m_tolerance.rtol(), call.kept.poisonPattern);
        if (!looked) {
            return failedCheck(Status::RuntimeError, "output.type", fmt::format("output `{}` can't be compared: {}", right.name, looked.error().reason));
        }
        const SolComparison compared = compareSol(device.download(actual, right.bytes()), device.download(*expected.contents, right.bytes()), right.dtype,
                                                  right.elements, m_tolerance, m_requiredRatio);
        if (isWorse(compared.maxAbsoluteError, m_worst.maxAbsoluteError) || (compared.maxAbsoluteError == m_worst.maxAbsoluteError &&
                                                                            isWorse(compared.maxRelativeError, m_worst.maxRelativeError))) {
            m_worst = compared;
        }
        const bool isUnwritten = call.kept.isPoisoned && looked->poisoned > 0;
        if (compared.isRight && !isUnwritten) {
            continue;
        }
        CheckFinding finding;
        finding.status = Status::IncorrectNumerical;
        finding.correctness = correctnessOf(compared);
        if (isUnwritten) {
            finding.verdict = looked->poisoned == right.elements ? "output.poisoned" : "output.partial";
            finding.message = fmt::format("output `{}`: {} of {} elements were never written", right.name, looked->poisoned, right.elements);
        } else {
            finding.verdict = compared.hasNan || compared.hasInf ? "output.nonfinite" : "output.wrong";
            finding.message = fmt::format("output `{}`: {}", right.name, reasonOf(compared, m_tolerance, m_requiredRatio));
        }
        return finding;
    }
    return {};
}

Correctness SolEvaluator::correctness() const
{
    return correctnessOf(m_worst);
}

}  // namespace tracedeck::judge
