// SPDX-License-Identifier: GPL-3.0-or-later
// The most that GPUs can do, over the points of a latency chart: with operations a byte on the horizontal axis, a roofline.
#include <cmath>
#include <limits>

#include "ui/charts/latency_chart.h"
#include "ui/models/number_format.h"
#include "ui/style/text.h"
#include "ui/style/theme.h"

namespace tracedeck::ui {
namespace {

constexpr int kRoofPoints = 200;
constexpr double kDecade = 10;
constexpr qsizetype kLongestMachine = 40;

}  // namespace

double LatencyChart::roofAt(const Roof& roof, double x) const
{
    const double none = std::numeric_limits<double>::quiet_NaN();
    switch (m_content.measure) {
    case ChartMeasure::Bandwidth: return roof.bytesPerSecond > 0 ? roof.bytesPerSecond : none;
    case ChartMeasure::LightShare: return 1;
    case ChartMeasure::Throughput: {
        const double peak = roof.operationsPerSecond > 0 ? roof.operationsPerSecond : none;
        if (m_content.abscissa != ChartAbscissa::Intensity || roof.bytesPerSecond <= 0) {
            return peak;
        }
        return std::isnan(peak) ? x * roof.bytesPerSecond : std::min(peak, x * roof.bytesPerSecond);
    }
    case ChartMeasure::LatencyMs:
    case ChartMeasure::SpeedupToReference:
    case ChartMeasure::RatioToBaseline:
    case ChartMeasure::AbsoluteError:
    case ChartMeasure::RelativeError: break;
    }
    return none;
}

void LatencyChart::addRoofs()
{
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    for (const Series& series : m_content.series) {
        for (const SeriesPoint& point : series.points) {
            low = std::min(low, point.x);
            high = std::max(high, point.x);
        }
    }
    if (low > high) {
        return;
    }
    for (const Roof& roof : m_content.roofs) {
        if (!std::isfinite(roofAt(roof, high))) {
            continue;
        }
        // Over the points and a decade more to each side, evenly on a logarithmic axis, so that the bend of a roofline stays one.
        QVector<QCPGraphData> line;
        const bool isLogarithmic = low > 0;
        const double first = isLogarithmic ? std::log10(low / kDecade) : low - (high - low) - 1;
        const double last = isLogarithmic ? std::log10(high * kDecade) : high + (high - low) + 1;
        for (int i = 0; i <= kRoofPoints; ++i) {
            const double at = first + (last - first) * i / kRoofPoints;
            const double x = isLogarithmic ? std::pow(10.0, at) : at;
            line.append({x, roofAt(roof, x)});
        }
        DrawnRoof drawn;
        drawn.line = addGraph();
        drawn.line->data()->set(line, true);
        drawn.line->removeFromLegend();
        drawn.line->setLayer(QStringLiteral("grid"));
        drawn.text = new QCPItemText(this);
        drawn.text->setText(m_content.measure == ChartMeasure::LightShare ? tr("speed of light")
                                                                          : tr("most that %1 can do (%2)")
                                                                                .arg(shortened(visibleText(QString::fromStdString(roof.hardware)), kLongestMachine),
                                                                                     shortened(visibleText(QString::fromStdString(roof.source)), kLongestMachine)));
        drawn.text->setPadding(QMargins(0, 0, 0, 2));
        drawn.text->setPositionAlignment(Qt::AlignRight | Qt::AlignBottom);
        drawn.text->position->setTypeX(QCPItemPosition::ptAxisRectRatio);
        drawn.text->position->setTypeY(QCPItemPosition::ptPlotCoords);
        drawn.text->position->setCoords(0.995, roofAt(roof, high));
        m_roofs.push_back(drawn);
        if (m_content.measure == ChartMeasure::LightShare) {
            return;   // the same line for every GPU
        }
    }
}

void LatencyChart::styleRoofs()
{
    for (const DrawnRoof& roof : m_roofs) {
        roof.line->setPen(QPen(themeColors().muted, 1.4, Qt::DashLine));
        roof.text->setColor(themeColors().muted);
        roof.text->setFont(font());
    }
}

}  // namespace tracedeck::ui
