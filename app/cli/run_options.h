// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <CLI/App.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/run_progress.h"
#include "core/run/run_request.h"

namespace tracedeck::cli {

/// What `tracedeck run` was asked for.
struct RunOptions {
    std::vector<std::string> local;
    std::vector<std::string> devices;
    std::vector<std::string> definitions;
    std::vector<std::string> solutions;
    std::vector<std::string> workloads;
    std::string opType;
    std::vector<std::string> pairs;   ///< SOLUTION:UUID
    std::vector<std::string> only;
    std::string preset;
    std::string savePreset;
    std::optional<std::size_t> skipAfter;
    std::optional<double> waitIdle;
    std::string continueId;
    bool dryRun = false;
    bool noRecord = false;
    std::string config;
    std::string python;
    EvalOverrides overrides;
    bool strictNumerics = false;
    std::vector<std::string> extra;
    std::optional<double> timeoutSeconds;
    std::optional<double> buildTimeoutSeconds;
    std::optional<std::string> isolation;
    std::optional<std::string> confinement;
    std::optional<double> hostMemoryGib;
    std::optional<std::uint64_t> seed;
    bool resume = false;
    bool saveResults = true;
    bool noProfileBaseline = false;
    bool useIsolatedRunner = false;
    bool strict = false;
    bool json = false;
    LogLevel logLevel = LogLevel::Info;
};

/// Adds what says which evaluations are made, and where.
void addRunSelection(CLI::App& command, RunOptions& options);
/// Adds what says how each is made.
void addRunEvaluation(CLI::App& command, RunOptions& options);
/// The request: the command line wins over --config, that over --preset, and that over the defaults.
[[nodiscard]] Result<RunRequest> makeRequest(const RunOptions& options, std::shared_ptr<const Dataset> dataset);
/// That of --continue: settings and pairs of the recorded run. Devices, interpreter and whether it is recorded can be said anew.
[[nodiscard]] Result<RunRequest> makeContinuation(const RunOptions& options, std::shared_ptr<const Dataset> dataset);

}  // namespace tracedeck::cli
