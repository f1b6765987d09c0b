// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QIcon>
#include <QString>

namespace tracedeck::ui {

/// The outline of seriesChip: for an entity that is switched off.
[[nodiscard]] QIcon emptyChip(const QString& entity);

}  // namespace tracedeck::ui
