// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/model/result.h"

/// The part of NVIDIA's management library that Tracedeck asks. The toolkit need not bring nvml.h: names, types and constants
/// below are those of the NVML API reference (docs.nvidia.com/deploy/nvml-api), whose versioned functions keep their ABI.
namespace tracedeck::nvml {

using DeviceHandle = struct NvmlDevice*;
using Status = int;

inline constexpr Status kSuccess = 0;
inline constexpr Status kInsufficientSize = 7;

inline constexpr unsigned kTextBytes = 128;        ///< above NVML_DEVICE_UUID_V2_BUFFER_SIZE and _NAME_V2_BUFFER_SIZE (96)
inline constexpr unsigned kClockSm = 1;            ///< NVML_CLOCK_SM
inline constexpr unsigned kClockMemory = 2;        ///< NVML_CLOCK_MEM
inline constexpr unsigned kTemperatureGpu = 0;     ///< NVML_TEMPERATURE_GPU
inline constexpr unsigned kMigEnabled = 1;         ///< NVML_DEVICE_MIG_ENABLE
inline constexpr std::uint64_t kNoValue = ~std::uint64_t{0};   ///< NVML_VALUE_NOT_AVAILABLE, as unsigned

/// nvmlMemory_t
struct Memory {
    unsigned long long total;
    unsigned long long free;
    unsigned long long used;
};
/// nvmlPciInfo_t of nvmlDeviceGetPciInfo_v3
struct PciInfo {
    char busIdLegacy[16];
    unsigned domain;
    unsigned bus;
    unsigned device;
    unsigned pciDeviceId;
    unsigned pciSubSystemId;
    char busId[32];
};
/// nvmlProcessInfo_t of nvmlDeviceGetComputeRunningProcesses_v3
struct ProcessInfo {
    unsigned pid;
    unsigned long long usedGpuMemory;
    unsigned gpuInstanceId;
    unsigned computeInstanceId;
};
/// nvmlUtilization_t, in percent
struct Utilization {
    unsigned gpu;
    unsigned memory;
};
static_assert(sizeof(Memory) == 24 && sizeof(PciInfo) == 68 && sizeof(ProcessInfo) == 24);

/// Entry points; what an old driver lacks and only tells more is null.
struct Functions {
    // Without these nothing can be said.
    Status (*init)() = nullptr;
    const char* (*errorString)(Status) = nullptr;
    Status (*deviceGetCount)(unsigned*) = nullptr;
    Status (*deviceGetHandleByIndex)(unsigned, DeviceHandle*) = nullptr;
    Status (*deviceGetName)(DeviceHandle, char*, unsigned) = nullptr;
    Status (*deviceGetUuid)(DeviceHandle, char*, unsigned) = nullptr;
    // These may be missing.
    Status (*systemGetDriverVersion)(char*, unsigned) = nullptr;
    Status (*systemGetCudaDriverVersion)(int*) = nullptr;
    Status (*deviceGetPciInfo)(DeviceHandle, PciInfo*) = nullptr;
    Status (*deviceGetMemoryInfo)(DeviceHandle, Memory*) = nullptr;
    Status (*deviceGetClockInfo)(DeviceHandle, unsigned, unsigned*) = nullptr;
    Status (*deviceGetMaxClockInfo)(DeviceHandle, unsigned, unsigned*) = nullptr;
    Status (*deviceGetTemperature)(DeviceHandle, unsigned, unsigned*) = nullptr;
    Status (*deviceGetUtilizationRates)(DeviceHandle, Utilization*) = nullptr;
    Status (*deviceGetPowerUsage)(DeviceHandle, unsigned*) = nullptr;
    Status (*deviceGetEnforcedPowerLimit)(DeviceHandle, unsigned*) = nullptr;
    Status (*deviceGetThrottleReasons)(DeviceHandle, unsigned long long*) = nullptr;
    Status (*deviceGetComputeCapability)(DeviceHandle, int*, int*) = nullptr;
    Status (*deviceGetMigMode)(DeviceHandle, unsigned*, unsigned*) = nullptr;
    Status (*deviceGetMaxMigDeviceCount)(DeviceHandle, unsigned*) = nullptr;
    Status (*deviceGetMigDeviceHandleByIndex)(DeviceHandle, unsigned, DeviceHandle*) = nullptr;
    Status (*deviceGetComputeRunningProcesses)(DeviceHandle, unsigned*, ProcessInfo*) = nullptr;
};

/// Opens and starts the library once a process; it stays open. Error Unsupported: no driver, or one that NVML can't reach.
[[nodiscard]] Result<const Functions*> open();

}  // namespace tracedeck::nvml
