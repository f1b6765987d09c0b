// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace tracedeck::judge {

/// The page of words that judge and host share while calls are timed (trusted judging §3.3). Values are random for every
/// call, so nothing can be said ahead. The Python guest reads and writes the same offsets.
///
/// One call on the CPU: the judge writes inputs and poison, then `call` = r (random, not 0). The host, which waits for a
/// new `call`, gets ready and answers `enqueued` = r. The judge evicts the caches, takes t0, writes `go` = r. The host
/// calls the solution, writes `returned` = r, copies returned tensors into the output buffers, writes `done` = r. The judge
/// takes t1 on seeing it. `failed` = r instead of `done`: the call raised, or its results do not fit the output buffers; a
/// frame that says which was sent before. A `run` begins with `call` = `go` = 0.
///
/// On a GPU a switch-in follows `enqueued`: the judge's preparation leaves the GPU in the judge's context, and switching to
/// the host's costs some 150 µs that must not fall into the window. The judge writes `arm` = r; the host runs an empty
/// kernel and answers `switchedIn` = r; then comes `go`. `mode` has kQueuedCall: the host enqueues all of this and the call on
/// its stream, blocked until `arm` and `go`, before it answers `enqueued`, and the GPU itself writes `switchedIn` and `done`.
///
/// Switching twice a call costs more than most calls. The calls of a batch (`mode` has kHostEvicts) are prepared together, each in
/// a slot of its own (`slot`: which of a tensor's places this call works on), and the judge's context stays off the GPU until the
/// last one is done: the host itself evicts the caches before `enqueued`, there is no `arm`, and words of this call's inputs that held
/// decoys so far get their true values while it does; those of the call before get their decoys back. What a host could gain by that shows against the single calls of the same
/// series (timing.h).
struct Page {
    alignas(64) std::atomic<std::uint32_t> call;         // offset 0
    alignas(64) std::atomic<std::uint32_t> enqueued;     // offset 64
    alignas(64) std::atomic<std::uint32_t> go;           // offset 128
    alignas(64) std::atomic<std::uint32_t> returned;     // offset 192
    alignas(64) std::atomic<std::uint32_t> done;         // offset 256
    alignas(64) std::atomic<std::uint32_t> failed;       // offset 320
    alignas(64) std::atomic<std::uint32_t> mode;         // offset 384
    alignas(64) std::atomic<std::uint32_t> arm;          // offset 448
    alignas(64) std::atomic<std::uint32_t> switchedIn;   // offset 512
    alignas(64) std::atomic<std::uint32_t> slot;         // offset 576
};
inline constexpr std::uint32_t kQueuedCall = 1;   // bits of `mode`
inline constexpr std::uint32_t kHostEvicts = 2;
inline constexpr std::size_t kPageBytes = 4096;
static_assert(sizeof(Page) <= kPageBytes);
static_assert(std::atomic<std::uint32_t>::is_always_lock_free);

}  // namespace tracedeck::judge
