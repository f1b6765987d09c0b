// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QString>
#include <QStringList>
#include <Qt>

namespace tracedeck::ui {

/// Colours before the list starts again with another dash pattern.
inline constexpr int kSeriesColorCount = 20;

/// Colour of a solution or author in charts, tables and the tree, for the theme in use: assigned when first asked for, then the
/// same everywhere until the program ends. GUI thread only.
[[nodiscard]] QColor seriesColor(const QString& entity);
[[nodiscard]] QColor seriesColor(const QString& entity, bool dark);
/// Gives the members of a group (the solutions of a definition, the authors of a dataset) that have no colour yet one each, in
/// order and different from the others' in the group while there are enough: so colours do not depend on what is looked at first.
void assignSeriesColors(const QStringList& group);
/// Solid for the first 20 entities, then dashes, dots and their mixtures, so that a repeated colour still differs.
[[nodiscard]] Qt::PenStyle seriesPenStyle(const QString& entity);
/// The n-th colour of the list (any n ≥ 0), for legends and tests.
[[nodiscard]] QColor seriesColorAt(int slot, bool dark);

}  // namespace tracedeck::ui
