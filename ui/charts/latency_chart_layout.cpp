// SPDX-License-Identifier: GPL-3.0-or-later
// Where things lie in a latency chart: ranges, titles, and the strip of failures at the lower edge.
#include <QFontMetrics>
#include <algorithm>
#include <cmath>
#include <limits>

#include "ui/charts/latency_chart.h"
#include "ui/charts/measure_ticker.h"
#include "ui/style/text.h"
#include "ui/style/theme.h"

namespace tracedeck::ui {
namespace {

constexpr int kFailureStep = 10;      ///< pixels between failures that share an x
constexpr int kFailureMargin = 10;    ///< pixels between the lowest failure and the edge
constexpr double kAir = 0.06;
constexpr int kTitleAir = 6;          ///< pixels around the titles of the axes
constexpr int kLowChart = 190;        ///< below this many pixels the horizontal axis has no title: the box above names it
constexpr qsizetype kLongestTitle = 96;

/// A range with air on both sides, in the measure of the scale.
QCPRange withAir(double low, double high, bool logarithmic, double below, double above)
{
    if (logarithmic && low > 0) {
        if (low == high) {
            return {low / 2, high * 2};
        }
        const double span = std::log(high / low);
        return {low * std::exp(-span * below), high * std::exp(span * above)};
    }
    if (low == high) {
        const double room = std::max(std::abs(low) * 0.1, 1e-9);
        return {low - room, high + room};
    }
    return {low - (high - low) * below, high + (high - low) * above};
}

}  // namespace

QString LatencyChart::xTitle() const
{
    switch (m_content.abscissa) {
    case ChartAbscissa::Bytes: return tr("bytes that must be moved");
    case ChartAbscissa::Operations: return tr("operations");
    case ChartAbscissa::Intensity: return tr("operations a byte");
    case ChartAbscissa::Moment: return tr("time of measurement (UTC)");
    case ChartAbscissa::Axis:
    case ChartAbscissa::Workload: break;
    }
    return m_content.axis.isEmpty() ? tr("workload, in file order") : visibleText(m_content.axis);
}

/// From the whole sentence to one word.
QStringList LatencyChart::yTitles() const
{
    QString kind;
    switch (m_content.time) {
    case CallTime::Live: kind = tr("live span"); break;
    case CallTime::Queued: kind = tr("queued"); break;
    case CallTime::Kernels: kind = tr("sum of kernels"); break;
    case CallTime::Stored: break;
    }
    QStringList titles;
    switch (m_content.measure) {
    case ChartMeasure::LatencyMs: titles = {tr("latency (lower is better)"), tr("latency")}; break;
    case ChartMeasure::SpeedupToReference: titles = {tr("speedup over the reference (higher is better)"), tr("speedup over the reference"), tr("speedup")}; break;
    case ChartMeasure::RatioToBaseline: titles = {tr("speedup over the baseline (higher is better)"), tr("speedup over the baseline"), tr("speedup")}; break;
    case ChartMeasure::Bandwidth: titles = {tr("bandwidth (higher is better)"), tr("bandwidth")}; break;
    case ChartMeasure::Throughput: titles = {tr("throughput (higher is better)"), tr("throughput")}; break;
    case ChartMeasure::LightShare: titles = {tr("share of the speed of light (higher is better)"), tr("share of the speed of light"), tr("share")}; break;
    case ChartMeasure::AbsoluteError: titles = {tr("greatest absolute error (lower is better)"), tr("greatest absolute error"), tr("error")}; break;
    case ChartMeasure::RelativeError: titles = {tr("greatest relative error (lower is better)"), tr("greatest relative error"), tr("error")}; break;
    }
    if (!kind.isEmpty()) {
        titles.prepend(tr("%1, %2").arg(titles.front(), kind));
    }
    return titles;
}

void LatencyChart::updateHomeRanges()
{
    double lowX = std::numeric_limits<double>::infinity();
    double highX = -lowX;
    double lowY = lowX;
    double highY = -lowX;
    for (const Series& series : m_content.series) {
        for (const SeriesPoint& point : series.points) {
            lowX = std::min(lowX, point.x);   // of hidden ones too: x does not jump when a line is switched off
            highX = std::max(highX, point.x);
            if (!point.failed && isShown(series)) {
                const bool hasBand = m_content.showsBand && std::isfinite(point.low);
                lowY = std::min(lowY, hasBand ? std::min(point.low, point.y) : point.y);
                highY = std::max(highY, hasBand ? std::max(point.high, point.y) : point.y);
            }
        }
    }
    if (m_content.extent) {
        lowX = m_content.extent->lowX;
        highX = m_content.extent->highX;
        lowY = m_content.extent->lowY;
        highY = m_content.extent->highY;
    }
    if (lowX > highX) {
        lowX = 1;
        highX = 2;
    }
    if (lowY > highY) {
        lowY = 1;
        highY = 2;
    }
    if (m_content.isRatio()) {
        lowY = std::min(lowY, 1.0);
        highY = std::max(highY, 1.0);
    }
    if (m_content.tolerance.value_or(0) > 0) {
        lowY = std::min(lowY, *m_content.tolerance);
        highY = std::max(highY, *m_content.tolerance);
    }
    const bool logX = xAxis->scaleType() == QCPAxis::stLogarithmic;
    const bool logY = yAxis->scaleType() == QCPAxis::stLogarithmic;
    // Roofs far above the points would squeeze them on a linear scale.
    constexpr double kNear = 4;
    const double highest = highY;
    for (const Roof& roof : m_content.roofs) {
        for (const double x : {lowX, highX}) {
            const double bound = roofAt(roof, x);
            if (std::isfinite(bound) && (logY || bound <= kNear * highest)) {
                highY = std::max(highY, bound);
            }
        }
    }
    if (!logY) {
        lowY = 0;
    }
    // Room below the data for the failures, in the same share of the height as they will take.
    const double strip = m_failureLevels > 0 ? (m_failureLevels * kFailureStep + 2.0 * kFailureMargin) / std::max(axisRect()->height(), 160) : 0;
    const double below = strip > 0 ? (strip + kAir) / (1 - strip - kAir) : (logY ? kAir : 0);
    setHomeRanges(withAir(lowX, highX, logX, 0.03, 0.03), withAir(lowY, highY, logY, below, kAir));
}

int LatencyChart::stripHeight() const { return m_failureLevels > 0 ? (m_failureLevels - 1) * kFailureStep + 2 * kFailureMargin : 0; }

void LatencyChart::fitTitles()
{
    const QFontMetrics metrics(xAxis->labelFont());
    // Of a plot as it was laid out last, or as good as: the margins depend little on the titles.
    const int high = height() - axisRect()->margins().top() - axisRect()->margins().bottom() - kTitleAir;
    const int wide = width() - axisRect()->margins().left() - axisRect()->margins().right() - kTitleAir;
    const auto fitting = std::find_if(m_yTitles.begin(), m_yTitles.end(),
                                      [&](const QString& title) { return metrics.horizontalAdvance(title) <= high; });
    yAxis->setLabel(fitting == m_yTitles.end() ? QString() : *fitting);
    xAxis->setLabel(height() < kLowChart ? QString() : metrics.elidedText(m_xTitle, Qt::ElideMiddle, std::max(wide, 0)));
    m_yTicker->setClearStrip(stripHeight());
    int left = 0;
    if (m_failedText && m_failedText->visible()) {
        const int title = yAxis->label().isEmpty() ? 0 : metrics.height() + yAxis->labelPadding();
        left = QFontMetrics(m_failedText->font()).horizontalAdvance(m_failedText->text()) + title + 2 * kTitleAir;
    }
    axisRect()->setMinimumMargins(QMargins(left, 0, 0, 0));
}

double LatencyChart::failureY(int level) const { return axisRect()->bottom() - kFailureMargin - kFailureStep * level; }

void LatencyChart::placeFailures()
{
    if (m_failedText) {
        m_failedText->position->setCoords(axisRect()->left() - kTitleAir / 2, 1.0);
    }
    for (Drawn& drawn : m_drawn) {
        std::size_t failure = 0;
        for (auto point = drawn.failures->data()->begin(); point != drawn.failures->data()->end(); ++point, ++failure) {
            point->value = yAxis->pixelToCoord(failureY(drawn.failureLevels[failure]));
        }
    }
    placeMarks();
    placeNotes();
}

void LatencyChart::addTitleAndLegend(const QString& title)
{
    plotLayout()->insertRow(0);
    auto* heading = new QCPTextElement(this, shortened(visibleText(title), kLongestTitle));
    QFont bold = font();
    bold.setBold(true);
    heading->setFont(bold);
    heading->setTextColor(themeColors().text);
    plotLayout()->addElement(0, 0, heading);
    for (std::size_t i = 0; i < m_drawn.size(); ++i) {
        if (isShown(m_content.series[i])) {
            m_drawn[i].line->addToLegend(legend);
        }
    }
    auto* side = new QCPLayoutGrid;
    plotLayout()->addElement(1, 1, side);
    side->addElement(0, 0, legend);   // takes it from the inset of the axis rectangle
    side->addElement(1, 0, new QCPLayoutElement(this));
    side->setRowStretchFactor(0, 0.001);
    plotLayout()->setColumnStretchFactor(1, 0.001);
    legend->setVisible(true);
    applyTheme();
}

}  // namespace tracedeck::ui
