// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <CLI/App.hpp>
#include <functional>

namespace tracedeck::cli {

/// Exit codes of the program (design §7). A run that a signal ended has the shell's code for that, 128 and its number.
enum class ExitCode : int {
    Done = 0,
    Failed = 1,       ///< ran, and something failed
    Usage = 2,        ///< wrong usage
    Unreadable = 3,   ///< input unreadable
    ReaderGone = 141  ///< who reads our output went away: what a shell says of a program that this ended
};

/// What the command line asked for. A subcommand's callback only stores the action: nothing runs while arguments are
/// still being parsed, and main() calls it in one place.
struct CommandContext {
    std::function<ExitCode()> action;
};

/// Each adds one subcommand and lives in its own command_<name>.cpp. The function that is stored in `context.action` owns
/// its options.
void addInfoCommand(CLI::App& app, CommandContext& context);
void addRunCommand(CLI::App& app, CommandContext& context);
/// Adds `runs`: what is recorded of earlier runs.
void addRunsCommand(CLI::App& app, CommandContext& context);
void addReportCommand(CLI::App& app, CommandContext& context);
/// Each adds one subcommand to `report`.
void addReportCompareCommand(CLI::App& report, CommandContext& context);
void addReportHeatMapCommand(CLI::App& report, CommandContext& context);
void addReportChartCommand(CLI::App& report, CommandContext& context);
void addReportLightCommand(CLI::App& report, CommandContext& context);
void addReportErrorsCommand(CLI::App& report, CommandContext& context);
void addReportVisualizeCommand(CLI::App& report, CommandContext& context);
/// Adds `html`, `markdown`, `pdf` and `charts`: what people read.
void addReportPageCommands(CLI::App& report, CommandContext& context);
/// Adds `history` and `failures` to `report`.
void addReportHistoryCommands(CLI::App& report, CommandContext& context);
/// Adds `validate` and `validate-render`.
void addValidateCommand(CLI::App& app, CommandContext& context);
void addMergeCommand(CLI::App& app, CommandContext& context);
void addInterchangeCommands(CLI::App& app, CommandContext& context);   ///< import, export
void addNewCommands(CLI::App& app, CommandContext& context);   ///< new, add
void addDoctorCommand(CLI::App& app, CommandContext& context);
void addDiagnoseCommand(CLI::App& app, CommandContext& context);
void addDuelCommand(CLI::App& app, CommandContext& context);

}  // namespace tracedeck::cli
