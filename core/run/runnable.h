// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "core/model/definition.h"
#include "core/model/trace.h"
#include "core/run/python_environment.h"
#include "core/run/run_request.h"

namespace tracedeck {

/// Why a workload of a definition cannot be run, though the definition is in order: it needs something that the runner does not
/// do yet ("not runnable yet: dtype float64 (y)"). std::nullopt when it can.
[[nodiscard]] std::optional<std::string> runObstacle(const Definition& definition, const Workload& workload);

/// Where results are stored, relative to the dataset's root: the format's own place, or for a problem folder of SOL-ExecBench
/// `traces/<subset>/<problem>.jsonl` (dialect §8.3). Error: a part can't be the name of a file or folder.
[[nodiscard]] Result<std::filesystem::path> resultFilePath(const std::filesystem::path& root, const Definition& definition, const std::string& author);

/// Why results of a solution can't be stored: a name that no file or folder may have. std::nullopt when they can.
[[nodiscard]] std::optional<std::string> storageObstacle(const Definition& definition, const Solution& solution);
/// Why results on a workload can't be stored: a strict reader would refuse it. std::nullopt when they can.
[[nodiscard]] std::optional<std::string> storageObstacle(const Definition& definition, const Workload& workload);

/// Tries whether each result of a plan can be appended to its trace file; makes the folders. Error Unsupported naming the first
/// path that does not let it, and what to do.
[[nodiscard]] Result<void> checkResultFiles(const RunPlan& plan, const Dataset& dataset);

/// Takes solutions in Triton and TileLang out of a plan when the interpreter lacks the package, with a problem that says how to get it: a
/// lack of this machine must not be stored as a failure of theirs.
/// `onGpu`: a CUDA device takes part; without one TileLang can't run anyway, and the device says so.
void leaveOutWithoutPackage(RunPlan& plan, const Dataset& dataset, const PythonFacts& facts, const std::filesystem::path& interpreter, bool onGpu);

}  // namespace tracedeck
