// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/style/icon_button.h"

#include <QToolButton>

#include "ui/style/icons.h"

namespace tracedeck::ui {

QToolButton* iconButton(const QString& iconName, const QString& name, QWidget* parent)
{
    auto* button = new QToolButton(parent);
    button->setIcon(icon(iconName));
    button->setToolTip(name);
    button->setAccessibleName(name);
    button->setAutoRaise(true);
    return button;
}

}  // namespace tracedeck::ui
