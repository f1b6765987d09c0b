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

/// How one call went.
struct CallOutcome {
    double nanoseconds = 0;                   ///< from `go` to `done` on this process's monotonic clock
    std::optional<ClaimedResult> mismatch;    ///< a value-returning call gave something that the output buffers don't fit
};

/// The judge's side of the shared page (page.h): one call after another in a host that was told to `run`.
class CallLoop {
public:
    CallLoop(HostProcess& host, bool yields) : m_host(host), m_yields(yields) {}

    /// Tells the host to make `calls` calls. `sendResults`: each result comes as a message (references only).
    std::optional<HostFailure> begin(int calls, bool sendResults, Deadline deadline);
    /// One call. `beforeGo` runs when the host is ready and waits for `go` (cache eviction).
    HostResult<CallOutcome> call(Deadline deadline, const std::function<void()>& beforeGo);
    /// Waits for the host to say that it made all calls.
    std::optional<HostFailure> finish(Deadline deadline);

private:
    enum class Seen { Wanted, Other };
    /// Spins until `word` (or `other`) holds the value of this call.
    HostResult<Seen> await(const std::atomic<std::uint32_t>& word, const std::atomic<std::uint32_t>* other, std::uint32_t value, Deadline deadline);

    HostProcess& m_host;
    bool m_yields;
    std::uint32_t m_last = 0;
};

}  // namespace tracedeck::judge
