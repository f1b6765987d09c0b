// SPDX-License-Identifier: GPL-3.0-or-later
// The queue of a run: order, pairs that are added or left out, and ten thousand of them.
#include <QAbstractItemModelTester>
#include <QPersistentModelIndex>
#include <QTest>

#include "tests/support/gui_test.h"
#include "ui/models/run_queue_model.h"
#include "ui/run/run_controller.h"
#include "ui/run/run_panel.h"

using namespace tracedeck;
using namespace tracedeck::ui;
using tracedeck::test::DatasetBuilder;

namespace {

constexpr std::size_t kWorkloads = 4;

ResultEvent passed(const std::string& device, std::size_t pair)
{
    ResultEvent result;
    result.device = device;
    result.pair = pair;
    result.trace.evaluation = Evaluation();
    result.trace.evaluation->status = Status::Passed;
    result.trace.evaluation->performance = Performance{0.25, 0.5, 2, Json::object()};
    result.trace.evaluation->log = std::string(2000, 'x');
    return result;
}

/// Everything that a pair's evaluation says.
void appendEvents(std::vector<RunEvent>& batch, const std::string& device, std::size_t pair)
{
    batch.emplace_back(StartEvent{device, pair});
    for (const Stage stage : {Stage::Inputs, Stage::Reference, Stage::Check, Stage::Time, Stage::Verify}) batch.emplace_back(StageEvent{device, pair, stage});
    batch.emplace_back(passed(device, pair));
}

}  // namespace

class TestRunQueue : public QObject {
    Q_OBJECT

    std::unique_ptr<DatasetBuilder> m_builder;
    std::shared_ptr<const Dataset> m_dataset;

    RunPlan planOf(std::size_t pairs) const
    {
        RunPlan plan;
        for (std::size_t i = 0; i < pairs; ++i) plan.pairs.push_back({"gemm_n4", "solution_" + std::to_string(i / kWorkloads), i % kWorkloads, "w" + std::to_string(i % kWorkloads)});
        return plan;
    }
    static std::vector<std::size_t> orderOf(const RunQueueModel& model)
    {
        std::vector<std::size_t> order;
        for (int row = 0; row < model.rowCount(); ++row) order.push_back(model.indexOf(row));
        return order;
    }

private slots:
    void initTestCase() { test::prepareGuiTest(); }
    void init()
    {
        test::failOnQtWarnings();
        m_builder = std::make_unique<DatasetBuilder>();
        m_builder->definition({.name = "gemm_n4"}).solution({.name = "solution_0", .definition = "gemm_n4"});
        for (std::size_t i = 0; i < kWorkloads; ++i) m_builder->workload({.definition = "gemm_n4", .uuid = "w" + std::to_string(i), .axes = {{"M", static_cast<std::int64_t>(i) + 1}}});
        m_dataset = m_builder->load();
    }

    void waitingRowsFollowTheQueueAndOthersStay()
    {
        RunQueueModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.show(m_dataset, planOf(6));
        model.apply({StartEvent{"cpu", 1}, passed("cpu", 1), StartEvent{"cpu", 2}});
        const QPersistentModelIndex selected(model.index(5, 0));
        QSignalSpy reset(&model, &QAbstractItemModel::modelReset);
        model.setQueueOrder({5, 3, 0, 4});
        QCOMPARE(orderOf(model), (std::vector<std::size_t>{5, 1, 2, 3, 0, 4}));
        QCOMPARE(selected.row(), 0);   // it went with its pair
        QCOMPARE(model.rowOf(4), 5);
        QCOMPARE(model.runningRow(), 2);
        QVERIFY(reset.isEmpty());
        // The order is known already, or names what doesn't wait: nothing happens.
        QSignalSpy layout(&model, &QAbstractItemModel::layoutChanged);
        model.setQueueOrder({5, 3, 0, 4});
        model.setQueueOrder({1, 2, 99});
        QVERIFY(layout.isEmpty());
        // Events name pairs, wherever their rows are.
        model.apply({StartEvent{"cpu", 4}});
        QVERIFY(model.stateOf(5) == RunQueueModel::PairState::Running);
    }

    void pairsAreAddedAndLeftOut()
    {
        RunQueueModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.show(m_dataset, planOf(2));
        const RunPair more{"gemm_n4", "late", 3, "w3"};
        model.apply({StartEvent{"cpu", 0}, AddedEvent{2, {more}}, passed("cpu", 0), SkippedEvent{{1}, "cancelled", true}});
        QCOMPARE(model.rowCount(), 3);
        QCOMPARE(model.pairOf(2), more);
        QCOMPARE(model.index(2, RunQueueModel::Axes).data().toString(), QStringLiteral("M=4"));
        QCOMPARE(model.index(1, RunQueueModel::State).data().toString(), QStringLiteral("left out"));
        QCOMPARE(model.counts().total, std::size_t(3));
        QCOMPARE(model.counts().ended(), std::size_t(2));
        QCOMPARE(model.counts().waiting(), std::size_t(1));
        // A pair has one end.
        model.apply({SkippedEvent{{0, 1}, "again"}, ProblemEvent{"cpu", {1}, Error{}, {}}});
        QCOMPARE(model.counts().ended(), std::size_t(2));
        // Those that are shown already are not shown twice.
        model.apply({AddedEvent{2, {more}}});
        QCOMPARE(model.rowCount(), 3);
    }

    void tenThousandPairsCostFewSignals()
    {
        constexpr std::size_t kPairs = 10'000;
        constexpr std::size_t kDevices = 8;
        constexpr std::size_t kPairsInBatch = 25;
        Workspace workspace;
        QVERIFY(test::openDataset(workspace, m_builder->root()));
        RunController controller(&workspace);
        RunPanel panel(&workspace, &controller);
        panel.resize(1280, 300);
        panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
        RunQueueModel& model = *panel.queue();
        model.show(m_dataset, planOf(kPairs));
        QSignalSpy reset(&model, &QAbstractItemModel::modelReset);
        QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
        QSignalSpy layout(&model, &QAbstractItemModel::layoutChanged);
        QSignalSpy progress(&panel, &RunPanel::progressChanged);
        // Eight devices, each at its own place of the queue.
        int batches = 0;
        for (std::size_t begin = 0; begin < kPairs / kDevices; begin += kPairsInBatch, ++batches) {
            std::vector<RunEvent> batch;
            for (std::size_t i = begin; i < begin + kPairsInBatch && i < kPairs / kDevices; ++i)
                for (std::size_t device = 0; device < kDevices; ++device) appendEvents(batch, "cuda:" + std::to_string(device), device * (kPairs / kDevices) + i);
            emit controller.events(batch);
        }
        QCOMPARE(model.counts().passed, kPairs);
        QVERIFY(reset.isEmpty());
        QVERIFY(layout.isEmpty());
        QCOMPARE(changed.count(), batches * static_cast<int>(kDevices));   // one for each stretch, not one for each event
        QCOMPARE(progress.count(), batches);
        // Scattered pairs: a bounded number of signals.
        model.show(m_dataset, planOf(kPairs));
        changed.clear();
        std::vector<RunEvent> batch;
        for (std::size_t pair = 0; pair < kPairs; pair += 7) batch.emplace_back(StartEvent{"cpu", pair});
        emit controller.events(batch);
        QVERIFY2(changed.count() <= 16, qPrintable(QString::number(changed.count())));
        QCOMPARE(model.counts().running, (kPairs + 6) / 7);
    }
};

QTEST_MAIN(TestRunQueue)
#include "test_run_queue.moc"
