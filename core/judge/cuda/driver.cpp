// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/cuda/driver.h"

#include <dlfcn.h>

#include <cstdint>
#include <utility>

#include <fmt/format.h>

namespace tracedeck::judge::cuda {

namespace {

Error noDriver(std::string reason)
{
    return Error{ErrorCode::Unsupported, std::move(reason), {}, 0, {}};
}

Result<const Driver*> openOnce()
{
    static Driver driver;
    // Never closed: the CUDA runtime holds it, too.
    void* library = ::dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
        const char* reason = ::dlerror();
        return noDriver(fmt::format("no NVIDIA driver found: {}", reason != nullptr ? reason : "libcuda.so.1 can't be loaded"));
    }
    std::string missing;
    const auto resolve = [&](auto& function, const char* symbol) {
        function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(::dlsym(library, symbol));
        if (function == nullptr && missing.empty()) {
            missing = symbol;
        }
    };
#define X(name, symbol) resolve(driver.name, symbol);
    TRACEDECK_JUDGE_DRIVER_FUNCTIONS(X)
#undef X
    if (!missing.empty()) {
        return noDriver(fmt::format("the NVIDIA driver is too old: it has no {}", missing));
    }
    if (const CUresult code = driver.cuInit(0); code != CUDA_SUCCESS) {
        return noDriver(fmt::format("the NVIDIA driver can't be used: {}", driver.describe(code)));
    }
    return &driver;
}

}  // namespace

std::string Driver::describe(CUresult code) const
{
    const char* name = nullptr;
    const char* text = nullptr;
    if (cuGetErrorName(code, &name) != CUDA_SUCCESS || cuGetErrorString(code, &text) != CUDA_SUCCESS) {
        return fmt::format("error {}", static_cast<int>(code));
    }
    return fmt::format("{} ({})", text, name);
}

Result<const Driver*> openDriver()
{
    static const Result<const Driver*> opened = openOnce();
    return opened;
}

CUmemAllocationProp sharedMemoryProperties(int device)
{
    CUmemAllocationProp properties{};
    properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
    properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    properties.location.id = device;
    return properties;
}

MappedMemory::MappedMemory(MappedMemory&& other) noexcept
    : m_driver(std::exchange(other.m_driver, nullptr)),
      m_handle(std::exchange(other.m_handle, 0)),
      m_hasHandle(std::exchange(other.m_hasHandle, false)),
      m_address(std::exchange(other.m_address, 0)),
      m_reserved(std::exchange(other.m_reserved, 0)),
      m_bytes(std::exchange(other.m_bytes, 0))
{
}

MappedMemory& MappedMemory::operator=(MappedMemory&& other) noexcept
{
    if (this != &other) {
        release();
        m_driver = std::exchange(other.m_driver, nullptr);
        m_handle = std::exchange(other.m_handle, 0);
        m_hasHandle = std::exchange(other.m_hasHandle, false);
        m_address = std::exchange(other.m_address, 0);
        m_reserved = std::exchange(other.m_reserved, 0);
        m_bytes = std::exchange(other.m_bytes, 0);
    }
    return *this;
}

CUresult MappedMemory::create(const Driver& driver, int device, std::size_t bytes, MappedMemory& memory)
{
    MappedMemory made;
    made.m_driver = &driver;
    const CUmemAllocationProp properties = sharedMemoryProperties(device);
    CUresult code = driver.cuMemCreate(&made.m_handle, bytes, &properties, 0);
    if (code == CUDA_SUCCESS) {
        made.m_hasHandle = true;
        code = made.map(device, bytes);
    }
    if (code == CUDA_SUCCESS) {
        memory = std::move(made);
    }
    return code;
}

CUresult MappedMemory::import(const Driver& driver, int device, int descriptor, std::size_t bytes, MappedMemory& memory)
{
    MappedMemory made;
    made.m_driver = &driver;
    // The driver takes the descriptor in place of a pointer.
    CUresult code = driver.cuMemImportFromShareableHandle(&made.m_handle, reinterpret_cast<void*>(static_cast<std::intptr_t>(descriptor)),
                                                          CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR);
    if (code != CUDA_SUCCESS) {
        return code;
    }
    made.m_hasHandle = true;
    CUmemAllocationProp properties{};
    code = driver.cuMemGetAllocationPropertiesFromHandle(&properties, made.m_handle);
    if (code != CUDA_SUCCESS) {
        return code;
    }
    if (properties.type != CU_MEM_ALLOCATION_TYPE_PINNED || properties.location.type != CU_MEM_LOCATION_TYPE_DEVICE ||
        properties.location.id != device) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    // A mapping beyond the end of the memory is refused: this is the check of its size.
    code = made.map(device, bytes);
    if (code == CUDA_SUCCESS) {
        memory = std::move(made);
    }
    return code;
}

CUresult MappedMemory::map(int device, std::size_t bytes)
{
    CUresult code = m_driver->cuMemAddressReserve(&m_address, bytes, 0, 0, 0);
    if (code != CUDA_SUCCESS) {
        return code;
    }
    m_reserved = bytes;
    code = m_driver->cuMemMap(m_address, bytes, 0, m_handle, 0);
    if (code != CUDA_SUCCESS) {
        return code;
    }
    m_bytes = bytes;
    CUmemAccessDesc access{};
    access.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    access.location.id = device;
    access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    return m_driver->cuMemSetAccess(m_address, bytes, &access, 1);
}

CUresult MappedMemory::exportDescriptor(int& descriptor) const
{
    return m_driver->cuMemExportToShareableHandle(&descriptor, m_handle, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0);
}

void MappedMemory::release()
{
    // Failures here mean that the context is gone, and the memory with it.
    if (m_bytes != 0) {
        m_driver->cuMemUnmap(m_address, m_bytes);
    }
    if (m_reserved != 0) {
        m_driver->cuMemAddressFree(m_address, m_reserved);
    }
    if (m_hasHandle) {
        m_driver->cuMemRelease(m_handle);
    }
    m_bytes = 0;
    m_reserved = 0;
    m_hasHandle = false;
}

}  // namespace tracedeck::judge::cuda
