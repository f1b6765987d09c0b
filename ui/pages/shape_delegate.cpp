// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/shape_delegate.h"

#include <QApplication>
#include <QPainter>
#include <QStyle>
#include <algorithm>
#include <vector>

#include "ui/style/theme.h"

namespace tracedeck::ui {
namespace {

constexpr float kTint = 0.25F;
constexpr qreal kCorner = 3;

struct ShapePart {
    QString text;
    bool standsOut = false;
};

/// The text of a shape, cut before and after each entry that is the axis.
std::vector<ShapePart> partsOf(const QString& shape, const QString& axis)
{
    if (axis.isEmpty() || !shape.startsWith(QLatin1Char('[')) || !shape.endsWith(QLatin1Char(']')))
        return {{shape}};
    std::vector<ShapePart> parts{{QStringLiteral("[")}};
    const QStringList entries = shape.mid(1, shape.size() - 2).split(QStringLiteral(", "));
    for (qsizetype i = 0; i < entries.size(); ++i) {
        if (i > 0)
            parts.push_back({QStringLiteral(", ")});
        parts.push_back({entries[i], entries[i] == axis});
    }
    parts.push_back({QStringLiteral("]")});
    return parts;
}

}  // namespace

bool ShapeDelegate::hasAxis(const QString& shape, const QString& axis)
{
    const std::vector<ShapePart> parts = partsOf(shape, axis);
    return std::any_of(parts.begin(), parts.end(), [](const ShapePart& part) { return part.standsOut; });
}

void ShapeDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    QStyleOptionViewItem cell = option;
    initStyleOption(&cell, index);
    const std::vector<ShapePart> parts = partsOf(cell.text, m_axis);
    const bool standsOut = std::any_of(parts.begin(), parts.end(), [](const ShapePart& part) { return part.standsOut; });
    QFont bold = cell.font;
    bold.setBold(true);
    int width = 0;
    for (const ShapePart& part : parts)
        width += QFontMetrics(part.standsOut ? bold : cell.font).horizontalAdvance(part.text);
    const QWidget* widget = option.widget;
    const QStyle* style = widget ? widget->style() : QApplication::style();
    const QRect room = style->subElementRect(QStyle::SE_ItemViewItemText, &cell, widget).adjusted(2, 0, 0, 0);
    if (!standsOut || width > room.width()) {   // what is cut short stands out as a whole
        if (standsOut)
            cell.font = bold;
        style->drawControl(QStyle::CE_ItemViewItem, &cell, painter, widget);
        return;
    }
    cell.text.clear();
    style->drawControl(QStyle::CE_ItemViewItem, &cell, painter, widget);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const bool selected = (cell.state & QStyle::State_Selected) != 0;
    const QColor text = selected ? cell.palette.color(QPalette::HighlightedText) : index.data(Qt::ForegroundRole).value<QBrush>().color();
    QColor tint = themeColors().accent;
    tint.setAlphaF(kTint);
    int x = room.left();
    for (const ShapePart& part : parts) {
        const QFont& font = part.standsOut ? bold : cell.font;
        const int advance = QFontMetrics(font).horizontalAdvance(part.text);
        const QRect place(x, room.top(), advance, room.height());
        if (part.standsOut) {
            painter->setPen(Qt::NoPen);
            painter->setBrush(tint);
            painter->drawRoundedRect(place.adjusted(-1, 1, 1, -1), kCorner, kCorner);
        }
        painter->setFont(font);
        painter->setPen(part.standsOut && !selected ? themeColors().text : text);
        painter->drawText(place, Qt::AlignLeft | Qt::AlignVCenter, part.text);
        x += advance;
    }
    painter->restore();
}

}  // namespace tracedeck::ui
