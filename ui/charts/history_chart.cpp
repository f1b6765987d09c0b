// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/history_chart.h"

#include <QContextMenuEvent>
#include <QDateTime>
#include <QHelpEvent>
#include <QMenu>
#include <QToolTip>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "ui/charts/measure_ticker.h"
#include "ui/models/number_format.h"
#include "ui/style/icons.h"
#include "ui/style/series_colors.h"
#include "ui/style/text.h"
#include "ui/style/theme.h"

namespace tracedeck::ui {
namespace {

constexpr double kBestWidth = 1.8;
constexpr double kResultSize = 5;
constexpr double kHistoryRing = 12;
constexpr float kResultAlpha = 0.45F;
constexpr float kFaintSeries = 0.15F;
/// Pixels above the lower edge for what failed.
constexpr double kFailedEdge = 10;
constexpr double kAirAcross = 0.03;
/// Colours are the names', dashes the machines'.
constexpr std::array<Qt::PenStyle, 5> kMachinePens{Qt::SolidLine, Qt::DashLine, Qt::DotLine, Qt::DashDotLine, Qt::DashDotDotLine};

}  // namespace

HistoryChart::HistoryChart(QWidget* parent)
    : ZoomChart(parent), m_history(std::make_shared<const History>()), m_xTicker(new MeasureTicker(xAxis)), m_yTicker(new MeasureTicker(yAxis))
{
    setObjectName(QStringLiteral("historyChart"));
    setAccessibleName(tr("Results by time"));
    setPlottingHint(QCP::phFastPolylines, true);
    m_xTicker->setKind(MeasureTicker::Kind::Moment);
    xAxis->setTicker(m_xTicker);
    yAxis->setTicker(m_yTicker);
    for (QCPAxis* axis : {xAxis, yAxis}) {
        axis->setTickLengthIn(0);
        axis->setTickLengthOut(4);
        axis->setSubTickLengthIn(0);
        axis->setSubTickLengthOut(2);
        axis->setTickLabelPadding(5);
        axis->setLabelPadding(6);
    }
    xAxis->setLabel(tr("time of measurement (UTC)"));
    plotLayout()->setMargins(QMargins(Space::kTight, Space::kNormal, Space::kWide, Space::kTight));
    connect(this, &QCustomPlot::beforeReplot, this, &HistoryChart::placeFailures);
    connect(this, &QCustomPlot::beforeReplot, this, &HistoryChart::placeMarks);
    connect(this, &ZoomChart::pointClicked, this, [this](const QPointF& position) {
        if (const auto hit = hitAt(position))
            emit tracePicked(m_history->series[hit->series].points[hit->point].row);
    });
    connect(this, &ZoomChart::boxMarked, this, [this](const QRect& box) {
        RowIndex rows;
        forShownPoints([&](const Hit& hit, const HistoryPoint& point) {
            if (box.contains(positionOf(hit).toPoint()))
                rows.push_back(point.row);
        });
        emit tracesMarked(rows);
    });
    rebuild();
}

HistoryChart::~HistoryChart() = default;

/// Calls `use` with each point that can be seen.
template <class Use> void HistoryChart::forShownPoints(const Use& use) const
{
    for (std::size_t i = 0; m_pointsShown && i < m_history->series.size(); ++i)
        for (std::size_t point = 0; isShown(i) && point < m_history->series[i].points.size(); ++point)
            use(Hit{i, point}, m_history->series[i].points[point]);
}

void HistoryChart::setMarked(std::shared_ptr<const RowIndex> rows)
{
    m_marked = std::move(rows);
    replot(QCustomPlot::rpQueuedReplot);
}

void HistoryChart::placeMarks()
{
    QVector<QCPGraphData> rings;
    if (!m_marked->empty())
        forShownPoints([&](const Hit& hit, const HistoryPoint& point) {
            if (std::binary_search(m_marked->begin(), m_marked->end(), point.row))
                rings.append({point.seconds, yAxis->pixelToCoord(positionOf(hit).y())});
        });
    m_rings->data()->set(rings);
}

void HistoryChart::contextMenuEvent(QContextMenuEvent* event)
{
    const auto hit = hitAt(event->pos());
    if (!hit)
        return;
    const quint32 row = m_history->series[hit->series].points[hit->point].row;
    auto* menu = new QMenu(this);
    menu->setObjectName(QStringLiteral("historyMenu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setToolTipsVisible(true);
    menu->addAction(icon(QStringLiteral("details")), tr("Show the &trace"), this, [this, row] { emit tracePicked(row); });
    QAction* source = menu->addAction(icon(QStringLiteral("code")), tr("Show the &source, as judged"), this, [this, row] { emit sourceWanted(row); });
    source->setObjectName(QStringLiteral("historySource"));
    source->setToolTip(tr("The solution, and whether its source is still the one that was measured"));
    menu->popup(event->globalPos());
}

void HistoryChart::setHistory(std::shared_ptr<const History> history, HistoryMeasure measure)
{
    m_history = std::move(history);
    m_measure = measure;
    m_machines.clear();
    for (const HistorySeries& series : m_history->series)
        if (const QString machine = QString::fromStdString(series.hardware); !m_machines.contains(machine))
            m_machines << machine;
    m_yTicker->setKind(measure == HistoryMeasure::Speedup ? MeasureTicker::Kind::Ratio : MeasureTicker::Kind::DurationMs);
    yAxis->setLabel(measure == HistoryMeasure::Speedup ? tr("speedup over the reference (higher is better)") : tr("latency (lower is better)"));
    rebuild();
    resetZoom();
    replot(QCustomPlot::rpQueuedReplot);
}

void HistoryChart::rebuild()
{
    clearGraphs();
    m_drawn.clear();
    for (std::size_t i = 0; i < m_history->series.size(); ++i) {
        const HistorySeries& series = m_history->series[i];
        QVector<QCPGraphData> best;
        QVector<QCPGraphData> points;
        QVector<QCPGraphData> failures;
        for (const HistoryPoint& point : series.points) {
            if (std::isfinite(point.best))
                best.append({point.seconds, point.best});
            if (point.failed)
                failures.append({point.seconds, 0});
            else
                points.append({point.seconds, point.value});
        }
        Drawn drawn{addGraph(), addGraph(), addGraph()};
        drawn.best->setLineStyle(QCPGraph::lsStepLeft);
        drawn.best->data()->set(best, true);
        const QString title = visibleText(QString::fromStdString(series.name)) + (m_machines.size() > 1 ? QStringLiteral(" · ") + visibleText(QString::fromStdString(series.hardware)) : QString());
        drawn.best->setName(shortened(title, kLongestName));
        drawn.points->setLineStyle(QCPGraph::lsNone);
        drawn.points->data()->set(points, true);
        drawn.points->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssDisc, kResultSize));
        drawn.failures->setLineStyle(QCPGraph::lsNone);
        drawn.failures->data()->set(failures, true);
        drawn.failures->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssCross, kResultSize + 1));
        for (QCPGraph* graph : {drawn.best, drawn.points, drawn.failures}) {
            graph->setSelectable(QCP::stNone);
            graph->removeFromLegend();
            graph->setVisible(isShown(i) && (m_pointsShown || graph == drawn.best));
        }
        m_drawn.push_back(drawn);
    }
    m_rings = addGraph();
    m_rings->setLineStyle(QCPGraph::lsNone);
    m_rings->setSelectable(QCP::stNone);
    m_rings->removeFromLegend();
    updateRanges();
    applyTheme();
}

void HistoryChart::updateRanges()
{
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    double from = kInfinity;
    double to = -kInfinity;
    double low = kInfinity;
    double high = -kInfinity;
    for (std::size_t i = 0; i < m_history->series.size(); ++i) {
        for (const HistoryPoint& point : m_history->series[i].points) {
            from = std::min(from, point.seconds);
            to = std::max(to, point.seconds);
            if (!isShown(i))
                continue;
            for (const double value : {m_pointsShown ? point.value : point.best, point.best}) {
                if (std::isfinite(value)) {
                    low = std::min(low, value);
                    high = std::max(high, value);
                }
            }
        }
    }
    if (from > to)
        from = to = 0;
    if (low > high) {
        low = 1;
        high = 2;
    }
    const double room = std::max((to - from) * kAirAcross, 1.0);
    const bool logarithmic = yAxis->scaleType() == QCPAxis::stLogarithmic;
    // Below the values there is room for what failed.
    const double span = std::max(std::log(high / low), 0.1);
    const QCPRange values = logarithmic ? QCPRange(low * std::exp(-span * 0.12), high * std::exp(span * 0.06)) : QCPRange(-high * 0.08, high * 1.05);
    setHomeRanges({from - room, to + room}, values);
}

void HistoryChart::placeFailures()
{
    const double bottom = yAxis->pixelToCoord(axisRect()->bottom() - kFailedEdge);
    for (Drawn& drawn : m_drawn)
        for (auto& point : *drawn.failures->data())
            point.value = bottom;
}

void HistoryChart::setHidden(const QSet<QString>& keys)
{
    m_hidden = keys;
    rebuild();
    replot(QCustomPlot::rpQueuedReplot);
}

void HistoryChart::setPointsShown(bool shown)
{
    m_pointsShown = shown;
    rebuild();
    replot(QCustomPlot::rpQueuedReplot);
}

void HistoryChart::setLogarithmic(bool logarithmic)
{
    yAxis->setScaleType(logarithmic ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    updateRanges();
    resetZoom();
    replot(QCustomPlot::rpQueuedReplot);
}

void HistoryChart::setEmphasis(const QString& key)
{
    if (m_emphasis == key)
        return;
    m_emphasis = key;
    applyTheme();
    replot(QCustomPlot::rpQueuedReplot);
}

void HistoryChart::applyTheme()
{
    applyAxisTheme();
    for (std::size_t i = 0; i < m_drawn.size(); ++i) {
        const QString name = QString::fromStdString(m_history->series[i].name);
        const HistorySeries& series = m_history->series[i];
        const bool isFaint = !m_emphasis.isEmpty() && m_emphasis != QString::fromStdString(series.key());
        QColor color = seriesColor(name);
        QColor points = color;
        points.setAlphaF(isFaint ? kFaintSeries : kResultAlpha);
        if (isFaint)
            color.setAlphaF(kFaintSeries);
        m_drawn[i].best->setPen(QPen(color, kBestWidth, kMachinePens[static_cast<std::size_t>(m_machines.indexOf(QString::fromStdString(series.hardware))) % kMachinePens.size()]));
        QCPScatterStyle result = m_drawn[i].points->scatterStyle();
        result.setPen(QPen(points, 1));
        result.setBrush(points);
        m_drawn[i].points->setScatterStyle(result);
        QCPScatterStyle failure = m_drawn[i].failures->scatterStyle();
        failure.setPen(QPen(color, 1.5));
        m_drawn[i].failures->setScatterStyle(failure);
    }
    m_rings->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssCircle, QPen(themeColors().accent, 2), Qt::NoBrush, kHistoryRing));
    if (legend) {
        legend->setBrush(Qt::NoBrush);
        legend->setBorderPen(Qt::NoPen);
        legend->setTextColor(themeColors().text);
        legend->setFont(font());
    }
}

QPointF HistoryChart::positionOf(const Hit& hit) const
{
    const HistoryPoint& point = m_history->series[hit.series].points[hit.point];
    return {xAxis->coordToPixel(point.seconds), point.failed ? axisRect()->bottom() - kFailedEdge : yAxis->coordToPixel(point.value)};
}

std::optional<HistoryChart::Hit> HistoryChart::hitAt(const QPointF& position, double radius) const
{
    std::optional<Hit> best;
    if (!m_pointsShown || !axisRect()->rect().contains(position.toPoint()))
        return best;
    double nearest = radius * radius;
    for (std::size_t i = 0; i < m_history->series.size(); ++i) {
        if (!isShown(i))
            continue;
        const auto& points = m_history->series[i].points;
        const double from = xAxis->pixelToCoord(position.x() - radius);
        const double to = xAxis->pixelToCoord(position.x() + radius);
        auto point = std::lower_bound(points.begin(), points.end(), from, [](const HistoryPoint& one, double seconds) { return one.seconds < seconds; });
        for (; point != points.end() && point->seconds <= to; ++point) {
            const Hit hit{i, static_cast<std::size_t>(point - points.begin())};
            const QPointF away = positionOf(hit) - position;
            if (const double distance = QPointF::dotProduct(away, away); distance <= nearest) {
                nearest = distance;
                best = hit;
            }
        }
    }
    return best;
}

QString HistoryChart::valueText(double value) const { return m_measure == HistoryMeasure::Speedup ? ratioText(value) : durationText(value); }

void HistoryChart::addTitleAndLegend(const QString& title)
{
    plotLayout()->insertRow(0);
    auto* heading = new QCPTextElement(this, shortened(visibleText(title), 2 * kLongestName));
    QFont bold = font();
    bold.setBold(true);
    heading->setFont(bold);
    heading->setTextColor(themeColors().text);
    plotLayout()->addElement(0, 0, heading);
    for (std::size_t i = 0; i < m_drawn.size(); ++i)
        if (isShown(i))
            m_drawn[i].best->addToLegend(legend);
    auto* side = new QCPLayoutGrid;
    plotLayout()->addElement(1, 1, side);
    side->addElement(0, 0, legend);
    side->addElement(1, 0, new QCPLayoutElement(this));
    side->setRowStretchFactor(0, 0.001);
    plotLayout()->setColumnStretchFactor(1, 0.001);
    legend->setVisible(true);
    applyTheme();
}

void HistoryChart::changeEvent(QEvent* event)
{
    ZoomChart::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
        applyTheme();
        replot(QCustomPlot::rpQueuedReplot);
    }
}

bool HistoryChart::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return ZoomChart::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const auto hit = hitAt(help->pos());
    if (!hit) {
        QToolTip::hideText();
        return true;
    }
    const HistorySeries& series = m_history->series[hit->series];
    const HistoryPoint& point = series.points[hit->point];
    QStringList lines{QString::fromStdString(series.name), QString::fromStdString(series.hardware),
                      QDateTime::fromMSecsSinceEpoch(static_cast<qint64>(point.seconds * 1000), Qt::UTC).toString(QStringLiteral("yyyy-MM-dd HH:mm:ss"))};
    lines << (point.failed ? tr("failed") : point.isRecord ? tr("%1, the best so far on its workload").arg(valueText(point.value)) : valueText(point.value));
    if (std::isfinite(point.best))
        lines << tr("best so far: %1 over %n workload(s)", nullptr, static_cast<int>(point.workloads)).arg(valueText(point.best));
    QToolTip::showText(help->globalPos(), plainToolTip(lines.join(QLatin1Char('\n'))), this);
    return true;
}

}  // namespace tracedeck::ui
