// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/run_event.h"

#include <algorithm>
#include <array>
#include <type_traits>

#include "core/io/json_codec.h"

namespace tracedeck {

namespace {

constexpr std::array<std::string_view, 6> kStageNames{"build", "inputs", "reference", "check", "time", "verify"};

/// A reader of one line needs no plan: every event names its pair in full.
void putPair(Json& json, std::size_t index, const RunPlan& plan)
{
    json["pair"] = index;
    if (index >= plan.pairs.size()) return;
    const RunPair& pair = plan.pairs[index];
    json["definition"] = pair.definition;
    json["solution"] = pair.solution;
    json["workload_uuid"] = pair.workloadUuid;
}

Json encodeError(const Error& error)
{
    return {{"file", error.file}, {"line", error.line}, {"field", error.field}, {"reason", error.reason}};
}

Json encode(const PlanEvent& event, const RunPlan& plan)
{
    RunPlan own;
    own.pairs = event.pairs;
    Json pairs = Json::array();
    for (std::size_t index = 0; index < event.pairs.size(); ++index) {
        Json pair = Json::object();
        putPair(pair, index, own);
        pairs.push_back(std::move(pair));
    }
    Json problems = Json::array();
    for (const auto& problem : plan.problems) problems.push_back(encodeError(problem.error));
    return {{"event", "plan"},          {"total", event.pairs.size()}, {"skipped_by_resume", event.skippedByResume}, {"renewed", plan.renewed},
            {"left_out", plan.leftOut}, {"devices", event.devices},    {"pairs", std::move(pairs)},
            {"problems", std::move(problems)}};
}

Json encode(const DeviceEvent& event, const RunPlan&)
{
    return {{"event", "device"},
            {"device", event.device},
            {"state", event.state},
            {"hardware", event.hardware},
            {"message", event.message}};
}

Json encode(const StartEvent& event, const RunPlan& plan)
{
    Json json = {{"event", "start"}, {"device", event.device}};
    putPair(json, event.pair, plan);
    return json;
}

Json encode(const StageEvent& event, const RunPlan& plan)
{
    Json json = {{"event", "stage"}, {"device", event.device}};
    putPair(json, event.pair, plan);
    json["stage"] = toString(event.stage);
    return json;
}

Json encode(const LogEvent& event, const RunPlan& plan)
{
    Json json = {{"event", "log"}, {"device", event.device}};
    putPair(json, event.pair, plan);
    json["text"] = event.text;
    return json;
}

Json encode(const ResultEvent& event, const RunPlan& plan)
{
    Json json = {{"event", "result"}, {"device", event.device}};
    putPair(json, event.pair, plan);
    json["status"] = event.trace.evaluation ? Json(event.trace.evaluation->statusName()) : Json();
    json["stored"] = event.stored;
    json["file"] = event.file.string();
    json["byte_offset"] = event.byteOffset;
    json["note"] = event.note;
    json["trace"] = encodeTrace(event.trace);
    return json;
}

Json pairList(const std::vector<std::size_t>& indexes, const RunPlan& plan)
{
    Json pairs = Json::array();
    for (const std::size_t index : indexes) {
        Json pair = Json::object();
        putPair(pair, index, plan);
        pairs.push_back(std::move(pair));
    }
    return pairs;
}

Json encode(const ProblemEvent& event, const RunPlan& plan)
{
    return {{"event", "problem"},
            {"device", event.device},
            {"pairs", pairList(event.pairs, plan)},
            {"error", encodeError(event.error)}};
}

Json encode(const SkippedEvent& event, const RunPlan& plan)
{
    return {{"event", "skipped"}, {"pairs", pairList(event.pairs, plan)}, {"reason", event.reason}};
}

Json encode(const AddedEvent& event, const RunPlan&)
{
    Json pairs = Json::array();
    for (std::size_t index = 0; index < event.pairs.size(); ++index) {
        RunPlan one;
        one.pairs = {event.pairs[index]};
        Json pair = Json::object();
        putPair(pair, 0, one);
        pair["pair"] = event.first + index;
        pairs.push_back(std::move(pair));
    }
    return {{"event", "added"}, {"pairs", std::move(pairs)}};
}

Json encode(const DoneEvent& event, const RunPlan&)
{
    return {{"event", "done"},         {"total", event.total},    {"passed", event.passed},
            {"failed", event.failed},  {"not_run", event.notRun}, {"cancelled", event.cancelled},
            {"seconds", event.seconds}};
}

}  // namespace

std::string_view toString(Stage stage)
{
    return kStageNames.at(static_cast<std::size_t>(stage));
}

std::optional<Stage> stageFromString(std::string_view name)
{
    const auto found = std::find(kStageNames.begin(), kStageNames.end(), name);
    if (found == kStageNames.end()) return std::nullopt;
    return static_cast<Stage>(found - kStageNames.begin());
}

Json encodeRunEvent(const RunEvent& event, const RunPlan& plan)
{
    return std::visit([&plan](const auto& kind) { return encode(kind, plan); }, event);
}

}  // namespace tracedeck
