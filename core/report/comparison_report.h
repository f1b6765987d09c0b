// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>

#include "core/model/json.h"
#include "core/report/table_file.h"
#include "core/score/comparison.h"

namespace tracedeck {

/// `report compare` → {a, b, by_solution, by_hardware, differences, rows, counts, geometric_mean}; a row's `a` and `b` are null where that side
/// has no result. Times in milliseconds, `noise` and `margin` as shares, `interval` of the ratio.
[[nodiscard]] Json comparisonDocument(const Comparison& comparison);
/// One line a row, the reason last. `comparison` must outlive it.
[[nodiscard]] TableToWrite comparisonTable(const Comparison& comparison);
/// Human form: what differs between the environments, aligned columns, why of what isn't plain, counts and the geometric mean.
[[nodiscard]] std::string comparisonText(const Comparison& comparison);
/// For the log of a gate: whether it is passed, and of at most 40 rows that are regressions (isRegression) the figures.
[[nodiscard]] std::string comparisonGateText(const Comparison& comparison, double allowedShare);
/// For a comment on a pull request: the gate's word where there is one, what differs between the environments, tables of what got worse and of what got
/// better (at most 50 rows each), and the counts.
[[nodiscard]] std::string comparisonMarkdown(const Comparison& comparison, std::optional<double> allowedShare);
/// For example `3 FASTER, 1 CANT_TELL`; verdicts that don't occur are left out.
[[nodiscard]] std::string describeVerdictCounts(const ComparisonSummary& comparison);
/// For example `B takes 1.021 × the time of A (95 % interval 0.98 to 1.06; geometric mean over 12 workloads)`.
[[nodiscard]] std::string ratioMeanText(const ComparisonSummary& comparison);

}  // namespace tracedeck
