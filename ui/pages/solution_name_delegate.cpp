// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/solution_name_delegate.h"

#include <QApplication>
#include <QStyle>

#include "ui/style/text.h"

namespace tracedeck::ui {

SolutionNameDelegate::SolutionNameDelegate(int definitionColumn, QObject* parent)
    : QStyledItemDelegate(parent), m_definitionColumn(definitionColumn)
{
}

void SolutionNameDelegate::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const
{
    QStyledItemDelegate::initStyleOption(option, index);
    const QStyle* style = option->widget ? option->widget->style() : QApplication::style();
    const QRect room = style->subElementRect(QStyle::SE_ItemViewItemText, option, option->widget);
    if (room.width() > 0 && option->fontMetrics.horizontalAdvance(option->text) > room.width())
        option->text = nameWithoutDefinition(option->text, index.siblingAtColumn(m_definitionColumn).data().toString());
}

void TreeNameDelegate::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const
{
    QStyledItemDelegate::initStyleOption(option, index);
    const QStyle* style = option->widget ? option->widget->style() : QApplication::style();
    const QRect room = style->subElementRect(QStyle::SE_ItemViewItemText, option, option->widget);
    for (QModelIndex above = index.parent(); room.width() > 0 && above.isValid() && option->fontMetrics.horizontalAdvance(option->text) > room.width();
         above = above.parent())
        option->text = nameWithoutDefinition(option->text, above.data().toString()).replace(QStringLiteral("…_"), QStringLiteral("…"));
}

}  // namespace tracedeck::ui
