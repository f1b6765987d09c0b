// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes as what Nsight Compute printed.
#include <cmath>
#include <cstdint>

#include "core/diagnose/profile.h"
#include "tests/fuzz/fuzz_support.h"

using namespace tracedeck;
using tracedeck::fuzz::require;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const auto text = fuzz::textOf(data, size);
    static_cast<void>(ncuTrouble(text));
    auto kernels = parseNcuCsv(text);
    if (!kernels) return 0;
    require(kernels->size() <= text.size(), "a kernel has a line of its own");
    for (const KernelProfile& kernel : *kernels) {
        for (const auto& value : {kernel.durationUs, kernel.computePercent, kernel.memoryPercent, kernel.occupancyPercent, kernel.registers}) {
            require(!value || std::isfinite(*value), "a figure is a number");
        }
        for (const auto& [reason, cycles] : kernel.stalls) require(!reason.empty() && cycles > 0, "a stall has a reason and takes time");
    }
    ProfileReport report;
    report.kernels = std::move(*kernels);
    static_cast<void>(profileText(report));
    require(!encodeProfile(report).dump().empty(), "what was read is valid UTF-8");
    return 0;
}
