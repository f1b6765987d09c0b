// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>

#include "core/io/file_descriptor.h"
#include "core/model/result.h"

namespace tracedeck {

/// A private folder that is deleted with everything in it.
class ScratchFolder {
public:
    /// Below `parent` (which exists); the name begins with `prefix`. Error Io.
    static Result<ScratchFolder> create(const std::filesystem::path& parent, const std::string& prefix);
    ~ScratchFolder();
    ScratchFolder(ScratchFolder&& other) noexcept;
    ScratchFolder& operator=(ScratchFolder&& other) noexcept;

    [[nodiscard]] const std::filesystem::path& path() const { return m_path; }
    /// Shows others that this process lives, until it ends; removeFoldersOfDeadJudges() leaves the folder alone then.
    void claim();

private:
    explicit ScratchFolder(std::filesystem::path path) : m_path(std::move(path)) {}
    std::filesystem::path m_path;
    FileDescriptor m_claim;   ///< the folder, locked
};

/// Deletes the scratch folders that judges of this user left in the system's temporary folder when they were killed, and kills the
/// processes that they left (found by their home, which lies in such a folder).
void removeFoldersOfDeadJudges();

/// The folder of this judge in the system's temporary folder. Folders of judges that were killed are deleted first.
Result<ScratchFolder> makeJudgeFolder();

}  // namespace tracedeck
