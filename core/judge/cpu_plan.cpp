// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/cpu_plan.h"

#include <sched.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <string>

#include <fmt/format.h>

namespace tracedeck::judge {

namespace {

/// Numbers of a list such as `0-3,8`.
std::vector<int> parseProcessorList(const std::string& text)
{
    std::vector<int> processors;
    const char* position = text.data();
    const char* const end = text.data() + text.size();
    while (position < end) {
        int first = 0;
        auto parsed = std::from_chars(position, end, first);
        if (parsed.ec != std::errc{}) {
            break;
        }
        int last = first;
        if (parsed.ptr < end && *parsed.ptr == '-') {
            parsed = std::from_chars(parsed.ptr + 1, end, last);
        }
        for (int processor = first; processor <= last; ++processor) {
            processors.push_back(processor);
        }
        position = parsed.ptr + 1;   // the comma
    }
    return processors;
}

}  // namespace

CpuPlan CpuPlan::detect()
{
    cpu_set_t allowed;
    CPU_ZERO(&allowed);
    std::vector<int> processors;
    if (::sched_getaffinity(0, sizeof allowed, &allowed) == 0) {
        for (int processor = 0; processor < CPU_SETSIZE; ++processor) {
            if (CPU_ISSET(static_cast<std::size_t>(processor), &allowed)) {
                processors.push_back(processor);
            }
        }
    }
    CpuPlan plan;
    if (processors.size() < 2) {
        plan.yields = true;
        plan.judge = plan.hosts = processors.empty() ? std::vector<int>{0} : processors;
        return plan;
    }
    plan.judge = {processors.front()};
    plan.hosts.assign(processors.begin() + 1, processors.end());
    if (processors.size() >= 4) {
        std::ifstream file(fmt::format("/sys/devices/system/cpu/cpu{}/topology/thread_siblings_list", plan.judge.front()));
        std::string text;
        std::getline(file, text);
        for (const int sibling : parseProcessorList(text)) {
            std::erase(plan.hosts, sibling);
        }
    }
    return plan;
}

void pinThread(const std::vector<int>& processors)
{
    cpu_set_t wanted;
    CPU_ZERO(&wanted);
    for (const int processor : processors) {
        CPU_SET(static_cast<std::size_t>(processor), &wanted);
    }
    // A refusal leaves the placement to the system: the figures get noisier, nothing breaks.
    static_cast<void>(::sched_setaffinity(0, sizeof wanted, &wanted));
}

}  // namespace tracedeck::judge
