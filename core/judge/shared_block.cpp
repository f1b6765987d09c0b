// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/shared_block.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include <fmt/format.h>

namespace tracedeck::judge {

namespace {

Error blockError(const char* call, std::size_t bytes)
{
    return Error{ErrorCode::Io, fmt::format("{} of {} bytes of shared memory failed: {}", call, bytes, std::strerror(errno)), {}, 0, {}};
}

std::byte* mapDescriptor(int descriptor, std::size_t bytes)
{
    void* address = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    return address == MAP_FAILED ? nullptr : static_cast<std::byte*>(address);
}

}  // namespace

SharedBlock::SharedBlock(FileDescriptor descriptor, std::byte* data, std::size_t bytes)
    : m_descriptor(std::move(descriptor)), m_data(data), m_bytes(bytes)
{
}

SharedBlock::SharedBlock(SharedBlock&& other) noexcept
    : m_descriptor(std::move(other.m_descriptor)), m_data(std::exchange(other.m_data, nullptr)), m_bytes(std::exchange(other.m_bytes, 0))
{
}

SharedBlock& SharedBlock::operator=(SharedBlock&& other) noexcept
{
    if (this != &other) {
        if (m_data != nullptr) {
            ::munmap(m_data, m_bytes);
        }
        m_descriptor = std::move(other.m_descriptor);
        m_data = std::exchange(other.m_data, nullptr);
        m_bytes = std::exchange(other.m_bytes, 0);
    }
    return *this;
}

SharedBlock::~SharedBlock()
{
    if (m_data != nullptr) {
        ::munmap(m_data, m_bytes);
    }
}

Result<SharedBlock> SharedBlock::create(const std::string& name, std::size_t bytes)
{
    const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    const std::size_t whole = (bytes + page - 1) / page * page;
    FileDescriptor descriptor(::memfd_create(name.c_str(), MFD_CLOEXEC | MFD_ALLOW_SEALING));
    if (!descriptor.isOpen() || ::ftruncate(descriptor.get(), static_cast<off_t>(whole)) != 0) {
        return blockError("allocation", bytes);
    }
    // Pages are taken now: running out of memory must be an error here, not a SIGBUS in the judge later.
    if (const int failed = ::posix_fallocate(descriptor.get(), 0, static_cast<off_t>(whole)); failed != 0) {
        errno = failed;
        return blockError("allocation", bytes);
    }
    if (::fcntl(descriptor.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0) {
        return blockError("sealing", bytes);
    }
    std::byte* data = mapDescriptor(descriptor.get(), whole);
    if (data == nullptr) {
        return blockError("mapping", bytes);
    }
    return SharedBlock(std::move(descriptor), data, whole);
}

Result<SharedBlock> SharedBlock::map(FileDescriptor descriptor, std::size_t bytes)
{
    struct stat status{};
    if (::fstat(descriptor.get(), &status) != 0 || status.st_size < 0 || static_cast<std::uint64_t>(status.st_size) < bytes || bytes == 0) {
        return Error{ErrorCode::InvalidInput, fmt::format("a shared block is smaller than the {} bytes announced", bytes), {}, 0, {}};
    }
    std::byte* data = mapDescriptor(descriptor.get(), bytes);
    if (data == nullptr) {
        return blockError("mapping", bytes);
    }
    return SharedBlock(std::move(descriptor), data, bytes);
}

}  // namespace tracedeck::judge
