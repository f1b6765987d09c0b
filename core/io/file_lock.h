// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <filesystem>

#include "core/model/result.h"

namespace tracedeck {

/// Holds an exclusive advisory lock (flock) on an open file until it goes out of scope. Other programs that lock the
/// same file wait, and so do other threads with their own descriptor of it.
class FileLock {
public:
    /// Waits up to `patience`. Error TimedOut: another program holds the lock; Io: the file system has no locks.
    static Result<FileLock> acquire(int descriptor, const std::filesystem::path& path,
                                    std::chrono::milliseconds patience = std::chrono::seconds(10));
    ~FileLock();
    FileLock(FileLock&& other) noexcept;
    FileLock& operator=(FileLock&& other) noexcept;
    FileLock(const FileLock&) = delete;
    FileLock& operator=(const FileLock&) = delete;

private:
    explicit FileLock(int descriptor) : m_descriptor(descriptor) {}
    void release();
    int m_descriptor = -1;
};

}  // namespace tracedeck
