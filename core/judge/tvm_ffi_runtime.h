// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/judge/gpu_library.h"
#include "core/judge/tvm_ffi_abi.h"
#include "core/model/dtype.h"
#include "core/model/result.h"

namespace tracedeck::judge {

/// libtvm_ffi.so, opened at run time, and what calling a solution needs of it. One per process, never closed.
class TvmFfiRuntime {
public:
    /// Makes its symbols visible to libraries that are loaded later. Error Unsupported with the loader's words.
    static Result<TvmFfiRuntime> open(const std::filesystem::path& library);

    /// From now on tensors are on the GPU: wrapped ones, and those that kernels ask for; kernels find the GPU's stream.
    Result<void> useGpu(const GpuLibrary& gpu);
    /// A tensor object (index 70) over memory that outlives it; contiguous. Error ProcessFailed.
    Result<tvmffi::Any> wrapTensor(void* data, DType dtype, const std::vector<std::int64_t>& shape) const;
    /// Sets the allocator that kernels use for tensors of their own.
    Result<void> installAllocator() const;
    /// Takes this thread's pending error: "kind: message", then the call stack.
    [[nodiscard]] std::string takeError() const;
    /// Gives up what a call returned.
    void release(const tvmffi::Any& value) const;
    /// The elements of a returned value: none, itself, or those of an Array. Each element is owned by the caller; `value`
    /// stays his, too.
    Result<std::vector<tvmffi::Any>> elements(const tvmffi::Any& value) const;

private:
    TvmFfiRuntime() = default;

    int (*m_incRef)(void*) = nullptr;
    int (*m_decRef)(void*) = nullptr;
    int (*m_fromDlpack)(tvmffi::ManagedTensor*, std::int32_t, std::int32_t, void**) = nullptr;
    void (*m_moveError)(void**) = nullptr;
    int (*m_setAllocator)(tvmffi::Allocator, int, tvmffi::Allocator*) = nullptr;
    int (*m_setStream)(std::int32_t, std::int32_t, void*, void**) = nullptr;
    int (*m_getGlobal)(const tvmffi::ByteArray*, void**) = nullptr;
    int (*m_call)(void*, tvmffi::Any*, std::int32_t, tvmffi::Any*) = nullptr;
    tvmffi::DeviceId m_device{tvmffi::kCpuDevice, 0};
};

/// The tensor inside an Any of index 70.
[[nodiscard]] const tvmffi::Tensor& tensorOf(const tvmffi::Any& value);
/// Name of a DLPack data type as torch has it, for example `bfloat16`; `code-bits-lanes` for others.
[[nodiscard]] std::string dtypeName(const tvmffi::DataType& type);
[[nodiscard]] tvmffi::DataType dlpackType(DType dtype);

}  // namespace tracedeck::judge
