// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/model/definition.h"
#include "core/model/solution.h"
#include "core/model/trace.h"

namespace tracedeck {

/// When items of two datasets under one name are the same: the rules of a merge, on disk or on screen.

/// Whether results for one are results for the other: everything but words about it.
[[nodiscard]] bool computesTheSame(const Definition& a, const Definition& b);
[[nodiscard]] bool runsTheSame(const Solution& a, const Solution& b);
/// Text that is the same for workloads that ask for the same: order of keys and spelling of paths do not count.
[[nodiscard]] std::string canonicalWorkload(const Workload& workload);

/// Of two items that differ, and that mean the same.
inline constexpr const char* kWordsDiffer = "they mean the same and differ in words only (a description, tags, the op_type): "
                                            "what was made with either stays together";

}  // namespace tracedeck
