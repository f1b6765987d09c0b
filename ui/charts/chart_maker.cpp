// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_maker.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "core/run/run_settings.h"
#include "core/score/ranking.h"

namespace tracedeck::ui {
namespace {

/// Extent of all series, so that several charts of them can be compared.
ChartContent::Extent extentOf(const std::vector<Series>& series)
{
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    ChartContent::Extent extent{kInfinity, -kInfinity, kInfinity, -kInfinity};
    for (const Series& line : series) {
        for (const SeriesPoint& point : line.points) {
            extent.lowX = std::min(extent.lowX, point.x);
            extent.highX = std::max(extent.highX, point.x);
            if (!point.failed && point.y > 0) {   // exact: below all others
                extent.lowY = std::min(extent.lowY, point.y);
                extent.highY = std::max(extent.highY, point.y);
            }
        }
    }
    if (extent.lowY > extent.highY) {
        extent.lowY = 1;
        extent.highY = 2;
    }
    return extent;
}

}  // namespace

MadeChart makeChart(const ChartContent& content, SelectionPolicy policy, const QString& baselineAuthor, bool wantsFacets, const std::stop_token& stop)
{
    MadeChart answer;
    answer.content = content;
    const std::string definition = content.definition.toStdString();
    const Dataset& dataset = *content.dataset;
    if (definition.empty()) {
        return answer;
    }
    answer.traces = dataset.traceRowsOfDefinition(definition).size();
    answer.machines = hardwareOf(dataset, definition);
    const bool hasFacets = wantsFacets && content.hardware.isEmpty() && answer.machines.size() > 1;
    if (!hasFacets && content.hardware.isEmpty() && !answer.machines.empty()) {
        answer.machineWasChosenHere = answer.machines.size() > 1;
        answer.content.hardware = QString::fromStdString(busiestHardware(dataset, definition));
    }
    std::string baseline;
    if (content.measure == ChartMeasure::RatioToBaseline) {
        const auto found = baselineOf(dataset, definition, baselineAuthor.toStdString());
        if (!found) {
            answer.baselineProblem = found.error().reason;
            return answer;
        }
        baseline = (*found)->name;
        answer.content.baseline = QString::fromStdString(baseline);
    }
    ChartQuestion question{definition};
    question.abscissa = content.abscissa != ChartAbscissa::Axis ? content.abscissa : content.axis.isEmpty() ? ChartAbscissa::Workload : ChartAbscissa::Axis;
    question.axis = content.axis.toStdString();
    question.measure = content.measure;
    question.time = content.time;
    question.hardware = answer.content.hardware.toStdString();
    question.baselineSolution = baseline;
    question.policy = policy;
    question.wantsBand = content.showsBand;
    const auto ceilings = CeilingTable::read(ceilingsFile());
    if (ceilings) {
        question.ceilings = &*ceilings;
    } else {
        answer.ceilingProblem = QString::fromStdString(ceilings.error().toString());
    }
    auto found = chartAnswer(dataset, question, stop);
    if (!found) {
        return answer;   // stopped: nobody looks at it
    }
    answer.content.series = std::move(found->series);
    answer.content.roofs = std::move(found->roofs);
    answer.withoutCeiling = found->withoutCeiling;
    answer.formulaProblem = QString::fromStdString(found->formulaProblem);
    answer.withoutTime = found->withoutTime;
    answer.withoutSize = found->withoutSize;
    answer.withoutMoment = found->withoutMoment;
    answer.withoutError = found->withoutError;
    answer.isUpperEstimate = found->isUpperEstimate;
    answer.formula = QString::fromStdString(found->formula);
    if (hasFacets) {
        answer.content.extent = extentOf(answer.content.series);
        for (const std::string& machine : answer.machines) {
            ChartContent facet = answer.content;
            facet.hardware = QString::fromStdString(machine);
            std::erase_if(facet.series, [&machine](const Series& series) { return series.hardware != machine; });
            std::erase_if(facet.roofs, [&machine](const Roof& roof) { return roof.hardware != machine; });
            if (!facet.series.empty()) {
                answer.facets.push_back(std::move(facet));
            }
        }
    }
    return answer;
}

}  // namespace tracedeck::ui
