// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/style/sort_header.h"

#include <QPainter>
#include <algorithm>

#include "ui/style/theme.h"

namespace tracedeck::ui {

SortHeader::SortHeader(QWidget* parent) : QHeaderView(Qt::Horizontal, parent)
{
    setSectionsClickable(true);
    setHighlightSections(false);
}

void SortHeader::setKeys(const SortKeys& keys)
{
    m_keys = keys;
    setSortIndicatorShown(!keys.empty());
    if (keys.empty())
        setSortIndicator(-1, Qt::AscendingOrder);
    else
        setSortIndicator(keys.front().column, keys.front().order);
    viewport()->update();
}

void SortHeader::paintSection(QPainter* painter, const QRect& rect, int section) const
{
    painter->save();
    QHeaderView::paintSection(painter, rect, section);
    painter->restore();
    if (m_keys.size() < 2)
        return;
    const auto key = std::find_if(m_keys.begin(), m_keys.end(), [section](const SortKey& candidate) { return candidate.column == section; });
    if (key == m_keys.end())
        return;
    // The first key has the style's own arrow; its neighbour here says which place that is.
    const int place = static_cast<int>(key - m_keys.begin()) + 1;
    const QString mark = place == 1 ? QString::number(place)
                                    : QString::number(place) + QChar(key->order == Qt::AscendingOrder ? 0x25B4 : 0x25BE);
    QFont small = font();
    small.setPointSizeF(std::max(6.0, small.pointSizeF() * 0.75));
    painter->save();
    painter->setFont(small);
    painter->setPen(themeColors().muted);
    painter->drawText(rect.adjusted(0, 0, -Space::kTight / 2, 0), Qt::AlignRight | Qt::AlignBottom, mark);
    painter->restore();
}

}  // namespace tracedeck::ui
