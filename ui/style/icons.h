// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QIcon>
#include <QString>

namespace tracedeck::ui {

/// One of the house's line icons (`resources/icons/<name>.svg`) in the text colour of the palette at the time of painting, so that
/// it follows the theme and the disabled state by itself. A name that does not exist gives a null icon.
[[nodiscard]] QIcon icon(const QString& name);
/// The same in a fixed colour.
[[nodiscard]] QIcon icon(const QString& name, const QColor& color);
/// The program's own icon, in its own colours.
[[nodiscard]] QIcon applicationIcon();

}  // namespace tracedeck::ui
