// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/result.h"

namespace tracedeck {

/// Programs of others that look into kernels.
enum class DiagnosisTool { ComputeSanitizer, NsightCompute, NsightComputeWindow, Cuobjdump };

/// Everything about one of them that is not found by looking.
struct ToolFacts {
    DiagnosisTool tool;
    std::string_view program;      ///< compute-sanitizer
    std::string_view title;        ///< Compute Sanitizer
    std::string_view variable;     ///< environment variable that names it
    std::string_view remedy;       ///< how to get it
};
[[nodiscard]] const ToolFacts& factsOf(DiagnosisTool tool);

/// The program: named by its variable, which decides even when nothing is there; in PATH; in the CUDA Toolkit; where its own packages put it (the
/// newest version); for cuobjdump, in the Triton of the given interpreter. Error NotFound: what was looked for, and how to get it.
[[nodiscard]] Result<std::filesystem::path> findTool(DiagnosisTool tool, const std::filesystem::path& interpreter = {});

}  // namespace tracedeck
