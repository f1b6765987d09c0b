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

std::vector<int> siblingsOf(int processor)
{
    std::ifstream file(fmt::format("/sys/devices/system/cpu/cpu{}/topology/thread_siblings_list", processor));
    std::string text;
    std::getline(file, text);
    return parseProcessorList(text);
}

}  // namespace

CpuPlan CpuPlan::detect(std::size_t judge, std::size_t judges)
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
    return of(processors, siblingsOf, judge, judges);
}

CpuPlan CpuPlan::of(const std::vector<int>& processors, const Siblings& siblings, std::size_t judge, std::size_t judges)
{
    // Cores one after the other, so that a share ends between two of them.
    std::vector<std::vector<int>> cores;
    std::vector<int> left = processors;
    while (!left.empty()) {
        std::vector<int> core{left.front()};
        for (const int sibling : siblings(left.front())) {
            if (sibling != core.front() && std::ranges::find(left, sibling) != left.end()) {
                core.push_back(sibling);
            }
        }
        for (const int processor : core) {
            std::erase(left, processor);
        }
        cores.push_back(std::move(core));
    }
    const std::size_t count = std::max<std::size_t>(judges, 1);
    const std::size_t index = std::min(judge, count - 1);
    std::vector<int> own;
    for (std::size_t i = cores.size() * index / count; i < cores.size() * (index + 1) / count; ++i) {
        own.insert(own.end(), cores[i].begin(), cores[i].end());
    }
    CpuPlan plan;
    if (own.size() < 2) {
        // Too few to keep one for each judge.
        plan.yields = true;
        plan.hosts = processors.empty() ? std::vector<int>{0} : processors;
        plan.judge = {plan.hosts[index % plan.hosts.size()]};
        return plan;
    }
    plan.judge = {own.front()};
    plan.hosts.assign(own.begin() + 1, own.end());
    if (own.size() >= 4) {
        for (const int sibling : siblings(plan.judge.front())) {
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
