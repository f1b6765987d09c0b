// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/file_stamp.h"

#include <sys/stat.h>

#include <chrono>

namespace tracedeck {

namespace {

constexpr std::int64_t kSecond = 1'000'000'000;
/// Linux stamps files with the time of its last tick, 10 ms ago at most.
constexpr std::int64_t kFineClockNs = kSecond / 10;
/// File systems without parts of a second count in steps of up to two.
constexpr std::int64_t kCoarseClockNs = 5 * kSecond / 2;

std::int64_t nanoseconds(const timespec& time)
{
    return static_cast<std::int64_t>(time.tv_sec) * kSecond + time.tv_nsec;
}

}  // namespace

bool FileStamp::isUnchangedSince(const FileStamp& earlier) const
{
    return earlier.isSettled && isSameFileAs(earlier) && size == earlier.size && modifiedNs == earlier.modifiedNs &&
           changedNs == earlier.changedNs;
}

std::optional<FileStamp> stampOf(const std::filesystem::path& path)
{
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0) return std::nullopt;
    FileStamp stamp;
    stamp.device = status.st_dev;
    stamp.inode = status.st_ino;
    stamp.size = status.st_size < 0 ? 0 : static_cast<std::uint64_t>(status.st_size);
    stamp.modifiedNs = nanoseconds(status.st_mtim);
    stamp.changedNs = nanoseconds(status.st_ctim);
    const bool isCoarse = stamp.modifiedNs % kSecond == 0 && stamp.changedNs % kSecond == 0;
    stamp.isSettled = ageNs(stamp) > (isCoarse ? kCoarseClockNs : kFineClockNs);
    return stamp;
}

std::int64_t ageNs(const FileStamp& stamp)
{
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count() - stamp.changedNs;
}

}  // namespace tracedeck
