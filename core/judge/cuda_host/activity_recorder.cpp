// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/cuda_host/activity_recorder.h"

#include <cuda.h>
#include <cupti.h>
#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <mutex>
#include <string_view>

namespace tracedeck::cudahost {

namespace {

constexpr std::size_t kBufferBytes = 1U << 20;
constexpr std::size_t kBufferAlignment = 8;

/// The functions of CUPTI that are used. Record layouts only grow at their end from version to version: the fields read
/// here lie at the same places since CUPTI 11.
struct Functions {
    decltype(&::cuptiActivityRegisterCallbacks) registerCallbacks = nullptr;
    decltype(&::cuptiActivityEnable) enable = nullptr;
    decltype(&::cuptiActivityFlushAll) flushAll = nullptr;
    decltype(&::cuptiActivityGetNextRecord) nextRecord = nullptr;
    decltype(&::cuptiGetTimestamp) timestamp = nullptr;
};

// State of the process: CUPTI's callbacks carry no pointer of ours.
Functions cupti;
std::mutex recordsMutex;
std::vector<Activity> records;
bool keepsDetails = false;                ///< both under recordsMutex
std::vector<DetailedActivity> details;

void CUPTIAPI requestBuffer(std::uint8_t** buffer, std::size_t* size, std::size_t* maxRecords)
{
    *buffer = static_cast<std::uint8_t*>(std::aligned_alloc(kBufferAlignment, kBufferBytes));
    *size = *buffer != nullptr ? kBufferBytes : 0;
    *maxRecords = 0;   // as many as fit
}

template <class Record>
Activity activityOf(const CUpti_Activity* record)
{
    const auto* known = reinterpret_cast<const Record*>(record);
    return {known->start, known->end, false};
}

const char* directionOf(std::uint8_t copyKind)
{
    switch (copyKind) {
    case CUPTI_ACTIVITY_MEMCPY_KIND_HTOD: return "host to device";
    case CUPTI_ACTIVITY_MEMCPY_KIND_DTOH: return "device to host";
    case CUPTI_ACTIVITY_MEMCPY_KIND_DTOD: return "device to device";
    default: return "copy";
    }
}

void keepDetail(const CUpti_Activity* record)
{
    DetailedActivity detail;
    if (record->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) {
        const auto* kernel = reinterpret_cast<const CUpti_ActivityKernel9*>(record);
        detail.name = kernel->name != nullptr ? kernel->name : "";
        detail.start = kernel->start;
        detail.end = kernel->end;
        const std::int32_t grid[] = {kernel->gridX, kernel->gridY, kernel->gridZ};
        const std::int32_t block[] = {kernel->blockX, kernel->blockY, kernel->blockZ};
        std::copy(std::begin(grid), std::end(grid), std::begin(detail.grid));
        std::copy(std::begin(block), std::end(block), std::begin(detail.block));
        detail.registers = kernel->registersPerThread;
        detail.sharedBytes = static_cast<std::uint64_t>(std::max(kernel->staticSharedMemory, 0)) + static_cast<std::uint64_t>(std::max(kernel->dynamicSharedMemory, 0));
        detail.localBytes = kernel->localMemoryPerThread;
        detail.stream = kernel->streamId;
    } else if (record->kind == CUPTI_ACTIVITY_KIND_MEMCPY) {
        const auto* copy = reinterpret_cast<const CUpti_ActivityMemcpy5*>(record);
        detail.kind = "copy";
        detail.name = directionOf(copy->copyKind);
        detail.start = copy->start;
        detail.end = copy->end;
        detail.bytes = copy->bytes;
        detail.stream = copy->streamId;
    } else if (record->kind == CUPTI_ACTIVITY_KIND_MEMSET) {
        const auto* fill = reinterpret_cast<const CUpti_ActivityMemset4*>(record);
        detail.kind = "fill";
        detail.name = "fill";
        detail.start = fill->start;
        detail.end = fill->end;
        detail.bytes = fill->bytes;
        detail.stream = fill->streamId;
    } else {
        return;
    }
    if (detail.start != 0 && detail.end >= detail.start) {
        details.push_back(std::move(detail));
    }
}

void CUPTIAPI bufferCompleted(CUcontext, std::uint32_t, std::uint8_t* buffer, std::size_t, std::size_t validBytes)
{
    {
        const std::lock_guard lock(recordsMutex);
        CUpti_Activity* record = nullptr;
        while (validBytes > 0 && cupti.nextRecord(buffer, validBytes, &record) == CUPTI_SUCCESS) {
            if (keepsDetails) {
                keepDetail(record);
            } else if (record->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) {
                Activity activity = activityOf<CUpti_ActivityKernel9>(record);
                const char* name = reinterpret_cast<const CUpti_ActivityKernel9*>(record)->name;
                activity.isOurs = name != nullptr && std::string_view(name).starts_with(kOurKernels);
                records.push_back(activity);
            } else if (record->kind == CUPTI_ACTIVITY_KIND_MEMCPY) {
                records.push_back(activityOf<CUpti_ActivityMemcpy5>(record));
            } else if (record->kind == CUPTI_ACTIVITY_KIND_MEMSET) {
                records.push_back(activityOf<CUpti_ActivityMemset4>(record));
            }
        }
    }
    std::free(buffer);
}

template <class Function>
bool resolve(void* library, const char* name, Function& function)
{
    function = reinterpret_cast<Function>(::dlsym(library, name));
    return function != nullptr;
}

}  // namespace

std::vector<std::string> pathsIn(const char* text)
{
    std::vector<std::string> paths;
    std::string path;
    for (const char* at = text; at != nullptr && *at != '\0'; ++at) {
        if (*at != '\n') {
            path += *at;
        } else if (!path.empty()) {
            paths.push_back(std::move(path));
            path.clear();
        }
    }
    if (!path.empty()) {
        paths.push_back(std::move(path));
    }
    return paths;
}

bool ActivityRecorder::open(const std::vector<std::string>& libraries, std::string& reason)
{
    void* library = nullptr;
    for (const std::string& path : libraries) {
        library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (library != nullptr) {
            break;
        }
        const char* text = ::dlerror();
        reason += (reason.empty() ? "" : "; ") + std::string(text != nullptr ? text : path);
    }
    if (library == nullptr) {
        reason = "CUPTI can't be loaded: " + (reason.empty() ? std::string("no library was found") : reason);
        return false;
    }
    if (!resolve(library, "cuptiActivityRegisterCallbacks", cupti.registerCallbacks) || !resolve(library, "cuptiActivityEnable", cupti.enable) ||
        !resolve(library, "cuptiActivityFlushAll", cupti.flushAll) || !resolve(library, "cuptiActivityGetNextRecord", cupti.nextRecord) ||
        !resolve(library, "cuptiGetTimestamp", cupti.timestamp)) {
        reason = "this CUPTI lacks functions that are needed";
        return false;
    }
    CUptiResult result = cupti.registerCallbacks(requestBuffer, bufferCompleted);
    for (const CUpti_ActivityKind kind : {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_MEMCPY, CUPTI_ACTIVITY_KIND_MEMSET}) {
        if (result == CUPTI_SUCCESS) {
            result = cupti.enable(kind);
        }
    }
    if (result != CUPTI_SUCCESS) {
        reason = "CUPTI refuses to record activities (error " + std::to_string(static_cast<int>(result)) + ")";
        return false;
    }
    return true;
}

void ActivityRecorder::keepDetails()
{
    const std::lock_guard lock(recordsMutex);
    keepsDetails = true;
}

std::vector<DetailedActivity> ActivityRecorder::takeDetails()
{
    cupti.flushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
    std::vector<DetailedActivity> taken;
    {
        const std::lock_guard lock(recordsMutex);
        taken.swap(details);
    }
    std::sort(taken.begin(), taken.end(), [](const DetailedActivity& one, const DetailedActivity& two) { return one.start < two.start; });
    return taken;
}

std::uint64_t ActivityRecorder::now()
{
    std::uint64_t time = 0;
    cupti.timestamp(&time);
    return time;
}

std::vector<Activity> ActivityRecorder::take()
{
    cupti.flushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
    std::vector<Activity> taken;
    {
        const std::lock_guard lock(recordsMutex);
        taken.swap(records);
    }
    // Records without times come now and then; they say nothing.
    std::erase_if(taken, [](const Activity& activity) { return activity.start == 0 || activity.end == 0; });
    std::sort(taken.begin(), taken.end(), [](const Activity& one, const Activity& two) { return one.start < two.start; });
    return taken;
}

}  // namespace tracedeck::cudahost
