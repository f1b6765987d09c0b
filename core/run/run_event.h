// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/model/json.h"
#include "core/model/result.h"
#include "core/model/trace.h"
#include "core/run/run_request.h"

namespace tracedeck {

/// Steps of one evaluation, in order.
enum class Stage { Build, Inputs, Reference, Check, Time, Verify };
[[nodiscard]] std::string_view toString(Stage stage);   ///< lower case, as in `run --json`
[[nodiscard]] std::optional<Stage> stageFromString(std::string_view name);

struct PlanEvent { std::vector<RunPair> pairs; std::size_t skippedByResume = 0; std::vector<std::string> devices; };
/// State of a device: `starting`, `ready`, `waiting` (until it is cool and idle; the message says what it is), `paused`, `stopped`, `lost`, `idle`.
struct DeviceEvent { std::string device; std::string state; std::string hardware; std::string message; };
struct StartEvent { std::string device; std::size_t pair = 0; };                ///< index into the plan
struct StageEvent { std::string device; std::size_t pair = 0; Stage stage = Stage::Build; };
/// What the solution in hand has printed since the last one, a few kilobytes at most and a few times a second; the result has the whole log.
struct LogEvent { std::string device; std::size_t pair = 0; std::string text; };
struct ResultEvent {
    std::string device;
    std::size_t pair = 0;
    Trace trace;
    bool stored = false;              ///< the line is on disk
    std::filesystem::path file;       ///< where it was appended
    std::uint64_t byteOffset = 0;     ///< of the line in that file
    std::string note;                 ///< for example why nothing was stored
};
/// How a reference failed.
struct ReferenceFailure {
    Status status = Status::RuntimeError;   ///< what a trace of it would say
    bool hasLoaded = false;                 ///< it failed only when it was called
    std::string reason;                     ///< and what it printed
};
/// Something that a user must hear of, for example a workload whose reference failed. `pairs` count as done. `reference` is set when the
/// workload was not opened because of the definition's reference.
struct ProblemEvent { std::string device; std::vector<std::size_t> pairs; Error error; std::optional<ReferenceFailure> reference = std::nullopt; };
/// Pairs that will not be run, and why: cancelled by the user, or their solution failed too often. They count as not run.
struct SkippedEvent { std::vector<std::size_t> pairs; std::string reason; bool isByUser = false; };
/// Pairs that were added to the plan while the run goes on: their indexes begin at `first`.
struct AddedEvent { std::size_t first = 0; std::vector<RunPair> pairs; };
struct DoneEvent { std::size_t total = 0; std::size_t passed = 0; std::size_t failed = 0; std::size_t notRun = 0; bool cancelled = false; double seconds = 0; };

using RunEvent = std::variant<PlanEvent, DeviceEvent, StartEvent, StageEvent, LogEvent, ResultEvent, ProblemEvent, SkippedEvent, AddedEvent, DoneEvent>;

/// One line of `run --json`: `{event: plan|device|start|stage|log|result|problem|skipped|added|done, …}`.
[[nodiscard]] Json encodeRunEvent(const RunEvent& event, const RunPlan& plan);

}  // namespace tracedeck
