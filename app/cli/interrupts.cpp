// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/interrupts.h"

#include <unistd.h>

#include <atomic>
#include <chrono>

#include "app/end_signals.h"

namespace tracedeck::cli {

namespace {

std::atomic<int> g_interrupts{0};
std::atomic<int> g_signal{0};   ///< the first one
static_assert(std::atomic<int>::is_always_lock_free);

void onInterrupt(int signal)
{
    int none = 0;
    g_signal.compare_exchange_strong(none, signal);
    if (g_interrupts.fetch_add(1) > 0) ::_exit(exitCodeOfSignal(signal));
}

}  // namespace

void watchInterrupts()
{
    handleEndSignals(onInterrupt);
}

bool wasInterrupted()
{
    return g_interrupts > 0;
}

ExitCode interruptExitCode()
{
    return static_cast<ExitCode>(exitCodeOfSignal(g_signal));
}

InterruptStop::InterruptStop()
{
    watchInterrupts();
    m_watcher = std::jthread([this](const std::stop_token& ended) {
        constexpr std::chrono::milliseconds kLook{50};
        for (; !ended.stop_requested(); std::this_thread::sleep_for(kLook)) {
            if (wasInterrupted()) m_source.request_stop();
        }
    });
}

}  // namespace tracedeck::cli
