// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <CLI/App.hpp>

namespace tracedeck::cli {

/// Texts fit the terminal and have colours when standard output is one and no file is written (`--out`). NO_COLOR and TERM=dumb switch colours off.
void lookAtTerminal(const CLI::App& app);

}  // namespace tracedeck::cli
