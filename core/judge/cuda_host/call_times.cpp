// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/cuda_host/call_times.h"

#include <algorithm>

namespace tracedeck::cudahost {

std::vector<TracedeckCallTimes> timesOfCalls(const std::vector<CallWindow>& calls, const std::vector<Activity>& activities)
{
    std::vector<TracedeckCallTimes> times;
    times.reserve(calls.size());
    std::size_t copiesOfLiveCall = 0;
    auto next = activities.begin();
    for (const CallWindow& call : calls) {
        std::vector<Activity> own;
        std::size_t copies = 0;
        for (; next != activities.end() && next->start <= call.finished; ++next) {
            if (next->isOurs) {
                continue;
            }
            if (call.hasCopies && !call.queued && next->start > call.returned) {
                ++copies;
                continue;
            }
            own.push_back(*next);
        }
        if (call.hasCopies && call.queued) {
            own.resize(own.size() - std::min(own.size(), copiesOfLiveCall));
        } else if (call.hasCopies) {
            copiesOfLiveCall = copies;
        }
        TracedeckCallTimes entry{0, 0, static_cast<std::uint32_t>(own.size()), call.queued ? 1U : 0U};
        std::uint64_t lastEnd = 0;
        for (const Activity& activity : own) {
            lastEnd = std::max(lastEnd, activity.end);
            entry.sum += static_cast<double>(activity.end - activity.start);
        }
        if (!own.empty()) {
            entry.span = static_cast<double>(lastEnd - own.front().start);
        }
        times.push_back(entry);
    }
    return times;
}

}  // namespace tracedeck::cudahost
