// SPDX-License-Identifier: GPL-3.0-or-later
// The timeline functions of host_api.h: every record of CUPTI's with its launch, as JSON.
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "core/judge/cuda_host/activity_recorder.h"
#include "core/judge/cuda_host/host_api.h"

namespace tracedeck::cudahost {

namespace {

std::string& timelineReason()
{
    static std::string reason;
    return reason;
}

/// What was taken and did not fit into the caller's text yet.
std::string& pendingText()
{
    static std::string text;
    return text;
}

std::string quoted(const std::string& text)
{
    std::string result = "\"";
    for (const char letter : text) {
        const auto code = static_cast<unsigned char>(letter);
        if (letter == '"' || letter == '\\') {
            result += '\\';
            result += letter;
        } else if (code < 0x20 || code > 0x7e) {
            char escape[8] = {};
            std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(code));
            result += escape;
        } else {
            result += letter;
        }
    }
    return result + "\"";
}

std::string sizes(const std::int32_t (&numbers)[3])
{
    return "[" + std::to_string(numbers[0]) + "," + std::to_string(numbers[1]) + "," + std::to_string(numbers[2]) + "]";
}

std::string encoded(const DetailedActivity& activity)
{
    std::string text = "{\"kind\":\"" + std::string(activity.kind) + "\",\"name\":" + quoted(activity.name) + ",\"start\":" + std::to_string(activity.start) +
                       ",\"end\":" + std::to_string(activity.end) + ",\"stream\":" + std::to_string(activity.stream);
    if (std::strcmp(activity.kind, "kernel") == 0) {
        return text + ",\"grid\":" + sizes(activity.grid) + ",\"block\":" + sizes(activity.block) + ",\"registers\":" + std::to_string(activity.registers) +
               ",\"shared\":" + std::to_string(activity.sharedBytes) + ",\"local\":" + std::to_string(activity.localBytes) + "}";
    }
    return text + ",\"bytes\":" + std::to_string(activity.bytes) + "}";
}

}  // namespace

}  // namespace tracedeck::cudahost

using namespace tracedeck::cudahost;

int tracedeck_cuda_timeline_open(const char* cupti)
{
    timelineReason().clear();
    ActivityRecorder::keepDetails();
    return ActivityRecorder::open(pathsIn(cupti), timelineReason()) ? 0 : 1;
}

const char* tracedeck_cuda_timeline_error()
{
    return timelineReason().c_str();
}

long long tracedeck_cuda_timeline_take(char* text, std::size_t capacity)
{
    std::string& pending = pendingText();
    if (pending.empty()) {
        pending = "[";
        for (const DetailedActivity& activity : ActivityRecorder::takeDetails()) {
            pending += (pending.size() == 1 ? "" : ",") + encoded(activity);
        }
        pending += "]";
    }
    const auto needed = static_cast<long long>(pending.size() + 1);
    if (pending.size() < capacity) {
        std::memcpy(text, pending.c_str(), pending.size() + 1);
        pending.clear();
    }
    return needed;
}
