// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/gpu_list.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <set>

#include <fmt/format.h>

#include "core/run/nvml.h"

namespace tracedeck {

namespace {

struct ThrottleReason {
    std::uint64_t bit;
    const char* name;
    bool lowersClock;
};
/// nvmlClocksEventReasons of the NVML API reference.
constexpr std::array<ThrottleReason, 9> kThrottleReasons{{{0x1, "gpu_idle", false},
                                                          {0x2, "applications_clocks_setting", false},
                                                          {0x4, "sw_power_cap", true},
                                                          {0x8, "hw_slowdown", true},
                                                          {0x10, "sync_boost", true},
                                                          {0x20, "sw_thermal_slowdown", true},
                                                          {0x40, "hw_thermal_slowdown", true},
                                                          {0x80, "hw_power_brake_slowdown", true},
                                                          {0x100, "display_clock_setting", false}}};

/// Text that an NVML function writes, empty when it is not there or fails.
template <class Function, class... Arguments>
std::string textOf(Function function, Arguments... arguments)
{
    std::array<char, nvml::kTextBytes> text{};
    if (function == nullptr || function(arguments..., text.data(), static_cast<unsigned>(text.size())) != nvml::kSuccess) {
        return {};
    }
    text.back() = '\0';
    return text.data();
}

/// Number that an NVML function writes.
template <class Value, class Function, class... Arguments>
std::optional<Value> numberOf(Function function, Arguments... arguments)
{
    Value value{};
    if (function == nullptr || function(arguments..., &value) != nvml::kSuccess) {
        return std::nullopt;
    }
    return value;
}

std::optional<double> fromThousandths(std::optional<unsigned> value)
{
    return value ? std::optional<double>(*value / 1000.0) : std::nullopt;
}

GpuState clocksOf(const nvml::Functions& functions, nvml::DeviceHandle device)
{
    GpuState state;
    state.smClockMhz = numberOf<unsigned>(functions.deviceGetClockInfo, device, nvml::kClockSm);
    state.memoryClockMhz = numberOf<unsigned>(functions.deviceGetClockInfo, device, nvml::kClockMemory);
    state.temperatureCelsius = numberOf<unsigned>(functions.deviceGetTemperature, device, nvml::kTemperatureGpu);
    state.powerWatts = fromThousandths(numberOf<unsigned>(functions.deviceGetPowerUsage, device));
    if (const auto reasons = numberOf<unsigned long long>(functions.deviceGetThrottleReasons, device)) {
        state.throttleReasons = *reasons;
    }
    return state;
}

GpuState stateOf(const nvml::Functions& functions, nvml::DeviceHandle device)
{
    GpuState state = clocksOf(functions, device);
    state.maxSmClockMhz = numberOf<unsigned>(functions.deviceGetMaxClockInfo, device, nvml::kClockSm);
    state.maxMemoryClockMhz = numberOf<unsigned>(functions.deviceGetMaxClockInfo, device, nvml::kClockMemory);
    if (const auto busy = numberOf<nvml::Utilization>(functions.deviceGetUtilizationRates, device)) state.busyPercent = busy->gpu;
    if (const auto memory = numberOf<nvml::Memory>(functions.deviceGetMemoryInfo, device)) {
        state.totalBytes = memory->total;
        state.freeBytes = memory->free;
    }
    state.powerLimitWatts = fromThousandths(numberOf<unsigned>(functions.deviceGetEnforcedPowerLimit, device));
    return state;
}

void readMemory(const nvml::Functions& functions, nvml::DeviceHandle device, std::optional<std::uint64_t>& total,
                std::optional<std::uint64_t>& free)
{
    if (const auto memory = numberOf<nvml::Memory>(functions.deviceGetMemoryInfo, device)) {
        total = memory->total;
        free = memory->free;
    }
}

std::vector<MigInstance> migInstancesOf(const nvml::Functions& functions, nvml::DeviceHandle device)
{
    std::vector<MigInstance> instances;
    if (functions.deviceGetMigDeviceHandleByIndex == nullptr) {
        return instances;
    }
    const unsigned count = numberOf<unsigned>(functions.deviceGetMaxMigDeviceCount, device).value_or(0);
    for (unsigned i = 0; i < count; ++i) {
        nvml::DeviceHandle part = nullptr;
        if (functions.deviceGetMigDeviceHandleByIndex(device, i, &part) != nvml::kSuccess) {
            continue;   // the places between instances are empty
        }
        MigInstance instance;
        instance.uuid = textOf(functions.deviceGetUuid, part);
        instance.name = textOf(functions.deviceGetName, part);
        readMemory(functions, part, instance.totalBytes, instance.freeBytes);
        instances.push_back(std::move(instance));
    }
    return instances;
}

std::vector<GpuProcess> processesOf(const nvml::Functions& functions, nvml::DeviceHandle device)
{
    constexpr unsigned kMostProcesses = 4096;
    if (functions.deviceGetComputeRunningProcesses == nullptr) {
        return {};
    }
    std::vector<nvml::ProcessInfo> found(64);
    unsigned count = 0;
    nvml::Status status = nvml::kInsufficientSize;
    while (status == nvml::kInsufficientSize && found.size() <= kMostProcesses) {
        count = static_cast<unsigned>(found.size());
        status = functions.deviceGetComputeRunningProcesses(device, &count, found.data());
        if (status == nvml::kInsufficientSize) {
            found.resize(2 * found.size());
        }
    }
    if (status != nvml::kSuccess) {
        return {};
    }
    std::vector<GpuProcess> processes;
    for (unsigned i = 0; i < std::min(count, static_cast<unsigned>(found.size())); ++i) {
        GpuProcess process;
        process.processId = found[i].pid;
        std::ifstream comm(fmt::format("/proc/{}/comm", found[i].pid));
        std::getline(comm, process.name);
        if (found[i].usedGpuMemory != nvml::kNoValue) {
            process.memoryBytes = found[i].usedGpuMemory;
        }
        processes.push_back(std::move(process));
    }
    return processes;
}

Error nvmlError(ErrorCode code, std::string reason)
{
    return Error{code, std::move(reason), {}, 0, {}};
}

/// Places in `all` of the GPUs (and MIG parts: place and part) that one entry names; more than one: ambiguous.
std::vector<std::pair<std::size_t, std::optional<std::size_t>>> named(std::string_view entry, const std::vector<GpuInfo>& all)
{
    std::vector<std::pair<std::size_t, std::optional<std::size_t>>> found;
    unsigned number = 0;
    const auto [end, error] = std::from_chars(entry.data(), entry.data() + entry.size(), number);
    const bool isNumber = error == std::errc{} && end == entry.data() + entry.size();
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (isNumber ? all[i].index == number : entry.starts_with("GPU-") && all[i].uuid.starts_with(entry)) {
            found.emplace_back(i, std::nullopt);
        }
        for (std::size_t part = 0; part < all[i].migInstances.size(); ++part) {
            if (entry.starts_with("MIG-") && all[i].migInstances[part].uuid.starts_with(entry)) {
                found.emplace_back(i, part);
            }
        }
    }
    return found;
}

std::string_view trimmed(std::string_view text)
{
    const auto first = text.find_first_not_of(" \t");
    return first == std::string_view::npos ? std::string_view{} : text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

}  // namespace

std::string GpuInfo::visibleName() const
{
    if (!migEnabled) {
        return uuid;
    }
    return migInstances.empty() ? std::string{} : migInstances.front().uuid;
}

std::vector<GpuInfo> visibleGpus(std::vector<GpuInfo> all, std::optional<std::string_view> visibleDevices)
{
    if (!visibleDevices) {
        return all;
    }
    std::set<std::size_t> whole;
    std::set<std::pair<std::size_t, std::size_t>> parts;
    std::string_view rest = *visibleDevices;
    while (true) {
        const auto comma = rest.find(',');
        const auto found = named(trimmed(rest.substr(0, comma)), all);
        if (found.size() != 1) {
            break;
        }
        const auto [place, part] = found.front();
        if (part ? !parts.emplace(place, *part).second : !whole.insert(place).second) {
            return {};
        }
        if (comma == std::string_view::npos) {
            break;
        }
        rest.remove_prefix(comma + 1);
    }
    std::vector<GpuInfo> visible;
    for (std::size_t i = 0; i < all.size(); ++i) {
        std::vector<MigInstance> named;
        for (std::size_t part = 0; part < all[i].migInstances.size(); ++part) {
            if (parts.contains({i, part})) {
                named.push_back(all[i].migInstances[part]);
            }
        }
        if (!named.empty()) {
            all[i].migInstances = std::move(named);
        } else if (!whole.contains(i)) {
            continue;
        }
        visible.push_back(std::move(all[i]));
    }
    return visible;
}

Result<GpuList> listGpus()
{
    const auto opened = nvml::open();
    if (!opened) {
        return opened.error();
    }
    const nvml::Functions& functions = **opened;
    unsigned count = 0;
    if (const nvml::Status status = functions.deviceGetCount(&count); status != nvml::kSuccess) {
        return nvmlError(ErrorCode::Io, fmt::format("the NVIDIA driver does not say how many GPUs there are: {}", functions.errorString(status)));
    }
    GpuList list;
    list.driverVersion = textOf(functions.systemGetDriverVersion);
    list.cudaVersion = numberOf<int>(functions.systemGetCudaDriverVersion).value_or(0);
    std::vector<GpuInfo> all;
    for (unsigned index = 0; index < count; ++index) {
        nvml::DeviceHandle device = nullptr;
        if (functions.deviceGetHandleByIndex(index, &device) != nvml::kSuccess) {
            continue;   // fallen off the bus, or another user's: the others can be used
        }
        GpuInfo info;
        info.index = index;
        info.name = textOf(functions.deviceGetName, device);
        info.uuid = textOf(functions.deviceGetUuid, device);
        if (const auto place = numberOf<nvml::PciInfo>(functions.deviceGetPciInfo, device)) {
            info.pciBusId = std::string(place->busId, ::strnlen(place->busId, sizeof(place->busId)));
        }
        int major = 0;
        int minor = 0;
        if (functions.deviceGetComputeCapability != nullptr && functions.deviceGetComputeCapability(device, &major, &minor) == nvml::kSuccess) {
            info.computeCapability = fmt::format("{}.{}", major, minor);
        }
        readMemory(functions, device, info.totalBytes, info.freeBytes);
        unsigned mode = 0;
        unsigned pending = 0;
        info.migEnabled = functions.deviceGetMigMode != nullptr && functions.deviceGetMigMode(device, &mode, &pending) == nvml::kSuccess &&
                          mode == nvml::kMigEnabled;
        if (info.migEnabled) {
            info.migInstances = migInstancesOf(functions, device);
        }
        info.state = stateOf(functions, device);
        info.processes = processesOf(functions, device);
        all.push_back(std::move(info));
    }
    const char* visible = std::getenv("CUDA_VISIBLE_DEVICES");
    list.gpus = visibleGpus(std::move(all), visible != nullptr ? std::optional<std::string_view>(visible) : std::nullopt);
    return list;
}

namespace {

Result<GpuState> askGpu(unsigned index, GpuState (*read)(const nvml::Functions&, nvml::DeviceHandle))
{
    const auto opened = nvml::open();
    if (!opened) {
        return opened.error();
    }
    nvml::DeviceHandle device = nullptr;
    if (const nvml::Status status = (*opened)->deviceGetHandleByIndex(index, &device); status != nvml::kSuccess) {
        return nvmlError(ErrorCode::NotFound, fmt::format("GPU {}: {}", index, (*opened)->errorString(status)));
    }
    return read(**opened, device);
}

}  // namespace

Result<GpuState> gpuState(unsigned index)
{
    return askGpu(index, stateOf);
}

Result<GpuState> gpuClocks(unsigned index)
{
    return askGpu(index, clocksOf);
}

std::vector<std::string> throttleReasonNames(std::uint64_t reasons)
{
    std::vector<std::string> names;
    for (const ThrottleReason& reason : kThrottleReasons) {
        if ((reasons & reason.bit) != 0) {
            names.emplace_back(reason.name);
        }
        reasons &= ~reason.bit;
    }
    if (reasons != 0) {
        names.push_back(fmt::format("{:#x}", reasons));
    }
    return names;
}

bool isThrottled(std::uint64_t reasons)
{
    return std::ranges::any_of(kThrottleReasons, [reasons](const ThrottleReason& reason) { return reason.lowersClock && (reasons & reason.bit) != 0; });
}

std::string cudaVersionText(int version)
{
    return version <= 0 ? std::string{} : fmt::format("{}.{}", version / 1000, version % 1000 / 10);
}

}  // namespace tracedeck
