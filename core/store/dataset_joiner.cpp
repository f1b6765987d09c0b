// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/dataset_joiner.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <iterator>
#include <set>
#include <tuple>
#include <utility>

#include "core/io/json_codec.h"
#include "core/model/text.h"
#include "core/store/load_record.h"
#include "core/store/parallel.h"
#include "core/store/same_content.h"

namespace tracedeck {

namespace {

namespace fs = std::filesystem;

std::string lastParts(const fs::path& path, std::size_t count)
{
    fs::path end;
    for (fs::path rest = path; count > 0 && rest.has_relative_path(); --count, rest = rest.parent_path()) {
        end = end.empty() ? rest.filename() : rest.filename() / end;
    }
    return toValidUtf8(end.string());
}

fs::path plainRoot(const Dataset& dataset)
{
    const fs::path root = fs::absolute(dataset.root()).lexically_normal();
    return root.has_filename() ? root : root.parent_path();
}

std::string leftOutText(std::size_t count, const std::string& reason)
{
    return std::to_string(count) + (count == 1 ? " trace is" : " traces are") + " left out: " + reason;
}

}  // namespace

/// The traces that are shown so far, to be asked for copies of them.
class DatasetJoiner::KnownTraces {
public:
    /// The row of an earlier source that says the same as this one; its file, or nothing.
    [[nodiscard]] const Dataset* find(const Dataset& source, const TraceRow& row, std::uint32_t& found) const
    {
        const std::uint64_t hash = hashOf(source.traces(), row);
        for (const auto& [dataset, rows] : m_sources) {
            auto candidate = std::lower_bound(rows.begin(), rows.end(), std::pair(hash, std::uint32_t{0}));
            for (; candidate != rows.end() && candidate->first == hash; ++candidate) {
                if (!TraceTable::isSameTrace(dataset->traces(), dataset->traces().row(candidate->second), source.traces(), row)) continue;
                found = candidate->second;
                return dataset;
            }
        }
        return nullptr;
    }
    void add(const Dataset& source, const std::vector<std::uint32_t>& rows)
    {
        std::vector<std::pair<std::uint64_t, std::uint32_t>> hashed;
        hashed.reserve(rows.size());
        for (const std::uint32_t row : rows) hashed.emplace_back(hashOf(source.traces(), source.traces().row(row)), row);
        std::sort(hashed.begin(), hashed.end());
        m_sources.emplace_back(&source, std::move(hashed));
    }

private:
    static std::uint64_t hashOf(const TraceTable& table, const TraceRow& row)
    {
        const std::hash<std::string_view> hash;
        return hash(table.timestamp(row)) * 31 + hash(table.workloadUuid(row)) * 17 + hash(table.solutionName(row)) + std::bit_cast<std::uint64_t>(row.latencyMs);
    }
    std::vector<std::pair<const Dataset*, std::vector<std::pair<std::uint64_t, std::uint32_t>>>> m_sources;
};

DatasetJoiner::DatasetJoiner(const std::vector<std::shared_ptr<const Dataset>>& sources, const Dataset* old)
    : m_old(old), m_joined(std::make_shared<Dataset>())
{
    for (const auto& source : sources) m_folders.push_back(JoinedFolder{source, {}, {}, {}, {}});
    nameFolders();
}

void DatasetJoiner::nameFolders()
{
    constexpr std::size_t kMostParts = 16;
    for (std::size_t parts = 1; parts <= kMostParts; ++parts) {
        std::set<std::string> names;
        for (JoinedFolder& folder : m_folders) {
            folder.name = lastParts(plainRoot(*folder.dataset), parts);
            names.insert(folder.name);
        }
        if (names.size() == m_folders.size()) return;
    }
}

std::shared_ptr<const Dataset> DatasetJoiner::join()
{
    std::string root;
    for (const JoinedFolder& folder : m_folders) root += (root.empty() ? "" : " + ") + folder.dataset->root().string();
    m_joined->m_root = root;
    for (std::size_t i = 0; i < m_folders.size(); ++i) addDefinitions(i);
    for (std::size_t i = 0; i < m_folders.size(); ++i) addSolutions(i);
    addWorkloads();
    addTraces();
    for (const JoinedFolder& folder : m_folders) {
        const auto& problems = folder.dataset->problems();
        m_joined->m_problems.insert(m_joined->m_problems.end(), problems.begin(), problems.end());
        for (const fs::path& file : folder.dataset->growingFiles()) m_joined->m_growingFiles.push_back(folder.dataset->root() / file);
    }
    m_joined->m_folders = std::make_shared<const std::vector<JoinedFolder>>(std::move(m_folders));
    return m_joined;
}

void DatasetJoiner::addDefinitions(std::size_t index)
{
    JoinedFolder& folder = m_folders[index];
    for (const auto& definition : folder.dataset->definitions()) {
        const auto [kept, isNew] = m_joined->m_definitionByName.try_emplace(definition->name, definition.get());
        if (isNew) {
            m_joined->m_definitions.push_back(definition);
            continue;
        }
        const Definition& first = *kept->second;
        if (encodeDefinition(first) == encodeDefinition(*definition)) continue;
        const bool isSame = computesTheSame(first, *definition);
        if (!isSame) folder.strandedDefinitions.insert(definition->name);
        addProblem(isSame ? Severity::Warning : Severity::Error, ErrorCode::Conflict,
                   "the definition '" + definition->name + "' differs from the one in " + first.sourceFile + ", which is shown: " +
                       (isSame ? kWordsDiffer : "they compute different things, and what this folder has for the definition is left out with it"),
                   definition->sourceFile, "name");
    }
}

void DatasetJoiner::addSolutions(std::size_t index)
{
    JoinedFolder& folder = m_folders[index];
    for (const auto& solution : folder.dataset->solutions()) {
        const auto kept = m_joined->m_solutionByName.find(solution->name);
        const bool isKnown = kept != m_joined->m_solutionByName.end();
        if (isKnown && encodeSolution(*kept->second) == encodeSolution(*solution)) continue;
        if (isKnown) {
            const Solution& first = *kept->second;
            const bool isSame = runsTheSame(first, *solution);
            if (!isSame) folder.strandedSolutions.insert(solution->name);
            addProblem(isSame ? Severity::Warning : Severity::Error, ErrorCode::Conflict,
                       "the solution '" + solution->name + "' differs from the one in " + first.sourceFile + ", which is shown: " +
                           (isSame ? kWordsDiffer : "they run different code, and traces of this folder's solution are left out with it"),
                       solution->sourceFile, "name");
            continue;
        }
        if (folder.strandedDefinitions.contains(solution->definition)) {
            folder.strandedSolutions.insert(solution->name);
            addProblem(Severity::Error, ErrorCode::Conflict,
                       "the solution '" + solution->name + "' solves this folder's definition '" + solution->definition +
                           "', which is left out, since that in " + m_joined->findDefinition(solution->definition)->sourceFile + " computes something else",
                       solution->sourceFile, "definition");
            continue;
        }
        m_joined->m_solutionByName.emplace(solution->name, solution.get());
        m_joined->m_solutionsByDefinition[solution->definition].push_back(solution.get());
        m_joined->m_solutions.push_back(solution);
    }
}

/// Whether the workloads come out as they did last time.
bool DatasetJoiner::keepsOldWorkloads() const
{
    if (m_old == nullptr || m_old->folders().size() != m_folders.size()) return false;
    return std::equal(m_folders.begin(), m_folders.end(), m_old->folders().begin(), [](const JoinedFolder& now, const JoinedFolder& before) {
        return &now.dataset->workloads() == &before.dataset->workloads() && now.strandedDefinitions == before.strandedDefinitions;
    });
}

void DatasetJoiner::addWorkloads()
{
    std::map<std::string, std::vector<Trace>> joined;
    std::set<std::string> definitions;
    for (const JoinedFolder& folder : m_folders) {
        for (const auto& [definition, lines] : folder.dataset->workloads()) definitions.insert(definition);
    }
    for (const std::string& definition : definitions) {
        m_keptWorkloads.clear();
        std::vector<Trace> list;
        for (std::size_t i = 0; i < m_folders.size(); ++i) {
            if (!m_folders[i].strandedDefinitions.contains(definition)) addWorkloadsOf(i, definition, m_folders[i].dataset->workloadsOf(definition), list);
        }
        if (!list.empty()) joined.emplace(definition, std::move(list));
    }
    // What is left out was found on the way, whether or not the lists themselves are new.
    m_joined->m_workloads = keepsOldWorkloads() ? m_old->m_workloads : std::make_shared<const std::map<std::string, std::vector<Trace>>>(std::move(joined));
}

void DatasetJoiner::addWorkloadsOf(std::size_t index, const std::string& definition, const std::vector<Trace>& lines, std::vector<Trace>& joined)
{
    for (std::size_t line = 0; line < lines.size(); ++line) {
        const Workload& workload = lines[line].workload;
        const auto kept = m_keptWorkloads.find(workload.uuid);
        if (kept == m_keptWorkloads.end()) {
            joined.push_back(lines[line]);
            continue;
        }
        const Dataset& first = *m_folders[kept->second.source].dataset;
        if (canonicalWorkload(first.workloadsOf(definition)[kept->second.line].workload) == canonicalWorkload(workload)) continue;
        m_folders[index].strandedWorkloads.insert({definition, workload.uuid});
        addProblem(Severity::Error, ErrorCode::Conflict,
                   "the workload '" + workload.uuid + "' of '" + definition + "' differs from the one in " + workloadFile(first, definition, kept->second.line) +
                       ", which is shown: they ask for different axes or inputs, and traces of this folder for it are left out with it",
                   workloadFile(*m_folders[index].dataset, definition, line), "workload");
    }
    // Only now: a folder that has one twice keeps both, as it does alone.
    for (std::size_t line = 0; line < lines.size() && index + 1 < m_folders.size(); ++line) {
        m_keptWorkloads.try_emplace(lines[line].workload.uuid, KeptWorkload{index, line});
    }
}

std::string DatasetJoiner::workloadFile(const Dataset& source, const std::string& definition, std::size_t line)
{
    if (source.m_record != nullptr) {
        for (const auto& [file, placed] : source.m_record->lineFiles) {
            const auto& runs = placed.record->workloads;
            const bool isHere = std::any_of(runs.begin(), runs.end(), [&](const WorkloadRun& run) {
                return run.definition == definition && line >= run.first && line < run.first + run.count;
            });
            if (isHere) return toValidUtf8((source.root() / file).string());
        }
    }
    return toValidUtf8(source.root().string());
}

std::vector<std::uint32_t> DatasetJoiner::shownRows(std::size_t index, KnownTraces& known)
{
    const JoinedFolder& folder = m_folders[index];
    const Dataset& source = *folder.dataset;
    const TraceTable& traces = source.traces();
    std::vector<char> isWorkloadStranded;
    isWorkloadStranded.reserve(traces.workloadKeys().size());
    for (const WorkloadKey& key : traces.workloadKeys()) {
        const std::string& definition = traces.names().text(key.definition);
        isWorkloadStranded.push_back(folder.strandedDefinitions.contains(definition)                                       ? 'd'
                                     : folder.strandedWorkloads.contains({definition, traces.names().text(key.uuid)}) ? 'w'
                                                                                                                      : '\0');
    }
    std::vector<char> isSolutionStranded(traces.names().size(), '\0');
    for (const std::string& solution : folder.strandedSolutions) {
        if (const std::uint32_t id = traces.names().find(solution); id != StringPool::kNone) isSolutionStranded[id] = 's';
    }
    std::map<std::tuple<std::uint32_t, std::string, bool>, std::size_t> leftOut;   // file, reason, whether it is shown elsewhere
    std::vector<std::uint32_t> rows;
    rows.reserve(traces.size());
    for (std::uint32_t row = 0; row < traces.size(); ++row) {
        const TraceRow& trace = traces.row(row);
        const char workload = isWorkloadStranded[trace.workload];
        const bool hasStrandedSolution = trace.solution != StringPool::kNone && isSolutionStranded[trace.solution] != '\0';
        std::string reason;
        std::uint32_t same = 0;
        bool isCopy = false;
        if (workload == 'd') reason = "they were measured for this folder's definition '" + traces.definitionName(trace) + "', which is left out";
        else if (hasStrandedSolution) reason = "they were measured with this folder's solution '" + std::string(traces.solutionName(trace)) + "', which is left out";
        else if (workload == 'w') reason = "they were measured on this folder's workload '" + traces.workloadUuid(trace) + "', which is left out";
        else if (const Dataset* other = known.find(source, trace, same)) {
            isCopy = true;
            reason = "they are in " + toValidUtf8((other->root() / other->traceFile(same)).string()) + " too, and shown once";
        }
        if (reason.empty()) rows.push_back(row);
        else ++leftOut[{TraceTable::fileOf(trace), std::move(reason), isCopy}];
    }
    for (const auto& [what, count] : leftOut) {
        const auto& [file, reason, isCopy] = what;
        addProblem(isCopy ? Severity::Warning : Severity::Error, ErrorCode::Conflict, leftOutText(count, reason),
                   toValidUtf8((source.root() / source.m_traceFiles.at(file)).string()), "definition");
    }
    return rows;
}

void DatasetJoiner::addTraces()
{
    KnownTraces known;
    std::vector<TraceRowRange> ranges;
    for (std::size_t index = 0; index < m_folders.size(); ++index) {
        const Dataset& source = *m_folders[index].dataset;
        const std::vector<std::uint32_t> rows = shownRows(index, known);
        const auto firstFile = static_cast<std::uint32_t>(m_joined->m_traceFiles.size());
        const fs::path root = fs::absolute(source.root());
        for (const fs::path& file : source.m_traceFiles) {
            m_joined->m_traceFiles.push_back((root / file).lexically_normal());
            m_joined->m_folderOfFile.push_back(static_cast<std::uint16_t>(index));
        }
        for (const std::uint32_t row : rows) {
            const std::uint32_t file = firstFile + TraceTable::fileOf(source.traces().row(row));
            TraceRowRange* last = ranges.empty() ? nullptr : &ranges.back();
            if (last != nullptr && last->file == file && last->first + last->count == row) ++last->count;
            else ranges.push_back({&source.traces(), row, 1, file});
        }
        if (index + 1 < m_folders.size()) known.add(source, rows);
    }
    m_joined->m_traces = TraceTable::assemble(ranges, defaultThreads());
    m_joined->indexTraces(0, defaultThreads());
}

void DatasetJoiner::addProblem(Severity severity, ErrorCode code, std::string reason, std::string file, std::string field)
{
    m_joined->m_problems.push_back(Problem{severity, Error{code, std::move(reason), std::move(file), 0, std::move(field)}});
}

}  // namespace tracedeck
