// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <stop_token>
#include <string>
#include <vector>

#include "ui/charts/latency_chart.h"

namespace tracedeck::ui {

/// A chart with what there is to say about it.
struct MadeChart {
    ChartContent content;                ///< of all machines
    std::vector<ChartContent> facets;    ///< one a machine; empty: one chart
    std::size_t withoutTime = 0;
    std::size_t withoutSize = 0;
    std::size_t withoutMoment = 0;
    std::size_t withoutError = 0;
    std::size_t withoutCeiling = 0;
    QString ceilingProblem;              ///< why the user's own ceilings don't count
    QString formulaProblem;              ///< likewise the dataset's formula of the work
    bool isUpperEstimate = false;
    bool hasBand = false;
    QString formula;
    std::vector<std::string> machines;   ///< all that have traces of the definition
    bool machineWasChosenHere = false;
    std::string baselineProblem;         ///< why there is no ratio
    std::size_t traces = 0;
};

/// Makes what a chart asks for, on any thread: `wanted` has everything but the series. Without hardware that of the most traces is shown, or with
/// `wantsFacets` one chart a GPU.
[[nodiscard]] MadeChart makeChart(const ChartContent& wanted, SelectionPolicy policy, const QString& baselineAuthor, bool wantsFacets, const std::stop_token& stop);

}  // namespace tracedeck::ui
