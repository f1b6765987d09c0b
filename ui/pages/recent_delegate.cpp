// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/recent_delegate.h"

#include <QApplication>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <numeric>

#include "ui/style/status_look.h"
#include "ui/style/text.h"
#include "ui/style/theme.h"

namespace tracedeck::ui {
namespace {

constexpr int kBarWidth = 96;
constexpr int kBarHeight = 6;
/// What occurs at all is seen.
constexpr double kNarrowestPart = 3;

/// A strip of each status as long as its share.
void paintStatuses(QPainter& painter, const QRectF& bar, const QList<qint64>& counts)
{
    const double total = static_cast<double>(std::accumulate(counts.begin(), counts.end(), qint64{0}));
    if (total <= 0)
        return;
    QPainterPath outline;
    outline.addRoundedRect(bar, bar.height() / 2, bar.height() / 2);
    painter.setClipPath(outline);
    painter.setPen(Qt::NoPen);
    const auto kinds = std::count_if(counts.begin(), counts.end(), [](qint64 count) { return count > 0; });
    const double room = bar.width() - static_cast<double>(kinds) * kNarrowestPart;
    double x = bar.left();
    for (qsizetype status = 0; status < counts.size(); ++status) {
        if (counts[status] == 0)
            continue;
        const double width = kNarrowestPart + room * static_cast<double>(counts[status]) / total;
        painter.setBrush(statusColor(static_cast<Status>(status), isDarkTheme()));
        painter.drawRect(QRectF(x, bar.top(), width, bar.height()));
        x += width;
    }
    painter.setClipping(false);
}

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
    const QString share = index.data(ShareRole).toString();
    const int shareWidth = option.fontMetrics.horizontalAdvance(share);
    const QRect bar(area.right() - kBarWidth, area.bottom() - line / 2 - kBarHeight / 2 + 1, kBarWidth, kBarHeight);
    painter->drawText(QRect(bar.left() - Space::kNormal - shareWidth, area.bottom() - line + 1, shareWidth + 1, line), Qt::AlignVCenter | Qt::AlignRight, share);
    const int pathWidth = bar.left() - area.left() - (share.isEmpty() ? 0 : shareWidth + Space::kNormal) - Space::kPage;
    painter->drawText(QRect(area.left(), area.bottom() - line + 1, pathWidth, line), Qt::AlignVCenter,
                      option.fontMetrics.elidedText(visibleText(index.data(PathRole).toString()), Qt::ElideMiddle, pathWidth));
    paintStatuses(*painter, bar, index.data(StatusesRole).value<QList<qint64>>());
    painter->restore();
}

}  // namespace tracedeck::ui
