// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/dataset_loader.h"

#include <algorithm>
#include <system_error>
#include <thread>

#include "core/io/json_codec.h"
#include "core/io/read_file.h"
#include "core/io/separate_sources.h"
#include "core/model/python_source.h"
#include "core/model/text.h"
#include "core/store/problem_folder_checks.h"

namespace tracedeck {

namespace {

/// Definitions and solutions are source text: nothing near this size is one.
constexpr std::uint64_t kMaximumObjectBytes = std::uint64_t{256} << 20U;
/// Files larger than two of these are read in parts.
constexpr std::uint64_t kPartBytes = std::uint64_t{8} << 20U;
/// Bits that a row has for the number of its file.
constexpr std::size_t kMaximumFiles = std::size_t{1} << 20U;

Problem problemOf(Severity severity, ErrorCode code, std::string reason, std::string file, std::string field = {})
{
    return Problem{severity, Error{code, std::move(reason), std::move(file), 0, std::move(field)}};
}

/// A file that has a record a line, and not an array of them (dialect §1.1: traces.json).
bool isCutIntoParts(const std::string& file)
{
    return file.ends_with(".jsonl");
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

}  // namespace

/// Collects what the lines of one part hold.
class DatasetLoader::PartSink : public TraceLineSink {
public:
    PartSink(LinePart& part, LoadProgress* progress) : m_part(part), m_progress(progress) {}
    ~PartSink() override { report(); }
    PartSink(const PartSink&) = delete;
    PartSink& operator=(const PartSink&) = delete;

    void onTrace(const TraceFields& fields, std::uint64_t byteOffset, std::int64_t line) override
    {
        m_part.traces.append(fields, TraceTable::makeLocation(m_part.fileIndex, byteOffset));
        if (!m_part.isTraceFolder) warn(line, "an evaluated trace stands in the workloads folder; it is read as a trace");
        if (++m_unreported == kReportEvery) report();
    }
    void onWorkload(Trace workload, std::int64_t line) override
    {
        m_part.workloads.push_back(std::move(workload));
        if (m_part.isTraceFolder) warn(line, "a workload stands in the traces folder; it is read as a workload");
    }
    void onProblem(Problem problem) override { m_part.problems.add(std::move(problem)); }

private:
    static constexpr std::uint64_t kReportEvery = 4096;

    void warn(std::int64_t line, const char* reason)
    {
        m_part.problems.add(Problem{Severity::Warning, Error{ErrorCode::InvalidInput, reason, {}, line, {}}});
    }
    void report()
    {
        if (m_progress != nullptr) m_progress->traces += m_unreported;
        m_unreported = 0;
    }

    LinePart& m_part;
    LoadProgress* m_progress;
    std::uint64_t m_unreported = 0;
};

DatasetLoader::DatasetLoader(std::filesystem::path root, std::stop_token stop, LoadProgress* progress, unsigned threads)
    : m_root(std::move(root)), m_stop(std::move(stop)), m_progress(progress),
      m_threads(threads != 0 ? threads : std::max(1U, std::thread::hardware_concurrency()))
{
}

Result<std::shared_ptr<const Dataset>> DatasetLoader::load()
{
    auto scanned = scanDataset(m_root, m_stop);
    if (!scanned) return scanned.error();
    auto dataset = std::make_shared<Dataset>();
    dataset->m_root = m_root;
    dataset->m_problems = std::move(scanned->problems);
    if (!scanned->hasDatasetFolder && scanned->problemFolders.empty()) {
        dataset->m_problems.push_back(problemOf(
            Severity::Warning, ErrorCode::InvalidInput,
            "no dataset is in this folder: none of the folders definitions, solutions, workloads and traces is here. A dataset "
            "has definitions/<op_type>/<name>.json, solutions/<author>/<op_type>/<definition>/<name>.json, "
            "workloads/<op_type>/<definition>.jsonl and traces/<author>/<op_type>/<definition>.jsonl, or folders "
            "<subset>/<problem> with a definition.json each, as SOL-ExecBench has them",
            toValidUtf8(m_root.string())));
    }

    m_definitionParts.resize(scanned->definitions.size());
    m_solutionParts.resize(scanned->solutions.size());
    planLines(scanned->workloads, false);
    planLines(scanned->traces, true);
    if (m_progress != nullptr) {
        m_progress->filesTotal = scanned->definitions.size() + scanned->solutions.size() + m_lineFiles.size();
    }

    const ReadPlace place{scanned->dialect(), {}};
    std::vector<std::function<void()>> definitionTasks;
    for (std::size_t i = 0; i < m_definitionParts.size(); ++i) {
        definitionTasks.emplace_back([this, i, &scanned, &place] {
            readObject(scanned->definitions[i], m_definitionParts[i],
                       [&place](std::string_view text) { return decodeDefinition(text, ReadMode::Tolerant, place); });
        });
    }
    std::vector<std::function<void()>> tasks;
    tasks.reserve(m_definitionParts.size() + m_solutionParts.size() + m_lineParts.size());
    // The long ones first.
    for (LinePart& part : m_lineParts) tasks.emplace_back([this, &part] { readLines(part); });
    for (std::size_t i = 0; i < m_solutionParts.size(); ++i) {
        tasks.emplace_back([this, i, &scanned, &place] { readSolution(scanned->solutions[i], m_solutionParts[i], place); });
    }
    if (scanned->problemFolders.empty()) {
        std::move(definitionTasks.begin(), definitionTasks.end(), std::back_inserter(tasks));
    } else {
        runTasks(definitionTasks);   // the lines of a problem folder do not say whose they are
    }
    placeLines(*scanned);
    runTasks(tasks);
    labelDefinitions(*scanned);
    if (m_stop.stop_requested()) {
        return Error{ErrorCode::Cancelled, "loading was cancelled", toValidUtf8(m_root.string()), 0, {}};
    }
    addDefinitions(*dataset);
    addSolutions(*dataset);
    addLines(*dataset);
    warnOfUnknownDefinitions(*dataset);
    if (!scanned->problemFolders.empty()) {
        auto findings = checkProblemFolders(*dataset);
        std::move(findings.begin(), findings.end(), std::back_inserter(dataset->m_problems));
    }
    return std::shared_ptr<const Dataset>(std::move(dataset));
}

void DatasetLoader::planLines(const std::vector<std::string>& files, bool isTraceFolder)
{
    for (const std::string& file : files) {
        std::error_code code;
        std::uint64_t size = std::filesystem::file_size(m_root / file, code);
        if (code) size = 0;   // reading it will say why
        LinePart part;
        part.file = file;
        part.fileIndex = static_cast<std::uint32_t>(m_lineFiles.size());
        part.isFirst = true;
        part.isTraceFolder = isTraceFolder;
        m_lineFiles.emplace_back(file);
        while (isCutIntoParts(file) && size - part.range.begin > 2 * kPartBytes) {
            part.range.end = part.range.begin + kPartBytes;
            m_lineParts.push_back(part);
            part.range = ByteRange{part.range.end, ByteRange{}.end};
            part.isFirst = false;
        }
        m_lineParts.push_back(std::move(part));
    }
}

void DatasetLoader::runTasks(std::vector<std::function<void()>>& tasks)
{
    std::atomic<std::size_t> next{0};
    const auto work = [&] {
        for (std::size_t i = next++; i < tasks.size() && !m_stop.stop_requested(); i = next++) tasks[i]();
    };
    std::vector<std::jthread> threads;
    const std::size_t wanted = std::min<std::size_t>(m_threads, tasks.size());
    for (std::size_t i = 1; i < wanted; ++i) threads.emplace_back(work);
    work();
}

template <class Item, class Decode>
void DatasetLoader::readObject(const std::string& file, ObjectPart<Item>& part, Decode decode)
{
    const std::string path = displayPath(file);
    const auto fail = [&](Error error) {
        if (error.file.empty()) error.file = path;
        part.problems.push_back(Problem{Severity::Error, std::move(error)});
    };
    try {
        const auto text = readWholeFile(m_root / file, kMaximumObjectBytes);
        if (!text) {
            fail(text.error());
        } else if (auto decoded = decode(*text)) {
            part.item = std::make_shared<Item>(std::move(decoded->value));
            part.item->sourceFile = path;
            part.problems = std::move(decoded->warnings);
            for (Problem& problem : part.problems) problem.error.file = path;
        } else {
            fail(decoded.error());
        }
    } catch (const std::exception& error) {
        part.item.reset();
        fail(Error{ErrorCode::Io, std::string("the file cannot be read: ") + error.what(), path, 0, {}});
    }
    if (m_progress != nullptr) ++m_progress->filesDone;
}

void DatasetLoader::readLines(LinePart& part)
{
    const auto fail = [&part](Error error) { part.problems.add(Problem{Severity::Error, std::move(error)}); };
    try {
        if (!part.leftOutReason.empty()) {
            fail(Error{ErrorCode::Conflict, part.leftOutReason, {}, 0, {}});
        } else if (part.fileIndex >= kMaximumFiles) {
            fail(Error{ErrorCode::Unsupported, "the dataset has more than 1048576 files of lines; this one is not read", {}, 0, {}});
        } else {
            PartSink sink(part, m_progress);
            const auto lines = isCutIntoParts(part.file) ? readTraceLines(m_root / part.file, part.range, sink, m_stop, part.place)
                                                         : readTraceDocument(m_root / part.file, sink, m_stop, part.place);
            if (lines) {
                part.lines = *lines;
            } else if (lines.error().code != ErrorCode::Cancelled) {
                fail(lines.error());
            }
        }
    } catch (const std::exception& error) {
        fail(Error{ErrorCode::Io, std::string("the file cannot be read: ") + error.what(), {}, 0, {}});
    }
    if (m_progress != nullptr && part.isFirst) ++m_progress->filesDone;
}

void DatasetLoader::readSolution(const std::string& file, ObjectPart<Solution>& part, const ReadPlace& place)
{
    readObject(file, part, [&](std::string_view text) {
        auto decoded = decodeSolution(text, ReadMode::Tolerant, place);
        if (!decoded) return decoded;
        if (auto sources = readSeparateSources(decoded->value, (m_root / file).parent_path()); !sources) {
            return Result<Decoded<Solution>>(sources.error());
        }
        return decoded;
    });
}

/// A definition without an op_type gets a label from where it lies.
void DatasetLoader::labelDefinitions(const ScannedFiles& scanned)
{
    for (std::size_t i = 0; i < m_definitionParts.size(); ++i) {
        Definition* definition = m_definitionParts[i].item.get();
        if (definition == nullptr) continue;
        const ProblemFolder* folder = scanned.problemFolderOf(scanned.definitions[i]);
        if (folder != nullptr && !folder->configFile.empty()) definition->configFile = displayPath(folder->configFile);
        if (definition->opTypeGiven) continue;
        // definitions/<op_type>/<name>.json
        const std::string inFolder = scanned.definitions[i].substr(scanned.definitions[i].find('/') + 1);
        const std::size_t slash = inFolder.find('/');
        definition->opType = folder != nullptr ? folder->label : slash == std::string::npos ? kUngroupedLabel : inFolder.substr(0, slash);
    }
}

/// Says for each file of lines whose rules hold in it, and whose workloads stand in it when they do not say so themselves.
void DatasetLoader::placeLines(const ScannedFiles& scanned)
{
    struct Named {
        std::string definition;
        std::string leftOutReason;
    };
    std::map<std::string, Named> byFolder;
    std::map<std::string, const std::string*> firstFolderOf;
    for (std::size_t i = 0; i < scanned.problemFolders.size(); ++i) {
        const std::string& folder = scanned.problemFolders[i].path;
        const Definition* definition = m_definitionParts[i].item.get();
        // The workloads of a definition that cannot be read are kept under the name of its folder.
        Named named{definition != nullptr ? definition->name : (m_root / folder / "").lexically_normal().parent_path().filename().string(), {}};
        const auto [first, isNew] = firstFolderOf.try_emplace(named.definition, &folder);
        if (!isNew) {
            named.leftOutReason = "the definition '" + named.definition + "' of this folder was read from " +
                                  displayPath(*first->second) + " already: both are left out here";
        }
        byFolder.emplace(folder, std::move(named));
    }
    for (LinePart& part : m_lineParts) {
        part.place.dialect = scanned.dialect();
        part.place.definition = std::filesystem::path(part.file).stem().string();
        const ProblemFolder* folder = scanned.problemFolderOf(part.file);
        if (folder == nullptr) continue;
        const Named& named = byFolder.at(folder->path);
        part.place.definition = named.definition;
        if (!part.isTraceFolder) part.leftOutReason = named.leftOutReason;
    }
}

void DatasetLoader::addDefinitions(Dataset& dataset)
{
    for (auto& [definition, problems] : m_definitionParts) {
        std::move(problems.begin(), problems.end(), std::back_inserter(dataset.m_problems));
        if (!definition) continue;
        const auto [first, isNew] = dataset.m_definitionByName.try_emplace(definition->name, definition.get());
        if (!isNew) {
            dataset.m_problems.push_back(problemOf(Severity::Error, ErrorCode::Conflict,
                                                   "a definition named '" + definition->name + "' was read from " +
                                                       first->second->sourceFile + " already; this one is left out",
                                                   definition->sourceFile, "name"));
            continue;
        }
        dataset.m_definitions.push_back(std::move(definition));
    }
}

void DatasetLoader::addSolutions(Dataset& dataset)
{
    for (auto& [solution, problems] : m_solutionParts) {
        std::move(problems.begin(), problems.end(), std::back_inserter(dataset.m_problems));
        if (!solution) continue;
        const auto [first, isNew] = dataset.m_solutionByName.try_emplace(solution->name, solution.get());
        if (!isNew) {
            dataset.m_problems.push_back(problemOf(Severity::Error, ErrorCode::Conflict,
                                                   "a solution named '" + solution->name + "' was read from " +
                                                       first->second->sourceFile + " already; this one is left out",
                                                   solution->sourceFile, "name"));
            continue;
        }
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
        dataset.m_solutions.push_back(std::move(solution));
    }
}

void DatasetLoader::addLines(Dataset& dataset)
{
    std::vector<const TraceTable*> tables;
    for (const LinePart& part : m_lineParts) tables.push_back(&part.traces);
    dataset.m_traces.reserveFor(tables);
    std::map<std::string, std::vector<Trace>> workloads;
    ProblemList problems;
    std::int64_t linesBefore = 0;
    for (std::size_t i = 0; i < m_lineParts.size(); ++i) {
        LinePart& part = m_lineParts[i];
        dataset.m_traces.append(part.traces);
        part.traces = TraceTable();
        for (Trace& workload : part.workloads) {
            // The key is copied before the trace is moved from.
            const std::string definition = workload.definition;
            workloads[definition].push_back(std::move(workload));
        }
        problems.append(std::move(part.problems), linesBefore);
        linesBefore += part.lines;
        if (i + 1 == m_lineParts.size() || m_lineParts[i + 1].isFirst) {
            auto taken = std::move(problems).take(displayPath(part.file));
            std::move(taken.begin(), taken.end(), std::back_inserter(dataset.m_problems));
            problems = ProblemList();
            linesBefore = 0;
        }
    }
    dataset.m_workloads = std::make_shared<const std::map<std::string, std::vector<Trace>>>(std::move(workloads));
    dataset.m_traceFiles = std::move(m_lineFiles);
    dataset.m_traces.share();
    dataset.indexTraces(0);
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

std::string DatasetLoader::displayPath(const std::string& file) const
{
    return toValidUtf8((m_root / file).string());
}

}  // namespace tracedeck
