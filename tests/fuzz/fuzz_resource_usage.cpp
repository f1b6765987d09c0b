// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes as what cuobjdump printed of a library.
#include <cstdint>

#include "core/diagnose/generated_code.h"
#include "tests/fuzz/fuzz_support.h"

using namespace tracedeck;
using tracedeck::fuzz::require;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const auto text = fuzz::textOf(data, size);
    GeneratedCode code;
    code.kernels = parseResourceUsage(text);
    countInstructions(text, code.kernels);
    code.sass = readableSass(text);
    for (const KernelResources& kernel : code.kernels) {
        require(!kernel.symbol.empty() && !kernel.name.empty(), "a kernel has a name");
        require(kernel.localLoads + kernel.localStores <= kernel.instructions, "loads and stores are instructions");
        require(kernel.instructions <= text.size(), "an instruction has a line of its own");
    }
    static_cast<void>(generatedCodeText(code));
    require(!encodeGeneratedCode(code).dump().empty(), "what was read is valid UTF-8");
    return 0;
}
