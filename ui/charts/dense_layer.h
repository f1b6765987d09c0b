// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <qcustomplot.h>

#include <vector>

namespace tracedeck::ui {

/// A graph that a DenseLayer may draw in its place. Everything else (data, pen, visibility) stays as it is with any graph.
class DenseGraph : public QCPGraph {
    Q_OBJECT
public:
    DenseGraph(QCPAxis* keys, QCPAxis* values);
    /// Whether it draws itself.
    void setDrawnElsewhere(bool elsewhere) { m_isDrawnElsewhere = elsewhere; }

protected:
    void draw(QCPPainter* painter) override;

private:
    bool m_isDrawnElsewhere = false;
};

/// Draws many points and lines pixel by pixel into one picture, so that a million of them take a few milliseconds. Squares for markers, lines
/// without dashes and without smoothing. Graphs must not outlive it, unless the plot goes with both.
class DenseLayer : public QCPLayerable {
    Q_OBJECT
public:
    DenseLayer(QCustomPlot* plot, QCPAxisRect* rect);

    /// The graph's data must not change afterwards. Drawn in this order.
    void add(DenseGraph* graph);

protected:
    [[nodiscard]] QRect clipRect() const override;
    void applyDefaultAntialiasingHint(QCPPainter* painter) const override;
    void draw(QCPPainter* painter) override;

private:
    struct Entry {
        DenseGraph* graph = nullptr;
        std::vector<double> keyLogarithms;     ///< to base 10, made when an axis is logarithmic for the first time
        std::vector<double> valueLogarithms;
    };
    class Canvas;
    void drawGraph(Entry& entry, Canvas& canvas) const;

    QCPAxisRect* m_rect;
    std::vector<Entry> m_entries;
};

}  // namespace tracedeck::ui
