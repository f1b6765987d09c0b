// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/confine/control_groups.h"
#include "core/confine/plan.h"

namespace tracedeck::confine {

/// Which walls this system lets a program put up, found by trying.
struct Abilities {
    Namespaces namespaces = Namespaces::None;
    std::string whyNotFull;              ///< what the system said to the namespaces that it refuses
    int landlock = 0;                    ///< version of its interface, 0 without
    bool filtersCalls = false;
    std::string whyNoFilter;
    std::vector<std::string> joinable;   ///< of the control groups that were asked for
    bool limitsMemory = false;           ///< by a control group; else the judge looks after it itself
    bool limitsProcesses = false;

    /// All that keeps a stranger's code in: namespaces with a view and a /proc of its own, filtered calls.
    [[nodiscard]] bool isFull() const { return namespaces == Namespaces::Full && filtersCalls; }
    /// "full", "partial", "none"
    [[nodiscard]] const char* level() const;
    /// The walls by name, for the record of an evaluation: `namespaces`, `view`, `proc`, `landlock 7`, `calls`, `memory`, `processes`.
    [[nodiscard]] std::vector<std::string> names() const;
    /// What is missing for the level "full", in words for a user; empty when nothing is.
    [[nodiscard]] std::string missing() const;
};

/// Tries everything in children that are thrown away. For a process with one thread: `tracedeck-worker probe`.
[[nodiscard]] std::string probeAbilities(const std::string& viewFolder, const std::vector<std::string>& groups);

/// Asks `tracedeck-worker probe`. `temporary`: a folder where it may work. Error: it can't be run.
[[nodiscard]] Result<Abilities> askAbilities(const std::filesystem::path& worker, const std::filesystem::path& temporary,
                                             const std::vector<std::string>& groups);

/// The same, with the control groups that can be made: `places` keeps only those that a process of ours can join.
[[nodiscard]] Result<Abilities> findAbilities(const std::filesystem::path& worker, const std::filesystem::path& temporary, ControlGroups& places,
                                              const GroupLimits& limits);

/// How much of what is possible is used (`--confinement`).
enum class Wish {
    Auto,      ///< all
    Full,      ///< all, and nothing is run where that is not "full"
    Partial,   ///< no namespaces
    None       ///< none but resource limits
};
[[nodiscard]] Result<Wish> wishFromString(const std::string& name);
/// What is left of the abilities. Error Unsupported: the wish is "full" and something is missing.
[[nodiscard]] Result<Abilities> restrictTo(Abilities abilities, Wish wish);

}  // namespace tracedeck::confine
