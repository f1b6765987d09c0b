// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <string>

#include "core/run/run_event.h"
#include "core/run/run_request.h"

namespace tracedeck::cli {

/// How much a run says on stderr; the names of flashinfer-bench.
enum class LogLevel { Debug, Info, Warning, Error };

/// Shows a run to a person: one line an evaluation and, on a terminal, a bar below them that says what is going on.
/// Everything goes to stderr. Keeps the figures of the summary at the end.
class RunProgress {
public:
    RunProgress(const RunPlan& plan, LogLevel level, bool isTerminal);

    void handle(const RunEvent& event);
    /// Redraws the bar when it is due (at most 10 times a second). Nothing without a terminal.
    void redraw();
    /// Takes the bar away.
    void clear();
    /// A line above the bar.
    void say(LogLevel level, const std::string& text);
    /// Table of the solutions and a closing sentence.
    [[nodiscard]] std::string summary() const;

    [[nodiscard]] const DoneEvent& done() const { return m_done; }
    [[nodiscard]] bool lostDevice() const { return m_lostDevice; }
    [[nodiscard]] bool lostResult() const { return m_lostResult; }
    [[nodiscard]] std::size_t stored() const { return m_stored; }
    /// Results that are checks without a timing, never stored.
    [[nodiscard]] std::size_t checkedOnly() const { return m_checkedOnly; }

private:
    struct Tally {
        std::string definition;
        std::size_t passed = 0;
        std::size_t planned = 0;
        std::size_t finished = 0;
        double logSpeedups = 0;   ///< sum, of those with a speedup
        std::size_t withSpeedup = 0;
        std::map<Status, std::size_t> failures;
    };
    struct Current {
        std::size_t pair = 0;
        std::string stage;
    };

    void onResult(const ResultEvent& event);
    void onProblem(const ProblemEvent& event);
    [[nodiscard]] std::string barText(std::size_t width) const;

    const RunPlan& m_plan;
    LogLevel m_level;
    bool m_isTerminal;
    bool m_barShown = false;
    bool m_lostDevice = false;
    bool m_lostResult = false;
    std::chrono::steady_clock::time_point m_started = std::chrono::steady_clock::now();
    std::chrono::steady_clock::time_point m_drawn;
    std::map<std::string, Tally> m_tallies;     ///< by solution
    std::map<std::string, Current> m_current;   ///< by device
    std::size_t m_finished = 0;
    std::size_t m_passed = 0;
    std::size_t m_failed = 0;
    std::size_t m_stored = 0;
    std::size_t m_checkedOnly = 0;
    DoneEvent m_done;
};

}  // namespace tracedeck::cli
