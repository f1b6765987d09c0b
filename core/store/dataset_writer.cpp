// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/dataset_writer.h"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <map>
#include <string_view>
#include <utility>

#include "core/io/data_file.h"
#include "core/io/read_file.h"
#include "core/io/temporary_file.h"
#include "core/io/trace_writer.h"
#include "core/model/text.h"

namespace tracedeck {

namespace {

namespace fs = std::filesystem;

Error notInDataset(const char* what, const std::string& name)
{
    return {ErrorCode::NotFound, std::string("the dataset has no ") + what + " '" + toValidUtf8(name) + "'", {}, 0, what};
}

/// Names as folders and a file name; Error when one of them could lead elsewhere.
Result<fs::path> safePath(fs::path start, const std::vector<std::pair<const char*, std::string>>& names, const std::string& extension)
{
    for (std::size_t i = 0; i < names.size(); ++i) {
        const auto& [what, name] = names[i];
        if (!isSafePathComponent(name)) {
            return Error{ErrorCode::InvalidInput,
                         std::string("the ") + what + " '" + toValidUtf8(name) +
                             "' cannot be the name of a file or folder: it must not be empty, '.', '..', or contain '/', '\\' or NUL",
                         {}, 0, what};
        }
        start /= i + 1 == names.size() ? name + extension : name;
    }
    return start;
}

Result<std::string> workloadLine(const Trace& trace)
{
    if (!trace.isWorkloadTrace()) {
        return Error{ErrorCode::InvalidInput,
                     "a workload line has neither solution nor evaluation: flashinfer-bench gives up on a dataset over one that has", {}, 0, "solution"};
    }
    std::string line = writeLine(encodeTrace(trace));
    if (const auto read = decodeTrace(line, ReadMode::Strict); !read) {
        Error error = read.error();
        error.reason = "the workload is not stored, since other readers would refuse it: " + error.reason;
        return error;
    }
    return line;
}

/// Records of one file, to be appended in one write.
struct Batch {
    std::string text;
    std::vector<std::pair<std::size_t, std::size_t>> traces;   ///< (index in the call, offset in the text)
};

Result<void> forceToDisk(const DataFile& opened, const fs::path& path)
{
    if (::fsync(opened.file.get()) != 0 && errno != EINVAL) return systemError(path, "the file cannot be written to disk");
    if (opened.isNew && ::fsync(opened.folder.get()) != 0 && errno != EINVAL) return systemError(path, "the folder cannot be written to disk");
    return {};
}

/// Appends each batch to its file and tells where each trace went.
template <class Note>
Result<void> appendBatches(const fs::path& root, const std::map<fs::path, Batch>& batches, Note note)
{
    for (const auto& [file, batch] : batches) {
        const auto appended = appendLines(root, file, batch.text);
        if (!appended) return appended.error();
        for (const auto& [index, offset] : batch.traces) note(index, file, appended->byteOffset + offset);
        if (auto forced = forceToDisk(appended->opened, root / file); !forced) return forced;
    }
    return {};
}

void addToBatch(Batch& batch, std::size_t index, const std::string& line)
{
    batch.traces.emplace_back(index, batch.text.size());
    batch.text += line + "\n";
}

Error atIndex(Error error, std::size_t index)
{
    error.reason = fmt::format("trace {} of the batch: {}", index + 1, error.reason);
    return error;
}

/// The file of an item as a path below the root.
Result<fs::path> fileInRoot(const Dataset& dataset, const std::string& sourceFile, const char* what, const std::string& name)
{
    const fs::path relative = fs::path(sourceFile).lexically_relative(dataset.root());
    if (sourceFile.empty() || relative.empty() || *relative.begin() == "..") {
        return Error{ErrorCode::NotFound, std::string("the ") + what + " '" + name + "' has no file in the dataset", toValidUtf8(sourceFile), 0, {}};
    }
    return relative;
}

/// Rewrites the file of `loaded` when it still says what was loaded.
template <class Item, class Decode, class Encode>
Result<void> rewriteObject(const Dataset& dataset, const Item* loaded, const Item& changed, const char* what, Decode decode, Encode encode)
{
    if (loaded == nullptr) return notInDataset(what, changed.name);
    const std::string text = writeObjectFile(encode(changed));
    if (const auto read = decode(text, ReadMode::Strict); !read) {
        Error error = read.error();
        error.reason = std::string("the ") + what + " is not stored, since other readers would refuse it: " + error.reason;
        return error;
    }
    const auto file = fileInRoot(dataset, loaded->sourceFile, what, changed.name);
    if (!file) return file.error();
    const std::string expected = writeLine(encode(*loaded));
    return rewriteFile(dataset.root(), *file, FileKind::Object, [&](const std::string& present) -> Result<std::string> {
        const auto now = decode(present, ReadMode::Tolerant);
        if (now && writeLine(encode(now->value)) == expected) return text;
        return Error{ErrorCode::Conflict, "the file changed since the dataset was loaded; reload it and try again", loaded->sourceFile, 0, {}};
    });
}

/// Writes a new file that must not exist.
Result<fs::path> writeNew(const Dataset& dataset, const fs::path& relative, const std::string& text)
{
    const auto path = resolveBlobPath(dataset.root(), relative.string());   // refuses links that lead out of the dataset
    if (!path) return path.error();
    std::error_code code;
    fs::create_directories(path->parent_path(), code);
    if (code) return systemError(path->parent_path(), "the folder cannot be made", code.value());
    auto file = TemporaryFile::create(*path);
    if (!file) return file.error();
    if (const auto written = file->write(text); !written) return written.error();
    if (const auto stored = file->commit(TemporaryFile::Existing::Refuse); !stored) return stored.error();
    return *path;
}

template <class Item, class Decode>
Result<void> checkNew(const Item* known, const Item& item, const std::string& text, const char* what, Decode decode)
{
    if (known != nullptr) {
        return Error{ErrorCode::Conflict, std::string("the dataset has a ") + what + " '" + item.name + "' already", known->sourceFile, 0, "name"};
    }
    if (const auto read = decode(text, ReadMode::Strict); !read) {
        Error error = read.error();
        error.reason = std::string("the ") + what + " is not stored, since other readers would refuse it: " + error.reason;
        return error;
    }
    return {};
}

const auto kDecodeDefinition = [](std::string_view text, ReadMode mode) { return decodeDefinition(text, mode); };
const auto kDecodeSolution = [](std::string_view text, ReadMode mode) { return decodeSolution(text, mode); };

/// Where the line that begins at `begin` ends, and where the next one begins: at LF, CRLF or CR.
std::pair<std::size_t, std::size_t> lineEndAfter(const std::string& text, std::size_t begin)
{
    const std::size_t end = text.find_first_of("\r\n", begin);
    if (end == std::string::npos) return {text.size(), text.size()};
    const bool isPair = text[end] == '\r' && end + 1 < text.size() && text[end + 1] == '\n';
    return {end, end + (isPair ? 2 : 1)};
}

}  // namespace

Result<std::vector<Dataset::AddedTrace>> addTraces(const Dataset& dataset, const std::vector<Trace>& traces)
{
    std::map<fs::path, Batch> batches;
    for (std::size_t i = 0; i < traces.size(); ++i) {
        const Trace& trace = traces[i];
        const Definition* definition = dataset.findDefinition(trace.definition);
        if (definition == nullptr) return atIndex(notInDataset("definition", trace.definition), i);
        const auto line = resultLine(trace);
        if (!line) return atIndex(line.error(), i);
        const Solution* solution = dataset.findSolution(*trace.solution);
        if (solution == nullptr) return atIndex(notInDataset("solution", *trace.solution), i);
        const auto file = traceFilePath({}, solution->author, definition->opType, definition->name);
        if (!file) return atIndex(file.error(), i);
        addToBatch(batches[*file], i, *line);
    }
    std::vector<Dataset::AddedTrace> added(traces.size());
    const auto note = [&](std::size_t index, const fs::path& file, std::uint64_t offset) { added[index] = {traces[index], file, offset}; };
    if (const auto appended = appendBatches(dataset.root(), batches, note); !appended) return appended.error();
    return added;
}

Result<void> addWorkloadTraces(const Dataset& dataset, const std::vector<Trace>& traces)
{
    std::map<fs::path, Batch> batches;
    for (std::size_t i = 0; i < traces.size(); ++i) {
        const Definition* definition = dataset.findDefinition(traces[i].definition);
        if (definition == nullptr) return atIndex(notInDataset("definition", traces[i].definition), i);
        const auto line = workloadLine(traces[i]);
        if (!line) return atIndex(line.error(), i);
        const auto file = safePath("workloads", {{"op_type", definition->opType}, {"definition", definition->name}}, ".jsonl");
        if (!file) return atIndex(file.error(), i);
        addToBatch(batches[*file], i, *line);
    }
    return appendBatches(dataset.root(), batches, [](std::size_t, const fs::path&, std::uint64_t) {});
}

Result<std::string> addWorkloadBlobTensors(const Dataset& dataset, const std::string& definition, const std::string& uuid,
                                           const std::vector<TensorToWrite>& tensors)
{
    const Definition* found = dataset.findDefinition(definition);
    if (found == nullptr) return notInDataset("definition", definition);
    if (!isSafePathComponent(uuid)) {
        const auto refused = safePath({}, {{"uuid", uuid}}, {});
        if (!refused) return refused.error();
    }
    const auto file = safePath("blob/workloads", {{"op_type", found->opType}, {"definition", definition}, {"uuid", definition + "_" + uuid}}, ".safetensors");
    if (!file) return file.error();
    const auto path = resolveBlobPath(dataset.root(), file->generic_string());
    if (!path) return path.error();
    if (const auto written = writeSafetensors(*path, tensors); !written) return written.error();
    return file->generic_string();
}

Result<std::shared_ptr<const SafetensorsFile>> openWorkloadBlob(const Dataset& dataset, const std::string& path)
{
    const auto resolved = resolveBlobPath(dataset.root(), path);
    if (!resolved) return resolved.error();
    return SafetensorsFile::open(*resolved);
}

Result<fs::path> backupTraces(const fs::path& root, std::chrono::system_clock::time_point now)
{
    const std::time_t seconds = std::chrono::system_clock::to_time_t(now);
    std::tm local{};
    if (::localtime_r(&seconds, &local) == nullptr) return systemError(root, "the time of day cannot be told");
    const std::string base = fmt::format("traces_bak_{:%Y%m%d_%H%M%S}", local);
    const fs::path traces = root / "traces";
    constexpr int kMostOfOneSecond = 1000;
    for (int number = 1; number <= kMostOfOneSecond; ++number) {
        const fs::path backup = root / (number == 1 ? base : base + "_" + std::to_string(number));
        // Fails when the name is taken, whatever it is: nothing is ever moved into an older backup.
        bool isMade = ::renameat2(AT_FDCWD, traces.c_str(), AT_FDCWD, backup.c_str(), RENAME_NOREPLACE) == 0;
        if (!isMade && (errno == EINVAL || errno == ENOSYS) && !fs::exists(fs::symlink_status(backup))) {
            isMade = ::rename(traces.c_str(), backup.c_str()) == 0;
        }
        if (!isMade && errno == ENOENT) isMade = ::mkdir(backup.c_str(), 0777) == 0;
        if (!isMade && errno == EEXIST) continue;
        if (!isMade) return systemError(traces, "the folder cannot be moved to " + toValidUtf8(backup.filename().string()));
        if (::mkdir(traces.c_str(), 0777) != 0 && errno != EEXIST) return systemError(traces, "the folder cannot be made");
        if (const auto forced = syncFolder(root); !forced) return forced.error();
        return backup;
    }
    return Error{ErrorCode::Conflict, "no free name for the backup: " + base + " and its numbered forms are all taken", toValidUtf8(root.string()), 0, {}};
}

Result<fs::path> addDefinition(const Dataset& dataset, const Definition& definition)
{
    const std::string text = writeObjectFile(encodeDefinition(definition));
    if (const auto checked = checkNew(dataset.findDefinition(definition.name), definition, text, "definition", kDecodeDefinition); !checked) {
        return checked.error();
    }
    const auto file = safePath("definitions", {{"op_type", definition.opType}, {"definition", definition.name}}, ".json");
    if (!file) return file.error();
    return writeNew(dataset, *file, text);
}

Result<fs::path> addSolution(const Dataset& dataset, const Solution& solution)
{
    const Definition* definition = dataset.findDefinition(solution.definition);
    if (definition == nullptr) return notInDataset("definition", solution.definition);
    const std::string text = writeObjectFile(encodeSolution(solution));
    if (const auto checked = checkNew(dataset.findSolution(solution.name), solution, text, "solution", kDecodeSolution); !checked) return checked.error();
    const auto file = safePath(
        "solutions", {{"author", solution.author}, {"op_type", definition->opType}, {"definition", definition->name}, {"solution", solution.name}}, ".json");
    if (!file) return file.error();
    return writeNew(dataset, *file, text);
}

Result<void> rewriteDefinition(const Dataset& dataset, const Definition& changed)
{
    return rewriteObject(dataset, dataset.findDefinition(changed.name), changed, "definition", kDecodeDefinition, encodeDefinition);
}

Result<void> rewriteSolution(const Dataset& dataset, const Solution& changed)
{
    return rewriteObject(dataset, dataset.findSolution(changed.name), changed, "solution", kDecodeSolution, encodeSolution);
}

Result<void> rewriteWorkloads(const Dataset& dataset, const fs::path& file, const WorkloadEdit& edit)
{
    if (file.empty() || *file.begin() != "workloads") {
        return Error{ErrorCode::InvalidInput, "this is not a file below 'workloads'", toValidUtf8(file.string()), 0, {}};
    }
    return rewriteFile(dataset.root(), file, FileKind::Lines, [&edit](const std::string& present) -> Result<std::string> {
        std::string text;
        std::int64_t number = 0;
        for (std::size_t begin = 0; begin < present.size();) {
            const auto [end, next] = lineEndAfter(present, begin);
            const std::string_view whole(present.data() + begin, next - begin);
            const std::string_view record = trimWhitespace(std::string_view(present.data() + begin, end - begin));
            begin = next;
            ++number;
            const auto read = record.empty() ? Result<Decoded<Trace>>(Error{}) : decodeTrace(record, ReadMode::Tolerant);
            if (!read || !read->value.isWorkloadTrace()) {
                text += whole;   // not ours to judge
                continue;
            }
            const std::optional<Trace> changed = edit(read->value);
            if (!changed) continue;
            const std::string before = writeLine(encodeTrace(read->value));
            if (writeLine(encodeTrace(*changed)) == before) {
                text += whole;
                continue;
            }
            const auto line = workloadLine(*changed);
            if (!line) {
                Error error = line.error();
                error.line = number;
                return error;
            }
            text += *line + "\n";
        }
        return text;
    });
}

}  // namespace tracedeck
