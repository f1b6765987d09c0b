// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "core/io/file_descriptor.h"
#include "core/model/result.h"

namespace tracedeck {

/// An Error for what the operating system just refused (errno): "<what>: <the system's reason>".
[[nodiscard]] Error systemError(const std::filesystem::path& path, const std::string& what);
[[nodiscard]] Error systemError(const std::filesystem::path& path, const std::string& what, int code);

struct OpenedFile {
    FileDescriptor descriptor;
    std::uint64_t size = 0;
};
/// Opens a regular file (or a link to one) for reading; never blocks on a pipe or device that has a file's name.
[[nodiscard]] Result<OpenedFile> openForReading(const std::filesystem::path& path);

/// Reads up to `count` bytes at `offset`; fewer only at the end of the file.
[[nodiscard]] Result<std::size_t> readAt(const FileDescriptor& file, const std::filesystem::path& path, char* destination,
                                         std::size_t count, std::uint64_t offset);

/// The whole content. Error when there are more than `maximumBytes`.
[[nodiscard]] Result<std::string> readWholeFile(const std::filesystem::path& path, std::uint64_t maximumBytes);

}  // namespace tracedeck
