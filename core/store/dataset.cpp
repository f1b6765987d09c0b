// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/dataset.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cstdlib>

#include "core/io/trace_reader.h"
#include "core/model/text.h"
#include "core/store/dataset_loader.h"
#include "core/store/joined_dataset.h"
#include "core/store/load_record.h"
#include "core/store/parallel.h"

namespace tracedeck {

namespace {

/// Home folder of a user; of the current one for an empty name. Empty when there is none.
std::string homeFolder(const std::string& user)
{
    if (user.empty()) {
        if (const char* home = std::getenv("HOME"); home != nullptr && *home != '\0') return home;
    }
    std::vector<char> buffer(16384);
    passwd entry{};
    passwd* found = nullptr;
    const int code = user.empty() ? ::getpwuid_r(::getuid(), &entry, buffer.data(), buffer.size(), &found)
                                  : ::getpwnam_r(user.c_str(), &entry, buffer.data(), buffer.size(), &found);
    return code == 0 && found != nullptr ? found->pw_dir : std::string();
}

/// `~` and `~user` at the front; a user that does not exist stays as written.
std::string expandHome(const std::string& path)
{
    if (!path.starts_with('~')) return path;
    const std::size_t slash = std::min(path.find('/'), path.size());
    const std::string home = homeFolder(path.substr(1, slash - 1));
    return home.empty() ? path : home + path.substr(slash);
}

bool isSame(double a, double b)
{
    return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b) || a == b || (a != a && b != b);
}

/// Whether a line that was read back is the one that the row was made from.
bool matches(const TraceTable& table, const TraceRow& row, const Trace& trace)
{
    const TraceFields fields = fieldsOf(trace);
    return fields.definition == table.definitionName(row) && fields.workloadUuid == table.workloadUuid(row) &&
           fields.solution.value_or(std::string_view()) == table.solutionName(row) &&
           fields.timestamp == table.timestamp(row) && fields.status == row.status &&
           fields.hardware == table.hardwareName(row) && isSame(fields.latencyMs, row.latencyMs) &&
           isSame(fields.maxAbsoluteError, row.maxAbsoluteError);
}

/// The file as a path relative to the root; unchanged when it is one already.
std::filesystem::path relativeTo(const std::filesystem::path& root, const std::filesystem::path& file)
{
    const auto inRoot = std::filesystem::absolute(file).lexically_normal().lexically_relative(
        std::filesystem::absolute(root / "").lexically_normal());
    return inRoot.empty() || *inRoot.begin() == ".." ? file : inRoot;
}

template <class Map>
const typename Map::mapped_type& valueOrEmpty(const Map& map, const std::string& key)
{
    static const typename Map::mapped_type kEmpty;
    const auto found = map.find(key);
    return found == map.end() ? kEmpty : found->second;
}

template <class RowLists>
const std::vector<std::uint32_t>& rowsOrEmpty(const RowLists& lists, const std::string& name)
{
    const auto& rows = valueOrEmpty(lists, name);
    static const std::vector<std::uint32_t> kNone;
    return rows ? *rows : kNone;
}

}  // namespace

Result<std::shared_ptr<const Dataset>> Dataset::load(const std::filesystem::path& root, std::stop_token stop,
                                                     LoadProgress* progress, unsigned threads)
{
    return DatasetLoader(root, nullptr, std::move(stop), progress, threads).load();
}

Result<std::shared_ptr<const Dataset>> Dataset::reload(const std::shared_ptr<const Dataset>& old, std::stop_token stop,
                                                       LoadProgress* progress, unsigned threads)
{
    const auto plain = old->plain();
    const auto& loaded = plain->m_loaded ? plain->m_loaded : plain;
    if (loaded->isJoined()) return reloadJoined(loaded, std::move(stop), progress, threads);
    return DatasetLoader(old->root(), loaded->m_record ? loaded : nullptr, std::move(stop), progress, threads).load();
}

std::filesystem::path Dataset::resolveRoot(const std::string& path)
{
    if (!path.empty()) return path;
    if (const char* variable = std::getenv("FIB_DATASET_PATH"); variable != nullptr && *variable != '\0') {
        return expandHome(variable);
    }
    return expandHome("~/.cache/flashinfer_bench/dataset");
}

const Definition* Dataset::findDefinition(const std::string& name) const
{
    const auto found = m_definitionByName.find(name);
    return found == m_definitionByName.end() ? nullptr : found->second;
}

std::shared_ptr<const Dataset> Dataset::assemble(const std::filesystem::path& root, std::vector<Definition> definitions,
                                                 std::vector<Solution> solutions, std::map<std::string, std::vector<Trace>> workloads)
{
    auto dataset = std::make_shared<Dataset>();
    dataset->m_root = root;
    for (Definition& definition : definitions) {
        auto item = std::make_shared<const Definition>(std::move(definition));
        if (dataset->m_definitionByName.emplace(item->name, item.get()).second) dataset->m_definitions.push_back(std::move(item));
    }
    for (Solution& solution : solutions) {
        auto item = std::make_shared<const Solution>(std::move(solution));
        if (!dataset->m_solutionByName.emplace(item->name, item.get()).second) continue;
        dataset->m_solutionsByDefinition[item->definition].push_back(item.get());
        dataset->m_solutions.push_back(std::move(item));
    }
    dataset->m_workloads = std::make_shared<const std::map<std::string, std::vector<Trace>>>(std::move(workloads));
    return dataset;
}

const Solution* Dataset::findSolution(const std::string& name) const
{
    const auto found = m_solutionByName.find(name);
    return found == m_solutionByName.end() ? nullptr : found->second;
}

std::vector<const Solution*> Dataset::solutionsOf(const std::string& definition) const
{
    return valueOrEmpty(m_solutionsByDefinition, definition);
}

const std::vector<Trace>& Dataset::workloadsOf(const std::string& definition) const
{
    return valueOrEmpty(*m_workloads, definition);
}

std::size_t Dataset::workloadCount() const
{
    std::size_t count = 0;
    for (const auto& [definition, workloads] : *m_workloads) count += workloads.size();
    return count;
}

const std::vector<std::uint32_t>& Dataset::traceRowsOfDefinition(const std::string& definition) const
{
    return rowsOrEmpty(m_rowsByDefinition, definition);
}

const std::vector<std::uint32_t>& Dataset::traceRowsOfSolution(const std::string& solution) const
{
    return rowsOrEmpty(m_rowsBySolution, solution);
}

Result<Trace> Dataset::readTrace(std::size_t row) const
{
    if (row >= m_traces.size()) {
        return Error{ErrorCode::NotFound, "there is no trace with the number " + std::to_string(row), {}, 0, {}};
    }
    if (m_view) return m_view->plain->readTrace(row);   // its times are those of the line
    const TraceRow& wanted = m_traces.row(row);
    const std::filesystem::path path = m_root / traceFile(row);
    auto trace = readTraceAt(path, TraceTable::offsetOf(wanted));
    const auto changed = [&path](const std::string& detail) {
        return Error{ErrorCode::Conflict, "the file changed since it was loaded; reload the dataset" + detail,
                     toValidUtf8(path.string()), 0, {}};
    };
    if (!trace) return trace.error().code == ErrorCode::Io ? trace.error() : changed(" (" + trace.error().reason + ")");
    if (!matches(m_traces, wanted, *trace)) return changed({});
    return trace;
}

std::filesystem::path Dataset::traceFile(std::size_t row) const
{
    return m_traceFiles.at(TraceTable::fileOf(m_traces.row(row)));
}

std::map<std::string, std::size_t> Dataset::opTypes() const
{
    std::map<std::string, std::size_t> counts;
    for (const auto& definition : m_definitions) ++counts[definition->opType];
    return counts;
}

std::shared_ptr<const Dataset> Dataset::withTraces(const std::vector<AddedTrace>& added) const
{
    auto grown = std::make_shared<Dataset>(*this);
    if (!grown->m_loaded) grown->m_loaded = weak_from_this().lock();
    grown->m_record.reset();
    const std::size_t firstRow = grown->m_traces.size();
    for (const AddedTrace& addition : added) {
        const std::filesystem::path place = isJoined() ? addition.file : relativeTo(m_root, addition.file);
        auto& files = grown->m_traceFiles;
        auto known = std::find(files.begin(), files.end(), place);
        if (known == files.end()) {
            known = files.insert(files.end(), place);
            if (isJoined()) grown->m_folderOfFile.push_back(static_cast<std::uint16_t>(folderContaining(*this, place)));
        }
        const auto file = static_cast<std::uint32_t>(known - files.begin());
        grown->m_traces.append(addition.trace, TraceTable::makeLocation(file, addition.byteOffset));
    }
    grown->indexTraces(firstRow, 1);
    return grown;
}

std::shared_ptr<const Dataset> Dataset::withPolicyView(std::shared_ptr<const PolicyView> view) const
{
    auto copy = std::make_shared<Dataset>(*this);
    copy->m_view = std::move(view);
    copy->m_traces.replaceTimes(copy->m_view->pooled);
    return copy;
}

std::shared_ptr<const Dataset> Dataset::withFolders(std::vector<JoinedFolder> folders) const
{
    auto copy = std::make_shared<Dataset>(*this);
    copy->m_growingFiles.clear();
    for (const JoinedFolder& folder : folders) {
        for (const auto& file : folder.dataset->growingFiles()) copy->m_growingFiles.push_back(folder.dataset->root() / file);
    }
    copy->m_folders = std::make_shared<const std::vector<JoinedFolder>>(std::move(folders));
    return copy;
}

bool Dataset::hasSameContent(const Dataset& other) const
{
    const auto isSameArray = [](const auto& a, const auto& b) { return a.size() == b.size() && (a.empty() || a.data() == b.data()); };
    return m_definitions == other.m_definitions && m_solutions == other.m_solutions && m_workloads == other.m_workloads &&
           isSameArray(m_traces.rows(), other.m_traces.rows()) && m_problems == other.m_problems;
}

const std::vector<JoinedFolder>& Dataset::folders() const
{
    static const std::vector<JoinedFolder> kNone;
    return m_folders ? *m_folders : kNone;
}

std::size_t Dataset::folderIndexOf(const TraceRow& row) const
{
    return isJoined() ? m_folderOfFile.at(TraceTable::fileOf(row)) : 0;
}

const std::filesystem::path& Dataset::folderOf(const TraceRow& row) const
{
    return isJoined() ? m_folders->at(folderIndexOf(row)).dataset->root() : m_root;
}

std::string Dataset::folderName(const TraceRow& row) const
{
    return isJoined() ? m_folders->at(folderIndexOf(row)).name : displayName(*this);
}

bool Dataset::hasRead(const std::filesystem::path& file, std::uint64_t byteOffset) const
{
    if (isJoined())
        return m_folders->at(folderContaining(*this, file)).dataset->hasRead(file, byteOffset);
    if (m_record == nullptr)
        return false;
    const auto found = m_record->lineFiles.find(file.is_absolute() ? relativeTo(m_root, file).string() : file.string());
    if (found == m_record->lineFiles.end() || found->second.record == nullptr)
        return false;
    const LineFileRecord& record = *found->second.record;
    // A last line without an end counts as soon as a trace could be read from it.
    return byteOffset < record.resumeAt || (byteOffset == record.resumeAt && record.rows > record.rowsBeforeResume);
}

Dataset::MemoryUse Dataset::memoryUse() const
{
    MemoryUse use{m_traces.rowCapacityBytes(), m_traces.internedBytes()};
    for (const RowLists* lists : {&m_rowsByDefinition, &m_rowsBySolution}) {
        for (const auto& [name, rows] : *lists) use.traceBytes += rows->capacity() * sizeof(std::uint32_t);
    }
    return use;
}

void Dataset::releaseFreedMemory()
{
#ifdef __GLIBC__
    ::malloc_trim(0);
#endif
}

void Dataset::indexTraces(std::size_t firstRow, unsigned threads)
{
    // By id, with two passes: looking up a name for each of a million rows would take longer than all the rest, and a list
    // whose length is known is filled without moving.
    const auto addTo = [this, firstRow](RowLists& byName, auto nameOf) {
        std::vector<std::uint32_t> counts(m_traces.names().size(), 0);
        const auto rows = m_traces.rows().subspan(firstRow);
        for (const TraceRow& row : rows) {
            if (const std::uint32_t name = nameOf(row); name != StringPool::kNone) ++counts[name];
        }
        std::vector<std::vector<std::uint32_t>*> lists(counts.size(), nullptr);
        for (std::uint32_t name = 0; name < counts.size(); ++name) {
            if (counts[name] == 0) continue;
            auto& list = byName[m_traces.names().text(name)];
            auto grown = std::make_shared<std::vector<std::uint32_t>>();
            grown->reserve((list ? list->size() : 0) + counts[name]);
            if (list) grown->assign(list->begin(), list->end());
            list = std::move(grown);
            lists[name] = list.get();
        }
        auto number = static_cast<std::uint32_t>(firstRow);
        for (const TraceRow& row : rows) {
            if (const std::uint32_t name = nameOf(row); name != StringPool::kNone) lists[name]->push_back(number);
            ++number;
        }
    };
    const auto& keys = m_traces.workloadKeys();
    // An empty name is none.
    const std::uint32_t emptyName = m_traces.names().find({});
    parallelFor(2, threads, [&](std::size_t which) {
        if (which == 0) addTo(m_rowsByDefinition, [&keys](const TraceRow& row) { return keys[row.workload].definition; });
        else addTo(m_rowsBySolution, [emptyName](const TraceRow& row) { return row.solution == emptyName ? StringPool::kNone : row.solution; });
    });
}

}  // namespace tracedeck
