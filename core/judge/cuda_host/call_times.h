// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "core/judge/cuda_host/activity_recorder.h"
#include "core/judge/cuda_host/host_api.h"

namespace tracedeck::cudahost {

/// When one call happened, on the clock of the records.
struct CallWindow {
    std::uint64_t returned = 0;   ///< after all work of the call had ended and before its results were copied; 0: not known
    std::uint64_t finished = 0;   ///< after everything had ended
    bool queued = false;
    bool hasCopies = false;       ///< results were copied behind the call
};

/// Assigns activities (sorted by start) to calls: everything that began before a call's end and after the end of the one
/// before. This library's own kernels are left out, and so are the copies of results: in a live call what began after `returned`;
/// in a queued one, where nobody can tell when the call ended, as many of the last ones as the live calls had.
std::vector<TracedeckCallTimes> timesOfCalls(const std::vector<CallWindow>& calls, const std::vector<Activity>& activities);

}  // namespace tracedeck::cudahost
