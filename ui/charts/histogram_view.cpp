// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/histogram_view.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>

#include "ui/models/number_format.h"
#include "ui/style/text.h"
#include "ui/style/theme.h"

namespace tracedeck::ui {
namespace {

constexpr int kHeight = 140;
constexpr int kWidth = 240;

}  // namespace

HistogramView::HistogramView(QWidget* parent) : QWidget(parent)
{
    setAccessibleName(tr("Histogram of the values"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void HistogramView::setCounts(std::vector<std::uint64_t> counts, double minimum, double maximum)
{
    m_counts = std::move(counts);
    m_minimum = minimum;
    m_maximum = maximum;
    const auto most = std::max_element(m_counts.begin(), m_counts.end());
    setAccessibleDescription(m_counts.empty() ? tr("no values")
                                              : tr("from %1 to %2, at most %3 values in one of %4 steps")
                                                    .arg(exactText(minimum), exactText(maximum), countText(static_cast<qint64>(*most)),
                                                         countText(static_cast<qint64>(m_counts.size()))));
    update();
}

QSize HistogramView::sizeHint() const { return {kWidth, kHeight}; }
QSize HistogramView::minimumSizeHint() const { return {kWidth / 2, kHeight}; }
QRect HistogramView::barArea() const { return rect().adjusted(0, Space::kTight, 0, -fontMetrics().height() - Space::kTight); }

void HistogramView::paintEvent(QPaintEvent*)
{
    if (m_counts.empty())
        return;
    const ThemeColors& colors = themeColors();
    const QRect area = barArea();
    const auto most = static_cast<double>(std::max<std::uint64_t>(1, *std::max_element(m_counts.begin(), m_counts.end())));
    const double step = static_cast<double>(area.width()) / static_cast<double>(m_counts.size());
    QPainter painter(this);
    for (std::size_t i = 0; i < m_counts.size(); ++i) {
        if (m_counts[i] == 0)
            continue;
        // What is there can be seen, however little it is.
        const double height = std::max(1.0, static_cast<double>(m_counts[i]) / most * area.height());
        painter.fillRect(QRectF(area.left() + static_cast<double>(i) * step, area.bottom() + 1 - height, std::max(1.0, step - 1), height), colors.accent);
    }
    painter.setPen(colors.line);
    painter.drawLine(area.left(), area.bottom() + 1, area.right(), area.bottom() + 1);
    painter.setPen(colors.muted);
    const QRect labels(area.left(), area.bottom() + Space::kTight, area.width(), fontMetrics().height());
    painter.drawText(labels, Qt::AlignLeft, significantText(m_minimum));
    if (m_maximum > m_minimum)
        painter.drawText(labels, Qt::AlignRight, significantText(m_maximum));
}

bool HistogramView::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip || m_counts.empty())
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const QRect area = barArea();
    const auto bins = static_cast<int>(m_counts.size());
    const int bin = std::clamp((help->x() - area.left()) * bins / std::max(1, area.width()), 0, bins - 1);
    const double low = m_minimum + (m_maximum - m_minimum) * bin / bins;
    const double high = m_minimum + (m_maximum - m_minimum) * (bin + 1) / bins;
    QToolTip::showText(help->globalPos(),
                       plainToolTip(tr("%1 to %2: %3 values")
                                        .arg(significantText(low), significantText(high), countText(static_cast<qint64>(m_counts[static_cast<std::size_t>(bin)])))),
                       this);
    return true;
}

}  // namespace tracedeck::ui
