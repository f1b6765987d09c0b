// SPDX-License-Identifier: GPL-3.0-or-later
// Recorded runs, read back.
#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <tuple>

#include "core/io/data_file.h"
#include "core/io/json_parse.h"
#include "core/io/read_file.h"
#include "core/io/trace_writer.h"
#include "core/run/run_record.h"
#include "core/run/run_settings.h"

namespace tracedeck {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMostRecordBytes = 16U << 20U;
constexpr std::uint64_t kMostJournalBytes = std::uint64_t{4} << 30U;
constexpr std::uint64_t kMostRemovedBytes = std::uint64_t{4} << 30U;

Error historyError(ErrorCode code, std::string reason)
{
    return Error{.code = code, .reason = std::move(reason), .file = {}, .line = 0, .field = {}};
}

/// Whether the program that runs it still holds its lock.
bool isLocked(const fs::path& journal)
{
    const FileDescriptor file(::open(journal.c_str(), O_RDONLY | O_CLOEXEC));
    if (!file.isOpen()) return false;
    if (::flock(file.get(), LOCK_SH | LOCK_NB) != 0) return errno == EWOULDBLOCK;
    ::flock(file.get(), LOCK_UN);
    return false;
}

std::vector<std::string_view> linesOf(std::string_view text)
{
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const auto end = text.find('\n');
        if (end == std::string_view::npos) break;   // a torn line says nothing
        lines.push_back(text.substr(0, end));
        text.remove_prefix(end + 1);
    }
    return lines;
}

void appendNamed(const Json& names, std::vector<JournalPair>& pairs)
{
    if (!names.is_array()) return;
    for (const Json& name : names) {
        if (!name.is_array() || name.size() != 3 || !std::ranges::all_of(name, [](const Json& part) { return part.is_string(); })) continue;
        pairs.push_back({.definition = name[0].get<std::string>(), .solution = name[1].get<std::string>(), .workloadUuid = name[2].get<std::string>()});
    }
}

void applyLine(const Json& line, std::vector<JournalPair>& pairs)
{
    for (const char* key : {"plan", "added"}) {
        if (line.contains(key)) appendNamed(line.at(key), pairs);
    }
    const auto at = [&pairs](const Json& index) -> JournalPair* {
        return index.is_number_unsigned() && index.get<std::size_t>() < pairs.size() ? &pairs[index.get<std::size_t>()] : nullptr;
    };
    if (const auto result = line.find("result"); result != line.end()) {
        JournalPair* pair = at(*result);
        if (pair == nullptr) return;
        pair->state = JournalPair::State::Result;
        pair->status = textMember(line, "status");
        pair->timestamp = textMember(line, "timestamp");
        pair->file = textMember(line, "file");
    }
    for (const auto& [key, state] : {std::pair{"problem", JournalPair::State::Problem}, std::pair{"skipped", JournalPair::State::Skipped}}) {
        const auto indexes = line.find(key);
        if (indexes == line.end() || !indexes->is_array()) continue;
        for (const Json& index : *indexes) {
            if (JournalPair* pair = at(index)) {
                pair->state = state;
                pair->reason = textMember(line, "reason");
            }
        }
    }
}

RunOutcome countsOf(const std::vector<JournalPair>& pairs)
{
    RunOutcome counts;
    counts.total = pairs.size();
    for (const JournalPair& pair : pairs) {
        if (pair.state == JournalPair::State::Result) ++(pair.status == toString(Status::Passed) ? counts.passed : counts.failed);
    }
    counts.notRun = counts.total - counts.passed - counts.failed;
    return counts;
}

Result<ListedRun> readRun(const fs::path& folder, const fs::path& file)
{
    const auto text = readWholeFile(file, kMostRecordBytes);
    if (!text) return text.error();
    const auto json = parseJsonText(*text, JsonRules{});
    auto record = json ? decodeRunRecord(*json) : Result<RunRecord>(json.error());
    if (record && record->id != file.stem()) record = historyError(ErrorCode::InvalidInput, "the id is not the file's name");
    if (!record) {
        Error error = record.error();
        error.file = file.string();
        return error;
    }
    ListedRun run;
    run.record = std::move(*record);
    if (run.record.outcome) {
        run.counts = *run.record.outcome;
        run.state = run.counts.cancelled ? RunState::Cancelled : RunState::Done;
        return run;
    }
    run.state = isLocked(folder / (run.record.id + ".jsonl")) ? RunState::Running : RunState::Broken;
    run.counts.total = run.counts.notRun = run.record.total;
    run.open = run.record.total;
    if (const auto pairs = readJournal(folder, run.record.id)) {
        run.counts = countsOf(*pairs);
        run.open = static_cast<std::size_t>(std::ranges::count(*pairs, JournalPair::State::Open, &JournalPair::state));
    }
    return run;
}

/// A run and those that went on with it, one after the other. Records that are gone end the row.
Result<std::vector<ListedRun>> runAndSuccessors(const fs::path& folder, const std::string& id)
{
    auto run = findRun(folder, id);
    if (!run) return run.error();
    std::vector<ListedRun> runs{std::move(*run)};
    std::set<std::string> seen{id};   // a record that was tampered with may name itself
    while (!runs.back().record.continuedBy.empty() && seen.insert(runs.back().record.continuedBy).second) {
        auto next = findRun(folder, runs.back().record.continuedBy);
        if (!next) break;
        runs.push_back(std::move(*next));
    }
    return runs;
}

/// What is known of the pairs of all these runs; what a later one says counts.
Result<std::vector<JournalPair>> joinedJournal(const fs::path& folder, const std::vector<ListedRun>& runs)
{
    std::vector<JournalPair> joined;
    std::map<std::tuple<std::string, std::string, std::string>, std::size_t> places;
    for (const ListedRun& run : runs) {
        auto journal = readJournal(folder, run.record.id);
        if (!journal) return journal.error();
        for (JournalPair& pair : *journal) {
            const auto [place, isNew] = places.try_emplace({pair.definition, pair.solution, pair.workloadUuid}, joined.size());
            if (isNew) joined.push_back(std::move(pair));
            else joined[place->second] = std::move(pair);
        }
    }
    return joined;
}

/// A trace of a run, as it is found again.
struct TraceKey {
    std::string definition;
    std::string solution;
    std::string uuid;
    std::string timestamp;
    auto operator<=>(const TraceKey&) const = default;
};

std::optional<TraceKey> keyOfLine(std::string_view line)
{
    const auto json = parseJsonText(line, JsonRules{});
    if (!json || !json->is_object()) return std::nullopt;
    const auto workload = json->find("workload");
    const auto evaluation = json->find("evaluation");
    if (workload == json->end() || !workload->is_object() || evaluation == json->end() || !evaluation->is_object()) return std::nullopt;
    return TraceKey{textMember(*json, "definition"), textMember(*json, "solution"), textMember(*workload, "uuid"), textMember(*evaluation, "timestamp")};
}

fs::path removedFile(const fs::path& folder, const std::string& id)
{
    return folder / (id + ".removed.jsonl");
}

}  // namespace

std::string_view toString(RunState state)
{
    switch (state) {
    case RunState::Running: return "running";
    case RunState::Done: return "done";
    case RunState::Cancelled: return "cancelled";
    case RunState::Broken: return "broken";
    }
    return "broken";
}

RunList listRuns(const fs::path& folder, const std::stop_token& stop)
{
    RunList list;
    std::error_code failure;
    for (fs::directory_iterator entry(folder, failure), end; !failure && entry != end && !stop.stop_requested(); entry.increment(failure)) {
        const fs::path& file = entry->path();
        if (file.extension() != ".json" || file.filename().string().starts_with('.')) continue;
        auto run = readRun(folder, file);
        if (run) list.runs.push_back(std::move(*run));
        else list.problems.push_back({Severity::Warning, run.error()});
    }
    std::ranges::sort(list.runs, [](const ListedRun& a, const ListedRun& b) { return std::tie(a.record.started, a.record.id) > std::tie(b.record.started, b.record.id); });
    return list;
}

Result<ListedRun> findRun(const fs::path& folder, const std::string& id)
{
    const fs::path file = folder / (id + ".json");
    std::error_code failure;
    if (!isSafePathComponent(id) || !fs::exists(file, failure)) {
        return historyError(ErrorCode::NotFound, fmt::format("there is no record of a run \"{}\" in {}: `tracedeck runs` lists those that there are", id, folder.string()));
    }
    return readRun(folder, file);
}

Result<std::vector<JournalPair>> readJournal(const fs::path& folder, const std::string& id)
{
    const auto text = readWholeFile(folder / (id + ".jsonl"), kMostJournalBytes);
    if (!text) return text.error();
    std::vector<JournalPair> pairs;
    for (const std::string_view line : linesOf(*text)) {
        if (const auto json = parseJsonText(line, JsonRules{}); json && json->is_object()) applyLine(*json, pairs);
    }
    return pairs;
}

Result<void> forgetRun(const fs::path& folder, const std::string& id)
{
    const auto run = findRun(folder, id);
    if (!run) return run.error();
    if (run->state == RunState::Running) return historyError(ErrorCode::Conflict, "the run is going on: stop it first");
    std::error_code failure;
    for (const char* ending : {".jsonl", ".removed.jsonl", ".log", ".json"}) {
        fs::remove(folder / (id + ending), failure);
        if (failure) return systemError(folder / (id + ending), "the file can't be removed", failure.value());
    }
    return {};
}

Result<void> dismissRun(const fs::path& folder, const std::string& id)
{
    auto run = findRun(folder, id);
    if (!run) return run.error();
    if (run->state == RunState::Running) return historyError(ErrorCode::Conflict, "the run is going on: stop it first");
    run->record.isDismissed = true;
    return saveRunRecord(folder, run->record);
}

Result<int> stopRun(const fs::path& folder, const std::string& id)
{
    const auto run = findRun(folder, id);
    if (!run) return run.error();
    if (run->state != RunState::Running) return historyError(ErrorCode::Conflict, "the run is not going on");
    // It holds its journal's lock, so the number is still its own.
    if (::kill(run->record.pid, SIGINT) != 0) return historyError(ErrorCode::Io, fmt::format("process {} can't be stopped: {}", run->record.pid, std::strerror(errno)));
    return run->record.pid;
}

Result<RunRequest> requestOfRun(const fs::path& folder, const std::string& id, std::shared_ptr<const Dataset> dataset, RunPart part)
{
    auto runs = runAndSuccessors(folder, id);
    if (!runs) return runs.error();
    if (part == RunPart::Everything) runs->resize(1);
    const ListedRun& run = runs->front();
    const ListedRun& last = runs->back();
    if (part == RunPart::Rest && last.state == RunState::Running) {
        const std::string which = runs->size() == 1 ? "the run" : fmt::format("run {}, which goes on with this one,", last.record.id);
        return historyError(ErrorCode::Conflict, fmt::format("{} is going on (process {}): stop it first", which, last.record.pid));
    }
    const auto journal = joinedJournal(folder, *runs);
    if (!journal) return journal.error();
    RunRequest request;
    if (auto applied = applyRunSettings(run.record.settings, request); !applied) return applied.error();
    request.dataset = std::move(dataset);
    request.recordFolder = folder;
    if (part == RunPart::Rest) request.continues = last.record.id;
    const TraceTable& table = request.dataset->traces();
    const auto hasResultSince = [&](const JournalPair& pair) {
        const auto& rows = request.dataset->traceRowsOfSolution(pair.solution);
        return std::any_of(rows.rbegin(), rows.rend(), [&](std::uint32_t index) {
            const TraceRow& row = table.row(index);
            // Both are local times of this machine in the same form.
            return table.workloadUuid(row) == pair.workloadUuid && table.definitionName(row) == pair.definition && table.timestamp(row) >= run.record.started;
        });
    };
    std::size_t gone = 0;
    for (const JournalPair& pair : *journal) {
        if (part == RunPart::Rest && (pair.state != JournalPair::State::Open || hasResultSince(pair))) continue;
        const auto& workloads = request.dataset->workloadsOf(pair.definition);
        const Solution* solution = request.dataset->findSolution(pair.solution);
        const bool isThere = solution != nullptr && solution->definition == pair.definition &&
                             std::ranges::any_of(workloads, [&](const Trace& workload) { return workload.workload.uuid == pair.workloadUuid; });
        if (isThere) request.pairs.emplace(pair.solution, pair.workloadUuid);
        else ++gone;
    }
    if (!request.pairs.empty()) return request;
    return historyError(ErrorCode::NotFound, gone > 0           ? fmt::format("{} evaluations of the run are left, but their solutions or workloads are not in the dataset any more", gone)
                                         : runs->size() > 1 ? fmt::format("nothing is left to do of this run: run {} went on with it", last.record.id)
                                                            : std::string("nothing is left to do of this run"));
}

Result<std::size_t> removeRunTraces(const fs::path& folder, const std::string& id)
{
    auto run = findRun(folder, id);
    if (!run) return run.error();
    if (run->state == RunState::Running) return historyError(ErrorCode::Conflict, "the run is going on: stop it first");
    const auto journal = readJournal(folder, id);
    if (!journal) return journal.error();
    std::map<std::string, std::set<TraceKey>> byFile;
    for (const JournalPair& pair : *journal) {
        if (!pair.file.empty()) byFile[pair.file].insert({pair.definition, pair.solution, pair.workloadUuid, pair.timestamp});
    }
    const fs::path removed = removedFile(folder, id);
    std::error_code failure;
    std::string kept;
    if (fs::exists(removed, failure)) {
        auto before = readWholeFile(removed, kMostRemovedBytes);
        if (!before) return before.error();
        kept = std::move(*before);
    }
    std::size_t count = 0;
    for (const auto& [file, keys] : byFile) {
        if (!fs::exists(fs::path(run->record.root) / file, failure)) continue;
        std::string taken;
        std::size_t takenCount = 0;
        auto rewritten = rewriteFile(run->record.root, file, FileKind::Lines, [&, fileName = file](const std::string& present) -> Result<std::string> {
            std::string rest;
            taken.clear();
            takenCount = 0;
            std::string_view text = present;
            while (!text.empty()) {
                const auto end = text.find('\n');
                const std::string_view line = text.substr(0, end == std::string_view::npos ? text.size() : end + 1);
                text.remove_prefix(line.size());
                const auto key = keyOfLine(line);
                if (!key || !keys.contains(*key)) {
                    rest += line;
                    continue;
                }
                ++takenCount;
                taken += Json{{"file", fileName}, {"line", std::string(line.substr(0, line.find_last_not_of("\r\n") + 1))}}.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
            }
            // Kept before it is gone.
            if (takenCount > 0) {
                if (auto written = writeFileAtomically(removed, kept + taken); !written) return written.error();
            }
            return rest;
        });
        if (!rewritten) return rewritten.error();
        kept += taken;
        count += takenCount;
    }
    if (count == 0) return count;
    run->record.hasRemovedTraces = true;
    if (auto saved = saveRunRecord(folder, run->record); !saved) return saved.error();
    return count;
}

Result<std::size_t> restoreRunTraces(const fs::path& folder, const std::string& id)
{
    auto run = findRun(folder, id);
    if (!run) return run.error();
    const fs::path removed = removedFile(folder, id);
    std::error_code failure;
    if (!fs::exists(removed, failure)) return historyError(ErrorCode::NotFound, "no traces of this run were removed");
    const auto text = readWholeFile(removed, kMostRemovedBytes);
    if (!text) return text.error();
    std::map<std::string, std::string> byFile;
    std::size_t count = 0;
    for (const std::string_view line : linesOf(*text)) {
        const auto json = parseJsonText(line, JsonRules{});
        if (!json || !json->is_object()) continue;
        byFile[textMember(*json, "file")] += textMember(*json, "line") + "\n";
        ++count;
    }
    while (!byFile.empty()) {
        const auto& [file, lines] = *byFile.begin();
        if (auto appended = appendLines(run->record.root, file, lines); !appended) return appended.error();
        byFile.erase(byFile.begin());
        // What is in its place again must not be appended twice when a later file fails.
        std::string rest;
        for (const std::string_view line : linesOf(*text)) {
            const auto json = parseJsonText(line, JsonRules{});
            if (json && json->is_object() && byFile.contains(textMember(*json, "file"))) rest += std::string(line) + "\n";
        }
        if (auto written = writeFileAtomically(removed, rest); !written) return written.error();
    }
    fs::remove(removed, failure);
    run->record.hasRemovedTraces = false;
    if (auto saved = saveRunRecord(folder, run->record); !saved) return saved.error();
    return count;
}

}  // namespace tracedeck
