// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/judge/host_process.h"

namespace tracedeck::judge {

/// What a host says about one result: to be checked, never believed.
struct ClaimedTensor {
    std::string dtype;
    std::vector<std::int64_t> shape;
    std::uint64_t elements = 0;
};
/// A `result` message: what came, and (from a reference) memory files with the contents.
struct ClaimedResult {
    std::vector<ClaimedTensor> outputs;
    std::vector<FileDescriptor> blocks;
};
/// Checks every field. Error InvalidInput.
[[nodiscard]] Result<ClaimedResult> readClaim(Frame frame);

/// What a host on a GPU says about one call's time, nanoseconds: a claim, bounded by what the judge's own clock saw.
struct ClaimedTimes {
    double span = 0;         ///< first GPU activity's start to the last one's end
    double sum = 0;          ///< lengths of the activities added up; 0 where events were used
    std::uint32_t activities = 0;
};
/// The `times` of a `ran` message: one entry a call of the series. Error InvalidInput.
[[nodiscard]] Result<std::vector<ClaimedTimes>> readTimes(const Json& body, std::size_t calls);

/// A failure for want of the GPU's memory, in the words of the driver or of PyTorch.
[[nodiscard]] bool tellsOfLackingMemory(const std::string& message);

/// Whether the host of a `ready` message can make calls of batches.
[[nodiscard]] bool evictsCaches(const Json& ready);

/// How a call is made on a GPU (page.h).
enum class CallMode {
    Live,     ///< launched after `go`: what a caller feels, launch gaps included
    Queued    ///< enqueued behind a blocked stream: the device's own time
};

struct CallKind {
    CallMode mode = CallMode::Live;
    bool isBatched = false;    ///< prepared together with others; the host evicts the caches
    std::uint32_t slot = 0;    ///< which of each tensor's places it works on
};

/// How one call went.
struct CallOutcome {
    double nanoseconds = 0;                   ///< from `go` to `done` on this process's monotonic clock
    bool hostSynchronises = false;            ///< a queued call that waited inside: it was let go before it was enqueued
    std::optional<ClaimedResult> mismatch;    ///< a value-returning call gave something that the output buffers don't fit
};

/// The judge's side of the shared page (page.h): one call after another in a host that was told to `run`.
class CallLoop {
public:
    /// `isGpu`: the host has its buffers on a GPU and needs the switch-in step.
    CallLoop(HostProcess& host, bool yields, bool isGpu) : m_host(host), m_yields(yields), m_isGpu(isGpu) {}

    /// Tells the host to make `calls` calls. `sendResults`: each result comes as a message (references only).
    std::optional<HostFailure> begin(int calls, bool sendResults, Deadline deadline);
    /// One call. `beforeGo` runs when the host is ready and waits for `go` (cache eviction); for a call of a batch already while the
    /// host evicts the caches. `afterDone` runs right when the host says `done`, its time having been taken.
    HostResult<CallOutcome> call(Deadline deadline, const std::function<void()>& beforeGo, CallKind kind = {}, const std::function<void()>& afterDone = {});
    /// Waits for the host to say that it made all calls: its claims, one a call, empty without a GPU.
    HostResult<std::vector<ClaimedTimes>> finish(Deadline deadline);

private:
    enum class Seen { Wanted, Other, Neither };
    /// Until `enqueued`; on a GPU a queued call that waits inside itself gets there only after `go`.
    HostResult<Seen> awaitEnqueued(std::uint32_t value, CallMode mode, Deadline deadline);
    /// Spins until `word` (or `other`) holds the value of this call.
    HostResult<Seen> await(const std::atomic<std::uint32_t>& word, const std::atomic<std::uint32_t>* other, std::uint32_t value, Deadline deadline);

    HostProcess& m_host;
    bool m_yields;
    bool m_isGpu;
    std::uint32_t m_last = 0;
    std::size_t m_made = 0;
};

}  // namespace tracedeck::judge
