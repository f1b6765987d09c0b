// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/dataset_loader.h"

#include <algorithm>
#include <functional>
#include <string_view>
#include <utility>

#include "core/io/json_codec.h"
#include "core/io/read_file.h"
#include "core/io/separate_sources.h"
#include "core/model/name_rules.h"
#include "core/model/python_source.h"
#include "core/model/text.h"
#include "core/store/parallel.h"
#include "core/store/problem_folder_checks.h"

namespace tracedeck {

namespace {

/// Definitions and solutions are source text: nothing near this size is one.
constexpr std::uint64_t kMaximumObjectBytes = std::uint64_t{256} << 20U;

Problem problemOf(Severity severity, ErrorCode code, std::string reason, std::string file, std::string field = {})
{
    return Problem{severity, Error{code, std::move(reason), std::move(file), 0, std::move(field)}};
}

/// Old solutions returned their outputs and did not say so; today's default is the other way round.
bool looksValueReturning(const Solution& solution, const Definition& definition)
{
    const bool isPython = solution.spec.language == Language::Python || solution.spec.language == Language::Triton ||
                          solution.spec.language == Language::TileLang;
    if (solution.spec.destinationPassingStyleGiven || !isPython || definition.outputs.empty()) return false;
    for (const SourceFile& source : solution.sources) {
        if (source.path != solution.spec.entryFile()) continue;
        const auto count = parameterCount(source.content, solution.spec.entrySymbol());
        return count && *count == static_cast<int>(definition.inputs.size());
    }
    return false;
}

/// A name that no file can have, or that does not show as what it is, is loaded as it stands: nothing is lost, and a user should know.
void warnOfName(std::vector<Problem>& problems, const char* field, const std::string& name, const std::string& file)
{
    if (const std::string fault = fileNameFault(name); !fault.empty()) {
        problems.push_back(problemOf(Severity::Warning, ErrorCode::InvalidInput,
                                     "'" + name + "' cannot be the name of a file or folder, because it " + fault +
                                         ": no result can be stored under it; give it another name, here and wherever it is named",
                                     file, field));
    } else if (const std::string shown = displayFault(name); !shown.empty()) {
        problems.push_back(problemOf(Severity::Warning, ErrorCode::InvalidInput,
                                     "'" + name + "' does not show as what it is, because it " + shown +
                                         ": it may pass for another name; give it another one, here and wherever it is named",
                                     file, field));
    }
}

template <class Item>
struct DecodedObject {
    Result<Decoded<Item>> decoded;
    bool readsOtherFiles = false;   ///< what comes out depends on more than the text
};

DecodedObject<Solution> decodeWithSources(std::string_view text, const std::filesystem::path& file, const ReadPlace& place)
{
    DecodedObject<Solution> object{decodeSolution(text, ReadMode::Tolerant, place)};
    if (!object.decoded) return object;
    Solution& solution = object.decoded->value;
    object.readsOtherFiles = std::any_of(solution.sources.begin(), solution.sources.end(), [](const SourceFile& source) { return source.isSeparateFile; });
    if (auto sources = readSeparateSources(solution, file.parent_path()); !sources) object.decoded = sources.error();
    return object;
}

/// Of two items that were read from the same text.
bool hasSameSources(const Definition&, const Definition&)
{
    return true;
}

bool hasSameSources(const Solution& a, const Solution& b)
{
    return std::equal(a.sources.begin(), a.sources.end(), b.sources.begin(), b.sources.end(),
                      [](const SourceFile& left, const SourceFile& right) { return left.content == right.content; });
}

}  // namespace

DatasetLoader::DatasetLoader(std::filesystem::path root, std::shared_ptr<const Dataset> old, std::stop_token stop,
                             LoadProgress* progress, unsigned threads)
    : m_root(std::move(root)), m_old(std::move(old)), m_oldRecord(m_old ? m_old->m_record.get() : nullptr),
      m_stop(std::move(stop)), m_progress(progress), m_threads(threads != 0 ? threads : defaultThreads())
{
}

Result<std::shared_ptr<const Dataset>> DatasetLoader::load()
{
    auto scanned = scanDataset(m_root, m_stop);
    if (!scanned) return scanned.error();
    auto dataset = std::make_shared<Dataset>();
    dataset->m_root = m_root;
    dataset->m_problems = std::move(scanned->problems);
    dataset->m_scanProblems = dataset->m_problems;
    if (!scanned->problemFolders.empty() || (m_oldRecord != nullptr && m_oldRecord->hasProblemFolders)) {
        m_old.reset();
        m_oldRecord = nullptr;
    }

    planLines(scanned->workloads, false);
    planLines(scanned->traces, true);
    if (m_progress != nullptr) {
        m_progress->filesTotal += scanned->definitions.size() + scanned->solutions.size() + m_lineFiles.size();
    }
    parallelFor(m_lineFiles.size(), m_threads, [this](std::size_t i) { planReading(m_lineFiles[i]); }, m_stop);

    const ReadPlace place{scanned->dialect(), {}};
    std::vector<std::function<void()>> definitionTasks;
    planObjects(m_definitions, scanned->definitions, m_oldRecord ? &m_oldRecord->definitions : nullptr,
                [this, &scanned, &place](const std::string& file, std::string_view text) {
                    auto decoded = decodeDefinition(text, ReadMode::Tolerant, place);
                    if (decoded) labelDefinition(decoded->value, file, *scanned, m_root);
                    return DecodedObject<Definition>{std::move(decoded)};
                },
                definitionTasks);
    if (!scanned->problemFolders.empty()) {
        runTasks(definitionTasks);   // the lines of a problem folder do not say whose they are
        definitionTasks.clear();
    }
    placeLines(*scanned);
    std::vector<std::function<void()>> tasks;
    // The long ones first.
    for (LineFile& file : m_lineFiles) addReadingTasks(file, tasks);
    std::move(definitionTasks.begin(), definitionTasks.end(), std::back_inserter(tasks));
    planObjects(m_solutions, scanned->solutions, m_oldRecord ? &m_oldRecord->solutions : nullptr,
                [this, &place](const std::string& file, std::string_view text) { return decodeWithSources(text, m_root / file, place); }, tasks);
    runTasks(tasks);
    if (m_stop.stop_requested()) {
        return Error{ErrorCode::Cancelled, "loading was cancelled", toValidUtf8(m_root.string()), 0, {}};
    }
    if (isNothingNew() && dataset->m_scanProblems == m_old->m_scanProblems) return m_old;
    addDefinitions(*dataset);
    addSolutions(*dataset);
    addLines(*dataset);
    warnOfUnknownDefinitions(*dataset);
    if (!scanned->problemFolders.empty()) {
        auto findings = checkProblemFolders(*dataset);
        std::move(findings.begin(), findings.end(), std::back_inserter(dataset->m_problems));
    }
    auto record = makeRecord();
    record->hasProblemFolders = !scanned->problemFolders.empty();
    dataset->m_record = std::move(record);
    return std::shared_ptr<const Dataset>(std::move(dataset));
}

template <class Item, class Decode>
void DatasetLoader::planObjects(std::vector<ObjectFile<Item>>& objects, const std::vector<std::string>& files,
                                const std::unordered_map<std::string, ObjectRecord<Item>>* old, Decode decode,
                                std::vector<std::function<void()>>& tasks)
{
    objects.resize(files.size());
    tasks.reserve(tasks.size() + files.size());
    for (std::size_t i = 0; i < files.size(); ++i) {
        objects[i].file = files[i];
        if (old != nullptr) {
            if (const auto known = old->find(files[i]); known != old->end()) objects[i].record = known->second;
        }
        tasks.emplace_back([this, &object = objects[i], decode] { readObject(object, decode); });
    }
}

void DatasetLoader::planLines(const std::vector<std::string>& files, bool isTraceFolder)
{
    m_lineFiles.reserve(m_lineFiles.size() + files.size());
    for (const std::string& file : files) {
        LineFile& added = m_lineFiles.emplace_back();
        added.file = file;
        added.isTraceFolder = isTraceFolder;
        if (m_oldRecord == nullptr) continue;
        if (const auto known = m_oldRecord->lineFiles.find(file); known != m_oldRecord->lineFiles.end()) added.old = &known->second;
    }
}

void DatasetLoader::placeLines(const ScannedFiles& scanned)
{
    std::vector<const Definition*> definitions;
    definitions.reserve(m_definitions.size());
    for (const ObjectFile<Definition>& file : m_definitions) definitions.push_back(file.record.item.get());
    const LinePlaces places(scanned, m_root, definitions);
    for (LineFile& file : m_lineFiles) file.place = places.of(file.file, file.isTraceFolder);
}

/// Decides what has to be read of a file.
void DatasetLoader::planReading(LineFile& file) const
{
    file.stamp = stampOf(m_root / file.file);   // without one, reading it will say why
    const LineFileRecord* old = file.old != nullptr ? file.old->record.get() : nullptr;
    std::uint64_t begin = 0;
    if (file.stamp && old != nullptr && old->stamp) {
        if (file.stamp->isUnchangedSince(*old->stamp)) {
            const bool isOverdue = old->isOpenLinePending && ageNs(*file.stamp) >= m_limits.openLineNs;
            if (!isOverdue) {
                file.reading = LineFile::Reading::Kept;
                return;
            }
        } else if (file.stamp->isSameFileAs(*old->stamp) && file.stamp->size > old->stamp->size &&
                   old->resumeAt > m_limits.wholeFileBytes && !old->bytesBeforeResume.empty()) {
            const auto opened = openForReading(m_root / file.file);
            std::string bytes(old->bytesBeforeResume.size(), '\0');
            if (opened) {
                const auto got = readAt(opened->descriptor, m_root / file.file, bytes.data(), bytes.size(), old->resumeAt - bytes.size());
                if (got && *got == bytes.size() && bytes == old->bytesBeforeResume) {
                    file.reading = LineFile::Reading::Resumed;
                    begin = old->resumeAt;
                }
            }
        }
    }
    const std::uint64_t size = file.stamp ? file.stamp->size : 0;
    LinePart part;
    part.range.begin = begin;
    while (isReadByLines(file.file) && size > part.range.begin + 2 * m_limits.partBytes) {
        part.range.end = part.range.begin + m_limits.partBytes;
        file.parts.push_back(part);
        part.range = ByteRange{part.range.end, ByteRange{}.end};
    }
    file.parts.push_back(std::move(part));
}

void DatasetLoader::addReadingTasks(LineFile& file, std::vector<std::function<void()>>& tasks)
{
    if (file.reading == LineFile::Reading::Kept) {
        if (m_progress != nullptr) {
            ++m_progress->filesDone;
            m_progress->traces += file.old->record->rows;
        }
        return;
    }
    const auto leaveOut = [&file](ErrorCode code, std::string reason) {
        file.parts.front().problems.add(Problem{Severity::Error, Error{code, std::move(reason), {}, 0, {}}});
        file.parts.resize(1);
    };
    if (!file.place.leftOutReason.empty()) {
        leaveOut(ErrorCode::Conflict, file.place.leftOutReason);
        return;
    }
    if (static_cast<std::size_t>(&file - m_lineFiles.data()) >= kMaximumLineFiles) {
        leaveOut(ErrorCode::Unsupported, "the dataset has more than 1048576 files of lines; this one is not read");
        return;
    }
    for (LinePart& part : file.parts) {
        tasks.emplace_back([this, &file, &part] {
            const std::uint64_t end = std::min(part.range.end, file.stamp ? file.stamp->size : 0);
            auto memory = m_memories.take();
            readLinePart(LineSource{m_root / file.file, file.isTraceFolder, file.place.readPlace}, part, end - std::min(end, part.range.begin),
                         *memory, m_stop, m_progress != nullptr ? &m_progress->traces : nullptr);
            m_memories.giveBack(std::move(memory));
            if (m_progress != nullptr && &part == &file.parts.front()) ++m_progress->filesDone;
        });
    }
}

std::unique_ptr<TraceReaderMemory> DatasetLoader::ReaderMemories::take()
{
    const std::scoped_lock lock(m_mutex);
    if (m_free.empty()) return std::make_unique<TraceReaderMemory>();
    auto memory = std::move(m_free.back());
    m_free.pop_back();
    return memory;
}

void DatasetLoader::ReaderMemories::giveBack(std::unique_ptr<TraceReaderMemory> memory)
{
    const std::scoped_lock lock(m_mutex);
    m_free.push_back(std::move(memory));
}

void DatasetLoader::runTasks(const std::vector<std::function<void()>>& tasks)
{
    parallelFor(tasks.size(), m_threads, [&tasks](std::size_t i) { tasks[i](); }, m_stop);
}

template <class Item, class Decode>
void DatasetLoader::readObject(ObjectFile<Item>& object, Decode decode)
{
    const std::filesystem::path path = m_root / object.file;
    const std::string shown = toValidUtf8(path.native());   // as displayPath() has it
    ObjectRecord<Item>& record = object.record;
    const auto stamp = stampOf(path);
    if (m_progress != nullptr) ++m_progress->filesDone;
    if (stamp && record.stamp && !record.readsOtherFiles && stamp->isUnchangedSince(*record.stamp)) {
        object.isKept = true;
        return;
    }
    const auto fail = [&](Error error) {
        record = {};
        if (error.file.empty()) error.file = shown;
        record.problems.push_back(Problem{Severity::Error, std::move(error)});
    };
    try {
        const auto text = readWholeFile(path, kMaximumObjectBytes);
        if (!text) {
            fail(text.error());
            return;
        }
        const std::size_t hash = std::hash<std::string_view>()(*text);
        const bool isSameText = record.stamp && record.contentHash == hash && record.stamp->size == text->size();
        if (!isSameText || record.readsOtherFiles) {
            const ObjectRecord<Item> before = std::exchange(record, {});
            auto [decoded, readsOtherFiles] = decode(object.file, *text);
            if (decoded) {
                auto item = std::make_shared<Item>(std::move(decoded->value));
                item->sourceFile = shown;
                if (isSameText && before.item && hasSameSources(*before.item, *item)) record.item = before.item;
                else record.item = std::move(item);
                record.problems = std::move(decoded->warnings);
                for (Problem& problem : record.problems) problem.error.file = shown;
            } else {
                fail(decoded.error());
            }
            record.readsOtherFiles = readsOtherFiles;
        }
        record.contentHash = hash;
        record.stamp = stamp;
    } catch (const std::exception& error) {
        fail(Error{ErrorCode::Io, std::string("the file cannot be read: ") + error.what(), shown, 0, {}});
    }
}

void DatasetLoader::addDefinitions(Dataset& dataset)
{
    for (const ObjectFile<Definition>& file : m_definitions) {
        const auto& definition = file.record.item;
        const auto& problems = file.record.problems;
        dataset.m_problems.insert(dataset.m_problems.end(), problems.begin(), problems.end());
        if (!definition) continue;
        const auto [first, isNew] = dataset.m_definitionByName.try_emplace(definition->name, definition.get());
        if (!isNew) {
            dataset.m_problems.push_back(problemOf(Severity::Error, ErrorCode::Conflict,
                                                   "a definition named '" + definition->name + "' was read from " +
                                                       first->second->sourceFile + " already; this one is left out",
                                                   definition->sourceFile, "name"));
            continue;
        }
        warnOfName(dataset.m_problems, "name", definition->name, definition->sourceFile);
        warnOfName(dataset.m_problems, "op_type", definition->opType, definition->sourceFile);
        dataset.m_definitions.push_back(definition);
    }
}

void DatasetLoader::addSolutions(Dataset& dataset)
{
    for (const ObjectFile<Solution>& file : m_solutions) {
        const auto& solution = file.record.item;
        const auto& problems = file.record.problems;
        dataset.m_problems.insert(dataset.m_problems.end(), problems.begin(), problems.end());
        if (!solution) continue;
        const auto [first, isNew] = dataset.m_solutionByName.try_emplace(solution->name, solution.get());
        if (!isNew) {
            dataset.m_problems.push_back(problemOf(Severity::Error, ErrorCode::Conflict,
                                                   "a solution named '" + solution->name + "' was read from " +
                                                       first->second->sourceFile + " already; this one is left out",
                                                   solution->sourceFile, "name"));
            continue;
        }
        warnOfName(dataset.m_problems, "name", solution->name, solution->sourceFile);
        warnOfName(dataset.m_problems, "author", solution->author, solution->sourceFile);
        dataset.m_solutionsByDefinition[solution->definition].push_back(solution.get());
        const Definition* definition = dataset.findDefinition(solution->definition);
        if (definition == nullptr) {
            dataset.m_problems.push_back(problemOf(Severity::Warning, ErrorCode::NotFound,
                                                   "the definition '" + solution->definition + "' is not in the dataset",
                                                   solution->sourceFile, "definition"));
        } else if (looksValueReturning(*solution, *definition)) {
            dataset.m_problems.push_back(problemOf(
                Severity::Warning, ErrorCode::InvalidInput,
                "the flag is missing and read as true, but the entry function takes only the inputs: it probably returns its "
                "outputs, as old solutions do. Add \"destination_passing_style\": false",
                solution->sourceFile, "spec.destination_passing_style"));
        }
        dataset.m_solutions.push_back(solution);
    }
}

void DatasetLoader::warnOfUnknownDefinitions(Dataset& dataset) const
{
    const auto warn = [&dataset](const std::string& definition, std::size_t count, const char* what, const std::string& file) {
        if (dataset.findDefinition(definition) != nullptr) return;
        dataset.m_problems.push_back(problemOf(Severity::Warning, ErrorCode::NotFound,
                                               std::to_string(count) + " " + what + " name the definition '" + definition +
                                                   "', which is not in the dataset",
                                               file, "definition"));
    };
    for (const auto& [definition, workloads] : *dataset.m_workloads) {
        warn(definition, workloads.size(), "workloads", toValidUtf8(m_root.string()));
    }
    std::map<std::string, const std::vector<std::uint32_t>*> sorted;
    for (const auto& [definition, rows] : dataset.m_rowsByDefinition) sorted.emplace(definition, rows.get());
    for (const auto& [definition, rows] : sorted) {
        warn(definition, rows->size(), "traces", displayPath(dataset.traceFile(rows->front()).string()));
    }
}

std::shared_ptr<LoadRecord> DatasetLoader::makeRecord()
{
    auto record = std::make_shared<LoadRecord>();
    record->definitions.reserve(m_definitions.size());
    for (auto& file : m_definitions) record->definitions.emplace(std::move(file.file), std::move(file.record));
    record->solutions.reserve(m_solutions.size());
    for (auto& file : m_solutions) record->solutions.emplace(std::move(file.file), std::move(file.record));
    record->lineFiles.reserve(m_lineFiles.size());
    for (auto& file : m_lineFiles) record->lineFiles.emplace(std::move(file.file), std::move(file.placed));
    return record;
}

/// Whether every file is one of the old snapshot and was not even looked into.
bool DatasetLoader::isNothingNew() const
{
    if (m_oldRecord == nullptr || m_definitions.size() != m_oldRecord->definitions.size() ||
        m_solutions.size() != m_oldRecord->solutions.size() || m_lineFiles.size() != m_oldRecord->lineFiles.size()) {
        return false;
    }
    const auto isKept = [](const auto& file) { return file.isKept; };
    return std::all_of(m_definitions.begin(), m_definitions.end(), isKept) &&
           std::all_of(m_solutions.begin(), m_solutions.end(), isKept) &&
           std::all_of(m_lineFiles.begin(), m_lineFiles.end(),
                       [](const LineFile& file) { return file.reading == LineFile::Reading::Kept; });
}

std::string DatasetLoader::displayPath(const std::string& file) const
{
    return toValidUtf8((m_root / file).string());
}

}  // namespace tracedeck
