// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

#include "core/io/file_descriptor.h"
#include "core/model/result.h"

namespace tracedeck {

/// Read-only view of the bytes of a file. Like every mapping it must not be touched beyond a new end when another program
/// shortens the file; readers that cannot rule this out read with readAt() instead.
class MappedFile {
public:
    MappedFile() = default;
    /// Maps the first `size` bytes of the open file; an empty file gives an empty view.
    static Result<MappedFile> map(const FileDescriptor& file, const std::filesystem::path& path, std::size_t size);
    ~MappedFile();
    MappedFile(MappedFile&& other) noexcept;
    MappedFile& operator=(MappedFile&& other) noexcept;
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;

    [[nodiscard]] std::span<const std::byte> bytes() const { return {m_data, m_size}; }

private:
    void unmap();
    const std::byte* m_data = nullptr;
    std::size_t m_size = 0;
};

}  // namespace tracedeck
