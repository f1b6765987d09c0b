// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/recent_delegate.h"

#include <QApplication>
#include <QPainter>

#include "ui/style/status_look.h"
#include "ui/style/text.h"
#include "ui/style/theme.h"

namespace tracedeck::ui {
namespace {

constexpr int kBarWidth = 96;
constexpr int kBarHeight = 6;

}  // namespace

QSize RecentDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const
{
    return {200, 2 * option.fontMetrics.height() + 2 * Space::kNormal};
}

void RecentDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    QStyleOptionViewItem panel = option;
    initStyleOption(&panel, index);
    panel.text.clear();
    const QStyle* style = option.widget ? option.widget->style() : QApplication::style();
    style->drawControl(QStyle::CE_ItemViewItem, &panel, painter, option.widget);

    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const bool selected = option.state & QStyle::State_Selected;
    const ThemeColors& colors = themeColors();
    const QColor text = selected ? colors.textOnAccent : colors.text;
    const QColor muted = selected ? colors.textOnAccent : colors.muted;
    const QRect area = option.rect.adjusted(Space::kWide, Space::kNormal, -Space::kWide, -Space::kNormal);
    const int line = option.fontMetrics.height();
    QFont bold = option.font;
    bold.setWeight(QFont::DemiBold);

    const QString counts = index.data(CountsRole).toString();
    const int countsWidth = option.fontMetrics.horizontalAdvance(counts);
    painter->setPen(index.data(MissingRole).toBool() ? muted : text);
    painter->setFont(bold);
    painter->drawText(QRect(area.left(), area.top(), area.width() - countsWidth - Space::kPage, line), Qt::AlignVCenter,
                      QFontMetrics(bold).elidedText(index.data(Qt::DisplayRole).toString(), Qt::ElideRight, area.width() - countsWidth - Space::kPage));
    painter->setFont(option.font);
    painter->setPen(muted);
    painter->drawText(QRect(area.right() - countsWidth, area.top(), countsWidth + 1, line), Qt::AlignVCenter | Qt::AlignRight, counts);
    const int pathWidth = area.width() - kBarWidth - Space::kPage;
    painter->drawText(QRect(area.left(), area.bottom() - line + 1, pathWidth, line), Qt::AlignVCenter,
                      option.fontMetrics.elidedText(visibleText(index.data(PathRole).toString()), Qt::ElideMiddle, pathWidth));
    const auto traces = index.data(TracesRole).toLongLong();
    if (traces > 0) {
        const QRectF bar(area.right() - kBarWidth, area.bottom() - line / 2.0 - kBarHeight / 2.0 + 1, kBarWidth, kBarHeight);
        const double share = static_cast<double>(index.data(PassedRole).toLongLong()) / static_cast<double>(traces);
        painter->setPen(Qt::NoPen);
        painter->setBrush(statusColor(Status::RuntimeError, isDarkTheme()));
        painter->drawRoundedRect(bar, kBarHeight / 2.0, kBarHeight / 2.0);
        painter->setBrush(statusColor(Status::Passed, isDarkTheme()));
        if (share > 0)
            painter->drawRoundedRect(QRectF(bar.topLeft(), QSizeF(bar.width() * share, bar.height())), kBarHeight / 2.0, kBarHeight / 2.0);
    }
    painter->restore();
}

}  // namespace tracedeck::ui
