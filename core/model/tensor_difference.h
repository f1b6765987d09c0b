// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/model/json.h"
#include "core/model/result.h"

namespace tracedeck {

/// One element that is far off. Values are as the comparison sees them: 32-bit floats; NaN and infinities are possible.
struct WorstElement {
    std::uint64_t element = 0;         ///< in row-major order
    std::vector<std::int64_t> index;   ///< one number an axis
    double expected = 0;
    double got = 0;
    double absolute = 0;               ///< |got − expected|
    double relative = 0;               ///< that ÷ (|expected| + 1e-8)
    bool isWrong = false;              ///< outside the tolerance
};

/// Where in a tensor the errors are: it is laid out as a matrix whose columns are its last axis, and shrunk to at most 64 × 64 cells.
struct ErrorMap {
    std::uint64_t rows = 0;            ///< of the matrix
    std::uint64_t columns = 0;
    std::uint32_t cellRows = 0;        ///< cells
    std::uint32_t cellColumns = 0;
    std::vector<double> wrongShare;    ///< by cell, row by row: share of its elements that are outside the tolerance
    std::vector<double> largest;       ///< largest absolute error in it, infinite for what is not finite
};

/// How many elements have an absolute error from `low` on and below `high`.
struct ErrorBin {
    double low = 0;
    double high = 0;                   ///< infinite: errors that are not finite
    std::uint64_t count = 0;
};

/// How one output of one call differs from the expected one: a bounded summary, never the tensor itself.
struct TensorDifference {
    std::string output;
    std::string dtype;
    std::vector<std::int64_t> shape;
    std::uint64_t elements = 0;
    std::uint64_t lookedAt = 0;        ///< elements from the first on; fewer than all of very large outputs
    double atol = 0;
    double rtol = 0;
    std::uint64_t wrong = 0;           ///< both errors are above their tolerance, or the value is not finite
    std::uint64_t equal = 0;           ///< bit for bit
    std::uint64_t notFinite = 0;       ///< NaN and infinities among the solution's values
    std::uint64_t unwritten = 0;       ///< that the call never wrote, as far as that can be told
    double maxAbsolute = 0;            ///< over the elements that are finite on both sides
    double maxRelative = 0;
    double meanAbsolute = 0;
    double bias = 0;                   ///< mean of got − expected
    std::vector<WorstElement> worst;   ///< at most 32, the worst first
    ErrorMap map;
    std::vector<ErrorBin> histogram;   ///< by powers of ten; the first bin holds what is equal
};

/// What a solution's checked call gave, beside what it should have given.
struct DifferenceReport {
    std::string status;                ///< how the evaluation would end as far as it went: PASSED, INCORRECT_NUMERICAL …
    std::string log;
    int trial = -1;                    ///< which checked call `outputs` are of, from 0 on; -1: none was compared
    std::string missing;               ///< why there is nothing to compare; empty when there is
    std::vector<TensorDifference> outputs;
};

[[nodiscard]] Json encodeTensorDifference(const TensorDifference& difference);
/// Error InvalidInput naming the field.
[[nodiscard]] Result<TensorDifference> decodeTensorDifference(const Json& json);
[[nodiscard]] Json encodeDifferenceReport(const DifferenceReport& report);
[[nodiscard]] Result<DifferenceReport> decodeDifferenceReport(const Json& json);

/// Something that is no solution, put in the place of one output while all others are right.
struct DegenerateTrial {
    std::string output;
    std::string candidate;     ///< `zeros`, `mean` (one value everywhere: the mean), `input x` (a copied input), `another call` (expected for other inputs)
    bool passes = false;       ///< in every checked call
    double matchedRatio = 0;   ///< least share within tolerance; NaN where the evaluator does not count
    double maxAbsolute = 0;    ///< largest error
    double maxRelative = 0;
    std::string message;       ///< the evaluator's words where it does not pass
};

/// Whether things that compute nothing pass a workload's check.
struct ToleranceReport {
    std::string evaluator;
    double atol = 0;
    double rtol = 0;
    int calls = 0;                        ///< checked calls that were tried
    std::string missing;                  ///< why nothing could be tried; empty when something was
    std::vector<DegenerateTrial> trials;

    /// Every output has something degenerate that passes: a pass on this workload proves nothing.
    [[nodiscard]] bool provesNothing() const;
    /// Outputs that something degenerate passes for.
    [[nodiscard]] std::vector<std::string> weakOutputs() const;
};
[[nodiscard]] Json encodeToleranceReport(const ToleranceReport& report);
[[nodiscard]] Result<ToleranceReport> decodeToleranceReport(const Json& json);

}  // namespace tracedeck
