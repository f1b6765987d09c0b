// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/report/dataset_report.h"

namespace tracedeck {

/// Where a picture is shown.
enum class PlotLook {
    Page,   ///< in a page whose style sheet (plotStyle) colours it, light or dark
    File    ///< by itself: colours of the light theme within, on white
};
/// Rules that colour pictures of PlotLook::Page: variables for the light theme, for the dark one within prefers-color-scheme.
[[nodiscard]] std::string plotStyle();

/// Series that a picture of lines shows at most; the slower ones stay in the tables.
constexpr std::size_t kMostPlotSeries = 20;
/// Cells of a heat map in one picture.
constexpr std::size_t kMostHeatWorkloads = 300;
constexpr std::size_t kMostHeatSolutions = 60;

enum class WorkloadPlot { LatencyMs, Ratio };
/// One line a solution over the workloads by axes, failures as crosses at the lower edge. Empty where nothing can be shown.
[[nodiscard]] std::string workloadPlotSvg(const ReportMachine& machine, WorkloadPlot plot, PlotLook look);
/// Shares of workloads over p, exact steps.
[[nodiscard]] std::string fastPSvg(const FastPReport& report, PlotLook look);
/// Workloads × solutions.
[[nodiscard]] std::string heatMapSvg(const ReportMachine& machine, PlotLook look);
/// What ratios of the map are, for a caption: `latency of the baseline x ÷ own latency`.
[[nodiscard]] std::string ratioText(const HeatMap& map);
/// The name without the definition's name in it, where something is left.
[[nodiscard]] std::string shortSolutionName(const std::string& solution, const std::string& definition);
/// When each of the first kMostTimelineRows entries ran, one below the other; empty for none.
[[nodiscard]] std::string timelineSvg(const Timeline& timeline, PlotLook look);

}  // namespace tracedeck
