// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>

#include "core/model/json.h"
#include "core/score/ranking.h"
#include "core/store/dataset.h"
#include "core/store/query.h"

namespace tracedeck {

/// Report csv of design §7: header line, then one line a trace in the order of `rows`. RFC 4180, UTF-8, CRLF not used
/// (LF ends), numbers in shortest round-trip form, empty cell for a missing value.
[[nodiscard]] std::string csvReport(const Dataset& dataset, const RowIndex& rows);
/// Quotes a cell where RFC 4180 asks for it.
[[nodiscard]] std::string csvCell(std::string_view text);
/// Shortest text that reads back as the same double ("inf", "nan" for those).
[[nodiscard]] std::string shortestNumber(double value);

/// `info` → {root, definitions, solutions, workloads, traces, statuses, op_types, problems}.
[[nodiscard]] Json infoDocument(const Dataset& dataset);
/// `report summary` → {total, passed, failed, rankings, …}.
[[nodiscard]] Json summaryDocument(const Summary& summary);
/// `report best` → array with one entry a definition that has a best trace.
[[nodiscard]] Json bestDocument(const Dataset& dataset, const RankingScope& scope);
/// Human forms of the same.
[[nodiscard]] std::string infoText(const Dataset& dataset);
[[nodiscard]] std::string summaryText(const Summary& summary);
[[nodiscard]] std::string bestText(const Dataset& dataset, const RankingScope& scope);

}  // namespace tracedeck
