// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/judge/inputs.h"
#include "core/judge/output_check.h"
#include "core/judge/workload_session.h"
#include "core/model/tensor_difference.h"

namespace tracedeck::judge {

/// How the first elements of an output differ from the expected ones, by the rule of the format (benchmark §4.3): wrong where both errors are
/// above their tolerance. `poison`: the element that stands where nothing was written (poisonElement()); none: it was not poisoned. Both spans
/// hold whole elements of the layout's dtype, from the first one on.
[[nodiscard]] TensorDifference tensorDifference(std::span<const std::byte> got, std::span<const std::byte> expected, const TensorLayout& layout,
                                                double atol, double rtol, std::optional<std::uint64_t> poison);

/// The same for every output of one call whose layout is right.
[[nodiscard]] std::vector<TensorDifference> outputDifferences(const Device& device, const EvalConfig& config, const ExpectedOutputs& expected,
                                                              const std::vector<TensorLayout>& actual, const KeptOutputs& kept);

/// Puts zeros, a constant, copied inputs and the outputs of another call in the place of each output of an opened workload, and lets its
/// evaluator say whether they pass.
[[nodiscard]] ToleranceReport tryDegenerate(Device& device, WorkloadSession& session, Deadline deadline);

}  // namespace tracedeck::judge
