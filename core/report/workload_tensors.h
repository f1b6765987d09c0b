// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/io/safetensors.h"
#include "core/model/definition.h"
#include "core/model/json.h"
#include "core/model/trace.h"
#include "core/report/tensor_summary.h"

namespace tracedeck {

/// Where the values of a workload's tensor come from.
enum class TensorSource {
    Random,   ///< drawn anew for every call
    Scalar,   ///< a number in the workload
    File,     ///< a safetensors file of the dataset
    Custom,   ///< the definition's own input function
    Output    ///< the kernel writes it
};
[[nodiscard]] std::string_view toString(TensorSource source);   ///< `random`, `scalar`, `safetensors`, `custom` or `output`

/// One input or output of a definition on one workload.
struct WorkloadTensor {
    std::string name;
    std::string dtype;                                 ///< as in the definition's file
    std::optional<std::vector<std::int64_t>> shape;    ///< with the workload's axes; not set: a host scalar, or unknown (see `problem`)
    bool isScalar = false;
    TensorSource source = TensorSource::Random;
    std::uint64_t bytes = 0;                           ///< 0 when the shape or the dtype is not known
    std::string value;                                 ///< of a scalar that the workload states
    std::string rule;                                  ///< of random integers: how a run makes valid indexes of them
    std::string blobPath;                              ///< of a file: as the workload names it, below the dataset's root
    std::string tensorKey;
    std::filesystem::path file;                        ///< of a file that is there
    std::string problem;                               ///< not empty: why there are no values, or what does not fit
};

/// Inputs in the order of the definition, those that only the workload names, then outputs. Looks for files, reads none of their values.
[[nodiscard]] std::vector<WorkloadTensor> workloadTensors(const std::filesystem::path& root, const Definition& definition, const Workload& workload);
/// Statistics of a tensor from a file. Error InvalidInput when it has no file, or as openTensor of the format and summariseTensor.
[[nodiscard]] Result<TensorSummary> summariseWorkloadTensor(const WorkloadTensor& tensor, const std::stop_token& stop = {});

/// `report tensors` → {definition, workload_uuid, axes, tensors:[{name, dtype, shape, source, bytes, …, statistics}]}. Reads every file.
[[nodiscard]] Json workloadTensorsDocument(const std::filesystem::path& root, const Definition& definition, const Workload& workload);
[[nodiscard]] std::string workloadTensorsText(const std::filesystem::path& root, const Definition& definition, const Workload& workload);

}  // namespace tracedeck
