// SPDX-License-Identifier: GPL-3.0-or-later
// Runs in the window: the Run menu, plans, recorded runs, and what becomes of a run when the window closes.
#include <QAction>
#include <QComboBox>
#include <QDockWidget>
#include <QFileInfo>
#include <QLabel>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QProgressBar>
#include <QPushButton>
#include <utility>

#include "core/model/timestamp.h"
#include "core/run/runner.h"
#include "core/store/joined_dataset.h"
#include "ui/dialogs/run_plan_dialog.h"
#include "ui/main_window.h"
#include "ui/models/latest_job.h"
#include "ui/models/number_format.h"
#include "ui/models/policy_text.h"
#include "ui/models/workspace.h"
#include "ui/pages/definition_page.h"
#include "ui/pages/notice_bar.h"
#include "ui/pages/traces_page.h"
#include "ui/run/past_runs_page.h"
#include "ui/run/run_controller.h"
#include "ui/run/run_notifier.h"
#include "ui/run/run_panel.h"
#include "ui/run/run_settings.h"
#include "ui/style/icons.h"
#include "ui/style/primary_button.h"
#include "ui/style/text.h"

namespace tracedeck::ui {
void MainWindow::buildRunActions()
{
    m_runAction = addNamed(QStringLiteral("runSelectedAction"), tr("&Run selected"), QStringLiteral("run"), QKeySequence(Qt::CTRL | Qt::Key_R), tr("Run the ticked solutions on the ticked workloads"));
    connect(m_runAction, &QAction::triggered, this, [this] { m_runPanel->runSelected(); });
    m_planAction = addNamed(QStringLiteral("planRunAction"), tr("P&lan run…"), QStringLiteral("check"), QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_R),
                            tr("What would be run, how long it takes, the memory it needs, and every setting"));
    connect(m_planAction, &QAction::triggered, this, &MainWindow::planRun);
    m_pauseAction = addNamed(QStringLiteral("pauseRunAction"), tr("&Pause run"), QStringLiteral("pause"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Period),
                             tr("Wait after the evaluations that are being measured now, or go on"));
    connect(m_pauseAction, &QAction::triggered, this, [this] { m_runPanel->togglePause(); });
    m_cancelAction = addNamed(QStringLiteral("cancelRunAction"), tr("&Cancel run"), QStringLiteral("stop"), QKeySequence(Qt::CTRL | Qt::Key_Period), tr("Stop the run; results so far are kept"));
    connect(m_cancelAction, &QAction::triggered, this, [this] { m_runPanel->cancel(); });
    m_pastRunsAction = addNamed(QStringLiteral("pastRunsAction"), tr("Pa&st runs"), QStringLiteral("recent"), QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_H),
                                tr("Runs that were recorded: open, compare, repeat, continue, take their traces out"));
    connect(m_pastRunsAction, &QAction::triggered, this, [this] { showPage(Page::PastRuns); });
}

void MainWindow::buildRunMenu()
{
    QMenu* run = menuBar()->addMenu(tr("&Run"));
    run->addActions({m_runAction, m_planAction, m_planMarkedAction, m_pauseAction, m_cancelAction});
    run->addSeparator();
    m_deviceMenu = run->addMenu(icon(QStringLiteral("device")), tr("&Device"));
    connect(m_deviceMenu, &QMenu::aboutToShow, this, &MainWindow::rebuildDeviceMenu);
    rebuildDeviceMenu();
    run->addAction(m_untickAction);
    run->addSeparator();
    run->addAction(m_pastRunsAction);
}

void MainWindow::rebuildDeviceMenu()
{
    m_deviceMenu->clear();
    auto* box = m_runPanel->settings()->findChild<QComboBox*>(QStringLiteral("runDevice"));
    for (int i = 0; box && i < box->count(); ++i) {
        QAction* action = m_deviceMenu->addAction(box->itemText(i), box, [box, i] { box->setCurrentIndex(i); });
        action->setCheckable(true);
        action->setChecked(box->currentIndex() == i);
        action->setEnabled(box->isEnabled());
    }
    if (m_deviceMenu->isEmpty())
        m_deviceMenu->addAction(tr("Looking for devices …"))->setEnabled(false);
    for (QAction* action : m_deviceMenu->actions())
        action->setToolTip(tr("Where to run; with several devices each takes the next pair"));
}

void MainWindow::connectRuns()
{
    connect(m_controller, &RunController::started, this, [this] {
        m_runsDock->show();
        m_runsDock->raise();
        updateRunAction();
    });
    connect(m_controller, &RunController::failedToStart, this, [this](const QString& reason) {
        m_notice->showError(tr("The run did not start. %1").arg(reason));
        updateRunAction();
    });
    connect(m_controller, &RunController::finished, this, &MainWindow::runEnded);
    connect(m_controller, &RunController::cancelled, this, &MainWindow::updateRunAction);
    connect(m_controller, &RunController::pausedChanged, this, &MainWindow::updateRunAction);
    connect(m_controller, &RunController::handedOver, this, [this](const QString& failure) {
        const bool closes = std::exchange(m_closesWhenHandedOver, false);
        if (!failure.isEmpty())
            m_notice->showError(tr("Nobody goes on with the run: %1 What was measured is stored; Run ▸ Past runs continues it.").arg(failure));
        else if (closes)
            close();
    });
    connect(m_runPanel, &RunPanel::planRequested, this, &MainWindow::planRun);
    connect(m_runPanel, &RunPanel::progressTextChanged, this, [this](const QString& text) {
        m_runText->setText(text);
        m_runText->setVisible(!text.isEmpty());
        m_runBar->setVisible(m_controller->isRunning());
        updateRunAction();
    });
    connect(m_runPanel, &RunPanel::progressChanged, this, [this](double fraction) {
        m_runBar->setValue(static_cast<int>(fraction * m_runBar->maximum()));
        const int percent = m_controller->isRunning() ? static_cast<int>(fraction * 100) : -1;
        if (std::exchange(m_runPercent, percent) != percent)
            updateTitle();
    });
    connect(m_notifier, &RunNotifier::activated, this, [this] {
        setWindowState(windowState() & ~Qt::WindowMinimized);
        raise();
        activateWindow();
        showPage(Page::Run);
    });
}

void MainWindow::runEnded(const DoneEvent& done)
{
    m_runPercent = -1;
    updateTitle();
    updateRunAction();
    const QString dataset = visibleText(QString::fromStdString(displayName(*m_controller->dataset())));
    m_notifier->tell(done.cancelled ? tr("Run cancelled: %1").arg(dataset) : tr("Run done: %1").arg(dataset),
                     tr("%1 passed, %2 failed, %3 not run, in %4").arg(countText(static_cast<qint64>(done.passed)), countText(static_cast<qint64>(done.failed)), countText(static_cast<qint64>(done.notRun)), spanText(done.seconds)));
}

void MainWindow::updateRunAction()
{
    const std::size_t pairs = m_runPanel->selectedPairs();
    const bool running = m_controller->isRunning();
    const QString number = countText(static_cast<qint64>(pairs));
    m_runAction->setText(running ? (pairs == 0 ? tr("Add to the &run") : tr("Add to the &run (%1)").arg(number)) : pairs == 0 ? tr("&Run selected") : tr("&Run selected (%1)").arg(number));
    m_runAction->setEnabled(pairs > 0 && (!running || m_controller->isSteerable()));
    m_runButton->setText(m_runAction->text());
    m_runButton->setEnabled(m_runAction->isEnabled());
    m_runButton->setToolTip(pairs == 0 ? tr("Tick definitions, solutions or workloads in the dataset tree first")
                            : running  ? tr("Put the ticked pairs at the end of the run's queue (Ctrl+R); Ctrl+. cancels the run")
                                       : tr("Run the ticked solutions on the ticked workloads (Ctrl+R)"));
    m_planAction->setEnabled(m_workspace->isOpen());
    m_cancelAction->setEnabled(running);
    m_pauseAction->setEnabled(running);
    m_pauseAction->setText(running && m_controller->isPaused() ? tr("&Resume run") : tr("&Pause run"));
    m_untickAction->setEnabled(!m_workspace->selection().empty());
    if (!running)
        m_runBar->hide();
}

void MainWindow::planRun()
{
    if (!m_workspace->isOpen()) {
        m_notice->showError(tr("No dataset is open whose solutions could be run."));
        return;
    }
    openPlan(m_runPanel->requestFor(m_workspace->selection()));
}

void MainWindow::openPlan(const RunRequest& request)
{
    if (auto* open = findChild<RunPlanDialog*>()) {
        open->raise();
        open->activateWindow();
        return;
    }
    auto* dialog = new RunPlanDialog(request, m_controller, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &RunPlanDialog::runRequested, m_runPanel, &RunPanel::start);
    dialog->show();
}

void MainWindow::withDataset(const QString& root, std::function<void()> action)
{
    if (m_workspace->isOpen() && m_workspace->root() == root && !m_workspace->isLoading()) {
        action();
        return;
    }
    m_rootToOpen = root;
    m_whenOpened = std::move(action);
    openPath(root);
}

void MainWindow::runRecorded(const ListedRun& run, RunPart part)
{
    if (m_controller->isRunning()) {
        m_notice->showError(tr("A run is in progress. Wait until it is done, or cancel it first."));
        return;
    }
    withDataset(QString::fromStdString(run.record.root), [this, id = run.record.id, part] {
        m_recordsJob->start<Result<RunRequest>>([id, part, dataset = m_workspace->dataset()](std::stop_token) { return requestOfRun(runRecordFolder(), id, dataset, part); },
                                                [this](Result<RunRequest> request) {
                                                    if (!request) {
                                                        m_notice->showError(tr("The run can't be started: %1").arg(QString::fromStdString(request.error().toString())));
                                                        return;
                                                    }
                                                    const RunRequest usual = m_runPanel->requestFor({});
                                                    request->program = usual.program;
                                                    if (request->python.empty())
                                                        request->python = usual.python;
                                                    m_runPanel->start(*request);
                                                });
    });
}

void MainWindow::showTracesOf(const ListedRun& run)
{
    const auto start = timestampMicroseconds(run.record.started);
    if (!start)
        return;
    ValueRange times{.least = static_cast<double>(*start)};
    if (const auto end = timestampMicroseconds(run.record.ended))
        times.greatest = static_cast<double>(*end);
    withDataset(QString::fromStdString(run.record.root), [this, times, title = tr("Run of %1").arg(runTitle(run.record.started))] {
        showPage(Page::Traces);
        m_definitionPage->tracesPage()->showTimes(times, title);
    });
}

void MainWindow::offerToResume()
{
    m_recordsJob->start<std::optional<ListedRun>>(
        [](std::stop_token stop) -> std::optional<ListedRun> {
            RunList list = listRuns(runRecordFolder(), stop);
            for (ListedRun& run : list.runs)
                if (run.isResumable())
                    return std::move(run);   // the newest one: the others are among the past runs
            return std::nullopt;
        },
        [this](const std::optional<ListedRun>& run) {
            if (run && !m_controller->isRunning())
                showOffer(*run);
        });
}

void MainWindow::showOffer(const ListedRun& run)
{
    const QString dataset = visibleText(QFileInfo(QString::fromStdString(run.record.root)).fileName());
    m_offer->showOffer(tr("The run of %1 on %2 ended with its program, at %3 of %4 pairs.").arg(runTitle(run.record.started), shortened(dataset, kLongestName), countText(static_cast<qint64>(run.counts.total - run.open)), countText(static_cast<qint64>(run.counts.total))),
                       {{QStringLiteral("resumeRunButton"), tr("Go on with it"), tr("Run the pairs that it did not get to, with its settings"), [this, run] { runRecorded(run, RunPart::Rest); }},
                        {QStringLiteral("showRunButton"), tr("Show it"), tr("What is recorded of it, among the past runs"),
                         [this, run] {
                             showPage(Page::PastRuns);
                             pastRunsPage()->showRun(run.record.id);
                         }},
                        {QStringLiteral("dismissRunButton"), tr("Leave it"), tr("Don't ask about this run again; the past runs still have it"), [this, run] {
                             m_recordsJob->start<Result<void>>([id = run.record.id](std::stop_token) { return dismissRun(runRecordFolder(), id); }, [this](const Result<void>& dismissed) {
                                 if (!dismissed)
                                     m_notice->showError(QString::fromStdString(dismissed.error().toString()));
                             });
                         }}});
}

void MainWindow::askBeforeClosing()
{
    if (findChild<QMessageBox*>(QStringLiteral("closeQuestion")))
        return;   // it is asked already
    auto* question = new QMessageBox(QMessageBox::Question, tr("A run is in progress"), tr("What is to become of the run when the window closes?"), QMessageBox::NoButton, this);
    question->setObjectName(QStringLiteral("closeQuestion"));
    question->setInformativeText(tr("What has been measured so far is stored either way."));
    question->setAttribute(Qt::WA_DeleteOnClose);
    QPushButton* stay = question->addButton(tr("&Stay here"), QMessageBox::RejectRole);
    QPushButton* keep = question->addButton(tr("&Keep it going without the window"), QMessageBox::AcceptRole);
    QPushButton* cancelAndClose = question->addButton(tr("Cancel the run and &close"), QMessageBox::DestructiveRole);
    keep->setObjectName(QStringLiteral("keepGoing"));
    const auto program = findCommandProgram();
    keep->setEnabled(m_controller->isSteerable() && !m_controller->recordId().empty() && program);
    keep->setToolTip(program ? tr("`tracedeck run --continue` does the rest; it is listed among the past runs, where it can be stopped") : plainToolTip(QString::fromStdString(program.error().toString())));
    question->setDefaultButton(stay);
    question->setEscapeButton(stay);
    connect(cancelAndClose, &QPushButton::clicked, this, [this] {
        m_closeConfirmed = true;
        m_controller->cancel();
        close();
    });
    connect(keep, &QPushButton::clicked, this, [this] {
        if (!m_controller->isRunning()) {   // it ended while it was asked
            close();
            return;
        }
        m_closesWhenHandedOver = true;
        m_controller->handOver();
    });
    question->open();
}

}  // namespace tracedeck::ui
