// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/cpu/available_memory.h"

#include <algorithm>
#include <fstream>
#include <string>

namespace tracedeck::judge {

namespace {

/// The number after a word at the start of a line.
std::optional<std::uint64_t> numberAfter(const std::filesystem::path& file, const std::string& word)
{
    std::ifstream in(file);
    std::string name;
    std::uint64_t number = 0;
    for (std::string rest; in >> name; std::getline(in, rest)) {
        if (name != word) {
            continue;
        }
        return in >> number ? std::optional(number) : std::nullopt;
    }
    return std::nullopt;
}

std::optional<std::uint64_t> onlyNumber(const std::filesystem::path& file)
{
    std::ifstream in(file);
    std::uint64_t number = 0;
    return in >> number ? std::optional(number) : std::nullopt;   // "max" is none
}

}  // namespace

std::optional<std::uint64_t> availableMemoryBytes(const std::filesystem::path& processFiles, const std::filesystem::path& groupFiles)
{
    constexpr std::uint64_t kBytesPerKib = 1024;
    std::optional<std::uint64_t> available;
    if (const auto kib = numberAfter(processFiles / "meminfo", "MemAvailable:")) {
        available = *kib * kBytesPerKib;
    }
    const auto limit = onlyNumber(groupFiles / "memory.max");
    const auto current = onlyNumber(groupFiles / "memory.current");
    if (limit && current) {
        // File contents that nobody reads are given back when memory is short.
        const std::uint64_t used = *current - std::min(*current, numberAfter(groupFiles / "memory.stat", "inactive_file").value_or(0));
        const std::uint64_t left = *limit - std::min(*limit, used);
        available = std::min(available.value_or(left), left);
    }
    return available;
}

}  // namespace tracedeck::judge
