// SPDX-License-Identifier: GPL-3.0-or-later
// Pinned baselines: actions, their menu, and what the status bar says of them.
#include <QAction>
#include <QItemSelectionModel>
#include <QMenu>
#include <QTabWidget>
#include <QTableView>
#include <QToolButton>
#include <algorithm>

#include "core/model/timestamp.h"
#include "ui/dialogs/pins_dialog.h"
#include "ui/main_window.h"
#include "ui/models/pin_board.h"
#include "ui/models/pinned_table_model.h"
#include "ui/models/workspace.h"
#include "ui/pages/definition_page.h"
#include "ui/pages/leaderboard_page.h"
#include "ui/style/icons.h"
#include "ui/style/text.h"

namespace tracedeck::ui {

std::optional<Pin> MainWindow::pinInHand(Pin::Kind kind) const
{
    const auto dataset = m_workspace->plainDataset();
    const qint64 row = m_workspace->currentTrace();
    const bool hasTrace = row >= 0 && static_cast<std::size_t>(row) < dataset->traces().size();
    const TraceRow* trace = hasTrace ? &dataset->traces().row(static_cast<std::size_t>(row)) : nullptr;
    const std::string solution = pairInHand().solution.toStdString();
    switch (kind) {
    case Pin::Kind::Trace: return trace && trace->solution != StringPool::kNone ? std::optional(pinOfTrace(*dataset, *trace)) : std::nullopt;
    case Pin::Kind::Solution: return solution.empty() ? std::nullopt : std::optional(Pin{.kind = kind, .name = solution});
    case Pin::Kind::Author: {
        if (m_tabs->currentIndex() == kLeaderboardTab && !m_leaderboard->currentAuthor().isEmpty())
            return Pin{.kind = kind, .name = m_leaderboard->currentAuthor().toStdString()};
        const Solution* known = dataset->findSolution(solution);
        return known ? std::optional(Pin{.kind = kind, .name = known->author}) : std::nullopt;
    }
    case Pin::Kind::Run: break;
    }
    const auto moment = trace ? timestampMicroseconds(dataset->traces().timestamp(*trace)) : std::nullopt;
    return moment ? std::optional(Pin{.kind = kind, .moment = *moment}) : std::nullopt;
}

void MainWindow::buildPinActions()
{
    struct PinText {
        Pin::Kind kind;
        const char* name;
        QString text;
        Qt::Key key;
        QString tip;
    };
    for (const PinText& one : {PinText{Pin::Kind::Trace, "pinTraceAction", tr("Pin the &trace"), Qt::Key_P, tr("Set every time on the same workload and hardware against the trace in hand")},
                               PinText{Pin::Kind::Solution, "pinSolutionAction", tr("Pin the &solution"), Qt::Key_B, tr("Set every time against the solution in hand")},
                               PinText{Pin::Kind::Author, "pinAuthorAction", tr("Pin the &author"), Qt::Key_A, tr("Set every time against the best solution of the author in hand")},
                               PinText{Pin::Kind::Run, "pinMeasuredRunAction", tr("Pin the &run"), Qt::Key_Y, tr("Set every time against what the same solution took in the run of the trace in hand")}}) {
        QAction* action = addNamed(QString::fromLatin1(one.name), one.text, QStringLiteral("pin"), QKeySequence(Qt::CTRL | Qt::ALT | one.key), one.tip);
        action->setData(static_cast<int>(one.kind));
        connect(action, &QAction::triggered, this, [this, kind = one.kind] {
            if (const auto pin = pinInHand(kind))
                m_workspace->pins()->pin(*pin);
        });
        m_pinActions << action;
    }
    m_managePinsAction = addNamed(QStringLiteral("managePinsAction"), tr("&Order and unpin…"), QStringLiteral("pin"), QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_M),
                                  tr("The pinned baselines in the order of their columns"));
    connect(m_managePinsAction, &QAction::triggered, this, [this] {
        auto* dialog = new PinsDialog(m_workspace->pins(), this);
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->show();
    });
    m_unpinAllAction = addNamed(QStringLiteral("unpinAllAction"), tr("&Unpin all"), {}, QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_0), tr("Take the columns of all pinned baselines away"));
    connect(m_unpinAllAction, &QAction::triggered, this, [this] { m_workspace->pins()->setPins({}); });
    m_definitionPage->solutionTable()->addAction(m_pinActions[1]);
    m_leaderboard->view()->addAction(m_pinActions[2]);
    connect(m_leaderboard->view()->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &MainWindow::updatePins);
    connect(m_tabs, &QTabWidget::currentChanged, this, &MainWindow::updatePins);
    connect(m_workspace->pins(), &PinBoard::pinsChanged, this, &MainWindow::updatePins);
    connect(m_workspace, &Workspace::currentTraceChanged, this, &MainWindow::updatePins);
    connect(m_workspace, &Workspace::currentSolutionChanged, this, &MainWindow::updatePins);
}

void MainWindow::buildPinMenu(QMenu* view)
{
    QMenu* menu = view->addMenu(icon(QStringLiteral("pin")), tr("&Pinned baselines"));
    menu->setObjectName(QStringLiteral("pinMenu"));
    menu->addActions(m_pinActions);
    menu->addSeparator();
    menu->addAction(m_managePinsAction);
    menu->addAction(m_unpinAllAction);
    connect(menu, &QMenu::aboutToShow, this, &MainWindow::updatePins);
    updatePins();
}

/// Says in the menu what would be pinned, and on the status bar how much is.
void MainWindow::updatePins()
{
    const PinBoard* board = m_workspace->pins();
    for (QAction* action : std::as_const(m_pinActions)) {
        const auto pin = pinInHand(static_cast<Pin::Kind>(action->data().toInt()));
        action->setEnabled(pin && !board->isFull() && !board->isPinned(*pin));
    }
    m_unpinAllAction->setEnabled(!board->pins().empty());
    if (!m_pinsButton)
        return;
    QStringList names;
    for (const Pin& pin : board->pins())
        names << visibleText(pinTitle(pin));
    m_pinsButton->setVisible(!names.isEmpty() && m_workspace->isOpen());
    m_pinsButton->setText(tr("%n pinned", nullptr, static_cast<int>(names.size())));
    m_pinsButton->setToolTip(plainToolTip(tr("Times are set against these pinned baselines, too:") + QLatin1Char('\n') + names.join(QLatin1Char('\n'))));
}

/// What the button on the status bar offers: each pin, to be unpinned.
void MainWindow::fillPinsMenu(QMenu* menu)
{
    menu->setToolTipsVisible(true);
    for (const Pin& pin : m_workspace->pins()->pins()) {
        QAction* action = menu->addAction(seriesChip(pinEntity(pin)), withoutMnemonic(tr("Unpin %1").arg(shortened(visibleText(pinTitle(pin)), kLongestName))));
        action->setToolTip(tr("Take its column away"));
        connect(action, &QAction::triggered, m_workspace->pins(), [this, pin] { m_workspace->pins()->unpin(pin); });
    }
    menu->addSeparator();
    menu->addActions({m_managePinsAction, m_unpinAllAction});
}

}  // namespace tracedeck::ui
