// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cuda.h>

#include <string>

/// The driver entry points that a host needs, resolved when the process starts to use its GPU: a machine without a driver
/// can still load the library. The version suffixes are those of the types in cuda.h.
#define TRACEDECK_DRIVER_FUNCTIONS(X)                                                                                              \
    X(cuInit, "cuInit")                                                                                                            \
    X(cuDeviceGet, "cuDeviceGet")                                                                                                  \
    X(cuDevicePrimaryCtxRetain, "cuDevicePrimaryCtxRetain")                                                                        \
    X(cuCtxSetCurrent, "cuCtxSetCurrent")                                                                                          \
    X(cuCtxSynchronize, "cuCtxSynchronize")                                                                                        \
    X(cuCtxGetLimit, "cuCtxGetLimit")                                                                                              \
    X(cuCtxResetPersistingL2Cache, "cuCtxResetPersistingL2Cache")                                                                  \
    X(cuGetErrorName, "cuGetErrorName")                                                                                            \
    X(cuGetErrorString, "cuGetErrorString")                                                                                        \
    X(cuStreamCreate, "cuStreamCreate")                                                                                            \
    X(cuStreamSynchronize, "cuStreamSynchronize")                                                                                  \
    X(cuStreamWaitValue32, "cuStreamWaitValue32_v2")                                                                               \
    X(cuStreamWriteValue32, "cuStreamWriteValue32_v2")                                                                             \
    X(cuEventCreate, "cuEventCreate")                                                                                              \
    X(cuEventRecord, "cuEventRecord")                                                                                              \
    X(cuEventElapsedTime, "cuEventElapsedTime")                                                                                    \
    X(cuModuleLoadData, "cuModuleLoadData")                                                                                        \
    X(cuModuleGetFunction, "cuModuleGetFunction")                                                                                  \
    X(cuLaunchKernel, "cuLaunchKernel")                                                                                            \
    X(cuMemHostRegister, "cuMemHostRegister_v2")                                                                                   \
    X(cuMemHostGetDevicePointer, "cuMemHostGetDevicePointer_v2")                                                                   \
    X(cuMemGetAllocationGranularity, "cuMemGetAllocationGranularity")                                                              \
    X(cuMemImportFromShareableHandle, "cuMemImportFromShareableHandle")                                                            \
    X(cuMemExportToShareableHandle, "cuMemExportToShareableHandle")                                                                \
    X(cuMemAddressReserve, "cuMemAddressReserve")                                                                                  \
    X(cuMemAddressFree, "cuMemAddressFree")                                                                                        \
    X(cuMemCreate, "cuMemCreate")                                                                                                  \
    X(cuMemMap, "cuMemMap")                                                                                                        \
    X(cuMemUnmap, "cuMemUnmap")                                                                                                    \
    X(cuMemSetAccess, "cuMemSetAccess")                                                                                            \
    X(cuMemRelease, "cuMemRelease")                                                                                                \
    X(cuMemcpyDtoDAsync, "cuMemcpyDtoDAsync_v2")                                                                                   \
    X(cuMemcpyDtoH, "cuMemcpyDtoH_v2")                                                                                             \
    X(cuMemcpyHtoD, "cuMemcpyHtoD_v2")                                                                                             \
    X(cuDeviceGetDefaultMemPool, "cuDeviceGetDefaultMemPool")                                                                      \
    X(cuMemPoolSetAttribute, "cuMemPoolSetAttribute")                                                                              \
    X(cuMemAlloc, "cuMemAlloc_v2")                                                                                                 \
    X(cuMemAllocAsync, "cuMemAllocAsync")                                                                                          \
    X(cuMemFreeAsync, "cuMemFreeAsync")

namespace tracedeck::cudahost {

struct DriverFunctions {
#define X(name, symbol) decltype(&::name) name = nullptr;
    TRACEDECK_DRIVER_FUNCTIONS(X)
#undef X
};

/// Null when there is no driver or it is too old; `reason` says which.
const DriverFunctions* openDriver(std::string& reason);

}  // namespace tracedeck::cudahost
