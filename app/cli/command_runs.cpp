// SPDX-License-Identifier: GPL-3.0-or-later
#include <array>
#include <fmt/format.h>
#include <memory>
#include <optional>

#include "app/cli/command_support.h"
#include "app/cli/commands.h"
#include "core/report/text_table.h"
#include "core/run/run_preview.h"
#include "core/run/run_record.h"

namespace tracedeck::cli {

namespace {

struct RunsOptions {
    std::string id;
    bool json = false;
};

Json runJson(const ListedRun& run)
{
    Json json = encodeRunRecord(run.record);
    json["state"] = toString(run.state);
    json["counts"] = {{"total", run.counts.total}, {"passed", run.counts.passed}, {"failed", run.counts.failed}, {"not_run", run.counts.notRun}};
    return json;
}

ExitCode listAll(const RunsOptions& options)
{
    const RunList list = listRuns(runRecordFolder());
    for (const Problem& problem : list.problems) printNote(problem.error.toString());
    if (options.json) {
        Json runs = Json::array();
        for (const ListedRun& run : list.runs) runs.push_back(runJson(run));
        return finishOutput(writeStdout(jsonText(runs)));
    }
    using Align = TextTable::Align;
    TextTable table({{"Id", Align::Left}, {"Started", Align::Left}, {"State", Align::Left}, {"Pairs", Align::Right}, {"Passed", Align::Right},
                     {"Failed", Align::Right}, {"Not run", Align::Right}, {"Took", Align::Right}, {"Devices", Align::Left}, {"Dataset", Align::Left}});
    for (const ListedRun& run : list.runs) {
        const std::string state = std::string(toString(run.state)) + (run.record.hasRemovedTraces ? ", traces removed" : "");
        table.addRow({run.record.id, run.record.started.substr(0, 19), state, std::to_string(run.counts.total), std::to_string(run.counts.passed),
                      std::to_string(run.counts.failed), std::to_string(run.counts.notRun), run.record.outcome ? shortDuration(run.counts.seconds) : "-",
                      fmt::format("{}", fmt::join(run.record.devices, " ")), run.record.root});
    }
    if (list.runs.empty()) return finishOutput(writeStdout("No runs are recorded yet.\n"));
    return finishOutput(writeStdout(table.toString()));
}

ExitCode showOne(const RunsOptions& options)
{
    const auto run = findRun(runRecordFolder(), options.id);
    if (!run) return fail(run.error());
    const auto journal = readJournal(runRecordFolder(), options.id);
    if (!journal) return fail(journal.error());
    constexpr std::array kStates{"open", "result", "problem", "skipped"};
    Json pairs = Json::array();
    for (const JournalPair& pair : *journal) {
        pairs.push_back({{"definition", pair.definition}, {"solution", pair.solution}, {"workload_uuid", pair.workloadUuid},
                         {"state", kStates.at(static_cast<std::size_t>(pair.state))}, {"status", pair.status}, {"timestamp", pair.timestamp},
                         {"file", pair.file}, {"reason", pair.reason}});
    }
    Json json = runJson(*run);
    json["pairs"] = std::move(pairs);
    return finishOutput(writeStdout(jsonText(json)));
}

ExitCode stopOne(const RunsOptions& options)
{
    const auto process = stopRun(runRecordFolder(), options.id);
    if (!process) return process.error().code == ErrorCode::NotFound ? fail(process.error()) : fail(process.error(), ExitCode::Failed);
    printNote(fmt::format("process {} was asked to stop", *process));
    return ExitCode::Done;
}

ExitCode sayCount(const Result<std::size_t>& count, const char* what)
{
    if (!count) return fail(count.error(), ExitCode::Failed);
    return finishOutput(writeStdout(fmt::format("{} trace{} {}.\n", *count, *count == 1 ? "" : "s", what)));
}

}  // namespace

void addRunsCommand(CLI::App& app, CommandContext& context)
{
    auto options = std::make_shared<RunsOptions>();
    CLI::App* runs = app.add_subcommand("runs", "Runs that were made: what of them is recorded among the user's files");
    runs->require_subcommand(0, 1);
    runs->add_flag("--json", options->json, "One JSON document on stdout");
    const auto add = [&context, options, runs](const char* name, const char* help, ExitCode (*action)(const RunsOptions&)) {
        CLI::App* command = runs->add_subcommand(name, help);
        command->add_option("ID", options->id, "Id of the run")->required();
        command->callback([options, action, &context] { context.action = [options, action] { return action(*options); }; });
    };
    // Before those of the subcommands, which replace it.
    runs->preparse_callback([options, &context](std::size_t) { context.action = [options] { return listAll(*options); }; });
    add("show", "The record of a run and what became of each of its pairs, as JSON", showOne);
    add("stop", "Stop a run that goes on, as Ctrl-C does", stopOne);
    add("remove-traces", "Take a run's results out of the dataset; they are kept with its record", [](const RunsOptions& of) {
        return sayCount(removeRunTraces(runRecordFolder(), of.id), "removed; `tracedeck runs restore-traces` brings them back");
    });
    add("restore-traces", "Put them back", [](const RunsOptions& of) { return sayCount(restoreRunTraces(runRecordFolder(), of.id), "restored"); });
    add("forget", "Delete what is recorded of a run; its traces stay", [](const RunsOptions& of) {
        const auto gone = forgetRun(runRecordFolder(), of.id);
        return gone ? ExitCode::Done : fail(gone.error(), ExitCode::Failed);
    });
}

}  // namespace tracedeck::cli
