// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/json.h"
#include "core/report/table_file.h"
#include "core/score/workbench.h"

namespace tracedeck {

/// `report chart` → {definition, x, axis, y, time, hardware, baseline, formula, upper_estimate, left_out: {time, size, moment, unreadable, error, ceiling},
/// roofs: [{hardware, bytes_per_s, operations_per_s, source}],
/// series: [{solution, author, hardware, points: [{x, y, low, high, status, workload_uuid, timestamp}]}]}; `y` is null where the evaluation
/// failed.
[[nodiscard]] Json chartDocument(const Dataset& dataset, const ChartQuestion& question, const ChartAnswer& answer);
/// One line a point: solution, author, hardware, axes, workload_uuid, x, y, low, high, status, timestamp. Both must outlive it.
[[nodiscard]] TableToWrite chartTable(const Dataset& dataset, const std::vector<Series>& series);

}  // namespace tracedeck
