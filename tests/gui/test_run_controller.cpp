// SPDX-License-Identifier: GPL-3.0-or-later
// The window's side of a run, against a judge that plays its part without measuring (tests/support/fake_judge.py).
#include <QAbstractItemModelTester>
#include <QLabel>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include "tests/support/gui_test.h"
#include "ui/models/run_queue_model.h"
#include "ui/run/run_controller.h"
#include "ui/run/run_panel.h"
#include "ui/run/run_settings.h"

using namespace tracedeck;
using namespace tracedeck::ui;
using namespace tracedeck::test;

namespace {

void fill(DatasetBuilder& builder)
{
    builder.definition({.name = "gemm_n4"});
    for (const char* name : {"pass_one", "z_fail", "silent_three"}) {
        builder.solution({.name = name, .definition = "gemm_n4"});
    }
    builder.workload({.definition = "gemm_n4", .uuid = "w-small", .axes = {{"M", 1}}});
    builder.workload({.definition = "gemm_n4", .uuid = "w-large", .axes = {{"M", 64}}});
    builder.workload({.definition = "gemm_n4", .uuid = "reference-fails", .axes = {{"M", 3}}});
}

Selection solutions(std::initializer_list<std::string> names, std::set<std::string> workloads = {"w-small", "w-large"})
{
    Selection selection;
    selection.solutions = names;
    selection.workloads = std::move(workloads);
    return selection;
}

/// Everything that a controller says, in order.
struct Heard {
    explicit Heard(RunController& controller)
    {
        QObject::connect(&controller, &RunController::started, &controller, [this] { words << QStringLiteral("started"); });
        QObject::connect(&controller, &RunController::failedToStart, &controller, [this](const QString& reason) {
            words << QStringLiteral("failedToStart");
            reasons << reason;
        });
        QObject::connect(&controller, &RunController::events, &controller, [this](const std::vector<RunEvent>& batch) {
            events.insert(events.end(), batch.begin(), batch.end());
        });
        QObject::connect(&controller, &RunController::finished, &controller, [this](const DoneEvent& event) {
            words << QStringLiteral("finished");
            done = event;
        });
    }
    QStringList words;
    QStringList reasons;
    std::vector<RunEvent> events;
    std::optional<DoneEvent> done;
};

/// A window's side of runs on the dataset of fill().
struct Bench {
    Bench() { fill(builder); }
    /// Opens the dataset; true once the devices are known, too.
    bool open(const QString& python)
    {
        panel.setPythonSetting(python);
        return openDataset(workspace, builder.root()) && QTest::qWaitFor([this] { return panel.settings()->areDevicesKnown(); });
    }
    DatasetBuilder builder;
    Workspace workspace;
    RunController controller{&workspace};
    RunPanel panel{&workspace, &controller};
    Heard heard{controller};
};

/// What the results say, for messages.
QString logsOf(const std::vector<RunEvent>& events)
{
    QStringList logs;
    for (const RunEvent& event : events) {
        if (const auto* result = std::get_if<ResultEvent>(&event); result && result->trace.evaluation) {
            logs << QString::fromStdString(*result->trace.solution + ": " + result->trace.evaluation->log);
        }
    }
    return logs.join(u'\n');
}

ResultEvent resultOf(std::size_t pair, Status status)
{
    ResultEvent result;
    result.device = "cpu";
    result.pair = pair;
    result.trace.evaluation = Evaluation();
    result.trace.evaluation->status = status;
    if (status == Status::Passed) {
        result.trace.evaluation->performance = Performance{0.25, 0.5, 2, Json::object()};
    } else {
        result.trace.evaluation->log = "Traceback (most recent call last):\n  line 1\nValueError: it broke\n";
    }
    return result;
}

}  // namespace

class TestRunController : public QObject {
    Q_OBJECT

    QTemporaryDir m_judgeFolder;
    QString m_python;

private slots:
    void initTestCase()
    {
        prepareGuiTest();
        m_python = useFakeJudge(m_judgeFolder);
    }
    void init() { failOnQtWarnings(); }

    void queueFollowsTheEvents()
    {
        DatasetBuilder builder;
        fill(builder);
        const auto dataset = builder.load();
        RunPlan plan;
        plan.pairs = {{"gemm_n4", "pass_one", 0, "w-small"}, {"gemm_n4", "z_fail", 0, "w-small"}, {"gemm_n4", "pass_one", 1, "w-large"},
                      {"gemm_n4", "z_fail", 1, "w-large"}};
        RunQueueModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.show(dataset, plan);
        const auto state = [&](int row) { return model.index(row, RunQueueModel::State).data().toString(); };
        QCOMPARE(state(0), QStringLiteral("queued"));
        QCOMPARE(model.index(2, RunQueueModel::Axes).data().toString(), QStringLiteral("M=64"));
        QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
        model.apply({StartEvent{"cpu", 0}, StageEvent{"cpu", 0, Stage::Check}, StageEvent{"cpu", 0, Stage::Time}});
        QCOMPARE(changed.count(), 1);   // one signal a batch
        QCOMPARE(state(0), QStringLiteral("time …"));
        QCOMPARE(model.runningRow(), 0);
        model.apply({resultOf(0, Status::Passed), StartEvent{"cpu", 1}, resultOf(1, Status::RuntimeError)});
        QCOMPARE(state(0), QStringLiteral("passed"));
        QCOMPARE(model.index(0, RunQueueModel::Latency).data().toString(), QStringLiteral("250.0"));
        QCOMPARE(state(1), QStringLiteral("runtime error"));
        QVERIFY(model.index(1, RunQueueModel::State).data(Qt::ToolTipRole).toString().contains(QStringLiteral("ValueError: it broke")));
        model.apply({ProblemEvent{"cpu", {2}, Error{ErrorCode::ProcessFailed, "the reference raised", {}, 0, {}}}});
        QCOMPARE(state(2), QStringLiteral("could not be measured"));
        model.apply({DoneEvent{4, 1, 1, 1, true, 2.0}});
        QCOMPARE(state(3), QStringLiteral("not run"));
        const RunQueueModel::Counts& counts = model.counts();
        QCOMPARE(counts.total, std::size_t(4));
        QCOMPARE(counts.passed, std::size_t(1));
        QCOMPARE(counts.failed, std::size_t(1));
        QCOMPARE(counts.problems, std::size_t(1));
        QCOMPARE(counts.running, std::size_t(0));
        // A check without a timing shows no figure that looks like one.
        model.show(dataset, plan);
        ResultEvent checked = resultOf(0, Status::Passed);
        checked.trace.evaluation->performance = Performance{0, 0, 0, Json::object()};
        model.apply({StartEvent{"cpu", 0}, checked});
        QCOMPARE(state(0), QStringLiteral("correct, not timed"));
        QVERIFY(model.index(0, RunQueueModel::Latency).data().toString().isEmpty());
        // An event about no pair of the plan changes nothing.
        model.apply({StartEvent{"cpu", 99}});
        QCOMPARE(model.rowCount(), 4);
    }

    void aRunReportsInOrderAndItsResultsLandInTheWorkspace()
    {
        if (m_python.isEmpty()) QSKIP("there is no python3 to play the judge");
        Bench bench;
        QVERIFY(bench.open(m_python));
        auto& [builder, workspace, controller, panel, heard] = bench;
        panel.resize(1200, 320);
        panel.show();
        QCOMPARE(workspace.dataset()->traces().size(), std::size_t(0));
        workspace.setSelection(solutions({"pass_one", "z_fail"}));
        auto* run = panel.findChild<QPushButton*>(QStringLiteral("runSelectedButton"));
        QVERIFY2(run->text().contains(QStringLiteral("(4)")), qPrintable(run->text()));
        QTest::mouseClick(run, Qt::LeftButton);
        QVERIFY(controller.isRunning());
        QVERIFY(!run->isEnabled());
        QTRY_VERIFY_WITH_TIMEOUT(heard.words.contains(QStringLiteral("finished")) || !heard.reasons.isEmpty(), 60'000);
        QCOMPARE(heard.words, (QStringList{QStringLiteral("started"), QStringLiteral("finished")}));
        QCOMPARE(heard.done->total, std::size_t(4));
        QCOMPARE(heard.done->passed, std::size_t(2));
        QVERIFY(std::holds_alternative<PlanEvent>(heard.events.front()));
        QVERIFY(std::holds_alternative<DoneEvent>(heard.events.back()));
        QTRY_COMPARE_WITH_TIMEOUT(workspace.dataset()->traces().size(), std::size_t(4), 10'000);
        // Each row reads back as the line on disk.
        for (std::size_t row = 0; row < 4; ++row) {
            const auto trace = workspace.dataset()->readTrace(row);
            QVERIFY2(trace, trace ? "" : trace.error().toString().c_str());
            QVERIFY(trace->evaluation);
        }
        QCOMPARE(panel.queue()->counts().passed, std::size_t(2));
        QCOMPARE(panel.queue()->counts().failed, std::size_t(2));
        const auto* bar = panel.findChild<QProgressBar*>(QStringLiteral("runProgress"));
        QCOMPARE(bar->value(), bar->maximum());
        const QString problems = panel.findChild<QPlainTextEdit*>(QStringLiteral("runProblems"))->toPlainText();
        QVERIFY2(problems.contains(QStringLiteral("a note")), qPrintable(problems + u'\n' + logsOf(heard.events)));
        QVERIFY(panel.progressText().isEmpty());
        QVERIFY(run->isEnabled());
        // The same dataset loaded anew says the same.
        QCOMPARE(builder.load()->traces().size(), std::size_t(4));
    }

    void aRunWaitsWhileItIsPaused()
    {
        if (m_python.isEmpty()) QSKIP("there is no python3 to play the judge");
        Bench bench;
        QVERIFY(bench.open(m_python));
        auto& [builder, workspace, controller, panel, heard] = bench;
        auto* pause = panel.findChild<QPushButton*>(QStringLiteral("pauseRunButton"));
        QVERIFY(!pause->isEnabled());
        controller.setPaused(true);
        QVERIFY(!controller.isPaused());   // nothing runs
        workspace.setSelection(solutions({"pass_one"}));
        panel.runSelected();
        QVERIFY(pause->isEnabled());
        const QString before = pause->text();
        pause->click();   // before the judge has started
        QVERIFY(controller.isPaused());
        QVERIFY(pause->text() != before);
        const std::vector<RunEvent>& events = heard.events;
        const auto isPaused = [&events] {
            return std::ranges::any_of(events, [](const RunEvent& event) {
                const auto* device = std::get_if<DeviceEvent>(&event);
                return device != nullptr && device->state == "paused";
            });
        };
        QTRY_VERIFY_WITH_TIMEOUT(isPaused() || !heard.reasons.isEmpty(), 30'000);
        QVERIFY2(heard.reasons.isEmpty(), qPrintable(heard.reasons.join(u' ')));
        QVERIFY2(panel.progressText().contains(QStringLiteral("paused")), qPrintable(panel.progressText()));
        QVERIFY(!heard.done);
        pause->click();
        QTRY_VERIFY_WITH_TIMEOUT(heard.done.has_value(), 30'000);
        QCOMPARE(heard.done->passed, std::size_t(2));
        QCOMPARE(pause->text(), before);
        QVERIFY(!pause->isEnabled());
    }

    void aFailedReferenceIsToldAndCounted()
    {
        if (m_python.isEmpty()) QSKIP("there is no python3 to play the judge");
        Bench bench;
        QVERIFY(bench.open(m_python));
        auto& [builder, workspace, controller, panel, heard] = bench;
        panel.run(solutions({"pass_one"}, {"reference-fails"}));
        QTRY_VERIFY_WITH_TIMEOUT(heard.done.has_value(), 60'000);
        QCOMPARE(panel.queue()->counts().problems, std::size_t(1));
        const QString problems = panel.findChild<QPlainTextEdit*>(QStringLiteral("runProblems"))->toPlainText();
        QVERIFY2(problems.contains(QStringLiteral("the reference raised")), qPrintable(problems));
        QCOMPARE(workspace.dataset()->traces().size(), std::size_t(0));
    }

    void cancelStopsAHangingRunAndASecondStartIsRefused()
    {
        if (m_python.isEmpty()) QSKIP("there is no python3 to play the judge");
        Bench bench;
        QVERIFY(bench.open(m_python));
        auto& [builder, workspace, controller, panel, heard] = bench;
        panel.run(solutions({"silent_three"}));
        QTRY_VERIFY_WITH_TIMEOUT(panel.queue()->runningRow() >= 0, 60'000);
        controller.start(panel.requestFor(solutions({"pass_one"})));
        QCOMPARE(heard.words.last(), QStringLiteral("failedToStart"));
        QVERIFY(controller.isRunning());
        panel.cancel();
        QTRY_VERIFY_WITH_TIMEOUT(heard.done.has_value(), 30'000);
        QVERIFY(heard.done->cancelled);
        QVERIFY(!controller.isRunning());
        QVERIFY(panel.findChild<QLabel*>(QStringLiteral("runState"))->text().startsWith(QStringLiteral("Cancelled")));
        // And it can be used again.
        panel.run(solutions({"pass_one"}));
        QTRY_COMPARE_WITH_TIMEOUT(heard.words.count(QStringLiteral("finished")), 2, 60'000);
        QCOMPARE(heard.done->passed, std::size_t(2));
    }

    void cancelWhileStartingEndsTheRun()
    {
        if (m_python.isEmpty()) QSKIP("there is no python3 to play the judge");
        Bench bench;
        QVERIFY(bench.open(m_python));
        auto& [builder, workspace, controller, panel, heard] = bench;
        panel.run(solutions({"silent_three"}));
        panel.cancel();   // the runner does not exist yet
        QTRY_VERIFY_WITH_TIMEOUT(heard.done.has_value(), 60'000);
        QVERIFY(heard.done->cancelled);
    }

    void windowMayCloseInTheMiddleOfARun()
    {
        if (m_python.isEmpty()) QSKIP("there is no python3 to play the judge");
        DatasetBuilder builder;
        fill(builder);
        Workspace workspace;
        QVERIFY(openDataset(workspace, builder.root()));
        {
            RunController controller(&workspace);
            RunPanel panel(&workspace, &controller);
            panel.setPythonSetting(m_python);
            QTRY_VERIFY(panel.settings()->areDevicesKnown());
            panel.run(solutions({"silent_three"}));
            QTRY_VERIFY_WITH_TIMEOUT(panel.queue()->runningRow() >= 0, 60'000);
        }
        {
            RunController controller(&workspace);
            RunPanel panel(&workspace, &controller);
            panel.setPythonSetting(m_python);
            QTRY_VERIFY(panel.settings()->areDevicesKnown());
            panel.run(solutions({"pass_one"}));
            QVERIFY(controller.isRunning());   // still starting
        }
    }

    void resumeLeavesOutWhatIsMeasured()
    {
        if (m_python.isEmpty()) QSKIP("there is no python3 to play the judge");
        DatasetBuilder builder;
        fill(builder);
        builder.trace({.definition = "gemm_n4", .solution = "pass_one", .uuid = "w-small"});
        Workspace workspace;
        QVERIFY(openDataset(workspace, builder.root()));
        RunController controller(&workspace);
        RunPanel panel(&workspace, &controller);
        panel.setPythonSetting(m_python);
        Heard heard(controller);
        QTRY_VERIFY(panel.settings()->areDevicesKnown());
        RunRequest request = panel.requestFor(solutions({"pass_one"}));
        QVERIFY(!request.resume);
        request.resume = true;
        controller.start(request);
        QTRY_VERIFY_WITH_TIMEOUT(heard.done.has_value(), 60'000);
        QCOMPARE(controller.plan().skippedByResume, std::size_t(1));
        QCOMPARE(panel.queue()->rowCount(), 1);
    }

    void nothingSelectedRunsNothing()
    {
        Bench bench;
        QVERIFY(bench.open(m_python));
        auto& [builder, workspace, controller, panel, heard] = bench;
        panel.runSelected();
        QVERIFY(!controller.isRunning());
        QVERIFY(panel.findChild<QLabel*>(QStringLiteral("runState"))->text().contains(QStringLiteral("Nothing is selected")));
        QVERIFY(heard.words.isEmpty());
        QVERIFY(!panel.findChild<QPushButton*>(QStringLiteral("runSelectedButton"))->isEnabled());
    }

    void aRunThatCannotStartSaysWhy()
    {
        Bench bench;
        QVERIFY(bench.open(m_python));
        auto& [builder, workspace, controller, panel, heard] = bench;
        RunRequest request = panel.requestFor(solutions({"pass_one"}));
        request.devices = {"cuda:99"};
        controller.start(request);
        QTRY_COMPARE_WITH_TIMEOUT(heard.words, QStringList{QStringLiteral("failedToStart")}, 30'000);
        QVERIFY2(heard.reasons.first().contains(QStringLiteral("cuda:99")), qPrintable(heard.reasons.first()));
        QVERIFY(!controller.isRunning());
        QVERIFY(panel.findChild<QPlainTextEdit*>(QStringLiteral("runProblems"))->toPlainText().contains(QStringLiteral("cuda:99")));
    }

    void settingsBecomeOverrides()
    {
        DatasetBuilder builder;
        fill(builder);
        Workspace workspace;
        QVERIFY(openDataset(workspace, builder.root()));
        RunController controller(&workspace);
        RunPanel panel(&workspace, &controller);
        QTRY_VERIFY(panel.settings()->areDevicesKnown());
        RunRequest request = panel.requestFor(solutions({"pass_one"}));
        QVERIFY(!request.overrides.iterations && !request.overrides.warmupRuns && !request.overrides.numTrials);   // auto
        QCOMPARE(request.devices, std::vector<std::string>{"cpu"});
        QCOMPARE(request.pairs.size(), std::size_t(2));
        panel.settings()->setIterations(7);
        panel.settings()->setWarmups(0);
        panel.settings()->setTrials(2);
        request = panel.requestFor(solutions({"pass_one"}));
        QCOMPARE(request.overrides.iterations.value_or(-1), 7);
        QCOMPARE(request.overrides.warmupRuns.value_or(-1), 0);
        QCOMPARE(request.overrides.numTrials.value_or(-1), 2);
    }
};

QTEST_MAIN(TestRunController)
#include "test_run_controller.moc"
