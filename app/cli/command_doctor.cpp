// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <memory>
#include <string_view>

#include "app/cli/command_support.h"
#include "app/cli/commands.h"
#include "core/model/text.h"
#include "core/report/text_table.h"
#include "core/run/caches.h"
#include "core/run/python_environment.h"

namespace tracedeck::cli {

namespace {

struct DoctorOptions {
    std::string python;
    std::string clearCache;
    bool json = false;
};

std::string_view levelName(Finding::Level level)
{
    switch (level) {
    case Finding::Level::Ok: return "ok";
    case Finding::Level::Warning: return "warning";
    case Finding::Level::Missing: return "missing";
    }
    return "";
}

std::string doctorText(const std::vector<Finding>& findings)
{
    TextTable table(
        {{"What", TextTable::Align::Left}, {"", TextTable::Align::Left}, {"Found", TextTable::Align::Left}});
    for (const auto& finding : findings)
        table.addRow({finding.subject, std::string(levelName(finding.level)), finding.found});
    std::string remedies;
    for (const auto& finding : findings) {
        if (!finding.remedy.empty())
            remedies += "  " + printable(finding.subject) + ": " + printable(finding.remedy) + "\n";
    }
    std::string obstacles;
    for (const auto& subject : whatPreventsRuns(findings)) obstacles += (obstacles.empty() ? "" : ", ") + subject;
    return table.toString() + (remedies.empty() ? "\nNothing is missing.\n" : "\nWhat to do:\n" + remedies) +
           (obstacles.empty() ? "" : "\nNothing can be run on this machine before this is there: " + obstacles + "\n");
}

Json doctorJson(const std::vector<Finding>& findings, const PythonChoice& python)
{
    Json list = Json::array();
    for (const auto& finding : findings) {
        list.push_back({{"subject", finding.subject},
                        {"level", levelName(finding.level)},
                        {"found", finding.found},
                        {"remedy", finding.remedy}});
    }
    return {{"python",
             {{"interpreter", python.interpreter.string()},
              {"source", python.source},
              {"explanation", python.explanation}}},
            {"findings", std::move(list)},
            {"prevents_runs", whatPreventsRuns(findings)}};
}

ExitCode clearCaches(const std::string& name)
{
    std::string text;
    for (const CacheUse& cache : findCaches()) {
        if (name != "all" && name != cache.name) continue;
        const auto freed = clearCache(cache.name);
        if (!freed) return fail(freed.error());
        text += fmt::format("{}: {} freed\n", cache.name, bytesText(*freed));
    }
    return finishOutput(writeStdout(text));
}

ExitCode runDoctor(const DoctorOptions& options)
{
    if (!options.clearCache.empty()) return clearCaches(options.clearCache);
    const PythonChoice python = choosePython("", options.python);
    const auto findings = diagnose(python);
    const auto printed = finishOutput(writeStdout(options.json ? jsonText(doctorJson(findings, python)) : doctorText(findings)));
    return whatPreventsRuns(findings).empty() ? printed : ExitCode::Failed;
}

}  // namespace

void addDoctorCommand(CLI::App& app, CommandContext& context)
{
    auto options = std::make_shared<DoctorOptions>();
    CLI::App* command =
        app.add_subcommand("doctor", "Show what was found on this machine, what is missing and how to get it (exit 1: nothing can be run)");
    command->add_option("--python", options->python, "Interpreter to look at instead of the one that would be chosen")
        ->type_name("FILE");
    command->add_option("--clear-cache", options->clearCache, "Delete what is kept so that it need not be made again: builds, kernels, profiles or all. Not while a run is under way")
        ->type_name("NAME")
        ->check(CLI::IsMember({"builds", "kernels", "profiles", "all"}));
    command->add_flag("--json", options->json, "Print one JSON document");
    command->callback([options, &context] { context.action = [options] { return runDoctor(*options); }; });
}

}  // namespace tracedeck::cli
