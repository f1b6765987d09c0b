// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/store/dataset.h"

namespace tracedeck {

/// What someone who opens a SOL-ExecBench dataset should know (dialect §11), each once with how often it occurs: workloads that
/// name axes or inputs which their definition lacks, definitions with packed float4 inputs, workloads that need Python to make
/// their inputs, C++ solutions that are compiled without optimisation.
[[nodiscard]] std::vector<Problem> checkProblemFolders(const Dataset& dataset);

}  // namespace tracedeck
