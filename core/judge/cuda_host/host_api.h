// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>

/// What a host process needs of a GPU, as a C interface: the native host and the Python guest (through ctypes) load the
/// same library, so that both are timed by the same code. It lives in the solution's process: nothing that it says is
/// believed without the judge's own clock.
///
/// Functions return 0 or, on failure, another value, and then tracedeck_cuda_error() says why. Used from one thread.
extern "C" {

/// What CUPTI (or a pair of events) saw of one call. Times in nanoseconds.
struct TracedeckCallTimes {
    double span;                ///< start of the first GPU activity to the end of the last one, gaps included
    double sum;                 ///< lengths of all activities added up; 0 where events were used
    std::uint32_t activities;   ///< kernels, copies and fills; 0: the GPU did nothing
    std::uint32_t queued;       ///< 1: the call waited behind a blocked stream
};

/// Opens the driver, device 0 as the process sees it, its primary context, and CUPTI (`cupti`: paths to try, one a line).
/// `page` is the shared page of core/judge/page.h; `evictBytes`: how much to write to push everything out of the L2 cache, 0 where
/// no calls of batches will come.
int tracedeck_cuda_open(void* page, std::size_t pageBytes, const char* cupti, std::size_t evictBytes);
/// 1 when there is memory to evict the cache with, so that calls of batches can be made.
int tracedeck_cuda_evicts();
/// `cupti` or `cuda_event`.
const char* tracedeck_cuda_method();
/// Why CUPTI is not used, or an empty text.
const char* tracedeck_cuda_note();
const char* tracedeck_cuda_error();
/// The stream that calls are to be made on (CUstream).
void* tracedeck_cuda_stream();

/// Maps a block that the judge exported. The address range before and behind it stays unmapped: far strays fault.
int tracedeck_cuda_map(int descriptor, std::size_t blockBytes, void** address);
/// Unmaps everything that tracedeck_cuda_map() mapped.
int tracedeck_cuda_unmap_all();
/// A new block with a copy of `bytes` bytes from `source`, as a descriptor that the caller closes.
int tracedeck_cuda_export(const void* source, std::size_t bytes, int* descriptor);
/// Copies between device addresses in stream order.
int tracedeck_cuda_copy(void* target, const void* source, std::size_t bytes);
/// Copies to or from the process's memory; waits.
int tracedeck_cuda_read(void* target, const void* source, std::size_t bytes);
int tracedeck_cuda_write(void* target, const void* source, std::size_t bytes);
/// Memory for tensors that a solution asks its host for, in stream order.
int tracedeck_cuda_allocate(std::size_t bytes, void** address);
int tracedeck_cuda_free(void* address);

/// Begins a series of calls.
int tracedeck_cuda_begin(int calls);
/// Waits for the judge's next call and gets everything ready; what the caller launches next is the call, on the buffers of `slot`.
int tracedeck_cuda_next(std::uint32_t* slot);
/// The call has returned; results may be copied into the output buffers now, outside the measured span.
int tracedeck_cuda_returned(int hasCopies);
/// The call and its copies are enqueued: waits for all work, then says `done`, or `failed` when `fits` is 0.
int tracedeck_cuda_done(int fits);
/// The call raised, and the judge was told why.
void tracedeck_cuda_failed();
/// Ends a series: times of the calls made since tracedeck_cuda_begin(), at most `capacity`. Returns their number, or -1.
int tracedeck_cuda_end(TracedeckCallTimes* times, int capacity);
/// Waits for all work of the context. Non-zero: the context is broken (an illegal address, for example).
int tracedeck_cuda_synchronise();

// For a call outside of any evaluation (core/guest/tracedeck_solo.py); nothing above is used then.
/// Lets CUPTI record everything that the process does on a GPU; before the context is made. 0, or tracedeck_cuda_timeline_error() says why not.
int tracedeck_cuda_timeline_open(const char* cupti);
const char* tracedeck_cuda_timeline_error();
/// What was recorded since the last time, as a JSON array that ends with a 0; all work must have ended. Returns the bytes that it takes: when these are more than
/// `capacity`, nothing was written, and the next call with more room gets it.
long long tracedeck_cuda_timeline_take(char* text, std::size_t capacity);
}
