// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes as a safetensors file: refused with a reason, or every tensor can be read and the tensors fill the data.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

#include "core/io/safetensors.h"

using namespace tracedeck;

namespace {

void require(bool condition, const char* rule)
{
    if (condition) return;
    std::fprintf(stderr, "broken rule: %s\n", rule);
    std::abort();
}

/// One file in memory, used again for each input.
int memoryFile()
{
    static const int descriptor = ::memfd_create("fuzz", MFD_CLOEXEC);
    require(descriptor >= 0, "a memory file can be made");
    return descriptor;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const int descriptor = memoryFile();
    require(::ftruncate(descriptor, 0) == 0 && ::pwrite(descriptor, data, size, 0) == static_cast<ssize_t>(size), "the input can be stored");
    const auto file = SafetensorsFile::open("/proc/self/fd/" + std::to_string(descriptor));
    if (!file) {
        require(!file.error().reason.empty() && !file.error().file.empty(), "an error has a reason and a file");
        return 0;
    }
    std::uint64_t bytes = 0;
    for (const SafetensorsEntry& entry : (*file)->entries()) {
        require((*file)->find(entry.name) == &entry, "names are unique");
        std::vector<std::byte> copy(static_cast<std::size_t>(entry.end - entry.begin));
        require((*file)->read(entry, copy).has_value(), "a tensor can be read");
        const auto mapped = (*file)->data(entry);
        require(std::equal(mapped.begin(), mapped.end(), copy.begin(), copy.end()), "mapped and read bytes are the same");
        bytes += copy.size();
    }
    require(bytes + 10 <= size || bytes == 0, "the tensors fit in the file");
    return 0;
}
