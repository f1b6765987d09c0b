// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/temporary_file.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <random>
#include <string>

#include "core/io/read_file.h"
#include "core/model/text.h"

namespace tracedeck {

Result<void> writeAll(const FileDescriptor& file, const std::filesystem::path& path, std::string_view bytes)
{
    while (!bytes.empty()) {
        const ssize_t written = ::write(file.get(), bytes.data(), bytes.size());
        if (written < 0) {
            if (errno == EINTR) continue;
            return systemError(path, "the file cannot be written");
        }
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return {};
}

Result<void> syncFolder(const std::filesystem::path& folder)
{
    const std::filesystem::path opened = folder.empty() ? std::filesystem::path(".") : folder;
    const FileDescriptor descriptor(::open(opened.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!descriptor.isOpen()) return systemError(opened, "the folder cannot be opened");
    // Some file systems keep folders in step by themselves and refuse the call.
    if (::fsync(descriptor.get()) != 0 && errno != EINVAL) return systemError(opened, "the folder cannot be written to disk");
    return {};
}

Result<TemporaryFile> TemporaryFile::create(const std::filesystem::path& target)
{
    std::random_device random;
    constexpr int kAttempts = 16;
    for (int attempt = 0; attempt < kAttempts; ++attempt) {
        std::filesystem::path path = target;
        path.replace_filename("." + target.filename().string() + "." + std::to_string(random()) + ".tmp");
        FileDescriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666));
        if (file.isOpen()) return TemporaryFile(target, std::move(path), std::move(file));
        if (errno != EEXIST) return systemError(target, "no file can be made in this folder");
    }
    return Error{ErrorCode::Io, "no free name for a temporary file was found", toValidUtf8(target.string()), 0, {}};
}

TemporaryFile::TemporaryFile(std::filesystem::path target, std::filesystem::path path, FileDescriptor file)
    : m_target(std::move(target)), m_path(std::move(path)), m_file(std::move(file))
{
}

TemporaryFile::TemporaryFile(TemporaryFile&& other) noexcept
    : m_target(std::move(other.m_target)), m_path(std::move(other.m_path)), m_file(std::move(other.m_file))
{
    other.m_path.clear();
}

TemporaryFile::~TemporaryFile()
{
    if (!m_path.empty()) ::unlink(m_path.c_str());
}

Result<void> TemporaryFile::write(std::string_view bytes)
{
    return writeAll(m_file, m_target, bytes);
}

Result<void> TemporaryFile::commit(Existing existing)
{
    struct stat old {};
    if (existing == Existing::Replace && ::stat(m_target.c_str(), &old) == 0) {
        // A new owner may not be allowed to keep every bit; the content matters more.
        (void)::fchmod(m_file.get(), old.st_mode & 07777U);
    }
    if (::fsync(m_file.get()) != 0) return systemError(m_target, "the file cannot be written to disk");
    if (existing == Existing::Replace) {
        if (::rename(m_path.c_str(), m_target.c_str()) != 0) return systemError(m_target, "the file cannot be replaced");
    } else {
        // A second name, unlike a rename, fails when the target exists.
        if (::link(m_path.c_str(), m_target.c_str()) != 0) {
            if (errno == EEXIST) {
                return Error{ErrorCode::Conflict, "the file exists already; it is not overwritten",
                             toValidUtf8(m_target.string()), 0, {}};
            }
            return systemError(m_target, "the file cannot be made");
        }
        ::unlink(m_path.c_str());
    }
    m_path.clear();
    return syncFolder(m_target.parent_path());
}

}  // namespace tracedeck
