// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/judge/cuda_host/host_api.h"
#include "core/model/result.h"

namespace tracedeck::judge {

/// The host side of a GPU (cuda_host/host_api.h), opened at run time. One per process, never closed.
class GpuLibrary {
public:
    /// Opens the library and the device. `cupti`: where to look for CUPTI, one path a line; `evictBytes`: see host_api.h. Error
    /// Unsupported.
    static Result<GpuLibrary> open(const std::filesystem::path& library, void* page, std::size_t pageBytes, const std::string& cupti,
                                   std::size_t evictBytes);

    /// Failures come with the driver's words.
    Result<void*> map(int descriptor, std::size_t blockBytes) const;
    Result<void> unmapAll() const { return checked(m_unmapAll()); }
    Result<void> begin(int calls) const { return checked(m_begin(calls)); }
    /// The slot that the call works on.
    Result<std::uint32_t> next() const;
    Result<void> returned(bool hasCopies) const { return checked(m_returned(hasCopies ? 1 : 0)); }
    Result<void> done(bool fits) const { return checked(m_done(fits ? 1 : 0)); }
    void failed() const { m_failed(); }
    Result<std::vector<TracedeckCallTimes>> end(int calls) const;
    Result<void> synchronise() const { return checked(m_synchronise()); }
    Result<void> copy(void* target, const void* source, std::size_t bytes) const { return checked(m_copy(target, source, bytes)); }
    Result<void> read(void* target, const void* source, std::size_t bytes) const { return checked(m_read(target, source, bytes)); }
    Result<void> write(void* target, const void* source, std::size_t bytes) const { return checked(m_write(target, source, bytes)); }
    Result<void*> allocate(std::size_t bytes) const;
    Result<void> free(void* address) const { return checked(m_free(address)); }
    [[nodiscard]] void* stream() const { return m_stream(); }
    /// True when calls of batches can be made.
    [[nodiscard]] bool evicts() const { return m_evicts() != 0; }
    /// `cupti` or `cuda_event`.
    [[nodiscard]] std::string method() const { return m_method(); }
    /// Why CUPTI is not used.
    [[nodiscard]] std::string note() const { return m_note(); }

private:
    GpuLibrary() = default;
    Result<void> checked(int failure) const;

    decltype(&::tracedeck_cuda_open) m_open = nullptr;
    decltype(&::tracedeck_cuda_error) m_error = nullptr;
    decltype(&::tracedeck_cuda_method) m_method = nullptr;
    decltype(&::tracedeck_cuda_note) m_note = nullptr;
    decltype(&::tracedeck_cuda_stream) m_stream = nullptr;
    decltype(&::tracedeck_cuda_evicts) m_evicts = nullptr;
    decltype(&::tracedeck_cuda_map) m_map = nullptr;
    decltype(&::tracedeck_cuda_unmap_all) m_unmapAll = nullptr;
    decltype(&::tracedeck_cuda_copy) m_copy = nullptr;
    decltype(&::tracedeck_cuda_read) m_read = nullptr;
    decltype(&::tracedeck_cuda_write) m_write = nullptr;
    decltype(&::tracedeck_cuda_allocate) m_allocate = nullptr;
    decltype(&::tracedeck_cuda_free) m_free = nullptr;
    decltype(&::tracedeck_cuda_begin) m_begin = nullptr;
    decltype(&::tracedeck_cuda_next) m_next = nullptr;
    decltype(&::tracedeck_cuda_returned) m_returned = nullptr;
    decltype(&::tracedeck_cuda_done) m_done = nullptr;
    decltype(&::tracedeck_cuda_failed) m_failed = nullptr;
    decltype(&::tracedeck_cuda_end) m_end = nullptr;
    decltype(&::tracedeck_cuda_synchronise) m_synchronise = nullptr;
};

}  // namespace tracedeck::judge
