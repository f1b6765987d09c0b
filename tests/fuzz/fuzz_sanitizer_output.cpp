// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes as what compute-sanitizer printed: a program that is looked into prints what it likes in between.
#include <cstdint>

#include "core/diagnose/sanitizer.h"
#include "tests/fuzz/fuzz_support.h"

using namespace tracedeck;
using tracedeck::fuzz::require;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const auto text = fuzz::textOf(data, size);
    const SanitizerOutput output = parseSanitizerOutput(text);
    std::uint64_t count = 0;
    for (const SanitizerFinding& finding : output.findings) {
        require(finding.count > 0, "a finding was found");
        require(finding.line >= 0 && finding.file.empty() == (finding.line == 0), "a place has a file and a line, or neither");
        require(finding.kind.size() <= 3 * text.size() && finding.details.size() <= 64, "a finding is bounded by the text");
        count += finding.count;
    }
    require(count <= text.size() / 9 + 1, "each finding has a line of its own");
    SanitizerReport report;
    report.output = output;
    static_cast<void>(sanitizerText({report}));
    require(!encodeSanitizerReports({report}).dump().empty(), "what was found is valid UTF-8");
    return 0;
}
