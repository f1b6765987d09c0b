// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/run_panel.h"

#include <QAccessible>
#include <QEvent>
#include <QLabel>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QTabWidget>
#include <QTableView>
#include <QTimer>
#include <QToolButton>
#include <algorithm>
#include <memory>
#include <utility>

#include "core/run/run_record.h"
#include "ui/models/number_format.h"
#include "ui/models/run_choice.h"
#include "ui/models/run_queue_model.h"
#include "ui/models/workspace.h"
#include "ui/pages/log_panel.h"
#include "ui/run/device_cards.h"
#include "ui/run/queue_actions.h"
#include "ui/run/run_controller.h"
#include "ui/run/run_settings.h"
#include "ui/settings/settings.h"
#include "ui/style/labels.h"
#include "ui/style/text.h"
#include "ui/style/theme.h"

namespace tracedeck::ui {
namespace {

constexpr int kClockMilliseconds = 1000;
/// An estimate from less than this is noise.
constexpr double kSecondsBeforeEstimate = 2;

}  // namespace

RunPanel::RunPanel(Workspace* workspace, RunController* controller, QWidget* parent)
    : QWidget(parent), m_workspace(workspace), m_controller(controller), m_queue(new RunQueueModel(this)), m_clock(new QTimer(this))
{
    setObjectName(QStringLiteral("runPanel"));
    buildLayout();
    m_clock->setInterval(kClockMilliseconds);
    connect(m_clock, &QTimer::timeout, this, &RunPanel::updateProgress);
    connect(controller, &RunController::started, this, &RunPanel::onStarted);
    connect(controller, &RunController::failedToStart, this, &RunPanel::onFailedToStart);
    connect(controller, &RunController::events, this, &RunPanel::onEvents);
    connect(controller, &RunController::finished, this, &RunPanel::onFinished);
    connect(controller, &RunController::cancelled, this, [this] {
        announce(tr("Cancelling …"));
        updateRunButton();
    });
    connect(controller, &RunController::added, this, &RunPanel::onAdded);
    connect(controller, &RunController::queueOrdered, this, [this](const std::vector<std::size_t>& queued) { m_queue->setQueueOrder(queued); });
    connect(workspace, &Workspace::selectionChanged, this, &RunPanel::countSelected);
    connect(workspace, &Workspace::datasetChanged, this, [this](bool onlyGrew) {
        if (!onlyGrew) {   // results of a run change nothing here, and come thirty times a second
            countSelected();
        }
    });
    connect(m_settings, &RunSettings::devicesKnown, this, [this] {
        if (std::exchange(m_runWhenDevicesKnown, false)) {
            run(m_waiting);
        }
    });
    countSelected();
    updateProgress();
}

RunPanel::~RunPanel() = default;

void RunPanel::countSelected()
{
    m_selectedPairs = RunChoice(m_workspace->dataset(), m_workspace->selection()).pairCount();
    updateRunButton();
}

void RunPanel::takeOver(RunPanel& predecessor)
{
    m_controller->disconnect(&predecessor);
    predecessor.m_clock->stop();
    const std::unique_ptr<RunQueueModel> own(std::exchange(m_queue, predecessor.m_queue));
    m_queue->setParent(this);   // the predecessor's view shows it until it goes
    m_queue->disconnect(predecessor.m_actions);
    m_actions->setQueue(m_queue);
    m_problems->setPlainText(predecessor.m_problems->toPlainText());
    m_problemCount = predecessor.m_problemCount;
    m_side->setTabText(kProblemsTab, m_problemCount > 0 ? tr("Problems (%1)").arg(countText(m_problemCount)) : tr("Problems"));
    m_devices = predecessor.m_devices;
    m_lastLog = predecessor.m_lastLog;
    m_lastLogTitle = predecessor.m_lastLogTitle;
    m_isLogShown = false;
    m_side->setCurrentIndex(predecessor.m_side->currentIndex());
    showDevices();
    showLog();
    m_elapsed = predecessor.m_elapsed;
    m_settings->takeOver(*predecessor.m_settings);
    m_pythonSetting = predecessor.m_pythonSetting;
    m_waiting = predecessor.m_waiting;
    m_runWhenDevicesKnown = std::exchange(predecessor.m_runWhenDevicesKnown, false);
    if (m_controller->isRunning()) {
        m_clock->start();
        announce(m_controller->isCancelling() ? tr("Cancelling …") : m_queue->counts().total == 0 ? tr("Starting …") : tr("Running"));
    } else if (m_runWhenDevicesKnown) {
        announce(tr("Finding devices …"));
    }
    for (int column = 0; column < RunQueueModel::ColumnCount; ++column) {
        if (column != RunQueueModel::Solution) {
            m_view->setColumnWidth(column, predecessor.m_view->columnWidth(column));
        }
    }
    updateRunButton();
    updateProgress();
}

RunRequest RunPanel::requestFor(const Selection& selection) const
{
    RunRequest request;
    request.dataset = m_workspace->plainDataset();
    request.pairs = expandSelection(*request.dataset, selection);
    request.python = pythonChoice().interpreter;
    request.confinement = Settings::confinement().toStdString();
    request.recordFolder = runRecordFolder();
    request.program = "tracedeck-gui";
    request.wantsLiveLog = true;
    m_settings->applyTo(request);
    return request;
}

PythonChoice RunPanel::pythonChoice() const { return choosePython(m_pythonSetting.toStdString(), {}); }

void RunPanel::runSelected() { run(m_workspace->selection()); }

void RunPanel::run(const Selection& selection)
{
    if (!m_controller->isRunning() && !m_settings->areDevicesKnown()) {
        m_waiting = selection;
        m_runWhenDevicesKnown = true;
        announce(tr("Finding devices …"));
        return;
    }
    const RunRequest request = requestFor(selection);
    if (request.pairs.empty()) {   // to the runner, no pairs would mean all pairs
        announce(selection.empty() ? tr("Nothing is selected. Tick definitions, solutions or workloads in the tree first.")
                                   : tr("What is selected has no solution or no workload to run."));
        return;
    }
    start(request);
}

void RunPanel::start(const RunRequest& request)
{
    if (m_controller->isRunning()) {
        addToRun(request);
        return;
    }
    if (request.devices.empty()) {
        announce(tr("There is no device to run on. “tracedeck doctor” says what was found."));
        return;
    }
    clearProblems();
    if (request.python.empty()) {
        announce(tr("There is no Python to run references with"));
        appendProblem(QString::fromStdString(pythonChoice().explanation));
        m_side->setCurrentIndex(kProblemsTab);
        return;
    }
    m_queue->show(request.dataset, RunPlan());
    m_devices.start({});
    m_side->setCurrentIndex(kDevicesTab);
    m_elapsed.start();
    m_clock->start();
    m_controller->start(request);
    announce(tr("Starting …"));
    updateRunButton();
    updateProgress();
}

void RunPanel::addToRun(const RunRequest& request)
{
    if (!m_controller->isSteerable()) {
        announce(tr("A run is in progress. Wait until it is done, or cancel it first."));
        return;
    }
    if (m_controller->dataset()->root() != request.dataset->root()) {
        appendProblem(tr("The run in progress is about another dataset: wait until it is done, or cancel it first."));
        m_side->setCurrentIndex(kProblemsTab);
        return;
    }
    m_controller->add(request.pairs);
}

void RunPanel::onAdded(qulonglong count, const QString& failure)
{
    if (count > 0) {
        return;   // the queue shows them
    }
    appendProblem(failure.isEmpty() ? tr("All of these pairs wait or are measured already: nothing was added.") : tr("Nothing was added to the run. %1").arg(failure));
    m_side->setCurrentIndex(kProblemsTab);
}

void RunPanel::cancel()
{
    m_runWhenDevicesKnown = false;
    m_controller->cancel();
    updateRunButton();
}

void RunPanel::togglePause()
{
    m_controller->setPaused(!m_controller->isPaused());
}

void RunPanel::setPythonSetting(const QString& interpreter) { m_pythonSetting = interpreter; }

void RunPanel::onStarted()
{
    const RunPlan& plan = m_controller->plan();
    m_queue->show(m_controller->dataset(), plan);
    m_devices.start(m_controller->devices());
    showDevices();
    for (const Problem& problem : plan.problems) {
        appendProblem(QString::fromStdString(problem.error.toString()));
    }
    if (plan.skippedByResume > 0) {
        appendProblem(tr("Left out because they have a result already: %1").arg(plan.skippedByResume));
    }
    m_elapsed.start();
    announce(m_controller->isCancelling() ? tr("Cancelling …") : tr("Running"));
    updateRunButton();
    updateProgress();
}

void RunPanel::onFailedToStart(const QString& reason)
{
    if (!m_controller->isRunning()) {
        m_clock->stop();
        announce(tr("The run could not start"));
    }
    appendProblem(reason);
    m_side->setCurrentIndex(kProblemsTab);
    updateRunButton();
    updateProgress();
}

void RunPanel::onEvents(const std::vector<RunEvent>& batch)
{
    const int before = m_queue->runningRow();
    m_queue->apply(batch);
    m_devices.apply(batch);
    for (const RunEvent& event : batch) {
        if (const auto* problem = std::get_if<ProblemEvent>(&event)) {
            appendProblem(QString::fromStdString(problem->error.toString()));
        } else if (const auto* result = std::get_if<ResultEvent>(&event)) {
            if (!result->note.empty()) {
                appendProblem(QString::fromStdString(result->note));
            }
            if (result->trace.evaluation) {
                m_lastLog = result->trace.evaluation->log;
                m_lastLogTitle = pairText(result->pair);
                m_isLogShown = false;
            }
        } else if (const auto* skipped = std::get_if<SkippedEvent>(&event)) {
            if (!skipped->isByUser) {
                appendProblem(tr("%1 pairs are left out: %2").arg(countText(static_cast<qint64>(skipped->pairs.size())), QString::fromStdString(skipped->reason)));
            }
        } else if (const auto* device = std::get_if<DeviceEvent>(&event); device && !device->message.empty()) {
            appendProblem(QStringLiteral("%1: %2").arg(QString::fromStdString(device->device), QString::fromStdString(device->message)));
        }
    }
    // Follow the run, unless the user looks at another part of the queue.
    const int running = m_queue->runningRow();
    if (running >= 0 && running != before && !m_view->currentIndex().isValid()) {
        m_view->scrollTo(m_queue->index(running, 0));
    }
    showDevices();
    showLog();
    updateProgress();
}

QString RunPanel::pairText(std::size_t pair) const
{
    const int row = m_queue->rowOf(pair);
    if (row < 0) {
        return {};
    }
    QStringList parts{QString::fromStdString(m_queue->pairOf(row).definition), QString::fromStdString(m_queue->pairOf(row).solution), m_queue->axesOf(row)};
    parts.removeAll(QString());
    return parts.join(QStringLiteral(" · "));
}

void RunPanel::showDevices()
{
    m_cards->showDevices(m_devices.devices(), [this](std::size_t pair) { return pairText(pair); },
                         [this](const std::string& device) { return m_controller->isPaused(device); }, m_controller->isRunning());
}

/// A log is laid out only where somebody looks.
void RunPanel::showLog()
{
    if (m_isLogShown || m_side->currentIndex() != kLogTab) {
        return;
    }
    m_isLogShown = true;
    m_logTitle->setText(m_lastLogTitle.isEmpty() ? tr("No evaluation has ended yet.") : tr("Of the evaluation that ended last: %1").arg(visibleText(m_lastLogTitle)));
    m_log->setLog(m_lastLog);
}

void RunPanel::onFinished(const DoneEvent& done)
{
    m_clock->stop();
    QString text;
    if (m_controller->isHandingOver()) {
        text = tr("The run goes on without this window");
    } else if (done.cancelled) {
        text = tr("Cancelled after %1").arg(spanText(done.seconds));
    } else {
        text = tr("Done in %1").arg(spanText(done.seconds));
    }
    announce(text);
    showDevices();
    updateRunButton();
    updateProgress();
}

void RunPanel::updateRunButton()
{
    const std::size_t pairs = m_selectedPairs;
    const bool running = m_controller->isRunning();
    const QString number = countText(static_cast<qint64>(pairs));
    m_runButton->setText(running ? (pairs > 0 ? tr("&Add selected (%1)").arg(number) : tr("&Add selected")) : pairs > 0 ? tr("&Run selected (%1)").arg(number) : tr("&Run selected"));
    m_runButton->setEnabled(pairs > 0 && (!running || m_controller->isSteerable()));
    m_runButton->setToolTip(pairs == 0 ? tr("Tick definitions, solutions or workloads in the tree first")
                            : running  ? tr("Put the selected pairs at the end of the run's queue; its settings hold for them, too")
                                       : tr("Measure the selected solutions on the selected workloads"));
    m_planButton->setEnabled(m_workspace->isOpen());
    m_cancelButton->setEnabled(running && !m_controller->isCancelling());
    m_pauseButton->setEnabled(running && !m_controller->isCancelling());
    m_pauseButton->setText(running && m_controller->isPaused() ? tr("&Resume") : tr("&Pause"));
    m_pauseButton->setToolTip(running && m_controller->isPaused() ? tr("Go on with the run") : tr("Wait after the evaluations that are being measured now"));
    m_settings->setEnabled(!running);
}

void RunPanel::updateProgress()
{
    const RunQueueModel::Counts& counts = m_queue->counts();
    const auto total = static_cast<int>(counts.total);
    const auto ended = static_cast<int>(counts.ended());
    const bool running = m_controller->isRunning();
    // A run without a plan yet is busy; otherwise the share that is done.
    m_bar->setRange(0, running && total == 0 ? 0 : std::max(total, 1));
    m_bar->setValue(ended);
    m_bar->setVisible(running || total > 0);

    QString text = m_stateText;
    if (running && total > 0) {
        text = tr("%1 of %2").arg(countText(ended), countText(total));
        const double seconds = static_cast<double>(m_elapsed.elapsed()) / 1000;
        if (m_controller->isCancelling()) {
            text = m_stateText;
        } else if (m_controller->isPaused()) {
            text += QStringLiteral(" · ") + tr("paused");
        } else if (seconds >= kSecondsBeforeEstimate && ended > 0) {
            text += QStringLiteral(" · ") + tr("%1 left").arg(spanText(seconds / ended * (total - ended)));
        }
    }
    m_state->setText(text);
    QStringList parts;
    if (total > 0) {
        parts << tr("%1 passed").arg(counts.passed) << tr("%1 failed").arg(counts.failed);
        if (counts.problems > 0) {
            parts << tr("%1 could not be measured").arg(counts.problems);
        }
        if (counts.skipped > 0) {
            parts << tr("%1 left out").arg(counts.skipped);
        }
        if (running && counts.waiting() > 0) {
            parts << tr("%1 waiting").arg(countText(static_cast<qint64>(counts.waiting())));
        }
    }
    m_counts->setText(parts.join(QStringLiteral(" · ")));

    const QString line = running ? text : QString();
    if (line != m_progressText) {
        m_progressText = line;
        emit progressTextChanged(line);
    }
    emit progressChanged(total > 0 ? static_cast<double>(ended) / total : 0);
}

QString RunPanel::progressText() const { return m_progressText; }

void RunPanel::announce(const QString& text)
{
    m_stateText = text;
    m_state->setText(text);
    QAccessibleEvent event(m_state, QAccessible::Alert);
    QAccessible::updateAccessibility(&event);
}

void RunPanel::clearProblems()
{
    m_problems->clear();
    m_problemCount = 0;
    m_side->setTabText(kProblemsTab, tr("Problems"));
}

void RunPanel::appendProblem(const QString& text)
{
    m_problems->appendPlainText(visibleLines(text));
    m_side->setTabText(kProblemsTab, tr("Problems (%1)").arg(countText(++m_problemCount)));
}

void RunPanel::showTraceOf(int row)
{
    if (row < 0 || !m_queue->resultOf(row)) {
        return;
    }
    const std::string& timestamp = m_queue->resultOf(row)->timestamp;
    const RunPair& pair = m_queue->pairOf(row);
    const auto dataset = m_workspace->dataset();
    const auto& rows = dataset->traceRowsOfSolution(pair.solution);
    for (auto found = rows.rbegin(); found != rows.rend(); ++found) {
        const TraceRow& trace = dataset->traces().row(*found);
        if (dataset->traces().workloadUuid(trace) == pair.workloadUuid && dataset->traces().timestamp(trace) == timestamp) {
            m_workspace->setCurrentTrace(static_cast<qint64>(*found));
            return;
        }
    }
}

void RunPanel::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_queue) {
        m_queue->refreshLooks();
    }
}

}  // namespace tracedeck::ui
