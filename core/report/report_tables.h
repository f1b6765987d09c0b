// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/report/best_traces.h"
#include "core/report/table_file.h"
#include "core/score/fast_p.h"
#include "core/score/light_times.h"
#include "core/score/pins.h"
#include "core/score/rank_table.h"
#include "core/score/ranking.h"
#include "core/store/grouping.h"

namespace tracedeck {

// The reports as tables, for every form of table_file.h and for pages. Column titles are the keys of the JSON documents. What a table is made from
// must outlive it, unless it says otherwise.

/// One line a trace, in the columns of `report csv`.
[[nodiscard]] TableToWrite tracesTable(const Dataset& dataset, const RowIndex& rows);
/// The columns that speak of pinned baselines: how a time differs from each, as a share of it.
[[nodiscard]] std::vector<TableToWrite::Column> pinColumns(const std::vector<std::string>& pins);
/// For a table of traces, one a row: how each differs from each pin. All must outlive the table.
void appendPinColumns(TableToWrite& table, const Dataset& dataset, const RowIndex& rows, const PinnedLatencies& pinned);
/// Likewise the share of the speed of light.
void appendLightColumn(TableToWrite& table, const Dataset& dataset, const RowIndex& rows, const LightTimes& light);
/// One line an author or a solution.
[[nodiscard]] TableToWrite rankTableToWrite(const RankTable& table);
/// The ranking of `report summary`.
[[nodiscard]] TableToWrite summaryTable(const Summary& summary);
/// One line a definition that has a best trace. Keeps `best`.
[[nodiscard]] TableToWrite bestTable(const Dataset& dataset, std::vector<BestTrace> best);
/// One line a group; of its measures those that are latencies or speedups. Keeps `groups`.
[[nodiscard]] TableToWrite groupsTable(const Dataset& dataset, std::vector<TraceGroup> groups, std::vector<GroupKey> keys);
/// The measures that groupsTable() takes groups to have, in order.
[[nodiscard]] const std::vector<TraceColumn>& groupMeasures();
/// One line a curve: shares at each of `places`.
[[nodiscard]] TableToWrite fastPTable(const FastPReport& report, std::vector<double> places, bool sampled);

}  // namespace tracedeck
