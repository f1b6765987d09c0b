// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes as a trace; what is accepted keeps the rules of its status.

#include <cmath>

#include "tests/fuzz/fuzz_codec.h"

using namespace tracedeck;
using tracedeck::fuzz::require;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const auto read = fuzz::checkReaders<Trace>(
        fuzz::textOf(data, size), [](std::string_view text, ReadMode mode) { return decodeTrace(text, mode); }, encodeTrace);
    if (!read || !read->value.evaluation) return 0;
    const Evaluation& evaluation = *read->value.evaluation;
    const bool passed = evaluation.status == Status::Passed;
    require(evaluation.performance.has_value() == passed, "PASSED has a performance, and nothing else has one");
    require(evaluation.correctness.has_value() == (passed || evaluation.status == Status::IncorrectNumerical),
            "PASSED and INCORRECT_NUMERICAL have a correctness, and nothing else has one");
    if (passed) {
        for (const double value : {evaluation.performance->latencyMs, evaluation.performance->referenceLatencyMs, evaluation.performance->speedupFactor}) {
            require(!std::isnan(value) && value >= 0, "a time is a number of at least 0");
        }
    }
    if (evaluation.correctness) {
        require(!(evaluation.correctness->maxAbsoluteError < 0) && !(evaluation.correctness->maxRelativeError < 0), "an error is not negative");
    }
    return 0;
}
