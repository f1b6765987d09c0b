// SPDX-License-Identifier: GPL-3.0-or-later
#include <memory>

#include "app/cli/command_support.h"
#include "app/cli/commands.h"
#include "core/report/merge_text.h"
#include "core/store/merge.h"

namespace tracedeck::cli {

namespace {

struct MergeOptions {
    std::vector<std::string> local;
    std::string out;
    std::vector<std::string> definitions;
    std::vector<std::string> opTypes;
    bool json = false;
};

ExitCode runMerge(const MergeOptions& options)
{
    MergeRequest request;
    request.sources.assign(options.local.begin(), options.local.end());
    request.target = options.out;
    request.definitions = options.definitions;
    request.opTypes = options.opTypes;
    if (request.sources.size() < 2 && !request.isSubset()) {
        return fail(
            {ErrorCode::Usage,
             "merge needs --local twice or more, or --definitions or --op-types to export a part of one dataset",
             {},
             0,
             {}});
    }
    const auto report = mergeDatasets(request);
    if (!report) return fail(report.error());
    const auto written = writeStdout(options.json ? jsonText(mergeDocument(*report)) : mergeText(*report));
    if (!written) return finishOutput(written);
    return report->isComplete() ? ExitCode::Done : ExitCode::Failed;
}

}  // namespace

void addMergeCommand(CLI::App& app, CommandContext& context)
{
    auto options = std::make_shared<MergeOptions>();
    CLI::App* command = app.add_subcommand("merge", "Put datasets together in a new folder, or export a part of one");
    command->footer(
        "Identical items come once. Of two different items under one name the first stays; the other is reported and "
        "kept, with what was\n"
        "made with it, below conflicts/ in the output, which is never loaded. Sources are never written to.\n"
        "Exit code 1: not everything is in the merged dataset (conflicts, items that the format's readers refuse).");
    command->add_option("--local", options->local, "Dataset folder, in order of precedence; give it several times")
        ->required()
        ->type_name("DIR")
        ->allow_extra_args(false);
    command->add_option("--out", options->out, "New or empty folder")->required()->type_name("DIR");
    command
        ->add_option("--definitions", options->definitions,
                     "Only these definitions and what belongs to them: solutions, workloads, traces, blobs")
        ->type_name("X…");
    command
        ->add_option("--op-types", options->opTypes, "Only definitions of these op_types (or named by --definitions)")
        ->type_name("X…");
    command->add_flag("--json", options->json, "Print one JSON document");
    command->callback([options, &context] { context.action = [options] { return runMerge(*options); }; });
}

}  // namespace tracedeck::cli
