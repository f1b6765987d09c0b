// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/read_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "core/model/text.h"

namespace tracedeck {

Error systemError(const std::filesystem::path& path, const std::string& what)
{
    return systemError(path, what, errno);
}

Error systemError(const std::filesystem::path& path, const std::string& what, int code)
{
    return Error{code == ENOENT || code == ENOTDIR ? ErrorCode::NotFound : ErrorCode::Io,
                 what + ": " + std::generic_category().message(code), toValidUtf8(path.string()), 0, {}};
}

Result<OpenedFile> openForReading(const std::filesystem::path& path)
{
    OpenedFile file;
    file.descriptor = FileDescriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
    if (!file.descriptor.isOpen()) return systemError(path, "the file cannot be opened");
    struct stat status {};
    if (::fstat(file.descriptor.get(), &status) != 0) return systemError(path, "the file cannot be examined");
    if (!S_ISREG(status.st_mode)) {
        return Error{ErrorCode::Io, S_ISDIR(status.st_mode) ? "this is a folder, not a file" : "this is not a regular file",
                     toValidUtf8(path.string()), 0, {}};
    }
    file.size = static_cast<std::uint64_t>(status.st_size);
    return file;
}

Result<std::size_t> readAt(const FileDescriptor& file, const std::filesystem::path& path, char* destination,
                           std::size_t count, std::uint64_t offset)
{
    std::size_t done = 0;
    while (done < count) {
        const ssize_t got = ::pread(file.get(), destination + done, count - done, static_cast<off_t>(offset + done));
        if (got < 0) {
            if (errno == EINTR) continue;
            return systemError(path, "the file cannot be read");
        }
        if (got == 0) break;
        done += static_cast<std::size_t>(got);
    }
    return done;
}

Result<std::string> readWholeFile(const std::filesystem::path& path, std::uint64_t maximumBytes)
{
    auto file = openForReading(path);
    if (!file) return file.error();
    const auto tooLarge = [&] {
        return Error{ErrorCode::InvalidInput, "the file has more than " + std::to_string(maximumBytes) + " bytes; it is not read",
                     toValidUtf8(path.string()), 0, {}};
    };
    if (file->size > maximumBytes) return tooLarge();
    std::string content;
    // The file may grow or shrink meanwhile: read until its end, wherever that is.
    constexpr std::size_t kBlock = 64 * 1024;
    for (std::size_t wanted = static_cast<std::size_t>(file->size) + 1;; wanted = kBlock) {
        const std::size_t start = content.size();
        content.resize(start + wanted);
        const auto got = readAt(file->descriptor, path, content.data() + start, wanted, start);
        if (!got) return got.error();
        content.resize(start + *got);
        if (content.size() > maximumBytes) return tooLarge();
        if (*got < wanted) return content;
    }
}

}  // namespace tracedeck
