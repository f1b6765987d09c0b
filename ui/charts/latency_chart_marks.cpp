// SPDX-License-Identifier: GPL-3.0-or-later
// Points of a latency chart that are marked, and errors, which are points also where an evaluation did not pass.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "ui/charts/latency_chart.h"

namespace tracedeck::ui {

bool LatencyChart::isPassed(const SeriesPoint& point) const { return !m_content.isError() || m_content.dataset->traces().row(point.row).status == Status::Passed; }

void LatencyChart::liftExactErrors()
{
    if (!m_content.isError()) {
        return;
    }
    constexpr double kBelowOthers = 4;
    constexpr double kLeastError = 1e-8;   // where all are exact
    double least = std::numeric_limits<double>::infinity();
    for (const Series& series : m_content.series) {
        for (const SeriesPoint& point : series.points) {
            if (!point.failed && point.y > 0) {
                least = std::min(least, point.y);
            }
        }
    }
    const double floor = std::isfinite(least) ? least / kBelowOthers : kLeastError;
    for (Series& series : m_content.series) {
        for (SeriesPoint& point : series.points) {
            if (!point.failed && point.y <= 0) {
                point.y = floor;
            }
        }
    }
}

void LatencyChart::setMarked(std::shared_ptr<const RowIndex> rows)
{
    m_marked = std::move(rows);
    placeMarks();
    replot(QCustomPlot::rpQueuedReplot);
}

void LatencyChart::placeMarks()
{
    if (!m_rings) {
        return;
    }
    QVector<QCPGraphData> rings;
    for (std::size_t i = 0; i < m_content.series.size() && !m_marked->empty(); ++i) {
        const auto& points = m_content.series[i].points;
        for (std::size_t point = 0; isShown(m_content.series[i]) && point < points.size(); ++point) {
            if (std::binary_search(m_marked->begin(), m_marked->end(), points[point].row)) {
                const QPointF at = positionOf(i, point);   // of failures: where their cross is
                rings.append({points[point].x, yAxis->pixelToCoord(at.y())});
            }
        }
    }
    m_rings->data()->set(rings);
}

RowIndex LatencyChart::rowsIn(const QRect& box) const
{
    RowIndex rows;
    for (std::size_t i = 0; i < m_content.series.size(); ++i) {
        const auto& points = m_content.series[i].points;
        for (std::size_t point = 0; isShown(m_content.series[i]) && point < points.size(); ++point) {
            if (box.contains(positionOf(i, point).toPoint())) {
                rows.push_back(points[point].row);
            }
        }
    }
    return rows;
}

}  // namespace tracedeck::ui
