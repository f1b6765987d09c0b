// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/gpu_library.h"

#include <dlfcn.h>

#include <fmt/format.h>

namespace tracedeck::judge {

namespace {

Error gpuError(ErrorCode code, std::string reason)
{
    return Error{code, std::move(reason), {}, 0, {}};
}

}  // namespace

Result<GpuLibrary> GpuLibrary::open(const std::filesystem::path& library, void* page, std::size_t pageBytes, const std::string& cupti,
                                    std::size_t evictBytes)
{
    void* handle = ::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) {
        const char* reason = ::dlerror();
        return gpuError(ErrorCode::Unsupported, fmt::format("the GPU side of a host can't be loaded: {}", reason != nullptr ? reason : "unknown reason"));
    }
    GpuLibrary gpu;
    bool isComplete = true;
    const auto resolve = [&](auto& function, const char* name) {
        // dlsym gives a data pointer; POSIX says that it holds a function.
        function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(::dlsym(handle, name));
        isComplete = isComplete && function != nullptr;
    };
    resolve(gpu.m_open, "tracedeck_cuda_open");
    resolve(gpu.m_error, "tracedeck_cuda_error");
    resolve(gpu.m_method, "tracedeck_cuda_method");
    resolve(gpu.m_note, "tracedeck_cuda_note");
    resolve(gpu.m_stream, "tracedeck_cuda_stream");
    resolve(gpu.m_evicts, "tracedeck_cuda_evicts");
    resolve(gpu.m_map, "tracedeck_cuda_map");
    resolve(gpu.m_unmapAll, "tracedeck_cuda_unmap_all");
    resolve(gpu.m_copy, "tracedeck_cuda_copy");
    resolve(gpu.m_read, "tracedeck_cuda_read");
    resolve(gpu.m_write, "tracedeck_cuda_write");
    resolve(gpu.m_allocate, "tracedeck_cuda_allocate");
    resolve(gpu.m_free, "tracedeck_cuda_free");
    resolve(gpu.m_begin, "tracedeck_cuda_begin");
    resolve(gpu.m_next, "tracedeck_cuda_next");
    resolve(gpu.m_returned, "tracedeck_cuda_returned");
    resolve(gpu.m_done, "tracedeck_cuda_done");
    resolve(gpu.m_failed, "tracedeck_cuda_failed");
    resolve(gpu.m_end, "tracedeck_cuda_end");
    resolve(gpu.m_synchronise, "tracedeck_cuda_synchronise");
    if (!isComplete) {
        return gpuError(ErrorCode::Unsupported, fmt::format("{} is of another version", library.string()));
    }
    if (auto opened = gpu.checked(gpu.m_open(page, pageBytes, cupti.c_str(), evictBytes)); !opened) {
        return gpuError(ErrorCode::Unsupported, opened.error().reason);
    }
    return gpu;
}

Result<void> GpuLibrary::checked(int failure) const
{
    return failure == 0 ? Result<void>() : Result<void>(gpuError(ErrorCode::ProcessFailed, m_error()));
}

Result<void*> GpuLibrary::map(int descriptor, std::size_t blockBytes) const
{
    void* address = nullptr;
    auto mapped = checked(m_map(descriptor, blockBytes, &address));
    return mapped ? Result<void*>(address) : Result<void*>(mapped.error());
}

Result<std::uint32_t> GpuLibrary::next() const
{
    std::uint32_t slot = 0;
    auto ready = checked(m_next(&slot));
    return ready ? Result<std::uint32_t>(slot) : Result<std::uint32_t>(ready.error());
}

Result<std::vector<TracedeckCallTimes>> GpuLibrary::end(int calls) const
{
    std::vector<TracedeckCallTimes> times(static_cast<std::size_t>(calls));
    const int count = m_end(times.data(), calls);
    if (count < 0) {
        return gpuError(ErrorCode::ProcessFailed, m_error());
    }
    times.resize(static_cast<std::size_t>(count));
    return times;
}

Result<void*> GpuLibrary::allocate(std::size_t bytes) const
{
    void* address = nullptr;
    auto allocated = checked(m_allocate(bytes, &address));
    return allocated ? Result<void*>(address) : Result<void*>(allocated.error());
}

}  // namespace tracedeck::judge
