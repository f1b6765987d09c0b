// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/judge/call_loop.h"
#include "core/judge/device.h"
#include "core/judge/inputs.h"
#include "core/judge/reference_runner.h"
#include "core/model/trace.h"
#include "core/run/eval_config.h"

namespace tracedeck::judge {

/// Errors over all outputs and calls that were checked, folded as the format does: a NaN maximum is dropped.
struct ErrorMaxima {
    double absolute = 0;
    double relative = 0;
    void fold(const Comparison& comparison);
    [[nodiscard]] Correctness correctness() const;
};

/// The outputs of one call, out of the host's reach.
struct KeptOutputs {
    std::uint32_t call = 0;
    int counted = -1;
    bool isQueued = false;
    bool isFastPick = false;  ///< kept because it was among the faster calls; makes room for later ones
    std::uint64_t poisonPattern = 0;
    bool isPoisoned = true;   ///< false: the outputs were zeroed before the call instead
    std::vector<std::unique_ptr<PrivateBuffer>> contents;
    std::optional<std::size_t> returned;   ///< how many values came, where the host said so since they did not fit
};
Result<KeptOutputs> keepOutputs(Device& device, const BufferSet& outputs, std::size_t slot = 0);

/// What checking one call says.
struct CheckFinding {
    std::optional<Status> status;   ///< none: passed, or wrong values only (see `isWrong`)
    bool isWrong = false;           ///< some output leaves the tolerance; checking goes on
    std::optional<Correctness> correctness;   ///< fixed figures, for non-finite outputs
    std::string verdict;            ///< id of trusted judging §3.12; empty when passed
    std::string message;
    std::uint64_t expectedNonFinite = 0;
    std::string log;                ///< for the evaluation's log, whatever the outcome
};

/// A finding that fails the evaluation.
[[nodiscard]] CheckFinding failedCheck(Status status, const char* verdict, std::string message);
/// The same with INCORRECT_NUMERICAL and both errors of that value.
[[nodiscard]] CheckFinding failedValues(double errors, const char* verdict, std::string message);
/// Shape and dtype of one output against the reference's (benchmark §4.4, 3a and b), and whether there are contents at all.
[[nodiscard]] std::optional<CheckFinding> checkLayout(const TensorLayout& actual, const TensorLayout& expected, bool hasContents);
/// Elements that were never written. (A finite tensor with infinities comes first, as the format has it.)
[[nodiscard]] std::optional<CheckFinding> checkPoison(const TensorLayout& output, const Comparison& compared);
/// Infinities and NaN among the solution's values (3c).
[[nodiscard]] std::optional<CheckFinding> checkFinite(const TensorLayout& output, const Comparison& compared);

/// Layouts of what a call gave: those of the buffers, or what the host claims about a result that does not fit them.
/// Outputs that were not copied lose their contents in `kept`. Error: the claim does not fit the definition; `anyNumber`: another number of
/// results does, and `kept` says how many there were.
Result<std::vector<TensorLayout>> actualLayouts(const BufferSet& outputs, const CallOutcome& outcome, KeptOutputs& kept, bool anyNumber = false);

}  // namespace tracedeck::judge
