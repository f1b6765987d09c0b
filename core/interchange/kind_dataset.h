// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/interchange/kernel_kinds.h"
#include "core/model/result.h"
#include "core/model/solution.h"
#include "core/store/dataset.h"

namespace tracedeck {

/// A dataset of one kind of kernel, to measure implementations without looking for a dataset first.
struct KindRequest {
    std::string kind;
    std::string dtype{};                       ///< empty: bfloat16 or float32, as is usual for the kind and the set
    KindSet set = KindSet::Gpu;
    std::vector<AxisValues> workloads{};       ///< empty: those of the set
    std::filesystem::path target;              ///< must not exist, or be an empty folder
};
struct KindDataset {
    std::filesystem::path target;
    std::string definition;
    std::size_t workloads = 0;
};
/// Writes definition, PyTorch reference, workloads with their tensors, and the count of operations for the speed of light. The target appears whole or not
/// at all. Error Usage: unknown kind, dtype or axes, or the target is not free.
[[nodiscard]] Result<KindDataset> makeKindDataset(const KindRequest& request);

/// An implementation to measure.
struct ImplementationRequest {
    std::string definition{};         ///< empty: the only one of the dataset
    std::string name;
    std::string author = "me";
    std::filesystem::path file{};     ///< .py, .cu or .cpp; empty: a Hub kernel
    std::string function{};           ///< empty: `run`, or the only function of a Python file
    std::optional<bool> destinationPassingStyle{};   ///< not set: Python returns its outputs, C++ and CUDA are given them
    std::string hubRepository{};      ///< `owner/name`; with `file` empty: empty means the one that is known for the kind
    std::string hubRevision{};        ///< branch, tag or commit
    std::string hubCall{};            ///< Python: calls the module `kernel` with the inputs by name and returns the outputs; empty: what is known for the kind
};
/// The solution of it. Error Usage: no such definition, name or function; NotFound and Io: the file cannot be read.
[[nodiscard]] Result<Solution> makeImplementation(const Dataset& dataset, const ImplementationRequest& request);

}  // namespace tracedeck
