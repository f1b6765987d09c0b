// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cuda.h>

#include <string>

#include "core/model/result.h"

/// The driver's entry points that the judge needs, with the version suffixes that cuda.h gives their types.
#define TRACEDECK_JUDGE_DRIVER_FUNCTIONS(X)                                             \
    X(cuInit, "cuInit")                                                                 \
    X(cuDriverGetVersion, "cuDriverGetVersion")                                         \
    X(cuDeviceGet, "cuDeviceGet")                                                       \
    X(cuDeviceGetUuid, "cuDeviceGetUuid_v2")                                            \
    X(cuDeviceGetAttribute, "cuDeviceGetAttribute")                                     \
    X(cuGetErrorName, "cuGetErrorName")                                                 \
    X(cuGetErrorString, "cuGetErrorString")                                             \
    X(cuMemGetAllocationGranularity, "cuMemGetAllocationGranularity")                   \
    X(cuMemGetAllocationPropertiesFromHandle, "cuMemGetAllocationPropertiesFromHandle") \
    X(cuMemCreate, "cuMemCreate")                                                       \
    X(cuMemRelease, "cuMemRelease")                                                     \
    X(cuMemExportToShareableHandle, "cuMemExportToShareableHandle")                     \
    X(cuMemImportFromShareableHandle, "cuMemImportFromShareableHandle")                 \
    X(cuMemAddressReserve, "cuMemAddressReserve")                                       \
    X(cuMemAddressFree, "cuMemAddressFree")                                             \
    X(cuMemMap, "cuMemMap")                                                             \
    X(cuMemUnmap, "cuMemUnmap")                                                         \
    X(cuMemSetAccess, "cuMemSetAccess")                                                 \
    X(cuStreamBatchMemOp, "cuStreamBatchMemOp_v2")

namespace tracedeck::judge::cuda {

/// Filled by dlopen, so that the program starts where there is no driver.
struct Driver {
#define X(name, symbol) decltype(&::name) name = nullptr;
    TRACEDECK_JUDGE_DRIVER_FUNCTIONS(X)
#undef X

    /// "out of memory (CUDA_ERROR_OUT_OF_MEMORY)"
    [[nodiscard]] std::string describe(CUresult code) const;
};

/// Opens and starts the driver once a process. Error Unsupported: there is none, it is too old, or it shows no GPU.
[[nodiscard]] Result<const Driver*> openDriver();

/// Memory of the GPU that is mapped from a handle which processes can share.
class MappedMemory {
public:
    MappedMemory() = default;
    ~MappedMemory() { release(); }
    MappedMemory(MappedMemory&& other) noexcept;
    MappedMemory& operator=(MappedMemory&& other) noexcept;

    /// New memory that can be exported; `bytes` is a multiple of the granularity. The driver's code on failure.
    [[nodiscard]] static CUresult create(const Driver& driver, int device, std::size_t bytes, MappedMemory& memory);
    /// The first `bytes` (a multiple of the granularity) of what a descriptor stands for. It may come from a stranger: fails unless it
    /// is pinned memory of this very device and at least so large.
    [[nodiscard]] static CUresult import(const Driver& driver, int device, int descriptor, std::size_t bytes, MappedMemory& memory);

    [[nodiscard]] CUdeviceptr address() const { return m_address; }
    [[nodiscard]] std::size_t bytes() const { return m_bytes; }
    /// A new descriptor for the memory, which the caller closes.
    [[nodiscard]] CUresult exportDescriptor(int& descriptor) const;

private:
    [[nodiscard]] CUresult map(int device, std::size_t bytes);
    void release();

    const Driver* m_driver = nullptr;
    CUmemGenericAllocationHandle m_handle = 0;
    bool m_hasHandle = false;
    CUdeviceptr m_address = 0;
    std::size_t m_reserved = 0;
    std::size_t m_bytes = 0;   ///< mapped
};

/// What create() allocates: pinned memory of one device, exportable as a file descriptor.
[[nodiscard]] CUmemAllocationProp sharedMemoryProperties(int device);

}  // namespace tracedeck::judge::cuda
