// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/mapped_file.h"

#include <sys/mman.h>

#include <utility>

#include "core/io/read_file.h"

namespace tracedeck {

Result<MappedFile> MappedFile::map(const FileDescriptor& file, const std::filesystem::path& path, std::size_t size)
{
    MappedFile mapped;
    if (size == 0) return mapped;
    void* data = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.get(), 0);
    if (data == MAP_FAILED) return systemError(path, "the file cannot be mapped into memory");
    mapped.m_data = static_cast<const std::byte*>(data);
    mapped.m_size = size;
    return mapped;
}

MappedFile::~MappedFile()
{
    unmap();
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : m_data(std::exchange(other.m_data, nullptr)), m_size(std::exchange(other.m_size, 0))
{
}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept
{
    if (this != &other) {
        unmap();
        m_data = std::exchange(other.m_data, nullptr);
        m_size = std::exchange(other.m_size, 0);
    }
    return *this;
}

void MappedFile::unmap()
{
    if (m_data != nullptr) ::munmap(const_cast<std::byte*>(m_data), m_size);
    m_data = nullptr;
    m_size = 0;
}

}  // namespace tracedeck
