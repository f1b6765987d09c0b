// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/model/axis_expression.h"
#include "core/model/definition.h"
#include "core/model/result.h"
#include "core/model/trace.h"

namespace tracedeck {

/// An axis of a kernel kind.
struct KindAxis {
    const char* name = "";
    const char* formula = "";       ///< from other axes, for example `2 * hidden_dim`; empty: chosen by the workload
    std::int64_t constant = -1;     ///< from 0 up: the same in all workloads
};

struct KindTensor {
    const char* name = "";
    std::vector<const char*> shape;
    const char* dtype = "";         ///< empty: that of the definition
    const char* description = "";
    bool isStored = false;          ///< random numbers would not do: a workload comes with a file of its contents
};

/// One axis of a grid of workloads, with the sizes that it takes.
using KindSizes = std::vector<std::pair<const char*, std::vector<std::int64_t>>>;

/// A kind of kernel that Hugging Face's kernels-benchmarks compares implementations of (viewer features §3.1): from it definitions,
/// references and workloads are made.
struct KernelKind {
    const char* name = "";
    const char* title = "";
    const char* description = "";
    const char* gpuDType = "bfloat16";
    std::vector<KindAxis> axes;
    std::vector<KindTensor> inputs;
    std::vector<KindTensor> outputs;
    KindSizes gpuSizes;
    KindSizes cpuSizes;
    const char* operations = "";    ///< expression over the axes, for the speed of light
    const char* hubRepository = ""; ///< the Hub kernel that computes it; empty: none is known
    const char* hubCall = "";       ///< how its module `kernel` is called: a line or more that end in `return …`
    std::string_view reference{};   ///< Python source
};

/// The nine kinds, in their own order.
[[nodiscard]] const std::vector<KernelKind>& kernelKinds();
/// By its name or a usual short one (`attn`, `ln`); null for none.
[[nodiscard]] const KernelKind* findKernelKind(std::string_view name);
/// Error Usage with the names that there are.
[[nodiscard]] Result<const KernelKind*> kernelKindNamed(std::string_view name);

enum class KindSet { Gpu, Cpu };

/// The definition `<kind>_<dtype>`, of op_type `<kind>`. Error Usage: not float32, float16 or bfloat16.
[[nodiscard]] Result<Definition> kindDefinition(const KernelKind& kind, const std::string& dtype);
/// The chosen axes of every workload of the set, the first axis slowest.
[[nodiscard]] std::vector<AxisValues> kindGrid(const KernelKind& kind, KindSet set);

/// Contents of an input that random numbers would not do for (expert numbers, sampling places).
struct KindContent {
    std::string input;
    DType dtype = DType::Int64;
    std::vector<std::int64_t> shape;
    std::vector<std::byte> bytes;
};
/// Height and width of each level of a feature pyramid (deformable_detr).
using SpatialShapes = std::vector<std::pair<std::int64_t, std::int64_t>>;

struct KindWorkload {
    Workload workload;
    std::string blob;                    ///< path of the file that its contents are to be in; empty: it has none
    std::vector<KindContent> contents;
};
inline constexpr std::uint64_t kMostKindBytes = std::uint64_t{2} << 30U;
/// A workload with these chosen axes; the same axes give the same uuid and contents everywhere. `shapes`: deformable_detr's levels; empty: 32×32
/// and each next one half as high and wide. `mostBytes`: of the contents; 0: none are made. Error Usage: an axis is missing, not positive, unknown, or does not fit the others, or the
/// contents are larger.
[[nodiscard]] Result<KindWorkload> kindWorkload(const KernelKind& kind, const Definition& definition, AxisValues chosen, SpatialShapes shapes = {}, std::uint64_t mostBytes = kMostKindBytes);

/// An id in the form of a UUID, always the same for the same text.
[[nodiscard]] std::string uuidOfText(std::string_view text);

}  // namespace tracedeck
