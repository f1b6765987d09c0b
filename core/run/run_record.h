// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "core/io/file_descriptor.h"
#include "core/io/file_lock.h"
#include "core/model/json.h"
#include "core/run/run_event.h"
#include "core/run/run_request.h"

namespace tracedeck {

// A run is recorded in the user's data folder, never in the dataset: `<id>.json` says what was asked for and how it ended, the
// journal `<id>.jsonl` names every pair and what became of it, a line each. The program that runs holds a lock on the journal:
// a record without an outcome and without a lock is of a run that a crash ended.

/// How a run ended, or stands.
struct RunOutcome {
    std::size_t total = 0;
    std::size_t passed = 0;
    std::size_t failed = 0;
    std::size_t notRun = 0;   ///< so far, while it runs
    bool cancelled = false;
    double seconds = 0;
    bool operator==(const RunOutcome&) const = default;
};

/// `<id>.json`.
struct RunRecord {
    std::string id;
    std::string version;                           ///< of Tracedeck
    std::string program;                           ///< `tracedeck` or `tracedeck-gui`
    std::string root;                              ///< of the dataset, absolute
    std::string started;                           ///< local time, as traces have it
    std::string ended;                             ///< empty until then
    int pid = 0;
    Json settings = Json::object();                ///< run_settings.h
    std::vector<std::string> devices;
    std::map<std::string, std::string> hardware;   ///< by device, known at the end
    std::map<std::string, std::string> libs;
    std::string seed;                              ///< of the inputs; written at the end, as solutions must not know it
    std::size_t total = 0;                         ///< pairs at the start
    std::size_t skippedByResume = 0;
    std::optional<RunOutcome> outcome;
    std::string continues;                         ///< id of the run that this one goes on with
    std::string continuedBy;
    bool isDismissed = false;                      ///< the user doesn't want to be asked about it again
    bool hasRemovedTraces = false;                 ///< they are in `<id>.removed.jsonl`
};
[[nodiscard]] Json encodeRunRecord(const RunRecord& record);
/// Error InvalidInput naming the field.
[[nodiscard]] Result<RunRecord> decodeRunRecord(const Json& json);

/// A pair of a run's journal.
struct JournalPair {
    enum class State { Open, Result, Problem, Skipped };
    std::string definition;
    std::string solution;
    std::string workloadUuid;
    State state = State::Open;
    std::string status{};      ///< of a result
    std::string timestamp{};   ///< of its trace
    std::string file{};        ///< that its trace was appended to, relative to the dataset's root; empty: not stored
    std::string reason{};      ///< why there is no result
};

enum class RunState { Running, Done, Cancelled, Broken };
[[nodiscard]] std::string_view toString(RunState state);   ///< lower case

struct ListedRun {
    RunRecord record;
    RunState state = RunState::Done;
    RunOutcome counts;       ///< also of one that has no outcome (yet)
    std::size_t open = 0;    ///< of one without an outcome: pairs that have no end
    [[nodiscard]] std::size_t left() const { return counts.total - counts.passed - counts.failed; }
    /// A crash ended it, something is left, and nobody went on with it or wants to be asked no more.
    [[nodiscard]] bool isResumable() const { return state == RunState::Broken && open > 0 && record.continuedBy.empty() && !record.isDismissed; }
};
struct RunList {
    std::vector<ListedRun> runs;     ///< the newest first
    std::vector<Problem> problems;   ///< files that can't be read
};

/// `runs` in the user's data folder.
[[nodiscard]] std::filesystem::path runRecordFolder();
[[nodiscard]] RunList listRuns(const std::filesystem::path& folder, const std::stop_token& stop = {});
/// Error NotFound: there is none.
[[nodiscard]] Result<ListedRun> findRun(const std::filesystem::path& folder, const std::string& id);
[[nodiscard]] Result<std::vector<JournalPair>> readJournal(const std::filesystem::path& folder, const std::string& id);
/// Writes a changed record back. Not of a run that is going on.
[[nodiscard]] Result<void> saveRunRecord(const std::filesystem::path& folder, const RunRecord& record);
/// Deletes what is kept of a run; its traces stay. Error Conflict: it is running.
[[nodiscard]] Result<void> forgetRun(const std::filesystem::path& folder, const std::string& id);
/// The user doesn't want to be asked about it again. Error Conflict: it is running.
[[nodiscard]] Result<void> dismissRun(const std::filesystem::path& folder, const std::string& id);
/// Asks the program that runs it to stop, as Ctrl-C does. Returns its process. Error Conflict: the run is not going on; Io.
[[nodiscard]] Result<int> stopRun(const std::filesystem::path& folder, const std::string& id);

/// What a recorded run did not get to, or all of it, as a request that does the same: its settings and pairs. Pairs whose trace is in the
/// dataset since the run began count as done even where the journal doesn't say so, and so do those that runs which went on with it
/// brought to an end; the request goes on with the last of these. Error NotFound: nothing is left, or solutions
/// and workloads are not in the dataset any more; Conflict: it, or one that goes on with it, is still running.
enum class RunPart { Rest, Everything };
[[nodiscard]] Result<RunRequest> requestOfRun(const std::filesystem::path& folder, const std::string& id, std::shared_ptr<const Dataset> dataset, RunPart part);

/// Takes the traces that a run stored out of the dataset; they are kept in the record's folder until restoreRunTraces(). Returns how many.
/// Error Conflict: the run goes on, or another program writes the file; what was removed until then can be restored.
[[nodiscard]] Result<std::size_t> removeRunTraces(const std::filesystem::path& folder, const std::string& id);
/// Appends them to their files again. Returns how many.
[[nodiscard]] Result<std::size_t> restoreRunTraces(const std::filesystem::path& folder, const std::string& id);

/// Writes the record of a run while it goes on. Its calls come one at a time.
class RunRecorder {
public:
    /// Makes the folder (for the user alone) and both files. Error Io.
    static Result<std::unique_ptr<RunRecorder>> start(const RunRequest& request, const RunPlan& plan, const std::map<std::string, std::string>& libs,
                                                      std::uint64_t seed);
    /// The DoneEvent ends it.
    void record(const RunEvent& event);
    [[nodiscard]] const std::string& id() const { return m_record.id; }

private:
    RunRecorder(std::filesystem::path folder, RunRecord record, FileDescriptor journal, FileLock lock, std::string seed);
    void write(const Json& line);
    void finish(const DoneEvent& event);

    std::filesystem::path m_folder;
    RunRecord m_record;
    std::string m_seed;
    FileDescriptor m_journal;
    std::optional<FileLock> m_lock;
    std::optional<Error> m_failure;
};

}  // namespace tracedeck
