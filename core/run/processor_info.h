// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tracedeck {

/// The first value of this name in /proc/cpuinfo; empty where there is none.
[[nodiscard]] std::string processorInfo(std::string_view name);
/// Model name of the processor, or the machine type where it names none: the hardware of traces of the cpu device.
[[nodiscard]] std::string processorName();
/// A line of /proc/meminfo in bytes, for example `MemAvailable:`.
[[nodiscard]] std::optional<std::uint64_t> memoryInfo(std::string_view name);

}  // namespace tracedeck
