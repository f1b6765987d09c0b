// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/data_file.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <optional>
#include <random>
#include <system_error>
#include <thread>

#include "core/io/file_lock.h"
#include "core/io/json_codec.h"
#include "core/io/json_parse.h"
#include "core/io/read_file.h"
#include "core/io/temporary_file.h"
#include "core/model/text.h"

namespace tracedeck {

namespace {

/// How long to try again while others keep replacing the file.
constexpr std::chrono::seconds kReplacedPatience{30};
/// How long others may keep a replaced file open. A writer of our own keeps one for a second, until it is on disk.
constexpr std::chrono::seconds kOthersPatience{5};

/// Opens a sub-folder; `make`: makes it when it is missing.
Result<FileDescriptor> openSubfolder(const FileDescriptor& parent, const std::string& name, const std::filesystem::path& path, bool make)
{
    if (make && ::mkdirat(parent.get(), name.c_str(), 0777) != 0 && errno != EEXIST) return systemError(path, "the folder cannot be made");
    FileDescriptor folder(::openat(parent.get(), name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (folder.isOpen()) return folder;
    if (errno == ELOOP || errno == ENOTDIR) {
        return Error{ErrorCode::Io, "this must be a folder, not a link or a file", toValidUtf8(path.string()), 0, {}};
    }
    return systemError(path, "the folder cannot be opened");
}

/// Opens the folder of a file. `make`: folders that are missing are made.
Result<FileDescriptor> openFolder(const std::filesystem::path& root, const std::filesystem::path& file, bool make)
{
    const std::filesystem::path start = root / *file.begin();
    if (make) {
        std::error_code code;
        std::filesystem::create_directories(start, code);
        if (code) return systemError(start, "the folder cannot be made", code.value());
    }
    // The start folder itself may be a link.
    FileDescriptor folder(::open(start.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!folder.isOpen()) return systemError(start, "the folder cannot be opened");
    std::filesystem::path current = start;
    for (const auto& component : (root / file).parent_path().lexically_relative(start)) {
        if (component == ".") continue;
        current /= component;
        auto next = openSubfolder(folder, component.string(), current, make);
        if (!next) return next.error();
        folder = std::move(*next);
    }
    return folder;
}

/// Refuses paths that would leave their start folder, whatever made them.
Result<void> checkRelative(const std::filesystem::path& root, const std::filesystem::path& file)
{
    const bool climbs = std::any_of(file.begin(), file.end(), [](const auto& component) { return component == ".."; });
    if (!file.empty() && file.is_relative() && !climbs && file.has_parent_path()) return {};
    return Error{ErrorCode::InvalidInput, "this is not a file in a folder of the dataset", toValidUtf8((root / file).string()), 0, {}};
}

constexpr int kAppendFlags = O_RDWR | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;

Error appendError(const std::filesystem::path& path)
{
    if (errno == ELOOP) return Error{ErrorCode::Io, "this must be a file, not a link", toValidUtf8(path.string()), 0, {}};
    return systemError(path, "the file cannot be opened for writing");
}

/// Opens a file for appending; folders and file are made as needed.
Result<DataFile> openForAppending(const std::filesystem::path& root, const std::filesystem::path& file)
{
    DataFile opened;
    auto folder = openFolder(root, file, true);
    if (!folder) return folder.error();
    opened.folder = std::move(*folder);
    const std::filesystem::path path = root / file;
    const std::string name = path.filename().string();
    opened.file = FileDescriptor(::openat(opened.folder.get(), name.c_str(), kAppendFlags));
    if (!opened.file.isOpen() && errno == ENOENT) {
        opened.isNew = true;
        opened.file = FileDescriptor(::openat(opened.folder.get(), name.c_str(), kAppendFlags | O_CREAT, 0666));
    }
    if (!opened.file.isOpen()) return appendError(path);
    return opened;
}

Result<std::uint64_t> sizeOf(const FileDescriptor& file, const std::filesystem::path& path)
{
    struct stat status {};
    if (::fstat(file.get(), &status) != 0) return systemError(path, "the file cannot be examined");
    if (!S_ISREG(status.st_mode)) return Error{ErrorCode::Io, "this is not a regular file", toValidUtf8(path.string()), 0, {}};
    return static_cast<std::uint64_t>(status.st_size);
}

/// Where the text after the last line end of a file of this size begins.
Result<std::uint64_t> unterminatedStart(const FileDescriptor& file, const std::filesystem::path& path, std::uint64_t size)
{
    constexpr std::uint64_t kBlock = 64 * 1024;
    std::string block;
    while (size > 0) {
        const std::uint64_t count = std::min(size, kBlock);
        block.resize(static_cast<std::size_t>(count));
        const auto got = readAt(file, path, block.data(), block.size(), size - count);
        if (!got) return got.error();
        block.resize(*got);
        const std::size_t lineEnd = block.find_last_of("\n\r");
        if (lineEnd != std::string::npos) return size - count + lineEnd + 1;
        size -= count;
    }
    return std::uint64_t{0};
}

/// Text after the last line end of a file of this size.
Result<std::string> unterminatedTail(const FileDescriptor& file, const std::filesystem::path& path, std::uint64_t size)
{
    const auto start = unterminatedStart(file, path, size);
    if (!start) return start.error();
    std::string tail(static_cast<std::size_t>(size - *start), '\0');
    const auto got = readAt(file, path, tail.data(), tail.size(), *start);
    if (!got) return got.error();
    tail.resize(*got);
    return tail;
}

/// How an open file ends. `tail`: the text after its last line end, when that is what is wrong.
Result<LineFileEnd> endOf(const FileDescriptor& file, const std::filesystem::path& path, std::uint64_t size, std::string& tail)
{
    constexpr std::uint64_t kLongestTail = std::uint64_t{256} << 20U;
    if (size == 0) return LineFileEnd::Ended;
    char last = '\0';
    if (const auto got = readAt(file, path, &last, 1, size - 1); !got) return got.error();
    if (last == '\n') return LineFileEnd::Ended;
    const auto start = unterminatedStart(file, path, size);
    if (!start) return start.error();
    if (size - *start > kLongestTail) return LineFileEnd::Unclear;
    auto text = unterminatedTail(file, path, size);
    if (!text) return text.error();
    tail = std::move(*text);
    const std::string_view record = trimWhitespace(tail);
    if (record.empty() || parseJson(record, ReadMode::Tolerant)) return LineFileEnd::LacksLineEnd;
    // Whole records before half a one on the same line are no rest of a single write.
    return splitJsonValues(record).size() == 1 ? LineFileEnd::TornRecord : LineFileEnd::Unclear;
}

/// Moves the torn record at the end of a file to `<file>.torn`, which no reader loads. False when that cannot be done.
bool moveTornRecord(const DataFile& opened, const std::filesystem::path& path, const std::string& record, std::uint64_t size)
{
    const std::string name = path.filename().string() + ".torn";
    const FileDescriptor kept(
        ::openat(opened.folder.get(), name.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666));
    if (!kept.isOpen() || !writeAll(kept, path, record + "\n") || ::fsync(kept.get()) != 0) return false;
    return ::ftruncate(opened.file.get(), static_cast<off_t>(size - record.size())) == 0;
}

/// Makes the file end with a line end, or tells that the next write must begin with one.
Result<bool> needsLineEndFirst(const DataFile& opened, const std::filesystem::path& path)
{
    const auto size = sizeOf(opened.file, path);
    if (!size) return size.error();
    if (*size == 0) return false;
    char last = '\0';
    const auto got = readAt(opened.file, path, &last, 1, *size - 1);
    if (!got) return got.error();
    if (last == '\n') return false;
    const auto tail = unterminatedTail(opened.file, path, *size);
    if (!tail) return tail.error();
    const std::string_view record = trimWhitespace(*tail);
    // A whole record lacks only its line end. Half a record would keep other readers from the whole dataset.
    if (record.empty() || parseJson(record, ReadMode::Tolerant)) return true;
    return !moveTornRecord(opened, path, *tail, *size);
}

/// One write; what it leaves behind when it fails half-way is taken back. Returns where the text begins.
Result<std::uint64_t> appendOnce(const FileDescriptor& file, const std::filesystem::path& path, std::string_view text, bool lineEndFirst)
{
    const auto before = sizeOf(file, path);
    if (!before) return before.error();
    const std::string bytes = (lineEndFirst ? "\n" : "") + std::string(text);
    ssize_t written = 0;
    do {
        written = ::write(file.get(), bytes.data(), bytes.size());
    } while (written < 0 && errno == EINTR);
    if (written == static_cast<ssize_t>(bytes.size())) {
        const off_t end = ::lseek(file.get(), 0, SEEK_CUR);
        if (end < 0) return systemError(path, "the place in the file cannot be found");
        return static_cast<std::uint64_t>(end) - text.size();
    }
    Error error = written < 0 ? systemError(path, "the result cannot be written")
                              : Error{ErrorCode::Io, "the result cannot be written: the disk is full", toValidUtf8(path.string()), 0, {}};
    if (written > 0 && ::ftruncate(file.get(), static_cast<off_t>(*before)) != 0) {
        error.reason += "; half a line is left at the end of the file, the next result repairs it";
    }
    return error;
}

/// Whether a name in a folder still leads to this open file; a rewrite or a backup may have put another one there.
bool isStillNamed(const FileDescriptor& folder, const std::string& name, const FileDescriptor& file)
{
    struct stat named {};
    struct stat open {};
    return ::fstatat(folder.get(), name.c_str(), &named, AT_SYMLINK_NOFOLLOW) == 0 && ::fstat(file.get(), &open) == 0 &&
           named.st_dev == open.st_dev && named.st_ino == open.st_ino;
}

Error keptBusy(const std::filesystem::path& path)
{
    return {ErrorCode::Conflict, "other programs keep replacing the file; try again when they are done", toValidUtf8(path.string()), 0, {}};
}

/// Size and time of the last change: differ when someone wrote.
struct FileStamp {
    std::uint64_t size = 0;
    std::int64_t seconds = 0;
    std::int64_t nanoseconds = 0;
    bool operator==(const FileStamp&) const = default;
};

Result<FileStamp> stampOf(const FileDescriptor& file, const std::filesystem::path& path)
{
    struct stat status {};
    if (::fstat(file.get(), &status) != 0) return systemError(path, "the file cannot be examined");
    return FileStamp{static_cast<std::uint64_t>(status.st_size), status.st_mtim.tv_sec, status.st_mtim.tv_nsec};
}

Result<std::string> contentOf(const FileDescriptor& file, const std::filesystem::path& path, std::uint64_t size, std::uint64_t offset = 0)
{
    std::string content(static_cast<std::size_t>(size - offset), '\0');
    const auto got = readAt(file, path, content.data(), content.size(), offset);
    if (!got) return got.error();
    content.resize(*got);
    return content;
}

/// True when nobody has the file open for writing any more; false when someone still does after `patience`. Only a file system
/// that has leases can tell; another one is taken at its word.
bool waitForWriters(const FileDescriptor& file, std::chrono::milliseconds patience)
{
    const auto deadline = std::chrono::steady_clock::now() + patience;
    auto pause = std::chrono::milliseconds(1);
    while (::fcntl(file.get(), F_SETLEASE, F_RDLCK) != 0) {
        if (errno != EAGAIN) return true;
        if (std::chrono::steady_clock::now() >= deadline) return false;
        std::this_thread::sleep_for(pause);
        pause = std::min(pause * 2, std::chrono::milliseconds(50));
    }
    ::fcntl(file.get(), F_SETLEASE, F_UNLCK);
    return true;
}

/// A new file in the folder, deleted at the end: under its own name, or under the one of the file that it replaced.
class Replacement {
public:
    Replacement(const FileDescriptor& folder, std::filesystem::path target) : m_folder(folder), m_target(std::move(target)) {}
    ~Replacement()
    {
        if (!m_name.empty()) ::unlinkat(m_folder.get(), m_name.c_str(), 0);
    }
    Replacement(const Replacement&) = delete;
    Replacement& operator=(const Replacement&) = delete;

    Result<void> write(const std::string& content, const FileDescriptor& model)
    {
        std::random_device random;
        const std::string name = "." + m_target.filename().string() + "." + std::to_string(random()) + ".tmp";
        m_file = FileDescriptor(::openat(m_folder.get(), name.c_str(), O_RDWR | O_APPEND | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666));
        if (!m_file.isOpen()) return systemError(m_target, "no file can be made in this folder");
        m_name = name;
        struct stat status {};
        // A new owner may not be allowed to keep every bit; the content matters more.
        if (::fstat(model.get(), &status) == 0) (void)::fchmod(m_file.get(), status.st_mode & 07777U);
        if (auto written = writeAll(m_file, m_target, content); !written) return written;
        if (::fsync(m_file.get()) != 0) return systemError(m_target, "the file cannot be written to disk");
        return {};
    }
    /// Swaps the names of the new and the old file.
    Result<void> exchange()
    {
        const std::string target = m_target.filename().string();
        if (::renameat2(m_folder.get(), m_name.c_str(), m_folder.get(), target.c_str(), RENAME_EXCHANGE) != 0) {
            if (errno != EINVAL && errno != ENOSYS && errno != ENOTSUP) return systemError(m_target, "the file cannot be replaced");
            // A file system that cannot swap can still replace: then there is no way back.
            if (::renameat(m_folder.get(), m_name.c_str(), m_folder.get(), target.c_str()) != 0) return systemError(m_target, "the file cannot be replaced");
            m_name.clear();
        }
        if (::fsync(m_folder.get()) != 0 && errno != EINVAL) return systemError(m_target, "the folder cannot be written to disk");
        return {};
    }
    [[nodiscard]] const FileDescriptor& file() const { return m_file; }
    /// Whether another exchange() brings the old file back.
    [[nodiscard]] bool canReturn() const { return !m_name.empty(); }

private:
    const FileDescriptor& m_folder;
    std::filesystem::path m_target;
    std::string m_name;
    FileDescriptor m_file;
};

/// Carries lines that someone appended to `from` beyond `size` over to the end of `to`.
Result<void> carryLines(const FileDescriptor& from, std::uint64_t size, const FileDescriptor& to, const std::filesystem::path& path)
{
    const auto stamp = stampOf(from, path);
    if (!stamp) return stamp.error();
    if (stamp->size <= size) return {};
    const auto lines = contentOf(from, path, stamp->size, size);
    if (!lines) return lines.error();
    const auto before = sizeOf(to, path);
    if (!before) return before.error();
    char last = '\n';
    if (*before > 0) {
        if (const auto got = readAt(to, path, &last, 1, *before - 1); !got) return got.error();
    }
    if (auto written = writeAll(to, path, (last == '\n' ? "" : "\n") + *lines); !written) return written;
    if (::fsync(to.get()) != 0) return systemError(path, "the file cannot be written to disk");
    return {};
}

/// One try. False: the file changed under it.
Result<bool> tryRewrite(const FileDescriptor& folder, const std::filesystem::path& path, FileKind kind, const FileEdit& edit)
{
    const std::string name = path.filename().string();
    // Read-only: only then can the file be asked whether others write to it.
    FileDescriptor old(::openat(folder.get(), name.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    if (!old.isOpen()) {
        if (errno == ELOOP) return Error{ErrorCode::Io, "this must be a file, not a link", toValidUtf8(path.string()), 0, {}};
        return systemError(path, "the file cannot be opened");
    }
    if (const auto regular = sizeOf(old, path); !regular) return regular.error();
    std::optional<FileLock> oldLock;
    {
        auto lock = FileLock::acquire(old.get(), path);
        if (!lock) return lock.error();
        oldLock.emplace(std::move(*lock));
    }
    if (!isStillNamed(folder, name, old)) return false;
    const auto before = stampOf(old, path);
    if (!before) return before.error();
    const auto present = contentOf(old, path, before->size);
    if (!present) return present.error();
    const auto content = edit(*present);
    if (!content) return content.error();

    Replacement replacement(folder, path);
    if (const auto written = replacement.write(*content, old); !written) return written.error();
    const auto newLock = FileLock::acquire(replacement.file().get(), path);
    if (!newLock) return newLock.error();
    if (const auto now = stampOf(old, path); !now || *now != *before) return false;
    if (const auto exchanged = replacement.exchange(); !exchanged) return exchanged.error();

    // Those of ours who wait for the old file find it replaced and open the new one. Others may have opened it before.
    oldLock.reset();
    const bool alone = waitForWriters(old, kOthersPatience);
    const auto after = stampOf(old, path);
    if (!after) return after.error();
    const bool grown = kind == FileKind::Lines && after->size > before->size;
    if (!replacement.canReturn() || (alone && (*after == *before || grown))) {
        if (kind == FileKind::Object) return true;
        if (const auto carried = carryLines(old, before->size, replacement.file(), path); !carried) return carried.error();
        return true;
    }
    // Theirs stands.
    if (const auto exchanged = replacement.exchange(); !exchanged) return exchanged.error();
    if (kind == FileKind::Lines) {
        const FileDescriptor writable(::openat(folder.get(), name.c_str(), O_RDWR | O_APPEND | O_CLOEXEC | O_NOFOLLOW));
        if (!writable.isOpen()) return systemError(path, "the file cannot be opened for writing");
        if (const auto carried = carryLines(replacement.file(), content->size(), writable, path); !carried) return carried.error();
    }
    return Error{ErrorCode::Conflict, alone ? "another program changed the file meanwhile; its version is kept, reload the dataset and try again"
                                            : "another program keeps the file open for writing; close it and try again",
                 toValidUtf8(path.string()), 0, {}};
}

}  // namespace

Result<AppendedLines> appendLines(const std::filesystem::path& root, const std::filesystem::path& file, std::string_view text)
{
    const std::filesystem::path path = root / file;
    if (const auto checked = checkRelative(root, file); !checked) return checked.error();
    const auto deadline = std::chrono::steady_clock::now() + kReplacedPatience;
    do {
        auto opened = openForAppending(root, file);
        if (!opened) return opened.error();
        const auto lock = FileLock::acquire(opened->file.get(), path);
        if (!lock) return lock.error();
        // While it waited for the lock the file may have been replaced: a line in it would be lost.
        if (!isStillNamed(opened->folder, path.filename().string(), opened->file)) continue;
        const auto lineEndFirst = needsLineEndFirst(*opened, path);
        if (!lineEndFirst) return lineEndFirst.error();
        const auto offset = appendOnce(opened->file, path, text, *lineEndFirst);
        if (!offset) return offset.error();
        return AppendedLines{std::move(*opened), *offset};
    } while (std::chrono::steady_clock::now() < deadline);
    return keptBusy(path);
}

Result<LineFileEnd> lineFileEnd(const std::filesystem::path& root, const std::filesystem::path& file)
{
    const std::filesystem::path path = root / file;
    if (const auto checked = checkRelative(root, file); !checked) return checked.error();
    const auto opened = openForReading(path);
    if (!opened) return opened.error();
    std::string tail;
    return endOf(opened->descriptor, path, opened->size, tail);
}

Result<LineFileEnd> repairLineFileEnd(const std::filesystem::path& root, const std::filesystem::path& file)
{
    const std::filesystem::path path = root / file;
    if (const auto checked = checkRelative(root, file); !checked) return checked.error();
    const auto deadline = std::chrono::steady_clock::now() + kReplacedPatience;
    do {
        auto folder = openFolder(root, file, false);
        if (!folder) return folder.error();
        DataFile opened;
        opened.folder = std::move(*folder);
        const std::string name = path.filename().string();
        opened.file = FileDescriptor(::openat(opened.folder.get(), name.c_str(), kAppendFlags));
        if (!opened.file.isOpen()) return appendError(path);
        const auto lock = FileLock::acquire(opened.file.get(), path);
        if (!lock) return lock.error();
        if (!isStillNamed(opened.folder, name, opened.file)) continue;
        const auto size = sizeOf(opened.file, path);
        if (!size) return size.error();
        std::string tail;
        const auto end = endOf(opened.file, path, *size, tail);
        if (!end) return end.error();
        if (*end == LineFileEnd::Ended) return LineFileEnd::Ended;
        if (*end == LineFileEnd::Unclear)
            return Error{ErrorCode::Unsupported, "it is not clear what the text after the last line end is; open the file and repair it by hand",
                         toValidUtf8(path.string()), 0, {}};
        if (*end == LineFileEnd::LacksLineEnd) {
            if (const auto appended = appendOnce(opened.file, path, "\n", false); !appended) return appended.error();
        } else if (!moveTornRecord(opened, path, tail, *size)) {
            return Error{ErrorCode::Io, "the torn line cannot be moved to a file beside it (" + name + ".torn); is the folder writable?",
                         toValidUtf8(path.string()), 0, {}};
        }
        if (::fsync(opened.file.get()) != 0 && errno != EINVAL) return systemError(path, "the file cannot be written to disk");
        return *end;
    } while (std::chrono::steady_clock::now() < deadline);
    return keptBusy(path);
}

Result<void> checkAppendable(const std::filesystem::path& root, const std::filesystem::path& file)
{
    const std::filesystem::path path = root / file;
    if (auto checked = checkRelative(root, file); !checked) return checked;
    const auto folder = openFolder(root, file, true);
    if (!folder) return folder.error();
    const std::string name = path.filename().string();
    const FileDescriptor present(::openat(folder->get(), name.c_str(), kAppendFlags));
    if (present.isOpen()) {
        if (const auto size = sizeOf(present, path); !size) return size.error();
    } else if (errno != ENOENT) {
        return appendError(path);
    } else {
        // Only an attempt tells: permissions, a read-only file system and quotas all have their say. Readers skip such a name.
        std::random_device random;
        const std::string attempt = ".tracedeck-" + std::to_string(random()) + ".tmp";
        const FileDescriptor made(::openat(folder->get(), attempt.c_str(), kAppendFlags | O_CREAT | O_EXCL, 0666));
        if (!made.isOpen()) return systemError(path.parent_path(), "no file can be made in this folder");
        ::unlinkat(folder->get(), attempt.c_str(), 0);
    }
    struct statvfs space {};
    if (::fstatvfs(folder->get(), &space) == 0 && space.f_blocks > 0 && space.f_bavail == 0)
        return Error{ErrorCode::Io, "the disk is full", toValidUtf8(path.parent_path().string()), 0, {}};
    return {};
}

Result<void> rewriteFile(const std::filesystem::path& root, const std::filesystem::path& file, FileKind kind, const FileEdit& edit)
{
    const std::filesystem::path path = root / file;
    if (auto checked = checkRelative(root, file); !checked) return checked;
    const auto deadline = std::chrono::steady_clock::now() + kReplacedPatience;
    do {
        const auto folder = openFolder(root, file, false);
        if (!folder) return folder.error();
        const auto done = tryRewrite(*folder, path, kind, edit);
        if (!done) return done.error();
        if (*done) return {};
    } while (std::chrono::steady_clock::now() < deadline);
    return keptBusy(path);
}

}  // namespace tracedeck
