// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/run_panel.h"

#include <QAccessible>
#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QSplitter>
#include <QTableView>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/models/number_format.h"
#include "ui/models/run_choice.h"
#include "ui/models/run_queue_model.h"
#include "ui/models/workspace.h"
#include "ui/pages/number_delegate.h"
#include "ui/run/run_controller.h"
#include "ui/run/run_settings.h"
#include "ui/settings/settings.h"
#include "ui/style/empty_hint.h"
#include "ui/style/icons.h"
#include "ui/style/labels.h"
#include "ui/style/tables.h"
#include "ui/style/text.h"
#include "ui/style/theme.h"

namespace tracedeck::ui {
namespace {

constexpr int kClockMilliseconds = 1000;
/// An estimate from less than this is noise.
constexpr double kSecondsBeforeEstimate = 2;
constexpr int kMaximumProblemLines = 5'000;

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
    connect(workspace, &Workspace::selectionChanged, this, &RunPanel::updateRunButton);
    connect(workspace, &Workspace::datasetChanged, this, &RunPanel::updateRunButton);
    connect(m_settings, &RunSettings::devicesKnown, this, [this] {
        if (std::exchange(m_runWhenDevicesKnown, false)) {
            run(m_waiting);
        }
    });
    updateRunButton();
    updateProgress();
}

RunPanel::~RunPanel() = default;

void RunPanel::buildLayout()
{
    m_settings = new RunSettings(this);
    m_runButton = new QPushButton(icon(QStringLiteral("run")), QString(), this);
    m_runButton->setObjectName(QStringLiteral("runSelectedButton"));
    m_pauseButton = new QPushButton(icon(QStringLiteral("pause")), tr("&Pause"), this);
    m_pauseButton->setObjectName(QStringLiteral("pauseRunButton"));
    m_cancelButton = new QPushButton(icon(QStringLiteral("stop")), tr("&Cancel"), this);
    m_cancelButton->setObjectName(QStringLiteral("cancelRunButton"));
    m_cancelButton->setToolTip(tr("Stop the run; what was measured so far is kept"));
    m_bar = new QProgressBar(this);
    m_bar->setObjectName(QStringLiteral("runProgress"));
    m_bar->setAccessibleName(tr("Progress of the run"));
    m_bar->setTextVisible(false);
    m_bar->setFixedHeight(8);
    m_state = new QLabel(this);
    m_state->setObjectName(QStringLiteral("runState"));
    m_state->setTextFormat(Qt::PlainText);
    m_counts = new MutedLabel(QString(), this);
    m_counts->setObjectName(QStringLiteral("runCounts"));

    m_view = new QTableView(this);
    m_view->setObjectName(QStringLiteral("runQueue"));
    m_view->setAccessibleName(tr("Pairs of the run"));
    m_view->setModel(m_queue);
    setUpTable(m_view);
    new EmptyHint(m_view, tr("Nothing has been run yet.\nTick definitions, solutions or workloads in the tree, then choose Run selected (Ctrl+R)."));
    m_view->setSortingEnabled(false);   // the order of the plan means something
    m_view->setIconSize(QSize(16, 16));
    m_view->setItemDelegateForColumn(RunQueueModel::Latency, new NumberDelegate(3, this));
    m_view->setItemDelegateForColumn(RunQueueModel::Speedup, new NumberDelegate(4, this));
    m_view->horizontalHeader()->setStretchLastSection(false);
    m_view->horizontalHeader()->setSectionResizeMode(RunQueueModel::Solution, QHeaderView::Stretch);
    m_view->horizontalHeader()->setResizeContentsPrecision(50);
    m_view->setTextElideMode(Qt::ElideMiddle);
    const int letter = fontMetrics().averageCharWidth();
    m_view->setColumnWidth(RunQueueModel::Definition, 26 * letter);
    m_view->setColumnWidth(RunQueueModel::Axes, 14 * letter);
    m_view->setColumnWidth(RunQueueModel::Device, 12 * letter);
    m_view->setColumnWidth(RunQueueModel::State, 26 * letter);
    for (const int column : {RunQueueModel::Latency, RunQueueModel::Speedup, RunQueueModel::Seconds}) {
        m_view->setColumnWidth(column, 16 * letter);
    }
    connect(m_view, &QTableView::activated, this, [this](const QModelIndex& index) { showTraceOf(index.row()); });
    connect(m_view, &QTableView::clicked, this, [this](const QModelIndex& index) { showTraceOf(index.row()); });

    auto* problemPane = new QWidget(this);
    auto* problemLayout = new QVBoxLayout(problemPane);
    problemLayout->setContentsMargins(0, 0, 0, 0);
    problemLayout->setSpacing(0);
    auto* problemTitle = new MutedLabel(tr("Problems of the run"), problemPane);
    problemTitle->setMargin(Space::kTight);
    m_problems = new QPlainTextEdit(problemPane);
    m_problems->setObjectName(QStringLiteral("runProblems"));
    m_problems->setAccessibleName(tr("Problems of the run"));
    m_problems->setReadOnly(true);
    m_problems->setUndoRedoEnabled(false);
    m_problems->setMaximumBlockCount(kMaximumProblemLines);
    m_problems->setFrameShape(QFrame::NoFrame);
    m_problems->setPlaceholderText(tr("Nothing has gone wrong so far."));
    problemLayout->addWidget(problemTitle);
    problemLayout->addWidget(m_problems, 1);

    auto* splitter = new QSplitter(Qt::Horizontal, this);
    splitter->setChildrenCollapsible(false);
    splitter->setHandleWidth(1);
    splitter->addWidget(m_view);
    splitter->addWidget(problemPane);
    splitter->setStretchFactor(0, 3);
    splitter->setStretchFactor(1, 1);
    splitter->setSizes({900, 300});

    auto* settings = new QHBoxLayout;
    settings->setContentsMargins(Space::kWide, Space::kNormal, Space::kWide, Space::kTight);
    settings->setSpacing(Space::kNormal);
    settings->addWidget(m_settings);
    settings->addStretch(1);
    settings->addWidget(m_runButton);
    settings->addWidget(m_pauseButton);
    settings->addWidget(m_cancelButton);
    auto* progress = new QHBoxLayout;
    progress->setContentsMargins(Space::kWide, Space::kTight, Space::kWide, Space::kNormal);
    progress->setSpacing(Space::kWide);
    progress->addWidget(m_bar, 2);
    progress->addWidget(m_state);
    progress->addWidget(m_counts);
    progress->addStretch(1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(settings);
    layout->addLayout(progress);
    layout->addWidget(splitter, 1);

    connect(m_runButton, &QPushButton::clicked, this, &RunPanel::runSelected);
    connect(m_pauseButton, &QPushButton::clicked, this, &RunPanel::togglePause);
    connect(m_controller, &RunController::pausedChanged, this, [this] {
        updateRunButton();
        updateProgress();
    });
    connect(m_cancelButton, &QPushButton::clicked, this, &RunPanel::cancel);
}

void RunPanel::takeOver(RunPanel& predecessor)
{
    m_controller->disconnect(&predecessor);
    predecessor.m_clock->stop();
    delete std::exchange(m_queue, predecessor.m_queue);
    m_queue->setParent(this);   // the predecessor's view shows it until it goes
    m_view->setModel(m_queue);
    m_problems->setPlainText(predecessor.m_problems->toPlainText());
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
    m_settings->applyTo(request);
    return request;
}

PythonChoice RunPanel::pythonChoice() const { return choosePython(m_pythonSetting.toStdString(), {}); }

void RunPanel::runSelected() { run(m_workspace->selection()); }

void RunPanel::run(const Selection& selection)
{
    if (m_controller->isRunning()) {
        announce(tr("A run is in progress. Wait until it is done, or cancel it first."));
        return;
    }
    if (!m_settings->areDevicesKnown()) {
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
    if (request.devices.empty()) {
        announce(tr("There is no device to run on. “tracedeck doctor” says what was found."));
        return;
    }
    m_problems->clear();
    if (request.python.empty()) {
        announce(tr("There is no Python to run references with"));
        appendProblem(QString::fromStdString(pythonChoice().explanation));
        return;
    }
    m_queue->show(request.dataset, RunPlan());
    m_elapsed.start();
    m_clock->start();
    m_controller->start(request);
    announce(tr("Starting …"));
    updateRunButton();
    updateProgress();
}

void RunPanel::cancel()
{
    m_runWhenDevicesKnown = false;
    m_controller->cancel();
    if (m_controller->isRunning()) {
        announce(tr("Cancelling …"));
    }
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
    for (const Problem& problem : plan.problems) {
        appendProblem(QString::fromStdString(problem.error.toString()));
    }
    if (plan.skippedByResume > 0) {
        appendProblem(tr("Left out because they have a result already: %1").arg(plan.skippedByResume));
    }
    for (const int column : {RunQueueModel::Definition, RunQueueModel::Axes}) {
        m_view->resizeColumnToContents(column);
        m_view->setColumnWidth(column, std::min(m_view->columnWidth(column) + Space::kNormal, 240));
    }
    m_elapsed.start();
    announce(m_controller->isCancelling() ? tr("Cancelling …") : tr("Running"));
    updateRunButton();
    updateProgress();
}

void RunPanel::onFailedToStart(const QString& reason)
{
    m_clock->stop();
    announce(tr("The run could not start"));
    appendProblem(reason);
    updateRunButton();
    updateProgress();
}

void RunPanel::onEvents(const std::vector<RunEvent>& batch)
{
    const int before = m_queue->runningRow();
    m_queue->apply(batch);
    for (const RunEvent& event : batch) {
        if (const auto* problem = std::get_if<ProblemEvent>(&event)) {
            appendProblem(QString::fromStdString(problem->error.toString()));
        } else if (const auto* result = std::get_if<ResultEvent>(&event); result && !result->note.empty()) {
            appendProblem(QString::fromStdString(result->note));
        } else if (const auto* device = std::get_if<DeviceEvent>(&event); device && !device->message.empty()) {
            appendProblem(QStringLiteral("%1: %2").arg(QString::fromStdString(device->device), QString::fromStdString(device->message)));
        }
    }
    // Follow the run, unless the user looks at another part of the queue.
    const int running = m_queue->runningRow();
    if (running >= 0 && running != before && !m_view->currentIndex().isValid()) {
        m_view->scrollTo(m_queue->index(running, 0));
    }
    updateProgress();
}

void RunPanel::onFinished(const DoneEvent& done)
{
    m_clock->stop();
    QString text;
    if (done.cancelled) {
        text = tr("Cancelled after %1").arg(spanText(done.seconds));
    } else {
        text = tr("Done in %1").arg(spanText(done.seconds));
    }
    announce(text);
    updateRunButton();
    updateProgress();
}

void RunPanel::updateRunButton()
{
    const std::size_t pairs = RunChoice(m_workspace->dataset(), m_workspace->selection()).pairCount();
    const bool running = m_controller->isRunning();
    m_runButton->setText(pairs > 0 ? tr("&Run selected (%1)").arg(countText(static_cast<qint64>(pairs))) : tr("&Run selected"));
    m_runButton->setEnabled(!running && pairs > 0);
    m_runButton->setToolTip(pairs > 0 ? tr("Measure the selected solutions on the selected workloads")
                                      : tr("Tick definitions, solutions or workloads in the tree first"));
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

void RunPanel::appendProblem(const QString& text) { m_problems->appendPlainText(visibleLines(text)); }

void RunPanel::showTraceOf(int row)
{
    const std::optional<Evaluation>& evaluation = m_queue->evaluationOf(row);
    if (!evaluation) {
        return;
    }
    const RunPair& pair = m_queue->pairOf(row);
    const auto dataset = m_workspace->dataset();
    const auto& rows = dataset->traceRowsOfSolution(pair.solution);
    for (auto found = rows.rbegin(); found != rows.rend(); ++found) {
        const TraceRow& trace = dataset->traces().row(*found);
        if (dataset->traces().workloadUuid(trace) == pair.workloadUuid && dataset->traces().timestamp(trace) == evaluation->timestamp) {
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
