// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/bar_delegate.h"

#include <QApplication>
#include <QPainter>
#include <algorithm>

#include "ui/style/theme.h"

namespace tracedeck::ui {
namespace {

constexpr int kNumberDigits = 9;   ///< room for the number, right of the bar
constexpr int kBarMargin = 6;
constexpr int kBarWidth = 180;

}  // namespace

BarDelegate::BarDelegate(int shareRole, int decimals, QObject* parent)
    : QStyledItemDelegate(parent), m_shareRole(shareRole), m_decimals(decimals)
{
}

void BarDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    QStyleOptionViewItem cell(option);
    initStyleOption(&cell, index);
    constexpr QChar kFigureSpace(0x2007);
    const qsizetype point = cell.text.lastIndexOf(QLatin1Char('.'));
    const qsizetype missing = m_decimals + 1 - (point < 0 ? 0 : cell.text.size() - point);
    if (missing > 0) {
        cell.text += QString(missing, kFigureSpace);
    }
    const QStyle* style = cell.widget ? cell.widget->style() : QApplication::style();
    const double share = std::clamp(index.data(m_shareRole).toDouble(), 0.0, 1.0);
    const int numberWidth = cell.fontMetrics.horizontalAdvance(QLatin1Char('0')) * kNumberDigits;
    QRectF bar = cell.rect.adjusted(kBarMargin, kBarMargin, -numberWidth - kBarMargin, -kBarMargin);

    style->drawPrimitive(QStyle::PE_PanelItemViewItem, &cell, painter, cell.widget);
    if (bar.width() > 0) {
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(Qt::NoPen);
        const bool selected = cell.state & QStyle::State_Selected;
        QColor color = selected ? cell.palette.color(QPalette::HighlightedText) : themeColors().accent;
        color.setAlphaF(0.12F);
        painter->setBrush(color);
        painter->drawRoundedRect(bar, 3, 3);
        color.setAlphaF(0.75F);
        painter->setBrush(color);
        bar.setWidth(std::max(bar.width() * share, share > 0 ? 2.0 : 0.0));
        painter->drawRoundedRect(bar, 3, 3);
        painter->restore();
    }
    cell.backgroundBrush = Qt::NoBrush;
    style->drawControl(QStyle::CE_ItemViewItem, &cell, painter, cell.widget);
}

QSize BarDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    return QStyledItemDelegate::sizeHint(option, index) + QSize(kBarWidth, 0);
}

}  // namespace tracedeck::ui
