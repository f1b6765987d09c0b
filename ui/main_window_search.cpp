// SPDX-License-Identifier: GPL-3.0-or-later
// Going to what was searched for, and finding in the page that is shown.
#include <QApplication>
#include <QDockWidget>
#include <QTabWidget>
#include <algorithm>

#include "ui/main_window.h"
#include "ui/models/workspace.h"
#include "ui/pages/code_view.h"
#include "ui/pages/compare_page.h"
#include "ui/pages/dataset_panel.h"
#include "ui/pages/definition_page.h"
#include "ui/pages/log_panel.h"
#include "ui/pages/search_box.h"
#include "ui/pages/results_page.h"
#include "ui/pages/solution_page.h"
#include "ui/pages/trace_details.h"
#include "ui/pages/trace_filter_bar.h"
#include "ui/pages/traces_page.h"
#include "ui/pages/viewer_page.h"

namespace tracedeck::ui {

void MainWindow::goToHit(const SearchHit& hit)
{
    const QString name = QString::fromStdString(hit.name);
    switch (hit.kind) {
    case HitKind::Definition:
    case HitKind::Workload:
        select(name);
        m_tabs->setCurrentIndex(kDefinitionTab);
        m_tabs->setFocus();
        break;
    case HitKind::Solution:
        select(name);
        showSolution(name);
        break;
    case HitKind::OpType:
    case HitKind::Author:
    case HitKind::Tag: filterTreeBy(name); break;
    case HitKind::Source:
        if (hit.file.empty()) {
            select(name);
            showPage(Page::Overview);
            m_definitionPage->referenceView()->showLine(static_cast<int>(hit.line));
            break;
        }
        showSolution(name);
        if (SolutionPage* page = currentSolutionPage())
            page->showLine(QString::fromStdString(hit.file), static_cast<int>(hit.line));
        break;
    case HitKind::Log:
        if (hit.row && *hit.row < m_workspace->dataset()->traces().size()) {
            const auto dataset = m_workspace->dataset();
            m_workspace->setCurrentDefinition(QString::fromStdString(dataset->traces().definitionName(dataset->traces().row(*hit.row))));
            showPage(Page::Traces);
            m_workspace->setCurrentTrace(*hit.row);
        }
        break;
    }
}

/// The tree's filter finds parts of names, tags and authors.
void MainWindow::filterTreeBy(const QString& text)
{
    m_datasetDock->show();
    m_datasetPanel->filterEdit()->setText(text);
    m_datasetPanel->focusFilter();
    m_search->clear();
}

void MainWindow::findInPage()
{
    if (m_details->isAncestorOf(QApplication::focusWidget())) {
        m_details->showFind();
        return;
    }
    if (SolutionPage* solution = currentSolutionPage()) {
        solution->showFind();
        return;
    }
    if (ComparePage* comparison = currentComparePage()) {
        comparison->showFind();
        return;
    }
    if (ResultsPage* results = currentResultsPage()) {
        results->showFind();
        return;
    }
    if (ViewerPage* viewer = currentViewerPage()) {
        viewer->showFind();
        return;
    }
    switch (currentPage()) {
    case Page::Traces: m_definitionPage->tracesPage()->filterBar()->focusText(); break;
    case Page::Overview:
        if (m_definitionPage->currentTab() == DefinitionPage::Tab::Reference) {
            m_definitionPage->referenceView()->showFind();
            break;
        }
        [[fallthrough]];
    default:
        m_datasetDock->show();
        m_datasetPanel->focusFilter();
    }
}

/// In the viewer or the source text that is shown, unless the focus is in the trace's log.
void MainWindow::findAgain(bool backward)
{
    const auto codeViews = m_tabs->currentWidget()->findChildren<CodeView*>();
    const auto shown = std::find_if(codeViews.begin(), codeViews.end(), [](const CodeView* view) { return view->isVisible(); });
    LogPanel* log = currentViewerPage() ? currentViewerPage()->largeText() : nullptr;
    if (m_details->isAncestorOf(QApplication::focusWidget()) || (!log && shown == codeViews.end()))
        log = m_details->log();
    if (log && log->isVisible()) {
        if (backward)
            log->findPrevious();
        else
            log->findNext();
    } else if (shown != codeViews.end()) {
        if (backward)
            (*shown)->findPrevious();
        else
            (*shown)->findNext();
    }
}

}  // namespace tracedeck::ui
