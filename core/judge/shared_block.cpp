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

std::size_t pageBytes()
{
    static const auto bytes = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    return bytes;
}

std::size_t wholePages(std::size_t bytes)
{
    return (bytes + pageBytes() - 1) / pageBytes() * pageBytes();
}

/// Maps the descriptor in the middle of a reservation that nothing may touch. Null when there is no room.
std::byte* mapGuarded(int descriptor, std::size_t bytes)
{
    const std::size_t reserved = wholePages(bytes) + 2 * kGuardBytes;
    void* reservation = ::mmap(nullptr, reserved, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (reservation == MAP_FAILED) {
        return nullptr;
    }
    void* place = static_cast<std::byte*>(reservation) + kGuardBytes;
    void* address = ::mmap(place, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, descriptor, 0);
    if (address == MAP_FAILED) {
        const int failed = errno;
        ::munmap(reservation, reserved);
        errno = failed;
        return nullptr;
    }
    return static_cast<std::byte*>(address);
}

void unmapGuarded(std::byte* data, std::size_t bytes)
{
    if (data != nullptr) {
        ::munmap(data - kGuardBytes, wholePages(bytes) + 2 * kGuardBytes);
    }
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
        unmapGuarded(m_data, m_bytes);
        m_descriptor = std::move(other.m_descriptor);
        m_data = std::exchange(other.m_data, nullptr);
        m_bytes = std::exchange(other.m_bytes, 0);
    }
    return *this;
}

SharedBlock::~SharedBlock()
{
    unmapGuarded(m_data, m_bytes);
}

Result<SharedBlock> SharedBlock::create(const std::string& name, std::size_t bytes)
{
    const std::size_t whole = wholePages(bytes);
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
    std::byte* data = mapGuarded(descriptor.get(), whole);
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
    std::byte* data = mapGuarded(descriptor.get(), bytes);
    if (data == nullptr) {
        return blockError("mapping", bytes);
    }
    return SharedBlock(std::move(descriptor), data, bytes);
}

}  // namespace tracedeck::judge
