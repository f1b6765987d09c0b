// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/model/json.h"
#include "core/report/table_file.h"
#include "core/score/error_table.h"

namespace tracedeck {

/// `report errors` → {solutions: [{definition, solution, author, hardware, traces, passed, within, exact, unknown, greatest_absolute_error,
/// greatest_relative_error, least_matched_ratio}], traces: [{definition, solution, hardware, workload_uuid, axes, status, max_absolute_error,
/// max_relative_error, atol, rtol, fit, matched_ratio}]}; null for what is not known, "Infinity" and "NaN" as in traces.
[[nodiscard]] Json errorDocument(const Dataset& dataset, const ErrorTable& table);
/// One line a trace. Both must outlive it.
[[nodiscard]] TableToWrite errorTraceTable(const Dataset& dataset, const ErrorTable& table);
/// Human form: a line for each solution on each kind of hardware.
[[nodiscard]] std::string errorText(const ErrorTable& table);

}  // namespace tracedeck
