// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/comparison_scatter.h"

#include <QHelpEvent>
#include <QToolTip>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "ui/charts/measure_ticker.h"
#include "ui/models/number_format.h"
#include "ui/style/comparison_look.h"
#include "ui/style/text.h"
#include "ui/style/theme.h"

namespace tracedeck::ui {
namespace {

constexpr double kPointSize = 7;
/// Pixels between the edge and what has no time on that side.
constexpr double kEdge = 8;
constexpr double kRingRadius = 8;
constexpr double kAirOfScatter = 1.25;

bool hasTime(const std::optional<Measurement>& side) { return side && side->isPassed() && std::isfinite(side->latencyMs) && side->latencyMs > 0; }

QCPScatterStyle::ScatterShape scatterShapeOf(ComparisonVerdict verdict)
{
    switch (verdict) {
    case ComparisonVerdict::Faster: return QCPScatterStyle::ssTriangleInverted;   // below the diagonal
    case ComparisonVerdict::Slower: return QCPScatterStyle::ssTriangle;
    case ComparisonVerdict::Same: return QCPScatterStyle::ssCircle;
    case ComparisonVerdict::CannotTell: return QCPScatterStyle::ssDiamond;
    case ComparisonVerdict::New:
    case ComparisonVerdict::NowPassing: return QCPScatterStyle::ssPlus;
    case ComparisonVerdict::Missing:
    case ComparisonVerdict::NowFailing:
    case ComparisonVerdict::StillFailing: break;
    }
    return QCPScatterStyle::ssCross;
}

}  // namespace

ComparisonScatter::ComparisonScatter(QWidget* parent)
    : ZoomChart(parent), m_comparison(std::make_shared<const Comparison>()), m_xTicker(new MeasureTicker(xAxis)), m_yTicker(new MeasureTicker(yAxis))
{
    setObjectName(QStringLiteral("comparisonScatter"));
    setAccessibleName(tr("Times of A against times of B"));
    setAccessibleDescription(tr("The table of the comparison has the same values."));
    for (const auto& [axis, ticker] : {std::pair{xAxis, m_xTicker}, std::pair{yAxis, m_yTicker}}) {
        ticker->setKind(MeasureTicker::Kind::DurationMs);
        axis->setTicker(ticker);
        axis->setScaleType(QCPAxis::stLogarithmic);
        axis->setTickLengthIn(0);
        axis->setTickLengthOut(4);
        axis->setSubTickLengthIn(0);
        axis->setSubTickLengthOut(2);
        axis->setTickLabelPadding(5);
        axis->setLabelPadding(6);
    }
    xAxis->setLabel(tr("A"));
    yAxis->setLabel(tr("B"));
    xAxis2->setVisible(false);
    yAxis2->setVisible(false);
    plotLayout()->setMargins(QMargins(Space::kTight, Space::kNormal, Space::kNormal, Space::kTight));
    connect(this, &QCustomPlot::beforeReplot, this, &ComparisonScatter::placeEdges);
    connect(this, &ZoomChart::pointClicked, this, [this](const QPointF& position) {
        if (const auto row = rowAt(position))
            emit rowPicked(*row);
    });
    rebuild();
}

ComparisonScatter::~ComparisonScatter() = default;

void ComparisonScatter::setContent(std::shared_ptr<const Comparison> comparison, std::vector<std::size_t> rows)
{
    const bool isAnother = m_comparison != comparison;
    m_comparison = std::move(comparison);
    m_rows = std::move(rows);
    if (isAnother || (m_current && std::find(m_rows.begin(), m_rows.end(), *m_current) == m_rows.end()))
        m_current.reset();
    rebuild();
    if (isAnother)
        resetZoom();
    replot(QCustomPlot::rpQueuedReplot);
}

void ComparisonScatter::setCurrent(std::optional<std::size_t> row)
{
    if (m_current != row) {
        m_current = row;
        replot(QCustomPlot::rpQueuedReplot);
    }
}

void ComparisonScatter::rebuild()
{
    clearGraphs();
    clearItems();
    m_groups.clear();
    m_diagonal = new QCPItemStraightLine(this);
    m_diagonal->setLayer(QStringLiteral("grid"));
    // Both scales are logarithmic, so a line through two points of y = x is all of it.
    m_diagonal->point1->setCoords(1, 1);
    m_diagonal->point2->setCoords(10, 10);
    const auto corner = [this](const QString& text, double x, double y, Qt::Alignment alignment) {
        auto* item = new QCPItemText(this);
        item->setText(text);
        item->setPositionAlignment(alignment);
        item->position->setType(QCPItemPosition::ptAxisRectRatio);
        item->position->setCoords(x, y);
        return item;
    };
    m_above = corner(tr("B slower"), 0.02, 0.06, Qt::AlignLeft | Qt::AlignTop);
    m_below = corner(tr("B faster"), 0.94, 0.98, Qt::AlignRight | Qt::AlignBottom);
    m_ring = new QCPItemEllipse(this);
    m_ring->setLayer(QStringLiteral("overlay"));
    m_ring->topLeft->setType(QCPItemPosition::ptAbsolute);
    m_ring->bottomRight->setType(QCPItemPosition::ptAbsolute);
    m_ring->setVisible(false);
    struct Points {
        QVector<QCPGraphData> inside, atTop, atRight;
    };
    std::array<Points, kComparisonVerdictCount> points;
    for (const std::size_t index : m_rows) {
        const ComparisonRow& row = m_comparison->rows[index];
        Points& target = points[static_cast<std::size_t>(row.verdict)];
        const bool ofA = hasTime(row.a);
        const bool ofB = hasTime(row.b);
        if (ofA && ofB)
            target.inside.append({row.a->latencyMs, row.b->latencyMs});
        else if (ofA)
            target.atTop.append({row.a->latencyMs, row.a->latencyMs});
        else if (ofB)
            target.atRight.append({row.b->latencyMs, row.b->latencyMs});
    }
    for (auto verdict = kVerdictsByWeight.rbegin(); verdict != kVerdictsByWeight.rend(); ++verdict) {   // what matters lies on top
        Points& of = points[static_cast<std::size_t>(*verdict)];
        if (of.inside.isEmpty() && of.atTop.isEmpty() && of.atRight.isEmpty())
            continue;
        Group group{*verdict};
        for (const auto& [graph, values] : {std::pair{&group.inside, &of.inside}, std::pair{&group.atTop, &of.atTop}, std::pair{&group.atRight, &of.atRight}}) {
            *graph = addGraph();
            (*graph)->setLineStyle(QCPGraph::lsNone);
            (*graph)->setSelectable(QCP::stNone);
            (*graph)->data()->set(*values);
            (*graph)->removeFromLegend();
            (*graph)->setScatterStyle(QCPScatterStyle(scatterShapeOf(*verdict), kPointSize));
        }
        group.inside->setName(comparisonLook(*verdict).word);
        m_groups.push_back(group);
    }
    updateRanges();
    applyTheme();
}

void ComparisonScatter::updateRanges()
{
    double low = std::numeric_limits<double>::infinity();
    double high = 0;
    for (const std::size_t index : m_rows) {
        for (const auto* side : {&m_comparison->rows[index].a, &m_comparison->rows[index].b}) {
            if (hasTime(*side)) {
                low = std::min(low, (*side)->latencyMs);
                high = std::max(high, (*side)->latencyMs);
            }
        }
    }
    if (low > high) {
        low = 0.001;
        high = 1;
    }
    // The same on both axes, so that the diagonal goes from corner to corner; with room for what lies at the edges.
    const double room = std::max(kAirOfScatter, std::pow(high / low, 0.07));
    setHomeRanges({low / room, high * room}, {low / room, high * room});
}

void ComparisonScatter::placeEdges()
{
    const double top = yAxis->pixelToCoord(axisRect()->top() + kEdge);
    const double right = xAxis->pixelToCoord(axisRect()->right() - kEdge);
    for (Group& group : m_groups) {
        for (auto& point : *group.atTop->data())
            point.value = top;
        for (auto& point : *group.atRight->data())
            point.key = right;
    }
    const auto place = m_current ? positionOf(*m_current) : std::nullopt;
    m_ring->setVisible(place.has_value());
    if (place) {
        m_ring->topLeft->setCoords(*place - QPointF(kRingRadius, kRingRadius));
        m_ring->bottomRight->setCoords(*place + QPointF(kRingRadius, kRingRadius));
    }
}

std::optional<QPointF> ComparisonScatter::positionOf(std::size_t index) const
{
    const ComparisonRow& row = m_comparison->rows[index];
    const bool ofA = hasTime(row.a);
    const bool ofB = hasTime(row.b);
    if (!ofA && !ofB)
        return std::nullopt;
    return QPointF(ofA ? xAxis->coordToPixel(row.a->latencyMs) : axisRect()->right() - kEdge,
                   ofB ? yAxis->coordToPixel(row.b->latencyMs) : axisRect()->top() + kEdge);
}

std::optional<std::size_t> ComparisonScatter::rowAt(const QPointF& position, double radius) const
{
    std::optional<std::size_t> best;
    double nearest = radius * radius;
    for (const std::size_t index : m_rows) {
        const auto place = positionOf(index);
        if (!place || !axisRect()->rect().contains(place->toPoint()))
            continue;
        const QPointF away = *place - position;
        if (const double distance = QPointF::dotProduct(away, away); distance <= nearest) {
            nearest = distance;
            best = index;
        }
    }
    return best;
}

void ComparisonScatter::applyTheme()
{
    applyAxisTheme();
    const ThemeColors& theme = themeColors();
    xAxis->grid()->setSubGridVisible(true);
    for (Group& group : m_groups) {
        const QColor color = comparisonLook(group.verdict).color;
        for (QCPGraph* graph : {group.inside, group.atTop, group.atRight}) {
            QCPScatterStyle style = graph->scatterStyle();
            const bool isLine = style.shape() == QCPScatterStyle::ssPlus || style.shape() == QCPScatterStyle::ssCross;
            QColor fill = color;
            fill.setAlphaF(0.45F);
            style.setPen(QPen(color, isLine ? 1.8 : 1));
            style.setBrush(isLine ? QBrush(Qt::NoBrush) : QBrush(fill));
            graph->setScatterStyle(style);
        }
    }
    m_diagonal->setPen(QPen(theme.muted, 1, Qt::DashLine));
    m_ring->setPen(QPen(theme.text, 1.5));
    for (QCPItemText* item : {m_above, m_below}) {
        item->setColor(theme.muted);
        item->setFont(font());
    }
    if (legend) {
        legend->setBrush(Qt::NoBrush);
        legend->setBorderPen(Qt::NoPen);
        legend->setTextColor(theme.text);
        legend->setFont(font());
    }
}

void ComparisonScatter::addTitleAndLegend(const QString& title)
{
    plotLayout()->insertRow(0);
    auto* heading = new QCPTextElement(this, shortened(visibleText(title), 2 * kLongestName));
    QFont bold = font();
    bold.setBold(true);
    heading->setFont(bold);
    heading->setTextColor(themeColors().text);
    plotLayout()->addElement(0, 0, heading);
    for (const Group& group : m_groups)
        group.inside->addToLegend(legend);
    auto* side = new QCPLayoutGrid;
    plotLayout()->addElement(1, 1, side);
    side->addElement(0, 0, legend);
    side->addElement(1, 0, new QCPLayoutElement(this));
    side->setRowStretchFactor(0, 0.001);
    plotLayout()->setColumnStretchFactor(1, 0.001);
    legend->setVisible(true);
    applyTheme();
}

void ComparisonScatter::changeEvent(QEvent* event)
{
    ZoomChart::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
        applyTheme();
        replot(QCustomPlot::rpQueuedReplot);
    }
}

bool ComparisonScatter::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return ZoomChart::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const auto index = rowAt(help->pos());
    if (!index) {
        QToolTip::hideText();
        return true;
    }
    const ComparisonRow& row = m_comparison->rows[*index];
    const auto timeOf = [](const std::optional<Measurement>& side) { return hasTime(side) ? durationText(side->latencyMs) : QStringLiteral("–"); };
    const ComparisonLook look = comparisonLook(row.verdict);
    QToolTip::showText(help->globalPos(),
                       plainToolTip(QStringLiteral("%1 · %2\n%3 · %4\n%5 %6: %7")
                                        .arg(QString::fromStdString(row.definition), QString::fromStdString(row.axesText()), tr("A: %1").arg(timeOf(row.a)), tr("B: %1").arg(timeOf(row.b)),
                                             look.symbol, look.word, QString::fromStdString(row.reason))),
                       this);
    return true;
}

}  // namespace tracedeck::ui
