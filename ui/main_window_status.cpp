// SPDX-License-Identifier: GPL-3.0-or-later
// The status bar: what is open, which traces count, how they were timed, what runs.
#include <QDockWidget>
#include <QLabel>
#include <QMenu>
#include <QPointer>
#include <QProgressBar>
#include <QStatusBar>
#include <QToolButton>
#include <QToolTip>

#include "core/store/joined_dataset.h"
#include "core/score/measurement_runs.h"
#include "ui/main_window.h"
#include "ui/models/latest_job.h"
#include "ui/models/number_format.h"
#include "ui/models/policy_text.h"
#include "ui/models/timing_text.h"
#include "ui/models/workspace.h"
#include "ui/pages/definition_page.h"
#include "ui/pages/problems_panel.h"
#include "ui/style/icons.h"
#include "ui/style/labels.h"
#include "ui/style/text.h"
#include "ui/style/theme.h"

namespace tracedeck::ui {
namespace {

constexpr qsizetype kLongestOnStatusBar = 24;
constexpr qsizetype kLongestRoot = 40;

}  // namespace

void MainWindow::buildStatusBar()
{
    m_statusText = new ElidedLabel(this);
    m_statusText->setObjectName(QStringLiteral("statusText"));
    m_statusText->setMinimumWidth(80);
    m_statusText->setContentsMargins(Space::kNormal, 0, 0, 0);
    m_runText = new QLabel(this);
    m_runText->setTextFormat(Qt::PlainText);
    m_runText->hide();
    m_runBar = new QProgressBar(this);
    m_runBar->setRange(0, 1000);
    m_runBar->setFixedWidth(140);
    m_runBar->setTextVisible(false);
    m_runBar->setAccessibleName(tr("Progress of the run"));
    m_runBar->hide();
    const auto dockButton = [this](QDockWidget* dock, const QString& iconName, const QString& tip) {
        auto* button = new QToolButton(this);
        button->setIcon(icon(iconName));
        button->setText(dock->windowTitle());
        button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        button->setAutoRaise(true);
        button->setCheckable(true);
        button->setToolTip(tip);
        connect(button, &QToolButton::clicked, dock, [dock](bool on) {
            dock->setVisible(on);
            if (on)
                dock->raise();
        });
        connect(dock, &QDockWidget::visibilityChanged, button, [button, dock] { button->setChecked(!dock->isHidden()); });
        return button;
    };
    const auto menuButton = [this](const QString& name, const QString& accessibleName, const QString& tip, auto fill) {
        auto* button = new QToolButton(this);
        button->setObjectName(name);
        button->setAccessibleName(accessibleName);
        button->setToolTip(tip);
        button->setAutoRaise(true);
        button->setPopupMode(QToolButton::InstantPopup);
        button->setFocusPolicy(Qt::TabFocus);
        auto* menu = new QMenu(button);
        connect(menu, &QMenu::aboutToShow, button, [menu, fill] {
            menu->clear();
            fill(menu);
        });
        button->setMenu(menu);
        return button;
    };
    const auto addChoice = [](QMenu* menu, const QString& text, const QString& tip, bool isChosen, auto choose) {
        QAction* action = menu->addAction(withoutMnemonic(text));
        action->setCheckable(true);
        action->setChecked(isChosen);
        action->setToolTip(plainToolTip(tip));
        connect(action, &QAction::triggered, menu, choose);
    };
    m_policyButton = menuButton(QStringLiteral("policyButton"), tr("Which traces count"), tr("Which trace counts when a pair was measured several times"),
                                [this, addChoice](QMenu* menu) {
                                    for (const auto policy : kPolicies) {
                                        if (policy == SelectionPolicy::PinnedRun)
                                            addRunsMenu(menu);
                                        else
                                            addChoice(menu, policyText(policy), policySentence(policy), m_workspace->policy() == policy, [this, policy] { m_workspace->setPolicy(policy); });
                                    }
                                });
    m_hardwareButton = menuButton(QStringLiteral("hardwareButton"), tr("GPU whose traces count"), tr("Numbers of different GPUs say nothing about each other: choose one"),
                                  [this, addChoice](QMenu* menu) {
                                      addChoice(menu, tr("all hardware"), tr("Traces of every machine"), m_workspace->hardware().isEmpty(), [this] { m_workspace->setHardware({}); });
                                      for (const QString& name : m_workspace->hardwareNames())
                                          addChoice(menu, shortened(visibleText(name), kLongestName), name, m_workspace->hardware() == name, [this, name] { m_workspace->setHardware(name); });
                                  });
    m_pinsButton = menuButton(QStringLiteral("pinsButton"), tr("Pinned baselines"), tr("Times are set against these, too"), [this](QMenu* menu) { fillPinsMenu(menu); });
    m_pinsButton->setIcon(icon(QStringLiteral("pin")));
    m_pinsButton->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_pinsButton->hide();
    m_marksButton = menuButton(QStringLiteral("marksButton"), tr("Marked traces"), tr("Traces that are selected in the table or were boxed in a chart"), [this](QMenu* menu) { fillMarksMenu(menu); });
    m_marksButton->hide();
    m_timingButton = new QToolButton(this);
    m_timingButton->setObjectName(QStringLiteral("timingBadge"));
    m_timingButton->setAutoRaise(true);
    m_timingButton->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_timingButton->setFocusPolicy(Qt::TabFocus);
    m_timingButton->hide();
    connect(m_timingButton, &QToolButton::clicked, this, [this] {
        QToolTip::showText(m_timingButton->mapToGlobal(QPoint(0, 0)), m_timingButton->toolTip(), m_timingButton);
    });
    m_runsButton = dockButton(m_runsDock, QStringLiteral("runs"), tr("Show or hide the queue and settings of runs"));
    m_problemsButton = dockButton(m_problemsDock, QStringLiteral("problems"), tr("Show or hide what is wrong in the dataset's files"));
    statusBar()->setSizeGripEnabled(false);
    statusBar()->addWidget(m_statusText, 1);
    for (QToolButton* button : {m_timingButton, m_marksButton, m_pinsButton, m_policyButton, m_hardwareButton})
        statusBar()->addPermanentWidget(button);
    statusBar()->addPermanentWidget(m_runText);
    statusBar()->addPermanentWidget(m_runBar);
    statusBar()->addPermanentWidget(m_runsButton);
    statusBar()->addPermanentWidget(m_problemsButton);
}

/// The runs of the dataset, the newest first; they are looked for when the menu opens, on another thread.
void MainWindow::addRunsMenu(QMenu* menu)
{
    constexpr std::size_t kMostRuns = 40;
    QMenu* runs = menu->addMenu(policyText(SelectionPolicy::PinnedRun));
    runs->setObjectName(QStringLiteral("runsMenu"));
    runs->setToolTipsVisible(true);
    runs->addAction(tr("Looking for runs …"))->setEnabled(false);
    connect(runs, &QMenu::aboutToShow, runs, [this, runs] {
        using Runs = std::vector<MeasurementRun>;
        m_runsJob->start<Runs>([dataset = m_workspace->plainDataset()](std::stop_token stop) { return measurementRuns(*dataset, kPauseBetweenRuns, stop); },
                               [this, runs = QPointer<QMenu>(runs)](const Runs& found) {
                                   if (!runs)
                                       return;
                                   runs->clear();
                                   const PolicyView* view = m_workspace->dataset()->policyView();
                                   for (auto run = found.rbegin(); run != found.rend() && runs->actions().size() < static_cast<qsizetype>(kMostRuns); ++run) {
                                       QAction* action = runs->addAction(tr("run of %1 (%2)").arg(runTitle(run->start), countText(static_cast<qint64>(run->traces))));
                                       action->setToolTip(plainToolTip(policySentence(SelectionPolicy::PinnedRun)));
                                       action->setCheckable(true);
                                       action->setChecked(view && view->pinnedRun && view->pinnedRun->start == run->start);
                                       connect(action, &QAction::triggered, m_workspace, [this, moment = run->start] { m_workspace->pinRun(moment); });
                                   }
                                   if (runs->isEmpty())
                                       runs->addAction(tr("Nothing was measured yet."))->setEnabled(false);
                               });
    });
}

void MainWindow::updateStatus()
{
    const auto dataset = m_workspace->dataset();
    for (QAction* action : {m_reloadAction, m_mergeAction, m_exportResultsAction})
        action->setEnabled(m_workspace->isOpen() && !m_workspace->isLoading());
    // Of several folders none is the one to write to.
    m_addImplementationAction->setEnabled(m_workspace->isOpen() && !m_workspace->isLoading() && !dataset->isJoined() && !dataset->definitions().empty());
    const qsizetype problems = m_problems->problemCount();
    const PolicyView* view = dataset->policyView();
    m_policyButton->setText(m_workspace->isPreparing() ? tr("%1 …").arg(policyText(m_workspace->policy()))
                            : view && view->pinnedRun  ? tr("run of %1").arg(runTitle(view->pinnedRun->start))
                                                       : policyText(m_workspace->policy()));
    const QString viewText = policyViewText(*dataset);
    m_policyButton->setToolTip(plainToolTip(viewText.isEmpty() ? tr("Which trace counts when a pair was measured several times") : policySentence(m_workspace->policy()) + QLatin1Char('\n') + viewText));
    m_hardwareButton->setText(m_workspace->hardware().isEmpty() ? tr("all hardware")
                                                                : withoutMnemonic(tr("%1 only").arg(shortened(visibleText(m_workspace->hardware()), kLongestOnStatusBar))));
    for (QToolButton* button : {m_policyButton, m_hardwareButton})
        button->setVisible(m_workspace->isOpen());
    m_problemsButton->setText(problems == 0 ? tr("Problems") : tr("Problems %1").arg(countText(problems)));
    if (!m_workspace->isOpen()) {
        m_statusText->setText(m_workspace->isLoading() ? tr("Loading …") : tr("No dataset is open."));
        return;
    }
    QStringList parts{dataset->isJoined() ? tr("%1 datasets: %2").arg(countText(m_workspace->roots().size()), QString::fromStdString(displayName(*dataset))) : m_workspace->root(),
                      tr("%1 definitions").arg(countText(static_cast<qint64>(dataset->definitions().size()))),
                      tr("%1 workloads").arg(countText(static_cast<qint64>(dataset->workloadCount()))),
                      tr("%1 traces").arg(countText(static_cast<qint64>(dataset->traces().size())))};
    if (m_authors.contains(m_workspace->baselineAuthor()))   // as the toolbar shows it: a dataset may have nobody of the usual name
        parts << tr("baseline “%1”").arg(shortened(m_workspace->baselineAuthor(), kLongestName));
    QStringList whole = parts;
    if (dataset->isJoined())
        whole = m_workspace->roots() + whole.mid(1);
    parts.front() = shortened(parts.front(), kLongestRoot);   // its end says most, and the counts stay in sight
    m_statusText->setText(parts.join(QStringLiteral("  ·  ")));
    m_statusText->setToolTip(plainToolTip(whole.join(QLatin1Char('\n'))));
}

/// Says when the numbers of this definition hide something about how they were measured.
void MainWindow::updateTiming()
{
    const TimingCounts timing = m_definitionPage->timing();
    const QString lines = timingLines(timing);
    m_timingButton->setHidden(!m_workspace->isOpen() || lines.isEmpty());
    m_timingButton->setIcon(icon(QStringLiteral("info")));
    m_timingButton->setText(timing.isMixed()                              ? tr("mixed timing")
                            : timing.of(TimingMethod::Unknown) > 0 ? tr("timing unknown")
                                                                          : tr("launch-bound %1").arg(countText(static_cast<qint64>(timing.launchBound))));
    m_timingButton->setToolTip(plainToolTip(lines));
    m_timingButton->setAccessibleDescription(lines);
}

}  // namespace tracedeck::ui
