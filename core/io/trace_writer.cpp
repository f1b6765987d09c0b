// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/trace_writer.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <condition_variable>
#include <map>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>

#include "core/io/file_lock.h"
#include "core/io/json_codec.h"
#include "core/io/read_file.h"
#include "core/io/temporary_file.h"
#include "core/model/text.h"

namespace tracedeck {

namespace {

constexpr std::chrono::seconds kSyncInterval{1};

/// Opens a sub-folder, making it when it is missing. Links are refused: the loader does not follow them, and they could
/// lead out of the dataset.
Result<FileDescriptor> openSubfolder(const FileDescriptor& parent, const std::string& name, const std::filesystem::path& path)
{
    if (::mkdirat(parent.get(), name.c_str(), 0777) != 0 && errno != EEXIST) return systemError(path, "the folder cannot be made");
    FileDescriptor folder(::openat(parent.get(), name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (folder.isOpen()) return folder;
    if (errno == ELOOP || errno == ENOTDIR) {
        return Error{ErrorCode::Io, "this must be a folder, not a link or a file", toValidUtf8(path.string()), 0, {}};
    }
    return systemError(path, "the folder cannot be opened");
}

struct TraceFile {
    FileDescriptor folder;
    FileDescriptor file;
    bool isNew = false;
};

/// Opens `<root>/traces/<author>/<op_type>/<definition>.jsonl` for appending; folders are made as needed.
Result<TraceFile> openTraceFile(const std::filesystem::path& root, const std::filesystem::path& path)
{
    const std::filesystem::path start = root / "traces";
    std::error_code code;
    std::filesystem::create_directories(start, code);
    if (code) return systemError(start, "the folder cannot be made", code.value());
    TraceFile opened;
    // The start folder itself may be a link.
    opened.folder = FileDescriptor(::open(start.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!opened.folder.isOpen()) return systemError(start, "the folder cannot be opened");
    std::filesystem::path current = start;
    for (const auto& component : path.parent_path().lexically_relative(start)) {
        current /= component;
        auto next = openSubfolder(opened.folder, component.string(), current);
        if (!next) return next.error();
        opened.folder = std::move(*next);
    }
    const std::string name = path.filename().string();
    constexpr int kFlags = O_RDWR | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
    opened.file = FileDescriptor(::openat(opened.folder.get(), name.c_str(), kFlags));
    if (!opened.file.isOpen() && errno == ENOENT) {
        opened.isNew = true;
        opened.file = FileDescriptor(::openat(opened.folder.get(), name.c_str(), kFlags | O_CREAT, 0666));
    }
    if (!opened.file.isOpen()) {
        if (errno == ELOOP) return Error{ErrorCode::Io, "this must be a file, not a link", toValidUtf8(path.string()), 0, {}};
        return systemError(path, "the file cannot be opened for writing");
    }
    return opened;
}

Result<std::uint64_t> sizeOf(const FileDescriptor& file, const std::filesystem::path& path)
{
    struct stat status {};
    if (::fstat(file.get(), &status) != 0) return systemError(path, "the file cannot be examined");
    if (!S_ISREG(status.st_mode)) return Error{ErrorCode::Io, "this is not a regular file", toValidUtf8(path.string()), 0, {}};
    return static_cast<std::uint64_t>(status.st_size);
}

/// Text after the last line end of a file of this size.
Result<std::string> unterminatedTail(const FileDescriptor& file, const std::filesystem::path& path, std::uint64_t size)
{
    std::string tail;
    constexpr std::uint64_t kBlock = 64 * 1024;
    while (size > 0) {
        const std::uint64_t count = std::min(size, kBlock);
        std::string block(static_cast<std::size_t>(count), '\0');
        const auto got = readAt(file, path, block.data(), block.size(), size - count);
        if (!got) return got.error();
        block.resize(*got);
        const std::size_t lineEnd = block.find_last_of("\n\r");
        if (lineEnd != std::string::npos) return block.substr(lineEnd + 1) + tail;
        tail.insert(0, block);
        size -= count;
    }
    return tail;
}

/// Moves the torn record at the end of a file to `<file>.torn`, which no reader loads. False when that cannot be done.
bool moveTornRecord(const TraceFile& opened, const std::filesystem::path& path, const std::string& record, std::uint64_t size)
{
    const std::string name = path.filename().string() + ".torn";
    const FileDescriptor kept(
        ::openat(opened.folder.get(), name.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666));
    if (!kept.isOpen() || !writeAll(kept, path, record + "\n") || ::fsync(kept.get()) != 0) return false;
    return ::ftruncate(opened.file.get(), static_cast<off_t>(size - record.size())) == 0;
}

/// Makes the file end with a line end, or tells that the next write must begin with one.
Result<bool> needsLineEndFirst(const TraceFile& opened, const std::filesystem::path& path)
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

/// One write; what it leaves behind when it fails half-way is taken back. Returns where the line begins.
Result<std::uint64_t> appendOnce(const FileDescriptor& file, const std::filesystem::path& path, const std::string& line, bool lineEndFirst)
{
    const auto before = sizeOf(file, path);
    if (!before) return before.error();
    const std::string bytes = (lineEndFirst ? "\n" : "") + line + "\n";
    ssize_t written = 0;
    do {
        written = ::write(file.get(), bytes.data(), bytes.size());
    } while (written < 0 && errno == EINTR);
    if (written == static_cast<ssize_t>(bytes.size())) {
        const off_t end = ::lseek(file.get(), 0, SEEK_CUR);
        if (end < 0) return systemError(path, "the place in the file cannot be found");
        return static_cast<std::uint64_t>(end) - line.size() - 1;
    }
    Error error = written < 0 ? systemError(path, "the result cannot be written")
                              : Error{ErrorCode::Io, "the result cannot be written: the disk is full", toValidUtf8(path.string()), 0, {}};
    if (written > 0 && ::ftruncate(file.get(), static_cast<off_t>(*before)) != 0) {
        error.reason += "; half a line is left at the end of the file, the next result repairs it";
    }
    return error;
}

Result<std::string> checkedLine(const Trace& trace)
{
    if (!trace.solution || trace.solution->empty() || !trace.evaluation) {
        return Error{ErrorCode::InvalidInput, "only a trace with a solution and an evaluation can be stored as a result", {}, 0, "evaluation"};
    }
    std::string line = writeLine(encodeTrace(trace));
    if (const auto read = decodeTrace(line, ReadMode::Strict); !read) {
        Error error = read.error();
        error.reason = "the result is not stored, since other readers would refuse it: " + error.reason;
        return error;
    }
    return line;
}

}  // namespace

struct TraceWriter::State {
    std::filesystem::path root;
    std::mutex appendMutex;    ///< one append at a time
    std::mutex mutex;          ///< guards what follows
    std::condition_variable_any wake;
    std::map<std::filesystem::path, FileDescriptor> unsynced;   ///< files and folders
    std::optional<Error> syncError;
    std::mutex syncMutex;      ///< held while files are forced to disk
    std::jthread syncThread;   ///< last: stops before the rest is gone

    void noteUnsynced(TraceFile opened, const std::filesystem::path& path)
    {
        const std::lock_guard lock(mutex);
        if (opened.isNew) unsynced.insert_or_assign(path.parent_path(), std::move(opened.folder));
        unsynced.insert_or_assign(path, std::move(opened.file));
        wake.notify_one();
    }

    void sync()
    {
        const std::lock_guard syncLock(syncMutex);
        std::map<std::filesystem::path, FileDescriptor> files;
        {
            const std::lock_guard lock(mutex);
            files.swap(unsynced);
        }
        for (const auto& [path, file] : files) {
            if (::fsync(file.get()) == 0 || errno == EINVAL) continue;
            Error error = systemError(path, "results cannot be written to disk");
            const std::lock_guard lock(mutex);
            if (!syncError) syncError = std::move(error);
        }
    }

    void run(const std::stop_token& stop)
    {
        while (!stop.stop_requested()) {
            {
                std::unique_lock lock(mutex);
                if (!wake.wait(lock, stop, [this] { return !unsynced.empty(); })) return;
                // Results that come within the interval share one trip to the disk.
                wake.wait_for(lock, stop, kSyncInterval, [] { return false; });
            }
            sync();
        }
    }

    Result<void> takeError()
    {
        const std::lock_guard lock(mutex);
        if (!syncError) return {};
        Error error = std::move(*syncError);
        syncError.reset();
        return error;
    }
};

bool isSafePathComponent(const std::string& name)
{
    constexpr std::string_view kRefused("/\\\0", 3);
    return !name.empty() && name != "." && name != ".." && name.find_first_of(kRefused) == std::string::npos;
}

Result<std::filesystem::path> traceFilePath(const std::filesystem::path& root, const std::string& author,
                                            const std::string& opType, const std::string& definition)
{
    const auto refuse = [](const char* what, const std::string& name) {
        return Error{ErrorCode::InvalidInput,
                     std::string("the ") + what + " '" + name + "' cannot be the name of a file or folder: it must not be empty, '.', "
                                                                "'..', or contain '/', '\\' or NUL",
                     {}, 0, what};
    };
    if (!isSafePathComponent(author)) return refuse("author", author);
    if (!isSafePathComponent(opType)) return refuse("op_type", opType);
    if (!isSafePathComponent(definition)) return refuse("definition", definition);
    return root / "traces" / author / opType / (definition + ".jsonl");
}

TraceWriter::TraceWriter(std::filesystem::path root) : m_state(std::make_unique<State>())
{
    m_state->root = std::move(root);
    m_state->syncThread = std::jthread([state = m_state.get()](const std::stop_token& stop) { state->run(stop); });
}

TraceWriter::~TraceWriter()
{
    m_state->syncThread.request_stop();
    m_state->syncThread.join();
    m_state->sync();
}

Result<TraceWriter::Appended> TraceWriter::append(const Trace& trace, const std::string& author, const std::string& opType)
{
    const auto line = checkedLine(trace);
    if (!line) return line.error();
    auto path = traceFilePath(m_state->root, author, opType, trace.definition);
    if (!path) return path.error();
    const std::lock_guard appendLock(m_state->appendMutex);
    auto opened = openTraceFile(m_state->root, *path);
    if (!opened) return opened.error();
    Appended appended{*path, 0};
    {
        const auto fileLock = FileLock::acquire(opened->file.get(), *path);
        if (!fileLock) return fileLock.error();
        const auto lineEndFirst = needsLineEndFirst(*opened, *path);
        if (!lineEndFirst) return lineEndFirst.error();
        const auto offset = appendOnce(opened->file, *path, *line, *lineEndFirst);
        if (!offset) return offset.error();
        appended.byteOffset = *offset;
    }
    m_state->noteUnsynced(std::move(*opened), *path);
    return appended;
}

Result<void> TraceWriter::flush()
{
    m_state->sync();
    return m_state->takeError();
}

Result<void> writeFileAtomically(const std::filesystem::path& path, std::string_view content)
{
    std::error_code missing;   // a file that is not there yet is no error
    const std::filesystem::file_status status = std::filesystem::status(path, missing);
    if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
        // A pipe or a terminal is written to, not replaced.
        const FileDescriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY));
        if (!file.isOpen()) return systemError(path, "the file cannot be opened for writing");
        return writeAll(file, path, content);
    }
    // Through a link the file that it names is replaced, not the link.
    std::filesystem::path target = path;
    if (std::filesystem::is_symlink(std::filesystem::symlink_status(path, missing))) {
        std::error_code code;
        target = std::filesystem::weakly_canonical(path, code);
        if (code) return systemError(path, "the file cannot be opened for writing", code.value());
    }
    auto file = TemporaryFile::create(target);
    if (!file) return file.error();
    if (auto written = file->write(content); !written) return written;
    return file->commit(TemporaryFile::Existing::Replace);
}

}  // namespace tracedeck
