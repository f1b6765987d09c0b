// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/dense_layer.h"

#include <QImage>
#include <algorithm>
#include <cmath>

#include "core/store/parallel.h"

namespace tracedeck::ui {
namespace {

/// Fewer points are drawn before another thread has begun.
constexpr std::size_t kPointsWorthAThread = 200'000;
constexpr std::size_t kMostLayers = 4;
/// Pictures in a PDF or SVG have so many pixels a point.
constexpr double kVectorScale = 2;

/// Turns coordinates (or their logarithms) into pixels of the picture.
struct Mapping {
    double factor = 0;
    double offset = 0;
    [[nodiscard]] double operator()(double coordinate) const { return factor * coordinate + offset; }
};

Mapping mappingOf(const QCPAxis& axis, double origin, double scale)
{
    const bool isLogarithmic = axis.scaleType() == QCPAxis::stLogarithmic;
    const double low = isLogarithmic ? std::log10(axis.range().lower) : axis.range().lower;
    const double high = isLogarithmic ? std::log10(axis.range().upper) : axis.range().upper;
    const double lowPixel = (axis.coordToPixel(axis.range().lower) - origin) * scale;
    const double highPixel = (axis.coordToPixel(axis.range().upper) - origin) * scale;
    const double factor = high == low ? 0 : (highPixel - lowPixel) / (high - low);
    return {factor, lowPixel - factor * low};
}

template <class Read>
void makeLogarithms(std::vector<double>& target, const QCPGraphDataContainer& data, Read read)
{
    if (!target.empty()) {
        return;
    }
    target.reserve(static_cast<std::size_t>(data.size()));
    for (auto point = data.constBegin(); point != data.constEnd(); ++point) {
        target.push_back(std::log10(read(*point)));   // NaN and −∞, which are drawn nowhere, for what is not positive
    }
}

}  // namespace

/// Pixels, and a brush of some width.
class DenseLayer::Canvas {
public:
    explicit Canvas(const QSize& size) : m_image(size, QImage::Format_ARGB32_Premultiplied), m_width(size.width()), m_height(size.height()) {}
    /// Before anything is drawn.
    void clear()
    {
        m_image.fill(Qt::transparent);   // makes the pixels this picture's own
        m_pixels = reinterpret_cast<QRgb*>(m_image.bits());
        m_stride = m_image.bytesPerLine() / static_cast<qsizetype>(sizeof(QRgb));
    }
    [[nodiscard]] const QImage& image() const { return m_image; }
    [[nodiscard]] int width() const { return m_width; }

    void setBrush(const QColor& color, int width)
    {
        m_color = qPremultiply(color.rgba());
        m_brush = std::max(width, 1);
    }
    /// A vertical stroke; either order of the rows.
    void column(int x, double from, double to)
    {
        const int left = std::max(0, x - (m_brush - 1) / 2);
        const int right = std::min(m_width, x - (m_brush - 1) / 2 + m_brush);
        const double shift = (m_brush - 1) / 2;
        const int top = static_cast<int>(std::clamp(std::min(from, to) - shift, 0.0, static_cast<double>(m_height)));
        const int bottom = static_cast<int>(std::clamp(std::max(from, to) - shift + m_brush, 0.0, static_cast<double>(m_height)));
        for (int y = top; y < bottom; ++y) {
            std::fill(m_pixels + y * m_stride + left, m_pixels + y * m_stride + std::max(left, right), m_color);
        }
    }
    void row(int from, int to, double y)
    {
        for (int x = std::max(from, 0); x <= std::min(to, m_width - 1); ++x) {
            column(x, y, y);
        }
    }
    /// Four pixels of the brush's colour; the hot path of a million points.
    void dot(double x, double y)
    {
        if (!(x >= 0 && x < m_width - 1 && y >= 0 && y < m_height - 1)) {   // true of no NaN
            return;
        }
        QRgb* const at = m_pixels + static_cast<int>(y) * m_stride + static_cast<int>(x);
        at[0] = m_color;
        at[1] = m_color;
        at[m_stride] = m_color;
        at[m_stride + 1] = m_color;
    }

private:
    QImage m_image;
    int m_width;
    int m_height;
    QRgb* m_pixels = nullptr;
    qsizetype m_stride = 0;
    QRgb m_color = 0;
    int m_brush = 1;
};

DenseGraph::DenseGraph(QCPAxis* keys, QCPAxis* values) : QCPGraph(keys, values) {}

void DenseGraph::draw(QCPPainter* painter)
{
    if (!m_isDrawnElsewhere) {
        QCPGraph::draw(painter);
    }
}

DenseLayer::DenseLayer(QCustomPlot* plot, QCPAxisRect* rect) : QCPLayerable(plot, QStringLiteral("main")), m_rect(rect) {}

void DenseLayer::add(DenseGraph* graph)
{
    graph->setDrawnElsewhere(true);
    m_entries.push_back({graph, {}, {}});
}

QRect DenseLayer::clipRect() const { return m_rect->rect(); }

void DenseLayer::applyDefaultAntialiasingHint(QCPPainter* painter) const { painter->setAntialiasing(false); }

void DenseLayer::draw(QCPPainter* painter)
{
    const QRect rect = m_rect->rect();
    const bool isVector = painter->modes().testFlag(QCPPainter::pmVectorized);
    const double scale = isVector ? kVectorScale : mParentPlot->bufferDevicePixelRatio();
    const QSize size(static_cast<int>(std::ceil(rect.width() * scale)), static_cast<int>(std::ceil(rect.height() * scale)));
    if (size.isEmpty()) {
        return;
    }
    // Each thread draws its share of the graphs into a picture of its own; laid over each other they keep the order.
    std::size_t points = 0;
    for (const Entry& entry : m_entries) {
        points += static_cast<std::size_t>(entry.graph->dataCount());
    }
    const std::size_t layers = points < kPointsWorthAThread ? 1 : std::clamp<std::size_t>(defaultThreads(), 1, kMostLayers);
    std::vector<Canvas> canvases(layers, Canvas(size));
    parallelFor(layers, static_cast<unsigned>(layers), [&](std::size_t layer) {
        Canvas& canvas = canvases[layer];
        canvas.clear();
        for (std::size_t i = m_entries.size() * layer / layers; i < m_entries.size() * (layer + 1) / layers; ++i) {
            if (m_entries[i].graph->realVisibility()) {
                drawGraph(m_entries[i], canvas);
            }
        }
    });
    for (const Canvas& canvas : canvases) {
        painter->drawImage(QRectF(rect.topLeft(), QSizeF(size) / scale), canvas.image());
    }
}

void DenseLayer::drawGraph(Entry& entry, Canvas& canvas) const
{
    const DenseGraph& graph = *entry.graph;
    const QCPGraphDataContainer& data = *graph.data();
    if (data.isEmpty()) {
        return;
    }
    const QCPAxis& keys = *graph.keyAxis();
    const QCPAxis& values = *graph.valueAxis();
    const QRect rect = m_rect->rect();
    const double scale = static_cast<double>(canvas.width()) / std::max(rect.width(), 1);
    const Mapping toX = mappingOf(keys, rect.left(), scale);
    const Mapping toY = mappingOf(values, rect.top(), scale);
    const bool hasKeyLogarithms = keys.scaleType() == QCPAxis::stLogarithmic;
    const bool hasValueLogarithms = values.scaleType() == QCPAxis::stLogarithmic;
    if (hasKeyLogarithms) {
        makeLogarithms(entry.keyLogarithms, data, [](const QCPGraphData& point) { return point.key; });
    }
    if (hasValueLogarithms) {
        makeLogarithms(entry.valueLogarithms, data, [](const QCPGraphData& point) { return point.value; });
    }
    // What is in sight, and a point on either side, whose lines reach into it.
    const auto begin = data.constBegin();
    const auto first = static_cast<std::size_t>(data.findBegin(keys.range().lower, true) - begin);
    const auto last = static_cast<std::size_t>(data.findEnd(keys.range().upper, true) - begin);
    const auto xOf = [&](std::size_t i) { return toX(hasKeyLogarithms ? entry.keyLogarithms[i] : begin[static_cast<qptrdiff>(i)].key); };
    const auto yOf = [&](std::size_t i) { return toY(hasValueLogarithms ? entry.valueLogarithms[i] : begin[static_cast<qptrdiff>(i)].value); };
    if (graph.lineStyle() == QCPGraph::lsNone) {
        canvas.setBrush(graph.scatterStyle().brush().color(), 1);
        for (std::size_t i = first; i < last; ++i) {
            canvas.dot(xOf(i), yOf(i));
        }
        return;
    }
    canvas.setBrush(graph.pen().color(), static_cast<int>(std::lround(scale * std::max(1.0, graph.pen().widthF()))));
    const bool isStepLeft = graph.lineStyle() == QCPGraph::lsStepLeft;
    const bool isStepRight = graph.lineStyle() == QCPGraph::lsStepRight;
    // All that falls on one column is one stroke.
    bool hasLast = false;
    double lastX = 0;
    int lastColumn = 0;
    double lastY = 0;
    double low = 0;
    double high = 0;
    const double rightEdge = canvas.width();
    for (std::size_t i = first; i < last; ++i) {
        const double x = std::clamp(xOf(i), -1.0, rightEdge);
        const double y = yOf(i);
        if (!(y - y == 0)) {   // a gap
            if (hasLast) {
                canvas.column(lastColumn, low, high);
            }
            hasLast = false;
            continue;
        }
        const int column = static_cast<int>(x + 1) - 1;
        if (!hasLast) {
            low = high = y;
        } else if (column == lastColumn) {
            low = std::min(low, y);
            high = std::max(high, y);
        } else if (isStepLeft || isStepRight) {
            canvas.column(lastColumn, isStepRight ? std::min(low, y) : low, isStepRight ? std::max(high, y) : high);
            canvas.row(lastColumn, column, isStepLeft ? lastY : y);
            low = isStepLeft ? std::min(lastY, y) : y;
            high = isStepLeft ? std::max(lastY, y) : y;
        } else {
            // The straight line, by the rows at the edges of the columns between.
            const double slope = (y - lastY) / (x - lastX);
            double rowHere = lastY + slope * (lastColumn + 1 - lastX);
            canvas.column(lastColumn, std::min(low, rowHere), std::max(high, rowHere));
            for (int between = lastColumn + 1; between < column; ++between) {
                canvas.column(between, rowHere, rowHere + slope);
                rowHere += slope;
            }
            low = std::min(rowHere, y);
            high = std::max(rowHere, y);
        }
        lastX = x;
        lastY = y;
        lastColumn = column;
        hasLast = true;
    }
    if (hasLast) {
        canvas.column(lastColumn, low, high);
    }
}

}  // namespace tracedeck::ui
