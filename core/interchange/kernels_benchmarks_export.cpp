// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <tuple>

#include <fmt/format.h>

#include "core/interchange/export_rows.h"
#include "core/interchange/import_assembly.h"
#include "core/interchange/imported_times.h"
#include "core/score/failures.h"
#include "core/model/judge_record.h"
#include "core/model/judge_samples.h"
#include "core/model/text.h"
#include "core/score/statistics.h"

namespace tracedeck {

namespace {

Json finiteNumber(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

std::string lib(const Evaluation& evaluation, const char* name)
{
    const auto found = evaluation.environment.libs.find(name);
    return found == evaluation.environment.libs.end() ? std::string() : found->second;
}

/// dtype of the first floating point input, which is what kernels-benchmarks means by that of a workload.
std::string dtypeOf(const Definition* definition)
{
    if (definition == nullptr) return "";
    for (const auto* tensors : {&definition->inputs, &definition->outputs}) {
        for (const TensorSpec& tensor : *tensors) {
            if (tensor.dtypeName.find("float") != std::string::npos) return tensor.dtypeName;
        }
    }
    return "";
}

Json workloadJson(const ExportRow& row)
{
    const Workload& workload = row.trace.workload;
    std::string name;
    for (const auto& [axis, value] : workload.axes) name += fmt::format("{}{}{}", name.empty() ? "" : "_", axis, value);
    const Json* judge = judgeRecord(row.evaluation());
    const bool isCpu = judge != nullptr ? textMember(*judge, "protocol") == "cpu" : row.solution != nullptr && row.solution->spec.isForCpuOnly();
    Json json = {{"name", name.empty() ? workload.uuid : name}};
    for (const std::string& axis : workload.axisOrder) {
        if (const auto value = workload.axes.find(axis); value != workload.axes.end()) json[axis] = value->second;
    }
    if (const std::string dtype = dtypeOf(row.definition); !dtype.empty()) json["dtype"] = dtype;
    json["device"] = isCpu ? "cpu" : "cuda";
    json["seed"] = 0;
    return json;
}

Json latencyJson(const ExportRow& row)
{
    const Evaluation& evaluation = row.evaluation();
    if (!evaluation.performance) return nullptr;
    const std::vector<double> samples = judgeSamplesMs(evaluation);
    const auto statistic = [&samples](double share) { return samples.empty() ? Json(nullptr) : Json(orderStatistic(samples, share)); };
    const double latency = evaluation.performance->latencyMs;
    const double iqr = samples.empty() ? std::nan("") : orderStatistic(samples, 0.75) - orderStatistic(samples, 0.25);
    constexpr double kMuch = 0.1;   // of the median
    Json json = {{"p10", statistic(0.1)}, {"p50", finiteNumber(latency)}, {"p90", statistic(0.9)},
                 {"mean", samples.empty() ? Json(nullptr) : Json(meanOf(samples))},
                 {"iqr", finiteNumber(iqr)}, {"raw_times", samples}, {"has_warnings", iqr > kMuch * latency}, {"reps", samples.size()}};
    const Json* judge = judgeRecord(evaluation);
    const auto calls = judge == nullptr ? Json() : judge->value("calls", Json());
    json["warmup"] = calls.is_object() && calls.value("warmup", Json()).is_number_integer() ? calls["warmup"] : Json(nullptr);
    return json;
}

/// A record of a trace that was measured here, or read from another dataset.
Json recordJson(const ExportRow& row)
{
    const Trace& trace = row.trace;
    const Evaluation& evaluation = row.evaluation();
    const bool isPassed = evaluation.status == Status::Passed;
    const double absolute = evaluation.correctness ? evaluation.correctness->maxAbsoluteError : std::nan("");
    const double relative = evaluation.correctness ? evaluation.correctness->maxRelativeError : std::nan("");
    const std::string author = row.solution == nullptr ? std::string() : row.solution->author;
    const std::string language = row.solution == nullptr ? std::string() : std::string(toString(row.solution->spec.language));
    Json failure = nullptr;
    if (!isPassed) failure = {{"type", std::string(evaluation.statusName())}, {"msg", tellingReason(evaluation)}};
    Json record = Json::object();
    record["ts"] = evaluation.timestamp;
    record["run"] = "";
    record["impl"] = *trace.solution;
    record["tags"] = {{"family", author}, {"backend", language}, {"compile", "none"}};
    record["wl"] = workloadJson(row);
    record["env"] = {{"torch", lib(evaluation, "torch")}, {"cuda", lib(evaluation, "cuda")}, {"gpu", evaluation.environment.hardware}, {"sm", ""}, {"py", lib(evaluation, "python")}, {"plat", ""}};
    record["lat_ms"] = latencyJson(row);
    record["compile_ms"] = nullptr;
    record["peak_bytes"] = nullptr;
    record["ok"] = isPassed;
    record["absmax"] = finiteNumber(absolute);
    record["corr"] = {{"ok", isPassed}, {"absmax", finiteNumber(absolute)}, {"relmax", finiteNumber(relative)}, {"ref", "reference"}};
    record["err"] = std::move(failure);
    Json own = {{"definition", trace.definition}, {"op_type", row.definition == nullptr ? std::string() : row.definition->opType}, {"uuid", trace.workload.uuid}};
    if (evaluation.performance) {
        own["reference_latency_ms"] = finiteNumber(evaluation.performance->referenceLatencyMs);
        own["speedup_factor"] = finiteNumber(evaluation.performance->speedupFactor);
    }
    record["tracedeck"] = std::move(own);
    return record;
}

struct HubLine {
    std::string kind;        ///< names its file
    std::string timestamp;
    std::int64_t line = 0;   ///< in the file that it was imported from
    std::string text;
};

HubLine hubLine(const ExportRow& row, LeftBehind& left)
{
    if (const Json* record = row.record(InterchangeFormat::KernelsBenchmarks)) {
        const auto line = record->find("line");
        return {textMember(*record, "kind"), row.evaluation().timestamp, line != record->end() && line->is_number_integer() ? line->get<std::int64_t>() : 0, textMember(*record, "text")};
    }
    countLeftBehind(left, row);
    const KernelKind* kind = row.definition == nullptr ? nullptr : findKernelKind(row.definition->opType);
    const bool isOfKind = kind != nullptr && row.trace.definition.starts_with(std::string(kind->name) + "_");
    return {isOfKind ? kind->name : row.trace.definition, row.evaluation().timestamp, 0,
            recordJson(row).dump(-1, ' ', true, Json::error_handler_t::replace)};
}

}  // namespace

Result<std::vector<ExportFile>> kernelsBenchmarksFiles(std::vector<ExportRow> rows, const std::filesystem::path& out, LeftBehind& left)
{
    std::vector<HubLine> lines;
    for (const ExportRow& row : rows) lines.push_back(hubLine(row, left));
    // By time, then as they stood in the file that they are from: what is imported and written again comes in the same order.
    std::stable_sort(lines.begin(), lines.end(), [](const HubLine& a, const HubLine& b) { return std::tie(a.kind, a.timestamp, a.line) < std::tie(b.kind, b.timestamp, b.line); });
    std::map<std::string, std::string> contents;
    for (const HubLine& line : lines) contents[line.kind] += line.text + "\n";
    std::vector<ExportFile> files;
    if (asciiLower(out.extension().string()) != ".jsonl") {
        for (auto& [kind, content] : contents) files.push_back({out / (safeName(kind) + ".jsonl"), std::move(content)});
        return files;
    }
    if (contents.size() > 1) {
        std::string kinds;
        for (const auto& [kind, content] : contents) kinds += (kinds.empty() ? "" : ", ") + toValidUtf8(kind);
        return Error{ErrorCode::Usage, "a file holds one kind of kernel, and these are several (" + kinds + "): name a folder, or one definition", toValidUtf8(out.string()), 0, {}};
    }
    files.push_back({out, std::move(contents.begin()->second)});
    return files;
}

}  // namespace tracedeck
