// SPDX-License-Identifier: GPL-3.0-or-later
// Pinned baselines in the window: columns of every table, kept for the dataset, reordered and unpinned; shares of the speed of light beside them.
#include <QAbstractItemModelTester>
#include <QAction>
#include <QHeaderView>
#include <QListWidget>
#include <QPushButton>
#include <QTableView>
#include <QTest>
#include <QToolButton>

#include "tests/support/gui_test.h"
#include "ui/dialogs/pins_dialog.h"
#include "ui/main_window.h"
#include "ui/models/leaderboard_model.h"
#include "ui/models/pin_board.h"
#include "ui/models/solution_table_model.h"
#include "ui/models/table_roles.h"
#include "ui/models/trace_table_model.h"
#include "ui/models/workload_table_model.h"
#include "ui/pages/definition_page.h"
#include "ui/pages/leaderboard_page.h"
#include "ui/pages/table_tools.h"
#include "ui/pages/traces_page.h"
#include "ui/settings/settings.h"

using namespace tracedeck;
using namespace tracedeck::ui;
using tracedeck::test::DatasetBuilder;

namespace {

constexpr int kPinWaitMs = 20'000;

void fillPinned(DatasetBuilder& builder)
{
    builder.definition({.name = "norm", .opType = "rmsnorm", .constAxes = {{"N", 4096}}});
    builder.solution({.name = "base", .definition = "norm", .author = "baseline"}).solution({.name = "fast", .definition = "norm"}).solution({.name = "slow", .definition = "norm", .author = "ben"});
    double factor = 1;
    for (const char* uuid : {"w1", "w2"}) {
        const std::int64_t size = uuid[1] == '1' ? 1024 : 4096;
        builder.workload({.definition = "norm", .uuid = uuid, .axes = {{"M", size}}});
        builder.trace({.definition = "norm", .solution = "base", .uuid = uuid, .latencyMs = 2 * factor, .axes = {{"M", size}}, .hardware = "NVIDIA H200"});
        builder.trace({.definition = "norm", .solution = "fast", .uuid = uuid, .latencyMs = factor, .axes = {{"M", size}}, .hardware = "NVIDIA H200"});
        builder.trace({.definition = "norm", .solution = "slow", .uuid = uuid, .latencyMs = 3 * factor, .axes = {{"M", size}}, .hardware = "NVIDIA H200"});
        factor = 4;
    }
}

Pin solutionPin(const char* name) { return {.kind = Pin::Kind::Solution, .name = name}; }

/// Text of the cell in the column of a pin, of the row whose first text is this.
QString pinned(const QAbstractItemModel& model, int nameColumn, const QString& name, int column, int role = Qt::DisplayRole)
{
    for (int row = 0; row < model.rowCount(); ++row)
        if (model.index(row, nameColumn).data().toString() == name)
            return model.index(row, column).data(role).toString();
    return QStringLiteral("no such row");
}

}  // namespace

class TestPinnedBaselines : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { test::prepareGuiTest(); }
    void init() { test::failOnQtWarnings(); }

    void everyTableHasAColumnForEachPin()
    {
        DatasetBuilder builder;
        fillPinned(builder);
        MainWindow window(QStringLiteral("/bin/false"));
        window.resize(1280, 800);
        window.show();
        QVERIFY(test::openDataset(*window.workspace(), builder.root()));
        QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kPinWaitMs);
        const DefinitionPage& page = *window.definitionPage();
        auto* traces = page.tracesPage()->model();
        auto* solutions = qobject_cast<SolutionTableModel*>(page.solutionTable()->model());
        auto* workloads = qobject_cast<WorkloadTableModel*>(page.workloadTable()->model());
        LeaderboardModel* ranking = window.leaderboardPage()->model();
        std::vector<std::unique_ptr<QAbstractItemModelTester>> testers;
        for (QAbstractItemModel* model : std::initializer_list<QAbstractItemModel*>{traces, solutions, workloads, ranking})
            testers.push_back(std::make_unique<QAbstractItemModelTester>(model, QAbstractItemModelTester::FailureReportingMode::QtTest));
        const int columns = traces->columnCount();

        PinBoard* board = window.workspace()->pins();
        board->pin(solutionPin("base"));
        board->pin({.kind = Pin::Kind::Author, .name = "ann"});
        QTRY_VERIFY_WITH_TIMEOUT(window.isSettled() && traces->columnCount() == columns + 2, kPinWaitMs);
        QTRY_COMPARE_WITH_TIMEOUT(solutions->columnCount(), SolutionTableModel::ColumnCount + 2, kPinWaitMs);
        window.showPage(MainWindow::Page::Leaderboard);   // it computes once it is seen
        QTRY_COMPARE_WITH_TIMEOUT(ranking->columnCount(), LeaderboardModel::ColumnCount + 2, kPinWaitMs);
        const int first = traces->firstPinColumn();
        const int nameColumn = TraceTableModel::columnOf(TraceColumn::Solution);
        QCOMPARE(traces->headerData(first, Qt::Horizontal).toString(), QStringLiteral("vs base (%)"));
        QCOMPARE(traces->headerData(first + 1, Qt::Horizontal).toString(), QStringLiteral("vs ann (%)"));
        QCOMPARE(pinned(*traces, nameColumn, QStringLiteral("fast"), first), QStringLiteral("−50.0"));
        QCOMPARE(pinned(*traces, nameColumn, QStringLiteral("slow"), first), QStringLiteral("+50.0"));
        QCOMPARE(pinned(*traces, nameColumn, QStringLiteral("base"), first), QStringLiteral("base"));
        QCOMPARE(pinned(*traces, nameColumn, QStringLiteral("slow"), first + 1), QStringLiteral("+200.0"));
        QCOMPARE(pinned(*traces, nameColumn, QStringLiteral("fast"), first, kCellRole).toDouble(), -50.0);
        QVERIFY(pinned(*traces, nameColumn, QStringLiteral("fast"), first, Qt::ToolTipRole).contains(QStringLiteral("50.0 % less time than base")));
        QVERIFY(!page.tracesPage()->view()->isColumnHidden(first));
        // Beside the latency, in their order.
        const QHeaderView* header = page.tracesPage()->view()->horizontalHeader();
        QCOMPARE(header->visualIndex(first), header->visualIndex(TraceTableModel::columnOf(TraceColumn::Latency)) + 1);
        QCOMPARE(header->visualIndex(first + 1), header->visualIndex(first) + 1);

        QCOMPARE(pinned(*solutions, 0, QStringLiteral("slow"), solutions->firstPinColumn()), QStringLiteral("+50.0"));
        QCOMPARE(pinned(*solutions, 0, QStringLiteral("fast"), solutions->firstPinColumn() + 1), QStringLiteral("base"));
        QTRY_COMPARE_WITH_TIMEOUT(workloads->columnCount(), workloads->firstPinColumn() + 2, kPinWaitMs);
        QCOMPARE(workloads->index(0, workloads->firstPinColumn()).data().toString(), QStringLiteral("−50.0"));   // the best one is `fast`
        QCOMPARE(pinned(*ranking, LeaderboardModel::Author, QStringLiteral("ben"), ranking->firstPinColumn()), QStringLiteral("+50.0"));

        board->unpin(solutionPin("base"));
        QTRY_COMPARE_WITH_TIMEOUT(traces->columnCount(), columns + 1, kPinWaitMs);
        QCOMPARE(traces->headerData(first, Qt::Horizontal).toString(), QStringLiteral("vs ann (%)"));
        board->setPins({});
        QTRY_COMPARE_WITH_TIMEOUT(solutions->columnCount(), int{SolutionTableModel::ColumnCount}, kPinWaitMs);
    }

    void tracesSortByAPinAndByLight()
    {
        DatasetBuilder builder;
        fillPinned(builder);
        Workspace workspace;
        TracesPage page(&workspace);
        page.resize(1200, 600);
        page.show();
        QVERIFY(test::openDataset(workspace, builder.root()));
        workspace.pins()->pin(solutionPin("base"));
        QTRY_VERIFY_WITH_TIMEOUT(!page.isBusy() && page.model()->pinCount() == 1, kPinWaitMs);
        const int nameColumn = TraceTableModel::columnOf(TraceColumn::Solution);
        page.tools()->restoreSort({QStringLiteral("-pin solution=base")});
        QTRY_VERIFY_WITH_TIMEOUT(!page.isBusy(), kPinWaitMs);
        QCOMPARE(page.model()->index(0, nameColumn).data().toString(), QStringLiteral("slow"));
        QCOMPARE(page.model()->index(5, nameColumn).data().toString(), QStringLiteral("fast"));
        page.view()->setColumnHidden(TraceTableModel::kLightColumn, false);
        QTRY_VERIFY_WITH_TIMEOUT(!page.isBusy() && !page.model()->index(0, TraceTableModel::kLightColumn).data().toString().isEmpty(), kPinWaitMs);
        page.tools()->restoreSort({QStringLiteral("-light")});
        QTRY_VERIFY_WITH_TIMEOUT(!page.isBusy(), kPinWaitMs);
        double last = 1e9;
        for (int row = 0; row < page.model()->rowCount(); ++row) {
            const double share = page.model()->index(row, TraceTableModel::kLightColumn).data(kCellRole).toDouble();
            QVERIFY(share > 0 && share <= last);
            last = share;
        }
    }

    void pinsAreKeptForTheDataset()
    {
        DatasetBuilder builder;
        fillPinned(builder);
        DatasetBuilder other;
        fillPinned(other);
        const QString root = QString::fromStdString(builder.root().string());
        {
            Workspace workspace;
            QVERIFY(test::openDataset(workspace, builder.root()));
            workspace.pins()->setPins({solutionPin("slow"), {.kind = Pin::Kind::Author, .name = "ann"}});
            QVERIFY(test::openDataset(workspace, other.root()));
            QTRY_VERIFY_WITH_TIMEOUT(workspace.pins()->pins().empty(), kPinWaitMs);
        }
        QCOMPARE(Settings::pins(root), QStringList({QStringLiteral("solution=slow"), QStringLiteral("author=ann")}));
        Settings::setPins(root, Settings::pins(root) << QStringLiteral("solution=gone") << QStringLiteral("nonsense"));
        Workspace workspace;
        QVERIFY(test::openDataset(workspace, builder.root()));
        QTRY_COMPARE_WITH_TIMEOUT(workspace.pins()->latencies()->size(), std::size_t{2}, kPinWaitMs);   // what is gone is not pinned
        QCOMPARE(workspace.pins()->pins().front(), solutionPin("slow"));
    }

    /// A list that owns its model resets it while it is destroyed; what sanitizers say decides.
    void theDialogGoesAwayWithPinsInIt()
    {
        DatasetBuilder builder;
        fillPinned(builder);
        Workspace workspace;
        QVERIFY(test::openDataset(workspace, builder.root()));
        workspace.pins()->pin(solutionPin("base"));
        auto dialog = std::make_unique<PinsDialog>(workspace.pins());
        dialog->show();
        QTRY_VERIFY(dialog->isVisible());
        QCOMPARE(dialog->findChild<QListWidget*>(QStringLiteral("pinList"))->count(), 1);
        dialog.reset();
        QCOMPARE(workspace.pins()->pins().size(), std::size_t{1});
    }

    void theDialogReordersAndUnpins()
    {
        DatasetBuilder builder;
        fillPinned(builder);
        Workspace workspace;
        QVERIFY(test::openDataset(workspace, builder.root()));
        PinBoard* board = workspace.pins();
        board->setPins({solutionPin("base"), solutionPin("fast"), solutionPin("slow")});
        PinsDialog dialog(board);
        dialog.show();
        QCOMPARE(dialog.list()->count(), 3);
        dialog.list()->setCurrentRow(2);
        dialog.findChild<QPushButton*>(QStringLiteral("pinUp"))->click();
        QCOMPARE(board->pins()[1], solutionPin("slow"));
        QCOMPARE(dialog.list()->currentRow(), 1);
        dialog.findChild<QPushButton*>(QStringLiteral("pinUnpin"))->click();
        QCOMPARE(board->pins().size(), std::size_t{2});
        QVERIFY(!board->isPinned(solutionPin("slow")));
    }

    void actionsPinWhatIsInHand()
    {
        DatasetBuilder builder;
        fillPinned(builder);
        MainWindow window(QStringLiteral("/bin/false"));
        window.show();
        QVERIFY(test::openDataset(*window.workspace(), builder.root()));
        QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kPinWaitMs);
        window.workspace()->pins()->setPins({});
        const auto action = [&window](const char* name) { return window.findChild<QAction*>(QString::fromLatin1(name)); };
        window.workspace()->setCurrentTrace(1);
        QTRY_VERIFY_WITH_TIMEOUT(window.isSettled() && action("pinTraceAction")->isEnabled(), kPinWaitMs);
        for (const char* name : {"pinTraceAction", "pinSolutionAction", "pinAuthorAction", "pinMeasuredRunAction"}) {
            QVERIFY2(action(name)->isEnabled(), name);
            action(name)->trigger();
            QVERIFY2(!action(name)->isEnabled(), name);   // pinned already
        }
        QCOMPARE(window.workspace()->pins()->pins().size(), std::size_t{4});
        auto* button = window.findChild<QToolButton*>(QStringLiteral("pinsButton"));
        QVERIFY(button->isVisible());
        action("unpinAllAction")->trigger();
        QVERIFY(window.workspace()->pins()->pins().empty());
        QVERIFY(!button->isVisible());
    }
};

QTEST_MAIN(TestPinnedBaselines)
#include "test_pinned_baselines.moc"
