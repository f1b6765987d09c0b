// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>

#include "core/judge/inputs.h"
#include "core/model/definition.h"
#include "core/score/work_estimate.h"

namespace tracedeck::judge {

/// Times that a workload takes on a device at least (work_estimate.h), in milliseconds.
struct TimeFloor {
    double hardMs = 0;   ///< no kernel can be faster
    double softMs = 0;   ///< faster ones are odd
    std::string why;     ///< bytes and operations, in words
};

/// What the contents of a workload's inputs say about its work: offsets and lengths, and whether pages come twice.
[[nodiscard]] WorkFacts factsOf(const InputPlan& plan);
/// Nothing where the shapes can't be resolved, or nothing bounds the time.
[[nodiscard]] std::optional<TimeFloor> timeFloor(const Definition& definition, const AxisValues& axes, const InputPlan& plan, const DevicePeaks& peaks);

}  // namespace tracedeck::judge
