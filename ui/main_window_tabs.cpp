// SPDX-License-Identifier: GPL-3.0-or-later
// Tabs that are there once, when they are asked for: comparisons of results, fast_p.
#include <QAction>
#include <QTabBar>
#include <QTabWidget>

#include "ui/diagnose/diagnose_page.h"
#include "ui/diagnose/duel_page.h"
#include "ui/main_window.h"
#include "ui/models/chart_board.h"
#include "ui/models/workspace.h"
#include "ui/pages/board_page.h"
#include "ui/pages/charts_page.h"
#include "ui/pages/definition_page.h"
#include "ui/pages/failures_page.h"
#include "ui/pages/fast_p_page.h"
#include "ui/pages/history_page.h"
#include "ui/pages/notice_bar.h"
#include "ui/pages/results_page.h"
#include "ui/run/past_runs_page.h"
#include "ui/run/run_controller.h"
#include "ui/run/run_panel.h"
#include "ui/style/icons.h"

namespace tracedeck::ui {

template <class Page> Page* MainWindow::toolPage(const QString& iconName, const QString& title, const QString& tip)
{
    for (int tab = kFixedTabs; tab < m_tabs->count(); ++tab)
        if (auto* page = qobject_cast<Page*>(m_tabs->widget(tab)))
            return page;
    auto* page = new Page(m_workspace, m_tabs);
    m_tabs->setTabToolTip(m_tabs->addTab(page, icon(iconName), title), tip);
    return page;
}

ResultsPage* MainWindow::currentResultsPage() const { return currentToolPage<ResultsPage>(); }

ResultsPage* MainWindow::resultsPage()
{
    const int before = m_tabs->count();
    auto* page = toolPage<ResultsPage>(QStringLiteral("results"), tr("Results A ↔ B"), tr("Results of two sides compared"));
    if (m_tabs->count() > before)
        connect(page, &ResultsPage::textRequested, this, &MainWindow::viewText);
    return page;
}

DiagnosePage* MainWindow::diagnosePage()
{
    const int before = m_tabs->count();
    auto* page = toolPage<DiagnosePage>(QStringLiteral("search"), tr("Diagnose"), tr("A closer look at one solution on one workload"));
    if (m_tabs->count() > before) {
        page->setRequestSource([this] { return m_runPanel->requestFor({}); });
        connect(page, &DiagnosePage::textRequested, this, &MainWindow::viewText);
        connect(page, &DiagnosePage::rerunRequested, m_runPanel, &RunPanel::run);
    }
    return page;
}

DuelPage* MainWindow::duelPage()
{
    const int before = m_tabs->count();
    auto* page = toolPage<DuelPage>(QStringLiteral("compare"), tr("Duel"), tr("Solutions against each other on the same inputs"));
    if (m_tabs->count() > before)
        page->setRequestSource([this] { return m_runPanel->requestFor({}); });
    return page;
}

void MainWindow::compareResults()
{
    if (!m_workspace->isOpen()) {
        m_notice->showError(tr("No dataset is open whose results could be compared."));
        return;
    }
    const int before = m_tabs->count();
    ResultsPage* page = resultsPage();
    if (m_tabs->count() > before)
        page->chooseLikely();
    m_tabs->setCurrentWidget(page);
}

bool MainWindow::isToolPageBusy() const
{
    if (const auto* results = currentToolPage<ResultsPage>())
        return results->isBusy();
    if (const auto* fastP = currentToolPage<FastPPage>())
        return fastP->isBusy();
    if (const auto* history = currentToolPage<HistoryPage>())
        return history->isBusy();
    if (const auto* looks = currentToolPage<DiagnosePage>())
        return looks->isBusy();
    if (const auto* duel = currentToolPage<DuelPage>())
        return duel->isBusy();
    if (const auto* runs = currentToolPage<PastRunsPage>())
        return runs->isBusy();
    if (const auto* board = currentToolPage<BoardPage>())
        return board->isBusy();
    const auto* failures = currentToolPage<FailuresPage>();
    return failures && failures->isBusy();
}

MainWindow::Page MainWindow::toolPageOf(const QWidget* widget)
{
    return qobject_cast<const FastPPage*>(widget) ? Page::FastP : qobject_cast<const HistoryPage*>(widget) ? Page::History : qobject_cast<const FailuresPage*>(widget) ? Page::Failures : qobject_cast<const DiagnosePage*>(widget) ? Page::Diagnose : qobject_cast<const DuelPage*>(widget) ? Page::Duel : qobject_cast<const PastRunsPage*>(widget) ? Page::PastRuns : qobject_cast<const BoardPage*>(widget) ? Page::Board : Page::Code;
}

QWidget* MainWindow::openToolPage(Page page)
{
    switch (page) {
    case Page::FastP: return fastPPage();
    case Page::History: return historyPage();
    case Page::Failures: return failuresPage();
    case Page::Diagnose: return diagnosePage();
    case Page::Duel: return duelPage();
    case Page::PastRuns: return pastRunsPage();
    case Page::Board: return boardPage();
    default: return nullptr;
    }
}

PastRunsPage* MainWindow::pastRunsPage()
{
    const int before = m_tabs->count();
    auto* page = toolPage<PastRunsPage>(QStringLiteral("recent"), tr("Past runs"), tr("Runs that were recorded, and what can be done with them"));
    if (m_tabs->count() > before) {
        connect(page, &PastRunsPage::tracesRequested, this, &MainWindow::showTracesOf);
        connect(page, &PastRunsPage::runRequested, this, &MainWindow::runRecorded);
        connect(page, &PastRunsPage::planRequested, this, &MainWindow::planRun);
        connect(page, &PastRunsPage::compareRequested, this, [this](const ComparisonChoice& choice) {
            if (!m_workspace->isOpen()) {
                m_notice->showError(tr("No dataset is open whose results could be compared."));
                return;
            }
            ResultsPage* results = resultsPage();
            results->setChoice(choice);
            m_tabs->setCurrentWidget(results);
        });
        connect(m_controller, &RunController::started, page, &PastRunsPage::refresh);
        connect(m_controller, &RunController::finished, page, &PastRunsPage::refresh);
    }
    return page;
}

BoardPage* MainWindow::boardPage()
{
    const int before = m_tabs->count();
    auto* page = toolPage<BoardPage>(QStringLiteral("board"), tr("Board"), tr("Charts beside each other"));
    if (m_tabs->count() > before)
        connect(page, &BoardPage::openRequested, this, [this](const ChartSpec& spec) {
            showPage(Page::Charts);
            m_definitionPage->chartsPage()->showSpec(spec);
        });
    return page;
}

void MainWindow::buildBoardActions()
{
    m_addToBoardAction = addNamed(QStringLiteral("addToBoardAction"), tr("Add the c&hart to the board"), QStringLiteral("board"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_B),
                                  tr("Keep the chart that is shown beside others; Go ▸ Chart board shows them"));
    connect(m_addToBoardAction, &QAction::triggered, this, [this] {
        const ChartsPage* charts = m_definitionPage->chartsPage();
        if (charts->series().empty()) {
            m_notice->showError(tr("There is no chart to add: the page Charts shows none."));
            return;
        }
        m_workspace->board()->add(charts->spec());
        m_tabs->setCurrentWidget(boardPage());
    });
    m_noteAction = addNamed(QStringLiteral("noteAction"), tr("&Write a note on the chart…"), {}, QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_W),
                            tr("A few words at the point that is pointed at, kept with the chart"));
    connect(m_noteAction, &QAction::triggered, this, [this] {
        showPage(Page::Charts);
        if (!m_definitionPage->chartsPage()->series().empty())
            m_definitionPage->chartsPage()->addNote();
    });
}

HistoryPage* MainWindow::historyPage()
{
    const int before = m_tabs->count();
    auto* page = toolPage<HistoryPage>(QStringLiteral("history"), tr("History"), tr("Results in the order of time"));
    if (m_tabs->count() > before)
        connect(page, &HistoryPage::sourceWanted, this, &MainWindow::showJudgedSource);
    return page;
}
FailuresPage* MainWindow::failuresPage() { return toolPage<FailuresPage>(QStringLiteral("status-error"), tr("Failures"), tr("Which failures are the same one")); }
FastPPage* MainWindow::fastPPage() { return toolPage<FastPPage>(QStringLiteral("fastp"), tr("fast_p"), tr("Shares of workloads by speedup")); }

}  // namespace tracedeck::ui
