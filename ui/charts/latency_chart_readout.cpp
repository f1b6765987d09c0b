// SPDX-License-Identifier: GPL-3.0-or-later
// What a latency chart says about the point under the pointer or the keyboard's cursor.
#include <QLabel>
#include <QTextDocumentFragment>
#include <algorithm>
#include <cmath>

#include "ui/charts/latency_chart.h"
#include "ui/charts/measure_ticker.h"
#include "ui/models/number_format.h"
#include "ui/style/series_colors.h"
#include "ui/style/status_look.h"
#include "ui/style/text.h"
#include "ui/style/theme.h"

namespace tracedeck::ui {
namespace {

/// Letters of a line of the read-out.
constexpr qsizetype kLongestReadOut = 64;

QString exactOrError(double error) { return error == 0 ? LatencyChart::tr("0 (exact)") : errorText(error); }

}  // namespace

QPointF LatencyChart::positionOf(std::size_t series, std::size_t point) const
{
    const std::vector<SeriesPoint>& points = m_content.series[series].points;
    const double x = xAxis->coordToPixel(points[point].x);
    if (!points[point].failed) {
        return {x, yAxis->coordToPixel(points[point].y)};
    }
    const auto failure = static_cast<std::size_t>(
        std::count_if(points.begin(), points.begin() + static_cast<std::ptrdiff_t>(point), [](const SeriesPoint& p) { return p.failed; }));
    return {x, failureY(m_drawn[series].failureLevels[failure])};
}

std::optional<LatencyChart::Hit> LatencyChart::hitAt(const QPointF& position, double radius) const
{
    if (!axisRect()->rect().adjusted(-8, -8, 8, 8).contains(position.toPoint())) {
        return std::nullopt;
    }
    const double fromX = xAxis->pixelToCoord(position.x() - radius);
    const double toX = xAxis->pixelToCoord(position.x() + radius);
    std::optional<Hit> best;
    double bestDistance = radius * radius;
    for (std::size_t i = 0; i < m_content.series.size(); ++i) {
        const Series& series = m_content.series[i];
        if (!isShown(series)) {
            continue;
        }
        auto point = std::lower_bound(series.points.begin(), series.points.end(), fromX, [](const SeriesPoint& p, double x) { return p.x < x; });
        for (; point != series.points.end() && point->x <= toX; ++point) {
            const auto index = static_cast<std::size_t>(point - series.points.begin());
            const QPointF drawnAt = positionOf(i, index);
            const QPointF away = drawnAt - position;
            const double distance = QPointF::dotProduct(away, away);
            if (distance <= bestDistance) {
                bestDistance = distance;
                best = Hit{i, index, drawnAt};
            }
        }
    }
    return best;
}

std::optional<LatencyChart::Hit> LatencyChart::hitOfRow(std::uint32_t row) const
{
    for (std::size_t series = 0; series < m_content.series.size(); ++series) {
        const auto& points = m_content.series[series].points;
        for (std::size_t point = 0; isShown(m_content.series[series]) && point < points.size(); ++point) {
            if (points[point].row == row) {
                return Hit{series, point, positionOf(series, point)};
            }
        }
    }
    return std::nullopt;
}

QString LatencyChart::valueText(double value) const
{
    switch (m_content.measure) {
    case ChartMeasure::LatencyMs: return durationText(value);
    case ChartMeasure::Bandwidth: return scaledText(value, QStringLiteral("B/s"));
    case ChartMeasure::Throughput: return scaledText(value, QStringLiteral("FLOP/s"));
    case ChartMeasure::LightShare: return percentText(value);
    case ChartMeasure::AbsoluteError:
    case ChartMeasure::RelativeError: return errorText(value);
    case ChartMeasure::SpeedupToReference:
    case ChartMeasure::RatioToBaseline: break;
    }
    return ratioText(value);
}

QString LatencyChart::readOutHtml(const Hit& hit) const
{
    const Series& series = m_content.series[hit.series];
    const SeriesPoint& point = series.points[hit.point];
    const TraceTable& traces = m_content.dataset->traces();
    const TraceRow& row = traces.row(point.row);
    const QString solution = QString::fromStdString(series.solution);
    const StatusLook look = statusLook(row.status);
    const QString muted = themeColors().muted.name();
    QStringList lines;
    lines << QStringLiteral("<span style='color:%1'>■</span>&nbsp;<b>%2</b>").arg(seriesColor(solution).name(), shortened(visibleText(solution), kLongestReadOut).toHtmlEscaped());
    lines << QStringLiteral("<span style='color:%1'>%2</span>")
                 .arg(muted, shortened(visibleText(QString::fromStdString(traces.axesText(row)).replace(QLatin1Char(';'), QLatin1String(" · "))), kLongestReadOut).toHtmlEscaped());
    if (!point.failed) {
        QString value = QStringLiteral("<b>%1</b>").arg((m_content.isError() ? exactOrError(errorOf(row, m_content.measure)) : valueText(point.y)).toHtmlEscaped());
        if (m_content.isError()) {
            value += QStringLiteral(" <span style='color:%1'>· %2</span>")
                         .arg(muted, (m_content.measure == ChartMeasure::AbsoluteError ? tr("relative %1").arg(exactOrError(row.maxRelativeError)) : tr("absolute %1").arg(exactOrError(row.maxAbsoluteError))).toHtmlEscaped());
        } else if (m_content.measure == ChartMeasure::LatencyMs && std::isfinite(row.speedupFactor) && row.speedupFactor > 0) {
            value += QStringLiteral(" <span style='color:%1'>· %2</span>").arg(muted, tr("%1 over the reference").arg(ratioText(row.speedupFactor)));
        } else if (m_content.measure != ChartMeasure::LatencyMs) {
            value += QStringLiteral(" <span style='color:%1'>· %2</span>").arg(muted, durationText(row.latencyMs));
        }
        lines << value;
        if (m_content.showsBand && std::isfinite(point.low)) {
            lines << QStringLiteral("<span style='color:%1'>%2</span>").arg(muted, tr("p10 to p90: %1 to %2").arg(valueText(point.low), valueText(point.high)).toHtmlEscaped());
        }
    }
    if (m_content.abscissa != ChartAbscissa::Axis) {
        lines << QStringLiteral("<span style='color:%1'>%2: %3</span>").arg(muted, m_xTitle.toHtmlEscaped(), m_xTicker->label(point.x).toHtmlEscaped());
    }
    lines << QStringLiteral("<span style='color:%1'>%2 %3</span>").arg(look.color.name(), look.symbol, look.word.toHtmlEscaped());
    lines << QStringLiteral("<span style='color:%1'>%2 · %3</span>")
                 .arg(muted, shortened(visibleText(fromView(traces.hardwareName(row))), kLongestReadOut).toHtmlEscaped(),
                      tr("workload %1").arg(visibleText(QString::fromStdString(point.workloadUuid).left(8))).toHtmlEscaped());
    return lines.join(QStringLiteral("<br>"));
}

void LatencyChart::showReadOut(const std::optional<Hit>& hit)
{
    m_hit = hit;
    if (m_marker) {
        m_marker->setVisible(hit.has_value());
    }
    if (!hit) {
        m_card->hide();
        layer(QStringLiteral("overlay"))->replot();
        return;
    }
    constexpr QPointF kHalf(6.5, 6.5);
    m_marker->topLeft->setCoords(hit->position - kHalf);
    m_marker->bottomRight->setCoords(hit->position + kHalf);
    layer(QStringLiteral("overlay"))->replot();
    m_card->setText(readOutHtml(*hit));
    m_card->adjustSize();
    // Beside the point, on the side that has room.
    QPoint corner = hit->position.toPoint() + QPoint(16, -m_card->height() - 8);
    if (corner.x() + m_card->width() > width()) {
        corner.setX(hit->position.toPoint().x() - 16 - m_card->width());
    }
    corner.setX(std::max(corner.x(), 0));
    corner.setY(std::clamp(corner.y(), 0, std::max(0, height() - m_card->height())));
    m_card->move(corner);
    m_card->show();
    m_card->raise();
}

QString LatencyChart::readOut() const
{
    if (!m_card->isVisibleTo(this)) {
        return {};
    }
    return QTextDocumentFragment::fromHtml(m_card->text()).toPlainText();
}

QString LatencyChart::describe() const
{
    QStringList lines;
    for (const Series& series : m_content.series) {
        const QString name = QString::fromStdString(series.solution);
        for (const SeriesPoint& point : series.points) {
            lines << QStringLiteral("%1%2: %3 = %4, %5")
                         .arg(name, isShown(series) ? QString() : tr(" (hidden)"), m_content.abscissa != ChartAbscissa::Axis ? m_xTitle : m_content.axis.isEmpty() ? tr("workload") : m_content.axis,
                              m_xTicker->label(point.x), point.failed ? tr("failed") : m_content.isError() ? exactOrError(errorOf(m_content.dataset->traces().row(point.row), m_content.measure)) : valueText(point.y));
        }
    }
    return lines.join(QLatin1Char('\n'));
}

void LatencyChart::stepPoint(int pointStep, int seriesStep)
{
    const auto shown = [this](std::size_t series) { return isShown(m_content.series[series]) && !m_content.series[series].points.empty(); };
    const std::size_t count = m_content.series.size();
    Hit next;
    if (m_hit) {
        next = *m_hit;
        if (seriesStep != 0) {
            const double x = m_content.series[next.series].points[next.point].x;
            for (std::size_t tried = 0; tried < count; ++tried) {
                next.series = (next.series + count + static_cast<std::size_t>(seriesStep + static_cast<int>(count))) % count;
                if (shown(next.series)) {
                    break;
                }
            }
            const auto& points = m_content.series[next.series].points;
            const auto nearest = std::min_element(points.begin(), points.end(), [x](const SeriesPoint& a, const SeriesPoint& b) {
                return std::abs(a.x - x) < std::abs(b.x - x);
            });
            next.point = static_cast<std::size_t>(nearest - points.begin());
        } else {
            const std::size_t points = m_content.series[next.series].points.size();
            next.point = std::min(pointStep < 0 ? (next.point == 0 ? 0 : next.point - 1) : next.point + 1, points - 1);
        }
    } else {
        while (next.series < count && !shown(next.series)) {
            ++next.series;
        }
    }
    if (next.series < count && shown(next.series)) {
        next.position = positionOf(next.series, next.point);
        showReadOut(next);
    }
}

void LatencyChart::keyPressEvent(QKeyEvent* event)
{
    if (event->modifiers() & Qt::ControlModifier) {
        switch (event->key()) {
        case Qt::Key_Left: stepPoint(-1, 0); return;
        case Qt::Key_Right: stepPoint(1, 0); return;
        case Qt::Key_Up: stepPoint(0, -1); return;
        case Qt::Key_Down: stepPoint(0, 1); return;
        default: break;
        }
    }
    if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) && m_hit) {
        emit tracePicked(m_content.series[m_hit->series].points[m_hit->point].row);
        return;
    }
    if (event->key() == Qt::Key_Space && m_hit) {
        emit markToggled(m_content.series[m_hit->series].points[m_hit->point].row);
        return;
    }
    if (event->key() == Qt::Key_Escape && m_hit) {
        showReadOut(std::nullopt);
        return;
    }
    ZoomChart::keyPressEvent(event);
}

}  // namespace tracedeck::ui
