// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/model/json.h"
#include "core/report/table_file.h"
#include "core/score/light_table.h"

namespace tracedeck {

/// `report light` → {baseline, ceilings: as in the file (ceilings.h) for the hardware at hand, left_out: {ceiling, size}, problems, solutions: [{definition,
/// solution, author, hardware, workloads, failed, too_fast, share, score}], traces: [{definition, solution, hardware, workload_uuid, axes, latency_ms,
/// light_ms, share, bound, bytes, operations, upper_estimate, baseline_ms, score, too_fast}]}; null for what is not known.
[[nodiscard]] Json lightDocument(const Dataset& dataset, const LightTable& table, const LightQuestion& question);
/// One line a trace. Both must outlive it.
[[nodiscard]] TableToWrite lightTraceTable(const Dataset& dataset, const LightTable& table);
/// Human form: a line for each solution on each kind of hardware.
[[nodiscard]] std::string lightText(const LightTable& table);

}  // namespace tracedeck
