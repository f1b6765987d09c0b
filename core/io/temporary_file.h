// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string_view>

#include "core/io/file_descriptor.h"
#include "core/model/result.h"

namespace tracedeck {

/// A file under construction beside its target: readers see the whole of it or nothing. Deleted unless committed.
class TemporaryFile {
public:
    static Result<TemporaryFile> create(const std::filesystem::path& target);
    ~TemporaryFile();
    TemporaryFile(TemporaryFile&& other) noexcept;
    TemporaryFile& operator=(TemporaryFile&&) = delete;
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;

    Result<void> write(std::string_view bytes);
    enum class Existing { Replace, Refuse };
    /// Forces the content to disk and gives the file its name. Error Conflict: the target exists and may not be replaced.
    Result<void> commit(Existing existing);

private:
    TemporaryFile(std::filesystem::path target, std::filesystem::path path, FileDescriptor file);
    std::filesystem::path m_target;
    std::filesystem::path m_path;   ///< empty when there is nothing to delete
    FileDescriptor m_file;
};

/// Writes everything, whatever the size of the pieces that the system takes.
Result<void> writeAll(const FileDescriptor& file, const std::filesystem::path& path, std::string_view bytes);
/// Forces the entries of a folder to disk.
Result<void> syncFolder(const std::filesystem::path& folder);

}  // namespace tracedeck
