// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/dataset.h"

#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cstdlib>

#include "core/io/trace_reader.h"
#include "core/model/text.h"
#include "core/store/dataset_loader.h"

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
    return DatasetLoader(root, std::move(stop), progress, threads).load();
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
    const std::size_t firstRow = grown->m_traces.size();
    for (const AddedTrace& addition : added) {
        const std::filesystem::path relative = relativeTo(m_root, addition.file);
        auto& files = grown->m_traceFiles;
        auto known = std::find(files.begin(), files.end(), relative);
        if (known == files.end()) known = files.insert(files.end(), relative);
        const auto file = static_cast<std::uint32_t>(known - files.begin());
        grown->m_traces.append(addition.trace, TraceTable::makeLocation(file, addition.byteOffset));
    }
    grown->indexTraces(firstRow);
    return grown;
}

void Dataset::indexTraces(std::size_t firstRow)
{
    // By id, and with the last one at hand: looking up a name for each of a million rows would take longer than all the rest.
    struct Lists {
        RowLists& byName;
        std::unordered_map<std::uint32_t, std::vector<std::uint32_t>*> byId{};
        std::uint32_t lastId = StringPool::kNone;
        std::vector<std::uint32_t>* last = nullptr;
    };
    const auto add = [this](Lists& lists, std::uint32_t name, std::uint32_t row) {
        if (name != lists.lastId) {
            std::vector<std::uint32_t>*& known = lists.byId[name];
            if (known == nullptr) {
                auto& list = lists.byName[m_traces.names().text(name)];
                list = list ? std::make_shared<std::vector<std::uint32_t>>(*list) : std::make_shared<std::vector<std::uint32_t>>();
                known = list.get();
            }
            lists.lastId = name;
            lists.last = known;
        }
        lists.last->push_back(row);
    };
    Lists definitions{m_rowsByDefinition};
    Lists solutions{m_rowsBySolution};
    for (std::size_t i = firstRow; i < m_traces.size(); ++i) {
        const TraceRow& row = m_traces.row(i);
        const auto number = static_cast<std::uint32_t>(i);
        add(definitions, m_traces.workloadKeys()[row.workload].definition, number);
        if (!m_traces.solutionName(row).empty()) add(solutions, row.solution, number);
    }
}

}  // namespace tracedeck
