// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <sys/mman.h>
#include <unistd.h>

namespace tracedeck::fuzz {

/// Ends the program when a rule that must hold for every input is broken.
inline void require(bool condition, const char* rule, const std::string& detail = {})
{
    if (condition) return;
    std::fprintf(stderr, "broken rule: %s\n%s\n", rule, detail.c_str());
    std::abort();
}

inline std::string_view textOf(const std::uint8_t* data, std::size_t size)
{
    return {reinterpret_cast<const char*>(data), size};
}

/// Puts an input into a file in memory, the same one each time, and gives its path.
inline std::string memoryFile(const std::uint8_t* data, std::size_t size)
{
    static const int descriptor = ::memfd_create("fuzz", MFD_CLOEXEC);
    require(descriptor >= 0, "a memory file can be made");
    require(::ftruncate(descriptor, 0) == 0 && ::pwrite(descriptor, data, size, 0) == static_cast<ssize_t>(size), "the input can be stored");
    return "/proc/self/fd/" + std::to_string(descriptor);
}

}  // namespace tracedeck::fuzz
