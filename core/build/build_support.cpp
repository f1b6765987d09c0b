// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/build/build_support.h"

#include <openssl/evp.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <sstream>
#include <utility>

namespace tracedeck::building {

namespace fs = std::filesystem;

namespace {

/// Judged with both kinds of separator, since a dataset may come from another system.
bool isSafeSourcePath(const std::string& path)
{
    if (path.empty() || path.find('\0') != std::string::npos || path.front() == '/' || path.front() == '\\')
        return false;
    if (path.size() >= 2 && path[1] == ':') return false;
    std::size_t start = 0;
    while (start <= path.size()) {
        const std::size_t end = std::min(path.find_first_of("/\\", start), path.size());
        if (path.substr(start, end - start) == "..") return false;
        start = end + 1;
    }
    return true;
}

}  // namespace

void fail(ErrorCode code, std::string log)
{
    throw Failure{{code, std::move(log)}};
}

std::string sha256Hex(std::string_view bytes)
{
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned length = 0;
    if (EVP_Digest(bytes.data(), bytes.size(), digest.data(), &length, EVP_sha256(), nullptr) != 1) {
        fail(ErrorCode::Unsupported, "OpenSSL has no SHA-256 here: the build cache cannot be keyed");
    }
    std::string hex;
    for (unsigned index = 0; index < length; ++index) hex += fmt::format("{:02x}", digest[index]);
    return hex;
}

std::vector<std::string> splitWords(const std::string& text)
{
    std::istringstream in(text);
    return {std::istream_iterator<std::string>(in), std::istream_iterator<std::string>()};
}

std::string variable(const char* name)
{
    const char* value = std::getenv(name);
    return value != nullptr ? value : "";
}

fs::path cacheRoot(const fs::path& chosen)
{
    if (!chosen.empty()) return chosen;
    if (const char* path = std::getenv("TRACEDECK_CACHE_PATH"); path != nullptr && *path != '\0') return path;
    if (const char* path = std::getenv("XDG_CACHE_HOME"); path != nullptr && *path == '/')
        return fs::path(path) / "tracedeck";
    if (const char* home = std::getenv("HOME"); home != nullptr && *home == '/')
        return fs::path(home) / ".cache" / "tracedeck";
    fail(ErrorCode::Io, "there is no folder for the build cache: set TRACEDECK_CACHE_PATH");
}

PrivateFolder::PrivateFolder(const fs::path& parent)
{
    std::error_code failure;
    fs::create_directories(parent, failure);
    std::string pattern = (parent / "building-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) {
        fail(ErrorCode::Io, fmt::format("cannot make a folder in {}: {}", parent.string(), std::strerror(errno)));
    }
    m_path = pattern;
}

PrivateFolder::~PrivateFolder()
{
    std::error_code failure;
    fs::remove_all(m_path, failure);
}

void removeAbandonedFolders(const fs::path& store)
{
    std::error_code failure;
    const auto limit = fs::file_time_type::clock::now() - std::chrono::hours(24);
    for (fs::directory_iterator entry(store, failure), end; !failure && entry != end; entry.increment(failure)) {
        std::error_code ignored;   // another builder may be removing the same folder
        if (entry->path().filename().string().starts_with("building-") &&
            fs::last_write_time(entry->path(), ignored) < limit && !ignored) {
            fs::remove_all(entry->path(), ignored);
        }
    }
}

void writeSource(const fs::path& folder, const SourceFile& source)
{
    if (!isSafeSourcePath(source.path)) {
        fail(ErrorCode::InvalidInput,
             fmt::format("source path \"{}\" would leave the build folder: use a relative path without \"..\"",
                         source.path));
    }
    const fs::path target = folder / source.path;
    std::error_code failure;
    fs::create_directories(target.parent_path(), failure);
    std::ofstream out(target, std::ios::binary | std::ios::trunc);
    out << source.content;
    out.close();
    if (!out) {
        fail(ErrorCode::InvalidInput,
             fmt::format("source \"{}\" cannot be written into the build folder: another source's path is in its way, "
                         "its name is too long, or the disk is full",
                         source.path));
    }
}

}  // namespace tracedeck::building
