// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes as one line of a traces file: the fast reader takes it only when the codec reads the same without a warning.

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/io/fast_trace_line.h"
#include "core/io/json_codec.h"
#include "core/io/json_parse.h"
#include "tests/fuzz/fuzz_support.h"

using namespace tracedeck;
using tracedeck::fuzz::require;

namespace {

bool same(double a, double b)
{
    return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b) || (a != a && b != b);
}

bool same(const TraceFields& a, const TraceFields& b)
{
    return a.definition == b.definition && a.workloadUuid == b.workloadUuid && a.axes == b.axes && a.solution == b.solution &&
           a.hardware == b.hardware && a.timestamp == b.timestamp && a.status == b.status && a.hasEvaluation == b.hasEvaluation &&
           a.hasCorrectness == b.hasCorrectness && a.hasPerformance == b.hasPerformance && a.timingMethod == b.timingMethod &&
           a.isLaunchBound == b.isLaunchBound && same(a.latencyMs, b.latencyMs) &&
           same(a.referenceLatencyMs, b.referenceLatencyMs) && same(a.speedupFactor, b.speedupFactor) &&
           same(a.maxAbsoluteError, b.maxAbsoluteError) && same(a.maxRelativeError, b.maxRelativeError);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string line(reinterpret_cast<const char*>(data), size);
    std::size_t bytes = 0;
    for (const std::string_view piece : splitJsonValues(line)) bytes += piece.size();
    require(bytes <= line.size(), "pieces lie within the line");

    static FastTraceLine fast;
    TraceFields fields;
    const std::string padded = line + std::string(FastTraceLine::kPadding, ' ');
    if (!fast.read(std::string_view(padded).substr(0, line.size()), fields)) return 0;
    const auto decoded = decodeTrace(line, ReadMode::Tolerant);
    require(decoded.has_value(), "the codec accepts what the fast reader takes");
    require(decoded->warnings.empty(), "the codec has no warning where the fast reader has none");
    require(same(fieldsOf(decoded->value), fields), "both readers find the same");
    require(decodeTrace(line, ReadMode::Strict).has_value(), "the strict reader accepts what the fast reader takes");
    require(decoded->value.solution && !decoded->value.solution->empty() && decoded->value.evaluation, "it is a result");
    return 0;
}
