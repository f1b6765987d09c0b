// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/terminal_look.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>

#include "core/report/text_look.h"

namespace tracedeck::cli {

namespace {

bool writesFile(const CLI::App& app)
{
    for (const CLI::App* command : app.get_subcommands()) {
        const CLI::Option* out = command->get_option_no_throw("--out");
        if ((out != nullptr && out->count() > 0) || writesFile(*command)) return true;
    }
    return false;
}

std::string_view variable(const char* name)
{
    const char* const value = std::getenv(name);
    return value == nullptr ? std::string_view() : std::string_view(value);
}

}  // namespace

void lookAtTerminal(const CLI::App& app)
{
    if (::isatty(STDOUT_FILENO) != 1 || writesFile(app)) return;
    TextLook look;
    winsize size{};
    if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0) look.width = size.ws_col;
    look.color = variable("NO_COLOR").empty() && !variable("TERM").empty() && variable("TERM") != "dumb";
    setTextLook(look);
}

}  // namespace tracedeck::cli
