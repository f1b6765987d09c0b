// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/run_record.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <stdexcept>
#include <type_traits>

#include "core/io/read_file.h"
#include "core/io/temporary_file.h"
#include "core/io/trace_writer.h"
#include "core/model/timestamp.h"
#include "core/run/run_context.h"
#include "core/run/run_settings.h"

namespace tracedeck {

namespace {

namespace fs = std::filesystem;

std::string jsonLine(const Json& json)
{
    return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Json namesOf(const std::vector<RunPair>& pairs)
{
    Json names = Json::array();
    for (const RunPair& pair : pairs) names.push_back({pair.definition, pair.solution, pair.workloadUuid});
    return names;
}

/// `20260131-120000.123456-4711`: by time, and no other process's.
std::string newId(const std::string& started, pid_t pid)
{
    std::string time;
    for (const char letter : started) {
        if (letter == 'T') time += '-';
        else if (letter != '-' && letter != ':') time += letter;
    }
    static std::atomic<int> count{0};   // several runs of one process at the same moment
    return fmt::format("{}-{}-{}", time, pid, ++count);
}

/// Fields of a record, each with where it is. One list for both directions.
template <class Record, class Visitor>
void visitFields(Record& record, Visitor visit)
{
    visit("id", record.id);
    visit("version", record.version);
    visit("program", record.program);
    visit("root", record.root);
    visit("started", record.started);
    visit("ended", record.ended);
    visit("pid", record.pid);
    visit("settings", record.settings);
    visit("devices", record.devices);
    visit("hardware", record.hardware);
    visit("libs", record.libs);
    visit("seed", record.seed);
    visit("total", record.total);
    visit("skipped_by_resume", record.skippedByResume);
    visit("continues", record.continues);
    visit("continued_by", record.continuedBy);
    visit("dismissed", record.isDismissed);
    visit("removed_traces", record.hasRemovedTraces);
}

template <class Outcome, class Visitor>
void visitOutcome(Outcome& outcome, Visitor visit)
{
    visit("total", outcome.total);
    visit("passed", outcome.passed);
    visit("failed", outcome.failed);
    visit("not_run", outcome.notRun);
    visit("cancelled", outcome.cancelled);
    visit("seconds", outcome.seconds);
}

/// Reads one field into its place; its message says what is wrong.
struct FieldReader {
    const Json& object;
    std::string prefix;
    std::optional<Error>& error;

    template <class T>
    void operator()(const char* key, T& target) const
    {
        const auto found = object.find(key);
        if (found == object.end() || error) return;
        try {
            if constexpr (std::is_unsigned_v<T> && !std::is_same_v<T, bool>) {
                if (!found->is_number_unsigned()) throw std::runtime_error("must be a whole number");
            }
            if constexpr (std::is_same_v<T, Json>) target = *found;
            else found->get_to(target);
        } catch (const std::exception&) {
            error = Error{.code = ErrorCode::InvalidInput, .reason = fmt::format("has a wrong type: {}", found->type_name()), .file = {}, .line = 0, .field = prefix + key};
        }
    }
};

}  // namespace

Json encodeRunRecord(const RunRecord& record)
{
    Json json = Json::object();
    const auto put = [](Json& object) {
        return [&object](const char* key, const auto& value) { object[key] = value; };
    };
    visitFields(record, put(json));
    json["outcome"] = nullptr;
    if (record.outcome) {
        json["outcome"] = Json::object();
        visitOutcome(*record.outcome, put(json["outcome"]));
    }
    return json;
}

Result<RunRecord> decodeRunRecord(const Json& json)
{
    std::optional<Error> error;
    if (!json.is_object()) return Error{.code = ErrorCode::InvalidInput, .reason = "must be an object", .file = {}, .line = 0, .field = {}};
    RunRecord record;
    visitFields(record, FieldReader{json, "", error});
    if (const auto outcome = json.find("outcome"); outcome != json.end() && outcome->is_object()) {
        visitOutcome(record.outcome.emplace(), FieldReader{*outcome, "outcome.", error});
    }
    if (!error && !isSafePathComponent(record.id)) {
        error = Error{.code = ErrorCode::InvalidInput, .reason = "is not the id of a run", .file = {}, .line = 0, .field = "id"};
    }
    if (error) return *error;
    return record;
}

fs::path runRecordFolder()
{
    const fs::path folder = userDataFolder();
    return folder.empty() ? folder : folder / "runs";
}

Result<void> saveRunRecord(const fs::path& folder, const RunRecord& record)
{
    return writeFileAtomically(folder / (record.id + ".json"), encodeRunRecord(record).dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

RunRecorder::RunRecorder(fs::path folder, RunRecord record, FileDescriptor journal, FileLock lock, std::string seed)
    : m_folder(std::move(folder)), m_record(std::move(record)), m_seed(std::move(seed)), m_journal(std::move(journal)), m_lock(std::move(lock))
{
}

Result<std::unique_ptr<RunRecorder>> RunRecorder::start(const RunRequest& request, const RunPlan& plan, const std::map<std::string, std::string>& libs,
                                                        std::uint64_t seed)
{
    const fs::path& folder = request.recordFolder;
    std::error_code failure;
    fs::create_directories(folder, failure);
    if (failure) return systemError(folder, "the folder can't be made", failure.value());
    ::chmod(folder.c_str(), S_IRWXU);   // what somebody runs is nobody else's business; best effort

    RunRecord record;
    record.started = localTimestamp();
    record.pid = ::getpid();
    record.id = newId(record.started, record.pid);
    record.version = libs.contains("tracedeck") ? libs.at("tracedeck") : "";
    record.program = request.program;
    record.root = fs::absolute(request.dataset->root(), failure).string();
    record.settings = encodeRunSettings(request);
    record.devices = request.devices;
    record.libs = libs;
    record.total = plan.pairs.size();
    record.skippedByResume = plan.skippedByResume;
    record.continues = request.continues;

    const fs::path path = folder / (record.id + ".jsonl");
    FileDescriptor journal(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, S_IRUSR | S_IWUSR));
    if (!journal.isOpen()) return systemError(path, "the file can't be made");
    // Before the record is there, so that nobody takes it for one of a run that crashed.
    auto lock = FileLock::acquire(journal.get(), path);
    if (!lock) return lock.error();
    if (auto written = writeAll(journal, path, jsonLine({{"plan", namesOf(plan.pairs)}})); !written) return written.error();
    if (auto saved = saveRunRecord(folder, record); !saved) return saved.error();
    if (!request.continues.empty()) {
        auto before = findRun(folder, request.continues);
        if (before && before->state != RunState::Running) {
            before->record.continuedBy = record.id;
            // Not worth more than a word: at worst the user is asked once more.
            if (auto saved = saveRunRecord(folder, before->record); !saved) std::fprintf(stderr, "tracedeck: %s\n", saved.error().toString().c_str());
        }
    }
    return std::unique_ptr<RunRecorder>(new RunRecorder(folder, std::move(record), std::move(journal), std::move(*lock), std::to_string(seed)));
}

void RunRecorder::write(const Json& line)
{
    if (m_failure) return;
    if (auto written = writeAll(m_journal, m_folder / (m_record.id + ".jsonl"), jsonLine(line)); !written) {
        m_failure = written.error();
        std::fprintf(stderr, "tracedeck: the record of this run is incomplete from here on: %s\n", m_failure->toString().c_str());
    }
}

void RunRecorder::record(const RunEvent& event)
{
    std::visit(
        [this](const auto& kind) {
            using Kind = std::decay_t<decltype(kind)>;
            if constexpr (std::is_same_v<Kind, DeviceEvent>) {
                if (!kind.hardware.empty()) m_record.hardware[kind.device] = kind.hardware;
            } else if constexpr (std::is_same_v<Kind, ResultEvent>) {
                Json line = {{"result", kind.pair}, {"status", nullptr}, {"timestamp", nullptr}, {"file", nullptr}};
                if (kind.trace.evaluation) {
                    line["status"] = kind.trace.evaluation->statusName();
                    line["timestamp"] = kind.trace.evaluation->timestamp;
                }
                if (kind.stored) line["file"] = kind.file.is_absolute() ? kind.file.lexically_relative(m_record.root).string() : kind.file.string();
                write(line);
            } else if constexpr (std::is_same_v<Kind, ProblemEvent>) {
                if (!kind.pairs.empty()) write({{"problem", kind.pairs}, {"reason", kind.error.toString()}});
            } else if constexpr (std::is_same_v<Kind, SkippedEvent>) {
                write({{"skipped", kind.pairs}, {"reason", kind.reason}});
            } else if constexpr (std::is_same_v<Kind, AddedEvent>) {
                write({{"added", namesOf(kind.pairs)}});
            } else if constexpr (std::is_same_v<Kind, DoneEvent>) {
                finish(kind);
            }
        },
        event);
}

void RunRecorder::finish(const DoneEvent& event)
{
    m_record.ended = localTimestamp();
    m_record.seed = m_seed;
    m_record.outcome = RunOutcome{event.total, event.passed, event.failed, event.notRun, event.cancelled, event.seconds};
    if (auto saved = saveRunRecord(m_folder, m_record); !saved) std::fprintf(stderr, "tracedeck: the end of this run is not recorded: %s\n", saved.error().toString().c_str());
    m_lock.reset();
    m_journal.close();
}

}  // namespace tracedeck
