// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command_support.h"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/io/trace_writer.h"
#include "core/report/text_table.h"
#include "core/run/run_settings.h"
#include "core/score/policy_view.h"

namespace tracedeck::cli {

namespace {

constexpr std::size_t kProblemsShown = 20;

void printLine(const std::string& line)
{
    std::fputs((line + "\n").c_str(), stderr);
}

}  // namespace

void addLocalOption(CLI::App& command, std::vector<std::string>& roots)
{
    command
        .add_option("--local", roots,
                    "Dataset folder; may be given several times (default: $FIB_DATASET_PATH, else ~/.cache/flashinfer_bench/dataset)")
        ->type_name("DIR")
        ->allow_extra_args(false);
}

std::optional<TableFormat> OutputForm::table() const
{
    if (csv) return TableFormat::Csv;
    const auto found = tableFormatFromString(format);
    return found == TableFormat::JsonArray ? std::nullopt : found;
}

void addFormOptions(CLI::App& command, OutputForm& form, bool hasCsv, const std::string& jsonHelp)
{
    CLI::Option* format = command.add_option("--format", form.format, "text, json (the document), or the table as csv (every digit), markdown or latex (four digits)")
                              ->check(CLI::IsMember({"text", "json", "csv", "markdown", "latex"}))
                              ->capture_default_str();
    CLI::Option* json = command.add_flag("--json", form.json, jsonHelp)->excludes(format);
    if (hasCsv) command.add_flag("--csv", form.csv, "Print a table")->excludes(json)->excludes(format);
}

TraceFilter ScopeOptions::filter() const
{
    TraceFilter filter;
    for (const auto& [name, names] : {std::pair{&opType, &filter.opTypes}, std::pair{&definition, &filter.definitions}, std::pair{&solution, &filter.solutions}, std::pair{&hardware, &filter.hardware}}) {
        if (!name->empty()) names->insert(*name);
    }
    return filter;
}

void addScopeOptions(CLI::App& command, ScopeOptions& scope)
{
    CLI::Option* opType = command.add_option("--op-type", scope.opType, "Only definitions of this op_type")->type_name("T");
    command.add_option("--definition", scope.definition, "Only this definition")->type_name("D")->excludes(opType);
    command.add_option("--solution", scope.solution, "Only this solution")->type_name("S");
    command.add_option("--hardware", scope.hardware, "Only traces measured on this hardware")->type_name("H");
}

void noteWithoutLight(std::size_t withoutCeiling, std::size_t withoutSize)
{
    if (withoutCeiling > 0) printNote(fmt::format("{} traces are of hardware whose ceilings are not known: name them in a file (--ceilings)", withoutCeiling));
    if (withoutSize > 0) printNote(fmt::format("{} traces are on workloads whose size is not known", withoutSize));
}

void addCeilingsOption(CLI::App& command, std::string& file)
{
    command.add_option("--ceilings", file, "What GPUs can do, over what data sheets say (see report light --print-ceilings)")->type_name("FILE");
}

Result<CeilingTable> ceilingsOf(const std::string& file)
{
    std::error_code failure;
    if (!file.empty() && !std::filesystem::exists(file, failure)) return Error{ErrorCode::NotFound, "there is no such file", file, 0, {}};
    return CeilingTable::read(file.empty() ? ceilingsFile() : std::filesystem::path(file));
}

Result<std::shared_ptr<const Dataset>> openDataset(const std::string& local)
{
    return Dataset::load(Dataset::resolveRoot(local));
}

Result<std::vector<std::shared_ptr<const Dataset>>> openDatasets(const std::vector<std::string>& roots)
{
    std::vector<std::shared_ptr<const Dataset>> datasets;
    for (const std::string& root : roots.empty() ? std::vector<std::string>{""} : roots) {
        auto dataset = openDataset(root);
        if (!dataset) return dataset.error();
        printProblems(**dataset);
        datasets.push_back(*std::move(dataset));
    }
    return datasets;
}

Result<std::vector<std::shared_ptr<const Dataset>>> openForPolicy(const std::vector<std::string>& roots, const std::string& policy)
{
    auto datasets = openDatasets(roots);
    if (!datasets) return datasets.error();
    for (auto& dataset : *datasets) {
        const auto choice = policyChoiceFromString(*dataset, policy);
        if (!choice) return choice.error();
        dataset = datasetFor(dataset, *choice);
        if (const std::string note = describePolicyView(*dataset); !note.empty()) printNote(note);
    }
    return datasets;
}

CLI::Validator policyCheck()
{
    return CLI::Validator(
        [](const std::string& text) {
            if (policyOfText(text)) return std::string();
            return fmt::format("'{}' is none of {}, and no run such as run:last, run:previous or run:3", text, fmt::join(selectionPolicyNames(), ", "));
        },
        "");
}

void printProblems(const Dataset& dataset)
{
    const auto& problems = dataset.problems();
    for (std::size_t i = 0; i < std::min(problems.size(), kProblemsShown); ++i) {
        const char* severity = problems[i].severity == Severity::Error ? "error: " : "warning: ";
        printLine(severity + printable(problems[i].error.toString()));
    }
    if (problems.size() > kProblemsShown) {
        printLine("and " + std::to_string(problems.size() - kProblemsShown) + " more; see tracedeck info --local " +
                  printable(dataset.root().string()));
    }
}

void printNote(const std::string& text)
{
    printLine("tracedeck: note: " + printable(text));
}

Result<void> writeStdout(std::string_view text)
{
    errno = 0;
    if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0) return {};
    if (errno == EPIPE) return Error{ErrorCode::ReaderGone, "who reads the standard output has gone away", {}, 0, {}};
    return Error{ErrorCode::Io, std::string("cannot write to standard output: ") + std::strerror(errno), {}, 0, {}};
}

Result<void> writeOutput(std::string_view text, const std::string& outFile)
{
    return outFile.empty() ? writeStdout(text) : writeFileAtomically(outFile, text);
}

std::string jsonText(const Json& document)
{
    return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string jsonText(std::vector<Json> documents)
{
    if (documents.size() == 1) return jsonText(documents.front());
    Json array = Json::array();
    for (Json& document : documents) array.push_back(std::move(document));
    return jsonText(array);
}

std::string joinDatasetTexts(const std::vector<std::string>& texts)
{
    if (texts.size() == 1) return texts.front();
    std::string joined;
    for (std::size_t i = 0; i < texts.size(); ++i) {
        if (i > 0) joined += "\n";
        joined += "Dataset " + std::to_string(i + 1) + ":\n" + texts[i];
    }
    return joined;
}

ExitCode fail(const Error& error, ExitCode code)
{
    printLine("tracedeck: error: " + printable(error.toString()));
    return code;
}

ExitCode fail(const Error& error)
{
    switch (error.code) {
    case ErrorCode::Usage: return fail(error, ExitCode::Usage);
    case ErrorCode::InvalidInput:
    case ErrorCode::NotFound:
    case ErrorCode::Io: return fail(error, ExitCode::Unreadable);
    case ErrorCode::Conflict:
    case ErrorCode::Unsupported:
    case ErrorCode::Cancelled:
    case ErrorCode::ProcessFailed:
    case ErrorCode::TimedOut:
    case ErrorCode::ReaderGone: break;
    }
    return fail(error, ExitCode::Failed);
}

ExitCode finishOutput(const Result<void>& written)
{
    if (written) return ExitCode::Done;
    // `… | head -1` has all that it wants: nothing to tell.
    if (written.error().code == ErrorCode::ReaderGone) return ExitCode::ReaderGone;
    return fail(written.error(), ExitCode::Failed);
}

}  // namespace tracedeck::cli
