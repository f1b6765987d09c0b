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
    std::uint64_t poisonPattern = 0;
    std::vector<std::unique_ptr<PrivateBuffer>> contents;
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
};

/// Steps (a) to (d) of benchmark §4.4 for one call. `actual`: layout of each output as it came; `kept`: its contents, null
/// where there are none because the layout did not fit.
CheckFinding checkOutputs(Device& device, const ExpectedOutputs& expected, const std::vector<TensorLayout>& actual, const KeptOutputs& kept,
                          const EvalConfig& config, ErrorMaxima& maxima);

/// Layouts of what a call gave: those of the buffers, or what the host claims about a result that does not fit them.
/// Outputs that were not copied lose their contents in `kept`. Error: the claim does not fit the definition.
Result<std::vector<TensorLayout>> actualLayouts(const BufferSet& outputs, const CallOutcome& outcome, KeptOutputs& kept);

}  // namespace tracedeck::judge
