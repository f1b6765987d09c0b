// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace tracedeck::judge {

/// The page of words that judge and host share while calls are timed (trusted judging §3.3). Values are random for every
/// call, so nothing can be said ahead. The Python guest reads and writes the same offsets.
///
/// One call: the judge writes inputs and poison, then `call` = r (random, not 0). The host, which waits for a new `call`,
/// gets ready and answers `enqueued` = r. The judge evicts the caches, takes t0, writes `go` = r. The host calls the
/// solution, writes `returned` = r, copies returned tensors into the output buffers, writes `done` = r. The judge takes
/// t1 on seeing it. `failed` = r instead of `done`: the call raised, or its results do not fit the output buffers; a frame
/// that says which was sent before. A `run` begins with `call` = `go` = 0.
struct Page {
    alignas(64) std::atomic<std::uint32_t> call;       // offset 0
    alignas(64) std::atomic<std::uint32_t> enqueued;   // offset 64
    alignas(64) std::atomic<std::uint32_t> go;         // offset 128
    alignas(64) std::atomic<std::uint32_t> returned;   // offset 192
    alignas(64) std::atomic<std::uint32_t> done;       // offset 256
    alignas(64) std::atomic<std::uint32_t> failed;     // offset 320
};
inline constexpr std::size_t kPageBytes = 4096;
static_assert(sizeof(Page) <= kPageBytes);
static_assert(std::atomic<std::uint32_t>::is_always_lock_free);

}  // namespace tracedeck::judge
