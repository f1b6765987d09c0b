// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/zoom_chart.h"

#include <QApplication>
#include <cmath>

#include "ui/style/theme.h"

namespace tracedeck::ui {
namespace {

constexpr double kWheelFactor = 0.85;
constexpr double kPanShare = 0.1;
/// A box flatter than this zooms along the other direction only.
constexpr int kFlatPixels = 10;

QCPRange pixelRange(const QCPAxis* axis, double from, double to)
{
    QCPRange range(axis->pixelToCoord(from), axis->pixelToCoord(to));
    range.normalize();
    return range;
}

void setIfValid(QCPAxis* axis, const QCPRange& range)
{
    // QCPRange::validRange alone would let a log axis reach zero.
    if (QCPRange::validRange(range) && (axis->scaleType() == QCPAxis::stLinear || range.lower > 0)) {
        axis->setRange(range);
    }
}

}  // namespace

QColor mixedColors(const QColor& a, const QColor& b, double share)
{
    const auto mix = [share](int x, int y) { return static_cast<int>(std::lround(x * share + y * (1 - share))); };
    return QColor(mix(a.red(), b.red()), mix(a.green(), b.green()), mix(a.blue(), b.blue()));
}

ZoomChart::ZoomChart(QWidget* parent) : QCustomPlot(parent)
{
    setMinimumSize(240, 160);
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setInteractions(QCP::iNone);
    setSelectionRectMode(QCP::srmCustom);
    connect(selectionRect(), &QCPSelectionRect::accepted, this, [this](const QRect& rect) {
        if (m_marking) {
            emit boxMarked(rect.normalized());
        } else {
            zoomToRect(rect.normalized());
        }
    });
}

ZoomChart::~ZoomChart() = default;

void ZoomChart::setHomeRanges(const QCPRange& x, const QCPRange& y)
{
    m_homeX = x;
    m_homeY = y;
    if (!m_zoomed) {
        setIfValid(xAxis, x);
        setIfValid(yAxis, y);
    }
}

void ZoomChart::applyAxisTheme()
{
    const ThemeColors& theme = themeColors();
    const QColor grid = mixedColors(theme.text, theme.base, 0.09);
    const QColor subGrid = mixedColors(theme.text, theme.base, 0.045);
    setBackground(QBrush(theme.base));
    for (QCPAxis* axis : {xAxis, yAxis}) {
        axis->setBasePen(QPen(theme.line, 1));
        axis->setTickPen(QPen(theme.line, 1));
        axis->setSubTickPen(QPen(theme.line, 1));
        axis->setTickLabelColor(theme.muted);
        axis->setLabelColor(theme.muted);
        axis->setTickLabelFont(font());
        axis->setLabelFont(font());
        axis->grid()->setPen(QPen(grid, 0));
        axis->grid()->setSubGridPen(QPen(subGrid, 0));
        axis->grid()->setZeroLinePen(QPen(grid, 0));
    }
    yAxis->grid()->setSubGridVisible(true);
    selectionRect()->setPen(QPen(theme.accent, 1));
    QColor box = theme.accent;
    box.setAlphaF(0.12F);
    selectionRect()->setBrush(box);
}

void ZoomChart::resetZoom()
{
    setIfValid(xAxis, m_homeX);
    setIfValid(yAxis, m_homeY);
    setZoomed(false);
    replot(QCustomPlot::rpQueuedReplot);
}

void ZoomChart::zoomBy(double factor)
{
    const QRect area = axisRect()->rect();
    xAxis->scaleRange(factor, xAxis->pixelToCoord(area.center().x()));
    yAxis->scaleRange(factor, yAxis->pixelToCoord(area.center().y()));
    setZoomed(true);
    replot(QCustomPlot::rpQueuedReplot);
}

void ZoomChart::mousePressEvent(QMouseEvent* event)
{
    if (event->button() == Qt::RightButton) {
        event->accept();   // a menu takes the release: a box that is begun would never end
        return;
    }
    m_pressed = event->position();
    m_marking = event->modifiers() == Qt::ControlModifier;
    setFocus(Qt::MouseFocusReason);
    const bool pan = event->button() == Qt::MiddleButton || (event->button() == Qt::LeftButton && event->modifiers() == Qt::ShiftModifier);
    if (pan) {
        m_panning = true;
        m_panFrom = event->position();
        setCursor(Qt::ClosedHandCursor);
        event->accept();
        return;
    }
    QCustomPlot::mousePressEvent(event);
}

void ZoomChart::mouseMoveEvent(QMouseEvent* event)
{
    if (m_panning) {
        const QPointF moved = event->position() - m_panFrom;
        m_panFrom = event->position();
        panBy(moved.x(), moved.y());
        event->accept();
        return;
    }
    QCustomPlot::mouseMoveEvent(event);
    if (event->buttons() == Qt::NoButton) {
        emit pointerMoved(event->position());
    }
}

void ZoomChart::mouseReleaseEvent(QMouseEvent* event)
{
    if (m_panning) {
        m_panning = false;
        unsetCursor();
        event->accept();
        return;
    }
    QCustomPlot::mouseReleaseEvent(event);
    const double moved = (event->position() - m_pressed).manhattanLength();
    if (event->button() == Qt::LeftButton && moved < QApplication::startDragDistance()) {
        emit pointClicked(event->position());
    }
}

void ZoomChart::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton) {
        resetZoom();
        event->accept();
    }
}

void ZoomChart::wheelEvent(QWheelEvent* event)
{
    const double steps = (event->angleDelta().y() != 0 ? event->angleDelta().y() : event->angleDelta().x()) / 120.0;
    if (steps == 0) {
        return;
    }
    const double factor = std::pow(kWheelFactor, steps);
    const QPointF at = event->position();
    const QRect area = axisRect()->rect();
    const bool onlyX = event->modifiers() & Qt::ControlModifier || at.y() > area.bottom();
    const bool onlyY = event->modifiers() & Qt::ShiftModifier || at.x() < area.left();
    if (!onlyY) {
        xAxis->scaleRange(factor, xAxis->pixelToCoord(at.x()));
    }
    if (!onlyX) {
        yAxis->scaleRange(factor, yAxis->pixelToCoord(at.y()));
    }
    setZoomed(true);
    replot(QCustomPlot::rpQueuedReplot);
    event->accept();
}

void ZoomChart::keyPressEvent(QKeyEvent* event)
{
    const QRect area = axisRect()->rect();
    switch (event->key()) {
    case Qt::Key_Left: panBy(area.width() * kPanShare, 0); break;
    case Qt::Key_Right: panBy(-area.width() * kPanShare, 0); break;
    case Qt::Key_Up: panBy(0, area.height() * kPanShare); break;
    case Qt::Key_Down: panBy(0, -area.height() * kPanShare); break;
    case Qt::Key_Plus:
    case Qt::Key_Equal: zoomBy(kWheelFactor); break;
    case Qt::Key_Minus: zoomBy(1 / kWheelFactor); break;
    case Qt::Key_0:
    case Qt::Key_Home: resetZoom(); break;
    default: QCustomPlot::keyPressEvent(event); return;
    }
    event->accept();
}

void ZoomChart::leaveEvent(QEvent* event)
{
    QCustomPlot::leaveEvent(event);
    emit pointerLeft();
}

void ZoomChart::zoomToRect(const QRect& rect)
{
    const QRect box = rect.intersected(axisRect()->rect());
    if (box.width() >= kFlatPixels) {
        setIfValid(xAxis, pixelRange(xAxis, box.left(), box.right()));
    }
    if (box.height() >= kFlatPixels) {
        setIfValid(yAxis, pixelRange(yAxis, box.bottom(), box.top()));
    }
    if (box.width() >= kFlatPixels || box.height() >= kFlatPixels) {
        setZoomed(true);
    }
    replot(QCustomPlot::rpQueuedReplot);
}

void ZoomChart::panBy(double xPixels, double yPixels)
{
    const QRect area = axisRect()->rect();
    // In pixels, so that it is the same on both kinds of scale.
    setIfValid(xAxis, pixelRange(xAxis, area.left() - xPixels, area.left() + area.width() - xPixels));
    setIfValid(yAxis, pixelRange(yAxis, area.top() + area.height() - yPixels, area.top() - yPixels));
    setZoomed(true);
    replot(QCustomPlot::rpQueuedReplot);
}

void ZoomChart::setZoomed(bool zoomed)
{
    if (m_zoomed != zoomed) {
        m_zoomed = zoomed;
        emit zoomedChanged(zoomed);
    }
}

}  // namespace tracedeck::ui
