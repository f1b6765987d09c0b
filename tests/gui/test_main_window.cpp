// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QMimeData>
#include <QPushButton>
#include <QScrollBar>
#include <QSettings>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTabWidget>
#include <QTableView>
#include <QTest>
#include <QToolButton>
#include <QTreeView>
#include <QTreeWidget>
#include <QTreeWidgetItemIterator>
#include <QUrl>
#include <numeric>

#include "tests/support/dataset_builder.h"
#include "ui/dialogs/keyboard_dialog.h"
#include "ui/main_window.h"
#include "ui/models/dataset_tree_model.h"
#include "ui/models/workspace.h"
#include "ui/pages/code_view.h"
#include "ui/pages/dataset_panel.h"
#include "ui/pages/definition_header.h"
#include "ui/pages/definition_page.h"
#include "ui/pages/notice_bar.h"
#include "ui/pages/solution_page.h"
#include "ui/pages/problems_panel.h"
#include "ui/pages/trace_details.h"
#include "ui/settings/recent_datasets.h"
#include "ui/settings/settings.h"
#include "ui/style/labels.h"
#include "ui/style/theme.h"

using namespace tracedeck;
using namespace tracedeck::ui;
using tracedeck::test::DatasetBuilder;

namespace {

constexpr int kWaitMs = 20'000;

void fill(DatasetBuilder& builder)
{
    builder.definition({.name = "gemm_a"}).definition({.name = "norm_b", .opType = "rmsnorm"});
    builder.solution({.name = "a_base", .definition = "gemm_a", .author = "baseline", .source = "def run(x):\n    return x  # the baseline\n"})
        .solution({.name = "a_fast", .definition = "gemm_a", .author = "ann", .language = "cpp", .source = "int run() { return 0; }\n", .sourcePath = "main.cpp"})
        .solution({.name = "b_base", .definition = "norm_b", .author = "baseline"});
    for (const char* uuid : {"w1", "w2"})
        builder.workload({.definition = "gemm_a", .uuid = uuid, .axes = {{"M", uuid[1] - '0'}}});
    builder.workload({.definition = "norm_b", .uuid = "w3", .axes = {{"M", 3}}});
    builder.trace({.definition = "gemm_a", .solution = "a_base", .uuid = "w1", .latencyMs = 2, .hardware = "Card One"})
        .trace({.definition = "gemm_a", .solution = "a_fast", .uuid = "w1", .latencyMs = 0.5, .hardware = "Card One"})
        .trace({.definition = "gemm_a", .solution = "a_fast", .uuid = "w2", .status = Status::Timeout, .hardware = "Card Two"});
}

QString rootOf(const DatasetBuilder& builder) { return QString::fromStdString(builder.root().string()); }

}  // namespace

class TestMainWindow : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void init();
    void cleanup();
    void startsWithTheStartPage();
    void opensAFolderAndShowsWhatItHolds();
    void badFolderGivesAnInlineError();
    void emptyDatasetSaysWhatToDo();
    void emptyListsSayWhatIsMissing();
    void opensADroppedFolder();
    void ignoresADroppedFileThatIsNotThere();
    void remembersRecentFolders();
    void glanceSumsUpTheDefinition();
    void tablesShowSolutionsAndWorkloads();
    void solutionOpensInATab();
    void codeCanBeSearched();
    void keysChangePages();
    void backAndForwardReturn();
    void searchFindsDefinitionsAndSolutions();
    void tickingEnablesRunSelected();
    void comparisonBoxesDriveTheWorkspace();
    void problemsAreListed();
    void themeAndFontAreRemembered();
    void detailsWaitInANarrowWindow();
    void layoutIsRestoredAndReset();
    void exportMenuFollowsThePage();
    void keyboardMapListsTheActions();
    void selectKnowsAllKindsOfNames();
    void windowCanBeClosedWhileLoading();
    void idleWindowPaintsTheSameTwice();

private:
    void open();
    QAction* action(const char* name) const;

    std::unique_ptr<DatasetBuilder> m_builder;
    std::unique_ptr<MainWindow> m_window;
};

void TestMainWindow::initTestCase()
{
    QStandardPaths::setTestModeEnabled(true);
    installStyle();
}

void TestMainWindow::init()
{
    QSettings().clear();
    applyTheme(ThemeChoice::Light);
    m_builder = std::make_unique<DatasetBuilder>();
    fill(*m_builder);
    m_window = std::make_unique<MainWindow>();
    m_window->resize(1280, 800);
    m_window->show();
    QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
}

void TestMainWindow::cleanup()
{
    m_window.reset();
    m_builder.reset();
}

void TestMainWindow::open()
{
    m_window->openPath(rootOf(*m_builder));
    QTRY_VERIFY_WITH_TIMEOUT(m_window->workspace()->isOpen() && m_window->isSettled(), kWaitMs);
}

QAction* TestMainWindow::action(const char* name) const { return m_window->findChild<QAction*>(QString::fromLatin1(name)); }

void TestMainWindow::startsWithTheStartPage()
{
    auto* openButton = m_window->findChild<QPushButton*>(QStringLiteral("startOpenButton"));
    QVERIFY(openButton && openButton->isVisible());
    QVERIFY(!m_window->definitionPage()->isVisible());
    QVERIFY(!action("reloadAction")->isEnabled());
    QVERIFY(!action("runSelectedAction")->isEnabled());
    QCOMPARE(m_window->windowTitle(), QStringLiteral("Tracedeck"));
}

void TestMainWindow::opensAFolderAndShowsWhatItHolds()
{
    open();
    QVERIFY(m_window->definitionPage()->isVisible());
    QCOMPARE(m_window->workspace()->currentDefinition(), QStringLiteral("gemm_a"));   // the one with most traces
    QCOMPARE(m_window->datasetPanel()->model()->rowCount(), 2);
    const QString status = m_window->findChild<ElidedLabel*>(QStringLiteral("statusText"))->text();
    QVERIFY2(status.contains(rootOf(*m_builder)) && status.contains(QStringLiteral("2 definitions")) && status.contains(QStringLiteral("3 traces")) &&
                 status.contains(QStringLiteral("baseline “baseline”")),
             qPrintable(status));
    QVERIFY(m_window->windowTitle().endsWith(QStringLiteral("Tracedeck")));
    QVERIFY(action("reloadAction")->isEnabled());
    QVERIFY(m_window->definitionPage()->referenceView()->code().contains(QStringLiteral("def run(x)")));
}

void TestMainWindow::badFolderGivesAnInlineError()
{
    open();
    QSignalSpy failed(m_window->workspace(), &Workspace::loadFailed);
    m_window->openPath(QStringLiteral("/no/such/folder"));
    QTRY_COMPARE_WITH_TIMEOUT(failed.count(), 1, kWaitMs);
    auto* notice = m_window->findChild<NoticeBar*>(QStringLiteral("noticeBar"));
    QVERIFY(notice->isVisible());
    QVERIFY(notice->text().contains(QStringLiteral("/no/such/folder")));
    QVERIFY(m_window->definitionPage()->isVisible());   // what was open is still there
    QVERIFY(!QApplication::activeModalWidget());
    m_window->openPath(rootOf(*m_builder));
    QTRY_VERIFY_WITH_TIMEOUT(!notice->isVisible(), kWaitMs);
}

void TestMainWindow::emptyDatasetSaysWhatToDo()
{
    m_builder = std::make_unique<DatasetBuilder>();
    std::filesystem::create_directories(m_builder->root() / "definitions");
    open();
    auto* empty = m_window->definitionPage()->findChild<QWidget*>(QStringLiteral("noDefinitions"));
    QVERIFY(empty && empty->isVisible());
    QVERIFY(empty->findChild<QLabel*>()->text().contains(QStringLiteral("definitions/")));
    QVERIFY(!m_window->findChild<QTabWidget*>(QStringLiteral("definitionTabs"))->isVisible());
    QStringList offered;
    for (const auto* button : empty->findChildren<QPushButton*>())
        offered << button->text();
    QCOMPARE(offered.size(), 4);
    QVERIFY(offered.front().contains(QStringLiteral("Open")));

    // Once a definition is there, so is its page.
    fill(*m_builder);
    action("reloadAction")->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(!m_window->workspace()->dataset()->definitions().empty() && m_window->isSettled(), kWaitMs);
    QVERIFY(!empty->isVisible());
    QVERIFY(m_window->findChild<QTabWidget*>(QStringLiteral("definitionTabs"))->isVisible());
}

void TestMainWindow::emptyListsSayWhatIsMissing()
{
    m_builder->definition({.name = "bare"});
    open();
    m_window->workspace()->setCurrentDefinition(QStringLiteral("bare"));
    QTRY_VERIFY_WITH_TIMEOUT(m_window->isSettled(), kWaitMs);
    const auto hintOf = [this](const char* view) {
        const auto* hint = m_window->findChild<QAbstractScrollArea*>(QString::fromLatin1(view))->findChild<QLabel*>(QStringLiteral("emptyHint"));
        return hint && !hint->isHidden() ? hint->text() : QString();
    };
    QVERIFY(hintOf("solutionTable").contains(QStringLiteral("solutions/")));
    QVERIFY(hintOf("workloadTable").contains(QStringLiteral("workloads/")));
    QVERIFY(hintOf("problemTree").contains(QStringLiteral("Nothing is wrong")));
    QVERIFY(hintOf("runQueue").contains(QStringLiteral("Run selected")));
    QVERIFY(hintOf("datasetTree").isEmpty());
    m_window->datasetPanel()->filterEdit()->setText(QStringLiteral("nothing has this name"));
    QTRY_VERIFY_WITH_TIMEOUT(hintOf("datasetTree").contains(QStringLiteral("matches")), kWaitMs);
    m_window->workspace()->setCurrentDefinition(QStringLiteral("gemm_a"));
    QTRY_VERIFY_WITH_TIMEOUT(m_window->isSettled(), kWaitMs);
    QVERIFY(hintOf("solutionTable").isEmpty());
}

void TestMainWindow::opensADroppedFolder()
{
    QMimeData data;
    data.setUrls({QUrl(QStringLiteral("https://example.org/x")), QUrl::fromLocalFile(rootOf(*m_builder))});
    QDragEnterEvent enter(QPoint(100, 100), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(m_window.get(), &enter);
    QVERIFY(enter.isAccepted());
    auto* hint = m_window->findChild<QLabel*>(QStringLiteral("dropHint"));
    QVERIFY(hint->isVisible());
    QDropEvent drop(QPointF(100, 100), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(m_window.get(), &drop);
    QVERIFY(drop.isAccepted());
    QVERIFY(!hint->isVisible());
    QTRY_VERIFY_WITH_TIMEOUT(m_window->workspace()->isOpen(), kWaitMs);
    QCOMPARE(m_window->workspace()->root(), rootOf(*m_builder));
}

void TestMainWindow::ignoresADroppedFileThatIsNotThere()
{
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(rootOf(*m_builder) + QStringLiteral("/no such file.json")), QUrl(QStringLiteral("https://example.org/a.json"))});
    QDragEnterEvent enter(QPoint(100, 100), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    enter.ignore();
    QApplication::sendEvent(m_window.get(), &enter);
    QVERIFY(!enter.isAccepted());
    QVERIFY(!m_window->workspace()->isLoading());
}

void TestMainWindow::remembersRecentFolders()
{
    open();
    const auto recents = RecentDatasets::all();
    QCOMPARE(recents.size(), 1);
    QCOMPARE(recents.front().path, rootOf(*m_builder));
    QCOMPARE(recents.front().definitions, 2);
    QCOMPARE(recents.front().traces, 3);
    QCOMPARE(recents.front().passed(), 2);
    QCOMPARE(std::accumulate(recents.front().statuses.begin(), recents.front().statuses.end(), qint64{0}), 3);
    MainWindow another;
    another.show();
    auto* list = another.findChild<QListWidget*>(QStringLiteral("recentList"));
    QTRY_COMPARE_WITH_TIMEOUT(list->count(), 1, kWaitMs);
    emit list->itemActivated(list->item(0));
    QTRY_VERIFY_WITH_TIMEOUT(another.workspace()->isOpen(), kWaitMs);
    QCOMPARE(another.workspace()->root(), rootOf(*m_builder));
}

void TestMainWindow::glanceSumsUpTheDefinition()
{
    open();
    const auto glance = [this] { return m_window->definitionPage()->header()->glanceText(); };
    QVERIFY2(glance().contains(QStringLiteral("4.000× by a_fast")), qPrintable(glance()));
    QVERIFY2(glance().contains(QStringLiteral("1 of 2 solutions pass everything")), qPrintable(glance()));
    QVERIFY2(glance().contains(QStringLiteral("2 of 3 traces passed")), qPrintable(glance()));
    QVERIFY2(glance().contains(QStringLiteral("Card One, Card Two")), qPrintable(glance()));
    m_window->workspace()->setHardware(QStringLiteral("Card Two"));
    QTRY_VERIFY_WITH_TIMEOUT(m_window->isSettled() && glance().contains(QStringLiteral("Nothing has passed yet")), kWaitMs);
    m_window->workspace()->setHardware(QString());
    m_window->workspace()->setCurrentDefinition(QStringLiteral("norm_b"));
    QTRY_VERIFY_WITH_TIMEOUT(m_window->isSettled() && glance().contains(QStringLiteral("Not run yet")), kWaitMs);
}

void TestMainWindow::tablesShowSolutionsAndWorkloads()
{
    open();
    const auto text = [](const QTableView* table, int row, int column) { return table->model()->index(row, column).data().toString(); };
    const QTableView* solutions = m_window->definitionPage()->solutionTable();
    QCOMPARE(solutions->model()->rowCount(), 2);
    QCOMPARE(text(solutions, 0, 0), QStringLiteral("a_fast"));   // best speedup first
    QCOMPARE(text(solutions, 0, 3), QStringLiteral("1 / 2"));
    QCOMPARE(text(solutions, 1, 0), QStringLiteral("a_base"));
    QCOMPARE(text(solutions, 1, 3), QStringLiteral("1 / 1"));
    const QTableView* workloads = m_window->definitionPage()->workloadTable();
    QCOMPARE(workloads->model()->rowCount(), 2);
    QCOMPARE(workloads->model()->headerData(1, Qt::Horizontal).toString(), QStringLiteral("M"));
    QCOMPARE(text(workloads, 1, 1), QStringLiteral("2"));
    QCOMPARE(text(workloads, 0, 5), QStringLiteral("a_fast"));
    workloads->model()->sort(1, Qt::DescendingOrder);
    QCOMPARE(text(workloads, 0, 1), QStringLiteral("2"));
    // Workloads that were never run are there as well.
    m_window->workspace()->setCurrentDefinition(QStringLiteral("norm_b"));
    QTRY_VERIFY_WITH_TIMEOUT(m_window->isSettled(), kWaitMs);
    QCOMPARE(workloads->model()->rowCount(), 1);
    QCOMPARE(text(workloads, 0, 2), QStringLiteral("not run"));
}

void TestMainWindow::solutionOpensInATab()
{
    open();
    auto* tabs = m_window->findChild<QTabWidget*>(QStringLiteral("pageTabs"));
    const int before = tabs->count();
    m_window->showSolution(QStringLiteral("a_fast"));
    m_window->showSolution(QStringLiteral("a_fast"));
    QCOMPARE(tabs->count(), before + 1);
    auto* page = qobject_cast<SolutionPage*>(tabs->currentWidget());
    QVERIFY(page);
    QCOMPARE(page->codeView()->code(), QStringLiteral("int run() { return 0; }\n"));
    QCOMPARE(m_window->currentPage(), MainWindow::Page::Code);
    QVERIFY(action("closeTabAction")->isEnabled());
    action("closeTabAction")->trigger();
    QCOMPARE(tabs->count(), before);
    m_window->showSolution(QStringLiteral("nobody wrote this"));
    QCOMPARE(tabs->count(), before);
    QVERIFY(m_window->findChild<NoticeBar*>(QStringLiteral("noticeBar"))->isVisible());
}

void TestMainWindow::codeCanBeSearched()
{
    open();
    m_window->showSolution(QStringLiteral("a_base"));
    QTest::keyClick(m_window.get(), Qt::Key_F, Qt::ControlModifier);
    auto* page = qobject_cast<SolutionPage*>(m_window->findChild<QTabWidget*>(QStringLiteral("pageTabs"))->currentWidget());
    auto* edit = page->findChild<QLineEdit*>(QStringLiteral("findEdit"));
    QTRY_VERIFY(edit->isVisible());
    QTest::keyClicks(edit, QStringLiteral("baseline"));
    QLabel* result = page->findChild<QWidget*>(QStringLiteral("findBar"))->findChild<QLabel*>();
    QVERIFY(result->text().isEmpty());
    QTest::keyClicks(edit, QStringLiteral("zzz"));
    QVERIFY(!result->text().isEmpty());
    QTest::keyClick(edit, Qt::Key_Escape);
    QVERIFY(!edit->isVisible());
}

void TestMainWindow::keysChangePages()
{
    open();
    const std::array keys{std::pair{Qt::Key_3, MainWindow::Page::Workloads}, std::pair{Qt::Key_4, MainWindow::Page::Traces},
                          std::pair{Qt::Key_5, MainWindow::Page::Charts}, std::pair{Qt::Key_6, MainWindow::Page::Leaderboard},
                          std::pair{Qt::Key_2, MainWindow::Page::Code}, std::pair{Qt::Key_1, MainWindow::Page::Overview}};
    for (const auto& [key, page] : keys) {
        QTest::keyClick(m_window.get(), key, Qt::ControlModifier);
        QTRY_COMPARE(m_window->currentPage(), page);
    }
    auto* runs = m_window->findChild<QDockWidget*>(QStringLiteral("runsDock"));
    QVERIFY(runs->isHidden());
    QTest::keyClick(m_window.get(), Qt::Key_7, Qt::ControlModifier);
    QTRY_VERIFY(!runs->isHidden());
}

void TestMainWindow::backAndForwardReturn()
{
    open();
    m_window->showPage(MainWindow::Page::Traces);
    m_window->workspace()->setCurrentDefinition(QStringLiteral("norm_b"));
    m_window->showPage(MainWindow::Page::Leaderboard);
    action("backAction")->trigger();
    QCOMPARE(m_window->currentPage(), MainWindow::Page::Traces);
    QCOMPARE(m_window->workspace()->currentDefinition(), QStringLiteral("norm_b"));
    action("backAction")->trigger();
    QCOMPARE(m_window->workspace()->currentDefinition(), QStringLiteral("gemm_a"));
    QVERIFY(action("forwardAction")->isEnabled());
    action("forwardAction")->trigger();
    action("forwardAction")->trigger();
    QCOMPARE(m_window->currentPage(), MainWindow::Page::Leaderboard);
    QVERIFY(!action("forwardAction")->isEnabled());
}

void TestMainWindow::searchFindsDefinitionsAndSolutions()
{
    open();
    auto* search = m_window->findChild<QLineEdit*>(QStringLiteral("searchEdit"));
    QTest::keyClick(m_window.get(), Qt::Key_K, Qt::ControlModifier);
    QTRY_COMPARE(QApplication::focusWidget(), search);
    const auto enter = [search](const QString& text) {
        search->setText(text);
        QTest::keyClick(search, Qt::Key_Return);
    };
    enter(QStringLiteral("norm_b"));
    QTRY_COMPARE(m_window->workspace()->currentDefinition(), QStringLiteral("norm_b"));
    search->setFocus();
    enter(QStringLiteral("a_fast"));
    QTRY_COMPARE(m_window->currentPage(), MainWindow::Page::Code);
    QCOMPARE(m_window->workspace()->currentSolution(), QStringLiteral("a_fast"));
    // What is found nowhere becomes the tree's filter.
    search->setFocus();
    enter(QStringLiteral("nowhere"));
    QTRY_COMPARE(m_window->datasetPanel()->filterEdit()->text(), QStringLiteral("nowhere"));
    QTRY_COMPARE(m_window->datasetPanel()->model()->rowCount(), 0);
}

void TestMainWindow::tickingEnablesRunSelected()
{
    open();
    auto* button = m_window->findChild<QPushButton*>(QStringLiteral("runSelectedToolButton"));
    QVERIFY(!button->isEnabled());
    DatasetTreeModel* model = m_window->datasetPanel()->model();
    QVERIFY(model->setData(model->indexOfDefinition(QStringLiteral("gemm_a")), Qt::Checked, Qt::CheckStateRole));
    QVERIFY(button->isEnabled());
    QVERIFY2(button->text().contains(QStringLiteral("(4)")), qPrintable(button->text()));
    QVERIFY(action("runSelectedAction")->isEnabled());
    action("untickAction")->trigger();
    QVERIFY(!button->isEnabled());
}

void TestMainWindow::comparisonBoxesDriveTheWorkspace()
{
    open();
    auto* baseline = m_window->findChild<QComboBox*>(QStringLiteral("baselineBox"));
    auto* hardware = m_window->findChild<QComboBox*>(QStringLiteral("hardwareBox"));
    auto* policy = m_window->findChild<QComboBox*>(QStringLiteral("policyBox"));
    QCOMPARE(baseline->count(), 2);
    QCOMPARE(baseline->currentText(), QStringLiteral("baseline"));
    QCOMPARE(hardware->count(), 3);
    const auto choose = [](QComboBox* box, int index) {
        box->setCurrentIndex(index);
        emit box->activated(index);
    };
    choose(baseline, baseline->findText(QStringLiteral("ann")));
    QCOMPARE(m_window->workspace()->baselineAuthor(), QStringLiteral("ann"));
    choose(hardware, 1);
    QCOMPARE(m_window->workspace()->hardware(), QStringLiteral("Card One"));
    choose(policy, policy->findText(QStringLiteral("Lowest median")));
    QVERIFY(m_window->workspace()->policy() == SelectionPolicy::LowestMedian);
    m_window->workspace()->setHardware(QString());
    QCOMPARE(hardware->currentIndex(), 0);
}

void TestMainWindow::problemsAreListed()
{
    m_builder->file("definitions/gemm/broken.json", "{ not json");
    open();
    ProblemsPanel* panel = m_window->problemsPanel();
    QVERIFY(panel->problemCount() >= 1);
    const auto& items = panel->model()->items();
    QVERIFY(std::any_of(items.begin(), items.end(), [](const ProblemItem& item) { return item.file.contains(QStringLiteral("broken.json")); }));
    bool counted = false;
    for (const QToolButton* button : m_window->findChildren<QToolButton*>())
        counted = counted || button->text() == QStringLiteral("Problems %1").arg(panel->problemCount());
    QVERIFY(counted);
}

void TestMainWindow::themeAndFontAreRemembered()
{
    open();
    action("themeDark")->trigger();
    QVERIFY(isDarkTheme());
    QCOMPARE(Settings::theme(), ThemeChoice::Dark);
    QVERIFY(action("themeDark")->isChecked());
    QTRY_VERIFY_WITH_TIMEOUT(m_window->isSettled(), kWaitMs);
    action("themeLight")->trigger();
    QVERIFY(!isDarkTheme());
    const qreal before = QApplication::font().pointSizeF();
    action("biggerFontAction")->trigger();
    QCOMPARE(QApplication::font().pointSizeF(), before + 1);
    QCOMPARE(Settings::fontStep(), 1);
    action("normalFontAction")->trigger();
    QCOMPARE(QApplication::font().pointSizeF(), before);
}

void TestMainWindow::detailsWaitInANarrowWindow()
{
    m_window->resize(1280, 800);
    auto* dock = m_window->findChild<QDockWidget*>(QStringLiteral("detailsDock"));
    open();
    QVERIFY(dock->isHidden());   // there is nothing to show yet
    QSignalSpy shown(m_window->traceDetails(), &TraceDetails::traceShown);
    m_window->workspace()->setCurrentTrace(0);
    QTRY_COMPARE_WITH_TIMEOUT(shown.count(), 1, kWaitMs);
    QVERIFY(!dock->isHidden());
    // Every name is readable beside its value, and the tree fits its pane.
    auto* tree = m_window->traceDetails()->findChild<QTreeWidget*>(QStringLiteral("traceFacts"));
    QTRY_VERIFY(tree->columnWidth(0) >= tree->fontMetrics().horizontalAdvance(QStringLiteral("reference latency")));
    QTRY_VERIFY(tree->columnWidth(0) + tree->columnWidth(1) <= tree->viewport()->width());
    QVERIFY(!tree->horizontalScrollBar()->isVisible());
    for (QTreeWidgetItemIterator item(tree); *item; ++item)
        QVERIFY(!(*item)->text(0).isEmpty());
    // Who hides it has chosen.
    dock->toggleViewAction()->trigger();
    QVERIFY(dock->isHidden());
    m_window->workspace()->setCurrentTrace(1);
    QTRY_COMPARE_WITH_TIMEOUT(shown.count(), 2, kWaitMs);
    QVERIFY(dock->isHidden());
}

void TestMainWindow::layoutIsRestoredAndReset()
{
    m_window->resize(1600, 900);
    auto* details = m_window->findChild<QDockWidget*>(QStringLiteral("detailsDock"));
    QVERIFY(details->isHidden());   // the start page stands alone
    open();
    QVERIFY(!details->isHidden());
    details->hide();
    m_window->close();
    MainWindow another;
    another.show();
    another.resize(1600, 900);
    another.openPath(rootOf(*m_builder));
    QTRY_VERIFY_WITH_TIMEOUT(another.workspace()->isOpen(), kWaitMs);
    QVERIFY(another.findChild<QDockWidget*>(QStringLiteral("detailsDock"))->isHidden());
    another.workspace()->setCurrentTrace(0);
    QVERIFY(another.findChild<QDockWidget*>(QStringLiteral("detailsDock"))->isHidden());   // it was hidden by choice
    another.findChild<QAction*>(QStringLiteral("resetLayoutAction"))->trigger();
    QVERIFY(!another.findChild<QDockWidget*>(QStringLiteral("detailsDock"))->isHidden());
    QVERIFY(another.findChild<QDockWidget*>(QStringLiteral("runsDock"))->isHidden());
}

void TestMainWindow::exportMenuFollowsThePage()
{
    open();
    const auto names = [this] {
        QStringList list;
        for (const QMenu* menu : m_window->findChildren<QMenu*>())
            if (menu->title() == QStringLiteral("&Export"))
                for (const QAction* entry : menu->actions())
                    list << entry->objectName();
        return list;
    };
    m_window->showPage(MainWindow::Page::Charts);
    QVERIFY2(names().contains(QStringLiteral("exportChart_csv")), qPrintable(names().join(QLatin1Char(' '))));
    m_window->showPage(MainWindow::Page::Leaderboard);
    QVERIFY(names().contains(QStringLiteral("exportLeaderboardCsv")));
    QVERIFY(!names().contains(QStringLiteral("exportChart_csv")));
    QVERIFY(names().contains(QStringLiteral("exportWholeCsv")));
}

void TestMainWindow::keyboardMapListsTheActions()
{
    QTest::keyClick(m_window.get(), Qt::Key_F1);
    KeyboardDialog* dialog = nullptr;
    QTRY_VERIFY((dialog = m_window->findChild<KeyboardDialog*>()));
    QVERIFY(!dialog->isModal());
    // Menu by menu in their order; each key once, and what two share says where it acts.
    QStringList groups;
    QMap<QString, QStringList> namesByKeys;
    for (int group = 0; group < dialog->list()->topLevelItemCount(); ++group) {
        const QTreeWidgetItem* top = dialog->list()->topLevelItem(group);
        groups << top->text(0);
        QVERIFY(top->childCount() > 0);
        for (int row = 0; row < top->childCount(); ++row)
            namesByKeys[top->child(row)->text(1)] << top->child(row)->text(0);
    }
    QCOMPARE(groups, (QStringList{QStringLiteral("File"), QStringLiteral("Edit"), QStringLiteral("View"), QStringLiteral("Run"), QStringLiteral("Diagnose"), QStringLiteral("Problems"),
                                  QStringLiteral("Go"), QStringLiteral("Help"), QStringLiteral("Where the keyboard is")}));
    QCOMPARE(namesByKeys.value(QStringLiteral("F5")), QStringList{QStringLiteral("Reload")});
    QVERIFY(namesByKeys.value(QStringLiteral("Ctrl+Shift+I")).contains(QStringLiteral("Show or hide the pane Details")));
    QVERIFY2(namesByKeys.value(QStringLiteral("Ctrl+C")).contains(QStringLiteral("Copy value (Everything about the trace)")),
             qPrintable(namesByKeys.value(QStringLiteral("Ctrl+C")).join(QLatin1Char(';'))));
    for (const QStringList& names : namesByKeys)
        QCOMPARE(QSet<QString>(names.begin(), names.end()).size(), names.size());
}

void TestMainWindow::selectKnowsAllKindsOfNames()
{
    open();
    QVERIFY(m_window->select(QStringLiteral("norm_b")));
    QCOMPARE(m_window->workspace()->currentDefinition(), QStringLiteral("norm_b"));
    QVERIFY(m_window->select(QStringLiteral("a_fast")));
    QCOMPARE(m_window->workspace()->currentSolution(), QStringLiteral("a_fast"));
    QVERIFY(m_window->select(QStringLiteral("w3")));
    QCOMPARE(m_window->workspace()->currentDefinition(), QStringLiteral("norm_b"));
    QVERIFY(m_window->select(QStringLiteral("gemm")));
    QCOMPARE(m_window->workspace()->currentDefinition(), QStringLiteral("gemm_a"));
    QVERIFY(!m_window->select(QStringLiteral("nothing of this name")));
}

void TestMainWindow::windowCanBeClosedWhileLoading()
{
    m_window->openPath(rootOf(*m_builder));
    m_window->close();
    QVERIFY(!m_window->isVisible());
    QVERIFY(!m_window->workspace()->isLoading());
}

void TestMainWindow::idleWindowPaintsTheSameTwice()
{
    open();
    m_window->showPage(MainWindow::Page::Workloads);
    QTRY_VERIFY_WITH_TIMEOUT(m_window->isSettled(), kWaitMs);
    m_window->definitionPage()->setFocus();
    QApplication::processEvents();
    const QImage first = m_window->grab().toImage();
    QCOMPARE(first.size(), QSize(1280, 800));
    QCOMPARE(m_window->grab().toImage(), first);
    QVERIFY(m_window->minimumSizeHint().width() <= 1280);
    QVERIFY(m_window->minimumSizeHint().height() <= 800);
}

QTEST_MAIN(TestMainWindow)
#include "test_main_window.moc"
