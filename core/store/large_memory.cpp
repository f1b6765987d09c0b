// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/large_memory.h"

#include <sys/mman.h>

#include <cstdlib>
#include <new>

namespace tracedeck {

namespace {

constexpr std::size_t kLargePageBytes = std::size_t{2} << 20U;
/// Less than this would leave much of its last page unused.
constexpr std::size_t kBytesWorthLargePages = 4 * kLargePageBytes;

}  // namespace

void LargeMemoryDeleter::operator()(std::byte* memory) const
{
    std::free(memory);
}

LargeMemory allocateLarge(std::size_t bytes)
{
    if (bytes < kBytesWorthLargePages) {
        LargeMemory memory(static_cast<std::byte*>(std::malloc(bytes)));
        if (!memory && bytes > 0) throw std::bad_alloc();
        return memory;
    }
    const std::size_t whole = (bytes + kLargePageBytes - 1) / kLargePageBytes * kLargePageBytes;
    LargeMemory memory(static_cast<std::byte*>(std::aligned_alloc(kLargePageBytes, whole)));
    if (!memory) throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
    // A wish: without it everything works, a little more slowly.
    (void)::madvise(memory.get(), whole, MADV_HUGEPAGE);
#endif
    return memory;
}

}  // namespace tracedeck
