// SPDX-License-Identifier: GPL-3.0-or-later
// How the window follows the dataset, the run and its pages.
#include <QDirIterator>
#include <QDockWidget>
#include <QTabWidget>
#include <algorithm>
#include <array>
#include <utility>

#include "core/score/ranking.h"
#include "ui/main_window.h"
#include "ui/models/latest_job.h"
#include "ui/models/workspace.h"
#include "ui/pages/dataset_panel.h"
#include "ui/pages/definition_page.h"
#include "ui/pages/notice_bar.h"
#include "ui/pages/start_page.h"
#include "ui/pages/trace_details.h"
#include "ui/pages/viewer_page.h"
#include "ui/run/past_runs_page.h"
#include "ui/run/run_controller.h"
#include "ui/run/run_panel.h"
#include "ui/settings/recent_datasets.h"

namespace tracedeck::ui {
namespace {

/// The definition worth looking at first: the one with most traces that passed, then with most traces, solutions, workloads, else the first.
QString firstDefinition(const Dataset& dataset)
{
    const TraceTable& table = dataset.traces();
    std::vector<std::size_t> passed(table.names().size(), 0);
    for (const TraceRow& row : table.rows())
        if (row.status == Status::Passed && (row.flags & TraceFlag::kHasEvaluation) != 0)
            ++passed[table.workloadKeys()[row.workload].definition];
    QString best;
    std::array<std::size_t, 4> most{};
    for (const auto& definition : dataset.definitions()) {
        const std::uint32_t id = table.names().find(definition->name);
        const std::array found{id == StringPool::kNone ? 0 : passed[id], dataset.traceRowsOfDefinition(definition->name).size(),
                               dataset.solutionsOf(definition->name).size(), dataset.workloadsOf(definition->name).size()};
        if (best.isEmpty() || found > most) {
            best = QString::fromStdString(definition->name);
            most = found;
        }
    }
    return best;
}

}  // namespace

void MainWindow::connectWorkspace()
{
    connect(m_workspace, &Workspace::loadStarted, this, [this](const QString& path) {
        m_notice->hide();
        m_loadBar->start(path);
        updateStatus();
    });
    connect(m_workspace, &Workspace::loadProgress, m_loadBar, &LoadBar::setProgress);
    connect(m_workspace, &Workspace::loadFailed, this, &MainWindow::onLoadFailed);
    connect(m_workspace, &Workspace::loadCancelled, this, [this] {
        m_loadBar->stop();
        updateStatus();
    });
    connect(m_workspace, &Workspace::datasetOpened, this, &MainWindow::onDatasetOpened);
    connect(m_workspace, &Workspace::datasetChanged, this, [this](bool onlyGrew) {
        if (!onlyGrew) {
            m_authors.clear();
            for (const std::string& author : authorsOf(*m_workspace->dataset()))
                m_authors << QString::fromStdString(author);
            updateRunAction();
        }
        updateStatus();
        updateComparisonBoxes();
    });
    connect(m_workspace, &Workspace::comparisonChanged, this, [this] {
        updateStatus();
        updateComparisonBoxes();
    });
    connect(m_workspace, &Workspace::selectionChanged, this, &MainWindow::updateRunAction);
    connect(m_workspace, &Workspace::currentDefinitionChanged, this, [this](const QString& name) {
        updateTitle();
        m_datasetPanel->revealDefinition(name);
        visitHere();
    });
    connect(m_loadBar, &LoadBar::cancelRequested, m_workspace, &Workspace::cancelLoading);
}

void MainWindow::connectPages()
{
    connect(m_startPage, &StartPage::openRequested, this, [this] { chooseFolder(false); });
    connect(m_startPage, &StartPage::openPathRequested, this, &MainWindow::openPath);
    connect(m_tabs, &QTabWidget::currentChanged, this, [this] {
        updateTableActions();
        updateTitle();
        updateDifferenceActions();
        visitHere();
    });
    connect(m_tabs, &QTabWidget::tabCloseRequested, this, &MainWindow::closeTab);
    connect(m_definitionPage, &DefinitionPage::tabChanged, this, [this] {
        updateTableActions();
        visitHere();
    });
    connect(m_definitionPage, &DefinitionPage::summaryShown, this, &MainWindow::updateTiming);
    connect(m_definitionPage, &DefinitionPage::solutionActivated, this, &MainWindow::showSolution);
    connect(m_definitionPage, &DefinitionPage::runRequested, m_runPanel, &RunPanel::run);
    connect(m_workspace, &Workspace::runWanted, m_runPanel, [this](const Selection& selection) {
        showPage(Page::Run);
        m_runPanel->run(selection);
    });
    connect(m_definitionPage, &DefinitionPage::workloadActivated, this, &MainWindow::showCurrentTensors);
    connect(m_details, &TraceDetails::rerunRequested, m_runPanel, &RunPanel::run);
    connect(m_details, &TraceDetails::tensorActivated, this, [this](const QString& tensor) {
        if (const auto& trace = m_details->trace())
            showTensors(QString::fromStdString(trace->definition), trace->workload, tensor);
    });
    connect(m_workspace, &Workspace::currentTraceChanged, this, [this](qint64 row) {
        if (row >= 0)
            showDetailsThatWait();
    });
    connect(m_detailsDock->toggleViewAction(), &QAction::triggered, this, [this] { m_detailsWait = false; });
    connect(m_datasetPanel, &DatasetPanel::definitionActivated, this, [this](const QString& name) {
        m_workspace->setCurrentDefinition(name);
        m_tabs->setCurrentIndex(kDefinitionTab);
        m_definitionPage->setFocus();
    });
    connect(m_datasetPanel, &DatasetPanel::solutionActivated, this, &MainWindow::showSolution);
    connect(m_datasetPanel, &DatasetPanel::solutionsChosen, this, [this] {
        m_tabs->setCurrentIndex(kDefinitionTab);
        if (m_definitionPage->currentTab() != DefinitionPage::Tab::Charts)
            m_definitionPage->showTab(DefinitionPage::Tab::Solutions);
    });
    const auto showWorkload = [this](const QString&, const QString& uuid) {
        m_tabs->setCurrentIndex(kDefinitionTab);
        m_definitionPage->showWorkload(uuid);
    };
    connect(m_datasetPanel, &DatasetPanel::workloadChosen, this, showWorkload);
    connect(m_datasetPanel, &DatasetPanel::workloadActivated, this, showWorkload);
    connect(m_datasetPanel, &DatasetPanel::tracesActivated, this, [this] { showPage(Page::Traces); });
}

void MainWindow::onDatasetOpened()
{
    m_loadBar->stop();
    m_notice->hide();
    showPanes();
    if (m_workspace->root() != m_lastRoot) {
        m_lastRoot = m_workspace->root();
        m_history.clear();
        // What the viewer shows, and past runs, belong to no dataset.
        for (int tab = m_tabs->count() - 1; tab >= kFixedTabs; --tab)
            if (!qobject_cast<ViewerPage*>(m_tabs->widget(tab)) && !qobject_cast<PastRunsPage*>(m_tabs->widget(tab)))
                closeTab(tab);
    }
    // A million rows are not counted on the thread that paints.
    struct Facts {
        QString firstDefinition;
        RecentDataset recent;
    };
    m_openedJob->start<Facts>(
        [dataset = m_workspace->dataset()](std::stop_token) { return Facts{firstDefinition(*dataset), RecentDatasets::describe(*dataset)}; },
        [this](const Facts& facts) {
            if (!m_workspace->dataset()->isJoined()) {   // each of them was opened before, or can be
                RecentDatasets::add(facts.recent);
                rebuildRecentMenu();
            }
            if (m_workspace->currentDefinition().isEmpty())
                m_workspace->setCurrentDefinition(facts.firstDefinition);
            m_datasetPanel->revealDefinition(m_workspace->currentDefinition());
            visitHere();
            if (m_sessionToRestore.value(kSessionRoot).toString() == m_workspace->root())
                restoreSession(std::exchange(m_sessionToRestore, {}));
            m_sessionToRestore = {};
            emit datasetShown();
            if (m_whenOpened && m_workspace->root() == m_rootToOpen)
                std::exchange(m_whenOpened, nullptr)();
        });
    updateTitle();
}

void MainWindow::onLoadFailed(const QString& path, const QString& reason)
{
    m_loadBar->stop();
    const QString text = reason.contains(path) ? tr("The dataset could not be opened: %1.").arg(reason)
                                               : tr("%1 could not be opened: %2.").arg(path, reason);
    m_whenOpened = nullptr;
    std::vector<NoticeBar::Answer> answers;
    // A folder of single results is no dataset, and can be looked at all the same.
    if (!path.isEmpty() && QDirIterator(path, {QStringLiteral("*.json"), QStringLiteral("*.jsonl")}, QDir::Files).hasNext())
        answers.push_back({QStringLiteral("noticeHelp"), tr("View its files…"), tr("Choose one of the JSON files of this folder for the viewer"), [this, path] { chooseFileToView(path); }});
    m_notice->showErrorWith(m_workspace->isOpen() ? tr("%1 The dataset that was open before is still shown.").arg(text) : text, answers);
    updateStatus();
}

}  // namespace tracedeck::ui
