// SPDX-License-Identifier: GPL-3.0-or-later
#include <memory>

#include "app/cli/command_support.h"
#include "app/cli/commands.h"
#include "core/report/report.h"

namespace tracedeck::cli {

namespace {

struct InfoOptions {
    std::vector<std::string> local;
    bool json = false;
};

ExitCode runInfo(const InfoOptions& options)
{
    std::vector<Json> documents;
    std::vector<std::string> texts;
    for (const std::string& root : options.local.empty() ? std::vector<std::string>{""} : options.local) {
        const auto dataset = openDataset(root);   // its problems are part of what is printed
        if (!dataset) return fail(dataset.error());
        if (options.json) documents.push_back(infoDocument(**dataset));
        else texts.push_back(infoText(**dataset));
    }
    return finishOutput(writeStdout(options.json ? jsonText(std::move(documents)) : joinDatasetTexts(texts)));
}

}  // namespace

void addInfoCommand(CLI::App& app, CommandContext& context)
{
    auto options = std::make_shared<InfoOptions>();
    CLI::App* command = app.add_subcommand("info", "Show what a dataset holds: counts, statuses, op_types, problems found while loading");
    addLocalOption(*command, options->local);
    command->add_flag("--json", options->json, "Print one JSON document (an array of them for several datasets)");
    command->callback([options, &context] { context.action = [options] { return runInfo(*options); }; });
}

}  // namespace tracedeck::cli
