// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/model/json.h"
#include "core/score/fast_p.h"
#include "core/score/rank_table.h"
#include "core/score/ranking.h"
#include "core/store/dataset.h"
#include "core/store/grouping.h"
#include "core/store/query.h"

namespace tracedeck {

/// Report csv of design §7: header line, then one line a trace in the order of `rows`. RFC 4180, UTF-8, CRLF not used
/// (LF ends), numbers in shortest round-trip form, empty cell for a missing value. The numbers are those of the files; the last
/// column says of a PASSED trace whether its latency is usable (`true` or `false`).
[[nodiscard]] std::string csvReport(const Dataset& dataset, const RowIndex& rows);
/// A sentence on PASSED traces that were not used since their latency cannot be true; empty for none.
[[nodiscard]] std::string unusableLatenciesText(std::size_t count);
/// A text as a cell: quoted by RFC 4180; one that a spreadsheet would take for a formula (it begins with = + - @, tab, CR) gets an apostrophe in front.
[[nodiscard]] std::string csvCell(std::string_view text);
/// Shortest text that reads back as the same double ("inf", "nan" for those).
[[nodiscard]] std::string shortestNumber(double value);

// The documents hold no bare NaN or infinity: such a number is the string "NaN" or "Infinity", as in a trace line.

/// `info` → {root, definitions, solutions, workloads, traces, statuses, op_types, problems}. `statuses` has every status of
/// the format; a problem has severity, file, line, field, reason, count (of lines or items)
/// and repaired (what was read is not quite what the file says).
[[nodiscard]] Json infoDocument(const Dataset& dataset);
/// `report summary` → {total, passed, failed, in_scope, rule, rule_text, baseline, scope, rankings, unscored}. `rule` is
/// toString(RankingRule), `rule_text` says it in words; `unscored` lists {definition, reason} of what the ranking had to leave
/// out; `in_scope` has the counts of the scope, which the format's own counts ignore.
[[nodiscard]] Json summaryDocument(const Summary& summary);
/// `report rank` → {metric, by, baseline, hardware, scope, rule, rule_text, rows, unscored}. `low` and `high` are null: this
/// metric has no interval. With pins each row has `changes`, {pin: {change: share of the pin's times, pairs}}.
[[nodiscard]] Json rankDocument(const RankTable& table);
/// `report fastp` → {preset, by, baseline, scope, rule_text, sampled, groups, fallback_groups, curves, unscored}, shares at each
/// p of `places`; `sampled`: as the web site's sampled curve shows them.
[[nodiscard]] Json fastPDocument(const FastPReport& report, const std::vector<double>& places, bool sampled);
/// The CSV of the win@p script: author,p,win_ratio,n_total,n_wins, a line for each curve and each ratio that any curve has, numbers with nine
/// significant digits. Of a report with FastPPreset::WinP, whose curves are in the script's order.
[[nodiscard]] std::string winAtPCsv(const FastPReport& report);
/// `report best` → array with one entry a definition that has a best trace, in load order.
/// Unknown names in the scope select nothing.
[[nodiscard]] Json bestDocument(const Dataset& dataset, const RankingScope& scope, RankingRule rule = RankingRule::Format);
/// `report groups` → {by, groups}, a group being {values, traces, passed, statuses, latency_ms, speedup_factor}: `values` one text a
/// key, null for none; the last two {count, min, median, mean, geomean, max}, null where nothing counts.
[[nodiscard]] Json groupsDocument(const Dataset& dataset, const RowIndex& rows, const std::vector<GroupKey>& keys);
/// Human forms of the same, aligned columns; control characters in names are shown, not sent to the terminal.
[[nodiscard]] std::string infoText(const Dataset& dataset);
[[nodiscard]] std::string summaryText(const Summary& summary);
[[nodiscard]] std::string bestText(const Dataset& dataset, const RankingScope& scope, RankingRule rule = RankingRule::Format);
[[nodiscard]] std::string rankText(const RankTable& table);
[[nodiscard]] std::string groupsText(const Dataset& dataset, const RowIndex& rows, const std::vector<GroupKey>& keys);
[[nodiscard]] std::string fastPText(const FastPReport& report, const std::vector<double>& places, bool sampled);

}  // namespace tracedeck
