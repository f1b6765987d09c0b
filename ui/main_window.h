// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QJsonObject>
#include <QMainWindow>
#include <QTabWidget>
#include <functional>
#include <optional>

#include "core/run/run_event.h"
#include "core/run/run_record.h"
#include "core/run/run_request.h"
#include "core/score/pins.h"
#include "core/store/search.h"
#include "ui/models/comparison_choice.h"
#include "ui/models/navigation_history.h"
#include "ui/settings/language.h"
#include "ui/style/theme.h"

class QActionGroup;
class QDockWidget;
class QLabel;
class QMenu;
class QProgressBar;
class QStackedWidget;
class QTabWidget;
class QTimer;
class QToolButton;

namespace tracedeck::ui {

class BoardPage;
class ComparePage;
class DatasetPanel;
class DefinitionPage;
class DiagnosePage;
class DuelPage;
class FailuresPage;
class FastPPage;
class HistoryPage;
class ElidedLabel;
class LatestJob;
class LeaderboardPage;
class LoadBar;
class NameBox;
class NoticeBar;
class PastRunsPage;
class PrimaryButton;
class ProblemsPanel;
class ReportExporter;
class ResultsPage;
class RunController;
class RunNotifier;
class RunPanel;
class SearchBox;
class SolutionPage;
class StartPage;
class TableTools;
class TraceDetails;
class ViewerPage;
class WorkloadPage;
class Workspace;

/// The window: puts the pages and docks together, owns all actions, remembers its layout.
class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    enum class Page { Overview, Code, Workloads, Traces, Charts, Leaderboard, Run, Compare, Viewer, Results, HeatMap, FastP, History, Failures, Tensors, Diagnose, Duel, PastRuns, Errors, Board };
    Q_ENUM(Page)

    /// `pythonOption`: interpreter of --python, which counts when the settings name none.
    explicit MainWindow(const QString& pythonOption = {}, QWidget* parent = nullptr);
    /// Takes over the dataset, the run in progress and what is open in the predecessor, which is good for nothing but deletion
    /// then. Call announce() once it is gone.
    explicit MainWindow(MainWindow& predecessor);
    ~MainWindow() override;

    [[nodiscard]] Workspace* workspace() const { return m_workspace; }
    [[nodiscard]] RunController* runController() const { return m_controller; }
    [[nodiscard]] RunPanel* runPanel() const { return m_runPanel; }
    [[nodiscard]] DatasetPanel* datasetPanel() const { return m_datasetPanel; }
    [[nodiscard]] DefinitionPage* definitionPage() const { return m_definitionPage; }
    [[nodiscard]] LeaderboardPage* leaderboardPage() const { return m_leaderboard; }
    [[nodiscard]] TraceDetails* traceDetails() const { return m_details; }
    [[nodiscard]] ProblemsPanel* problemsPanel() const { return m_problems; }
    [[nodiscard]] Page currentPage() const;
    /// Names of --page: overview, code, workloads, traces, charts, leaderboard, run, compare, viewer, results, heatmap, fastp,
    /// history, failures, tensors, diagnose, duel, pastruns, errors, board.
    [[nodiscard]] static std::optional<Page> pageFromName(const QString& name);
    /// Nothing is loading and every query and chart that is shown has been answered: a picture taken now is final.
    [[nodiscard]] bool isSettled() const;
    /// Shows the definition, solution, workload (uuid) or op_type of this name. False when the dataset has none.
    bool select(const QString& name);

public slots:
    /// A folder as a dataset, a file in the viewer.
    void openPath(const QString& path);
    /// Folders as one dataset.
    void openTogether(const QStringList& folders);
    /// Opens again what was open when the last window closed, as it was left. False when nothing was, or it is gone.
    bool reopenSession();
    /// Shows a file in a tab of its own, at a line when it is not 0.
    void viewFile(const QString& path, qint64 line = 0);
    /// Shows a text that is no file in a tab of its own.
    void viewText(const QString& text, const QString& title);
    void showPage(Page page);
    void showSolution(const QString& name);
    /// The tensors of a workload in a tab of their own; `tensor`, when not empty, is chosen there.
    void showTensors(const QString& definition, const tracedeck::Workload& workload, const QString& tensor = {});
    /// The sources of two solutions side by side, in a tab of their own.
    void showComparison(const QString& left, const QString& right);
    /// The results of two sides compared, in a tab of their own: those that were compared last, else what is most probably wanted.
    void compareResults();
    void applyTheme(tracedeck::ui::ThemeChoice choice);
    /// Points added to the system's font size, kept in the settings.
    void setFontStep(int step);
    /// Fills the pages with what was taken over.
    void announce();
    /// Looks for a run that a crash ended, and offers to go on with it, above the pages.
    void offerToResume();
    /// What would be run, and how, in a dialog that need not be answered.
    void planRun();
    /// Runs what is left of a recorded run, or all of it; opens its dataset first when it is another one.
    void runRecorded(const tracedeck::ListedRun& run, tracedeck::RunPart part);
    /// Back to the layout of a first start.
    void resetLayout();

signals:
    /// A dataset was opened and its first definition is chosen; pages may still be filling.
    void datasetShown();
    /// The user wants another language: the window must be made anew.
    void languageChosen(tracedeck::ui::WindowLanguage language);
    /// The user wants this folder in a window beside this one.
    void windowWanted(const QString& path);
    /// Closed by the user; what it held is stored.
    void closed();

protected:
    void changeEvent(QEvent* event) override;
    void childEvent(QChildEvent* event) override;
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dragLeaveEvent(QDragLeaveEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    /// The tabs that are always there; solutions come after them.
    enum Tab : int { kDefinitionTab, kLeaderboardTab, kFixedTabs };
    static constexpr QLatin1String kSessionRoot{"root"};
    static constexpr QLatin1String kSessionFolders{"folders"};

    MainWindow(const QString& pythonOption, Workspace* workspace, RunController* controller, QWidget* parent);

    // main_window.cpp
    void buildCentre();
    void buildDocks();
    void updateTitle();
    void updateComparisonBoxes();
    void visitHere();
    void goTo(const std::optional<Place>& place);
    void closeTab(int index);
    [[nodiscard]] SolutionPage* currentSolutionPage() const;
    [[nodiscard]] ComparePage* currentComparePage() const;
    [[nodiscard]] ResultsPage* currentResultsPage() const;
    [[nodiscard]] ViewerPage* currentViewerPage() const;
    [[nodiscard]] WorkloadPage* currentWorkloadPage() const;
    void showCurrentTensors();
    void compareSources();
    /// The tab of this kind, made when it is not there.
    template <class Page> Page* toolPage(const QString& iconName, const QString& title, const QString& tip);
    template <class Page> [[nodiscard]] Page* currentToolPage() const { return qobject_cast<Page*>(m_tabs->currentWidget()); }
    ResultsPage* resultsPage();
    FastPPage* fastPPage();
    HistoryPage* historyPage();
    FailuresPage* failuresPage();
    BoardPage* boardPage();
    void buildBoardActions();
    /// Whether the page of the tab that is shown is at work; false for tabs of other kinds.
    [[nodiscard]] bool isToolPageBusy() const;
    /// Which page that is there once a tab shows; Code for any other.
    [[nodiscard]] static Page toolPageOf(const QWidget* widget);
    /// The tab of such a page; null for any other.
    QWidget* openToolPage(Page page);
    void updateDifferenceActions();

    // main_window_status.cpp
    void buildStatusBar();
    void updateStatus();
    void updateTiming();
    void addRunsMenu(QMenu* menu);

    // main_window_connections.cpp
    void connectWorkspace();
    void connectPages();
    void onDatasetOpened();
    void onLoadFailed(const QString& path, const QString& reason);

    // main_window_actions.cpp
    QAction* addNamed(const QString& name, const QString& text, const QString& iconName, const QKeySequence& keys, const QString& tip);
    template <class Slot> QAction* addNamed(const QString& name, const QString& text, const QString& iconName, const QKeySequence& keys, const QString& tip, Slot slot);
    void buildActions();
    void buildMenus();
    void buildEditMenu();
    void buildViewMenu();
    void buildLanguageMenu(QMenu* view);
    void buildGoMenu();
    void buildHelpMenu();
    void buildToolBar();
    void buildComparisonBoxes(QToolBar* bar);
    void rebuildRecentMenu();
    void rebuildExportMenu();
    void updateTableActions();
    [[nodiscard]] TableTools* currentTools() const;
    void chooseFolder(bool inNewWindow);
    void showKeyboardMap();
    void showSettings();
    void showDoctor();
    void showAbout();

    // main_window_runs.cpp
    void buildRunActions();
    void buildRunMenu();
    void rebuildDeviceMenu();
    void openPlan(const RunRequest& request);
    void connectRuns();
    void updateRunAction();
    PastRunsPage* pastRunsPage();
    void showTracesOf(const ListedRun& run);
    void showOffer(const ListedRun& run);
    /// Does something with a dataset, which is opened first when it is another one than that.
    void withDataset(const QString& root, std::function<void()> action);
    void runEnded(const DoneEvent& done);
    /// Asks what becomes of the run in progress when the window closes.
    void askBeforeClosing();

    // main_window_pins.cpp
    /// What a pin of this kind would be of: what the user looks at.
    [[nodiscard]] std::optional<Pin> pinInHand(Pin::Kind kind) const;
    void buildPinActions();
    void buildPinMenu(QMenu* view);
    void updatePins();
    void fillPinsMenu(QMenu* menu);

    // main_window_figures.cpp
    void buildFigureActions();
    void updateMarks();
    void fillMarksMenu(QMenu* menu);
    /// The solution of a trace, with a word on whether its source is still the one that was judged.
    void showJudgedSource(qint64 traceRow);

    // main_window_search.cpp
    void goToHit(const SearchHit& hit);
    void filterTreeBy(const QString& text);
    void findInPage();
    void findAgain(bool backward);

    // main_window_diagnose.cpp
    struct DiagnosedPair {
        QString definition;
        QString solution;
        QString workload;   ///< uuid
    };
    /// What the user looks at: the trace in the details pane, or the solution and workload that are chosen. Names may be empty.
    [[nodiscard]] DiagnosedPair pairInHand() const;
    DiagnosePage* diagnosePage();
    DuelPage* duelPage();
    void showDiagnosis();
    /// Starts a DiagnosePage::Look on the pair in hand.
    void diagnose(int look);
    void showDuel();
    void rerunPairInHand();
    void buildDiagnoseActions();
    void buildDiagnoseMenu();

    // main_window_files.cpp
    void buildFileActions();
    void buildProblemActions();
    void buildProblemsMenu();
    void connectProblems();
    void updateProblemActions();
    void showSomeViewer();
    /// `folder`: where the user begins to look; empty: in the dataset.
    void chooseFileToView(const QString& folder = {});
    void chooseFolderToMerge();
    void pasteIntoViewer();
    void addViewer(ViewerPage* page);

    // main_window_session.cpp
    [[nodiscard]] QJsonObject session() const;
    void openTabs(const QJsonArray& tabs);
    void restoreSession(const QJsonObject& session);
    void buildLayoutMenu(QMenu* view);
    void rebuildLayoutMenu();
    void saveLayoutAs();
    void deleteLayout(const QString& name);
    void applyLayout(const QString& name);

    // main_window_state.cpp
    void restoreLayout();
    void hidePanes();
    void showPanes();
    void showDefaultLayout();
    void showDetailsThatWait();
    [[nodiscard]] bool isStartPageShown() const;
    void saveLayout();
    void showDropHint(const QString& text);
    void useFont(int step);

    QString m_pythonOption;
    Workspace* m_workspace;
    RunController* m_controller;
    LatestJob* m_openedJob;
    LatestJob* m_judgedJob;   ///< reads a trace back
    LatestJob* m_runsJob;   ///< looks for the runs that can be pinned
    NavigationHistory m_history;
    bool m_navigating = false;
    bool m_closeConfirmed = false;
    bool m_closesWhenHandedOver = false;
    int m_runPercent = -1;   ///< in the title; -1: nothing runs
    LatestJob* m_recordsJob;
    RunNotifier* m_notifier;
    QString m_rootToOpen;                  ///< that m_whenOpened waits for
    std::function<void()> m_whenOpened;
    QString m_lastRoot;
    std::optional<ComparisonChoice> m_resultsToOpen;   ///< of the predecessor, until announce()
    QJsonObject m_sessionToRestore;   ///< of the predecessor or of the last time, until its dataset is shown
    QTimer* m_restoreTimer = nullptr;
    QStringList m_authors;   ///< of the open dataset

    QStackedWidget* m_stack = nullptr;
    StartPage* m_startPage = nullptr;
    QTabWidget* m_tabs = nullptr;
    DefinitionPage* m_definitionPage = nullptr;
    LeaderboardPage* m_leaderboard = nullptr;
    LoadBar* m_loadBar = nullptr;
    NoticeBar* m_notice = nullptr;
    NoticeBar* m_offer = nullptr;
    QLabel* m_dropHint = nullptr;

    QDockWidget* m_datasetDock = nullptr;
    QDockWidget* m_detailsDock = nullptr;
    bool m_detailsWait = false;   ///< the pane appears with the first trace that is chosen
    QDockWidget* m_runsDock = nullptr;
    QDockWidget* m_problemsDock = nullptr;
    DatasetPanel* m_datasetPanel = nullptr;
    TraceDetails* m_details = nullptr;
    RunPanel* m_runPanel = nullptr;
    ProblemsPanel* m_problems = nullptr;
    bool m_hasPanes = false;      ///< a dataset was opened, and with it the panes
    QByteArray m_defaultLayout;
    QByteArray m_layoutToShow;   ///< when the panes are shown

    ElidedLabel* m_statusText = nullptr;
    QToolButton* m_timingButton = nullptr;
    QToolButton* m_policyButton = nullptr;
    QToolButton* m_hardwareButton = nullptr;
    QToolButton* m_pinsButton = nullptr;
    QToolButton* m_marksButton = nullptr;
    QLabel* m_runText = nullptr;
    QProgressBar* m_runBar = nullptr;
    QToolButton* m_runsButton = nullptr;
    QToolButton* m_problemsButton = nullptr;

    SearchBox* m_search = nullptr;
    NameBox* m_baselineBox = nullptr;
    NameBox* m_hardwareBox = nullptr;
    NameBox* m_policyBox = nullptr;
    PrimaryButton* m_runButton = nullptr;

    QMenu* m_recentMenu = nullptr;
    QMenu* m_layoutMenu = nullptr;
    QMenu* m_exportMenu = nullptr;
    ReportExporter* m_reportExporter = nullptr;
    QMenu* m_editMenu = nullptr;
    QMenu* m_deviceMenu = nullptr;
    QActionGroup* m_themeGroup = nullptr;
    QAction* m_openAction = nullptr;
    QAction* m_newWindowAction = nullptr;
    QAction* m_saveLayoutAction = nullptr;
    QAction* m_mergeAction = nullptr;
    QAction* m_sampleAction = nullptr;
    QAction* m_reloadAction = nullptr;
    QAction* m_viewFileAction = nullptr;
    QAction* m_newDatasetAction = nullptr;
    QAction* m_addImplementationAction = nullptr;
    QAction* m_importAction = nullptr;
    QAction* m_exportResultsAction = nullptr;
    QAction* m_pasteAction = nullptr;
    QAction* m_closeTabAction = nullptr;
    QAction* m_quitAction = nullptr;
    QAction* m_findAction = nullptr;
    QAction* m_findNextAction = nullptr;
    QAction* m_findPreviousAction = nullptr;
    QAction* m_filterAction = nullptr;
    QAction* m_searchAction = nullptr;
    QAction* m_untickAction = nullptr;
    QAction* m_copyJsonAction = nullptr;
    QAction* m_columnsAction = nullptr;
    QAction* m_settingsAction = nullptr;
    QAction* m_resetLayoutAction = nullptr;
    QAction* m_biggerAction = nullptr;
    QAction* m_smallerAction = nullptr;
    QAction* m_normalSizeAction = nullptr;
    QAction* m_fullScreenAction = nullptr;
    QAction* m_runAction = nullptr;
    QAction* m_planAction = nullptr;
    QAction* m_pastRunsAction = nullptr;
    QAction* m_pauseAction = nullptr;
    QAction* m_cancelAction = nullptr;
    QAction* m_compareAction = nullptr;
    QAction* m_compareResultsAction = nullptr;
    QAction* m_tensorsAction = nullptr;
    QAction* m_nextDifferenceAction = nullptr;
    QAction* m_previousDifferenceAction = nullptr;
    QAction* m_checkAction = nullptr;
    QAction* m_cancelCheckAction = nullptr;
    QAction* m_openProblemAction = nullptr;
    QAction* m_copyProblemAction = nullptr;
    QAction* m_fixProblemAction = nullptr;
    QAction* m_groupByFileAction = nullptr;
    QAction* m_groupByOutcomeAction = nullptr;
    QAction* m_backAction = nullptr;
    QAction* m_forwardAction = nullptr;
    QList<QAction*> m_pageActions;
    QList<QAction*> m_tableActions;   ///< of the page's table, in the Edit menu
    QList<QAction*> m_diagnoseActions;   ///< run again, the looks, duel
    QList<QAction*> m_pinActions;        ///< one for each Pin::Kind
    QAction* m_managePinsAction = nullptr;
    QAction* m_unpinAllAction = nullptr;
    QAction* m_formulaAction = nullptr;
    QAction* m_ceilingsAction = nullptr;
    QAction* m_planMarkedAction = nullptr;
    QAction* m_unmarkAction = nullptr;
    QAction* m_addToBoardAction = nullptr;
    QAction* m_noteAction = nullptr;
    QAction* m_judgedSourceAction = nullptr;
    QAction* m_keyboardAction = nullptr;
    QAction* m_doctorAction = nullptr;
    QAction* m_aboutAction = nullptr;
};

}  // namespace tracedeck::ui
