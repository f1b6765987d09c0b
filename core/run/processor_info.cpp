// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/processor_info.h"

#include <sys/utsname.h>

#include <fmt/format.h>

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

}  // namespace tracedeck
