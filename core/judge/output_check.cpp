// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/output_check.h"

#include <limits>

#include <fmt/format.h>

namespace tracedeck::judge {

namespace {

std::string shapeText(const std::vector<std::int64_t>& shape)
{
    return fmt::format("[{}]", fmt::join(shape, ", "));
}

Correctness fixedCorrectness(double value)
{
    Correctness correctness;
    correctness.maxAbsoluteError = value;
    correctness.maxRelativeError = value;
    return correctness;
}

CheckFinding failing(Status status, const char* verdict, std::string message)
{
    CheckFinding finding;
    finding.status = status;
    finding.verdict = verdict;
    finding.message = std::move(message);
    return finding;
}

CheckFinding nonFinite(double value, const char* verdict, std::string message)
{
    CheckFinding finding = failing(Status::IncorrectNumerical, verdict, std::move(message));
    finding.correctness = fixedCorrectness(value);
    return finding;
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

Result<std::vector<TensorLayout>> actualLayouts(const BufferSet& outputs, const CallOutcome& outcome, KeptOutputs& kept)
{
    std::vector<TensorLayout> layouts = outputs.layouts();
    if (!outcome.mismatch) {
        return layouts;
    }
    if (outcome.mismatch->outputs.size() != layouts.size()) {
        return Error{ErrorCode::InvalidInput, "a result has another number of outputs than the definition", {}, 0, {}};
    }
    for (std::size_t i = 0; i < layouts.size(); ++i) {
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

CheckFinding checkOutputs(Device& device, const ExpectedOutputs& expected, const std::vector<TensorLayout>& actual, const KeptOutputs& kept,
                          const EvalConfig& config, ErrorMaxima& maxima)
{
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
    CheckFinding finding;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const TensorLayout& right = expected[i].layout;
        const TensorLayout& layout = actual[i];
        if (layout.shape != right.shape) {
            return failing(Status::IncorrectShape, "output.shape",
                           fmt::format("output `{}` has shape {}; the reference's has {}", right.name, shapeText(layout.shape), shapeText(right.shape)));
        }
        if (layout.dtypeName != right.dtypeName) {
            return failing(Status::IncorrectDtype, "output.dtype",
                           fmt::format("output `{}` has dtype {}; the reference's has {}", right.name, layout.dtypeName, right.dtypeName));
        }
        if (!kept.contents[i]) {
            return failing(Status::RuntimeError, "output.type",
                           fmt::format("output `{}` changes its shape from call to call, which can't be judged", right.name));
        }
        auto compared = device.compare(*kept.contents[i], *expected[i].contents, right.dtype, right.elements, config.atol, config.rtol, kept.poisonPattern);
        if (!compared) {
            return failing(Status::RuntimeError, "output.type", fmt::format("output `{}` can't be compared: {}", right.name, compared.error().reason));
        }
        finding.expectedNonFinite += compared->expectedNonFinite;
        if (compared->infinities > 0) {
            return nonFinite(kInfinity, "output.nonfinite", fmt::format("output `{}` holds {} infinite values", right.name, compared->infinities));
        }
        if (compared->poisoned > 0) {
            const bool untouched = compared->poisoned == right.elements;
            return nonFinite(kNan, untouched ? "output.poisoned" : "output.partial",
                             fmt::format("output `{}`: {} of {} elements were never written", right.name, compared->poisoned, right.elements));
        }
        if (compared->nans > 0) {
            return nonFinite(kNan, "output.nonfinite", fmt::format("output `{}` holds {} NaN values", right.name, compared->nans));
        }
        maxima.fold(*compared);
        if (compared->matchedRatio < config.requiredMatchedRatio.value_or(1.0)) {
            finding.isWrong = true;
            finding.verdict = "output.wrong";
            finding.message = fmt::format("output `{}`: {:.6g} of the elements match (atol {:g}, rtol {:g}); largest error {:g} absolute, {:g} relative",
                                          right.name, compared->matchedRatio, config.atol, config.rtol, compared->maxAbsoluteError,
                                          compared->maxRelativeError);
        }
    }
    return finding;
}

}  // namespace tracedeck::judge
