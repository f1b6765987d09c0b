// SPDX-License-Identifier: GPL-3.0-or-later
// What every big table offers: choosing columns, sorting by several, copying, exporting.
#include <QAbstractItemModelTester>
#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QMenu>
#include <QProgressDialog>
#include <QPushButton>
#include <QScrollBar>
#include <QTableView>

#include "tests/support/gui_test.h"
#include "ui/main_window.h"
#include "ui/models/sort_keys.h"
#include "ui/models/solution_table_model.h"
#include "ui/models/sorted_by_keys.h"
#include "ui/models/table_roles.h"
#include "ui/pages/definition_page.h"
#include "ui/pages/leaderboard_page.h"
#include "ui/pages/table_tools.h"
#include "ui/pages/traces_page.h"
#include "ui/style/sort_header.h"
#include "ui/style/tables.h"

using namespace tracedeck;
using namespace tracedeck::ui;
using tracedeck::test::DatasetBuilder;

namespace {

constexpr int kWaitMs = 20'000;

void fill(DatasetBuilder& builder)
{
    builder.definition({.name = "gemm_a"});
    for (const auto& [name, author] : {std::pair{"s1", "bob"}, std::pair{"s2", "ann"}, std::pair{"s3", "bob"}, std::pair{"base", "baseline"}})
        builder.solution({.name = name, .definition = "gemm_a", .author = author});
    builder.workload({.definition = "gemm_a", .uuid = "w1", .axes = {{"M", 2}}}).workload({.definition = "gemm_a", .uuid = "w2", .axes = {{"M", 1}}});
    double latency = 1.25;
    for (const char* solution : {"s1", "s2", "s3", "base"})
        builder.trace({.definition = "gemm_a", .solution = solution, .uuid = "w1", .latencyMs = latency *= 2, .hardware = "NVIDIA H100 80GB HBM3"});
}

QStringList column(const QAbstractItemModel& model, int column)
{
    QStringList texts;
    for (int row = 0; row < model.rowCount(); ++row)
        texts << model.index(row, column).data().toString();
    return texts;
}

QByteArray contentOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// A table of a given number of rows whose cells are their row numbers.
class NumberModel : public QAbstractTableModel {
public:
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : m_rows; }
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : 2; }
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override
    {
        return role == Qt::DisplayRole || role == kCellRole ? QVariant(index.row() / (index.column() == 0 ? 1 : 2)) : QVariant();
    }
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation, int role) const override
    {
        return role == Qt::DisplayRole || role == kColumnKeyRole ? QVariant(section == 0 ? QStringLiteral("name") : QStringLiteral("half")) : QVariant();
    }
    int m_rows = 4;
};

}  // namespace

class TestTableTools : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { test::prepareGuiTest(); }
    void init()
    {
        test::failOnQtWarnings();
        QSettings().clear();
    }

    void clicksMakeSortKeys_data()
    {
        QTest::addColumn<QList<int>>("clicks");   // negative: with Shift; columns count from 1
        QTest::addColumn<QList<int>>("keys");     // negative: descending
        QTest::newRow("one click ascends") << QList<int>{1} << QList<int>{1};
        QTest::newRow("the same column turns around") << QList<int>{1, 1} << QList<int>{-1};
        QTest::newRow("another column takes its place") << QList<int>{1, 2} << QList<int>{2};
        QTest::newRow("a plain click leaves one key") << QList<int>{1, -2, -3, 1} << QList<int>{-1};
        QTest::newRow("a plain click on a later key ascends") << QList<int>{1, -2, -2, 2} << QList<int>{2};
        QTest::newRow("Shift adds at the end") << QList<int>{1, -2, -3} << QList<int>{1, 2, 3};
        QTest::newRow("Shift turns around in place") << QList<int>{1, -2, -1} << QList<int>{-1, 2};
        QTest::newRow("at most four, the newest among them") << QList<int>{1, -2, -3, -4, -5} << QList<int>{1, 2, 3, 5};
    }
    void clicksMakeSortKeys()
    {
        QFETCH(QList<int>, clicks);
        SortKeys keys;
        for (const int click : clicks)
            keys = keysAfterClick(keys, std::abs(click), click < 0);
        QList<int> made;
        for (const SortKey& key : keys)
            made << (key.order == Qt::AscendingOrder ? key.column : -key.column);
        QTEST(made, "keys");
    }

    void sortsBySeveralColumns()
    {
        DatasetBuilder builder;
        fill(builder);
        Workspace workspace;
        DefinitionPage page(&workspace);
        QAbstractItemModelTester solutionTester(page.solutionTable()->model());
        QAbstractItemModelTester workloadTester(page.workloadTable()->model());
        page.resize(1000, 700);
        page.show();
        QVERIFY(test::openDataset(workspace, builder.root()));
        workspace.setCurrentDefinition(QStringLiteral("gemm_a"));
        page.showTab(DefinitionPage::Tab::Solutions);
        QTRY_VERIFY_WITH_TIMEOUT(!page.isBusy(), kWaitMs);
        QTableView* table = page.solutionTable();
        const auto click = [table](int section, Qt::KeyboardModifiers modifiers) {
            auto* header = table->horizontalHeader();
            QTest::mouseClick(header->viewport(), Qt::LeftButton, modifiers, {header->sectionViewportPosition(section) + 12, header->height() / 2});
        };
        click(SolutionTableModel::AuthorColumn, {});
        click(SolutionTableModel::LatencyColumn, Qt::ShiftModifier);
        QCOMPARE(column(*table->model(), 0), (QStringList{QStringLiteral("s2"), QStringLiteral("base"), QStringLiteral("s1"), QStringLiteral("s3")}));
        click(SolutionTableModel::LatencyColumn, Qt::ShiftModifier);
        QCOMPARE(column(*table->model(), 0), (QStringList{QStringLiteral("s2"), QStringLiteral("base"), QStringLiteral("s3"), QStringLiteral("s1")}));
        QCOMPARE(table->horizontalHeader()->sortIndicatorSection(), int{SolutionTableModel::AuthorColumn});
        // What comes with new figures keeps the order.
        emit workspace.comparisonChanged();
        QTRY_VERIFY_WITH_TIMEOUT(!page.isBusy(), kWaitMs);
        QCOMPARE(column(*table->model(), 0).last(), QStringLiteral("s1"));
    }

    void sortedByKeysTurnsEachKeyAround()
    {
        NumberModel numbers;
        SortedByKeys sorted;
        sorted.setSourceModel(&numbers);
        QAbstractItemModelTester tester(&sorted);
        sorted.sortBy({{1, Qt::DescendingOrder}, {0, Qt::AscendingOrder}});
        QCOMPARE(column(sorted, 0), (QStringList{QStringLiteral("2"), QStringLiteral("3"), QStringLiteral("0"), QStringLiteral("1")}));
        sorted.sortBy({{1, Qt::DescendingOrder}, {0, Qt::DescendingOrder}});
        QCOMPARE(column(sorted, 0), (QStringList{QStringLiteral("3"), QStringLiteral("2"), QStringLiteral("1"), QStringLiteral("0")}));
        sorted.sortBy({});
        QCOMPARE(column(sorted, 0), (QStringList{QStringLiteral("0"), QStringLiteral("1"), QStringLiteral("2"), QStringLiteral("3")}));
    }

    void chosenColumnsAreKept()
    {
        DatasetBuilder builder;
        fill(builder);
        const auto findColumn = [](const QTableView* view, const QString& key) {
            for (int column = 0; column < view->model()->columnCount(); ++column)
                if (view->model()->headerData(column, Qt::Horizontal, kColumnKeyRole) == key)
                    return column;
            return -1;
        };
        const auto menuOf = [](const QWidget* parent) { return parent->findChild<QMenu*>(QStringLiteral("columnMenu")); };
        {
            MainWindow window;
            window.resize(1280, 800);
            window.show();
            QVERIFY(QTest::qWaitForWindowActive(&window));
            window.openPath(QString::fromStdString(builder.root().string()));
            QTRY_VERIFY_WITH_TIMEOUT(window.workspace()->isOpen() && window.isSettled(), kWaitMs);
            auto* choose = window.findChild<QAction*>(QStringLiteral("chooseColumnsAction"));
            window.showPage(MainWindow::Page::Charts);
            QVERIFY(!choose->isEnabled());
            window.showPage(MainWindow::Page::Workloads);
            QTableView* view = window.definitionPage()->workloadTable();
            QVERIFY(choose->isEnabled());
            choose->trigger();
            QPointer<QMenu> menu = menuOf(view);
            QVERIFY(menu);
            QVERIFY(!menu->findChild<QAction*>(QStringLiteral("column number"))->isEnabled());   // says what a row is
            menu->findChild<QAction*>(QStringLiteral("column axis M"))->trigger();
            menu->close();
            QVERIFY(view->isColumnHidden(findColumn(view, QStringLiteral("axis M"))));
            QTRY_VERIFY(!menu);
        }
        {
            MainWindow window;
            window.show();
            window.openPath(QString::fromStdString(builder.root().string()));
            QTRY_VERIFY_WITH_TIMEOUT(window.workspace()->isOpen() && window.isSettled(), kWaitMs);
            QTableView* view = window.definitionPage()->workloadTable();
            QVERIFY(view->isColumnHidden(findColumn(view, QStringLiteral("axis M"))));
            window.showPage(MainWindow::Page::Workloads);
            window.findChild<QAction*>(QStringLiteral("chooseColumnsAction"))->trigger();
            const QMenu* menu = menuOf(view);
            QVERIFY(menu);
            for (QAction* action : menu->actions())
                if (action->text() == QStringLiteral("&Usual columns"))
                    action->trigger();
            QVERIFY(!view->isColumnHidden(findColumn(view, QStringLiteral("axis M"))));
        }
    }

    void nameColumnStaysWhateverTheSettingsSay()
    {
        QSettings().setValue(QStringLiteral("columns/leaderboard/author"), false);
        QSettings().setValue(QStringLiteral("columns/leaderboard/speedup"), false);
        Workspace workspace;
        const LeaderboardPage page(&workspace);
        QVERIFY(!page.view()->isColumnHidden(1));
        QVERIFY(page.view()->isColumnHidden(2));
    }

    void tracesNeedNoSidewaysScrolling()
    {
        DatasetBuilder builder;
        fill(builder);
        MainWindow window;
        window.resize(1280, 800);
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        window.openPath(QString::fromStdString(builder.root().string()));
        QTRY_VERIFY_WITH_TIMEOUT(window.workspace()->isOpen() && window.isSettled(), kWaitMs);
        window.showPage(MainWindow::Page::Traces);
        QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kWaitMs);
        const QTableView* view = window.definitionPage()->tracesPage()->view();
        QTRY_COMPARE(view->horizontalScrollBar()->maximum(), 0);
        window.workspace()->setCurrentTrace(0);   // the details take their place, too
        QTRY_COMPARE(view->horizontalScrollBar()->maximum(), 0);
    }

    void copiesWhatIsSelected()
    {
        DatasetBuilder builder;
        fill(builder);
        MainWindow window;
        window.resize(1280, 800);
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        window.openPath(QString::fromStdString(builder.root().string()));
        QTRY_VERIFY_WITH_TIMEOUT(window.workspace()->isOpen() && window.isSettled(), kWaitMs);
        window.definitionPage()->showTab(DefinitionPage::Tab::Solutions);
        QTableView* view = window.definitionPage()->solutionTable();
        view->setColumnHidden(SolutionTableModel::AuthorColumn, true);
        view->selectionModel()->setCurrentIndex(view->model()->index(0, 0), QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
        view->setFocus();
        QTest::keyClick(view, Qt::Key_C, Qt::ControlModifier);
        QStringList lines = QApplication::clipboard()->text().split(QLatin1Char('\n'));
        QCOMPARE(lines.size(), 3);
        QCOMPARE(lines.at(0), QStringLiteral("Solution\tLanguage\tPassed\tSpeedup (×)\tLatency (µs)\tOf light (%)\tFastest on\tMade for"));
        QVERIFY2(lines.at(1).startsWith(QStringLiteral("s1\tpython\t1 / 1\t0.8000\t2500\t0.0\t1\t")), qPrintable(lines.at(1)));
        QTest::keyClick(view, Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
        lines = QApplication::clipboard()->text().split(QLatin1Char('\n'));
        QVERIFY2(lines.at(1).startsWith(QStringLiteral("s1\tpython\t1 / 1\t0.8\t2500\t")) && lines.at(1).endsWith(QStringLiteral("\t1\tcpu")), qPrintable(lines.at(1)));
        // The Edit menu offers what the table of the page can do.
        QStringList offered;
        for (const QAction* action : window.menuBar()->actions().at(1)->menu()->actions())
            offered << action->objectName();
        QCOMPARE(offered.count(QStringLiteral("copyAsSeen")), 1);
    }

    void exportsEachFormat_data()
    {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("start");
        QTest::newRow("csv") << QStringLiteral("t.csv") << QStringLiteral("name,half\n0,0\n1,0\n2,1\n");
        QTest::newRow("json") << QStringLiteral("t.json") << QStringLiteral("[\n  {\"name\": 0, \"half\": 0},\n");
        QTest::newRow("markdown") << QStringLiteral("t.md") << QStringLiteral("| name | half |\n| --- | --- |\n| 0 | 0 |\n");
        QTest::newRow("latex") << QStringLiteral("t.tex") << QStringLiteral("\\begin{tabular}{ll}\n");
        QTest::newRow("any other name is CSV") << QStringLiteral("t") << QStringLiteral("name,half\n");
    }
    void exportsEachFormat()
    {
        QFETCH(QString, file);
        QFETCH(QString, start);
        NumberModel model;
        QTableView view;
        view.setHorizontalHeader(new SortHeader(&view));
        view.setModel(&model);
        setUpTable(&view);
        TableTools tools(&view, QStringLiteral("numbers"), QStringLiteral("name"), &view);
        const QTemporaryDir folder;
        QSignalSpy ended(&tools, &TableTools::exportEnded);
        tools.exportTo(folder.filePath(file));
        QTRY_COMPARE_WITH_TIMEOUT(ended.count(), 1, kWaitMs);
        QVERIFY(ended.front().at(1).toBool());
        QVERIFY2(contentOf(folder.filePath(file)).startsWith(start.toUtf8()), contentOf(folder.filePath(file)).constData());
        QVERIFY(!tools.isExporting());
    }

    void longExportCanBeCancelled()
    {
        NumberModel model;
        QTableView view;
        view.setHorizontalHeader(new SortHeader(&view));
        view.setModel(&model);
        setUpTable(&view);
        TableTools tools(&view, QStringLiteral("numbers"), QStringLiteral("name"), &view);
        auto reached = std::make_shared<std::atomic<bool>>(false);
        tools.setTableSource([reached](const std::vector<int>&) {
            TableToWrite table{{{"n", true}}, 1'000'000'000, [reached](std::size_t row, std::size_t) {
                                   *reached = true;
                                   return TableCell(static_cast<std::int64_t>(row));
                               }};
            return table;
        });
        const QTemporaryDir folder;
        QSignalSpy ended(&tools, &TableTools::exportEnded);
        tools.exportTo(folder.filePath(QStringLiteral("t.csv")));
        QTRY_VERIFY(*reached);   // this thread goes on while the rows are written
        auto* progress = view.findChild<QProgressDialog*>(QStringLiteral("exportProgress"));
        QVERIFY(progress);
        QVERIFY(!progress->isModal());
        QTRY_VERIFY_WITH_TIMEOUT(progress->value() > 0, kWaitMs);
        QTest::mouseClick(progress->findChild<QPushButton*>(), Qt::LeftButton);
        QCOMPARE(ended.count(), 1);
        QVERIFY(!ended.front().at(1).toBool());
        QTRY_VERIFY_WITH_TIMEOUT(QDir(folder.path()).isEmpty(QDir::Files | QDir::Hidden), kWaitMs);
    }

    void statusBarChoosesWhatCounts()
    {
        DatasetBuilder builder;
        builder.definition({.name = "gemm_a"}).solution({.name = "s1", .definition = "gemm_a"}).workload({.definition = "gemm_a", .uuid = "w1"});
        builder.trace({.definition = "gemm_a", .solution = "s1", .uuid = "w1", .latencyMs = 4, .hardware = "Card One", .timestamp = "2026-01-02T00:00:00"})
            .trace({.definition = "gemm_a", .solution = "s1", .uuid = "w1", .latencyMs = 2, .hardware = "Card One", .timestamp = "2026-01-01T00:00:00"})
            .trace({.definition = "gemm_a", .solution = "s1", .uuid = "w1", .latencyMs = 1, .hardware = "Card Two",
                    .judge = R"({"time":{"method":"cupti","launch_bound":true}})"});
        MainWindow window;
        window.resize(1280, 800);
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        auto* policy = window.findChild<QToolButton*>(QStringLiteral("policyButton"));
        auto* hardware = window.findChild<QToolButton*>(QStringLiteral("hardwareButton"));
        auto* timing = window.findChild<QToolButton*>(QStringLiteral("timingBadge"));
        QVERIFY(policy->isHidden() && hardware->isHidden() && timing->isHidden());
        window.openPath(QString::fromStdString(builder.root().string()));
        QTRY_VERIFY_WITH_TIMEOUT(window.workspace()->isOpen() && window.isSettled(), kWaitMs);
        const auto choose = [](QToolButton* button, const QString& text) {
            emit button->menu()->aboutToShow();
            for (QAction* action : button->menu()->actions())
                if (action->text() == text)
                    action->trigger();
        };
        const auto latency = [&] { return window.definitionPage()->solutionTable()->model()->index(0, SolutionTableModel::LatencyColumn).data().toString(); };
        QCOMPARE(policy->text(), QStringLiteral("newest per pair"));
        QCOMPARE(timing->text(), QStringLiteral("mixed timing"));
        QVERIFY2(timing->toolTip().contains(QStringLiteral("CUPTI: 1 traces")), qPrintable(timing->toolTip()));
        QCOMPARE(latency(), QStringLiteral("2000"));   // of 4 ms and 1 ms
        choose(hardware, QStringLiteral("Card One"));
        QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kWaitMs);
        QCOMPARE(hardware->text(), QStringLiteral("Card One only"));
        QCOMPARE(window.workspace()->hardware(), QStringLiteral("Card One"));
        QCOMPARE(latency(), QStringLiteral("4000"));
        QCOMPARE(timing->text(), QStringLiteral("timing unknown"));
        choose(policy, QStringLiteral("lowest median per pair"));
        QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kWaitMs);
        QCOMPARE(policy->text(), QStringLiteral("lowest median per pair"));
        QCOMPARE(latency(), QStringLiteral("2000"));
        choose(hardware, QStringLiteral("Card Two"));
        QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kWaitMs);
        QCOMPARE(timing->text(), QStringLiteral("launch-bound 1"));
        // The trace that is launch-bound says so, not by the icon alone.
        window.showPage(MainWindow::Page::Traces);
        QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kWaitMs);
        const auto* model = window.definitionPage()->tracesPage()->view()->model();
        int marked = 0;
        for (int row = 0; row < model->rowCount(); ++row)
            for (int column = 0; column < model->columnCount(); ++column)
                marked += model->index(row, column).data(Qt::AccessibleTextRole).toString().endsWith(QStringLiteral("launch-bound")) &&
                          !model->index(row, column).data(Qt::DecorationRole).isNull();
        QCOMPARE(marked, 1);
    }

    void exportOfTracesFollowsTheColumnsShown()
    {
        DatasetBuilder builder;
        fill(builder);
        Workspace workspace;
        TracesPage page(&workspace);
        QVERIFY(test::openDataset(workspace, builder.root()));
        QTRY_VERIFY_WITH_TIMEOUT(!page.isBusy() && page.view()->model()->rowCount() == 4, kWaitMs);
        for (int column = 0; column < page.view()->model()->columnCount(); ++column) {
            const QString key = page.view()->model()->headerData(column, Qt::Horizontal, kColumnKeyRole).toString();
            page.view()->setColumnHidden(column, key != QStringLiteral("solution") && key != QStringLiteral("latency"));
        }
        emit page.tools()->sortRequested({{page.tools()->shownColumns().back(), Qt::DescendingOrder}});
        QTRY_VERIFY_WITH_TIMEOUT(!page.isBusy(), kWaitMs);
        const QTemporaryDir folder;
        QSignalSpy ended(page.tools(), &TableTools::exportEnded);
        page.tools()->exportTo(folder.filePath(QStringLiteral("t.csv")));
        QTRY_COMPARE_WITH_TIMEOUT(ended.count(), 1, kWaitMs);
        QCOMPARE(contentOf(folder.filePath(QStringLiteral("t.csv"))), QByteArray("Solution,Latency (µs)\nbase,20000\ns3,10000\ns2,5000\ns1,2500\n"));
    }
};

QTEST_MAIN(TestTableTools)
#include "test_table_tools.moc"
