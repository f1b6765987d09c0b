// SPDX-License-Identifier: GPL-3.0-or-later
#include <unistd.h>

#include <fmt/format.h>
#include <memory>

#include "app/cli/command_support.h"
#include "app/cli/commands.h"
#include "app/cli/interrupts.h"
#include "app/cli/target_options.h"
#include "core/diagnose/duel.h"
#include "core/report/text_table.h"

namespace tracedeck::cli {

namespace {

struct DuelOptions {
    TargetOptions target;
    double secondsLimit = 600;
    std::size_t mostRounds = 400;
    double marginPercent = 1;
    double confidencePercent = 95;
    std::optional<int> iterations;
    std::optional<int> warmups;
    std::string isolation = "evaluation";
};

ExitCode runDuelCommand(const DuelOptions& options)
{
    InterruptStop stop;
    auto target = makeTarget(options.target);
    if (!target) return fail(target.error());
    DuelRequest request;
    request.target = std::move(*target);
    request.target.request.overrides.iterations = options.iterations;
    request.target.request.overrides.warmupRuns = options.warmups;
    request.target.request.isolation = options.isolation == "solution" ? Isolation::Solution : Isolation::Evaluation;
    request.solutions = options.target.solutions;
    request.secondsLimit = options.secondsLimit;
    request.mostRounds = options.mostRounds;
    request.margin = options.marginPercent / 100;
    request.confidence = options.confidencePercent / 100;
    const bool tells = ::isatty(STDERR_FILENO) == 1;
    std::size_t told = 0;
    auto report = runDuel(request, [&](const DuelReport& now) {
        if (tells && now.rounds > told) std::fprintf(stderr, "%zu rounds, %.0f s: %s\n", now.rounds, now.seconds, printable(now.verdict()).c_str());
        told = now.rounds;
    }, stop.token());
    if (!report && wasInterrupted()) return interruptExitCode();
    if (!report) return fail(targetError(report.error(), options.target));
    const ExitCode printed = finishOutput(writeStdout(options.target.json ? jsonText(encodeDuel(*report)) : duelText(*report)));
    if (wasInterrupted()) return interruptExitCode();
    return printed == ExitCode::Done && report->end == DuelReport::End::Failed ? ExitCode::Failed : printed;
}

}  // namespace

void addDuelCommand(CLI::App& app, CommandContext& context)
{
    auto options = std::make_shared<DuelOptions>();
    CLI::App* command = app.add_subcommand("duel", "Set solutions against each other on the same inputs, round by round, until it is clear which is faster");
    addTargetOptions(*command, options->target, false, false);
    command->add_option("--solutions", options->target.solutions, "Two solutions of a definition, or more")->type_name("NAME")->required();
    command->add_option("--time-limit", options->secondsLimit, "Seconds after which no round begins (default 600)")->check(CLI::PositiveNumber)->check(CLI::Range(0.0, 1e7));
    command->add_option("--max-rounds", options->mostRounds, "Rounds at most (default 400)")->check(CLI::Range(2, 100000));
    command->add_option("--margin", options->marginPercent, "Percent below which a difference does not count (default 1)")->type_name("PERCENT")->check(CLI::Range(0.01, 50.0));
    command->add_option("--confidence", options->confidencePercent, "Percent of duels whose verdict is right, all looks at the growing data together (default 95)")
        ->type_name("PERCENT")
        ->check(CLI::Range(50.0, 99.999));
    command->add_option("--iterations", options->iterations, "Timed calls of each solution in a round (default 50)")->check(CLI::PositiveNumber);
    command->add_option("--warmup-runs", options->warmups, "Untimed calls before them (default 10)")->check(CLI::NonNegativeNumber);
    command
        ->add_option("--isolation", options->isolation, "evaluation: a fresh process for each round, the default: what differs from process to process is in the interval; solution: one process each")
        ->type_name("KIND")
        ->check(CLI::IsMember({"evaluation", "solution"}));
    command->callback([options, &context] { context.action = [options] { return runDuelCommand(*options); }; });
}

}  // namespace tracedeck::cli
