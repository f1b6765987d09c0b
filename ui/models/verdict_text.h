// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "core/model/judge_verdicts.h"

namespace tracedeck::ui {

/// A verdict of the judge in words.
struct VerdictText {
    QString symbol;        ///< ⚑ a rule was broken, ! it failed for this, ⚠ a warning, i a remark
    QString title;         ///< a few words; the id where it is not known
    QString explanation;   ///< what it means and what can be done; empty where the id is not known
};
[[nodiscard]] VerdictText verdictText(const JudgeVerdict& verdict);

}  // namespace tracedeck::ui
