// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/trace_writer.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <condition_variable>
#include <map>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>

#include "core/io/data_file.h"
#include "core/io/json_codec.h"
#include "core/io/read_file.h"
#include "core/io/temporary_file.h"
#include "core/model/name_rules.h"
#include "core/model/text.h"

namespace tracedeck {

namespace {

constexpr std::chrono::seconds kSyncInterval{1};

}  // namespace

Result<std::string> resultLine(const Trace& trace, Dialect dialect)
{
    if (!trace.solution || trace.solution->empty() || !trace.evaluation) {
        return Error{ErrorCode::InvalidInput, "only a trace with a solution and an evaluation can be stored as a result", {}, 0, "evaluation"};
    }
    std::string line = writeLine(encodeTrace(trace));
    if (const auto read = decodeTrace(line, ReadMode::Strict, {dialect, {}}); !read) {
        Error error = read.error();
        error.reason = "the result is not stored, since other readers would refuse it: " + error.reason;
        return error;
    }
    return line;
}

struct TraceWriter::State {
    std::filesystem::path root;
    std::mutex appendMutex;    ///< one append at a time
    std::mutex mutex;          ///< guards what follows
    std::condition_variable_any wake;
    std::map<std::filesystem::path, FileDescriptor> unsynced;   ///< files and folders
    std::optional<Error> syncError;
    std::mutex syncMutex;      ///< held while files are forced to disk
    std::jthread syncThread;   ///< last: stops before the rest is gone

    void noteUnsynced(DataFile opened, const std::filesystem::path& path)
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
    return fileNameFault(name).empty();
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
    const auto file = traceFilePath({}, author, opType, trace.definition);
    return file ? append(trace, *file, Dialect::FlashInferTrace) : Result<Appended>(file.error());
}

Result<TraceWriter::Appended> TraceWriter::append(const Trace& trace, const std::filesystem::path& file, Dialect dialect)
{
    const auto line = resultLine(trace, dialect);
    if (!line) return line.error();
    const std::filesystem::path path = m_state->root / file;
    const std::lock_guard appendLock(m_state->appendMutex);
    std::error_code missing;
    if (!std::filesystem::is_directory(m_state->root, missing)) {
        // Anew it would hold nothing but this line, and hide that the rest is gone.
        return Error{ErrorCode::NotFound, "the dataset's folder is not there any more; put it back and finish the run with --resume", toValidUtf8(m_state->root.string()), 0, {}};
    }
    auto appended = appendLines(m_state->root, file, *line + "\n");
    if (!appended) return appended.error();
    m_state->noteUnsynced(std::move(appended->opened), path);
    return Appended{path, appended->byteOffset};
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
