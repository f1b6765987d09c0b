// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/diagnose/error_views.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "ui/models/number_format.h"
#include "ui/style/status_look.h"
#include "ui/style/text.h"
#include "ui/style/theme.h"

namespace tracedeck::ui {
namespace {

constexpr int kMapSide = 240;
constexpr int kBarHeight = 18;

/// Between two colours.
QColor mixed(const QColor& one, const QColor& other, double share)
{
    const auto part = [share](int a, int b) { return static_cast<int>(std::lround(a + (b - a) * share)); };
    return {part(one.red(), other.red()), part(one.green(), other.green()), part(one.blue(), other.blue())};
}

QString binLabel(const ErrorBin& bin)
{
    if (bin.low == 0 && bin.high == 0)
        return ErrorHistogramView::tr("equal");
    if (std::isinf(bin.low))
        return ErrorHistogramView::tr("not finite");
    if (bin.high > 1e300)
        return ErrorHistogramView::tr("≥ %1").arg(errorText(bin.low));
    return ErrorHistogramView::tr("below %1").arg(errorText(bin.high));
}

}  // namespace

ErrorMapView::ErrorMapView(QWidget* parent) : QWidget(parent)
{
    setAccessibleName(tr("Where elements are wrong"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void ErrorMapView::setMap(const ErrorMap& map)
{
    m_map = map;
    const auto worst = std::max_element(m_map.wrongShare.begin(), m_map.wrongShare.end());
    setAccessibleDescription(worst == m_map.wrongShare.end() || *worst <= 0 ? tr("nothing is wrong") : tr("up to %1 of a part is wrong").arg(percentText(*worst)));
    update();
}

QSize ErrorMapView::sizeHint() const { return {kMapSide, kMapSide}; }
QSize ErrorMapView::minimumSizeHint() const { return {kMapSide / 2, kMapSide / 3}; }

QRectF ErrorMapView::mapArea() const
{
    const double below = fontMetrics().height() + Space::kTight;
    const QRectF room(0, 0, width(), std::max(1.0, height() - below));
    // Rows are thin where there are few: a vector is a strip.
    const double most = std::max(24.0, std::min(room.height(), room.width() * std::max(0.1, static_cast<double>(m_map.cellRows) / std::max(1U, m_map.cellColumns))));
    return {0, 0, room.width(), std::min(room.height(), most)};
}

void ErrorMapView::paintEvent(QPaintEvent*)
{
    if (m_map.cellRows == 0 || m_map.cellColumns == 0)
        return;
    const ThemeColors& colors = themeColors();
    const QColor wrong = statusColor(Status::RuntimeError, isDarkTheme());
    const QRectF area = mapArea();
    const double cellWidth = area.width() / m_map.cellColumns;
    const double cellHeight = area.height() / m_map.cellRows;
    QPainter painter(this);
    painter.fillRect(area, colors.alternateBase);
    for (std::uint32_t row = 0; row < m_map.cellRows; ++row)
        for (std::uint32_t column = 0; column < m_map.cellColumns; ++column) {
            const double share = m_map.wrongShare[std::size_t{row} * m_map.cellColumns + column];
            if (share > 0)   // a single wrong element can be seen, too
                painter.fillRect(QRectF(area.left() + column * cellWidth, area.top() + row * cellHeight, std::ceil(cellWidth), std::ceil(cellHeight)),
                                 mixed(colors.alternateBase, wrong, 0.35 + 0.65 * std::min(1.0, share)));
        }
    painter.setPen(colors.line);
    painter.drawRect(area.adjusted(0, 0, -1, -1));
    painter.setPen(colors.muted);
    painter.drawText(QRectF(0, area.bottom() + Space::kTight, width(), fontMetrics().height()), Qt::AlignLeft,
                     tr("%1 rows × %2 columns (last axis)").arg(countText(static_cast<qint64>(m_map.rows)), countText(static_cast<qint64>(m_map.columns))));
}

QString ErrorMapView::describe(std::uint32_t row, std::uint32_t column) const
{
    const std::size_t cell = std::size_t{row} * m_map.cellColumns + column;
    const auto first = [](std::uint64_t part, std::uint64_t parts, std::uint64_t whole) { return static_cast<qint64>((part * whole + parts - 1) / parts); };
    const qint64 firstRow = first(row, m_map.cellRows, m_map.rows);
    const qint64 lastRow = std::max(firstRow, first(row + 1, m_map.cellRows, m_map.rows) - 1);
    const qint64 firstColumn = first(column, m_map.cellColumns, m_map.columns);
    const qint64 lastColumn = std::max(firstColumn, first(column + 1, m_map.cellColumns, m_map.columns) - 1);
    return tr("rows %1 to %2, columns %3 to %4: %5 wrong, largest error %6")
        .arg(firstRow)
        .arg(lastRow)
        .arg(firstColumn)
        .arg(lastColumn)
        .arg(percentText(m_map.wrongShare[cell]), errorText(m_map.largest[cell]));
}

bool ErrorMapView::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip || m_map.cellRows == 0 || m_map.cellColumns == 0)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const QRectF area = mapArea();
    if (!area.contains(help->pos())) {
        QToolTip::hideText();
        return true;
    }
    const auto row = std::min(m_map.cellRows - 1, static_cast<std::uint32_t>((help->y() - area.top()) / area.height() * m_map.cellRows));
    const auto column = std::min(m_map.cellColumns - 1, static_cast<std::uint32_t>((help->x() - area.left()) / area.width() * m_map.cellColumns));
    QToolTip::showText(help->globalPos(), plainToolTip(describe(row, column)), this);
    return true;
}

ErrorHistogramView::ErrorHistogramView(QWidget* parent) : QWidget(parent)
{
    setAccessibleName(tr("Elements by the size of their error"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void ErrorHistogramView::setBins(const std::vector<ErrorBin>& bins, double atol)
{
    const auto isFull = [](const ErrorBin& bin) { return bin.count > 0; };
    const auto first = std::find_if(bins.begin(), bins.end(), isFull);
    const auto last = std::find_if(bins.rbegin(), std::make_reverse_iterator(first), isFull);
    m_bins.assign(first, last.base());
    m_atol = atol;
    QStringList parts;
    for (const ErrorBin& bin : m_bins)
        parts << QStringLiteral("%1: %2").arg(binLabel(bin), countText(static_cast<qint64>(bin.count)));
    setAccessibleDescription(parts.join(QStringLiteral("; ")));
    updateGeometry();
    update();
}

QSize ErrorHistogramView::sizeHint() const { return {kMapSide, static_cast<int>(m_bins.size()) * kBarHeight + Space::kTight}; }
QSize ErrorHistogramView::minimumSizeHint() const { return {kMapSide / 2, sizeHint().height()}; }

void ErrorHistogramView::paintEvent(QPaintEvent*)
{
    const ThemeColors& colors = themeColors();
    std::uint64_t most = 1;
    int labelWidth = 0;
    int countWidth = 0;
    for (const ErrorBin& bin : m_bins) {
        most = std::max(most, bin.count);
        labelWidth = std::max(labelWidth, fontMetrics().horizontalAdvance(binLabel(bin)));
        countWidth = std::max(countWidth, fontMetrics().horizontalAdvance(countText(static_cast<qint64>(bin.count))));
    }
    QPainter painter(this);
    const double left = labelWidth + Space::kNormal;
    const double room = std::max(8.0, width() - left - countWidth - Space::kNormal);
    int y = 0;
    for (const ErrorBin& bin : m_bins) {
        const bool isOver = bin.low >= m_atol && bin.high > 0;
        painter.setPen(colors.muted);
        painter.drawText(QRect(0, y, labelWidth, kBarHeight), Qt::AlignRight | Qt::AlignVCenter, binLabel(bin));
        const double length = bin.count == 0 ? 0 : std::max(1.5, static_cast<double>(bin.count) / static_cast<double>(most) * room);
        painter.fillRect(QRectF(left, y + 3, length, kBarHeight - 6), isOver ? statusColor(Status::RuntimeError, isDarkTheme()) : colors.accent);
        painter.setPen(colors.text);
        painter.drawText(QRectF(left + length + Space::kTight, y, countWidth + Space::kNormal, kBarHeight), Qt::AlignLeft | Qt::AlignVCenter, countText(static_cast<qint64>(bin.count)));
        y += kBarHeight;
    }
}

}  // namespace tracedeck::ui
