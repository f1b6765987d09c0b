// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QIcon>
#include <QString>

#include "core/model/trace.h"

namespace tracedeck::ui {

/// How a status is shown: always icon and word together, so that colour alone never carries the meaning.
struct StatusLook {
    QString word;     ///< short and translated, for example "passed"
    QString symbol;   ///< one character for places without room for an icon: ✓ ≠ ! ⏱ –
    QString iconName; ///< for icon(); `icon` is icon(iconName) in `color`
    QIcon icon;
    QColor color;     ///< for the theme in use; contrast of 4.5:1 or more on base and window
};

[[nodiscard]] StatusLook statusLook(Status status);
/// For an evaluation that failed because the solution broke a rule of the judge; `what` says which, in a few words.
[[nodiscard]] StatusLook caughtLook(const QString& what);
/// For a pair without an evaluation.
[[nodiscard]] StatusLook notRunLook();
[[nodiscard]] QColor statusColor(Status status, bool dark);

}  // namespace tracedeck::ui
