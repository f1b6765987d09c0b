// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPushButton>

#include "core/score/ranking.h"

namespace tracedeck::ui {

class Workspace;

/// Helps where a page has no baseline: offers the authors who could be one there, with how many definitions they cover. Hidden while nobody could.
class BaselineButton : public QPushButton {
    Q_OBJECT
public:
    explicit BaselineButton(Workspace* workspace, QWidget* parent);

    /// Shows itself for what is looked at, where `isMissing` and somebody could be the baseline. Looks at the solutions, not at every trace.
    void offer(bool isMissing, const RankingScope& scope);

private:
    Workspace* m_workspace;
};

}  // namespace tracedeck::ui
