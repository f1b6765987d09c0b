// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/machine_load.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>
#include <fstream>
#include <unistd.h>

namespace tracedeck::judge {

namespace {

constexpr double kShortestSeconds = 0.2;
constexpr double kProcessorsOfOthers = 0.5;
constexpr double kIdleProcessors = 0.5;

}  // namespace

std::optional<MachineLoad> parseMachineLoad(std::string_view text, double ticksPerSecond)
{
    constexpr std::string_view kStart = "cpu ";
    if (!text.starts_with(kStart) || ticksPerSecond <= 0) return std::nullopt;
    text = text.substr(kStart.size(), text.find('\n') - kStart.size());
    // user, nice, system, idle, iowait, irq, softirq, steal; the guests' after them are in user and nice already.
    std::array<double, 8> ticks{};
    for (double& value : ticks) {
        text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
        unsigned long long count = 0;
        const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), count);
        if (failure != std::errc()) return std::nullopt;
        value = static_cast<double>(count) / ticksPerSecond;
        text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    }
    const auto [user, nice, system, idle, waiting, interrupts, softInterrupts, stolen] = ticks;
    return MachineLoad{user + nice + system + interrupts + softInterrupts + stolen, idle + waiting};
}

std::optional<MachineLoad> machineLoad()
{
    std::ifstream in("/proc/stat");
    std::string line;
    std::getline(in, line);
    return parseMachineLoad(line, static_cast<double>(::sysconf(_SC_CLK_TCK)));
}

std::string busyMachineText(const MachineLoad& before, const MachineLoad& after, double ownSeconds, double wallSeconds)
{
    if (wallSeconds < kShortestSeconds) return {};
    const double others = (after.busySeconds - before.busySeconds - ownSeconds) / wallSeconds;
    const double idle = (after.idleSeconds - before.idleSeconds) / wallSeconds;
    if (others < kProcessorsOfOthers || idle > kIdleProcessors) return {};
    return fmt::format("other programs used {:.1f} processors while this was measured, and {:.1f} were idle: the times may be too long", others, std::max(idle, 0.0));
}

}  // namespace tracedeck::judge
