// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/result.h"

namespace tracedeck {

/// What a GPU does at one moment. Whatever the driver does not tell is missing.
struct GpuState {
    std::optional<unsigned> smClockMhz;
    std::optional<unsigned> maxSmClockMhz;
    std::optional<unsigned> memoryClockMhz;
    std::optional<unsigned> maxMemoryClockMhz;
    std::optional<unsigned> temperatureCelsius;
    std::optional<unsigned> busyPercent;            ///< of the last moment, up to a second, in which a kernel ran
    std::optional<std::uint64_t> totalBytes;
    std::optional<std::uint64_t> freeBytes;
    std::optional<double> powerWatts;
    std::optional<double> powerLimitWatts;
    std::optional<std::uint64_t> throttleReasons;   ///< bits of NVML; throttleReasonNames() reads them
};

/// A process that has a CUDA context on a GPU.
struct GpuProcess {
    unsigned processId = 0;                        ///< in a container perhaps that of another namespace
    std::string name;                              ///< by /proc, empty when the process can't be seen
    std::optional<std::uint64_t> memoryBytes;
};

/// One part of a GPU in MIG mode. CUDA uses one such part a process, never the whole GPU.
struct MigInstance {
    std::string uuid;
    std::string name;
    std::optional<std::uint64_t> totalBytes;
    std::optional<std::uint64_t> freeBytes;
};

/// One GPU, as the driver's management library (NVML) describes it.
struct GpuInfo {
    unsigned index = 0;                            ///< as nvidia-smi counts: N of `cuda:N`
    std::string name;
    std::string uuid;
    std::string pciBusId;
    std::string computeCapability;                 ///< "9.0", which CUDA code is compiled for; empty when unknown
    std::optional<std::uint64_t> totalBytes;
    std::optional<std::uint64_t> freeBytes;
    bool migEnabled = false;
    std::vector<MigInstance> migInstances;
    GpuState state;
    std::vector<GpuProcess> processes;

    /// What CUDA_VISIBLE_DEVICES takes: the GPU's own UUID, in MIG mode that of its first listed part (empty when it has none).
    [[nodiscard]] std::string visibleName() const;
};

/// All GPUs that CUDA_VISIBLE_DEVICES lets programs see.
struct GpuList {
    std::vector<GpuInfo> gpus;                     ///< in the order of their index
    std::string driverVersion;
    int cudaVersion = 0;                           ///< of the driver: 1000 · major + 10 · minor; 0 when unknown
};

/// Asks NVML, which is opened at run time. Error Unsupported when there is no NVIDIA driver, Io when it doesn't answer.
[[nodiscard]] Result<GpuList> listGpus();
/// State of the GPU with this index (of nvidia-smi) now. Errors as listGpus, NotFound for an index that is not there.
[[nodiscard]] Result<GpuState> gpuState(unsigned index);
/// Only what changes while something is measured: clocks, temperature, power, throttle reasons. The rest takes as long again.
[[nodiscard]] Result<GpuState> gpuClocks(unsigned index);

/// The GPUs that a value of CUDA_VISIBLE_DEVICES leaves: numbers (those of nvidia-smi, which are CUDA's with
/// CUDA_DEVICE_ORDER=PCI_BUS_ID and wherever all GPUs are of a kind), UUIDs or beginnings of one that are unambiguous, and UUIDs
/// of MIG parts. As in CUDA, the first entry that names nothing ends the list, and one named twice leaves nothing. std::nullopt
/// (the variable is not set): all.
[[nodiscard]] std::vector<GpuInfo> visibleGpus(std::vector<GpuInfo> all, std::optional<std::string_view> visibleDevices);

/// Words for the bits of GpuState::throttleReasons, for example `sw_power_cap`; unknown ones as hexadecimal numbers.
[[nodiscard]] std::vector<std::string> throttleReasonNames(std::uint64_t reasons);
/// True when a bit says that the clock is lower than asked for reasons of power or heat (being idle is none).
[[nodiscard]] bool isThrottled(std::uint64_t reasons);
/// "13.0" for 13000; empty for 0.
[[nodiscard]] std::string cudaVersionText(int version);

}  // namespace tracedeck
