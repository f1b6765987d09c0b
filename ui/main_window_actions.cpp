// SPDX-License-Identifier: GPL-3.0-or-later
// The actions of the window and where they are offered: menus, tool bar, search.
#include <QAction>
#include <QActionGroup>
#include <QApplication>
#include <QComboBox>
#include <QDockWidget>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QTableView>
#include <QTabWidget>
#include <QToolBar>
#include <QToolButton>
#include <utility>

#include "ui/dialogs/about_dialog.h"
#include "ui/dialogs/doctor_dialog.h"
#include "ui/dialogs/keyboard_dialog.h"
#include "ui/dialogs/running_settings.h"
#include "ui/dialogs/settings_dialog.h"
#include "ui/main_window.h"
#include "ui/models/policy_text.h"
#include "ui/models/search_model.h"
#include "ui/models/workspace.h"
#include "ui/pages/board_page.h"
#include "ui/pages/charts_page.h"
#include "ui/pages/compare_page.h"
#include "ui/pages/dataset_panel.h"
#include "ui/pages/definition_page.h"
#include "ui/pages/diff_view.h"
#include "ui/pages/errors_page.h"
#include "ui/pages/failures_page.h"
#include "ui/pages/fast_p_page.h"
#include "ui/pages/heat_map_page.h"
#include "ui/pages/history_page.h"
#include "ui/pages/leaderboard_page.h"
#include "ui/pages/report_exporter.h"
#include "ui/pages/results_page.h"
#include "ui/pages/search_box.h"
#include "ui/pages/start_page.h"
#include "ui/pages/table_tools.h"
#include "ui/pages/traces_page.h"
#include "ui/run/past_runs_page.h"
#include "ui/run/run_controller.h"
#include "ui/run/run_panel.h"
#include "ui/run/run_settings.h"
#include "ui/settings/recent_datasets.h"
#include "ui/settings/settings.h"
#include "ui/style/icons.h"
#include "ui/style/labels.h"
#include "ui/style/name_box.h"
#include "ui/style/primary_button.h"
#include "ui/style/text.h"

namespace tracedeck::ui {
namespace {

constexpr int kSearchWidth = 420;
constexpr int kBoxWidth = 148;
/// Letters of a folder in a menu.
constexpr qsizetype kLongestRecent = 100;

}  // namespace

QAction* MainWindow::addNamed(const QString& name, const QString& text, const QString& iconName, const QKeySequence& keys, const QString& tip)
{
    auto* action = new QAction(text, this);
    action->setObjectName(name);
    if (!iconName.isEmpty())
        action->setIcon(icon(iconName));
    action->setShortcut(keys);
    action->setToolTip(keys.isEmpty() ? tip : tr("%1 (%2)").arg(tip, keys.toString(QKeySequence::NativeText)));
    action->setStatusTip(tip);
    addAction(action);
    return action;
}

template <class Slot>
QAction* MainWindow::addNamed(const QString& name, const QString& text, const QString& iconName, const QKeySequence& keys, const QString& tip,
                         Slot slot)
{
    QAction* action = addNamed(name, text, iconName, keys, tip);
    connect(action, &QAction::triggered, this, slot);
    return action;
}

void MainWindow::buildActions()
{
    const auto key = [](QKeySequence::StandardKey standard) { return QKeySequence(standard); };
    m_openAction = addNamed(QStringLiteral("openAction"), tr("&Open folder…"), QStringLiteral("open"), key(QKeySequence::Open),
                       tr("Open a dataset folder"), [this] { chooseFolder(false); });
    m_newWindowAction = addNamed(QStringLiteral("newWindowAction"), tr("Open in a new &window…"), QStringLiteral("open"),
                            QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_N), tr("Open a dataset folder in a window beside this one"),
                            [this] { chooseFolder(true); });
    m_sampleAction = addNamed(QStringLiteral("openSampleAction"), tr("Open &sample"), QStringLiteral("sample"), {},
                         tr("Open the small dataset that comes with Tracedeck"), [this] { openPath(StartPage::samplePath()); });
    m_sampleAction->setEnabled(!StartPage::samplePath().isEmpty());
    m_reloadAction = addNamed(QStringLiteral("reloadAction"), tr("&Reload"), QStringLiteral("reload"), QKeySequence(Qt::Key_F5),
                         tr("Read the dataset folder again"), [this] { m_workspace->reload(); });
    buildFileActions();
    m_closeTabAction = addNamed(QStringLiteral("closeTabAction"), tr("Close &tab"), QStringLiteral("close"), QKeySequence(Qt::CTRL | Qt::Key_W),
                           tr("Close the tab that is shown"), [this] { closeTab(m_tabs->currentIndex()); });
    m_quitAction = addNamed(QStringLiteral("quitAction"), tr("&Quit"), {}, QKeySequence(Qt::CTRL | Qt::Key_Q), tr("Close Tracedeck"), [this] { close(); });

    m_findAction = addNamed(QStringLiteral("findAction"), tr("&Find in page"), QStringLiteral("search"), key(QKeySequence::Find),
                       tr("Find in the page that is shown"), &MainWindow::findInPage);
    m_findNextAction = addNamed(QStringLiteral("findNextAction"), tr("Find &next"), QStringLiteral("down"), QKeySequence(Qt::Key_F3),
                           tr("The next place with the text that was looked for"), [this] { findAgain(false); });
    m_findPreviousAction = addNamed(QStringLiteral("findPreviousAction"), tr("Find pre&vious"), QStringLiteral("up"), QKeySequence(Qt::SHIFT | Qt::Key_F3),
                               tr("The place before with the text that was looked for"), [this] { findAgain(true); });
    m_filterAction = addNamed(QStringLiteral("filterDatasetAction"), tr("Filter the &dataset"), QStringLiteral("filter"),
                         QKeySequence(Qt::CTRL | Qt::Key_L), tr("Go to the filter of the dataset tree"), [this] {
                             m_datasetDock->show();
                             m_datasetPanel->focusFilter();
                         });
    m_searchAction = addNamed(QStringLiteral("searchAction"), tr("&Search everything"), QStringLiteral("search"), QKeySequence(Qt::CTRL | Qt::Key_K),
                         tr("Search actions, names, tags, authors, sources and logs"), [this] {
                             m_search->setFocus(Qt::ShortcutFocusReason);
                             m_search->selectAll();
                         });
    m_untickAction = addNamed(QStringLiteral("untickAction"), tr("&Untick everything"), {}, QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_U),
                         tr("Select nothing for a run"), [this] { m_workspace->setSelection({}); });
    m_copyJsonAction = addNamed(QStringLiteral("copyDefinitionAction"), tr("Copy definition as &JSON"), QStringLiteral("copy"),
                           QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_J), tr("Copy the definition as the JSON of its file"),
                           [this] { m_definitionPage->copyJson(); });
    m_settingsAction = addNamed(QStringLiteral("settingsAction"), tr("Se&ttings…"), QStringLiteral("settings"), QKeySequence(Qt::CTRL | Qt::Key_Comma),
                           tr("Theme, font, Python interpreter, CUDA Toolkit, confinement and caches"), &MainWindow::showSettings);

    m_columnsAction = addNamed(QStringLiteral("chooseColumnsAction"), tr("Choose &columns"), {}, QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_K),
                               tr("Which columns the table on this page shows"), [this] {
                                   if (TableTools* tools = currentTools())
                                       tools->chooseColumns();
                               });
    m_resetLayoutAction = addNamed(QStringLiteral("resetLayoutAction"), tr("&Reset layout"), {}, {}, tr("Put all panes back where they belong"),
                              &MainWindow::resetLayout);
    m_saveLayoutAction = addNamed(QStringLiteral("saveLayoutAction"), tr("&Save layout…"), {}, QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_L),
                             tr("Keep where the panes are now, under a name"), &MainWindow::saveLayoutAs);
    m_biggerAction = addNamed(QStringLiteral("biggerFontAction"), tr("&Bigger text"), {}, key(QKeySequence::ZoomIn), tr("Bigger text everywhere"),
                         [this] { setFontStep(Settings::fontStep() + 1); });
    m_smallerAction = addNamed(QStringLiteral("smallerFontAction"), tr("S&maller text"), {}, key(QKeySequence::ZoomOut), tr("Smaller text everywhere"),
                          [this] { setFontStep(Settings::fontStep() - 1); });
    m_normalSizeAction = addNamed(QStringLiteral("normalFontAction"), tr("&Normal text size"), {}, QKeySequence(Qt::CTRL | Qt::Key_0),
                             tr("Text in the system's size"), [this] { setFontStep(0); });
    m_fullScreenAction = addNamed(QStringLiteral("fullScreenAction"), tr("&Full screen"), {}, QKeySequence(Qt::Key_F11), tr("Use the whole screen"),
                             [this] { setWindowState(windowState() ^ Qt::WindowFullScreen); });

    buildRunActions();

    m_compareAction = addNamed(QStringLiteral("compareAction"), tr("Compare so&urces"), QStringLiteral("compare"), QKeySequence(Qt::CTRL | Qt::Key_D),
                          tr("The sources of two solutions side by side"), &MainWindow::compareSources);
    m_compareResultsAction = addNamed(QStringLiteral("compareResultsAction"), tr("Compare r&esults…"), QStringLiteral("results"), QKeySequence(Qt::CTRL | Qt::Key_E),
                                 tr("The results of two datasets, runs, GPUs, authors or solutions: what is faster, slower, now failing"), &MainWindow::compareResults);
    m_tensorsAction = addNamed(QStringLiteral("tensorsAction"), tr("Tensors of the wor&kload"), QStringLiteral("workloads"), QKeySequence(Qt::CTRL | Qt::Key_T),
                          tr("Shape, source and values of every input of the workload in hand"), &MainWindow::showCurrentTensors);
    m_definitionPage->offerForWorkloads(m_tensorsAction);
    m_nextDifferenceAction = addNamed(QStringLiteral("nextDifferenceAction"), tr("&Next difference"), QStringLiteral("down"), QKeySequence(Qt::Key_F8),
                                 tr("Go to the next difference of the comparison"), [this] {
                                     if (ComparePage* page = currentComparePage())
                                         page->view()->goToNextDifference();
                                 });
    m_previousDifferenceAction = addNamed(QStringLiteral("previousDifferenceAction"), tr("&Previous difference"), QStringLiteral("up"),
                                     QKeySequence(Qt::SHIFT | Qt::Key_F8), tr("Go to the previous difference of the comparison"), [this] {
                                         if (ComparePage* page = currentComparePage())
                                             page->view()->goToPreviousDifference();
                                     });
    updateDifferenceActions();
    buildProblemActions();
    buildDiagnoseActions();
    buildPinActions();
    buildFigureActions();
    buildBoardActions();
    m_backAction = addNamed(QStringLiteral("backAction"), tr("&Back"), QStringLiteral("back"), QKeySequence(Qt::ALT | Qt::Key_Left),
                       tr("Back to where you were"), [this] { goTo(m_history.back()); });
    m_forwardAction = addNamed(QStringLiteral("forwardAction"), tr("&Forward"), QStringLiteral("forward"), QKeySequence(Qt::ALT | Qt::Key_Right),
                          tr("Forward again"), [this] { goTo(m_history.forward()); });
    m_backAction->setEnabled(false);
    m_forwardAction->setEnabled(false);
    struct PageText {
        Page page;
        const char* name;
        QString text;
        const char* iconName;
        Qt::Key key;
    };
    for (const PageText& page : {PageText{Page::Overview, "goOverview", tr("&Overview"), "overview", Qt::Key_1},
                                 PageText{Page::Code, "goCode", tr("Solution &code"), "code", Qt::Key_2},
                                 PageText{Page::Workloads, "goWorkloads", tr("&Workloads"), "workloads", Qt::Key_3},
                                 PageText{Page::Traces, "goTraces", tr("&Traces"), "traces", Qt::Key_4},
                                 PageText{Page::Charts, "goCharts", tr("C&harts"), "charts", Qt::Key_5},
                                 PageText{Page::Leaderboard, "goLeaderboard", tr("&Leaderboard"), "leaderboard", Qt::Key_6},
                                 PageText{Page::Run, "goRuns", tr("&Runs"), "runs", Qt::Key_7},
                                 PageText{Page::HeatMap, "goHeatMap", tr("Heat &map"), "heatmap", Qt::Key_8},
                                 PageText{Page::FastP, "goFastP", tr("f&ast_p curves"), "fastp", Qt::Key_9},
                                 PageText{Page::History, "goHistory", tr("H&istory"), "history", Qt::Key_unknown},
                                 PageText{Page::Errors, "goErrors", tr("Error&s"), "errors", Qt::Key_unknown},
                                 PageText{Page::Board, "goBoard", tr("Chart boar&d"), "board", Qt::Key_unknown},
                                 PageText{Page::Failures, "goFailures", tr("Failures, &grouped"), "status-error", Qt::Key_unknown}}) {
        const QKeySequence keys = page.key == Qt::Key_unknown ? QKeySequence() : QKeySequence(Qt::CTRL | page.key);
        m_pageActions << addNamed(QString::fromLatin1(page.name), page.text, QString::fromLatin1(page.iconName), keys,
                             tr("Go to this page"), [this, target = page.page] { showPage(target); });
    }

    m_definitionPage->offerWhenEmpty({m_openAction, m_sampleAction, m_reloadAction, m_problemsDock->toggleViewAction()});
    m_keyboardAction = addNamed(QStringLiteral("keyboardAction"), tr("&Keyboard map"), QStringLiteral("keyboard"), QKeySequence(Qt::Key_F1),
                           tr("All keys"), &MainWindow::showKeyboardMap);
    m_doctorAction = addNamed(QStringLiteral("doctorAction"), tr("What this machine can run (&doctor)"), QStringLiteral("doctor"), {},
                         tr("GPU, compilers, Python and its packages: what is there, what is missing"), &MainWindow::showDoctor);
    m_aboutAction = addNamed(QStringLiteral("aboutAction"), tr("&About Tracedeck"), QStringLiteral("info"), {}, tr("Version and licence"),
                        &MainWindow::showAbout);
}

void MainWindow::buildMenus()
{
    QMenu* file = menuBar()->addMenu(tr("&File"));
    file->addAction(m_newDatasetAction);
    file->addAction(m_openAction);
    file->addAction(m_newWindowAction);
    file->addAction(m_mergeAction);
    file->addAction(m_sampleAction);
    m_recentMenu = file->addMenu(icon(QStringLiteral("recent")), tr("Open re&cent"));
    file->addAction(m_reloadAction);
    file->addSeparator();
    file->addAction(m_addImplementationAction);
    file->addActions({m_viewFileAction, m_pasteAction});
    file->addSeparator();
    file->addAction(m_importAction);
    m_exportMenu = file->addMenu(icon(QStringLiteral("export")), tr("&Export"));
    m_reportExporter = new ReportExporter(m_workspace, this);
    file->addSeparator();
    file->addAction(m_closeTabAction);
    file->addAction(m_quitAction);
    buildEditMenu();
    buildViewMenu();
    buildRunMenu();
    buildDiagnoseMenu();
    buildProblemsMenu();
    buildGoMenu();
    buildHelpMenu();
    for (QMenu* menu : findChildren<QMenu*>())
        menu->setToolTipsVisible(true);
}

void MainWindow::buildEditMenu()
{
    QMenu* edit = m_editMenu = menuBar()->addMenu(tr("&Edit"));
    // The find action of the traces would compete with the window's for Ctrl+F.
    for (QAction* action : m_definitionPage->tracesPage()->actions())
        if (action->shortcut() == m_findAction->shortcut())
            action->setShortcut({});
    edit->addAction(m_copyJsonAction);
    edit->addSeparator();
    edit->addActions({m_findAction, m_findNextAction, m_findPreviousAction});
    edit->addAction(m_filterAction);
    edit->addAction(m_searchAction);
    edit->addSeparator();
    edit->addActions({m_untickAction, m_unmarkAction});
    edit->addSeparator();
    edit->addActions({m_formulaAction, m_ceilingsAction});
    edit->addSeparator();
    edit->addAction(m_settingsAction);
}

void MainWindow::buildViewMenu()
{
    QMenu* view = menuBar()->addMenu(tr("&View"));
    QMenu* theme = view->addMenu(icon(QStringLiteral("theme")), tr("&Theme"));
    m_themeGroup = new QActionGroup(this);
    for (const auto& [choice, name, text] : {std::tuple{ThemeChoice::System, "themeSystem", tr("Like the &system")},
                                             std::tuple{ThemeChoice::Light, "themeLight", tr("&Light")},
                                             std::tuple{ThemeChoice::Dark, "themeDark", tr("&Dark")}}) {
        QAction* action = theme->addAction(text);
        action->setObjectName(QString::fromLatin1(name));
        action->setCheckable(true);
        action->setData(static_cast<int>(choice));
        action->setToolTip(tr("Colours of the window"));
        action->setChecked(choice == Settings::theme());
        m_themeGroup->addAction(action);
    }
    connect(m_themeGroup, &QActionGroup::triggered, this, [this](const QAction* action) {
        const auto choice = static_cast<ThemeChoice>(action->data().toInt());
        Settings::setTheme(choice);
        applyTheme(choice);
    });
    buildLanguageMenu(view);
    view->addSeparator();
    const std::array docks{std::pair{m_datasetDock, Qt::Key_D}, std::pair{m_detailsDock, Qt::Key_I}, std::pair{m_runsDock, Qt::Key_R},
                           std::pair{m_problemsDock, Qt::Key_P}};
    for (const auto& [dock, dockKey] : docks) {
        QAction* toggle = dock->toggleViewAction();
        toggle->setShortcut(QKeySequence(Qt::CTRL | Qt::SHIFT | dockKey));
        toggle->setToolTip(tr("Show or hide this pane"));
        view->addAction(toggle);
    }
    view->addAction(m_columnsAction);
    view->addActions({m_addToBoardAction, m_noteAction});
    buildPinMenu(view);
    buildLayoutMenu(view);
    view->addAction(m_resetLayoutAction);
    view->addSeparator();
    view->addActions({m_biggerAction, m_smallerAction, m_normalSizeAction});
    view->addSeparator();
    view->addAction(m_fullScreenAction);
}

void MainWindow::buildLanguageMenu(QMenu* view)
{
    QMenu* menu = view->addMenu(tr("&Language"));
    auto* group = new QActionGroup(menu);
    // Languages name themselves, so that everyone finds the way back.
    for (const auto& [language, name, text] : {std::tuple{WindowLanguage::System, "languageSystem", tr("Like the &system")},
                                               std::tuple{WindowLanguage::English, "languageEnglish", QStringLiteral("&English")},
                                               std::tuple{WindowLanguage::SimplifiedChinese, "languageChinese", QStringLiteral("简体中文(&C)")}}) {
        QAction* action = menu->addAction(text);
        action->setObjectName(QString::fromLatin1(name));
        action->setCheckable(true);
        action->setToolTip(tr("Language of the window; a run goes on meanwhile"));
        action->setChecked(language == Settings::language());
        group->addAction(action);
        connect(action, &QAction::triggered, this, [this, chosen = language] { emit languageChosen(chosen); });
    }
}

void MainWindow::buildGoMenu()
{
    QMenu* go = menuBar()->addMenu(tr("&Go"));
    go->addAction(m_backAction);
    go->addAction(m_forwardAction);
    go->addSeparator();
    go->addActions(m_pageActions);
    go->addSeparator();
    go->addActions({m_judgedSourceAction, m_tensorsAction, m_compareResultsAction, m_compareAction, m_nextDifferenceAction, m_previousDifferenceAction});
}

void MainWindow::buildHelpMenu()
{
    QMenu* help = menuBar()->addMenu(tr("&Help"));
    help->addAction(m_keyboardAction);
    help->addAction(m_doctorAction);
    help->addSeparator();
    help->addAction(m_aboutAction);
}

void MainWindow::buildToolBar()
{
    QToolBar* bar = addToolBar(tr("Tools"));
    bar->setObjectName(QStringLiteral("mainToolBar"));
    bar->setMovable(false);
    bar->setContextMenuPolicy(Qt::PreventContextMenu);
    auto* open = new QToolButton(bar);
    open->setDefaultAction(m_openAction);
    open->setText(tr("Open"));
    open->setAccessibleName(tr("Open a dataset folder"));
    open->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    open->setMenu(m_recentMenu);
    open->setPopupMode(QToolButton::MenuButtonPopup);
    bar->addWidget(open);
    bar->addAction(m_reloadAction);
    bar->addAction(m_backAction);
    bar->addAction(m_forwardAction);
    bar->addSeparator();

    m_search = new SearchBox(m_workspace, bar);
    m_search->setObjectName(QStringLiteral("searchEdit"));
    m_search->setAccessibleName(tr("Search everything"));
    m_search->setPlaceholderText(tr("Search everything … (Ctrl+K)"));
    m_search->setToolTip(tr("Search actions, names, tags, authors, sources and logs (Ctrl+K)"));
    m_search->setClearButtonEnabled(true);
    m_search->addAction(icon(QStringLiteral("search")), QLineEdit::LeadingPosition);
    m_search->setMaximumWidth(kSearchWidth);
    QList<QAction*> named;
    for (QAction* action : actions())
        if (!action->objectName().isEmpty() && action != m_searchAction)
            named << action;
    m_search->model()->setActions(named);
    connect(m_search, &SearchBox::hitActivated, this, &MainWindow::goToHit);
    connect(m_search, &SearchBox::nothingActivated, this, &MainWindow::filterTreeBy);
    bar->addWidget(m_search);

    auto* gap = new QWidget(bar);
    gap->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    bar->addWidget(gap);
    buildComparisonBoxes(bar);
    bar->addSeparator();
    m_runButton = new PrimaryButton(icon(QStringLiteral("run")), tr("&Run selected"), bar);
    m_runButton->setObjectName(QStringLiteral("runSelectedToolButton"));
    connect(m_runButton, &QPushButton::clicked, m_runAction, &QAction::trigger);
    bar->addWidget(m_runButton);
}

void MainWindow::buildComparisonBoxes(QToolBar* bar)
{
    const auto addBox = [this, bar](const QString& name, const QString& label, const QString& tip) {
        auto* caption = new MutedLabel(label, bar);
        caption->setContentsMargins(Space::kNormal, 0, Space::kTight, 0);
        auto* box = new NameBox(tip, bar);
        box->setObjectName(name);
        box->setAccessibleName(label);
        box->setPlaceholderText(tr("none"));
        box->setMaximumWidth(kBoxWidth);
        bar->addWidget(caption);
        bar->addWidget(box);
        return box;
    };
    m_baselineBox = addBox(QStringLiteral("baselineBox"), tr("Baseline"), tr("Author that rankings and ratios are measured against"));
    m_hardwareBox = addBox(QStringLiteral("hardwareBox"), tr("GPU"), tr("Show traces of this hardware only"));
    m_policyBox = addBox(QStringLiteral("policyBox"), tr("Use"), tr("Which trace counts when a pair was measured several times"));
    for (const auto policy : kPolicies) {
        m_policyBox->addItem(policyTitle(policy), static_cast<int>(policy));
        m_policyBox->setItemData(m_policyBox->count() - 1, plainToolTip(policySentence(policy)), Qt::ToolTipRole);
    }
    connect(m_baselineBox, &QComboBox::activated, this, [this] { m_workspace->setBaselineAuthor(m_baselineBox->currentData().toString()); });
    connect(m_hardwareBox, &QComboBox::activated, this, [this] { m_workspace->setHardware(m_hardwareBox->currentData().toString()); });
    connect(m_policyBox, &QComboBox::activated, this,
            [this] { m_workspace->setPolicy(static_cast<SelectionPolicy>(m_policyBox->currentData().toInt())); });
}

void MainWindow::rebuildRecentMenu()
{
    m_recentMenu->clear();
    const QList<RecentDataset> recents = RecentDatasets::all();
    for (const RecentDataset& recent : recents) {
        QAction* action = m_recentMenu->addAction(withoutMnemonic(shortened(visibleText(recent.path), kLongestRecent)), this,
                                                  [this, path = recent.path] { openPath(path); });
        action->setToolTip(plainToolTip(recent.path));
    }
    if (recents.isEmpty()) {
        QAction* none = m_recentMenu->addAction(tr("No folder was open before"));
        none->setToolTip(tr("Folders that you open are listed here"));
        none->setEnabled(false);
        return;
    }
    m_recentMenu->addSeparator();
    QAction* forget = m_recentMenu->addAction(tr("&Forget all"), this, [this] {
        RecentDatasets::clear();
        m_startPage->refreshRecent();
        // Not while the menu is still sending this signal.
        QMetaObject::invokeMethod(this, &MainWindow::rebuildRecentMenu, Qt::QueuedConnection);
    });
    forget->setToolTip(tr("Empty this list; the folders stay as they are"));
}

TableTools* MainWindow::currentTools() const
{
    if (m_tabs->currentIndex() == kLeaderboardTab)
        return m_leaderboard->tools();
    if (const ResultsPage* results = currentResultsPage())
        return results->tools();
    if (const auto* fastP = currentToolPage<FastPPage>())
        return fastP->tools();
    if (const auto* failures = currentToolPage<FailuresPage>())
        return failures->tools();
    if (const auto* runs = currentToolPage<PastRunsPage>())
        return runs->tools();
    return m_tabs->currentIndex() == kDefinitionTab ? m_definitionPage->currentTools() : nullptr;
}

/// What the menus offer for the table of the page.
void MainWindow::updateTableActions()
{
    rebuildExportMenu();
    const TableTools* tools = currentTools();
    m_columnsAction->setEnabled(tools != nullptr);
    for (QAction* action : std::exchange(m_tableActions, tools ? QList<QAction*>{tools->copyAction(), tools->copyFullAction()} : QList<QAction*>()))
        m_editMenu->removeAction(action);
    m_editMenu->insertActions(m_copyJsonAction, m_tableActions);
}

void MainWindow::rebuildExportMenu()
{
    m_exportMenu->clear();
    QList<QAction*> ofPage;
    switch (currentPage()) {
    case Page::Charts: ofPage = m_definitionPage->chartsPage()->exportActions(); break;
    case Page::HeatMap: ofPage = m_definitionPage->heatMapPage()->exportActions(); break;
    case Page::Errors: ofPage = m_definitionPage->errorsPage()->exportActions(); break;
    case Page::Board: ofPage = currentToolPage<BoardPage>()->exportActions(); break;
    case Page::Leaderboard: ofPage = m_leaderboard->exportActions(); break;
    case Page::Results: ofPage = currentResultsPage()->exportActions(); break;
    case Page::FastP: ofPage = currentToolPage<FastPPage>()->exportActions(); break;
    case Page::History: ofPage = currentToolPage<HistoryPage>()->exportActions(); break;
    case Page::Traces: break;   // those of the traces are always there
    default:
        if (const TableTools* tools = currentTools())
            ofPage = {tools->exportAction()};
    }
    if (!ofPage.isEmpty()) {
        m_exportMenu->addActions(ofPage);
        m_exportMenu->addSeparator();
    }
    QList<QAction*> ofTraces = m_definitionPage->tracesPage()->exportActions();
    if (currentPage() != Page::Traces)
        ofTraces.removeOne(m_definitionPage->tracesPage()->tools()->exportAction());   // one table at a time
    m_exportMenu->addActions(ofTraces);
    m_exportMenu->addSeparator();
    m_exportMenu->addActions({m_reportExporter->datasetAction(), m_reportExporter->definitionAction()});
    m_exportMenu->addSeparator();
    m_exportMenu->addAction(m_exportResultsAction);
}

void MainWindow::chooseFolder(bool inNewWindow)
{
    const QList<RecentDataset> recents = RecentDatasets::all();
    const QString start = m_workspace->isOpen() ? m_workspace->roots().constFirst() : recents.isEmpty() ? QString() : recents.front().path;
    auto* chooser = new QFileDialog(this, tr("Open a dataset folder"), start);
    chooser->setAttribute(Qt::WA_DeleteOnClose);
    chooser->setFileMode(QFileDialog::Directory);
    chooser->setOption(QFileDialog::ShowDirsOnly);
    connect(chooser, &QFileDialog::fileSelected, this, inNewWindow ? &MainWindow::windowWanted : &MainWindow::openPath);
    chooser->open();
}

void MainWindow::showKeyboardMap()
{
    auto* dialog = new KeyboardDialog(menuBar(), findChildren<QAction*>(), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->show();
}

void MainWindow::showSettings()
{
    auto* dialog = new SettingsDialog(m_pythonOption, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->running()->setRunning(m_controller->isRunning());
    connect(m_controller, &RunController::started, dialog->running(), [dialog] { dialog->running()->setRunning(true); });
    connect(m_controller, &RunController::finished, dialog->running(), [dialog] { dialog->running()->setRunning(false); });
    connect(dialog, &SettingsDialog::themeChanged, this, &MainWindow::applyTheme);
    connect(dialog, &SettingsDialog::languageChanged, this, &MainWindow::languageChosen);
    connect(dialog, &SettingsDialog::fontStepChanged, this, &MainWindow::setFontStep);
    connect(dialog, &SettingsDialog::pythonChanged, this, [this](const QString& interpreter) {
        m_runPanel->setPythonSetting(interpreter.isEmpty() ? m_pythonOption : interpreter);
        m_startPage->setPython(interpreter, m_pythonOption);
    });
    dialog->show();
}

void MainWindow::showDoctor()
{
    auto* dialog = new DoctorDialog(Settings::pythonInterpreter(), m_pythonOption, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->show();
}

void MainWindow::showAbout()
{
    auto* dialog = new AboutDialog(this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->show();
}

}  // namespace tracedeck::ui
