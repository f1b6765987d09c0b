// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/diagnose/diagnose_page.h"
#include "ui/diagnose/duel_page.h"
#include "ui/main_window.h"

#include <QAction>
#include <QDockWidget>
#include <QFileInfo>
#include <QLabel>
#include <QProgressBar>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QTabBar>
#include <QTabWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "core/build/cuda_toolkit.h"
#include "core/score/ranking.h"
#include "core/store/joined_dataset.h"
#include "ui/models/latest_job.h"
#include "ui/models/number_format.h"
#include "ui/models/workspace.h"
#include "ui/models/pin_board.h"
#include "ui/pages/board_page.h"
#include "ui/pages/compare_page.h"
#include "ui/pages/dataset_panel.h"
#include "ui/pages/definition_page.h"
#include "ui/pages/diff_view.h"
#include "ui/pages/failures_page.h"
#include "ui/pages/fast_p_page.h"
#include "ui/pages/history_page.h"
#include "ui/pages/leaderboard_page.h"
#include "ui/pages/notice_bar.h"
#include "ui/pages/problems_panel.h"
#include "ui/pages/results_page.h"
#include "ui/pages/solution_page.h"
#include "ui/pages/start_page.h"
#include "ui/pages/trace_details.h"
#include "ui/pages/viewer_page.h"
#include "ui/pages/workload_page.h"
#include "ui/run/past_runs_page.h"
#include "ui/run/run_controller.h"
#include "ui/run/run_notifier.h"
#include "ui/run/run_panel.h"
#include "ui/settings/recent_datasets.h"
#include "ui/settings/settings.h"
#include "ui/style/icons.h"
#include "ui/style/name_box.h"
#include "ui/style/primary_button.h"
#include "ui/style/text.h"
#include "ui/style/theme.h"

namespace tracedeck::ui {
namespace {

/// A name as the title of a tab.
QString tabTitle(const QString& name)
{
    constexpr qsizetype kLongest = 32;
    return withoutMnemonic(shortened(visibleText(name), kLongest));
}

}  // namespace

MainWindow::MainWindow(const QString& pythonOption, QWidget* parent) : MainWindow(pythonOption, nullptr, nullptr, parent) {}

MainWindow::MainWindow(const QString& pythonOption, Workspace* workspace, RunController* controller, QWidget* parent)
    : QMainWindow(parent), m_pythonOption(pythonOption), m_workspace(workspace ? workspace : new Workspace(this)),
      m_controller(controller ? controller : new RunController(m_workspace, this)), m_openedJob(new LatestJob(this)),
      m_judgedJob(new LatestJob(this)), m_runsJob(new LatestJob(this)), m_recordsJob(new LatestJob(this)), m_notifier(new RunNotifier(this))
{
    chooseCudaToolkit(Settings::cudaToolkit().toStdString());
    m_workspace->setParent(this);
    m_controller->setParent(this);
    setObjectName(QStringLiteral("mainWindow"));
    setAcceptDrops(true);
    setDockOptions(AnimatedDocks | AllowTabbedDocks | AllowNestedDocks);
    useFont(Settings::fontStep());
    buildCentre();
    buildDocks();
    buildActions();
    buildMenus();
    buildToolBar();
    buildStatusBar();
    connectWorkspace();
    connectPages();
    connectProblems();
    connectRuns();
    m_runPanel->setPythonSetting(Settings::pythonInterpreter().isEmpty() ? m_pythonOption : Settings::pythonInterpreter());
    m_startPage->setPython(Settings::pythonInterpreter(), m_pythonOption);
    resize(1280, 800);
    m_defaultLayout = saveState(Settings::kLayoutVersion);
    restoreLayout();
    hidePanes();
    updateTableActions();
    rebuildRecentMenu();
    updateTitle();
    updateStatus();
    updateComparisonBoxes();
    updateRunAction();
}

MainWindow::~MainWindow() = default;

void MainWindow::buildCentre()
{
    auto* centre = new QWidget(this);
    m_notice = new NoticeBar(centre);
    m_offer = new NoticeBar(centre);
    m_offer->setObjectName(QStringLiteral("offerBar"));
    m_loadBar = new LoadBar(centre);
    m_stack = new QStackedWidget(centre);
    m_startPage = new StartPage(m_stack);
    m_tabs = new QTabWidget(m_stack);
    m_tabs->setObjectName(QStringLiteral("pageTabs"));
    m_tabs->setDocumentMode(true);
    m_tabs->setTabsClosable(true);
    m_tabs->setMovable(false);
    m_tabs->setAccessibleName(tr("Pages"));
    m_tabs->tabBar()->setAccessibleName(tr("Pages"));
    m_tabs->tabBar()->setElideMode(Qt::ElideNone);   // they scroll instead: titles are short, and none becomes "…"
    m_definitionPage = new DefinitionPage(m_workspace, m_tabs);
    m_leaderboard = new LeaderboardPage(m_workspace, m_tabs);
    m_tabs->addTab(m_definitionPage, icon(QStringLiteral("definition")), tr("Definition"));
    m_tabs->addTab(m_leaderboard, icon(QStringLiteral("leaderboard")), tr("Leaderboard"));
    for (int tab = 0; tab < kFixedTabs; ++tab)
        for (const auto side : {QTabBar::LeftSide, QTabBar::RightSide})
            m_tabs->tabBar()->setTabButton(tab, side, nullptr);
    m_stack->addWidget(m_startPage);
    m_stack->addWidget(m_tabs);
    auto* layout = new QVBoxLayout(centre);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_notice);
    layout->addWidget(m_offer);
    layout->addWidget(m_loadBar);
    layout->addWidget(m_stack, 1);
    setCentralWidget(centre);
    m_dropHint = new QLabel(this);
    m_dropHint->setObjectName(QStringLiteral("dropHint"));
    m_dropHint->setTextFormat(Qt::PlainText);
    m_dropHint->setAlignment(Qt::AlignCenter);
    m_dropHint->setAutoFillBackground(true);
    m_dropHint->setFrameShape(QFrame::Box);
    m_dropHint->setAttribute(Qt::WA_TransparentForMouseEvents);
    m_dropHint->hide();
}

void MainWindow::buildDocks()
{
    const auto addDock = [this](const QString& name, const QString& title, QWidget* content, Qt::DockWidgetArea area) {
        auto* dock = new QDockWidget(title, this);
        dock->setObjectName(name);
        dock->setWidget(content);
        addDockWidget(area, dock);
        return dock;
    };
    m_datasetPanel = new DatasetPanel(m_workspace, this);
    m_details = new TraceDetails(m_workspace, this);
    m_runPanel = new RunPanel(m_workspace, m_controller, this);
    m_problems = new ProblemsPanel(m_workspace, this);

    m_datasetDock = addDock(QStringLiteral("datasetDock"), tr("Dataset"), m_datasetPanel, Qt::LeftDockWidgetArea);
    m_detailsDock = addDock(QStringLiteral("detailsDock"), tr("Details"), m_details, Qt::RightDockWidgetArea);
    m_runsDock = addDock(QStringLiteral("runsDock"), tr("Runs"), m_runPanel, Qt::BottomDockWidgetArea);
    m_problemsDock = addDock(QStringLiteral("problemsDock"), tr("Problems"), m_problems, Qt::BottomDockWidgetArea);
    tabifyDockWidget(m_runsDock, m_problemsDock);
    setCorner(Qt::BottomLeftCorner, Qt::BottomDockWidgetArea);
    setCorner(Qt::BottomRightCorner, Qt::BottomDockWidgetArea);
    setTabPosition(Qt::BottomDockWidgetArea, QTabWidget::North);
    m_runsDock->hide();
    m_problemsDock->hide();
}

void MainWindow::openPath(const QString& path)
{
    if (path.isEmpty())
        return;
    if (QFileInfo(path).isFile())
        viewFile(path);
    else
        m_workspace->open(path);
}

void MainWindow::updateTitle()
{
    const QString definition = m_workspace->currentDefinition();
    m_tabs->setTabText(kDefinitionTab, definition.isEmpty() ? tr("Definition") : tabTitle(definition));
    m_tabs->setTabToolTip(kDefinitionTab, plainToolTip(definition));
    const QString title = m_workspace->isOpen() ? tr("%1 – Tracedeck").arg(visibleText(QString::fromStdString(displayName(*m_workspace->dataset())))) : tr("Tracedeck");
    setWindowTitle(m_runPercent < 0 ? title : tr("%1 % · %2").arg(m_runPercent).arg(title));
    m_copyJsonAction->setEnabled(!definition.isEmpty());
    m_closeTabAction->setEnabled(m_tabs->currentIndex() >= kFixedTabs);
}

void MainWindow::updateComparisonBoxes()
{
    const auto fill = [](NameBox* box, const QString& everything, const QStringList& names, const QString& current) {
        const QSignalBlocker blocker(box);
        // Made anew only when something changed: results of a run must not shut an open list.
        if (box->property("names").toStringList() != names || box->count() == 0) {
            box->setProperty("names", names);
            box->clear();
            if (!everything.isEmpty())
                box->addItem(everything, QString());
            for (const QString& name : names)
                box->addName(name);
        }
        box->setCurrentIndex(box->findData(current));
        box->setEnabled(box->count() > (everything.isEmpty() ? 0 : 1));
    };
    fill(m_baselineBox, QString(), m_authors, m_workspace->baselineAuthor());
    fill(m_hardwareBox, tr("All hardware"), m_workspace->hardwareNames(), m_workspace->hardware());
    const QSignalBlocker blocker(m_policyBox);
    m_policyBox->setCurrentIndex(m_policyBox->findData(static_cast<int>(m_workspace->policy())));
    m_policyBox->setEnabled(m_workspace->isOpen());
}

MainWindow::Page MainWindow::currentPage() const
{
    if (m_tabs->currentIndex() == kLeaderboardTab)
        return Page::Leaderboard;
    if (m_tabs->currentIndex() != kDefinitionTab)
        return currentWorkloadPage() ? Page::Tensors : currentViewerPage() ? Page::Viewer : currentComparePage() ? Page::Compare : currentResultsPage() ? Page::Results : currentToolPage<FastPPage>() ? Page::FastP : currentToolPage<HistoryPage>() ? Page::History : currentToolPage<FailuresPage>() ? Page::Failures : currentToolPage<DiagnosePage>() ? Page::Diagnose : currentToolPage<DuelPage>() ? Page::Duel : currentToolPage<PastRunsPage>() ? Page::PastRuns : currentToolPage<BoardPage>() ? Page::Board : Page::Code;
    switch (m_definitionPage->currentTab()) {
    case DefinitionPage::Tab::Charts: return Page::Charts;
    case DefinitionPage::Tab::HeatMap: return Page::HeatMap;
    case DefinitionPage::Tab::Errors: return Page::Errors;
    case DefinitionPage::Tab::Workloads: return Page::Workloads;
    case DefinitionPage::Tab::Traces: return Page::Traces;
    case DefinitionPage::Tab::Solutions:
    case DefinitionPage::Tab::Reference: break;
    }
    return Page::Overview;
}

std::optional<MainWindow::Page> MainWindow::pageFromName(const QString& name)
{
    static const QStringList names{QStringLiteral("overview"), QStringLiteral("code"),   QStringLiteral("workloads"),
                                   QStringLiteral("traces"),   QStringLiteral("charts"), QStringLiteral("leaderboard"),
                                   QStringLiteral("run"),      QStringLiteral("compare"), QStringLiteral("viewer"), QStringLiteral("results"),
                                   QStringLiteral("heatmap"),  QStringLiteral("fastp"), QStringLiteral("history"), QStringLiteral("failures"),
                                   QStringLiteral("tensors"), QStringLiteral("diagnose"), QStringLiteral("duel"), QStringLiteral("pastruns"),
                                   QStringLiteral("errors"), QStringLiteral("board")};
    const qsizetype index = names.indexOf(name);
    return index < 0 ? std::nullopt : std::optional(static_cast<Page>(index));
}

void MainWindow::showPage(Page page)
{
    const auto showDefinitionTab = [this](DefinitionPage::Tab tab) {
        m_tabs->setCurrentIndex(kDefinitionTab);
        m_definitionPage->showTab(tab);
    };
    switch (page) {
    case Page::Overview: showDefinitionTab(DefinitionPage::Tab::Reference); break;
    case Page::Workloads: showDefinitionTab(DefinitionPage::Tab::Workloads); break;
    case Page::Traces: showDefinitionTab(DefinitionPage::Tab::Traces); break;
    case Page::Charts: showDefinitionTab(DefinitionPage::Tab::Charts); break;
    case Page::HeatMap: showDefinitionTab(DefinitionPage::Tab::HeatMap); break;
    case Page::Errors: showDefinitionTab(DefinitionPage::Tab::Errors); break;
    case Page::Board: m_tabs->setCurrentWidget(boardPage()); break;
    case Page::Leaderboard: m_tabs->setCurrentIndex(kLeaderboardTab); break;
    case Page::Compare: compareSources(); break;
    case Page::Results: compareResults(); break;
    case Page::FastP: m_tabs->setCurrentWidget(fastPPage()); break;
    case Page::History: m_tabs->setCurrentWidget(historyPage()); break;
    case Page::Failures: m_tabs->setCurrentWidget(failuresPage()); break;
    case Page::Tensors: showCurrentTensors(); break;
    case Page::Diagnose: showDiagnosis(); break;
    case Page::Duel: showDuel(); break;
    case Page::PastRuns:
        m_stack->setCurrentWidget(m_tabs);
        m_tabs->setCurrentWidget(pastRunsPage());
        break;
    case Page::Viewer:
        showSomeViewer();
        break;
    case Page::Run:
        m_runsDock->show();
        m_runsDock->raise();
        break;
    case Page::Code: {
        QString solution = m_workspace->currentSolution();
        if (solution.isEmpty())
            if (const auto solutions = m_workspace->dataset()->solutionsOf(m_workspace->currentDefinition().toStdString()); !solutions.empty())
                solution = QString::fromStdString(solutions.front()->name);
        if (solution.isEmpty())
            showDefinitionTab(DefinitionPage::Tab::Solutions);
        else
            showSolution(solution);
        break;
    }
    }
}

void MainWindow::showSolution(const QString& name)
{
    if (!m_workspace->dataset()->findSolution(name.toStdString())) {
        m_notice->showError(tr("The dataset has no file for the solution %1: only its traces are here.").arg(shortened(name, kLongestName)));
        return;
    }
    m_workspace->setCurrentSolution(name);
    for (int tab = kFixedTabs; tab < m_tabs->count(); ++tab)
        if (auto* page = qobject_cast<SolutionPage*>(m_tabs->widget(tab)); page && page->solutionName() == name) {
            m_tabs->setCurrentIndex(tab);
            return;
        }
    auto* page = new SolutionPage(m_workspace, name, m_tabs);
    connect(page, &SolutionPage::runRequested, m_runPanel, &RunPanel::run);
    connect(page, &SolutionPage::definitionActivated, this, [this](const QString& definition) {
        m_workspace->setCurrentDefinition(definition);
        m_tabs->setCurrentIndex(kDefinitionTab);
    });
    connect(page, &SolutionPage::compareRequested, this, &MainWindow::compareSources);
    const int tab = m_tabs->addTab(page, seriesChip(name), tabTitle(name));
    m_tabs->setTabToolTip(tab, plainToolTip(name));
    m_tabs->setCurrentIndex(tab);
}

bool MainWindow::select(const QString& name)
{
    const auto dataset = m_workspace->dataset();
    const std::string text = name.toStdString();
    if (dataset->findDefinition(text)) {
        m_workspace->setCurrentDefinition(name);
        return true;
    }
    if (dataset->findSolution(text)) {
        m_workspace->setCurrentSolution(name);
        m_datasetPanel->revealSolution(name);
        return true;
    }
    for (const auto& [definition, workloads] : dataset->workloads())
        for (const Trace& workload : workloads)
            if (workload.workload.uuid == text) {
                m_workspace->setCurrentDefinition(QString::fromStdString(definition));
                m_definitionPage->showWorkload(name);
                return true;
            }
    for (const auto& definition : dataset->definitions())
        if (definition->opType == text) {
            m_workspace->setCurrentDefinition(QString::fromStdString(definition->name));
            return true;
        }
    return false;
}

bool MainWindow::isSettled() const
{
    if (m_recordsJob->isRunning() || m_workspace->isLoading() || m_workspace->isPreparing() || m_workspace->pins()->isBusy() || m_controller->isRunning() || !m_loadBar->isHidden())
        return false;
    if (isStartPageShown())
        return !m_startPage->isBusy();
    if (m_problems->isBusy() || (currentViewerPage() && currentViewerPage()->isBusy()))
        return false;
    if (isToolPageBusy())
        return false;
    const ComparePage* comparison = currentComparePage();
    if (m_details->isBusy() || (currentWorkloadPage() && currentWorkloadPage()->isBusy()))
        return false;
    return !m_openedJob->isRunning() && !m_definitionPage->isBusy() && !m_leaderboard->isBusy() && !(comparison && comparison->view()->isBusy());
}

void MainWindow::visitHere()
{
    if (m_navigating || !m_workspace->isOpen() || currentViewerPage() || currentWorkloadPage())
        return;
    const auto* solution = currentSolutionPage();
    const auto* comparison = currentComparePage();
    m_history.visit({static_cast<int>(currentPage()), m_workspace->currentDefinition(),
                     solution ? solution->solutionName() : comparison ? comparison->leftName() : QString(),
                     comparison ? comparison->rightName() : QString()});
    m_backAction->setEnabled(m_history.canGoBack());
    m_forwardAction->setEnabled(m_history.canGoForward());
}

void MainWindow::goTo(const std::optional<Place>& place)
{
    if (!place)
        return;
    m_navigating = true;
    m_workspace->setCurrentDefinition(place->definition);
    if (!place->comparedWith.isEmpty())
        showComparison(place->solution, place->comparedWith);
    else if (!place->solution.isEmpty())
        showSolution(place->solution);
    else
        showPage(static_cast<Page>(place->page));
    m_navigating = false;
    m_backAction->setEnabled(m_history.canGoBack());
    m_forwardAction->setEnabled(m_history.canGoForward());
}

void MainWindow::closeTab(int index)
{
    if (index < kFixedTabs)
        return;
    QWidget* page = m_tabs->widget(index);
    m_tabs->removeTab(index);
    page->deleteLater();
    if (!m_hasPanes && m_tabs->count() == kFixedTabs)
        m_stack->setCurrentWidget(m_startPage);
}

WorkloadPage* MainWindow::currentWorkloadPage() const { return qobject_cast<WorkloadPage*>(m_tabs->currentWidget()); }

void MainWindow::showTensors(const QString& definition, const Workload& workload, const QString& tensor)
{
    const QString uuid = QString::fromStdString(workload.uuid);
    for (int tab = kFixedTabs; tab < m_tabs->count(); ++tab)
        if (auto* page = qobject_cast<WorkloadPage*>(m_tabs->widget(tab)); page && page->uuid() == uuid && page->definitionName() == definition) {
            page->selectTensor(tensor);
            m_tabs->setCurrentIndex(tab);
            return;
        }
    auto* page = new WorkloadPage(m_workspace, definition, workload, m_tabs);
    page->selectTensor(tensor);
    connect(page, &WorkloadPage::runRequested, m_runPanel, &RunPanel::run);
    connect(page, &WorkloadPage::definitionActivated, this, [this](const QString& name) {
        m_workspace->setCurrentDefinition(name);
        m_tabs->setCurrentIndex(kDefinitionTab);
    });
    const int tab = m_tabs->addTab(page, icon(QStringLiteral("workloads")), tabTitle(page->title()));
    m_tabs->setTabToolTip(tab, plainToolTip(tr("Tensors of the workload %1 of %2").arg(uuid, definition)));
    m_tabs->setCurrentIndex(tab);
}

/// Of the workload in hand: that of the trace that is shown where traces are looked at, else the one chosen in the table.
void MainWindow::showCurrentTensors()
{
    const std::optional<Trace>& trace = m_details->trace();
    const bool looksAtTraces = m_tabs->currentIndex() == kDefinitionTab && m_definitionPage->currentTab() != DefinitionPage::Tab::Workloads;
    if (trace && looksAtTraces) {
        showTensors(QString::fromStdString(trace->definition), trace->workload);
        return;
    }
    if (const Workload* workload = m_definitionPage->currentWorkload())
        showTensors(m_workspace->currentDefinition(), *workload);
    else
        m_notice->showError(tr("This definition has no workloads whose tensors could be shown."));
}

SolutionPage* MainWindow::currentSolutionPage() const { return qobject_cast<SolutionPage*>(m_tabs->currentWidget()); }
ComparePage* MainWindow::currentComparePage() const { return qobject_cast<ComparePage*>(m_tabs->currentWidget()); }

void MainWindow::showComparison(const QString& left, const QString& right)
{
    const auto title = [](const ComparePage& page) { return tabTitle(tr("%1 ↔ %2").arg(page.leftName(), page.rightName())); };
    for (int tab = kFixedTabs; tab < m_tabs->count(); ++tab)
        if (auto* page = qobject_cast<ComparePage*>(m_tabs->widget(tab)); page && page->leftName() == left && page->rightName() == right) {
            m_tabs->setCurrentIndex(tab);
            return;
        }
    auto* page = new ComparePage(m_workspace, left, right, m_tabs);
    connect(page, &ComparePage::namesChanged, this, [this, page, title] {
        const int tab = m_tabs->indexOf(page);
        m_tabs->setTabText(tab, title(*page));
        m_tabs->setTabToolTip(tab, plainToolTip(tr("%1 ↔ %2").arg(page->leftName(), page->rightName())));
    });
    const int tab = m_tabs->addTab(page, icon(QStringLiteral("compare")), title(*page));
    m_tabs->setTabToolTip(tab, plainToolTip(tr("%1 ↔ %2").arg(page->leftName(), page->rightName())));
    m_tabs->setCurrentIndex(tab);
}

/// The solution at hand against the one that is best known to be right: its definition's baseline, or any rival.
void MainWindow::compareSources()
{
    const auto dataset = m_workspace->dataset();
    const SolutionPage* page = currentSolutionPage();
    const QString shown = page ? page->solutionName() : m_workspace->currentSolution();
    const Solution* solution = dataset->findSolution(shown.toStdString());
    const auto rivals = dataset->solutionsOf(solution ? solution->definition : m_workspace->currentDefinition().toStdString());
    if (rivals.empty()) {
        m_notice->showError(tr("This definition has no solutions whose sources could be compared."));
        return;
    }
    const Solution* left = solution ? solution : rivals.front();
    const Solution* right = left;
    for (const Solution* rival : rivals) {
        const bool isBaseline = rival->author == m_workspace->baselineAuthor().toStdString();
        if (rival->name != left->name && (right == left || isBaseline))
            right = rival;
    }
    showComparison(QString::fromStdString(left->name), QString::fromStdString(right->name));
}

void MainWindow::updateDifferenceActions()
{
    const bool isComparison = currentComparePage() != nullptr;
    m_nextDifferenceAction->setEnabled(isComparison);
    m_previousDifferenceAction->setEnabled(isComparison);
}

}  // namespace tracedeck::ui
