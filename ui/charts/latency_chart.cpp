// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/latency_chart.h"

#include <QLabel>
#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <map>

#include "ui/charts/dense_layer.h"
#include "ui/charts/measure_ticker.h"
#include "ui/models/number_format.h"
#include "ui/style/series_colors.h"
#include "ui/style/text.h"
#include "ui/style/theme.h"

namespace tracedeck::ui {
namespace {

constexpr double kLineWidth = 1.6;
constexpr double kMarkerSize = 7;
constexpr double kDenseMarkerSize = 3;
constexpr double kRingSize = 13;
/// More points than this are drawn plainly.
constexpr std::size_t kDensePoints = 5'000;
/// And more than these pixel by pixel: drawn one by one they would take longer than a frame.
constexpr std::size_t kPixelwisePoints = 20'000;
constexpr float kFaint = 0.16F;
constexpr float kBandAlpha = 0.15F;
constexpr int kMaximumLevels = 6;
constexpr std::size_t kMaximumDataTicks = 40;

double median(std::vector<double>& values)
{
    std::sort(values.begin(), values.end());
    const std::size_t middle = values.size() / 2;
    return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

MeasureTicker::Kind xKindOf(ChartAbscissa abscissa)
{
    switch (abscissa) {
    case ChartAbscissa::Bytes: return MeasureTicker::Kind::Bytes;
    case ChartAbscissa::Operations: return MeasureTicker::Kind::Operations;
    case ChartAbscissa::Intensity: return MeasureTicker::Kind::Intensity;
    case ChartAbscissa::Moment: return MeasureTicker::Kind::Moment;
    case ChartAbscissa::Axis:
    case ChartAbscissa::Workload: break;
    }
    return MeasureTicker::Kind::Count;
}

MeasureTicker::Kind yKindOf(ChartMeasure measure)
{
    switch (measure) {
    case ChartMeasure::LatencyMs: return MeasureTicker::Kind::DurationMs;
    case ChartMeasure::Bandwidth: return MeasureTicker::Kind::Bandwidth;
    case ChartMeasure::Throughput: return MeasureTicker::Kind::Throughput;
    case ChartMeasure::LightShare: return MeasureTicker::Kind::Share;
    case ChartMeasure::AbsoluteError:
    case ChartMeasure::RelativeError: return MeasureTicker::Kind::Error;
    case ChartMeasure::SpeedupToReference:
    case ChartMeasure::RatioToBaseline: break;
    }
    return MeasureTicker::Kind::Ratio;
}

/// Median at each x of what `valueOf` gives for the passed points; NaN, which makes a gap, where there is none.
template <class Value>
QVector<QCPGraphData> linePoints(const std::vector<SeriesPoint>& points, const Value& valueOf)
{
    QVector<QCPGraphData> line;
    for (std::size_t first = 0; first < points.size();) {
        std::size_t end = first;
        std::vector<double> values;
        for (; end < points.size() && points[end].x == points[first].x; ++end) {
            if (!points[end].failed && std::isfinite(valueOf(points[end]))) {
                values.push_back(valueOf(points[end]));
            }
        }
        line.append({points[first].x, values.empty() ? std::numeric_limits<double>::quiet_NaN() : median(values)});
        first = end;
    }
    return line;
}

}  // namespace

LatencyChart::LatencyChart(QWidget* parent)
    : ZoomChart(parent), m_xTicker(new MeasureTicker(xAxis)), m_yTicker(new MeasureTicker(yAxis)), m_card(new QLabel(this))
{
    setObjectName(QStringLiteral("latencyChart"));
    setPlottingHint(QCP::phFastPolylines, true);
    setNoAntialiasingOnDrag(true);
    xAxis->setTicker(m_xTicker);
    yAxis->setTicker(m_yTicker);
    for (QCPAxis* axis : {xAxis, yAxis}) {
        axis->setTickLengthIn(0);
        axis->setTickLengthOut(4);
        axis->setSubTickLengthIn(0);
        axis->setSubTickLengthOut(2);
        axis->setTickLabelPadding(5);
        axis->setLabelPadding(8);
    }
    axisRect()->setupFullAxesBox(false);
    xAxis2->setVisible(false);
    yAxis2->setVisible(false);
    plotLayout()->setMargins(QMargins(Space::kTight, Space::kNormal, Space::kWide, Space::kTight));

    m_card->setObjectName(QStringLiteral("chartReadOut"));
    m_card->setTextFormat(Qt::RichText);
    m_card->setAutoFillBackground(true);
    m_card->setFrameShape(QFrame::StyledPanel);
    m_card->setMargin(Space::kNormal);
    m_card->setAttribute(Qt::WA_TransparentForMouseEvents);
    m_card->hide();

    connect(this, &QCustomPlot::beforeReplot, this, &LatencyChart::fitTitles);
    connect(this, &QCustomPlot::afterLayout, this, &LatencyChart::placeFailures);
    connect(this, &ZoomChart::boxMarked, this, [this](const QRect& box) { emit tracesMarked(rowsIn(box)); });
    connect(this, &ZoomChart::pointerMoved, this, [this](const QPointF& position) { showReadOut(hitAt(position)); });
    connect(this, &ZoomChart::pointerLeft, this, [this] { showReadOut(std::nullopt); });
    connect(this, &ZoomChart::pointClicked, this, [this](const QPointF& position) {
        if (const auto hit = hitAt(position)) {
            emit tracePicked(m_content.series[hit->series].points[hit->point].row);
        }
    });
    applyTheme();
}

LatencyChart::~LatencyChart() = default;

void LatencyChart::setContent(ChartContent content)
{
    const bool sameView = content.definition == m_content.definition && content.axis == m_content.axis && content.abscissa == m_content.abscissa &&
                          content.measure == m_content.measure && content.time == m_content.time && content.hardware == m_content.hardware;
    // What is pointed at stays pointed at while a run adds rows; rows of another dataset have other numbers.
    const bool grew = sameView && m_content.dataset && content.dataset && m_content.dataset->root() == content.dataset->root() &&
                      content.dataset->traces().size() >= m_content.dataset->traces().size();
    const auto pointedAt = grew && m_hit ? std::optional(m_content.series[m_hit->series].points[m_hit->point].row) : std::nullopt;
    m_content = std::move(content);
    liftExactErrors();
    m_hit.reset();
    m_card->hide();
    std::vector<double> values;
    for (const Series& series : m_content.series) {
        for (const SeriesPoint& point : series.points) {
            values.push_back(point.x);
        }
    }
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    m_xTicker->setDataValues(values.size() <= kMaximumDataTicks ? std::move(values) : std::vector<double>());
    m_xTicker->setKind(xKindOf(m_content.abscissa));
    m_yTicker->setKind(yKindOf(m_content.measure));
    m_xTitle = xTitle();
    m_yTitles = yTitles();
    setAccessibleName(tr("Chart of %1").arg(visibleText(m_content.definition)));
    setAccessibleDescription(tr("%1 against %2. The table of traces has the same values.").arg(m_yTitles.front(), m_xTitle));
    rebuildGraphs();
    updateHomeRanges();
    if (!sameView) {
        resetZoom();
    }
    if (pointedAt) {
        showReadOut(hitOfRow(*pointedAt));
    }
    replot(QCustomPlot::rpQueuedReplot);
}

void LatencyChart::setHidden(const QSet<QString>& solutions)
{
    m_hidden = solutions;
    applyVisibility();
    updateHomeRanges();
    replot(QCustomPlot::rpQueuedReplot);
}

void LatencyChart::setEmphasis(const QString& solution)
{
    if (m_emphasis != solution) {
        m_emphasis = solution;
        applyTheme();
        replot(QCustomPlot::rpQueuedReplot);
    }
}

bool LatencyChart::canBeLogarithmicX() const
{
    if (m_content.abscissa == ChartAbscissa::Moment) {
        return false;
    }
    return std::all_of(m_content.series.begin(), m_content.series.end(), [](const Series& series) {
        return std::all_of(series.points.begin(), series.points.end(), [](const SeriesPoint& point) { return point.x > 0; });
    });
}

void LatencyChart::setLogarithmic(bool x, bool y)
{
    const auto type = [](bool logarithmic) { return logarithmic ? QCPAxis::stLogarithmic : QCPAxis::stLinear; };
    const bool changed = xAxis->scaleType() != type(x && canBeLogarithmicX()) || yAxis->scaleType() != type(y);
    xAxis->setScaleType(type(x && canBeLogarithmicX()));
    yAxis->setScaleType(type(y));
    updateHomeRanges();
    if (changed) {
        resetZoom();
    }
    replot(QCustomPlot::rpQueuedReplot);
}

bool LatencyChart::isShown(const Series& series) const { return !m_hidden.contains(QString::fromStdString(series.solution)); }

void LatencyChart::rebuildGraphs()
{
    delete m_dense;
    m_dense = nullptr;
    clearGraphs();
    clearItems();
    m_unity = nullptr;
    m_unityText = nullptr;
    m_failedText = nullptr;
    m_nothingText = nullptr;
    m_marker = nullptr;
    m_rings = nullptr;
    m_drawnNotes.clear();
    m_drawn.clear();
    m_roofs.clear();
    m_failureLevels = 0;
    std::size_t points = 0;
    for (const Series& series : m_content.series) {
        points += series.points.size();
    }
    if (points > kPixelwisePoints) {
        m_dense = new DenseLayer(this, axisRect());
    }
    for (const Series& series : m_content.series) {
        addSeries(series, points > kDensePoints, m_dense != nullptr);
    }
    addReferenceLine();
    addRoofs();
    m_failedText = new QCPItemText(this);
    m_failedText->setText(tr("✕ failed"));
    // Beside the axis, where the row of crosses has no tick labels: within the plot it would lie over the first crosses.
    m_failedText->setClipToAxisRect(false);
    m_failedText->setPositionAlignment(Qt::AlignRight | Qt::AlignBottom);
    m_failedText->position->setTypeX(QCPItemPosition::ptAbsolute);
    m_failedText->position->setTypeY(QCPItemPosition::ptAxisRectRatio);
    m_failedText->position->setCoords(0, 1.0);
    m_nothingText = new QCPItemText(this);
    m_nothingText->setPositionAlignment(Qt::AlignCenter);
    m_nothingText->position->setType(QCPItemPosition::ptAxisRectRatio);
    m_nothingText->position->setCoords(0.5, 0.4);
    m_marker = new QCPItemEllipse(this);
    m_marker->setLayer(QStringLiteral("overlay"));
    m_marker->topLeft->setType(QCPItemPosition::ptAbsolute);
    m_marker->bottomRight->setType(QCPItemPosition::ptAbsolute);
    m_marker->setVisible(false);
    m_rings = addGraph();
    m_rings->setLineStyle(QCPGraph::lsNone);
    m_rings->setSelectable(QCP::stNone);
    m_rings->removeFromLegend();
    buildNotes();
    applyVisibility();
    applyTheme();
}

void LatencyChart::addSeries(const Series& series, bool dense, bool pixelwise)
{
    Drawn drawn;
    const bool hasBand = m_content.showsBand && std::any_of(series.points.begin(), series.points.end(), [](const SeriesPoint& point) { return std::isfinite(point.low); });
    if (hasBand) {
        drawn.bandLow = addGraph();
        drawn.bandHigh = addGraph();
        drawn.bandLow->data()->set(linePoints(series.points, [](const SeriesPoint& point) { return point.low; }), true);
        drawn.bandHigh->data()->set(linePoints(series.points, [](const SeriesPoint& point) { return point.high; }), true);
        drawn.bandHigh->setChannelFillGraph(drawn.bandLow);
        for (QCPGraph* graph : {drawn.bandLow, drawn.bandHigh}) {
            graph->setPen(Qt::NoPen);
            graph->setSelectable(QCP::stNone);
            graph->removeFromLegend();
        }
    }
    drawn.line = new DenseGraph(xAxis, yAxis);
    drawn.line->setName(shortened(visibleText(QString::fromStdString(series.solution)), kLongestName));
    drawn.line->data()->set(linePoints(series.points, [](const SeriesPoint& point) { return point.y; }), true);
    drawn.markers = new DenseGraph(xAxis, yAxis);
    drawn.markers->setLineStyle(QCPGraph::lsNone);
    drawn.failures = addGraph();
    drawn.failures->setLineStyle(QCPGraph::lsNone);
    QVector<QCPGraphData> passed;
    QVector<QCPGraphData> failed;
    QVector<QCPGraphData> wrong;
    for (const SeriesPoint& point : series.points) {
        (point.failed ? failed : isPassed(point) ? passed : wrong).append({point.x, point.failed ? 0 : point.y});
    }
    if (!wrong.isEmpty()) {
        drawn.wrong = addGraph();
        drawn.wrong->setLineStyle(QCPGraph::lsNone);
        drawn.wrong->data()->set(wrong, true);
        drawn.wrong->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssCross, kMarkerSize));
    }
    drawn.markers->data()->set(passed, true);
    drawn.failures->data()->set(failed, true);
    drawn.markers->setAdaptiveSampling(true);
    drawn.line->setAdaptiveSampling(true);
    drawn.markers->setScatterStyle(QCPScatterStyle(dense ? QCPScatterStyle::ssSquare : QCPScatterStyle::ssCircle,
                                                   dense ? kDenseMarkerSize : kMarkerSize));
    drawn.failures->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssCross, kMarkerSize));
    if (pixelwise) {
        m_dense->add(drawn.line);
        m_dense->add(drawn.markers);
    }
    for (QCPGraph* graph : std::initializer_list<QCPGraph*>{drawn.line, drawn.markers, drawn.failures, drawn.wrong}) {
        if (graph) {
            graph->setSelectable(QCP::stNone);
            graph->removeFromLegend();
        }
    }
    m_drawn.push_back(std::move(drawn));
}

void LatencyChart::addReferenceLine()
{
    if (!(m_content.isRatio() || m_content.isError()) || m_content.series.empty()) {
        return;
    }
    m_unity = new QCPItemStraightLine(this);
    m_unity->setLayer(QStringLiteral("grid"));
    double across = 0;
    for (QCPItemPosition* position : {m_unity->point1, m_unity->point2}) {
        position->setTypeX(QCPItemPosition::ptAxisRectRatio);
        position->setTypeY(QCPItemPosition::ptPlotCoords);
        position->setCoords(across, 1);   // see placeReferenceLine()
        across = 1;
    }
    m_unityText = new QCPItemText(this);
    m_unityText->setPositionAlignment(Qt::AlignRight | Qt::AlignBottom);
    m_unityText->position->setTypeX(QCPItemPosition::ptAxisRectRatio);
    m_unityText->position->setTypeY(QCPItemPosition::ptPlotCoords);
    placeReferenceLine();
}

void LatencyChart::placeReferenceLine()
{
    const double at = m_content.isError() ? m_content.tolerance.value_or(0) : 1;
    const bool isShown = at > 0;
    m_unity->setVisible(isShown);
    m_unityText->setVisible(isShown);
    m_unity->point1->setCoords(0, at);
    m_unity->point2->setCoords(1, at);
    m_unityText->position->setCoords(0.995, at);
    m_unityText->setText(m_content.isError()                                          ? tr("tolerance %1").arg(toleranceText(at))
                         : m_content.measure == ChartMeasure::SpeedupToReference ? tr("reference")
                                                                                      : tr("baseline %1").arg(shortened(visibleText(m_content.baseline), kLongestName)));
}

void LatencyChart::setTolerance(const std::optional<double>& tolerance)
{
    if (m_content.tolerance == tolerance) {
        return;
    }
    m_content.tolerance = tolerance;
    if (m_unity) {
        placeReferenceLine();
    }
    updateHomeRanges();
    replot(QCustomPlot::rpQueuedReplot);
}

void LatencyChart::applyVisibility()
{
    // Failures of shown solutions at one x are stacked, so that none covers another.
    std::map<double, int> levels;
    m_failureLevels = 0;
    m_anyPassed = false;
    for (std::size_t i = 0; i < m_drawn.size(); ++i) {
        Drawn& drawn = m_drawn[i];
        const bool shown = isShown(m_content.series[i]);
        m_anyPassed = m_anyPassed || (shown && (drawn.markers->dataCount() > 0 || drawn.wrong));
        for (QCPGraph* graph : std::initializer_list<QCPGraph*>{drawn.line, drawn.markers, drawn.failures, drawn.wrong, drawn.bandLow, drawn.bandHigh}) {
            if (graph) {
                graph->setVisible(shown);
            }
        }
        drawn.failureLevels.assign(static_cast<std::size_t>(drawn.failures->dataCount()), 0);
        if (!shown) {
            continue;
        }
        std::size_t failure = 0;
        for (const auto& point : *drawn.failures->data()) {
            int& level = levels[point.key];
            drawn.failureLevels[failure++] = std::min(level, kMaximumLevels - 1);
            ++level;
            m_failureLevels = std::max(m_failureLevels, std::min(level, kMaximumLevels));
        }
    }
    if (m_failedText) {
        m_failedText->setVisible(m_failureLevels > 0);
        m_nothingText->setVisible(!m_anyPassed && !m_drawn.empty());
        m_nothingText->setText(m_failureLevels > 0 ? tr("Everything that is shown here has failed.\nPoint at a cross to see why.") : tr("All lines are switched off."));
    }
    if (m_hit && !isShown(m_content.series[m_hit->series])) {
        showReadOut(std::nullopt);
    }
}

void LatencyChart::applyTheme()
{
    const ThemeColors& theme = themeColors();
    applyAxisTheme();
    for (std::size_t i = 0; i < m_drawn.size(); ++i) {
        const QString solution = QString::fromStdString(m_content.series[i].solution);
        const bool faint = !m_emphasis.isEmpty() && m_emphasis != solution;
        QColor color = seriesColor(solution);
        if (faint) {
            color.setAlphaF(kFaint);
        }
        Drawn& drawn = m_drawn[i];
        QPen pen(color, m_emphasis == solution ? kLineWidth + 1 : kLineWidth, seriesPenStyle(solution));
        pen.setJoinStyle(Qt::RoundJoin);
        drawn.line->setPen(pen);
        if (drawn.bandHigh) {
            QColor fill = seriesColor(solution);
            fill.setAlphaF(faint ? kFaint * kBandAlpha : kBandAlpha);
            drawn.bandHigh->setBrush(fill);
        }
        QCPScatterStyle markers = drawn.markers->scatterStyle();
        const bool outlined = markers.shape() == QCPScatterStyle::ssCircle;
        markers.setPen(outlined ? QPen(theme.base, 1.2) : QPen(color, 1));
        markers.setBrush(color);
        drawn.markers->setScatterStyle(markers);
        QCPScatterStyle failures = drawn.failures->scatterStyle();
        failures.setPen(QPen(color, 1.8));
        drawn.failures->setScatterStyle(failures);
        if (drawn.wrong) {
            drawn.wrong->setScatterStyle(failures);
        }
        if (m_emphasis == solution) {
            drawn.line->setLayer(QStringLiteral("main"));
            drawn.markers->setLayer(QStringLiteral("main"));
        }
    }
    if (m_unity) {
        m_unity->setPen(QPen(theme.muted, 1, Qt::DashLine));
        m_unityText->setColor(theme.muted);
        m_unityText->setFont(font());
    }
    styleRoofs();
    styleNotes();
    if (m_failedText) {
        QFont small = font();
        small.setPointSizeF(small.pointSizeF() * 0.85);
        m_failedText->setColor(theme.muted);
        m_failedText->setFont(small);
        m_nothingText->setColor(theme.muted);
        m_nothingText->setFont(font());
    }
    if (m_marker) {
        m_marker->setPen(QPen(theme.text, 1.5));
    }
    if (m_rings) {
        m_rings->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssCircle, QPen(theme.accent, 2), Qt::NoBrush, kRingSize));
    }
    if (legend) {
        legend->setBrush(Qt::NoBrush);
        legend->setBorderPen(Qt::NoPen);
        legend->setTextColor(theme.text);
        legend->setFont(font());
    }
}

void LatencyChart::changeEvent(QEvent* event)
{
    ZoomChart::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
        showReadOut(std::nullopt);
        applyTheme();
        replot(QCustomPlot::rpQueuedReplot);
    }
}

}  // namespace tracedeck::ui
