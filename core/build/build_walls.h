// SPDX-License-Identifier: GPL-3.0-or-later
// Inside of core/build: what keeps a compiler, which obeys a stranger's source, from everything but that source.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "core/build/build_recipe.h"
#include "core/confine/plan.h"
#include "core/io/child_process.h"

namespace tracedeck::building {

/// The walls around the compilers of one build, which works in a private folder. They see the system, the compilers and what the
/// recipe's flags name; they have no network, and can change nothing but the folder.
class BuildWalls {
public:
    /// Fails when `options.confinement` asks for more than there is.
    BuildWalls(const BuildOptions& options, const BuildRecipe& recipe, const std::filesystem::path& folder);
    /// Makes a step run behind them, with this much memory of its own.
    void surround(ChildSpec& spec, std::uint64_t memoryBytes) const;
    /// Fails when a step ended because they could not be put up.
    static void check(const CapturedRun& run);

private:
    std::filesystem::path m_worker;
    std::optional<confine::Plan> m_plan;   ///< none: the program has no worker, or nobody wants walls
};

}  // namespace tracedeck::building
