// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/processor_info.h"

#include <sys/utsname.h>

#include <fmt/format.h>

#include <charconv>
#include <fstream>

namespace tracedeck {

std::string processorInfo(std::string_view name)
{
    std::ifstream info("/proc/cpuinfo");
    for (std::string line; std::getline(info, line);) {
        const std::size_t colon = line.find(':');
        if (line.starts_with(name) && colon != std::string::npos && colon + 2 < line.size()) return line.substr(colon + 2);
    }
    return {};
}

std::string processorName()
{
    if (std::string name = processorInfo("model name"); !name.empty()) return name;
    utsname system{};
    return ::uname(&system) == 0 ? fmt::format("{} CPU", system.machine) : "unknown CPU";
}

std::optional<std::uint64_t> memoryInfo(std::string_view name)
{
    std::ifstream info("/proc/meminfo");
    for (std::string line; std::getline(info, line);) {
        if (!line.starts_with(name)) continue;
        const auto digit = line.find_first_of("0123456789");
        std::uint64_t kib = 0;
        if (digit == std::string::npos || std::from_chars(line.data() + digit, line.data() + line.size(), kib).ec != std::errc{}) return std::nullopt;
        return kib * 1024;
    }
    return std::nullopt;
}

}  // namespace tracedeck
