// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/fast_p_chart.h"

#include <QHelpEvent>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "ui/charts/dense_layer.h"
#include "ui/charts/measure_ticker.h"
#include "ui/models/number_format.h"
#include "ui/style/series_colors.h"
#include "ui/style/text.h"
#include "ui/style/theme.h"

namespace tracedeck::ui {
namespace {

constexpr double kCurveWidth = 1.8;
constexpr float kFaintCurve = 0.18F;
constexpr double kPercentOf = 100;
/// A few fast results must not squeeze all others into a corner: so much is in sight at first.
constexpr double kShareInSight = 0.8;
constexpr double kLeastRange = 1.5;
constexpr double kGreatestRange = 10;
/// More steps than these of all curves are drawn pixel by pixel: one by one they would take longer than a frame.
constexpr std::size_t kPixelwiseSteps = 20'000;
/// Curves in the tool tip.
constexpr std::size_t kMostInTip = 12;

}  // namespace

FastPChart::FastPChart(QWidget* parent) : ZoomChart(parent), m_report(std::make_shared<const FastPReport>()), m_xTicker(new MeasureTicker(xAxis))
{
    setObjectName(QStringLiteral("fastPChart"));
    setAccessibleName(tr("Shares of workloads by speedup"));
    setAccessibleDescription(tr("The table beside it has the shares at the pinned p."));
    setPlottingHint(QCP::phFastPolylines, true);
    m_xTicker->setKind(MeasureTicker::Kind::Ratio);
    xAxis->setTicker(m_xTicker);
    for (QCPAxis* axis : {xAxis, yAxis}) {
        axis->setTickLengthIn(0);
        axis->setTickLengthOut(4);
        axis->setSubTickLengthIn(0);
        axis->setSubTickLengthOut(2);
        axis->setTickLabelPadding(5);
        axis->setLabelPadding(6);
    }
    xAxis->setLabel(tr("p: times as fast as the baseline"));
    yAxis->setLabel(tr("workloads (%)"));
    plotLayout()->setMargins(QMargins(Space::kTight, Space::kNormal, Space::kWide, Space::kTight));
    connect(this, &ZoomChart::pointClicked, this, [this](const QPointF& position) {
        if (axisRect()->rect().contains(position.toPoint()))
            emit pinned(std::max(0.0, xAxis->pixelToCoord(position.x())));
    });
    rebuild();
}

FastPChart::~FastPChart() = default;

void FastPChart::setReport(std::shared_ptr<const FastPReport> report)
{
    const bool sameView = m_report->preset == report->preset && m_report->by == report->by && m_report->baselineAuthor == report->baselineAuthor &&
                          m_report->scope.definition == report->scope.definition && m_report->scope.opType == report->scope.opType && m_report->scope.hardware == report->scope.hardware;
    m_report = std::move(report);
    rebuild();
    if (!sameView)
        resetZoom();
    replot(QCustomPlot::rpQueuedReplot);
}

double FastPChart::greatestP() const
{
    double greatest = 0;
    for (const FastPCurve& curve : m_report->curves)
        if (!curve.ratios.empty() && std::isfinite(curve.ratios.back()))
            greatest = std::max(greatest, curve.ratios.back());
    return greatest;
}

QVector<QCPGraphData> FastPChart::drawnPoints(std::size_t number) const
{
    QVector<QCPGraphData> points;
    const FastPCurve& curve = m_report->curves[number];
    for (const auto& [p, share] : m_report->steps(curve))
        if (std::isfinite(p))
            points.append({p, share * kPercentOf});
    // On to the right end: nobody is faster than the greatest ratio.
    const double end = std::max(greatestP() * 1.02, kLeastRange);
    points.append({end, m_report->isStrict() ? points.last().value : m_report->shareAt(curve, std::nextafter(greatestP(), end * 2)) * kPercentOf});
    return points;
}

void FastPChart::rebuild()
{
    delete m_dense;
    m_dense = nullptr;
    clearGraphs();
    clearItems();
    m_curves.clear();
    std::size_t steps = 0;
    for (const FastPCurve& curve : m_report->curves)
        steps += curve.ratios.size();
    if (steps > kPixelwiseSteps)
        m_dense = new DenseLayer(this, axisRect());
    for (std::size_t i = 0; i < m_report->curves.size(); ++i) {
        auto* graph = new DenseGraph(xAxis, yAxis);
        if (m_dense)
            m_dense->add(graph);
        // ≥ p: a share holds up to its ratio and falls behind it; > p: it has fallen already there.
        graph->setLineStyle(m_report->isStrict() ? QCPGraph::lsStepLeft : QCPGraph::lsStepRight);
        graph->data()->set(drawnPoints(i), true);
        graph->setName(shortened(visibleText(QString::fromStdString(m_report->curves[i].name)), kLongestName));
        graph->setSelectable(QCP::stNone);
        graph->setAdaptiveSampling(false);
        graph->removeFromLegend();
        m_curves.push_back(graph);
    }
    m_pinLine = new QCPItemStraightLine(this);
    m_pinLine->setLayer(QStringLiteral("overlay"));
    m_pinText = new QCPItemText(this);
    m_pinText->setLayer(QStringLiteral("overlay"));
    m_pinText->setPositionAlignment(Qt::AlignLeft | Qt::AlignTop);
    m_pinText->setPadding(QMargins(Space::kTight, 0, Space::kTight, 0));
    m_pinText->position->setTypeX(QCPItemPosition::ptPlotCoords);
    m_pinText->position->setTypeY(QCPItemPosition::ptAxisRectRatio);
    setPin(m_pin);
    setHidden(m_hidden);
    updateRanges();
    applyTheme();
}

void FastPChart::updateRanges()
{
    std::vector<double> ratios;
    for (const FastPCurve& curve : m_report->curves)
        if (!m_hidden.contains(QString::fromStdString(curve.name)))
            ratios.insert(ratios.end(), curve.ratios.begin(), curve.ratios.end());
    double high = kLeastRange;
    if (!ratios.empty()) {
        const auto place = ratios.begin() + static_cast<std::ptrdiff_t>(kShareInSight * static_cast<double>(ratios.size() - 1));
        std::nth_element(ratios.begin(), place, ratios.end());
        if (std::isfinite(*place))
            high = std::clamp(*place * 1.05, kLeastRange, kGreatestRange);
    }
    setHomeRanges({0, high}, {0, 103});
}

void FastPChart::setHidden(const QSet<QString>& names)
{
    m_hidden = names;
    for (std::size_t i = 0; i < m_curves.size(); ++i)
        m_curves[i]->setVisible(!m_hidden.contains(QString::fromStdString(m_report->curves[i].name)));
    updateRanges();
    replot(QCustomPlot::rpQueuedReplot);
}

void FastPChart::setEmphasis(const QString& name)
{
    if (m_emphasis == name)
        return;
    m_emphasis = name;
    applyTheme();
    replot(QCustomPlot::rpQueuedReplot);
}

void FastPChart::setPin(double p)
{
    m_pin = p;
    m_pinLine->point1->setCoords(p, 0);
    m_pinLine->point2->setCoords(p, 1);
    m_pinText->setText(tr("p = %1").arg(significantText(p, 3)));
    m_pinText->position->setCoords(p, 0.01);
    replot(QCustomPlot::rpQueuedReplot);
}

void FastPChart::applyTheme()
{
    applyAxisTheme();
    const ThemeColors& theme = themeColors();
    for (std::size_t i = 0; i < m_curves.size(); ++i) {
        const QString name = QString::fromStdString(m_report->curves[i].name);
        QColor color = seriesColor(name);
        const bool isStrong = m_emphasis == name;
        if (!m_emphasis.isEmpty() && !isStrong)
            color.setAlphaF(kFaintCurve);
        m_curves[i]->setPen(QPen(color, isStrong ? kCurveWidth + 1 : kCurveWidth, seriesPenStyle(name)));
    }
    m_pinLine->setPen(QPen(theme.accent, 1.5));
    m_pinText->setColor(theme.accent);
    m_pinText->setBrush(theme.base);   // a curve may run behind it
    m_pinText->setFont(font());
    if (legend) {
        legend->setBrush(Qt::NoBrush);
        legend->setBorderPen(Qt::NoPen);
        legend->setTextColor(theme.text);
        legend->setFont(font());
    }
}

void FastPChart::addTitleAndLegend(const QString& title)
{
    plotLayout()->insertRow(0);
    auto* heading = new QCPTextElement(this, shortened(visibleText(title), 2 * kLongestName));
    QFont bold = font();
    bold.setBold(true);
    heading->setFont(bold);
    heading->setTextColor(themeColors().text);
    plotLayout()->addElement(0, 0, heading);
    for (std::size_t i = 0; i < m_curves.size(); ++i)
        if (!m_hidden.contains(QString::fromStdString(m_report->curves[i].name)))
            m_curves[i]->addToLegend(legend);
    auto* side = new QCPLayoutGrid;
    plotLayout()->addElement(1, 1, side);
    side->addElement(0, 0, legend);
    side->addElement(1, 0, new QCPLayoutElement(this));
    side->setRowStretchFactor(0, 0.001);
    plotLayout()->setColumnStretchFactor(1, 0.001);
    legend->setVisible(true);
    applyTheme();
}

void FastPChart::changeEvent(QEvent* event)
{
    ZoomChart::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
        applyTheme();
        replot(QCustomPlot::rpQueuedReplot);
    }
}

bool FastPChart::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return ZoomChart::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    if (!axisRect()->rect().contains(help->pos())) {
        QToolTip::hideText();
        return true;
    }
    const double p = std::max(0.0, xAxis->pixelToCoord(help->pos().x()));
    QStringList lines{tr("p = %1 (click to pin)").arg(significantText(p, 3))};
    std::size_t left = 0;
    for (const FastPRank& rank : rankAtP(*m_report, p)) {
        const QString name = QString::fromStdString(m_report->curves[rank.curve].name);
        if (m_hidden.contains(name))
            continue;
        if (static_cast<std::size_t>(lines.size()) <= kMostInTip)
            lines << tr("%1  %2").arg(percentText(rank.share), name);
        else
            ++left;
    }
    if (left > 0)
        lines << tr("and %n more", nullptr, static_cast<int>(left));
    QToolTip::showText(help->globalPos(), plainToolTip(lines.join(QLatin1Char('\n'))), this);
    return true;
}

}  // namespace tracedeck::ui
