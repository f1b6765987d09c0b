// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tracedeck::judge {

/// Seconds of all processors together since the machine started, from the first line of /proc/stat.
struct MachineLoad {
    double busySeconds = 0;   ///< iowait is none; what a hypervisor took is
    double idleSeconds = 0;
};
/// std::nullopt: the text is not that of /proc/stat.
[[nodiscard]] std::optional<MachineLoad> parseMachineLoad(std::string_view text, double ticksPerSecond);
/// As it is now; std::nullopt where there is no /proc/stat.
[[nodiscard]] std::optional<MachineLoad> machineLoad();

/// What to say of a measurement during which others held the processors, empty when they did not: less than half a processor
/// was idle, and others than the judge and its host used at least half of one. Shorter than 0.2 s nothing is said, since the
/// kernel counts in hundredths of a second.
[[nodiscard]] std::string busyMachineText(const MachineLoad& before, const MachineLoad& after, double ownSeconds, double wallSeconds);

}  // namespace tracedeck::judge
