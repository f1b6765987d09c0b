// SPDX-License-Identifier: GPL-3.0-or-later
// Steering a run that goes on, against a scripted judge (tests/support/fake_judge.py): every pair has exactly one end.
#include <QtTest>

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <map>
#include <random>
#include <thread>

#include "core/io/child_process.h"
#include "core/run/run_record.h"
#include "core/run/runner.h"
#include "tests/support/dataset_builder.h"
#include "tests/support/run_recorder.h"

using namespace tracedeck;
using test::Recorder;
namespace fs = std::filesystem;

class TestRunSteering : public QObject {
    Q_OBJECT

    std::unique_ptr<test::DatasetBuilder> m_builder;
    std::unique_ptr<QTemporaryDir> m_scratch;
    fs::path m_python;

    RunRequest request(const QStringList& solutions, int workloads)
    {
        m_builder = std::make_unique<test::DatasetBuilder>();
        m_builder->definition({.name = "d", .opType = "gemm"});
        for (const auto& name : solutions) m_builder->solution({.name = name.toStdString(), .definition = "d", .author = "ann"});
        for (int i = 0; i < workloads; ++i) m_builder->workload({.definition = "d", .uuid = "w" + std::to_string(i)});
        RunRequest result;
        result.dataset = m_builder->load();
        result.python = m_python;
        result.workerProgram = fs::path(TRACEDECK_SOURCE_DIR) / "tests" / "support" / "fake_judge.py";
        result.timeoutSeconds = 30;
        result.recordFolder = m_scratch->filePath("runs").toStdString();
        return result;
    }
    static std::unique_ptr<Runner> start(RunRequest what, Recorder& recorder)
    {
        auto runner = Runner::start(std::move(what), [&recorder](const RunEvent& event) { recorder(event); });
        if (!runner) qFatal("%s", runner.error().toString().c_str());
        return std::move(*runner);
    }
    /// How often each pair came to an end: by a result, a problem or being skipped. DoneEvent's `notRun` holds the rest.
    static std::map<std::size_t, int> ends(const Recorder& recorder)
    {
        std::map<std::size_t, int> count;
        for (const auto& event : recorder.all<ResultEvent>()) ++count[event.pair];
        for (const auto& event : recorder.all<ProblemEvent>())
            for (const std::size_t pair : event.pairs) ++count[pair];
        for (const auto& event : recorder.all<SkippedEvent>())
            for (const std::size_t pair : event.pairs) ++count[pair];
        return count;
    }
    static std::vector<std::string> orderOf(const Recorder& recorder, const Runner& runner)
    {
        std::vector<std::string> order;
        for (const auto& event : recorder.all<ResultEvent>()) order.push_back(runner.plan().pairs.at(event.pair).workloadUuid);
        return order;
    }

private slots:
    void initTestCase()
    {
        qputenv("CUDA_VISIBLE_DEVICES", "");
        QCOMPARE(::prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
        m_python = findProgram("python3");
        if (m_python.empty()) QSKIP("no python3 to play the judge");
    }
    void init()
    {
        m_scratch = std::make_unique<QTemporaryDir>();
        qputenv("FAKE_JUDGE_FOLDER", m_scratch->path().toUtf8());
        qputenv("TRACEDECK_CACHE_PATH", m_scratch->filePath("cache").toUtf8());
        qunsetenv("FAKE_JUDGE_START");
    }
    void cleanup()
    {
        const auto nothingLives = [] {
            while (::waitpid(-1, nullptr, WNOHANG) > 0) {}
            return descendantsOf(::getpid()).empty();
        };
        QTRY_VERIFY(nothingLives());
    }

    void aRunningPairIsCancelledWithinTwoSecondsAndTheOthersGoOn()
    {
        auto what = request({"pass_a", "silent", "z_last"}, 1);
        Recorder recorder;
        const auto runner = start(what, recorder);
        QVERIFY(recorder.waitFor([](const RunEvent& event) {
            const auto* stage = std::get_if<StageEvent>(&event);
            return stage != nullptr && stage->pair == 1 && stage->stage == Stage::Check;
        }));
        QElapsedTimer timer;
        timer.start();
        runner->cancelPairs({1});
        QVERIFY(recorder.waitFor([](const RunEvent& event) { return std::holds_alternative<SkippedEvent>(event); }));
        QVERIFY2(timer.elapsed() < 2000, qPrintable(QString::number(timer.elapsed())));
        runner->wait();
        QCOMPARE(ends(recorder), (std::map<std::size_t, int>{{0, 1}, {1, 1}, {2, 1}}));
        const DoneEvent done = recorder.all<DoneEvent>().front();
        QCOMPARE(done.passed, std::size_t{2});
        QCOMPARE(done.notRun, std::size_t{1});
        QVERIFY(!done.cancelled);
    }

    void waitingPairsAreCancelledAndReordered()
    {
        auto what = request({"chatty"}, 5);   // 2 s each
        Recorder recorder;
        const auto runner = start(what, recorder);
        QVERIFY(recorder.waitFor([](const RunEvent& event) { return std::holds_alternative<StartEvent>(event); }));
        QTRY_COMPARE(runner->queued(), (std::vector<std::size_t>{1, 2, 3, 4}));
        runner->moveFirst({3, 4, 3, 0, 99});
        QCOMPARE(runner->queued(), (std::vector<std::size_t>{3, 4, 1, 2}));
        runner->moveLast({3});
        QCOMPARE(runner->queued(), (std::vector<std::size_t>{4, 1, 2, 3}));
        runner->cancelPairs({2, 3, 77});
        QCOMPARE(runner->queued(), (std::vector<std::size_t>{4, 1}));
        runner->wait();
        QCOMPARE(orderOf(recorder, *runner), (std::vector<std::string>{"w0", "w4", "w1"}));
        QCOMPARE(ends(recorder).size(), std::size_t{5});
    }

    void waitingPairsAreMovedBeforeAnother_data()
    {
        QTest::addColumn<QList<int>>("moved");
        QTest::addColumn<int>("before");
        QTest::addColumn<QList<int>>("order");
        QTest::newRow("up") << QList<int>{3} << 2 << QList<int>{1, 3, 2, 4};
        QTest::newRow("two, in the order given") << QList<int>{4, 2} << 1 << QList<int>{4, 2, 1, 3};
        QTest::newRow("to a place that moves itself: the next one that stays") << QList<int>{1, 2} << 2 << QList<int>{1, 2, 3, 4};
        QTest::newRow("before one that runs: the end") << QList<int>{1} << 0 << QList<int>{2, 3, 4, 1};
        QTest::newRow("before nobody: the end") << QList<int>{2} << 99 << QList<int>{1, 3, 4, 2};
        QTest::newRow("one that runs stays") << QList<int>{0} << 3 << QList<int>{1, 2, 3, 4};
    }
    void waitingPairsAreMovedBeforeAnother()
    {
        QFETCH(QList<int>, moved);
        QFETCH(int, before);
        QFETCH(QList<int>, order);
        auto what = request({"silent"}, 5);
        Recorder recorder;
        const auto runner = start(what, recorder);
        QVERIFY(recorder.waitFor([](const RunEvent& event) { return std::holds_alternative<StartEvent>(event); }));
        QTRY_COMPARE(runner->queued(), (std::vector<std::size_t>{1, 2, 3, 4}));
        runner->moveBefore({moved.begin(), moved.end()}, static_cast<std::size_t>(before));
        QCOMPARE(runner->queued(), std::vector<std::size_t>(order.begin(), order.end()));
        runner->cancel();
        runner->wait();
    }

    void pairsAreAddedOnceWhileTheRunGoesOn()
    {
        auto what = request({"chatty", "pass_a"}, 2);
        what.pairs = {{"chatty", "w0"}};
        Recorder recorder;
        const auto runner = start(what, recorder);
        QVERIFY(recorder.waitFor([](const RunEvent& event) { return std::holds_alternative<StartEvent>(event); }));
        auto added = runner->add({{"pass_a", "w0"}, {"pass_a", "w1"}, {"chatty", "w0"}});   // the last one runs already
        QVERIFY2(added, added ? "" : added.error().toString().c_str());
        QCOMPARE(*added, std::size_t{2});
        added = runner->add({{"pass_a", "w0"}});
        QVERIFY(added);
        QCOMPARE(*added, std::size_t{0});
        QVERIFY(!runner->add({{"nobody", "w0"}}));
        runner->wait();
        QCOMPARE(ends(recorder), (std::map<std::size_t, int>{{0, 1}, {1, 1}, {2, 1}}));
        QCOMPARE(recorder.all<DoneEvent>().front().total, std::size_t{3});
        QCOMPARE(recorder.all<AddedEvent>().front().first, std::size_t{1});
        added = runner->add({{"pass_a", "w0"}});
        QVERIFY(!added);
        QCOMPARE(added.error().code, ErrorCode::Conflict);
    }

    void aSolutionThatFailedTooOftenIsLeftAlone()
    {
        auto what = request({"pass_a", "z_fail"}, 6);
        what.skipAfterFailures = 2;
        Recorder recorder;
        const auto runner = start(what, recorder);
        runner->wait();
        const DoneEvent done = recorder.all<DoneEvent>().front();
        QCOMPARE(done.passed, std::size_t{6});
        QCOMPARE(done.failed, std::size_t{2});
        QCOMPARE(done.notRun, std::size_t{4});
        const auto skipped = recorder.all<SkippedEvent>();
        QCOMPARE(skipped.size(), std::size_t{1});
        QVERIFY(skipped.front().reason.find("z_fail failed 2 times") != std::string::npos);
        QCOMPARE(ends(recorder).size(), std::size_t{12});
    }

    void aDeviceWaitsUntilItIsCoolAndIdle()
    {
        auto what = request({"pass_a"}, 1);
        what.waitIdle = IdleRule{};
        auto asked = std::make_shared<std::atomic<int>>(0);
        what.deviceState = [asked](const std::string& device) -> Result<GpuState> {
            if (device != "cpu") return Error{};
            GpuState state;
            const int turn = (*asked)++;
            state.temperatureCelsius = turn == 0 ? 80U : 40U;
            state.busyPercent = turn <= 1 ? 55U : 3U;
            return state;
        };
        Recorder recorder;
        start(what, recorder)->wait();
        std::vector<std::string> waits;
        for (const auto& event : recorder.all<DeviceEvent>())
            if (event.state == "waiting") waits.push_back(event.message);
        QCOMPARE(waits, (std::vector<std::string>{"80 °C, waits for 65 °C; 55 % busy, waits for 10 %", "55 % busy, waits for 10 %"}));
        QCOMPARE(recorder.all<DoneEvent>().front().passed, std::size_t{1});
    }

    void stoppingTheOnlyDeviceCancelsTheRun()
    {
        Recorder recorder;
        const auto runner = start(request({"silent"}, 3), recorder);
        QVERIFY(recorder.waitFor([](const RunEvent& event) { return std::holds_alternative<StartEvent>(event); }));
        QElapsedTimer timer;
        timer.start();
        runner->stopDevice("cuda:7");   // not one of the run's
        runner->stopDevice("cpu");
        runner->wait();
        QVERIFY2(timer.elapsed() < 2000, qPrintable(QString::number(timer.elapsed())));
        QVERIFY(recorder.all<DoneEvent>().front().cancelled);
    }

    /// Random kills of the judge, and pairs that are added, moved and cancelled meanwhile: nothing is lost, nothing done twice.
    void nothingIsLostNorDoneTwiceWhateverIsKilled()
    {
        constexpr int kWorkloads = 60;
        auto what = request({"pass_a", "pass_b", "pass_c", "z_fail", "z_last"}, kWorkloads);
        what.pairs.clear();
        Recorder recorder;
        const auto runner = start(what, recorder);
        std::mt19937 random(7);   // NOLINT: repeatable
        int kills = 0;
        QElapsedTimer timer;
        timer.start();
        while (!runner->isFinished() && timer.elapsed() < 15'000) {
            QTest::qWait(static_cast<int>(60 + random() % 200));
            for (const pid_t child : childrenOf(::getpid())) {
                if (kills < 25 && ::kill(child, SIGKILL) == 0) ++kills;
            }
            runner->moveFirst({random() % 300, random() % 300});
            runner->cancelPairs({random() % 300});
            if (kills % 5 == 0) static_cast<void>(runner->add({{"pass_a", "w" + std::to_string(random() % kWorkloads)}}));
        }
        QTRY_VERIFY_WITH_TIMEOUT(runner->isFinished(), 20'000);
        QVERIFY(kills > 3);
        const DoneEvent done = recorder.all<DoneEvent>().front();
        const auto counted = ends(recorder);
        QCOMPARE(counted.size(), done.total);
        for (const auto& [pair, count] : counted) QVERIFY2(count == 1, qPrintable(QStringLiteral("pair %1 ended %2 times").arg(pair).arg(count)));
        QCOMPARE(done.passed + done.failed, recorder.all<ResultEvent>().size());
        // The journal tells the same, and every stored result is on disk once.
        const RunList runs = listRuns(what.recordFolder);
        QCOMPARE(runs.runs.size(), std::size_t{1});
        const auto journal = readJournal(what.recordFolder, runs.runs.front().record.id);
        QVERIFY(journal);
        QCOMPARE(journal->size(), done.total);
        std::size_t open = 0;
        for (const JournalPair& pair : *journal) open += pair.state == JournalPair::State::Open ? 1U : 0U;
        QCOMPARE(open, std::size_t{0});
        QCOMPARE(m_builder->load()->traces().size(), done.passed + done.failed);
    }
};

QTEST_GUILESS_MAIN(TestRunSteering)
#include "test_run_steering.moc"
