// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/file_lock.h"

#include <sys/file.h>

#include <cerrno>
#include <thread>
#include <utility>

#include "core/io/read_file.h"
#include "core/model/text.h"

namespace tracedeck {

Result<FileLock> FileLock::acquire(int descriptor, const std::filesystem::path& path, std::chrono::milliseconds patience)
{
    const auto deadline = std::chrono::steady_clock::now() + patience;
    auto pause = std::chrono::milliseconds(1);
    while (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
        if (errno == EINTR) continue;
        if (errno != EWOULDBLOCK) return systemError(path, "the file cannot be locked");
        if (std::chrono::steady_clock::now() >= deadline) {
            return Error{ErrorCode::TimedOut, "another program keeps the file locked; close it and try again",
                         toValidUtf8(path.string()), 0, {}};
        }
        std::this_thread::sleep_for(pause);
        pause = std::min(pause * 2, std::chrono::milliseconds(50));
    }
    return FileLock(descriptor);
}

FileLock::~FileLock()
{
    release();
}

FileLock::FileLock(FileLock&& other) noexcept : m_descriptor(std::exchange(other.m_descriptor, -1)) {}

FileLock& FileLock::operator=(FileLock&& other) noexcept
{
    if (this != &other) {
        release();
        m_descriptor = std::exchange(other.m_descriptor, -1);
    }
    return *this;
}

void FileLock::release()
{
    if (m_descriptor >= 0) ::flock(m_descriptor, LOCK_UN);
    m_descriptor = -1;
}

}  // namespace tracedeck
