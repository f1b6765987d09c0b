// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes as a safetensors file: refused with a reason, or every tensor can be read and the tensors fill the data.

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/io/safetensors.h"
#include "tests/fuzz/fuzz_support.h"

using namespace tracedeck;
using tracedeck::fuzz::require;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const auto file = SafetensorsFile::open(fuzz::memoryFile(data, size));
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
