// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <stop_token>
#include <string>

#include "core/diagnose/judge_session.h"
#include "core/model/result.h"
#include "core/model/tensor_difference.h"

namespace tracedeck {

/// Evaluates a solution without timing it, and tells how the outputs of the first checked call that fails differ from the expected ones (of the
/// first call, where none fails). Nothing is stored.
[[nodiscard]] Result<DifferenceReport> findDifference(const DiagnosisTarget& target, const DiagnosisProgress& onProgress = {}, std::stop_token stop = {});
/// Whether zeros, a constant, copied inputs or the outputs of another call pass a workload's check.
[[nodiscard]] Result<ToleranceReport> testTolerance(const DiagnosisTarget& target, const DiagnosisProgress& onProgress = {}, std::stop_token stop = {});

/// For a terminal: figures, worst elements, error map, histogram.
[[nodiscard]] std::string differenceText(const DifferenceReport& report);
[[nodiscard]] std::string toleranceText(const ToleranceReport& report);

}  // namespace tracedeck
