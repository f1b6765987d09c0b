// SPDX-License-Identifier: GPL-3.0-or-later
// What the window remembers, looks, closing, and folders dropped on it.
#include <QActionGroup>
#include <QApplication>
#include <QCloseEvent>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QStackedWidget>
#include <QTabBar>
#include <QTabWidget>
#include <QUrl>
#include <algorithm>
#include <iterator>
#include <utility>

#include "ui/main_window.h"
#include "ui/models/workspace.h"
#include "ui/pages/compare_page.h"
#include "ui/pages/dataset_panel.h"
#include "ui/pages/definition_page.h"
#include "ui/pages/failures_page.h"
#include "ui/pages/fast_p_page.h"
#include "ui/pages/history_page.h"
#include "ui/pages/notice_bar.h"
#include "ui/pages/results_page.h"
#include "ui/pages/solution_page.h"
#include "ui/pages/start_page.h"
#include "ui/pages/trace_filter_bar.h"
#include "ui/pages/traces_page.h"
#include "ui/run/run_controller.h"
#include "ui/run/run_panel.h"
#include "ui/settings/settings.h"
#include "ui/style/labels.h"
#include "ui/style/text.h"

namespace tracedeck::ui {
namespace {

constexpr qreal kSmallestPointSize = 6;
constexpr int kDatasetWidth = 310;
constexpr int kDetailsWidth = 290;
/// In a narrower window the Details pane waits for something to show.
constexpr int kRoomForDetails = 1500;
constexpr int kRunsHeight = 240;
constexpr qsizetype kLongestHint = 90;

/// Local files and folders among what is dragged.
QStringList droppedPaths(const QMimeData* data)
{
    QStringList paths;
    const QList<QUrl> urls = data->urls();
    for (const QUrl& url : urls)
        if (url.isLocalFile() && QFileInfo::exists(url.toLocalFile()))
            paths << url.toLocalFile();
    return paths;
}

/// Folders among them: datasets.
QStringList foldersOf(const QStringList& paths)
{
    QStringList folders;
    std::copy_if(paths.begin(), paths.end(), std::back_inserter(folders), [](const QString& path) { return QFileInfo(path).isDir(); });
    return folders;
}

}  // namespace

MainWindow::MainWindow(MainWindow& predecessor) : MainWindow(predecessor.m_pythonOption, predecessor.m_workspace, predecessor.m_controller, nullptr)
{
    restoreGeometry(predecessor.saveGeometry());
    m_runPanel->takeOver(*predecessor.m_runPanel);
    m_history = predecessor.m_history;
    m_lastRoot = predecessor.m_lastRoot;
    if (predecessor.isStartPageShown())
        return;
    m_stack->setCurrentWidget(m_tabs);
    restoreState(predecessor.saveState(Settings::kLayoutVersion), Settings::kLayoutVersion);
    m_detailsWait = predecessor.m_detailsWait;
    m_sessionToRestore = predecessor.session();
    for (int tab = kFixedTabs; tab < predecessor.m_tabs->count(); ++tab)
        if (const auto* results = qobject_cast<ResultsPage*>(predecessor.m_tabs->widget(tab)))
            m_resultsToOpen = results->choice();
}

void MainWindow::announce()
{
    m_navigating = true;   // nobody went anywhere
    const QString solution = m_workspace->currentSolution();
    m_workspace->announce();
    restoreSession(std::exchange(m_sessionToRestore, {}));
    m_workspace->setCurrentSolution(solution);
    m_navigating = false;
    m_backAction->setEnabled(m_history.canGoBack());
    m_forwardAction->setEnabled(m_history.canGoForward());
    updateTitle();
    updateStatus();
    updateRunAction();
    updateTableActions();
}

void MainWindow::restoreLayout()
{
    const QByteArray geometry = Settings::windowGeometry();
    if (!geometry.isEmpty())
        restoreGeometry(geometry);
    const QByteArray layout = Settings::windowLayout();
    m_layoutToShow = layout.isEmpty() ? m_defaultLayout : layout;
}

bool MainWindow::isStartPageShown() const { return m_stack->currentWidget() == m_startPage; }

/// The start page stands alone: panes without a dataset would only be empty.
void MainWindow::hidePanes()
{
    m_hasPanes = false;
    for (QDockWidget* dock : {m_datasetDock, m_detailsDock, m_runsDock, m_problemsDock})
        dock->hide();
}

void MainWindow::showPanes()
{
    m_stack->setCurrentWidget(m_tabs);
    if (m_hasPanes)
        return;
    m_hasPanes = true;
    if (m_layoutToShow == m_defaultLayout || !restoreState(m_layoutToShow, Settings::kLayoutVersion))
        showDefaultLayout();
    else
        m_detailsWait = Settings::detailsWait();
}

void MainWindow::showDetailsThatWait()
{
    if (!m_detailsWait)
        return;
    m_detailsWait = false;
    m_detailsDock->show();
    resizeDocks({m_detailsDock}, {kDetailsWidth}, Qt::Horizontal);
}

void MainWindow::showDefaultLayout()
{
    restoreState(m_defaultLayout, Settings::kLayoutVersion);
    // The layout was saved before the window had a size on the screen.
    resizeDocks({m_datasetDock, m_detailsDock}, {kDatasetWidth, kDetailsWidth}, Qt::Horizontal);
    resizeDocks({m_runsDock}, {kRunsHeight}, Qt::Vertical);
    m_detailsWait = width() < kRoomForDetails;
    m_detailsDock->setVisible(!m_detailsWait);
}

void MainWindow::saveLayout()
{
    Settings::setWindowGeometry(saveGeometry());
    if (m_hasPanes) {
        Settings::setWindowLayout(saveState(Settings::kLayoutVersion));
        Settings::setDetailsWait(m_detailsWait);
    }
}

void MainWindow::resetLayout()
{
    m_layoutToShow = m_defaultLayout;
    if (!m_hasPanes)
        return;
    showDefaultLayout();
    for (QDockWidget* dock : {m_datasetDock, m_detailsDock, m_runsDock, m_problemsDock})
        dock->setFloating(false);
}

void MainWindow::applyTheme(ThemeChoice choice)
{
    ui::applyTheme(choice);
    for (QAction* action : m_themeGroup->actions())
        action->setChecked(action->data().toInt() == static_cast<int>(choice));
}

void MainWindow::useFont(int step)
{
    static const qreal systemSize = QApplication::font().pointSizeF();
    QFont font = QApplication::font();
    const qreal wanted = std::max(kSmallestPointSize, systemSize + step);
    if (qFuzzyCompare(font.pointSizeF(), wanted))
        return;
    font.setPointSizeF(wanted);
    QApplication::setFont(font);
}

void MainWindow::setFontStep(int step)
{
    Settings::setFontStep(step);
    useFont(Settings::fontStep());
}

void MainWindow::changeEvent(QEvent* event)
{
    QMainWindow::changeEvent(event);
    if (event->type() != QEvent::PaletteChange)
        return;
    for (int tab = 0; m_tabs && tab < m_tabs->count(); ++tab)
        if (const auto* page = qobject_cast<SolutionPage*>(m_tabs->widget(tab)))
            m_tabs->setTabIcon(tab, seriesChip(page->solutionName()));
}

void MainWindow::childEvent(QChildEvent* event)
{
    QMainWindow::childEvent(event);
    // Qt makes a tab bar by itself whenever docks share a place.
    if (event->type() == QEvent::ChildPolished)
        if (auto* bar = qobject_cast<QTabBar*>(event->child()))
            bar->setAccessibleName(tr("Panes that share this place"));
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    if (m_controller->isRunning() && !m_closeConfirmed) {
        event->ignore();
        askBeforeClosing();
        return;
    }
    saveLayout();
    Settings::setSession(session());
    m_workspace->cancelLoading();
    QMainWindow::closeEvent(event);
    emit closed();
}

void MainWindow::showDropHint(const QString& text)
{
    m_dropHint->setText(shortened(visibleText(text), kLongestHint));
    m_dropHint->setFont(headingFont());
    m_dropHint->setGeometry(rect().adjusted(Space::kPage, Space::kPage, -Space::kPage, -Space::kPage));
    m_dropHint->raise();
    m_dropHint->show();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event)
{
    const QStringList paths = droppedPaths(event->mimeData());
    const bool isText = paths.isEmpty() && event->mimeData()->hasText() && !event->mimeData()->hasUrls();
    if (paths.isEmpty() && !isText)
        return;
    event->acceptProposedAction();
    const QStringList folders = foldersOf(paths);
    if (isText)
        showDropHint(tr("Show the text in the viewer"));
    else if (folders.isEmpty())
        showDropHint(paths.size() == 1 ? tr("Show %1 in the viewer").arg(QFileInfo(paths.front()).fileName())
                                       : tr("Show %1 files in the viewer").arg(paths.size()));
    else
        showDropHint(folders.size() == 1 ? tr("Open %1").arg(QFileInfo(folders.front()).fileName())
                                         : tr("Open %1, and the others in windows of their own").arg(QFileInfo(folders.front()).fileName()));
}

void MainWindow::dragLeaveEvent(QDragLeaveEvent* event)
{
    m_dropHint->hide();
    QMainWindow::dragLeaveEvent(event);
}

void MainWindow::dropEvent(QDropEvent* event)
{
    m_dropHint->hide();
    const QStringList paths = droppedPaths(event->mimeData());
    const QStringList folders = foldersOf(paths);
    if (paths.isEmpty() && !event->mimeData()->hasUrls() && event->mimeData()->hasText())
        viewText(event->mimeData()->text(), tr("dropped text"));
    else if (paths.isEmpty())
        return;
    event->acceptProposedAction();
    if (!folders.isEmpty()) {
        openPath(folders.front());
        constexpr qsizetype kMostWindows = 4;
        for (const QString& folder : folders.mid(1, kMostWindows - 1))
            emit windowWanted(folder);
        return;
    }
    constexpr qsizetype kMostFiles = 20;
    for (const QString& path : paths.first(std::min(paths.size(), kMostFiles)))
        viewFile(path);
}

void MainWindow::resizeEvent(QResizeEvent* event)
{
    QMainWindow::resizeEvent(event);
    if (m_dropHint->isVisible())
        m_dropHint->setGeometry(rect().adjusted(Space::kPage, Space::kPage, -Space::kPage, -Space::kPage));
}

}  // namespace tracedeck::ui
