// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interchange/interchange.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "core/interchange/export_rows.h"
#include "core/interchange/import_assembly.h"
#include "core/io/json_codec.h"
#include "core/io/json_parse.h"
#include "core/io/read_file.h"
#include "core/io/trace_writer.h"
#include "core/model/judge_record.h"
#include "core/model/text.h"
#include "core/report/report.h"
#include "core/report/text_table.h"
#include "core/score/fast_p.h"
#include "core/score/ranking.h"

namespace tracedeck {

namespace {

namespace fs = std::filesystem;

/// Of a file that says itself what it is.
Result<InterchangeFormat> formatOf(const fs::path& file, const std::string& text)
{
    const std::string_view content = trimWhitespace(withoutByteOrderMark(text));
    if (content.starts_with("author,p,win_ratio")) {
        return Error{ErrorCode::Unsupported, "this is a table of the win@p script: it has shares only, and no results that could be imported", toValidUtf8(file.string()), 0, {}};
    }
    if (asciiLower(file.extension().string()) == ".jsonl") return InterchangeFormat::KernelsBenchmarks;
    if (const auto whole = parseJson(content); whole && whole->is_object()) {
        if (whole->contains("benchmarks")) return InterchangeFormat::NvBench;
        if (whole->contains("impl")) return InterchangeFormat::KernelsBenchmarks;
    }
    const auto first = parseJson(content.substr(0, content.find('\n')));
    if (first && first->is_object() && first->contains("impl")) return InterchangeFormat::KernelsBenchmarks;
    return Error{ErrorCode::InvalidInput, "this is neither a file of kernels-benchmarks records nor nvbench's JSON; --from says which it should be", toValidUtf8(file.string()), 0, {}};
}

/// `1 file`, `2 files`.
std::string counted(std::size_t count, std::string_view what) { return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s"); }

Json notCarriedJson(const std::vector<NotCarried>& list)
{
    Json json = Json::array();
    for (const NotCarried& entry : list) json.push_back({{"what", entry.what}, {"count", entry.count}});
    return json;
}

std::string notCarriedText(const std::vector<NotCarried>& list)
{
    if (list.empty()) return {};
    std::string text = "\nNot carried over:\n";
    for (const NotCarried& entry : list) text += printable(fmt::format("- {} × {}", entry.count, entry.what)) + "\n";
    return text;
}

/// Names what lies in the way before anything is written.
Result<void> writeFiles(const std::vector<ExportFile>& files, ExportReport& report, const std::stop_token& stop)
{
    for (const ExportFile& file : files) {
        if (stop.stop_requested()) return Error{ErrorCode::Cancelled, "the export was cancelled", {}, 0, {}};
        std::error_code code;
        if (file.path.has_parent_path()) fs::create_directories(file.path.parent_path(), code);
        if (code) return systemError(file.path.parent_path(), "the folder cannot be made", code.value());
        if (auto written = writeFileAtomically(file.path, file.content); !written) return written;
        report.files.push_back(file.path);
    }
    return {};
}

Result<ExportReport> exportWinAtP(const Dataset& dataset, const ExportRequest& request)
{
    if (!request.solution.empty()) return Error{ErrorCode::Usage, "the win@p table compares authors: it cannot be of one solution", {}, 0, {}};
    const RankingScope scope{request.opType, request.definition, request.hardware, request.policy.value_or(SelectionPolicy::All)};
    const std::string baseline = request.baseline.empty() ? defaultBaselineAuthor(dataset) : request.baseline;
    if (auto checked = checkScopeNames(dataset, scope, request.baseline); !checked) return checked.error();
    const auto curves = fastP(dataset, FastPPreset::WinP, RankBy::Author, baseline, scope);
    if (!curves) return curves.error();
    if (curves->curves.empty()) return Error{ErrorCode::Usage, "there is nothing to compare: no workload has passing results", {}, 0, {}};
    ExportReport report;
    report.groups = curves->groups;
    report.fallbackGroups = curves->fallbackGroups;
    report.records = curves->curves.size();
    if (auto written = writeFiles({{request.out, winAtPCsv(*curves)}}, report, {}); !written) return written.error();
    return report;
}

}  // namespace

std::string_view toString(InterchangeFormat format)
{
    switch (format) {
    case InterchangeFormat::KernelsBenchmarks: return "hf";
    case InterchangeFormat::NvBench: return "nvbench";
    case InterchangeFormat::WinAtP: break;
    }
    return "winp";
}

std::optional<InterchangeFormat> interchangeFormatFromString(std::string_view name)
{
    for (const auto format : {InterchangeFormat::KernelsBenchmarks, InterchangeFormat::NvBench, InterchangeFormat::WinAtP}) {
        if (name == toString(format)) return format;
    }
    return std::nullopt;
}

bool ImportReport::isComplete() const
{
    return std::none_of(problems.begin(), problems.end(), [](const Problem& problem) { return problem.severity == Severity::Error; });
}

Result<ImportReport> importResults(const ImportRequest& request, const std::stop_token& stop)
{
    if (request.files.empty()) return Error{ErrorCode::Usage, "there is nothing to import: name at least one file", {}, 0, {}};
    if (request.format == InterchangeFormat::WinAtP) return Error{ErrorCode::Usage, "a table of the win@p script has no results that could be imported", {}, 0, {}};
    ImportAssembly assembly;
    for (const fs::path& file : request.files) {
        if (stop.stop_requested()) return Error{ErrorCode::Cancelled, "the import was cancelled", {}, 0, {}};
        constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30U;
        const auto text = readWholeFile(file, kMostBytes);
        if (!text) return text.error();
        const auto format = request.format ? Result<InterchangeFormat>(*request.format) : formatOf(file, *text);
        if (!format) return format.error();
        (*format == InterchangeFormat::NvBench ? importNvBench : importKernelsBenchmarks)(assembly, file, *text, request);
    }
    if (!assembly.isEmpty()) return assembly.write(request.target, stop);
    const std::vector<Problem> problems = assembly.takeProblems();
    if (!problems.empty()) return problems.front().error;
    return Error{ErrorCode::InvalidInput, "there is no result in it", toValidUtf8(request.files.front().string()), 0, {}};
}

const Json* ExportRow::record(InterchangeFormat format) const
{
    const Json* record = importedRecord(evaluation());
    return record != nullptr && textMember(*record, "from") == toString(format) ? record : nullptr;
}

Result<std::vector<ExportRow>> exportRows(const Dataset& dataset, const ExportRequest& request, SelectionPolicy policy, const std::stop_token& stop)
{
    if (auto checked = checkScopeNames(dataset, {request.opType, request.definition, request.hardware}, {}); !checked) return checked.error();
    if (!request.solution.empty() && dataset.traceRowsOfSolution(request.solution).empty()) {
        return Error{ErrorCode::Usage, "there are no traces of a solution '" + request.solution + "'", {}, 0, {}};
    }
    TraceFilter filter;
    for (const auto& [name, names] : {std::pair{&request.opType, &filter.opTypes}, std::pair{&request.definition, &filter.definitions},
                                      std::pair{&request.solution, &filter.solutions}, std::pair{&request.hardware, &filter.hardware}}) {
        if (!name->empty()) names->insert(*name);
    }
    std::vector<ExportRow> rows;
    for (const std::uint32_t index : selectTraces(dataset, filterTraces(dataset, filter, stop), policy, stop)) {
        if (stop.stop_requested()) return Error{ErrorCode::Cancelled, "the export was cancelled", {}, 0, {}};
        auto trace = dataset.readTrace(index);
        if (!trace) return trace.error();
        if (!trace->evaluation || !trace->solution) continue;
        ExportRow row{*std::move(trace), nullptr, nullptr};
        row.definition = dataset.findDefinition(row.trace.definition);
        row.solution = dataset.findSolution(*row.trace.solution);
        rows.push_back(std::move(row));
    }
    if (rows.empty()) return Error{ErrorCode::Usage, "there are no results to export", {}, 0, {}};
    return rows;
}

void countLeftBehind(LeftBehind& left, const ExportRow& row)
{
    const Evaluation& evaluation = row.evaluation();
    if (!evaluation.log.empty()) ++left["logs of results (of failures one line is kept)"];
    if (judgeRecord(evaluation) != nullptr) ++left["records of the judge, but for the times of single calls"];
    if (evaluation.correctness && evaluation.correctness->extra.is_object() && !evaluation.correctness->extra.empty()) ++left["further figures of correctness"];
    if (importedRecord(evaluation) != nullptr) ++left["records of another program's form"];
    const auto isStored = [](const auto& input) { return std::holds_alternative<SafetensorsInput>(input.second); };
    if (std::any_of(row.trace.workload.inputs.begin(), row.trace.workload.inputs.end(), isStored)) ++left["results on stored tensors, which are not written"];
}

Result<ExportReport> exportResults(const Dataset& dataset, const ExportRequest& request, const std::stop_token& stop)
{
    if (request.out.empty()) return Error{ErrorCode::Usage, "the file or folder to write to has no name", {}, 0, {}};
    if (request.format == InterchangeFormat::WinAtP) return exportWinAtP(dataset, request);
    const bool isNvBench = request.format == InterchangeFormat::NvBench;
    auto rows = exportRows(dataset, request, request.policy.value_or(isNvBench ? SelectionPolicy::Newest : SelectionPolicy::All), stop);
    if (!rows) return rows.error();
    ExportReport report;
    report.records = rows->size();
    LeftBehind left;
    std::set<std::string> names;
    for (const ExportRow& row : *rows) {
        if (row.record(request.format) == nullptr && row.solution != nullptr) names.insert(row.solution->name);
    }
    if (!names.empty()) left["sources and authors' details of solutions, and definitions with their references"] = names.size();
    const auto files = (isNvBench ? nvBenchFiles : kernelsBenchmarksFiles)(*std::move(rows), request.out, left);
    if (!files) return files.error();
    if (auto written = writeFiles(*files, report, stop); !written) return written.error();
    for (const auto& [what, count] : left) report.notCarried.push_back({what, count});
    return report;
}

Json importDocument(const ImportReport& report)
{
    Json problems = Json::array();
    for (const Problem& problem : report.problems) {
        problems.push_back({{"severity", problem.severity == Severity::Error ? "error" : "warning"}, {"file", problem.error.file}, {"line", problem.error.line},
                            {"field", problem.error.field}, {"reason", problem.error.reason}, {"count", problem.occurrences}});
    }
    return {{"target", toValidUtf8(report.target.string())}, {"complete", report.isComplete()}, {"definitions", report.definitions}, {"solutions", report.solutions},
            {"workloads", report.workloads}, {"traces", report.traces}, {"not_carried", notCarriedJson(report.notCarried)}, {"problems", std::move(problems)}};
}

std::string importText(const ImportReport& report)
{
    std::string text = printable(fmt::format("Imported into {}: {}, {}, {}, {}", toValidUtf8(report.target.string()), counted(report.definitions, "definition"),
                                             counted(report.solutions, "solution"), counted(report.workloads, "workload"), counted(report.traces, "trace"))) + "\n";
    text += notCarriedText(report.notCarried);
    if (!report.problems.empty()) text += "\nProblems:\n";
    for (const Problem& problem : report.problems) {
        text += printable((problem.severity == Severity::Error ? "- error: " : "- warning: ") + problem.error.toString()) + "\n";
    }
    return text;
}

Json exportDocument(const ExportReport& report, InterchangeFormat format)
{
    Json files = Json::array();
    for (const fs::path& file : report.files) files.push_back(toValidUtf8(file.string()));
    return {{"format", toString(format)}, {"files", std::move(files)}, {"records", report.records}, {"groups", report.groups}, {"fallback_groups", report.fallbackGroups},
            {"not_carried", notCarriedJson(report.notCarried)}};
}

std::string exportText(const ExportReport& report, InterchangeFormat format)
{
    const bool isTable = format == InterchangeFormat::WinAtP;
    std::string text = fmt::format("Wrote {} to {}:\n", counted(report.records, isTable ? "curve" : "result"), counted(report.files.size(), "file"));
    std::size_t sampleFiles = 0;
    for (const fs::path& file : report.files) {
        if (format == InterchangeFormat::NvBench && file.extension() == ".bin") ++sampleFiles;
        else text += "  " + printable(toValidUtf8(file.string())) + "\n";
    }
    if (sampleFiles > 0) text += fmt::format("  and {} files of sample times beside it\n", sampleFiles);
    if (report.fallbackGroups > 0) text += fmt::format("\n{} of {} groups have no passing baseline and are compared with their fastest\n", report.fallbackGroups, report.groups);
    return text + notCarriedText(report.notCarried);
}

}  // namespace tracedeck
