// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <qcustomplot.h>

namespace tracedeck::ui {

/// `share` of `a` and the rest of `b`.
[[nodiscard]] QColor mixedColors(const QColor& a, const QColor& b, double share);

/// A QCustomPlot with our ways to move around: drag a box to zoom, with Ctrl to mark what is in it, drag with Shift or the middle button to pan, wheel to
/// zoom at the pointer (over an axis or with Ctrl: x only, Shift: y only), double click or 0 to see everything, arrows and
/// + − on the keyboard.
class ZoomChart : public QCustomPlot {
    Q_OBJECT
public:
    explicit ZoomChart(QWidget* parent = nullptr);
    ~ZoomChart() override;

    /// What "everything" means. Shown at once unless the user has zoomed.
    void setHomeRanges(const QCPRange& x, const QCPRange& y);
    [[nodiscard]] bool isZoomed() const { return m_zoomed; }
    /// Background, axes and the box of zooming in the theme's colours and this widget's font.
    void applyAxisTheme();

public slots:
    void resetZoom();
    /// Below 1 zooms in, around the middle.
    void zoomBy(double factor);

signals:
    void zoomedChanged(bool zoomed);
    /// A click, not a drag.
    void pointClicked(const QPointF& position);
    void pointerMoved(const QPointF& position);
    void pointerLeft();
    /// A box was drawn around what is to be marked, in pixels.
    void boxMarked(const QRect& box);

protected:
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    void zoomToRect(const QRect& rect);
    void panBy(double xPixels, double yPixels);
    void setZoomed(bool zoomed);

    QCPRange m_homeX;
    QCPRange m_homeY;
    QPointF m_pressed;
    QPointF m_panFrom;
    bool m_panning = false;
    bool m_marking = false;   ///< the box that is drawn marks
    bool m_zoomed = false;
};

}  // namespace tracedeck::ui
