// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/result.h"
#include "core/run/gpu_list.h"

namespace tracedeck {

/// A device that runs can be asked to use.
struct RunDevice {
    std::string name;                ///< `cuda:N` or `cpu`
    std::string hardware;            ///< name of the GPU, empty for the cpu
    std::string computeCapability;   ///< of a GPU, "9.0"
};

/// The devices of this machine: every GPU that is visible and that this build can drive, then the cpu.
struct RunDevices {
    std::vector<RunDevice> devices;
    std::string whyNoGpu;                      ///< empty when there is one
    std::map<std::string, std::string> libs;   ///< versions for a trace's environment: `driver`, `cuda` (the driver's)
};

/// N of `cuda:N`; std::nullopt for any other name.
[[nodiscard]] std::optional<unsigned> cudaIndex(std::string_view device);

/// Pure: what a list of GPUs, or the reason that there is none, amounts to. `hasCuda`: this build has the CUDA judge.
[[nodiscard]] RunDevices runDevices(const Result<GpuList>& gpus, bool hasCuda);
/// The same for this machine.
[[nodiscard]] RunDevices findRunDevices();
/// Every CUDA device, or `cpu` where there is none: what `all` and no choice at all mean.
[[nodiscard]] std::vector<std::string> defaultDevices(const RunDevices& known);
/// The hardware of these devices (those of chooseDevices) by the names that traces made on them have.
[[nodiscard]] std::set<std::string> hardwareNames(const std::vector<std::string>& devices, const RunDevices& known);
/// The wanted devices, each once; `all` stands for the default. Error Usage for an unknown one, with what there is; Unsupported when it is a
/// CUDA device and there is none at all, with the reason.
[[nodiscard]] Result<std::vector<std::string>> chooseDevices(const std::vector<std::string>& wanted, const RunDevices& known);

/// What a device does now: of a GPU what NVML tells, of the cpu its memory. Errors as gpuState(); Usage for another name.
[[nodiscard]] Result<GpuState> deviceState(const std::string& device);

}  // namespace tracedeck
