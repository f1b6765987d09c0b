// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QIcon>
#include <QString>
#include <string_view>

#include "core/model/trace.h"

namespace tracedeck::ui {

[[nodiscard]] QString fromView(std::string_view text);
/// A tool tip that shows this text as it is: datasets come from strangers, and Qt would read a text with tags as HTML.
[[nodiscard]] QString plainToolTip(const QString& text);
/// `M=16 · N=4096` in the order of the file; empty for a workload without variable axes.
[[nodiscard]] QString axesText(const Workload& workload);
/// Case-insensitive, digits by their value: k2 before k10.
[[nodiscard]] bool naturallyLess(std::string_view a, std::string_view b);
/// A solution's name where its definition is known already: the definition's name in it becomes `…`, so that what tells
/// solutions apart survives in a narrow column. Unchanged when nothing else would be left.
[[nodiscard]] QString nameWithoutDefinition(const QString& solution, const QString& definition);
/// A small square in the entity's series colour.
[[nodiscard]] QIcon seriesChip(const QString& entity);

}  // namespace tracedeck::ui
