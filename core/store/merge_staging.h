// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "core/model/result.h"

namespace tracedeck {

/// A folder under construction beside its target. Deleted unless committed.
class StagingFolder {
public:
    /// Error Usage: the target exists and is not an empty folder.
    static Result<StagingFolder> create(const std::filesystem::path& target);
    ~StagingFolder();
    StagingFolder(StagingFolder&& other) noexcept;
    StagingFolder& operator=(StagingFolder&&) = delete;
    StagingFolder(const StagingFolder&) = delete;
    StagingFolder& operator=(const StagingFolder&) = delete;

    [[nodiscard]] const std::filesystem::path& root() const { return m_root; }
    /// Writes a new file; folders are made as needed. Paths are relative to the folder. Error: it exists.
    Result<void> write(const std::string& path, std::string_view content);
    /// Appends a line to a file. Lines of many files are gathered and written together.
    Result<void> appendLine(const std::string& path, std::string_view line);
    /// Copies a file byte for byte.
    Result<void> copy(const std::filesystem::path& source, const std::string& path);
    /// Leaves the first of identical lines in a file that was written with appendLine(). Returns how many were taken
    /// out. `lines`: how many it has.
    Result<std::size_t> removeRepeatedLines(const std::string& path, std::uint64_t lines);
    /// Writes out what is gathered.
    Result<void> flush();
    /// Forces everything to disk and gives the folder its name.
    Result<void> commit();

private:
    StagingFolder(std::filesystem::path target, std::filesystem::path root)
        : m_target(std::move(target)), m_root(std::move(root))
    {
    }
    std::filesystem::path m_target;
    std::filesystem::path m_root;                   ///< empty when there is nothing to delete
    std::map<std::string, std::string> m_pending;   ///< by file: text to append
    std::size_t m_pendingBytes = 0;
};

/// Whether two files hold the same bytes.
[[nodiscard]] Result<bool> haveSameBytes(const std::filesystem::path& a, const std::filesystem::path& b);

}  // namespace tracedeck
