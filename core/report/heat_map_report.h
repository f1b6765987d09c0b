// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/model/json.h"
#include "core/report/table_file.h"
#include "core/score/heat_map.h"

namespace tracedeck {

/// In which order workloads and solutions are written.
struct HeatMapOrder {
    std::vector<std::size_t> workloads;
    std::vector<std::size_t> solutions;
};
/// As the map has them.
[[nodiscard]] HeatMapOrder heatMapOrder(const HeatMap& map);

/// `report heatmap` → {definition, hardware, measure, baseline, workloads: [{uuid, axes}], solutions: [{name, author, passed, failed,
/// geometric_mean}], cells}: `cells` has a list for each workload with a cell for each solution, null where it was not run, else {status,
/// latency_ms, ratio}.
[[nodiscard]] Json heatMapDocument(const HeatMap& map, const HeatMapOrder& order);
/// One line a workload (axes, uuid), one column a solution: the ratio, or how the evaluation ended. `map` must outlive it.
[[nodiscard]] TableToWrite heatMapTable(const HeatMap& map, HeatMapOrder order);
/// Human form of the same, solutions with few letters in the title and whole names below.
[[nodiscard]] std::string heatMapText(const HeatMap& map, const HeatMapOrder& order);

}  // namespace tracedeck
