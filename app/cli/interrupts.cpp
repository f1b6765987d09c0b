// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/interrupts.h"

#include <unistd.h>

#include <atomic>
#include <csignal>

namespace tracedeck::cli {

namespace {

std::atomic<int> g_interrupts{0};
std::atomic<int> g_signal{0};   ///< the first one
static_assert(std::atomic<int>::is_always_lock_free);

constexpr int exitCodeOf(int signal)
{
    return 128 + signal;
}

void onInterrupt(int signal)
{
    int none = 0;
    g_signal.compare_exchange_strong(none, signal);
    if (g_interrupts.fetch_add(1) > 0) ::_exit(exitCodeOf(signal));
}

}  // namespace

void watchInterrupts()
{
    struct sigaction action {};
    action.sa_handler = onInterrupt;
    ::sigemptyset(&action.sa_mask);
    action.sa_flags = SA_RESTART;
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        struct sigaction before {};
        // What is ignored from the start (nohup, a shell's background job) stays so.
        if (::sigaction(signal, nullptr, &before) == 0 && before.sa_handler != SIG_IGN) ::sigaction(signal, &action, nullptr);
    }
}

bool wasInterrupted()
{
    return g_interrupts > 0;
}

ExitCode interruptExitCode()
{
    return static_cast<ExitCode>(exitCodeOf(g_signal));
}

}  // namespace tracedeck::cli
