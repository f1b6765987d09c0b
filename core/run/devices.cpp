// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/devices.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "core/run/processor_info.h"

namespace tracedeck {

namespace {

constexpr const char* kCpu = "cpu";

Error deviceError(ErrorCode code, std::string reason)
{
    return Error{.code = code, .reason = std::move(reason), .file = {}, .line = 0, .field = "device"};
}

std::string describe(const RunDevices& known)
{
    std::string text;
    for (const RunDevice& device : known.devices) {
        text += (text.empty() ? "" : ", ") + device.name + (device.hardware.empty() ? "" : " (" + device.hardware + ")");
    }
    return text;
}

}  // namespace

std::optional<unsigned> cudaIndex(std::string_view device)
{
    constexpr std::string_view kPrefix = "cuda:";
    if (!device.starts_with(kPrefix)) return std::nullopt;
    device.remove_prefix(kPrefix.size());
    unsigned index = 0;
    const auto [end, error] = std::from_chars(device.data(), device.data() + device.size(), index);
    return error == std::errc{} && end == device.data() + device.size() ? std::optional(index) : std::nullopt;
}

RunDevices runDevices(const Result<GpuList>& gpus, bool hasCuda)
{
    RunDevices known;
    if (!gpus) known.whyNoGpu = gpus.error().reason;
    else if (gpus->gpus.empty()) known.whyNoGpu = "the NVIDIA driver shows no GPU (or CUDA_VISIBLE_DEVICES hides it)";
    else if (!hasCuda) known.whyNoGpu = "this build of Tracedeck drives no GPUs: the CUDA Toolkit was not there when it was configured";
    if (known.whyNoGpu.empty()) {
        for (const GpuInfo& gpu : gpus->gpus) known.devices.push_back({fmt::format("cuda:{}", gpu.index), gpu.name, gpu.computeCapability});
        if (!gpus->driverVersion.empty()) known.libs["driver"] = gpus->driverVersion;
        if (gpus->cudaVersion > 0) known.libs["cuda"] = cudaVersionText(gpus->cudaVersion);
    }
    known.devices.push_back({kCpu, {}, {}});
    return known;
}

RunDevices findRunDevices()
{
    return runDevices(listGpus(), TRACEDECK_HAS_CUDA != 0);
}

std::vector<std::string> defaultDevices(const RunDevices& known)
{
    std::vector<std::string> names;
    for (const RunDevice& device : known.devices) {
        if (device.name != kCpu) names.push_back(device.name);
    }
    return names.empty() ? std::vector<std::string>{kCpu} : names;
}

std::set<std::string> hardwareNames(const std::vector<std::string>& devices, const RunDevices& known)
{
    std::set<std::string> names;
    for (const std::string& name : devices) {
        const auto device = std::ranges::find(known.devices, name, &RunDevice::name);
        if (name == kCpu) names.insert(processorName());
        else if (device != known.devices.end()) names.insert(device->hardware);
    }
    return names;
}

Result<std::vector<std::string>> chooseDevices(const std::vector<std::string>& wanted, const RunDevices& known)
{
    std::vector<std::string> chosen;
    const auto choose = [&chosen](const std::string& name) {
        // Named twice it would measure against itself.
        if (std::find(chosen.begin(), chosen.end(), name) == chosen.end()) chosen.push_back(name);
    };
    for (const std::string& name : wanted) {
        if (name == "all") {
            for (const std::string& device : defaultDevices(known)) choose(device);
            continue;
        }
        const std::string meant = name == "cuda" ? "cuda:0" : name;
        const bool isKnown = std::any_of(known.devices.begin(), known.devices.end(), [&meant](const RunDevice& device) { return device.name == meant; });
        if (!isKnown && name.starts_with("cuda") && !known.whyNoGpu.empty()) {
            return deviceError(ErrorCode::Unsupported, fmt::format("{} can't be used: {}; use {}", name, known.whyNoGpu, describe(known)));
        }
        if (!isKnown) return deviceError(ErrorCode::Usage, fmt::format("there is no device \"{}\"; this machine has: {}", name, describe(known)));
        choose(meant);
    }
    if (chosen.empty()) return deviceError(ErrorCode::Usage, "no device is chosen");
    return chosen;
}

Result<GpuState> deviceState(const std::string& device)
{
    if (const auto index = cudaIndex(device)) return gpuState(*index);
    if (device != kCpu) return deviceError(ErrorCode::Usage, fmt::format("there is no device \"{}\"", device));
    GpuState state;
    state.totalBytes = memoryInfo("MemTotal:");
    state.freeBytes = memoryInfo("MemAvailable:");
    return state;
}

}  // namespace tracedeck
