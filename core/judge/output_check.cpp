// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/output_check.h"
#include "core/model/text.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

namespace tracedeck::judge {

namespace {

Correctness fixedCorrectness(double value)
{
    Correctness correctness;
    correctness.maxAbsoluteError = value;
    correctness.maxRelativeError = value;
    return correctness;
}

}  // namespace

void ErrorMaxima::fold(const Comparison& comparison)
{
    // As the format: a NaN is not greater than anything.
    if (comparison.maxAbsoluteError > absolute) {
        absolute = comparison.maxAbsoluteError;
    }
    if (comparison.maxRelativeError > relative) {
        relative = comparison.maxRelativeError;
    }
}

Correctness ErrorMaxima::correctness() const
{
    Correctness correctness;
    correctness.maxAbsoluteError = absolute;
    correctness.maxRelativeError = relative;
    return correctness;
}

Result<KeptOutputs> keepOutputs(Device& device, const BufferSet& outputs, std::size_t slot)
{
    KeptOutputs kept;
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        auto contents = device.snapshot(outputs.buffer(i, slot), outputs.layouts()[i].bytes());
        if (!contents) {
            return contents.error();
        }
        kept.contents.push_back(std::move(*contents));
    }
    return kept;
}

Result<std::vector<TensorLayout>> actualLayouts(const BufferSet& outputs, const CallOutcome& outcome, KeptOutputs& kept, bool anyNumber)
{
    std::vector<TensorLayout> layouts = outputs.layouts();
    if (!outcome.mismatch) {
        return layouts;
    }
    kept.returned = outcome.mismatch->outputs.size();
    if (*kept.returned != layouts.size() && !anyNumber) {
        return Error{ErrorCode::InvalidInput, "a result has another number of outputs than the definition", {}, 0, {}};
    }
    for (std::size_t i = 0; i < std::min(layouts.size(), *kept.returned); ++i) {
        const ClaimedTensor& claimed = outcome.mismatch->outputs[i];
        if (claimed.dtype != layouts[i].dtypeName || claimed.shape != layouts[i].shape) {
            layouts[i].dtypeName = claimed.dtype;
            layouts[i].shape = claimed.shape;
            layouts[i].elements = claimed.elements;
            kept.contents[i].reset();
        }
    }
    return layouts;
}

CheckFinding failedCheck(Status status, const char* verdict, std::string message)
{
    CheckFinding finding;
    finding.status = status;
    finding.verdict = verdict;
    finding.message = std::move(message);
    return finding;
}

CheckFinding failedValues(double errors, const char* verdict, std::string message)
{
    CheckFinding finding = failedCheck(Status::IncorrectNumerical, verdict, std::move(message));
    finding.correctness = fixedCorrectness(errors);
    return finding;
}

std::optional<CheckFinding> checkLayout(const TensorLayout& actual, const TensorLayout& expected, bool hasContents)
{
    if (actual.shape != expected.shape) {
        return failedCheck(Status::IncorrectShape, "output.shape",
                           fmt::format("output `{}` has shape {}; the reference's has {}", expected.name, shapeText(actual.shape), shapeText(expected.shape)));
    }
    if (actual.dtypeName != expected.dtypeName) {
        return failedCheck(Status::IncorrectDtype, "output.dtype",
                           fmt::format("output `{}` has dtype {}; the reference's has {}", expected.name, actual.dtypeName, expected.dtypeName));
    }
    if (!hasContents) {
        return failedCheck(Status::RuntimeError, "output.type",
                           fmt::format("output `{}` changes its shape from call to call, which can't be judged", expected.name));
    }
    return std::nullopt;
}

std::optional<CheckFinding> checkPoison(const TensorLayout& output, const Comparison& compared)
{
    if (compared.infinities > 0 || compared.poisoned == 0) {
        return std::nullopt;
    }
    const bool untouched = compared.poisoned == output.elements;
    return failedValues(std::numeric_limits<double>::quiet_NaN(), untouched ? "output.poisoned" : "output.partial",
                        fmt::format("output `{}`: {} of {} elements were never written", output.name, compared.poisoned, output.elements));
}

std::optional<CheckFinding> checkFinite(const TensorLayout& output, const Comparison& compared)
{
    // The solution may have done nothing but what the reference does.
    const std::string excuse = compared.expectedNonFinite == 0
                                   ? std::string()
                                   : fmt::format("; {} elements of the reference's output are not finite either, which the format's rule does not count: strict numerics "
                                                 "(--strict-numerics) do",
                                                 compared.expectedNonFinite);
    if (compared.infinities > 0) {
        return failedValues(std::numeric_limits<double>::infinity(), "output.nonfinite",
                            fmt::format("output `{}` holds {} infinite values{}", output.name, compared.infinities, excuse));
    }
    if (compared.nans > 0) {
        return failedValues(std::numeric_limits<double>::quiet_NaN(), "output.nonfinite",
                            fmt::format("output `{}` holds {} NaN values{}", output.name, compared.nans, excuse));
    }
    return std::nullopt;
}

}  // namespace tracedeck::judge
