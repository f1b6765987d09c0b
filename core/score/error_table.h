// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/model/result.h"
#include "core/store/dataset.h"
#include "core/store/query.h"

namespace tracedeck {

// How far the outputs of solutions are from the expected ones, and what other tolerances would say (V-37).

/// An element is right when its absolute or its relative error is small enough (benchmark §4).
struct ErrorTolerance {
    double atol = 0.01;
    double rtol = 0.01;

    bool operator==(const ErrorTolerance&) const = default;
};

enum class ErrorFit {
    Within,    ///< one of the greatest errors is within its tolerance: every element is right for certain
    Beyond,    ///< both are above: some elements may be wrong, how many nobody knows without the tensors
    Unknown    ///< no errors are stored: the evaluation never came to a comparison
};
[[nodiscard]] std::string_view toString(ErrorFit fit);   ///< `within`, `beyond` or `unknown`
[[nodiscard]] ErrorFit errorFit(const TraceRow& row, const ErrorTolerance& tolerance);

/// Matched ratios stand in the lines of traces, which are not read back for more than this many.
constexpr std::size_t kMostMatchedRatios = 5'000;

struct ErrorQuestion {
    TraceFilter filter{};
    SelectionPolicy policy = SelectionPolicy::Newest;
    std::optional<ErrorTolerance> tolerance{};   ///< not set: each workload's own, else the format's default
};

struct ErrorRow {
    static constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    std::uint32_t row = 0;
    ErrorTolerance tolerance{};
    ErrorFit fit = ErrorFit::Unknown;
    double matchedRatio = kNone;   ///< least share of right elements by the evaluator's own tolerance, where the trace says so
};
/// A solution on one kind of hardware.
struct ErrorSummary {
    std::string definition;
    std::string solution;
    std::string author;
    std::string hardware;
    std::size_t traces = 0;
    std::size_t passed = 0;
    std::size_t within = 0;
    std::size_t exact = 0;           ///< no error at all
    std::size_t unknown = 0;         ///< without errors
    double greatestAbsolute = ErrorRow::kNone;   ///< infinite where one is not finite, or no number
    double greatestRelative = ErrorRow::kNone;
    double leastMatchedRatio = ErrorRow::kNone;
};
struct ErrorTable {
    std::vector<ErrorRow> rows;             ///< as loaded
    std::vector<ErrorSummary> summaries;    ///< by definition, solution, hardware
    bool hasMatchedRatios = false;
};
/// Of evaluated traces of solutions. Error Cancelled when the token was set.
[[nodiscard]] Result<ErrorTable> errorTable(const Dataset& dataset, const ErrorQuestion& question, const std::stop_token& stop = {});
/// The same rows under another tolerance; nothing is read.
void applyTolerance(ErrorTable& table, const Dataset& dataset, const ErrorTolerance& tolerance);

}  // namespace tracedeck
