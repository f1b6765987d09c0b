// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes as a solution; an accepted one can be hashed and its files stay within their folder.

#include <algorithm>

#include "tests/fuzz/fuzz_codec.h"

using namespace tracedeck;
using tracedeck::fuzz::require;

namespace {

bool climbs(const std::string& path)
{
    const std::string guarded = "/" + path + "/";
    return guarded.find("/../") != std::string::npos || path.front() == '/';
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const auto read = fuzz::checkReaders<Solution>(
        fuzz::textOf(data, size), [](std::string_view text, ReadMode mode) { return decodeSolution(text, mode); }, encodeSolution);
    if (!read) return 0;
    const Solution& solution = read->value;
    require(solution.contentHash().size() == 40, "a content hash has 40 digits");
    require(solution.spec.entryFile() + "::" + solution.spec.entrySymbol() == solution.spec.entryPoint, "the entry point is file and symbol");
    const bool hasEntry = std::any_of(solution.sources.begin(), solution.sources.end(),
                                      [&](const SourceFile& source) { return source.path == solution.spec.entryFile(); });
    require(hasEntry, "the entry file is among the sources");
    for (const SourceFile& source : solution.sources) require(!climbs(source.path), "a source stays within its folder", source.path);
    return 0;
}
