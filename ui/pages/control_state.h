// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QJsonObject>

class QWidget;

namespace tracedeck::ui {

/// What the user set in the controls of a page, by the names of the controls: choices by what they stand for, not by their
/// texts, so that another language finds them again.
[[nodiscard]] QJsonObject controlState(const QWidget* page);

/// Which controls to set.
enum class ControlGroup {
    All,
    Following   ///< check boxes and lines switched off, which follow from the data unless set: once the page shows its data
};
/// Sets the controls as controlState() found them; what a control does not offer any more is left alone.
void restoreControls(QWidget* page, const QJsonObject& state, ControlGroup group);

}  // namespace tracedeck::ui
