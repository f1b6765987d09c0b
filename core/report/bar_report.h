// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/json.h"
#include "core/report/table_file.h"
#include "core/score/ranking.h"
#include "core/store/dataset.h"
#include "core/store/query.h"

namespace tracedeck {

/// What a line of bars is of.
enum class BarsBy { Author, Solution, Workload };
[[nodiscard]] std::optional<BarsBy> barsByFromString(std::string_view name);   ///< `author`, `solution` or `workload`

struct BarQuestion {
    BarsBy by = BarsBy::Author;
    bool latency = false;        ///< of workloads: the latency, else the speedup
    std::string baseline{};      ///< author that is compared with
    RankingScope scope{};
};

struct Bar {
    std::string name;            ///< author or solution
    double value = std::numeric_limits<double>::quiet_NaN();   ///< ratio, or milliseconds; NaN: none
    std::string note;            ///< how it failed, or on how many workloads it was compared
};
struct BarGroup {
    std::string title;           ///< the workload; empty where there is one group alone
    std::vector<Bar> bars;
};
struct BarChart {
    BarQuestion question;
    std::string title;           ///< what the bars say
    std::string hardware;        ///< of workloads
    std::vector<BarGroup> groups;
    StatusCounts statuses;       ///< of the traces in scope
    [[nodiscard]] double greatest() const;   ///< 0 for no values
    [[nodiscard]] const char* unit() const { return question.latency ? "ms" : "×"; }
};

/// Authors or solutions: the geometric mean of their speedups over the baseline, or over the reference where nothing can be compared with a baseline. Workloads: every solution of the
/// definition in scope on each, on the GPU in scope or the one with the most traces. Errors as checkScopeNames(); Usage: workloads without a definition.
[[nodiscard]] Result<BarChart> barChart(const Dataset& dataset, const BarQuestion& question);

/// With bars of block characters, within textLook()'s width or 80 columns.
[[nodiscard]] std::string barText(const BarChart& chart);
/// {by, measure, unit, title, hardware, groups: [{title, bars: [{name, value, note}]}]}.
[[nodiscard]] Json barDocument(const BarChart& chart);
/// One line a bar. Must be outlived by `chart`.
[[nodiscard]] TableToWrite barTable(const BarChart& chart);

}  // namespace tracedeck
