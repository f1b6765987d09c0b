// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QString>

#include "core/score/comparison.h"

namespace tracedeck::ui {

/// How a verdict of a comparison is shown: symbol and word together, so that colour alone never carries the meaning.
struct ComparisonLook {
    QString word;     ///< short and translated, for example "slower"
    QString symbol;   ///< one character
    QString meaning;  ///< a sentence
    QColor color;     ///< for the theme in use; contrast of 4.5:1 or more on base
};
[[nodiscard]] ComparisonLook comparisonLook(ComparisonVerdict verdict);

}  // namespace tracedeck::ui
