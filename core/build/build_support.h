// SPDX-License-Identifier: GPL-3.0-or-later
// Inside of core/build: what a build needs besides compilers.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/build/native_builder.h"

namespace tracedeck::building {

/// Carries a BuildFailure up to buildNative().
struct Failure {
    BuildFailure failure;
};

[[noreturn]] void fail(ErrorCode code, std::string log);

[[nodiscard]] std::string sha256Hex(std::string_view bytes);
[[nodiscard]] std::vector<std::string> splitWords(const std::string& text);
/// Value of an environment variable, empty when it is not set.
[[nodiscard]] std::string variable(const char* name);

/// `chosen`, else TRACEDECK_CACHE_PATH, else the user's cache folder.
[[nodiscard]] std::filesystem::path cacheRoot(const std::filesystem::path& chosen);

/// A fresh private folder that is removed again.
class PrivateFolder {
public:
    explicit PrivateFolder(const std::filesystem::path& parent);
    ~PrivateFolder();
    PrivateFolder(const PrivateFolder&) = delete;
    PrivateFolder& operator=(const PrivateFolder&) = delete;
    [[nodiscard]] const std::filesystem::path& path() const { return m_path; }

private:
    std::filesystem::path m_path;
};

/// Folders of builds that a kill interrupted. A day is longer than any build may take.
void removeAbandonedFolders(const std::filesystem::path& store);

/// Writes a source below `folder`. Fails when its path would leave it, or when it can't be written.
void writeSource(const std::filesystem::path& folder, const SourceFile& source);

}  // namespace tracedeck::building
