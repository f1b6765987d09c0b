// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <csignal>

namespace tracedeck {

/// Has `handler` called for the signals that ask a program to end. It may do only what is allowed in a signal handler.
inline void handleEndSignals(void (*handler)(int))
{
    struct sigaction action {};
    action.sa_handler = handler;
    ::sigemptyset(&action.sa_mask);
    action.sa_flags = SA_RESTART;
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        struct sigaction before {};
        // What is ignored from the start (nohup, a shell's background job) stays so.
        if (::sigaction(signal, nullptr, &before) == 0 && before.sa_handler != SIG_IGN) ::sigaction(signal, &action, nullptr);
    }
}

/// What shells make of a program that a signal ended.
[[nodiscard]] constexpr int exitCodeOfSignal(int signal)
{
    return 128 + signal;
}

}  // namespace tracedeck
