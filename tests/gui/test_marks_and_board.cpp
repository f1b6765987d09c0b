// SPDX-License-Identifier: GPL-3.0-or-later
// Traces marked in charts and tables alike, the errors of solutions, charts on a board, notes, and the dialogs that figures depend on.
#include <QAction>
#include <QItemSelectionModel>
#include <QLineEdit>
#include <QPushButton>
#include <QSlider>
#include <QTableView>
#include <QTableWidget>
#include <QTest>
#include <QToolButton>
#include <QTreeWidget>
#include <algorithm>

#include "core/run/run_settings.h"
#include "core/score/ceilings.h"
#include "tests/support/gui_test.h"
#include "ui/charts/history_chart.h"
#include "ui/charts/latency_chart.h"
#include "ui/diagnose/plain_table_model.h"
#include "ui/dialogs/ceilings_dialog.h"
#include "ui/dialogs/run_plan_dialog.h"
#include "ui/dialogs/work_formula_dialog.h"
#include "ui/main_window.h"
#include "ui/models/chart_board.h"
#include "ui/models/marked_traces.h"
#include "ui/models/trace_table_model.h"
#include "ui/pages/board_page.h"
#include "ui/pages/chart_card.h"
#include "ui/pages/charts_page.h"
#include "ui/pages/definition_page.h"
#include "ui/pages/errors_page.h"
#include "ui/pages/notice_bar.h"
#include "ui/pages/solution_page.h"
#include "ui/pages/traces_page.h"
#include "ui/settings/settings.h"

using namespace tracedeck;
using namespace tracedeck::ui;
using tracedeck::test::DatasetBuilder;

namespace {

constexpr int kMarkWaitMs = 20'000;

void fillMarked(DatasetBuilder& builder)
{
    builder.definition({.name = "norm", .opType = "rmsnorm", .constAxes = {{"N", 4096}}});
    builder.solution({.name = "base", .definition = "norm", .author = "baseline"}).solution({.name = "rough", .definition = "norm"});
    double factor = 1;
    for (const char* uuid : {"w1", "w2", "w3"}) {
        const std::int64_t size = std::int64_t{16} << (2 * (uuid[1] - '0'));
        builder.workload({.definition = "norm", .uuid = uuid, .axes = {{"M", size}}});
        builder.trace({.definition = "norm", .solution = "base", .uuid = uuid, .latencyMs = 2 * factor, .axes = {{"M", size}}, .hardware = "NVIDIA H200"});
        builder.trace({.definition = "norm", .solution = "rough", .uuid = uuid, .latencyMs = factor, .status = uuid[1] == '3' ? Status::IncorrectNumerical : Status::Passed, .axes = {{"M", size}},
                       .maxAbsoluteError = uuid[1] == '3' ? 2 : 1e-4, .maxRelativeError = uuid[1] == '3' ? 0.5 : 1e-5, .hardware = "NVIDIA H200"});
        factor *= 4;
    }
}

struct OpenWindow {
    explicit OpenWindow(const DatasetBuilder& builder)
    {
        window.resize(1280, 800);
        window.show();
        isOpen = test::openDataset(*window.workspace(), builder.root()) && settled();
    }
    bool settled()
    {
        return QTest::qWaitFor([this] { return window.isSettled(); }, kMarkWaitMs);
    }
    QAction* action(const char* name) { return window.findChild<QAction*>(QString::fromLatin1(name)); }

    MainWindow window{QStringLiteral("/bin/false")};
    bool isOpen = false;
};

}  // namespace

class TestMarksAndBoard : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { test::prepareGuiTest(); }
    void init() { test::failOnQtWarnings(); }

    void aBoxInAChartSelectsTheTracesInTheTable()
    {
        DatasetBuilder builder;
        fillMarked(builder);
        OpenWindow open(builder);
        QVERIFY(open.isOpen);
        open.window.showPage(MainWindow::Page::Charts);
        QVERIFY(open.settled());
        LatencyChart* chart = open.window.definitionPage()->chartsPage()->chart();
        QTRY_COMPARE_WITH_TIMEOUT(chart->content().series.size(), std::size_t{2}, kMarkWaitMs);
        QTest::qWait(0);
        const QPoint first = chart->positionOf(0, 0).toPoint();
        const QPoint second = chart->positionOf(1, 0).toPoint();
        const QRect around = QRect(first, second).normalized().adjusted(-12, -12, 12, 12);
        QCOMPARE(chart->rowsIn(around).size(), std::size_t{2});
        QTest::mousePress(chart, Qt::LeftButton, Qt::ControlModifier, around.topLeft());
        QTest::mouseMove(chart, around.center());
        QTest::mouseMove(chart, around.bottomRight());
        QTest::mouseRelease(chart, Qt::LeftButton, Qt::ControlModifier, around.bottomRight());
        MarkedTraces* marks = open.window.workspace()->marks();
        QCOMPARE(marks->rows()->size(), std::size_t{2});
        QVERIFY(!chart->isZoomed());   // a box with Ctrl does not zoom
        const TracesPage* page = open.window.definitionPage()->tracesPage();
        RowIndex selected;
        for (const QModelIndex& index : page->view()->selectionModel()->selectedRows())
            selected.push_back(page->model()->rows()[static_cast<std::size_t>(index.row())]);
        std::sort(selected.begin(), selected.end());
        QCOMPARE(selected, *marks->rows());
        auto* button = open.window.findChild<QToolButton*>(QStringLiteral("marksButton"));
        QVERIFY(button->isVisible());
        QCOMPARE(button->text(), QStringLiteral("2 marked"));
        open.action("unmarkAction")->trigger();
        QVERIFY(marks->isEmpty());
        QVERIFY(!page->view()->selectionModel()->hasSelection());
    }

    void rowsSelectedInTheTableAreMarkedAndCanBePlanned()
    {
        DatasetBuilder builder;
        fillMarked(builder);
        OpenWindow open(builder);
        QVERIFY(open.isOpen);
        open.window.showPage(MainWindow::Page::Traces);
        QVERIFY(open.settled());
        QTableView* view = open.window.definitionPage()->tracesPage()->view();
        view->selectionModel()->select(QItemSelection(view->model()->index(1, 0), view->model()->index(3, view->model()->columnCount() - 1)), QItemSelectionModel::ClearAndSelect);
        MarkedTraces* marks = open.window.workspace()->marks();
        QCOMPARE(marks->rows()->size(), std::size_t{3});
        // A filter hides some of them; they stay marked.
        open.window.definitionPage()->tracesPage()->setFilterText(QStringLiteral("rough"));
        QVERIFY(open.settled());
        QCOMPARE(marks->rows()->size(), std::size_t{3});
        open.window.definitionPage()->tracesPage()->resetFilters();
        QVERIFY(open.settled());
        const auto expected = pairsOfTraces(*open.window.workspace()->dataset(), *marks->rows());
        open.action("planMarkedAction")->trigger();
        auto* dialog = open.window.findChild<RunPlanDialog*>();
        QVERIFY(dialog);
        QTRY_VERIFY_WITH_TIMEOUT(!dialog->isBusy(), kMarkWaitMs);
        const auto request = dialog->request();
        QVERIFY(request);
        QCOMPARE(request->pairs, expected);
        dialog->reject();
    }

    void errorsAreShownWithATolerance()
    {
        DatasetBuilder builder;
        fillMarked(builder);
        OpenWindow open(builder);
        QVERIFY(open.isOpen);
        open.window.showPage(MainWindow::Page::Errors);
        QCOMPARE(open.window.currentPage(), MainWindow::Page::Errors);
        QVERIFY(open.settled());
        ErrorsPage* page = open.window.definitionPage()->errorsPage();
        QCOMPARE(page->list()->topLevelItemCount(), 2);
        const auto within = [page](int item) { return page->list()->topLevelItem(item)->text(1); };
        QCOMPARE(within(0), QStringLiteral("3 / 3"));
        QCOMPARE(within(1), QStringLiteral("2 / 3"));
        QCOMPARE(page->chart()->content().tolerance, std::optional(0.01));
        QVERIFY(page->chart()->describe().contains(QStringLiteral("0 (exact)")));
        QVERIFY(page->chart()->describe().contains(QStringLiteral("rough: workload, in file order 3 = 2")) || page->chart()->describe().contains(QStringLiteral("= 2")));
        page->setTolerance(ErrorTolerance{1e-6, 1e-6});
        QTRY_COMPARE_WITH_TIMEOUT(within(1), QStringLiteral("0 / 3"), kMarkWaitMs);
        QCOMPARE(page->chart()->content().tolerance, std::optional(1e-6));
        auto* slider = page->findChild<QSlider*>(QStringLiteral("errorAtol"));
        slider->setValue(10);   // 10
        QTRY_COMPARE_WITH_TIMEOUT(within(1), QStringLiteral("3 / 3"), kMarkWaitMs);
        QCOMPARE(page->tolerance()->atol, 10.0);
        page->findChild<QPushButton*>(QStringLiteral("errorUsual"))->click();
        QTRY_COMPARE_WITH_TIMEOUT(within(1), QStringLiteral("2 / 3"), kMarkWaitMs);
        const QTemporaryDir folder;
        QVERIFY(page->exportCsv(folder.filePath(QStringLiteral("errors.csv"))));
        QVERIFY(page->exportPicture(folder.filePath(QStringLiteral("errors.svg"))));
        emit page->chart()->tracePicked(2);
        QCOMPARE(open.window.workspace()->currentTrace(), qint64{2});
    }

    void chartsGoToTheBoardAndBack()
    {
        DatasetBuilder builder;
        fillMarked(builder);
        {
            OpenWindow open(builder);
            QVERIFY(open.isOpen);
            open.window.showPage(MainWindow::Page::Charts);
            ChartsPage* charts = open.window.definitionPage()->chartsPage();
            charts->setMeasure(ChartMeasure::Bandwidth);
            QVERIFY(open.settled());
            open.action("addToBoardAction")->trigger();
            QCOMPARE(open.window.currentPage(), MainWindow::Page::Board);
            open.window.showPage(MainWindow::Page::Charts);
            charts->setMeasure(ChartMeasure::LatencyMs);
            QVERIFY(open.settled());
            open.action("addToBoardAction")->trigger();
            open.action("addToBoardAction")->trigger();   // it is there already
            ChartBoard* board = open.window.workspace()->board();
            QCOMPARE(board->charts().size(), std::size_t{2});
            QVERIFY(open.settled());
            auto* page = open.window.findChild<BoardPage*>();
            QCOMPARE(page->cards().size(), std::size_t{2});
            QVERIFY(page->cards()[0]->chart()->content().measure == ChartMeasure::Bandwidth);
            QCOMPARE(page->cards()[0]->chart()->content().series.size(), std::size_t{2});
            board->move(1, -1);
            QVERIFY(page->cards()[0]->spec().measure == ChartMeasure::LatencyMs);
            emit page->cards()[1]->openRequested();
            QCOMPARE(open.window.currentPage(), MainWindow::Page::Charts);
            QVERIFY(open.settled());
            QVERIFY(charts->chart()->content().measure == ChartMeasure::Bandwidth);
            board->setNotes(charts->spec().key(), {{100, 1e9, QStringLiteral("a knee")}});
            QCOMPARE(charts->chart()->notes().size(), 1);
            QCOMPARE(page->cards()[1]->chart()->notes().size(), 1);
            const QTemporaryDir folder;
            QVERIFY(page->exportPicture(folder.filePath(QStringLiteral("board.png"))));
            open.window.close();
        }
        Workspace workspace;
        QVERIFY(test::openDataset(workspace, builder.root()));
        QCOMPARE(workspace.board()->charts().size(), std::size_t{2});
        QVERIFY(workspace.board()->charts()[1].measure == ChartMeasure::Bandwidth);
        QCOMPARE(workspace.board()->notes(workspace.board()->charts()[1].key()).front().text, QStringLiteral("a knee"));
        workspace.board()->remove(0);
        workspace.board()->remove(7);
        QCOMPARE(workspace.board()->charts().size(), std::size_t{1});
    }

    void chartSpecsReadBack()
    {
        ChartSpec spec{.definition = QStringLiteral("d"), .abscissa = ChartAbscissa::Axis, .axis = QStringLiteral("M"), .measure = ChartMeasure::RelativeError, .time = CallTime::Queued,
                       .hardware = QStringLiteral("H"), .hidden = {QStringLiteral("a")}, .logX = true, .logY = false, .band = false};
        QVERIFY(decodeChartSpec(encodeChartSpec(spec)) == spec);
        QVERIFY(decodeChartSpec({{QStringLiteral("x"), QStringLiteral("nonsense")}, {QStringLiteral("y"), 7}}) == ChartSpec());
    }

    void formulasAreCheckedWhileTheyAreTypedAndSaved()
    {
        DatasetBuilder builder;
        fillMarked(builder);
        Workspace workspace;
        QVERIFY(test::openDataset(workspace, builder.root()));
        QSignalSpy figures(&workspace, &Workspace::comparisonChanged);
        auto* dialog = new WorkFormulaDialog(&workspace, QStringLiteral("norm"));
        dialog->show();
        QCOMPARE(dialog->preview()->rowCount(), 3);
        auto* bytes = dialog->findChild<QLineEdit*>(QStringLiteral("formulaBytes"));
        auto* save = dialog->findChild<QPushButton*>(QStringLiteral("formulaSave"));
        bytes->setText(QStringLiteral("2 * (M"));
        QVERIFY(!save->isEnabled());
        bytes->setText(QStringLiteral("M * Q"));
        QVERIFY(!save->isEnabled());
        bytes->setText(QStringLiteral("M * 1000000"));
        QVERIFY(save->isEnabled());
        QVERIFY(dialog->preview()->index(0, 1).data().toString().startsWith(QStringLiteral("64")));
        save->click();
        QCOMPARE(figures.count(), 1);   // figures follow at once
        const auto stored = readWorkFormula(builder.root(), "norm");
        QVERIFY(stored);
        QCOMPARE(stored->bytes, std::string("M * 1000000"));
        delete dialog;
        WorkFormulaDialog again(&workspace, QStringLiteral("norm"));
        QCOMPARE(again.findChild<QLineEdit*>(QStringLiteral("formulaBytes"))->text(), QStringLiteral("M * 1000000"));
    }

    void ownCeilingsAreEditedInATable()
    {
        DatasetBuilder builder;
        builder.definition({.name = "d"}).solution({.name = "s", .definition = "d"}).trace({.definition = "d", .solution = "s", .uuid = "w", .hardware = "a toaster"});
        Workspace workspace;
        QVERIFY(test::openDataset(workspace, builder.root()));
        const QTemporaryDir folder;
        const std::filesystem::path file = folder.filePath(QStringLiteral("ceilings.json")).toStdString();
        CeilingsDialog dialog(&workspace, file);
        dialog.show();
        QTableWidget* table = dialog.table();
        const int sheets = table->rowCount();
        QCOMPARE(sheets, static_cast<int>(CeilingTable::dataSheets().entries().size()));
        QVERIFY(dialog.entries()->empty());
        dialog.findChild<QPushButton*>(QStringLiteral("ceilingsAdd"))->click();
        QCOMPARE(table->rowCount(), sheets + 1);
        QCOMPARE(table->item(sheets, 0)->text(), QStringLiteral("a toaster"));   // nothing was known of it
        auto* save = dialog.findChild<QPushButton*>(QStringLiteral("ceilingsSave"));
        table->item(sheets, 1)->setText(QStringLiteral("fast"));
        QVERIFY(!save->isEnabled());
        table->item(sheets, 1)->setText(QStringLiteral("12.5"));
        QVERIFY(save->isEnabled());
        table->item(0, 1)->setText(QStringLiteral("1234"));   // of a data sheet: the user's from now on
        QCOMPARE(dialog.entries()->size(), std::size_t{2});
        save->click();
        const auto read = CeilingTable::read(file);
        QVERIFY(read);
        QCOMPARE(read->find("a toaster")->peaks.memoryBytesPerSecond, 12.5e9);
        QCOMPARE(read->find("A100-SXM4-40GB")->peaks.memoryBytesPerSecond, 1234e9);
        QCOMPARE(read->find("H200")->peaks.memoryBytesPerSecond, CeilingTable::dataSheets().find("H200")->peaks.memoryBytesPerSecond);
    }

    void aTraceLeadsToItsSource()
    {
        DatasetBuilder builder;
        fillMarked(builder);
        OpenWindow open(builder);
        QVERIFY(open.isOpen);
        open.window.workspace()->setCurrentTrace(1);
        open.action("judgedSourceAction")->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(open.window.findChild<SolutionPage*>() != nullptr, kMarkWaitMs);
        QCOMPARE(open.window.findChild<SolutionPage*>()->solutionName(), QString::fromStdString(std::string(open.window.workspace()->dataset()->traces().solutionName(open.window.workspace()->dataset()->traces().row(1)))));
    }
};

QTEST_MAIN(TestMarksAndBoard)
#include "test_marks_and_board.moc"
