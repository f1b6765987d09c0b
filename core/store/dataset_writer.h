// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/io/safetensors.h"
#include "core/store/dataset.h"

namespace tracedeck {

// Changes to a dataset on disk (data model §3.7). Everything is checked before anything is touched; what is written is accepted by
// the strict reader. A snapshot never changes: reload it, or grow it by Dataset::withTraces.

/// Appends evaluated traces to `traces/<author of the solution>/<op_type>/<definition>.jsonl`, all of a file in one write, and
/// forces them to disk. Returns where each went, in the order given, for Dataset::withTraces. Error NotFound: a definition or
/// solution is not in the dataset. Error InvalidInput: a trace is not evaluated, a strict reader would refuse it, or a name
/// cannot be part of a path. Then nothing is written. An Io error may come after other files were written: it names the file.
[[nodiscard]] Result<std::vector<Dataset::AddedTrace>> addTraces(const Dataset& dataset, const std::vector<Trace>& traces);

/// Appends workload lines to `workloads/<op_type>/<definition>.jsonl`. Errors as addTraces; a trace with a solution or an evaluation
/// is refused, since it would keep flashinfer-bench from loading the dataset.
[[nodiscard]] Result<void> addWorkloadTraces(const Dataset& dataset, const std::vector<Trace>& traces);

/// Stores tensors as `blob/workloads/<op_type>/<definition>/<definition>_<uuid>.safetensors` and returns that path, relative to the
/// root, as a workload names it. Error Conflict: the file exists; it is never overwritten.
[[nodiscard]] Result<std::string> addWorkloadBlobTensors(const Dataset& dataset, const std::string& definition, const std::string& uuid,
                                                         const std::vector<TensorToWrite>& tensors);
/// Opens a blob by its path relative to the root. Errors as resolveBlobPath and SafetensorsFile::open.
[[nodiscard]] Result<std::shared_ptr<const SafetensorsFile>> openWorkloadBlob(const Dataset& dataset, const std::string& path);

/// Moves `traces` to `traces_bak_YYYYMMDD_HHMMSS` (local time; `_2`, `_3`… when the name is taken) and makes an empty `traces`. Without
/// a `traces` folder the backup is an empty one. Returns the backup's path. A line that is being appended at that moment ends up
/// in one of the two.
[[nodiscard]] Result<std::filesystem::path> backupTraces(const std::filesystem::path& root,
                                                         std::chrono::system_clock::time_point now = std::chrono::system_clock::now());

/// Writes a new definition or solution where the format wants it. Error Conflict: its name is taken, in the snapshot or on disk;
/// NotFound: the definition of a solution is not in the dataset.
[[nodiscard]] Result<std::filesystem::path> addDefinition(const Dataset& dataset, const Definition& definition);
[[nodiscard]] Result<std::filesystem::path> addSolution(const Dataset& dataset, const Solution& solution);

/// Rewrites the file of a definition or solution of the snapshot, found by name; keys that are unknown to us stay. Error Conflict:
/// the file says something else than when the snapshot was loaded (someone changed it meanwhile), it is left as it is.
[[nodiscard]] Result<void> rewriteDefinition(const Dataset& dataset, const Definition& changed);
[[nodiscard]] Result<void> rewriteSolution(const Dataset& dataset, const Solution& changed);

/// What becomes of one workload line: the same, another one, or nothing.
using WorkloadEdit = std::function<std::optional<Trace>(const Trace& present)>;
/// Rewrites a file below `workloads` (path relative to the root) line by line, from what is on disk now. Lines that the edit leaves
/// as they are, and lines that cannot be read, keep their bytes; lines that someone appends meanwhile stay. Error InvalidInput: the
/// edit made a line that is no workload or that a strict reader would refuse; nothing is written.
[[nodiscard]] Result<void> rewriteWorkloads(const Dataset& dataset, const std::filesystem::path& file, const WorkloadEdit& edit);

}  // namespace tracedeck
