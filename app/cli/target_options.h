// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <CLI/App.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/diagnose/judge_session.h"

namespace tracedeck::cli {

/// What the commands that look at one workload have in common.
struct TargetOptions {
    std::string local;
    std::string definition;
    std::vector<std::string> solutions;   ///< one, or several for a duel
    std::string workload;
    std::string device;
    std::string config;
    std::string python;
    EvalOverrides overrides;
    std::optional<double> timeoutSeconds;
    std::string confinement = "auto";
    std::optional<std::uint64_t> seed;
    bool json = false;
};

/// Adds --local, --definition, --solution, --workload, --device, --config, tolerances, --timeout, --confinement, --seed, --python, --json.
/// `needsSolution`: --solution is required; `takesSolution`: there is such an option at all, for one name.
void addTargetOptions(CLI::App& command, TargetOptions& options, bool needsSolution, bool takesSolution);

/// Loads the dataset and finds what is named: a workload by its uuid, the beginning of it, or none where the definition has one only; a definition
/// by the solution. Error Usage with what there is.
[[nodiscard]] Result<DiagnosisTarget> makeTarget(const TargetOptions& options);

/// An error of a look in the words of a command line: the fault is the machine's, not the dataset's, and the interpreter is explained.
[[nodiscard]] Error targetError(Error error, const TargetOptions& options);

}  // namespace tracedeck::cli
