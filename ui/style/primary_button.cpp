// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/style/primary_button.h"

#include <QPainter>
#include <QStyleOptionButton>

#include "ui/style/theme.h"

namespace tracedeck::ui {

PrimaryButton::PrimaryButton(const QIcon& icon, const QString& text, QWidget* parent) : QPushButton(icon, text, parent)
{
    QFont bold = font();
    bold.setWeight(QFont::DemiBold);
    setFont(bold);
}

QSize PrimaryButton::sizeHint() const { return QPushButton::sizeHint() + QSize(2 * Space::kNormal, 0); }

void PrimaryButton::paintEvent(QPaintEvent* event)
{
    if (!isEnabled()) {
        QPushButton::paintEvent(event);
        return;
    }
    const ThemeColors& colors = themeColors();
    QStyleOptionButton option;
    initStyleOption(&option);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    const QColor fill = option.state & QStyle::State_Sunken      ? colors.accentFill.darker(118)
                        : option.state & QStyle::State_MouseOver ? colors.accentFill.darker(108)
                                                                 : colors.accentFill;
    painter.setBrush(fill);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
    if (option.state & QStyle::State_HasFocus) {
        painter.setPen(QPen(colors.textOnAccent, 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(QRectF(rect()).adjusted(2.5, 2.5, -2.5, -2.5), 3, 3);
    }
    // The house's icons use the highlighted text colour in this mode.
    option.icon = QIcon(icon().pixmap(iconSize(), devicePixelRatioF(), QIcon::Selected));
    option.palette.setColor(QPalette::ButtonText, colors.textOnAccent);
    style()->drawControl(QStyle::CE_PushButtonLabel, &option, &painter, this);
}

}  // namespace tracedeck::ui
