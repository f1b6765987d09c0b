// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractItemModelTester>
#include <QApplication>
#include <QClipboard>
#include <QFile>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QLabel>
#include <QLineEdit>
#include <QScrollBar>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QTreeWidget>
#include <numeric>

#include "tests/support/gui_test.h"
#include "core/report/report.h"
#include "ui/models/table_roles.h"
#include "ui/models/trace_table_model.h"
#include "ui/pages/log_view.h"
#include "ui/pages/trace_details.h"
#include "ui/pages/trace_filter_bar.h"
#include "ui/pages/table_tools.h"
#include "ui/pages/traces_page.h"

using namespace tracedeck;
using namespace tracedeck::ui;
using namespace tracedeck::test;

namespace {

/// Two definitions, three solutions by two authors, traces of every kind.
void fill(DatasetBuilder& builder)
{
    builder.definition({.name = "gemm_n4"}).definition({.name = "norm_h8", .opType = "rmsnorm"});
    builder.solution({.name = "ann_fast", .definition = "gemm_n4"});
    builder.solution({.name = "bob_slow", .definition = "gemm_n4", .author = "bob"});
    builder.solution({.name = "bob_norm", .definition = "norm_h8", .author = "bob"});
    builder.workload({.definition = "gemm_n4", .uuid = "w-small", .axes = {{"M", 16}}});
    builder.workload({.definition = "gemm_n4", .uuid = "w-large", .axes = {{"M", 4096}}});
    builder.workload({.definition = "norm_h8", .uuid = "w-norm", .axes = {{"M", 7}}});
    builder.trace({.definition = "gemm_n4", .solution = "ann_fast", .uuid = "w-small", .latencyMs = 0.0123456789, .axes = {{"M", 16}}});
    builder.trace({.definition = "gemm_n4", .solution = "ann_fast", .uuid = "w-large", .latencyMs = 1.5, .axes = {{"M", 4096}}});
    builder.trace({.definition = "gemm_n4", .solution = "bob_slow", .uuid = "w-small", .latencyMs = 0.5, .axes = {{"M", 16}}});
    builder.trace({.definition = "gemm_n4", .solution = "bob_slow", .uuid = "w-large", .status = Status::RuntimeError,
                   .axes = {{"M", 4096}}, .log = "Traceback\nValueError: needle in the log\n"});
    builder.trace({.definition = "norm_h8", .solution = "bob_norm", .uuid = "w-norm", .latencyMs = 0.02, .axes = {{"M", 7}},
                   .hardware = "Other GPU"});
}

RowIndex allRows(const Dataset& dataset)
{
    RowIndex rows(dataset.traces().size());
    std::iota(rows.begin(), rows.end(), 0U);
    return rows;
}

QString cell(const TraceTableModel& model, int row, TraceColumn column, int role = Qt::DisplayRole)
{
    return model.index(row, TraceTableModel::columnOf(column)).data(role).toString();
}

/// Solution and axes of each row, for messages that say what is there.
QStringList shown(const TraceTableModel& model)
{
    QStringList rows;
    for (int row = 0; row < model.rowCount(); ++row) {
        rows << cell(model, row, TraceColumn::Solution) + u' ' + cell(model, row, TraceColumn::Axes);
    }
    return rows;
}

bool settled(const TracesPage& page)
{
    return QTest::qWaitFor([&] { return !page.isBusy(); }, 20'000);
}

}  // namespace

class TestTraceTable : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { prepareGuiTest(); }
    void init() { failOnQtWarnings(); }

    void modelKeepsItsContract()
    {
        DatasetBuilder builder;
        fill(builder);
        TraceTableModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        const auto dataset = builder.load();
        model.show(dataset, allRows(*dataset));
        QCOMPARE(model.rowCount(), 5);
        RowIndex reversed = allRows(*dataset);
        std::reverse(reversed.begin(), reversed.end());
        model.reorder(reversed);
        QCOMPARE(model.findRow(0), 4);
        QVERIFY(model.grow(dataset, reversed));
        model.show(dataset, {});
        QCOMPARE(model.rowCount(), 0);
        QCOMPARE(model.rowCount(model.index(0, 0)), 0);
        QVERIFY(!model.index(0, 0).isValid());
        QVERIFY(!model.data({}, Qt::DisplayRole).isValid());
    }

    void numbersHaveFourDigitsAndTheUnitInTheHeader()
    {
        DatasetBuilder builder;
        fill(builder);
        TraceTableModel model;
        const auto dataset = builder.load();
        model.show(dataset, allRows(*dataset));
        const int row = static_cast<int>(shown(model).indexOf(QStringLiteral("ann_fast M=16")));
        QVERIFY2(row >= 0, qPrintable(shown(model).join(u'\n')));
        QCOMPARE(cell(model, row, TraceColumn::Latency), QStringLiteral("12.35"));
        QCOMPARE(cell(model, row, TraceColumn::Latency, kCellRole).toDouble(), 0.0123456789 * 1000);
        QCOMPARE(cell(model, row, TraceColumn::Latency, Qt::AccessibleTextRole), QStringLiteral("12.35 microseconds"));
        QCOMPARE(cell(model, row, TraceColumn::Status), QStringLiteral("passed"));
        QVERIFY(model.headerData(TraceTableModel::columnOf(TraceColumn::Latency), Qt::Horizontal).toString().contains(QStringLiteral("µs")));
        const auto alignment = [&](TraceColumn column) {
            return model.index(row, TraceTableModel::columnOf(column)).data(Qt::TextAlignmentRole).value<Qt::Alignment>();
        };
        QVERIFY(alignment(TraceColumn::Latency).testFlag(Qt::AlignRight));
        QVERIFY(alignment(TraceColumn::Solution).testFlag(Qt::AlignLeft));
        const int failed = static_cast<int>(shown(model).indexOf(QStringLiteral("bob_slow M=4096")));
        QCOMPARE(cell(model, failed, TraceColumn::Latency), QStringLiteral("–"));
        QVERIFY(!model.index(failed, TraceTableModel::columnOf(TraceColumn::Status)).data(Qt::DecorationRole).isNull());
    }

    void reorderMovesPersistentIndexes()
    {
        DatasetBuilder builder;
        fill(builder);
        TraceTableModel model;
        const auto dataset = builder.load();
        model.show(dataset, {0, 1, 2, 3, 4});
        const QPersistentModelIndex third(model.index(2, 1));
        model.reorder({4, 3, 2, 1, 0});
        QCOMPARE(third.row(), 2);
        model.reorder({2, 0, 1, 3, 4});
        QCOMPARE(third.row(), 0);
        QCOMPARE(third.data(TraceTableModel::TraceRowRole).toUInt(), 2U);
    }

    void growInsertsOnlyWhatIsNew()
    {
        DatasetBuilder builder;
        fill(builder);
        TraceTableModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        const auto dataset = builder.load();
        model.show(dataset, {1, 3});
        QSignalSpy inserted(&model, &QAbstractItemModel::rowsInserted);
        QSignalSpy reset(&model, &QAbstractItemModel::modelReset);
        QVERIFY(model.grow(dataset, {0, 1, 2, 4, 3}));
        QCOMPARE(reset.count(), 0);
        QCOMPARE(inserted.count(), 2);
        QCOMPARE(inserted.at(0).at(1).toInt(), 0);
        QCOMPARE(inserted.at(1).at(1).toInt(), 2);
        QCOMPARE(inserted.at(1).at(2).toInt(), 3);
        QCOMPARE(model.rows(), (RowIndex{0, 1, 2, 4, 3}));
        // Rows that went away are no growth.
        QVERIFY(!model.grow(dataset, {0, 1}));
        QCOMPARE(reset.count(), 1);
        QCOMPARE(model.rows(), (RowIndex{0, 1}));
    }

    void typingFiltersAfterAPause()
    {
        DatasetBuilder builder;
        fill(builder);
        Workspace workspace;
        TracesPage page(&workspace);
        page.resize(1000, 500);
        page.show();
        QVERIFY(openDataset(workspace, builder.root()));
        QVERIFY(settled(page));
        QCOMPARE(page.model()->rowCount(), 5);
        auto* edit = page.findChild<QLineEdit*>(QStringLiteral("traceFilter"));
        QSignalSpy answers(&page, &TracesPage::rowsShown);
        QTest::keyClicks(edit, QStringLiteral("bob m=4096"));
        QVERIFY(page.isBusy());
        QVERIFY(settled(page));
        QCOMPARE(shown(*page.model()), QStringList{QStringLiteral("bob_slow M=4096")});
        QCOMPARE(answers.count(), 1);   // ten key strokes, one query
        QCOMPARE(page.findChild<QLabel*>(QStringLiteral("traceCount"))->text(), QStringLiteral("1 of 5"));
        QTest::keyClick(edit, Qt::Key_A);
        QVERIFY(settled(page));
        QCOMPARE(page.model()->rowCount(), 0);
        QCOMPARE(page.findChild<QLabel*>(QStringLiteral("tracesEmpty"))->text(), QStringLiteral("No trace matches the filters."));
        page.resetFilters();
        QVERIFY(settled(page));
        QCOMPARE(page.model()->rowCount(), 5);
    }

    void quickFiltersAndScopeRestrictTheRows()
    {
        DatasetBuilder builder;
        fill(builder);
        Workspace workspace;
        TracesPage page(&workspace);
        QVERIFY(openDataset(workspace, builder.root()));
        workspace.setCurrentDefinition(QStringLiteral("gemm_n4"));
        QVERIFY(settled(page));
        QCOMPARE(page.model()->rowCount(), 4);
        page.setStatuses({Status::RuntimeError});
        QVERIFY(settled(page));
        QCOMPARE(shown(*page.model()), QStringList{QStringLiteral("bob_slow M=4096")});
        page.setStatuses({});
        page.setSolutions({QStringLiteral("ann_fast")});
        QVERIFY(settled(page));
        QCOMPARE(page.model()->rowCount(), 2);
        page.resetFilters();
        page.filterBar()->setScope(TraceFilterBar::Scope::WholeDataset);
        QVERIFY(settled(page));
        QCOMPARE(page.model()->rowCount(), 5);
    }

    void headerClicksSortAndUnmeasuredRowsComeLast()
    {
        DatasetBuilder builder;
        fill(builder);
        Workspace workspace;
        TracesPage page(&workspace);
        page.resize(1400, 500);
        page.show();
        QVERIFY(openDataset(workspace, builder.root()));
        QVERIFY(settled(page));
        const int column = TraceTableModel::columnOf(TraceColumn::Latency);
        QHeaderView* header = page.view()->horizontalHeader();
        // Columns get their widths from the first rows that are shown.
        const auto spot = [&] { return QPoint(header->sectionViewportPosition(column) + header->sectionSize(column) / 2, header->height() / 2); };
        const auto latencies = [&] {
            QStringList texts;
            for (int row = 0; row < page.model()->rowCount(); ++row) {
                texts << cell(*page.model(), row, TraceColumn::Latency);
            }
            return texts;
        };
        QTest::mouseClick(header->viewport(), Qt::LeftButton, {}, spot());
        QVERIFY(settled(page));
        QCOMPARE(latencies(), (QStringList{QStringLiteral("12.35"), QStringLiteral("20.00"), QStringLiteral("500.0"), QStringLiteral("1500"), QStringLiteral("–")}));
        QTest::mouseClick(header->viewport(), Qt::LeftButton, {}, spot());
        QVERIFY(settled(page));
        QCOMPARE(latencies(), (QStringList{QStringLiteral("1500"), QStringLiteral("500.0"), QStringLiteral("20.00"), QStringLiteral("12.35"), QStringLiteral("–")}));
        QCOMPARE(header->sortIndicatorOrder(), Qt::DescendingOrder);
    }

    void selectionSurvivesFilterAndSort()
    {
        DatasetBuilder builder;
        fill(builder);
        Workspace workspace;
        TracesPage page(&workspace);
        page.resize(1000, 500);
        page.show();
        QVERIFY(openDataset(workspace, builder.root()));
        QVERIFY(settled(page));
        const int row = static_cast<int>(shown(*page.model()).indexOf(QStringLiteral("bob_slow M=16")));
        const quint32 trace = page.model()->rows()[static_cast<std::size_t>(row)];
        page.view()->selectRow(row);
        QCOMPARE(workspace.currentTrace(), static_cast<qint64>(trace));
        page.setFilterText(QStringLiteral("bob"));
        QVERIFY(settled(page));
        const QModelIndex current = page.view()->currentIndex();
        QCOMPARE(current.data(TraceTableModel::TraceRowRole).toUInt(), trace);
        QVERIFY(page.view()->selectionModel()->isRowSelected(current.row(), {}));
        // A trace chosen elsewhere is found in the table.
        const int other = static_cast<int>(shown(*page.model()).indexOf(QStringLiteral("bob_norm M=7")));
        workspace.setCurrentTrace(static_cast<qint64>(page.model()->rows()[static_cast<std::size_t>(other)]));
        QCOMPARE(page.view()->currentIndex().row(), other);
    }

    void selectionSurvivesAReload()
    {
        DatasetBuilder builder;
        fill(builder);
        Workspace workspace;
        TracesPage page(&workspace);
        page.resize(1000, 500);
        page.show();
        QVERIFY(openDataset(workspace, builder.root()));
        QVERIFY(settled(page));
        page.view()->selectRow(static_cast<int>(shown(*page.model()).indexOf(QStringLiteral("bob_slow M=16"))));
        // A file that sorts before all others moves every row.
        builder.trace({.definition = "gemm_n4",
                       .solution = "ann_fast",
                       .uuid = "w-small",
                       .latencyMs = 7,
                       .axes = {{"M", 16}},
                       .timestamp = "2026-02-02T00:00:00",
                       .file = "traces/aaa/gemm/gemm_n4.jsonl"});
        QSignalSpy changed(&workspace, &Workspace::datasetChanged);
        workspace.reload();
        QTRY_VERIFY_WITH_TIMEOUT(changed.count() > 0 && !page.isBusy() && page.model()->rowCount() == 6, 20'000);
        const int row = page.view()->currentIndex().row();
        QVERIFY(row >= 0);
        QCOMPARE(shown(*page.model()).at(row), QStringLiteral("bob_slow M=16"));
        QVERIFY(page.view()->selectionModel()->isRowSelected(row, {}));
    }

    void landedRowsAppearWithoutMovingTheView()
    {
        DatasetBuilder builder;
        builder.definition({.name = "gemm_n4"}).solution({.name = "ann_fast", .definition = "gemm_n4"});
        const int before = 200;
        for (int i = 0; i < before; ++i) {
            builder.trace({.definition = "gemm_n4", .solution = "ann_fast", .uuid = "w" + std::to_string(i), .latencyMs = 1.0 + i,
                           .axes = {{"M", i + 1}}});
        }
        Workspace workspace;
        TracesPage page(&workspace);
        page.resize(1000, 400);
        page.show();
        QVERIFY(openDataset(workspace, builder.root()));
        QVERIFY(settled(page));
        QCOMPARE(page.model()->rowCount(), before);
        page.view()->selectRow(100);
        page.view()->verticalScrollBar()->setValue(95);
        const QModelIndex top = page.view()->indexAt(QPoint(5, 2));
        const QString topText = cell(*page.model(), top.row(), TraceColumn::Axes);
        QSignalSpy reset(page.model(), &QAbstractItemModel::modelReset);

        const auto landed = landTrace(builder, {.definition = "gemm_n4", .solution = "ann_fast", .uuid = "landed", .latencyMs = 3,
                                                .axes = {{"M", 999}}, .file = "traces/ann/gemm/gemm_n4.jsonl"});
        workspace.addTraces({landed});
        QTRY_COMPARE_WITH_TIMEOUT(page.model()->rowCount(), before + 1, 10'000);
        QVERIFY(settled(page));
        QCOMPARE(reset.count(), 0);
        QCOMPARE(cell(*page.model(), page.view()->currentIndex().row(), TraceColumn::Axes), QStringLiteral("M=101"));
        QCOMPARE(cell(*page.model(), page.view()->indexAt(QPoint(5, 2)).row(), TraceColumn::Axes), topText);
        QVERIFY(shown(*page.model()).contains(QStringLiteral("ann_fast M=999")));
    }

    void copyAsSeenAndWithFullPrecision()
    {
        DatasetBuilder builder;
        fill(builder);
        Workspace workspace;
        TracesPage page(&workspace);
        page.resize(1000, 500);
        page.show();
        QVERIFY(openDataset(workspace, builder.root()));
        QVERIFY(settled(page));
        page.view()->selectRow(static_cast<int>(shown(*page.model()).indexOf(QStringLiteral("ann_fast M=16"))));
        page.tools()->copyAsSeen();
        const QStringList seen = QApplication::clipboard()->text().split(u'\n');
        QCOMPARE(seen.size(), 3);   // header, row, end of the last line
        QVERIFY(seen.at(0).split(u'\t').contains(QStringLiteral("Latency (µs)")));
        QVERIFY(seen.at(1).split(u'\t').contains(QStringLiteral("12.35")));
        page.tools()->copyFullPrecision();
        const QStringList full = QApplication::clipboard()->text().split(u'\n').at(1).split(u'\t');
        const qsizetype column = seen.at(0).split(u'\t').indexOf(QStringLiteral("Latency (µs)"));
        QCOMPARE(full.at(column).toDouble(), 0.0123456789 * 1000);
        QVERIFY(full.contains(QStringLiteral("PASSED")));
    }

    void exportsWhatIsShownAndTheWholeReport()
    {
        DatasetBuilder builder;
        fill(builder);
        Workspace workspace;
        TracesPage page(&workspace);
        QVERIFY(openDataset(workspace, builder.root()));
        page.setFilterText(QStringLiteral("ann"));
        QVERIFY(settled(page));
        QCOMPARE(page.model()->rowCount(), 2);
        const QTemporaryDir folder;
        const auto read = [](const QString& path) {
            QFile file(path);
            return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
        };
        QVERIFY(page.exportShownCsv(folder.filePath(QStringLiteral("shown.csv"))));
        QVERIFY(page.exportWholeCsv(folder.filePath(QStringLiteral("whole.csv"))));
        const auto dataset = workspace.dataset();
        QCOMPARE(read(folder.filePath(QStringLiteral("shown.csv"))), QByteArray::fromStdString(csvReport(*dataset, page.model()->rows())));
        QCOMPARE(read(folder.filePath(QStringLiteral("whole.csv"))), QByteArray::fromStdString(csvReport(*dataset, allRows(*dataset))));
        QCOMPARE(read(folder.filePath(QStringLiteral("shown.csv"))).count('\n'), 3);
        workspace.setPolicy(SelectionPolicy::LowestMedian);
        QVERIFY(page.exportCountedCsv(folder.filePath(QStringLiteral("counted.csv"))));
        const RowIndex counted = selectTraces(*dataset, allRows(*dataset), SelectionPolicy::LowestMedian);
        QVERIFY(!counted.empty());
        QCOMPARE(read(folder.filePath(QStringLiteral("counted.csv"))), QByteArray::fromStdString(csvReport(*dataset, counted)));
        const auto refused = page.exportShownCsv(folder.filePath(QStringLiteral("no/such/folder/x.csv")));
        QVERIFY(!refused);
        QVERIFY(!refused.error().reason.empty());
    }

    void emptyPageSaysWhatToDo()
    {
        Workspace workspace;
        TracesPage page(&workspace);
        QVERIFY(settled(page));
        QVERIFY(page.findChild<QLabel*>(QStringLiteral("tracesEmpty"))->text().contains(QStringLiteral("Open a dataset folder")));
        for (const QAction* action : page.exportActions()) {
            QVERIFY2(!action->isEnabled(), qPrintable(action->text()));
        }
    }

    void pageMayGoWhileAQueryRuns()
    {
        DatasetBuilder builder;
        fill(builder);
        Workspace workspace;
        QVERIFY(openDataset(workspace, builder.root()));
        for (int i = 0; i < 20; ++i) {
            TracesPage page(&workspace);
            page.setFilterText(QString::number(i));
            page.setStatuses({Status::Passed});
            QVERIFY(page.isBusy());
        }
    }

    void detailsShowTheWholeTraceAndItsCommand()
    {
        DatasetBuilder builder;
        fill(builder);
        Workspace workspace;
        TraceDetails details(&workspace);
        QVERIFY(openDataset(workspace, builder.root()));
        QVERIFY(!details.trace());
        const auto dataset = workspace.dataset();
        qint64 row = -1;
        for (std::size_t i = 0; i < dataset->traces().size(); ++i) {
            if (dataset->traces().row(i).status == Status::RuntimeError) {
                row = static_cast<qint64>(i);
            }
        }
        QSignalSpy shownSpy(&details, &TraceDetails::traceShown);
        workspace.setCurrentTrace(row);
        QVERIFY(shownSpy.count() > 0 || shownSpy.wait(10'000));
        QVERIFY(details.trace());
        QCOMPARE(QString::fromStdString(*details.trace()->solution), QStringLiteral("bob_slow"));
        QVERIFY(details.findChild<QLabel*>(QStringLiteral("traceStatus"))->text().contains(QStringLiteral("runtime error")));
        QCOMPARE(details.reproductionCommand(), QStringLiteral("tracedeck run --local %1 --definitions gemm_n4 --solutions bob_slow --workloads w-large")
                                                    .arg(QString::fromStdString(builder.root().string())));
        // The file changed under us: said, not shown as something else.
        builder.file("traces/bob/gemm/gemm_n4.jsonl", "{}\n");
        workspace.setCurrentTrace(-1);
        shownSpy.clear();
        workspace.setCurrentTrace(row);
        QVERIFY(shownSpy.count() > 0 || shownSpy.wait(10'000));
        QVERIFY(!details.trace());
        QVERIFY(details.findChild<QLabel*>(QStringLiteral("traceDetailsMessage"))->text().contains(QStringLiteral("could not be read back")));
    }

    void detailsNameEveryValueAtTheirDefaultWidth()
    {
        DatasetBuilder builder;
        fill(builder);
        builder.trace({.definition = "norm_h8", .solution = "bob_norm", .uuid = "w-norm", .axes = {{"M", 7}},
                       .hardware = "a card with a name that is far longer than the pane is wide: " + std::string(200, 'x'),
                       .timestamp = "2027-01-01T00:00:00", .log = "one sentence that matters " + std::string(400, 'y')});
        Workspace workspace;
        TraceDetails details(&workspace);
        QVERIFY(openDataset(workspace, builder.root()));
        const auto dataset = workspace.dataset();
        qint64 row = -1;
        for (std::size_t i = 0; i < dataset->traces().size(); ++i)
            if (const auto trace = dataset->readTrace(i); trace && trace->evaluation && trace->evaluation->timestamp == "2027-01-01T00:00:00")
                row = static_cast<qint64>(i);
        QVERIFY(row >= 0);
        // Filled before it has a size, as in a window whose pane is shown later.
        QSignalSpy shown(&details, &TraceDetails::traceShown);
        workspace.setCurrentTrace(row);
        QVERIFY(shown.count() > 0 || shown.wait(10'000));
        details.resize(250, 700);
        details.show();
        QVERIFY(QTest::qWaitForWindowExposed(&details));
        auto* tree = details.findChild<QTreeWidget*>(QStringLiteral("traceFacts"));
        const int names = tree->columnWidth(0);
        QVERIFY2(names >= 2 * tree->indentation() + tree->fontMetrics().horizontalAdvance(QStringLiteral("hardware")), qPrintable(QString::number(names)));
        QVERIFY(tree->columnWidth(1) >= tree->viewport()->width() / 3);
        QCOMPARE(names + tree->columnWidth(1), tree->viewport()->width());
        // Long lines are not wrapped: they are scrolled to.
        auto* log = details.findChild<LogView*>(QStringLiteral("traceLog"));
        QCOMPARE(log->text().rowCount(), 1);
        QVERIFY(log->horizontalScrollBar()->maximum() > 0);
    }
};

QTEST_MAIN(TestTraceTable)
#include "test_trace_table.moc"
