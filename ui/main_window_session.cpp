// SPDX-License-Identifier: GPL-3.0-or-later
// What is open, carried into another language or another day, and the arrangements of panes that the user named.
#include <QAction>
#include <QDockWidget>
#include <QFileInfo>
#include <QInputDialog>
#include <QJsonArray>
#include <QLineEdit>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <QTabWidget>
#include <QTimer>
#include <algorithm>
#include <utility>

#include "ui/main_window.h"
#include "ui/models/workspace.h"
#include "ui/pages/compare_page.h"
#include "ui/pages/control_state.h"
#include "ui/pages/dataset_panel.h"
#include "ui/pages/definition_page.h"
#include "ui/pages/leaderboard_page.h"
#include "ui/pages/notice_bar.h"
#include "ui/pages/results_page.h"
#include "ui/pages/solution_page.h"
#include "ui/pages/viewer_page.h"
#include "ui/pages/workload_page.h"
#include "ui/settings/settings.h"
#include "ui/style/text.h"

namespace tracedeck::ui {
namespace {

constexpr QLatin1String kDefinition("definition");
constexpr QLatin1String kSolution("solution");
constexpr QLatin1String kTabs("tabs");
constexpr QLatin1String kCurrentTab("currentTab");
constexpr QLatin1String kDefinitionControls("definitionControls");
constexpr QLatin1String kLeaderboardControls("leaderboardControls");
constexpr QLatin1String kTreeControls("treeControls");
constexpr QLatin1String kExpanded("expanded");
constexpr QLatin1String kKind("kind");
constexpr QLatin1String kName("name");
constexpr QLatin1String kRival("rival");
/// How often, and for how long, it is looked whether the pages show their data.
constexpr int kRestorePollMs = 50;
constexpr int kRestorePolls = 200;
constexpr qsizetype kLongestLayoutName = 60;

}  // namespace

QJsonObject MainWindow::session() const
{
    if (isStartPageShown())
        return {};
    QJsonArray tabs;
    for (int tab = kFixedTabs; tab < m_tabs->count(); ++tab) {
        const QWidget* widget = m_tabs->widget(tab);
        QJsonObject entry;
        if (const auto* solution = qobject_cast<const SolutionPage*>(widget))
            entry = {{kKind, QStringLiteral("solution")}, {kName, solution->solutionName()}};
        else if (const auto* comparison = qobject_cast<const ComparePage*>(widget))
            entry = {{kKind, QStringLiteral("comparison")}, {kName, comparison->leftName()}, {kRival, comparison->rightName()}};
        else if (const auto* workload = qobject_cast<const WorkloadPage*>(widget))
            entry = {{kKind, QStringLiteral("tensors")}, {kName, workload->uuid()}, {kDefinition, workload->definitionName()}};
        else if (const auto* viewer = qobject_cast<const ViewerPage*>(widget); viewer && !viewer->path().isEmpty())
            entry = {{kKind, QStringLiteral("file")}, {kName, viewer->path()}};
        else if (qobject_cast<const ResultsPage*>(widget))
            entry = {{kKind, QStringLiteral("results")}};
        else if (const Page page = toolPageOf(widget); page != Page::Code)
            entry = {{kKind, QStringLiteral("tool")}, {kName, static_cast<int>(page)}};
        else
            continue;   // a pasted text is gone with its window
        if (tab == m_tabs->currentIndex())
            entry.insert(kCurrentTab, true);
        tabs << entry;
    }
    QJsonObject session{{kSessionRoot, m_workspace->root()},
                        {kSessionFolders, QJsonArray::fromStringList(m_workspace->roots())},
                        {kDefinition, m_workspace->currentDefinition()},
                        {kSolution, m_workspace->currentSolution()},
                        {kTabs, tabs},
                        {kDefinitionControls, controlState(m_definitionPage)},
                        {kLeaderboardControls, controlState(m_leaderboard)},
                        {kTreeControls, controlState(m_datasetPanel)},
                        {kExpanded, QJsonArray::fromStringList(m_datasetPanel->expandedKeys())}};
    if (m_tabs->currentIndex() < kFixedTabs)
        session.insert(kCurrentTab, m_tabs->currentIndex());
    return session;
}

void MainWindow::openTabs(const QJsonArray& tabs)
{
    QWidget* current = nullptr;
    for (const QJsonValue& value : tabs) {
        const QJsonObject entry = value.toObject();
        const QString kind = entry.value(kKind).toString();
        const QString name = entry.value(kName).toString();
        const auto dataset = m_workspace->dataset();
        if (kind == u"solution" && dataset->findSolution(name.toStdString())) {
            showSolution(name);
        } else if (kind == u"comparison") {
            showComparison(name, entry.value(kRival).toString());
        } else if (kind == u"tensors") {
            const QString definition = entry.value(kDefinition).toString();
            for (const Trace& line : dataset->workloadsOf(definition.toStdString()))
                if (line.workload.uuid == name.toStdString()) {
                    showTensors(definition, line.workload);
                    break;
                }
        } else if (kind == u"file" && QFileInfo(name).isFile()) {
            viewFile(name);
        } else if (kind == u"results") {
            compareResults();
            if (m_resultsToOpen)
                resultsPage()->setChoice(*std::exchange(m_resultsToOpen, std::nullopt));
        } else if (QWidget* page = kind == u"tool" ? openToolPage(static_cast<Page>(entry.value(kName).toInt())) : nullptr) {
            m_tabs->setCurrentWidget(page);
        } else {
            continue;   // it is gone
        }
        if (entry.value(kCurrentTab).toBool())
            current = m_tabs->currentWidget();
    }
    if (current)
        m_tabs->setCurrentWidget(current);
}

void MainWindow::restoreSession(const QJsonObject& session)
{
    if (session.isEmpty())
        return;
    const bool navigating = std::exchange(m_navigating, true);   // nobody went anywhere
    if (const QString definition = session.value(kDefinition).toString(); m_workspace->dataset()->findDefinition(definition.toStdString()))
        m_workspace->setCurrentDefinition(definition);
    openTabs(session.value(kTabs).toArray());
    if (const QString solution = session.value(kSolution).toString(); m_workspace->dataset()->findSolution(solution.toStdString()))
        m_workspace->setCurrentSolution(solution);
    if (const QString definition = session.value(kDefinition).toString(); m_workspace->dataset()->findDefinition(definition.toStdString()))
        m_workspace->setCurrentDefinition(definition);
    restoreControls(m_datasetPanel, session.value(kTreeControls).toObject(), ControlGroup::All);
    QStringList expanded;
    for (const QJsonValue& key : session.value(kExpanded).toArray())
        expanded << key.toString();
    m_datasetPanel->setExpandedKeys(expanded);
    restoreControls(m_definitionPage, session.value(kDefinitionControls).toObject(), ControlGroup::All);
    restoreControls(m_leaderboard, session.value(kLeaderboardControls).toObject(), ControlGroup::All);
    if (const int tab = session.value(kCurrentTab).toInt(-1); tab >= 0 && tab < kFixedTabs)
        m_tabs->setCurrentIndex(tab);
    m_navigating = navigating;

    // What follows from the data unless it was set, once the data are shown.
    if (!m_restoreTimer) {
        m_restoreTimer = new QTimer(this);
        m_restoreTimer->setInterval(kRestorePollMs);
    }
    m_restoreTimer->disconnect();
    connect(m_restoreTimer, &QTimer::timeout, this, [this, session, polls = 0]() mutable {
        const bool isBusy = m_workspace->isLoading() || m_definitionPage->isBusy() || m_leaderboard->isBusy();
        if (isBusy && ++polls < kRestorePolls)
            return;
        m_restoreTimer->stop();
        restoreControls(m_definitionPage, session.value(kDefinitionControls).toObject(), ControlGroup::Following);
        restoreControls(m_leaderboard, session.value(kLeaderboardControls).toObject(), ControlGroup::Following);
    });
    m_restoreTimer->start();
}

bool MainWindow::reopenSession()
{
    const QJsonObject session = Settings::session();
    QStringList folders;
    for (const QJsonValue& folder : session.value(kSessionFolders).toArray(QJsonArray{session.value(kSessionRoot)}))
        folders << folder.toString();
    if (folders.isEmpty() || !std::all_of(folders.begin(), folders.end(), [](const QString& folder) { return !folder.isEmpty() && QFileInfo(folder).isDir(); }))
        return false;
    m_sessionToRestore = session;
    openTogether(folders);
    return true;
}

void MainWindow::buildLayoutMenu(QMenu* view)
{
    m_layoutMenu = view->addMenu(tr("La&youts"));
    connect(m_layoutMenu, &QMenu::aboutToShow, this, &MainWindow::rebuildLayoutMenu);
    rebuildLayoutMenu();
}

void MainWindow::rebuildLayoutMenu()
{
    m_layoutMenu->clear();
    m_layoutMenu->addAction(m_saveLayoutAction);
    const QStringList names = Settings::layoutNames();
    if (names.isEmpty())
        return;
    m_layoutMenu->addSeparator();
    for (const QString& name : names) {
        QAction* choose = m_layoutMenu->addAction(withoutMnemonic(shortened(visibleText(name), kLongestLayoutName)), this, [this, name] { applyLayout(name); });
        choose->setToolTip(tr("Put the panes where they were when this layout was saved"));
    }
    m_layoutMenu->addSeparator();
    QMenu* remove = m_layoutMenu->addMenu(tr("&Delete layout"));
    remove->setToolTipsVisible(true);
    for (const QString& name : names) {
        QAction* action = remove->addAction(withoutMnemonic(shortened(visibleText(name), kLongestLayoutName)), this, [this, name] { deleteLayout(name); });
        action->setToolTip(tr("Forget this layout, after a question"));
    }
}

void MainWindow::deleteLayout(const QString& name)
{
    auto* question = new QMessageBox(QMessageBox::Question, tr("Delete layout"),
                                     tr("The layout %1 will be gone for good.").arg(shortened(visibleText(name), kLongestLayoutName)), QMessageBox::Cancel, this);
    question->setAttribute(Qt::WA_DeleteOnClose);
    question->setTextFormat(Qt::PlainText);
    QPushButton* remove = question->addButton(tr("&Delete layout"), QMessageBox::DestructiveRole);
    connect(remove, &QPushButton::clicked, this, [name] { Settings::removeLayout(name); });
    question->open();
}

void MainWindow::saveLayoutAs()
{
    auto* dialog = new QInputDialog(this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setObjectName(QStringLiteral("layoutName"));
    dialog->setWindowTitle(tr("Save layout"));
    dialog->setLabelText(tr("Name of the layout (one of the same name is replaced):"));
    dialog->setInputMode(QInputDialog::TextInput);
    connect(dialog, &QInputDialog::textValueSelected, this, [this](const QString& text) {
        const QString name = text.simplified().left(kLongestLayoutName);
        if (!name.isEmpty())
            Settings::setLayout(name, saveState(Settings::kLayoutVersion));
    });
    dialog->open();
}

void MainWindow::applyLayout(const QString& name)
{
    const QByteArray layout = Settings::layout(name);
    if (!m_hasPanes) {   // for the dataset to come
        m_layoutToShow = layout;
        return;
    }
    m_detailsWait = false;
    if (!restoreState(layout, Settings::kLayoutVersion))
        m_notice->showError(tr("The layout %1 is of another version of Tracedeck and cannot be used.").arg(shortened(visibleText(name), kLongestLayoutName)));
}

}  // namespace tracedeck::ui
