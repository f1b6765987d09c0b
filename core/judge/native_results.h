// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/judge/tvm_ffi_abi.h"
#include "core/model/dtype.h"
#include "core/model/json.h"
#include "core/model/result.h"

namespace tracedeck::judge {

class GpuLibrary;

/// One of the judge's output buffers, as a host has it mapped.
struct TargetBuffer {
    std::byte* data = nullptr;
    std::size_t bytes = 0;
    DType dtype = DType::Unknown;     ///< of the buffer
    std::string resultDtype;          ///< what a returned tensor must have; differs from dtype for names outside the format
    std::string declaredDtype;        ///< what a returned host number becomes
    std::vector<std::int64_t> shape;
};

/// A host number as an argument: int, bool or float; `nan`, `inf` and `-inf` come as text.
[[nodiscard]] tvmffi::Any scalarArgument(const Json& value);

struct DeliveredResults {
    bool fits = true;
    Json description = Json::array();   ///< dtype and shape of each result
};
/// Copies what a value-returning call gave into the judge's buffers. Host numbers become 0-d tensors of the declared dtype.
/// Error InvalidInput: the results do not make sense (their number, their kind, a tensor on another device).
/// `gpu`: where the buffers are; null: the process's memory.
[[nodiscard]] Result<DeliveredResults> deliverResults(const std::vector<tvmffi::Any>& values, const std::vector<TargetBuffer>& outputs,
                                                      const GpuLibrary* gpu);

}  // namespace tracedeck::judge
