// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <set>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/model/result.h"
#include "core/store/dataset.h"
#include "core/store/query.h"

namespace tracedeck {

// Failure triage (V-38): which failures are the same one.

/// The line of a log, or of the judge's evidence, that says most about why an evaluation failed, without what differs from one failure to the
/// next: numbers and hashes become N, addresses 0xN, paths their file's name.
[[nodiscard]] std::string normalizedReason(std::string_view line);
/// That line as it is: the judge's word, else a traceback's exception, else the first line that speaks of an error,
/// else the first one that is no progress of a build.
[[nodiscard]] std::string tellingReason(const Evaluation& evaluation);

/// Failures with one status and one reason.
struct FailureGroup {
    Status status = Status::RuntimeError;
    std::string reason;                ///< normalised; empty: nothing is said
    std::string example;               ///< of the first failure, as it is
    RowIndex rows;                     ///< by definition, axes, solution
    std::set<std::string> definitions;
    std::set<std::string> solutions;
    std::set<std::string> hardware;
    std::size_t workloads = 0;         ///< different ones
    /// What the axes of the failing workloads have in common that those on which the same solutions passed have not, for example
    /// `M >= 4096 (passes up to 2048)`; empty where nothing tells them apart, or the group is of several definitions.
    std::string pattern;

    /// The trace on the first failing workload: the one with the least axes.
    [[nodiscard]] std::uint32_t first() const { return rows.front(); }
};

/// Called from several threads with the number of failures that are read and of all.
using FailureProgress = std::function<void(std::size_t done, std::size_t total)>;

/// Failures among the traces that pass the filter and that the policy selects, the largest group first. The lines are read back from disk.
/// Error Cancelled when the token was set.
[[nodiscard]] Result<std::vector<FailureGroup>> failureGroups(const Dataset& dataset, const TraceFilter& filter, SelectionPolicy policy, const std::stop_token& stop = {},
                                                              const FailureProgress& progress = {});

}  // namespace tracedeck
