// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/verdict_delegate.h"

#include <QApplication>
#include <QPainter>

#include "ui/models/comparison_model.h"
#include "ui/style/comparison_look.h"
#include "ui/style/theme.h"

namespace tracedeck::ui {
namespace {

constexpr qreal kVerdictCorner = 6;
constexpr float kVerdictTint = 0.14F;

}  // namespace

void VerdictDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    QStyleOptionViewItem cell = option;
    initStyleOption(&cell, index);
    const QString text = std::exchange(cell.text, QString());
    const QStyle* style = option.widget ? option.widget->style() : QApplication::style();
    style->drawControl(QStyle::CE_ItemViewItem, &cell, painter, option.widget);
    const ComparisonLook look = comparisonLook(static_cast<ComparisonVerdict>(index.data(ComparisonModel::VerdictRole).toInt()));
    const bool isSelected = option.state & QStyle::State_Selected;
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const int width = std::min(option.fontMetrics.horizontalAdvance(text) + 2 * Space::kNormal, option.rect.width() - 2 * Space::kTight);
    const int height = std::min(option.fontMetrics.height() + Space::kTight, option.rect.height() - 2);
    const QRect chip(option.rect.left() + Space::kTight, option.rect.center().y() - height / 2 + 1, width, height);
    QColor fill = look.color;
    fill.setAlphaF(kVerdictTint);
    painter->setPen(Qt::NoPen);
    painter->setBrush(isSelected ? themeColors().base : fill);   // on the selection the tint alone would not be read
    painter->drawRoundedRect(chip, kVerdictCorner, kVerdictCorner);
    painter->setPen(look.color);
    painter->setFont(option.font);
    painter->drawText(chip, Qt::AlignCenter, option.fontMetrics.elidedText(text, Qt::ElideRight, width - Space::kNormal));
    painter->restore();
}

QSize VerdictDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const QSize hint = QStyledItemDelegate::sizeHint(option, index);
    return {option.fontMetrics.horizontalAdvance(index.data().toString()) + 2 * Space::kNormal + 2 * Space::kTight, hint.height()};
}

}  // namespace tracedeck::ui
