// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace tracedeck {

/// What the file system says of a file: enough to see that it is the one that was read, as it was then.
struct FileStamp {
    std::uint64_t device = 0;
    std::uint64_t inode = 0;
    std::uint64_t size = 0;
    std::int64_t modifiedNs = 0;
    std::int64_t changedNs = 0;   ///< of the content or of the inode; programs cannot set it
    /// False: the last change was so recent that another one may have left the same times, as clocks of file systems are
    /// coarse. What was read then has to be read again before it can be trusted.
    bool isSettled = false;

    [[nodiscard]] bool isSameFileAs(const FileStamp& other) const { return device == other.device && inode == other.inode; }
    /// Whether a file with this stamp now has the content that it had when `earlier` was taken.
    [[nodiscard]] bool isUnchangedSince(const FileStamp& earlier) const;
};

/// Follows links. nullopt: there is no such file, or it cannot be examined.
[[nodiscard]] std::optional<FileStamp> stampOf(const std::filesystem::path& path);

/// Nanoseconds between the last change of a file and now; negative when the file's clock is ahead.
[[nodiscard]] std::int64_t ageNs(const FileStamp& stamp);

}  // namespace tracedeck
