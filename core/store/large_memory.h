// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <memory>

namespace tracedeck {

/// Gives back what allocateLarge() gave.
struct LargeMemoryDeleter {
    void operator()(std::byte* memory) const;
};
using LargeMemory = std::unique_ptr<std::byte[], LargeMemoryDeleter>;

/// Memory that is not cleared, aligned for any type. The system is asked to back large pieces with large pages: filling a
/// piece for the first time then takes one page fault for 2 MiB, not one for 4 KiB.
[[nodiscard]] LargeMemory allocateLarge(std::size_t bytes);

}  // namespace tracedeck
