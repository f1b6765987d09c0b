// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/model/definition.h"
#include "core/model/dtype.h"

namespace tracedeck {

/// What is known of a workload beside its axes.
struct WorkFacts {
    /// Contents of offset and length inputs (`qo_indptr`, `kv_indptr`, `kv_last_page_len`), by name.
    std::map<std::string, std::vector<std::int64_t>> integers{};
    bool pagesAreDistinct = false;   ///< no page of a cache is used by two sequences, or twice by one
};

/// What an evaluation must move and compute, from shapes, dtypes and the formula of the op_type (trusted judging §3.8, SOL-ExecBench dialect §10.3).
struct WorkEstimate {
    double inputBytes = 0;           ///< of all input tensors; of a paged cache what the index tables lead to, where that is known
    double outputBytes = 0;
    bool isUpperEstimate = false;    ///< `inputBytes` counts tensors that a kernel may read in part only
    /// Input bytes that no right kernel can do without; 0 for op_types whose needs are not known.
    double neededInputBytes = 0;
    std::optional<double> operations{};   ///< multiplications and additions, as usually counted; nothing: no formula, or contents unknown
    DType operand = DType::Unknown;     ///< dtype whose peak rate bounds the operations
    std::string formula{};                ///< the operations in words, for example `2 * M * N * K`
};

/// Nothing when the shapes can't be resolved.
[[nodiscard]] std::optional<WorkEstimate> estimateWork(const Definition& definition, const AxisValues& axes, const WorkFacts& facts = {});

/// What a device can do at most.
struct DevicePeaks {
    double memoryBytesPerSecond = 0;                      ///< of its memory, as its data sheet says
    double cacheBytes = 0;                                ///< outputs of so many bytes may stay in the cache
    std::map<DType, double> operationsPerSecond{};        ///< at the highest clock, by operand dtype
};

/// A time in milliseconds below which no kernel can be: half the operations are allowed for, as fast algorithms for matrix products
/// need fewer. 0 where nothing bounds it.
[[nodiscard]] double hardFloorMs(const WorkEstimate& work, const DevicePeaks& peaks);
/// Below it, a kernel is very good or something is odd: all bytes at the memory's speed, all operations at the peak.
[[nodiscard]] double softFloorMs(const WorkEstimate& work, const DevicePeaks& peaks);

/// Peak rates of an NVIDIA GPU by compute capability (dense, no sparsity), multiplications and additions a clock and processor.
/// Empty for ones that are not in the table.
[[nodiscard]] std::map<DType, double> operationsPerClock(int major, int minor);

}  // namespace tracedeck
