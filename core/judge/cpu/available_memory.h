// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace tracedeck::judge {

/// Bytes that this process can still take without anything being killed for it: what the system has to give, and what the
/// memory limit of a container leaves, whichever is less. std::nullopt when the system says neither. The folders are parameters for tests.
[[nodiscard]] std::optional<std::uint64_t> availableMemoryBytes(const std::filesystem::path& processFiles = "/proc",
                                                                const std::filesystem::path& groupFiles = "/sys/fs/cgroup");

}  // namespace tracedeck::judge
