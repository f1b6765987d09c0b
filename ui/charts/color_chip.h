// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QIcon>
#include <QString>

namespace tracedeck::ui {

/// A small filled square in the entity's series colour for the theme in use: the same mark in tables, legends and charts.
[[nodiscard]] QIcon colorChip(const QString& entity);
/// An empty square of the same size, for entities that are switched off.
[[nodiscard]] QIcon emptyChip(const QString& entity);

}  // namespace tracedeck::ui
