// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/baseline_button.h"

#include <QMenu>

#include "ui/models/workspace.h"
#include "ui/style/series_colors.h"
#include "ui/style/text.h"

namespace tracedeck::ui {
namespace {

constexpr int kMostBaselines = 30;

}  // namespace

BaselineButton::BaselineButton(Workspace* workspace, QWidget* parent) : QPushButton(tr("Choose a baseline"), parent), m_workspace(workspace)
{
    setObjectName(QStringLiteral("chooseBaseline"));
    setToolTip(tr("Authors with one solution whose results others can be measured against"));
    setMenu(new QMenu(this));
    menu()->setToolTipsVisible(true);
    hide();
}

void BaselineButton::offer(bool isMissing, const RankingScope& scope)
{
    menu()->clear();
    const auto candidates = isMissing ? baselineCandidates(*m_workspace->dataset(), scope) : std::vector<BaselineCandidate>();
    for (const BaselineCandidate& candidate : candidates) {
        const QString author = QString::fromStdString(candidate.author);
        if (author == m_workspace->baselineAuthor() || menu()->actions().size() >= kMostBaselines)
            continue;
        const QString name = shortened(visibleText(author), kLongestName);
        const QString text = scope.definition.empty() ? tr("%1 (%n definition(s))", nullptr, static_cast<int>(candidate.definitions)).arg(name) : name;
        QAction* action = menu()->addAction(seriesChip(author), withoutMnemonic(text));
        action->setToolTip(tr("Rankings and ratios are measured against this author's solutions"));
        connect(action, &QAction::triggered, this, [this, author] { m_workspace->setBaselineAuthor(author); });
    }
    setVisible(!menu()->isEmpty());
}

}  // namespace tracedeck::ui
