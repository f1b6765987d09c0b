// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/run_progress.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fmt/format.h>
#include <type_traits>

#include "core/model/failure_reason.h"
#include "core/report/text_table.h"

namespace tracedeck::cli {

namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kRedrawInterval = std::chrono::milliseconds(100);
constexpr const char* kClearLine = "\r\x1b[K";

void toStderr(const std::string& text)
{
    std::fwrite(text.data(), 1, text.size(), stderr);
    std::fflush(stderr);
}

std::size_t terminalWidth()
{
    constexpr std::size_t kUsual = 80;
    struct winsize size {};
    if (::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return kUsual;
    return size.ws_col;
}

/// The first `width` code points, so that the bar never wraps into a second line.
std::string clipped(const std::string& text, std::size_t width)
{
    std::size_t count = 0;
    for (std::size_t index = 0; index < text.size(); ++index) {
        const bool startsCodePoint = (static_cast<unsigned char>(text[index]) & 0xC0U) != 0x80U;
        if (startsCodePoint && count++ == width) return text.substr(0, index);
    }
    return text;
}

/// 9s, 2m05s, 3h02m
std::string duration(double seconds)
{
    const auto whole = static_cast<long long>(std::max(0.0, std::round(seconds)));
    if (whole < 60) return fmt::format("{}s", whole);
    if (whole < 3600) return fmt::format("{}m{:02}s", whole / 60, whole % 60);
    return fmt::format("{}h{:02}m", whole / 3600, whole / 60 % 60);
}

}  // namespace

RunProgress::RunProgress(const RunPlan& plan, LogLevel level, bool isTerminal)
    : m_plan(plan), m_level(level), m_isTerminal(isTerminal)
{
    for (const auto& pair : plan.pairs) {
        Tally& tally = m_tallies[pair.solution];
        tally.definition = pair.definition;
        ++tally.planned;
    }
}

void RunProgress::handle(const RunEvent& event)
{
    std::visit(
        [this](const auto& kind) {
            using Kind = std::decay_t<decltype(kind)>;
            if constexpr (std::is_same_v<Kind, StartEvent>) {
                m_current[kind.device] = {kind.pair, ""};
            } else if constexpr (std::is_same_v<Kind, StageEvent>) {
                m_current[kind.device] = {kind.pair, std::string(toString(kind.stage))};
                const RunPair& pair = m_plan.pairs.at(kind.pair);
                say(LogLevel::Debug, fmt::format("{}: Solution '{}' for workload {}: {}", kind.device, printable(pair.solution),
                                                 printable(pair.workloadUuid), toString(kind.stage)));
            } else if constexpr (std::is_same_v<Kind, DeviceEvent>) {
                if (kind.state == "lost") m_lostDevice = true;
                if (kind.state == "lost")
                    say(LogLevel::Error, fmt::format("Device {} is lost: {}", kind.device, kind.message));
                else if (kind.state == "waiting") say(LogLevel::Info, fmt::format("Device {} waits: {}", kind.device, kind.message));
                else if (kind.state == "starting" && !kind.message.empty())
                    say(LogLevel::Warning, fmt::format("Device {}: {}", kind.device, kind.message));
                else say(LogLevel::Debug, fmt::format("Device {}: {} {}", kind.device, kind.state, kind.hardware));
                if (kind.state == "idle" || kind.state == "lost") m_current.erase(kind.device);
            } else if constexpr (std::is_same_v<Kind, ResultEvent>) {
                onResult(kind);
            } else if constexpr (std::is_same_v<Kind, ProblemEvent>) {
                onProblem(kind);
            } else if constexpr (std::is_same_v<Kind, SkippedEvent>) {
                m_finished += kind.pairs.size();
                say(LogLevel::Warning, fmt::format("{}: {} evaluation{} left out", kind.reason, kind.pairs.size(), kind.pairs.size() == 1 ? "" : "s"));
            } else if constexpr (std::is_same_v<Kind, DoneEvent>) {
                m_done = kind;
            }
        },
        event);
}

void RunProgress::onResult(const ResultEvent& event)
{
    const RunPair& pair = m_plan.pairs.at(event.pair);
    const Evaluation evaluation = event.trace.evaluation.value_or(Evaluation{});
    Tally& tally = m_tallies[pair.solution];
    const bool passed = event.trace.isPassed();
    ++m_finished;
    ++tally.finished;
    ++(passed ? m_passed : m_failed);
    if (event.stored) ++m_stored;
    std::string outcome{evaluation.statusName()};
    if (passed && !event.stored && evaluation.performance && evaluation.performance->latencyMs <= 0) {
        // A check without a timing (Triton's interpreter): no figure may look like one.
        ++tally.passed;
        ++m_checkedOnly;
        outcome = "correct, not timed";
    } else if (passed) {
        ++tally.passed;
        if (const auto& performance = evaluation.performance) {
            if (performance->speedupFactor > 0 && std::isfinite(performance->speedupFactor)) {
                tally.logSpeedups += std::log(performance->speedupFactor);
                ++tally.withSpeedup;
            }
            // Without a timed reference there is no speedup.
            outcome += performance->referenceLatencyMs > 0
                           ? fmt::format(" with {:.2f}x speedup vs. reference ({:.4f} ms)", performance->speedupFactor, performance->latencyMs)
                           : fmt::format(" ({:.4f} ms)", performance->latencyMs);
        }
    } else {
        ++tally.failures[evaluation.status];
        if (const auto reason = failureReason(evaluation); !reason.empty()) outcome += ": " + reason;
    }
    if (!event.note.empty()) outcome += fmt::format(" [{}{}]", event.stored ? "" : "not stored: ", event.note);
    say(passed ? LogLevel::Info : LogLevel::Warning,
        fmt::format("Solution '{}' for workload {}: {}", printable(pair.solution), printable(pair.workloadUuid), outcome));
}

void RunProgress::onProblem(const ProblemEvent& event)
{
    m_finished += event.pairs.size();
    // Without a pair it is about results on their way to disk.
    if (event.pairs.empty()) m_lostResult = true;
    const std::string count = event.pairs.empty() ? ""
                                                  : fmt::format(" ({} evaluation{} not run)", event.pairs.size(),
                                                                event.pairs.size() == 1 ? "" : "s");
    say(LogLevel::Error, event.error.toString() + count);
}

void RunProgress::say(LogLevel level, const std::string& text)
{
    if (level < m_level) return;
    clear();
    // Each line apart, since printable() makes a line break visible instead of breaking the line.
    std::string rest = text;
    while (!rest.empty()) {
        const auto end = std::min(rest.find('\n'), rest.size());
        toStderr(printable(rest.substr(0, end)) + "\n");
        rest.erase(0, end + 1);
    }
}

void RunProgress::clear()
{
    if (m_barShown) toStderr(kClearLine);
    m_barShown = false;
}

void RunProgress::redraw()
{
    const auto now = Clock::now();
    if (!m_isTerminal || now - m_drawn < kRedrawInterval) return;
    m_drawn = now;
    m_barShown = true;
    toStderr(kClearLine + barText(terminalWidth() - 1));
}

std::string RunProgress::barText(std::size_t width) const
{
    const std::size_t total = m_plan.pairs.size();
    const double share = total == 0 ? 1 : static_cast<double>(m_finished) / static_cast<double>(total);
    const double seconds = std::chrono::duration<double>(Clock::now() - m_started).count();
    const double perMinute = seconds > 0 ? 60 * static_cast<double>(m_finished) / seconds : 0;
    constexpr std::size_t kBarWidth = 20;
    const auto filled = static_cast<std::size_t>(share * kBarWidth);
    std::string text = fmt::format("[{}{}] {}/{}  {} passed, {} failed", std::string(filled, '#'),
                                   std::string(kBarWidth - filled, '-'), m_finished, total, m_passed, m_failed);
    if (m_finished > 0) {
        text += fmt::format("  {:.1f}/min, {} left", perMinute,
                            duration(static_cast<double>(total - m_finished) / perMinute * 60));
    } else {
        text += "  " + duration(seconds);
    }
    if (m_current.empty()) text += "  starting";
    for (const auto& [device, current] : m_current) {
        const RunPair& pair = m_plan.pairs.at(current.pair);
        text +=
            fmt::format("  {}: {} @ {}{}", device, printable(pair.solution), printable(pair.workloadUuid.substr(0, 8)),
                        current.stage.empty() ? "" : " (" + current.stage + ")");
    }
    return clipped(text, width);
}

std::string RunProgress::summary() const
{
    using Align = TextTable::Align;
    TextTable table({{"Solution", Align::Left},
                     {"Definition", Align::Left},
                     {"Passed", Align::Right},
                     {"Failed", Align::Right},
                     {"Not run", Align::Right},
                     {"Speedup", Align::Right},
                     {"Failures", Align::Left}});
    for (const auto& [solution, tally] : m_tallies) {
        std::string failures;
        for (const auto& [status, count] : tally.failures)
            failures += fmt::format("{}{} x{}", failures.empty() ? "" : ", ", toString(status), count);
        const std::string speedup =
            tally.withSpeedup == 0
                ? "-"
                : fmt::format("{:.2f}x", std::exp(tally.logSpeedups / static_cast<double>(tally.withSpeedup)));
        table.addRow({solution, tally.definition, std::to_string(tally.passed),
                      std::to_string(tally.finished - tally.passed), std::to_string(tally.planned - tally.finished),
                      speedup, failures});
    }
    return table.toString() + fmt::format("{} passed, {} failed, {} not run in {}. Speedup: geometric mean over the "
                                          "passed workloads, against the reference.\n",
                                          m_done.passed, m_done.failed, m_done.notRun, duration(m_done.seconds));
}

}  // namespace tracedeck::cli
