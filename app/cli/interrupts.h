// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <stop_token>
#include <thread>

#include "app/cli/commands.h"

namespace tracedeck::cli {

/// From now on the first interrupt (Ctrl-C, SIGTERM, SIGHUP) is only counted, so that a run can end in order; the second one ends the
/// program at once: judges see their socket close and clean up.
void watchInterrupts();
[[nodiscard]] bool wasInterrupted();
/// The exit code by which shells know a program that the first interrupt ended.
[[nodiscard]] ExitCode interruptExitCode();

/// Watches interrupts, and asks a stop source to stop at the first.
class InterruptStop {
public:
    InterruptStop();
    [[nodiscard]] std::stop_token token() const { return m_source.get_token(); }

private:
    std::stop_source m_source;
    std::jthread m_watcher;
};

}  // namespace tracedeck::cli
