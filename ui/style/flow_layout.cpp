// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/style/flow_layout.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QStyle>
#include <QWidget>
#include <algorithm>

#include "ui/style/theme.h"

namespace tracedeck::ui {

FlowLayout::FlowLayout(QWidget* parent) : QLayout(parent) { setSpacing(Space::kNormal); }

FlowLayout::~FlowLayout() = default;

void FlowLayout::addField(const QString& label, QWidget* field, QWidget* parent)
{
    auto* title = new QLabel(label, parent);
    title->setBuddy(field);
    if (field->accessibleName().isEmpty())
        field->setAccessibleName(QString(label).remove(QLatin1Char('&')));
    auto* pair = new QHBoxLayout;
    pair->setContentsMargins(0, 0, 0, 0);
    pair->setSpacing(Space::kNormal);
    pair->addWidget(title);
    pair->addWidget(field, field->sizePolicy().horizontalPolicy() == QSizePolicy::Expanding ? 1 : 0);
    addChildLayout(pair);
    addItem(pair);
}

void FlowLayout::addFilter(QLineEdit* line)
{
    constexpr int kIconAndAir = 44;
    line->setMinimumWidth(line->fontMetrics().horizontalAdvance(line->placeholderText()) + kIconAndAir);
    addWidget(line);
}

void FlowLayout::addItem(QLayoutItem* item) { m_items.emplace_back(item); }
int FlowLayout::count() const { return static_cast<int>(m_items.size()); }
QLayoutItem* FlowLayout::itemAt(int index) const { return index >= 0 && index < count() ? m_items[static_cast<std::size_t>(index)].get() : nullptr; }

QLayoutItem* FlowLayout::takeAt(int index)
{
    if (index < 0 || index >= count())
        return nullptr;
    QLayoutItem* item = m_items[static_cast<std::size_t>(index)].release();
    m_items.erase(m_items.begin() + index);
    return item;
}

int FlowLayout::heightForWidth(int width) const { return arrange(QRect(0, 0, width, 0), false); }

QSize FlowLayout::sizeHint() const
{
    int width = 0;
    int height = 0;
    for (const auto& item : m_items) {
        if (item->isEmpty())
            continue;
        width += (width > 0 ? spacing() : 0) + item->sizeHint().width();
        height = std::max(height, item->sizeHint().height());
    }
    const QMargins margins = contentsMargins();
    return {width + margins.left() + margins.right(), height + margins.top() + margins.bottom()};
}

QSize FlowLayout::minimumSize() const
{
    QSize size;
    for (const auto& item : m_items)
        if (!item->isEmpty())
            size = size.expandedTo(item->minimumSize());
    const QMargins margins = contentsMargins();
    return size + QSize(margins.left() + margins.right(), margins.top() + margins.bottom());
}

void FlowLayout::setGeometry(const QRect& rect)
{
    QLayout::setGeometry(rect);
    arrange(rect, true);
}

int FlowLayout::arrange(const QRect& rect, bool moves) const
{
    const QMargins margins = contentsMargins();
    const QRect area = rect.marginsRemoved(margins);
    int y = area.y();
    std::size_t first = 0;
    while (first < m_items.size()) {
        // As many as fit into this row, one at least.
        std::size_t end = first;
        int used = 0;
        int high = 0;
        int wide = 0;   // items that take what is left
        for (; end < m_items.size(); ++end) {
            const QLayoutItem& item = *m_items[end];
            if (item.isEmpty())
                continue;
            const int width = item.sizeHint().width() + (used > 0 ? spacing() : 0);
            if (used > 0 && used + width > area.width())
                break;
            used += width;
            high = std::max(high, item.sizeHint().height());
            wide += item.expandingDirections() & Qt::Horizontal ? 1 : 0;
        }
        int left = std::max(0, area.width() - used);
        int x = area.x();
        for (; first < end && moves; ++first) {
            QLayoutItem& item = *m_items[first];
            if (item.isEmpty())
                continue;
            int width = std::min(item.sizeHint().width(), area.width());
            if (item.expandingDirections() & Qt::Horizontal) {
                const int share = left / wide--;
                width += share;
                left -= share;
            }
            const int height = item.sizeHint().height();
            const QRect place(x, y + (high - height) / 2, width, height);
            item.setGeometry(QStyle::visualRect(parentWidget() ? parentWidget()->layoutDirection() : Qt::LeftToRight, area, place));
            x += width + spacing();
        }
        first = end;
        y += high > 0 ? high + Space::kTight : 0;
    }
    return std::max(0, y - area.y() - Space::kTight) + margins.top() + margins.bottom();
}

}  // namespace tracedeck::ui
