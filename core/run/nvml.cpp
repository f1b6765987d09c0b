// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/nvml.h"

#include <dlfcn.h>

#include <string>

#include <fmt/format.h>

namespace tracedeck::nvml {

namespace {

constexpr const char* kLibrary = "libnvidia-ml.so.1";

template <class Function>
bool resolve(void* library, Function& function, std::initializer_list<const char*> names)
{
    for (const char* name : names) {
        if (void* address = ::dlsym(library, name); address != nullptr) {
            function = reinterpret_cast<Function>(address);
            return true;
        }
    }
    return false;
}

Error unsupported(std::string reason)
{
    return Error{ErrorCode::Unsupported, std::move(reason), {}, 0, {}};
}

Result<const Functions*> openOnce()
{
    static Functions functions;
    // Never closed: the library keeps threads and state of its own.
    void* library = ::dlopen(kLibrary, RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
        const char* reason = ::dlerror();
        return unsupported(fmt::format("no NVIDIA driver found: {}", reason != nullptr ? reason : kLibrary));
    }
    const bool complete = resolve(library, functions.init, {"nvmlInit_v2"}) && resolve(library, functions.errorString, {"nvmlErrorString"}) &&
                          resolve(library, functions.deviceGetCount, {"nvmlDeviceGetCount_v2"}) &&
                          resolve(library, functions.deviceGetHandleByIndex, {"nvmlDeviceGetHandleByIndex_v2"}) &&
                          resolve(library, functions.deviceGetName, {"nvmlDeviceGetName"}) &&
                          resolve(library, functions.deviceGetUuid, {"nvmlDeviceGetUUID"});
    if (!complete) {
        return unsupported(fmt::format("the NVIDIA driver is too old: its {} lacks functions that every driver since 2014 has", kLibrary));
    }
    resolve(library, functions.systemGetDriverVersion, {"nvmlSystemGetDriverVersion"});
    resolve(library, functions.systemGetCudaDriverVersion, {"nvmlSystemGetCudaDriverVersion_v2", "nvmlSystemGetCudaDriverVersion"});
    resolve(library, functions.deviceGetPciInfo, {"nvmlDeviceGetPciInfo_v3"});
    resolve(library, functions.deviceGetMemoryInfo, {"nvmlDeviceGetMemoryInfo"});
    resolve(library, functions.deviceGetClockInfo, {"nvmlDeviceGetClockInfo"});
    resolve(library, functions.deviceGetMaxClockInfo, {"nvmlDeviceGetMaxClockInfo"});
    resolve(library, functions.deviceGetTemperature, {"nvmlDeviceGetTemperature"});
    resolve(library, functions.deviceGetUtilizationRates, {"nvmlDeviceGetUtilizationRates"});
    resolve(library, functions.deviceGetPowerUsage, {"nvmlDeviceGetPowerUsage"});
    resolve(library, functions.deviceGetEnforcedPowerLimit, {"nvmlDeviceGetEnforcedPowerLimit"});
    // Renamed in driver 535; the old name is kept beside it.
    resolve(library, functions.deviceGetThrottleReasons,
            {"nvmlDeviceGetCurrentClocksEventReasons", "nvmlDeviceGetCurrentClocksThrottleReasons"});
    resolve(library, functions.deviceGetComputeCapability, {"nvmlDeviceGetCudaComputeCapability"});
    resolve(library, functions.deviceGetMigMode, {"nvmlDeviceGetMigMode"});
    resolve(library, functions.deviceGetMaxMigDeviceCount, {"nvmlDeviceGetMaxMigDeviceCount"});
    resolve(library, functions.deviceGetMigDeviceHandleByIndex, {"nvmlDeviceGetMigDeviceHandleByIndex"});
    resolve(library, functions.deviceGetComputeRunningProcesses, {"nvmlDeviceGetComputeRunningProcesses_v3"});
    if (const Status status = functions.init(); status != kSuccess) {
        return unsupported(fmt::format("the NVIDIA driver does not answer: {}", functions.errorString(status)));
    }
    return &functions;
}

}  // namespace

Result<const Functions*> open()
{
    static const Result<const Functions*> opened = openOnce();
    return opened;
}

}  // namespace tracedeck::nvml
