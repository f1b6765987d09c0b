// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/evaluator_default.h"

#include <algorithm>
#include <array>
#include <optional>

#include <fmt/format.h>

#include "core/judge/number_formats.h"
#include "core/judge/numerics.h"

namespace tracedeck::judge {

namespace {

/// An element is an outlier when both of its errors are this many times what they may be.
constexpr double kOutlierFactor = 10;
/// What is looked at before a whole output is, to see whether it is constant.
constexpr std::uint64_t kGlanceElements = 16 << 10;

/// Whether the first `elements` all have the same value; +0 and -0 are one.
bool isConstant(std::span<const std::byte> data, DType dtype, std::uint64_t elements)
{
    std::array<float, 1024> values{};
    std::optional<float> first;
    for (std::uint64_t begin = 0; begin < elements; begin += values.size()) {
        const auto part = std::span(values).first(static_cast<std::size_t>(std::min<std::uint64_t>(values.size(), elements - begin)));
        decodeToFloat(dtype, data, static_cast<std::size_t>(begin), part);
        first = first.value_or(part.front());
        if (std::ranges::any_of(part, [&first](float value) { return value != *first; })) {
            return false;
        }
    }
    return true;
}

}  // namespace

CheckFinding DefaultEvaluator::check(const JudgedCall& call)
{
    Device& device = context().device;
    const EvalConfig& config = context().config;
    CheckFinding finding;
    for (std::size_t i = 0; i < call.expected->size(); ++i) {
        const ExpectedOutput& expected = (*call.expected)[i];
        const TensorLayout& right = expected.layout;
        if (mayBeMissing(call, i)) {
            continue;
        }
        if (auto wrong = checkLayout(call.actual[i], right, call.kept.contents[i] != nullptr)) {
            return std::move(*wrong);
        }
        auto compared = device.compare(*call.kept.contents[i], *expected.contents, right.dtype, right.elements, config.atol, config.rtol, call.kept.poisonPattern);
        if (!compared) {
            return failedCheck(Status::RuntimeError, "output.type", fmt::format("output `{}` can't be compared: {}", right.name, compared.error().reason));
        }
        finding.expectedNonFinite += compared->expectedNonFinite;
        if (!call.kept.isPoisoned) {
            compared->poisoned = 0;
        }
        if (auto wrong = checkPoison(right, *compared)) {
            return std::move(*wrong);
        }
        if (config.strictNumerics) {
            const CheckFinding strict = checkStrictly(call, i);
            if (strict.isWrong) {
                finding.isWrong = true;
                finding.verdict = strict.verdict;
                finding.message = strict.message;
            }
            continue;
        }
        if (auto wrong = checkFinite(right, *compared)) {
            return std::move(*wrong);
        }
        m_maxima.fold(*compared);
        takeRatio(compared->matchedRatio);
        if (compared->matchedRatio < requiredRatio()) {
            finding.isWrong = true;
            finding.verdict = "output.wrong";
            finding.message = fmt::format("output `{}`: {:.6g} of the elements match (atol {:g}, rtol {:g}); largest error {:g} absolute, {:g} relative",
                                          right.name, compared->matchedRatio, config.atol, config.rtol, compared->maxAbsoluteError,
                                          compared->maxRelativeError);
        } else {
            remark(call, i, *compared);
        }
    }
    return finding;
}

CheckFinding DefaultEvaluator::checkStrictly(const JudgedCall& call, std::size_t output)
{
    const Device& device = context().device;
    const EvalConfig& config = context().config;
    const ExpectedOutput& expected = (*call.expected)[output];
    const TensorLayout& right = expected.layout;
    const auto actualBytes = device.download(*call.kept.contents[output], right.bytes());
    const auto expectedBytes = device.download(*expected.contents, right.bytes());
    const StrictComparison compared = compareStrict(actualBytes, expectedBytes, right.dtype, right.elements, config.atol, config.rtol);
    Comparison errors;
    errors.maxAbsoluteError = compared.maxAbsoluteError;
    errors.maxRelativeError = compared.maxRelativeError;
    m_maxima.fold(errors);
    takeRatio(compared.matchedRatio);
    CheckFinding finding;
    // A value that is no number where the reference has one, or the other way round, is not a matter of tolerance.
    if (compared.nonFiniteBad > 0 || compared.matchedRatio < requiredRatio()) {
        finding.isWrong = true;
        finding.verdict = compared.nonFiniteBad > 0 ? "output.nonfinite" : "output.wrong";
        finding.message = fmt::format("output `{}`, strict numerics: {} of {} elements are wrong ({} of them for not being finite where the other is, or the "
                                      "other way round), the first is element {}; largest error {:g} absolute, {:g} relative",
                                      right.name, compared.bad, right.elements, compared.nonFiniteBad, compared.firstBad, compared.maxAbsoluteError,
                                      compared.maxRelativeError);
    } else {
        Comparison none;
        remark(call, output, none);
    }
    return finding;
}

void DefaultEvaluator::addOnce(const std::string& id, const JudgedCall& call, const std::string& evidence)
{
    if (std::ranges::none_of(m_notes, [&id](const Verdict& note) { return note.id == id; })) {
        m_notes.push_back({id, "note", static_cast<int>(call.call), evidence});
    }
}

/// What passes by the format's rule and deserves a second look.
void DefaultEvaluator::remark(const JudgedCall& call, std::size_t output, const Comparison& comparison)
{
    Device& device = context().device;
    const ExpectedOutput& expected = (*call.expected)[output];
    const TensorLayout& right = expected.layout;
    const PrivateBuffer& actual = *call.kept.contents[output];
    if (right.elements < 2 || device.equalContents(actual, *expected.contents)) {
        return;
    }
    const std::uint64_t glanced = std::min<std::uint64_t>(right.elements, kGlanceElements);
    if (isConstant(device.download(actual, static_cast<std::size_t>(byteSize(right.dtype, glanced))), right.dtype, glanced) &&
        isConstant(device.download(actual, right.bytes()), right.dtype, right.elements) &&
        !isConstant(device.download(*expected.contents, right.bytes()), right.dtype, right.elements)) {
        addOnce("output.constant", call,
                fmt::format("every element of `{}` has the same value and is within tolerance; the reference's have not", right.name));
    }
    if (isExact(right.dtype)) {
        const std::uint64_t different =
            countDifferent(device.download(actual, right.bytes()), device.download(*expected.contents, right.bytes()), right.dtype, right.elements);
        if (different > 0) {
            addOnce("numerics.integers", call,
                    fmt::format("{} of {} elements of `{}` are not the reference's and pass only because whole numbers are compared with a tolerance",
                                different, right.elements, right.name));
        }
        return;
    }
    if (comparison.matchedRatio < 1) {
        const EvalConfig& config = context().config;
        const auto far = device.compare(actual, *expected.contents, right.dtype, right.elements, kOutlierFactor * config.atol, kOutlierFactor * config.rtol,
                                        call.kept.poisonPattern);
        if (far && far->matchedRatio < 1) {
            addOnce("numerics.outliers", call,
                    fmt::format("{:.3g} of the elements of `{}` are more than {:g} times as far off as the tolerance allows, the worst by {:g} (element {}); they "
                                "count among the share that need not match",
                                1 - far->matchedRatio, right.name, kOutlierFactor, far->maxAbsoluteError, far->worstElement));
        }
    }
}

}  // namespace tracedeck::judge
