// SPDX-License-Identifier: GPL-3.0-or-later
// What the panel of runs is made of.
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QSplitter>
#include <QTabBar>
#include <QTabWidget>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/models/run_queue_model.h"
#include "ui/pages/column_widths.h"
#include "ui/pages/log_panel.h"
#include "ui/pages/log_view.h"
#include "ui/pages/number_delegate.h"
#include "ui/run/device_cards.h"
#include "ui/run/queue_actions.h"
#include "ui/run/run_controller.h"
#include "ui/run/run_panel.h"
#include "ui/run/run_settings.h"
#include "ui/style/empty_hint.h"
#include "ui/style/icon_button.h"
#include "ui/style/icons.h"
#include "ui/style/labels.h"
#include "ui/style/tables.h"
#include "ui/style/theme.h"

namespace tracedeck::ui {
namespace {

constexpr int kMaximumProblemLines = 5'000;
constexpr int kQueueShare = 840;
constexpr int kSideShare = 440;
constexpr int kLeastSideHeight = 90;

}  // namespace

void RunPanel::buildQueue()
{
    m_view = new QTableView(this);
    m_view->setObjectName(QStringLiteral("runQueue"));
    m_view->setAccessibleName(tr("Pairs of the run"));
    m_actions = new QueueActions(m_view, m_controller, this);
    setUpTable(m_view);
    m_view->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_actions->setQueue(m_queue);
    new EmptyHint(m_view, tr("Nothing has been run yet.\nTick definitions, solutions or workloads in the tree, then choose Run selected (Ctrl+R)."));
    m_view->setSortingEnabled(false);   // the order of the plan means something
    m_view->setIconSize(QSize(16, 16));
    m_view->setItemDelegateForColumn(RunQueueModel::Latency, new NumberDelegate(3, this));
    m_view->setItemDelegateForColumn(RunQueueModel::Speedup, new NumberDelegate(4, this));
    m_view->setTextElideMode(Qt::ElideMiddle);
    const int letter = fontMetrics().averageCharWidth();
    constexpr int kWidest = 400;
    auto* sharing = new ColumnSharing(m_view, {RunQueueModel::Definition, RunQueueModel::Solution, RunQueueModel::Axes}, kWidest, RunQueueModel::Solution);
    std::vector<int> wanted(RunQueueModel::ColumnCount, 14 * letter);
    wanted[RunQueueModel::Definition] = 26 * letter;
    wanted[RunQueueModel::Solution] = 60 * letter;
    wanted[RunQueueModel::Axes] = 26 * letter;
    wanted[RunQueueModel::Device] = 10 * letter;
    wanted[RunQueueModel::State] = 20 * letter;
    wanted[RunQueueModel::Seconds] = 11 * letter;
    sharing->setWanted(std::move(wanted));
    connect(m_actions, &QueueActions::traceWanted, this, &RunPanel::showTraceOf);
    connect(m_view, &QTableView::activated, this, [this](const QModelIndex& index) { showTraceOf(index.row()); });
    connect(m_view, &QTableView::clicked, this, [this](const QModelIndex& index) { showTraceOf(index.row()); });
}

QWidget* RunPanel::buildSide()
{
    m_side = new QTabWidget(this);
    m_side->setObjectName(QStringLiteral("runSide"));
    m_side->setAccessibleName(tr("More about the run"));
    m_side->tabBar()->setAccessibleName(tr("More about the run"));
    m_side->setDocumentMode(true);
    m_side->setMinimumHeight(kLeastSideHeight);   // its pages scroll: they must not make the window taller
    m_cards = new DeviceCards(m_side);
    m_problems = new QPlainTextEdit(m_side);
    m_problems->setObjectName(QStringLiteral("runProblems"));
    m_problems->setAccessibleName(tr("Problems of the run"));
    m_problems->setReadOnly(true);
    m_problems->setUndoRedoEnabled(false);
    m_problems->setMaximumBlockCount(kMaximumProblemLines);
    m_problems->setFrameShape(QFrame::NoFrame);
    m_problems->setPlaceholderText(tr("Nothing has gone wrong so far."));
    auto* logPane = new QWidget(m_side);
    m_logTitle = new MutedLabel(tr("No evaluation has ended yet."), logPane);
    m_logTitle->setObjectName(QStringLiteral("runLogTitle"));
    m_logTitle->setMargin(Space::kTight);
    m_logTitle->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);   // names are as long as they like
    m_log = new LogPanel(LogPanel::Content::Log, logPane);
    m_log->view()->setAccessibleName(tr("Last log of the run"));   // another one shows the log of a trace
    auto* logLayout = new QVBoxLayout(logPane);
    logLayout->setContentsMargins(0, 0, 0, 0);
    logLayout->setSpacing(0);
    logLayout->addWidget(m_logTitle);
    logLayout->addWidget(m_log, 1);
    m_side->insertTab(kDevicesTab, m_cards, tr("Devices"));
    m_side->insertTab(kProblemsTab, m_problems, tr("Problems"));
    m_side->insertTab(kLogTab, logPane, tr("Last log"));
    m_side->setTabToolTip(kLogTab, tr("What the solution printed whose evaluation ended last"));
    connect(m_side, &QTabWidget::currentChanged, this, &RunPanel::showLog);
    connect(m_cards, &DeviceCards::pauseToggled, m_controller, &RunController::setDevicePaused);
    connect(m_cards, &DeviceCards::stopRequested, m_controller, &RunController::stopDevice);
    return m_side;
}

void RunPanel::buildLayout()
{
    m_settings = new RunSettings(this);
    m_runButton = new QPushButton(icon(QStringLiteral("run")), QString(), this);
    m_runButton->setObjectName(QStringLiteral("runSelectedButton"));
    m_planButton = iconButton(QStringLiteral("check"), tr("Look at what would be run, how long it takes and with which settings, before it is run"), this);
    m_planButton->setText(tr("Pla&n…"));
    m_planButton->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_planButton->setObjectName(QStringLiteral("planRunButton"));
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
    buildQueue();

    auto* splitter = new QSplitter(Qt::Horizontal, this);
    splitter->setChildrenCollapsible(false);
    splitter->setHandleWidth(1);
    splitter->addWidget(m_view);
    splitter->addWidget(buildSide());
    splitter->setStretchFactor(0, 2);
    splitter->setStretchFactor(1, 1);
    splitter->setSizes({kQueueShare, kSideShare});

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
    progress->addWidget(m_planButton);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(settings);
    layout->addLayout(progress);
    layout->addWidget(splitter, 1);

    connect(m_runButton, &QPushButton::clicked, this, &RunPanel::runSelected);
    connect(m_planButton, &QToolButton::clicked, this, &RunPanel::planRequested);
    connect(m_pauseButton, &QPushButton::clicked, this, &RunPanel::togglePause);
    connect(m_controller, &RunController::pausedChanged, this, [this] {
        showDevices();
        updateRunButton();
        updateProgress();
    });
    connect(m_cancelButton, &QPushButton::clicked, this, &RunPanel::cancel);
}

}  // namespace tracedeck::ui
