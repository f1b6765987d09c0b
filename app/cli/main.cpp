// SPDX-License-Identifier: GPL-3.0-or-later
#include <fcntl.h>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <csignal>
#include <cstdio>
#include <exception>
#include <sstream>

#include "app/cli/command_support.h"
#include "app/cli/commands.h"
#include "app/cli/terminal_look.h"
#include "app/cli/usage_text.h"

namespace {

using tracedeck::cli::ExitCode;

/// A closed standard stream would give its number to the next file that is opened, for example a trace file, and text meant
/// for the terminal would land there. A read-only /dev/null makes such writes fail instead.
void keepStandardStreams()
{
    for (int descriptor = 0; descriptor <= 2; ++descriptor) {
        if (::fcntl(descriptor, F_GETFD) == -1 && ::open("/dev/null", O_RDONLY) < 0) return;
    }
}

/// Help and version go to stdout with code 0; any other outcome of parsing is wrong usage.
ExitCode exitFromParsing(const CLI::App& app, const CLI::ParseError& error)
{
    if (error.get_exit_code() != 0) {
        const auto code = tracedeck::cli::fail({tracedeck::ErrorCode::Usage, tracedeck::cli::usageErrorText(app, error), {}, 0, {}});
        std::fprintf(stderr, "Try '%s --help'.\n", tracedeck::cli::namedCommand(app).c_str());
        return code;
    }
    std::ostringstream out;
    std::ostringstream err;
    app.exit(error, out, err);
    return tracedeck::cli::finishOutput(tracedeck::cli::writeStdout(out.str()));
}

ExitCode runProgram(int argc, char** argv)
{
    CLI::App app{"Tracedeck: explore and run FlashInfer-Trace datasets", "tracedeck"};
    app.set_version_flag("--version", "tracedeck " TRACEDECK_VERSION);
    app.require_subcommand(1);
    app.footer("Exit codes: 0 done; 1 ran, and something failed; 2 wrong usage; 3 input unreadable.");
    tracedeck::cli::CommandContext context;
    tracedeck::cli::addInfoCommand(app, context);
    tracedeck::cli::addRunCommand(app, context);
    tracedeck::cli::addRunsCommand(app, context);
    tracedeck::cli::addReportCommand(app, context);
    tracedeck::cli::addValidateCommand(app, context);
    tracedeck::cli::addMergeCommand(app, context);
    tracedeck::cli::addInterchangeCommands(app, context);
    tracedeck::cli::addNewCommands(app, context);
    tracedeck::cli::addDoctorCommand(app, context);
    tracedeck::cli::addDiagnoseCommand(app, context);
    tracedeck::cli::addDuelCommand(app, context);
    tracedeck::cli::acceptPlainNumbersOnly(app);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return exitFromParsing(app, error);
    }
    tracedeck::cli::lookAtTerminal(app);
    return context.action();
}

}  // namespace

int main(int argc, char** argv)
{
    keepStandardStreams();
    // A reader that goes away is a write error like any other, not a reason to die in the middle of a run.
    std::signal(SIGPIPE, SIG_IGN);
    try {
        return static_cast<int>(runProgram(argc, argv));
    } catch (const std::exception& error) {
        std::fprintf(stderr, "tracedeck: error: %s\n", error.what());
        return static_cast<int>(ExitCode::Failed);
    }
}
