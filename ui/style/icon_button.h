// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QString;
class QToolButton;
class QWidget;

namespace tracedeck::ui {

/// A flat button with a picture; `name` is its tool tip and what a screen reader says.
[[nodiscard]] QToolButton* iconButton(const QString& iconName, const QString& name, QWidget* parent);

}  // namespace tracedeck::ui
