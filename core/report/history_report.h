// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/model/json.h"
#include "core/report/table_file.h"
#include "core/score/failures.h"
#include "core/score/history.h"

namespace tracedeck {

/// `report history` → {by, measure, left_out: {moment, value}, series: [{name, hardware, points: [{time, value, best, workloads, record, status,
/// definition, solution, workload_uuid}]}]}; `value` is null where the evaluation failed.
[[nodiscard]] Json historyDocument(const Dataset& dataset, const History& history, HistoryBy by, HistoryMeasure measure);
/// One line a point. Both must outlive it.
[[nodiscard]] TableToWrite historyTable(const Dataset& dataset, const History& history);
/// Human form: one line a series with its first and last time, its results and its best value.
[[nodiscard]] std::string historyText(const History& history, HistoryBy by, HistoryMeasure measure);

/// `report failures` → {groups: [{status, reason, example, count, workloads, definitions, solutions, hardware, pattern, first}]}, `first` being
/// {definition, axes, solution, workload_uuid, hardware, timestamp} of the trace on the first failing workload.
[[nodiscard]] Json failuresDocument(const Dataset& dataset, const std::vector<FailureGroup>& groups);
/// One line a group. Both must outlive it.
[[nodiscard]] TableToWrite failuresTable(const Dataset& dataset, const std::vector<FailureGroup>& groups);
/// Human form of the same.
[[nodiscard]] std::string failuresText(const Dataset& dataset, const std::vector<FailureGroup>& groups);

}  // namespace tracedeck
