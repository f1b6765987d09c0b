// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/number_delegate.h"

namespace tracedeck::ui {

NumberDelegate::NumberDelegate(int decimals, QObject* parent) : QStyledItemDelegate(parent), m_decimals(decimals) {}

void NumberDelegate::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const
{
    QStyledItemDelegate::initStyleOption(option, index);
    if (option->text.isEmpty() || option->text.contains(QLatin1Char('e'))) {
        return;
    }
    constexpr QChar kFigureSpace(0x2007);
    const qsizetype point = option->text.lastIndexOf(QLatin1Char('.'));
    const qsizetype used = point < 0 ? 0 : option->text.size() - point;   // the point and what follows
    const qsizetype missing = m_decimals + 1 - used;
    if (missing > 0) {
        option->text += QString(missing, kFigureSpace);
    }
}

}  // namespace tracedeck::ui
