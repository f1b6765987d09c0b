// SPDX-License-Identifier: GPL-3.0-or-later
// The runner against a scripted judge (tests/support/fake_judge.py), which plays every way in which one can behave.
#include <QProcess>
#include <QtTest>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <limits>

#include "core/io/child_process.h"
#include "core/io/data_file.h"
#include "core/io/json_codec.h"
#include "core/run/python_environment.h"
#include "core/run/runner.h"
#include "core/run/scratch_folder.h"
#include "tests/support/dataset_builder.h"
#include "tests/support/run_recorder.h"

using namespace tracedeck;
using test::Recorder;
namespace fs = std::filesystem;

namespace {

std::vector<std::string> lines(const fs::path& file)
{
    std::vector<std::string> result;
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) result.push_back(line);
    return result;
}

}  // namespace

class TestRunner : public QObject {
    Q_OBJECT

    std::unique_ptr<test::DatasetBuilder> m_builder;
    std::unique_ptr<QTemporaryDir> m_scratch;
    fs::path m_python;

    /// A dataset with one definition, these solutions, and workloads.
    std::shared_ptr<const Dataset> dataset(const QStringList& solutions, const QStringList& workloads = {"w1"},
                                           const std::string& language = "python")
    {
        m_builder = std::make_unique<test::DatasetBuilder>();
        m_builder->definition({.name = "d", .opType = "gemm"});
        for (const auto& name : solutions)
            m_builder->solution({.name = name.toStdString(), .definition = "d", .author = "ann", .language = language});
        for (const auto& uuid : workloads) m_builder->workload({.definition = "d", .uuid = uuid.toStdString()});
        return m_builder->load();
    }
    RunRequest request(std::shared_ptr<const Dataset> data) const
    {
        RunRequest result;
        result.dataset = std::move(data);
        result.python = m_python;
        result.workerProgram = fs::path(TRACEDECK_SOURCE_DIR) / "tests" / "support" / "fake_judge.py";
        result.timeoutSeconds = 1;
        result.silenceMarginSeconds = 0.5;
        return result;
    }
    /// Runs to the end.
    void run(RunRequest what, Recorder& recorder)
    {
        auto runner = Runner::start(std::move(what), [&recorder](const RunEvent& event) { recorder(event); });
        if (!runner) QFAIL(runner.error().toString().c_str());
        (*runner)->wait();
        QVERIFY((*runner)->isFinished());
    }
    [[nodiscard]] fs::path traceFile() const { return m_builder->root() / "traces" / "ann" / "gemm" / "d.jsonl"; }
    /// Every line on disk, strictly read.
    std::vector<Trace> stored() const
    {
        std::vector<Trace> traces;
        for (const auto& line : lines(traceFile())) {
            auto trace = decodeTrace(line, ReadMode::Strict);
            if (!trace) qFatal("%s: %s", trace.error().toString().c_str(), line.c_str());
            traces.push_back(trace->value);
        }
        return traces;
    }
    [[nodiscard]] std::vector<Json> heard(const std::string& file) const
    {
        std::vector<Json> messages;
        for (const auto& line : lines(m_scratch->path().toStdString() + "/" + file))
            messages.push_back(Json::parse(line));
        return messages;
    }

private slots:
    void initTestCase()
    {
        qputenv("CUDA_VISIBLE_DEVICES", "");   // these tests are of the cpu device, on every machine
        // Orphans of any depth come to this process, so that a process left behind can't hide.
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

    void resultsAreStoredBeforeTheyAreReported()
    {
        auto data = dataset({"pass_a", "z_fail"}, {"w1", "w2"});
        std::vector<std::string> missing;
        auto what = request(data);
        Recorder recorder;
        auto runner = Runner::start(std::move(what), [&](const RunEvent& event) {
            if (const auto* result = std::get_if<ResultEvent>(&event)) {
                std::ifstream in(result->file, std::ios::binary);
                in.seekg(static_cast<std::streamoff>(result->byteOffset));
                std::string line;
                std::getline(in, line);
                if (line != writeLine(encodeTrace(result->trace))) missing.push_back(line);
            }
            recorder(event);
        });
        QVERIFY2(runner, runner ? "" : runner.error().toString().c_str());
        (*runner)->wait();
        QVERIFY(missing.empty());

        const auto results = recorder.all<ResultEvent>();
        QCOMPARE(results.size(), std::size_t{4});
        for (const auto& result : results) QVERIFY(result.stored);
        QCOMPARE(results[1].note, std::string("a note"));
        const auto traces = stored();
        QCOMPARE(traces.size(), std::size_t{4});
        QVERIFY(traces[0].isPassed());
        QCOMPARE(traces[0].solution, std::optional<std::string>("pass_a"));
        QVERIFY(traces[1].evaluation->status == Status::Timeout);
        QCOMPARE(traces[1].evaluation->log, std::string("too slow"));
        const auto done = recorder.all<DoneEvent>();
        QCOMPARE(done.size(), std::size_t{1});
        QCOMPARE(done[0].total, std::size_t{4});
        QCOMPARE(done[0].passed, std::size_t{2});
        QCOMPARE(done[0].failed, std::size_t{2});
        QCOMPARE(done[0].notRun, std::size_t{0});
        QVERIFY(!done[0].cancelled);
    }

    void eventsComeInOrder()
    {
        Recorder recorder;
        run(request(dataset({"pass_a"})), recorder);
        QStringList order;
        const RunPlan plan;
        for (const auto& event : recorder.events()) {
            const Json json = encodeRunEvent(event, plan);
            QString text = QString::fromStdString(json.at("event").get<std::string>());
            if (json.contains("state")) text += ":" + QString::fromStdString(json.at("state").get<std::string>());
            if (json.contains("stage")) text += ":" + QString::fromStdString(json.at("stage").get<std::string>());
            order << text;
        }
        QCOMPARE(order, (QStringList{"plan", "device:starting", "device:ready", "start", "stage:reference",
                                     "stage:check", "stage:time", "result", "device:idle", "done"}));
        QCOMPARE(recorder.all<DeviceEvent>()[1].hardware, std::string("Fake CPU"));
    }

    void aPausedDeviceWaits()
    {
        Recorder recorder;
        auto runner = Runner::start(request(dataset({"pass_a"}, {"w1", "w2", "w3"})), [&recorder](const RunEvent& event) { recorder(event); });
        QVERIFY2(runner, runner ? "" : runner.error().toString().c_str());
        // Its judge takes longer to start than this takes to be said.
        (*runner)->setPaused("cpu", true);
        (*runner)->setPaused("cuda:7", true);
        QVERIFY((*runner)->isPaused("cpu"));
        QVERIFY(!(*runner)->isPaused("cuda:7"));
        const auto states = [&recorder] {
            QStringList list;
            for (const auto& event : recorder.all<DeviceEvent>()) list << QString::fromStdString(event.state);
            return list;
        };
        QTRY_COMPARE(states(), (QStringList{"starting", "ready", "paused"}));
        QVERIFY(recorder.all<StartEvent>().empty());
        QVERIFY(!(*runner)->isFinished());
        (*runner)->setPaused("cpu", false);
        (*runner)->wait();
        QCOMPARE(states(), (QStringList{"starting", "ready", "paused", "ready", "idle"}));
        QCOMPARE(recorder.all<ResultEvent>().size(), std::size_t{3});
        QCOMPARE(recorder.all<DoneEvent>()[0].passed, std::size_t{3});
    }

    void aPausedRunCanBeCancelled()
    {
        Recorder recorder;
        auto runner = Runner::start(request(dataset({"pass_a"}, {"w1", "w2"})), [&recorder](const RunEvent& event) { recorder(event); });
        QVERIFY2(runner, runner ? "" : runner.error().toString().c_str());
        (*runner)->setPaused("cpu", true);
        QTRY_COMPARE(recorder.all<DeviceEvent>().size(), std::size_t{3});
        (*runner)->cancel();
        (*runner)->wait();
        QVERIFY(recorder.all<DoneEvent>()[0].cancelled);
        QCOMPARE(recorder.all<DoneEvent>()[0].notRun, std::size_t{2});
    }

    void judgeIsToldEverything()
    {
        auto what = request(dataset({"pass_a"}, {"w1", "w2"}));
        what.seed = 18446744073709551615ULL;
        what.profileBaseline = false;
        what.overrides.iterations = 7;
        Recorder recorder;
        run(what, recorder);
        const auto init = heard("init.jsonl");
        QCOMPARE(init.size(), std::size_t{1});   // one judge for the whole run
        QCOMPARE(init[0].at("arguments"), Json({"judge", "cpu"}));
        QCOMPARE(init[0].at("op").get<std::string>(), std::string("init"));
        QCOMPARE(init[0].at("v").get<int>(), 1);
        QCOMPARE(init[0].at("seed").get<std::string>(), std::string("18446744073709551615"));
        QVERIFY(init[0].at("seed_by_user").get<bool>());
        QCOMPARE(init[0].at("python").get<std::string>(), m_python.string());
        const auto opened = heard("opened.jsonl");
        QCOMPARE(opened.size(), std::size_t{2});
        QCOMPARE(opened[0].at("root").get<std::string>(), m_builder->root().string());
        QVERIFY(decodeDefinition(opened[0].at("definition"), ReadMode::Strict));
        QCOMPARE(opened[1].at("workload").at("uuid").get<std::string>(), std::string("w2"));
        QCOMPARE(decodeEvalConfig(opened[0].at("config"))->iterations, 7);
        QVERIFY(!opened[0].at("profile_baseline").get<bool>());
        QCOMPARE(opened[0].at("timeout").get<double>(), 1.0);
    }

    void seedIsSecretAndNewForEachRun()
    {
        auto data = dataset({"pass_a"});
        for (int turn = 0; turn < 2; ++turn) {
            Recorder recorder;
            run(request(data), recorder);
        }
        const auto init = heard("init.jsonl");
        QCOMPARE(init.size(), std::size_t{2});
        QVERIFY(init[0].at("seed") != init[1].at("seed"));
        QVERIFY(!init[0].at("seed_by_user").get<bool>());
    }

    void badJudgesCostOneEvaluation_data()
    {
        QTest::addColumn<QString>("solution");
        QTest::addColumn<QStringList>("phrases");
        QTest::newRow("dies") << "die" << QStringList{"killed by signal 11", "about to die"};
        QTest::newRow("exits") << "exit" << QStringList{"exit code 5"};
        QTest::newRow("silent") << "silent" << QStringList{"said nothing for 1.5 s"};
        QTest::newRow("only prints") << "prints_forever" << QStringList{"said nothing for"};
        QTest::newRow("garbage") << "garbage" << QStringList{"judge was lost"};
        QTest::newRow("frame too large") << "huge" << QStringList{"judge was lost"};
        QTest::newRow("answers something else") << "wrong_id" << QStringList{"not asked"};
        QTest::newRow("unknown stage") << "wrong_stage" << QStringList{"stage"};
        QTest::newRow("evaluation that breaks the format") << "contradiction" << QStringList{"breaks the rules"};
        QTest::newRow("answer without a verdict") << "no_verdict" << QStringList{"breaks the rules"};
        QTest::newRow("answer to another question") << "other_op" << QStringList{"answered \"opened\" to evaluate"};
    }
    void badJudgesCostOneEvaluation()
    {
        QFETCH(QString, solution);
        QFETCH(QStringList, phrases);
        Recorder recorder;
        run(request(dataset({solution, "z_last"})), recorder);
        const auto traces = stored();
        QCOMPARE(traces.size(), std::size_t{2});
        QCOMPARE(traces[0].solution.value_or(""), solution.toStdString());
        QVERIFY(traces[0].evaluation->status == Status::RuntimeError);
        QCOMPARE(traces[0].evaluation->environment.hardware, std::string("Fake CPU"));
        QCOMPARE(traces[0].evaluation->environment.libs.at("torch"), std::string("9.9"));
        QVERIFY(!traces[0].evaluation->performance);
        for (const auto& phrase : phrases)
            QVERIFY2(QString::fromStdString(traces[0].evaluation->log).contains(phrase),
                     traces[0].evaluation->log.c_str());
        QVERIFY(traces[1].isPassed());
        QCOMPARE(heard("init.jsonl").size(), std::size_t{2});
        QCOMPARE(heard("opened.jsonl").size(), std::size_t{2});   // the workload was opened again
        const auto done = recorder.all<DoneEvent>();
        QCOMPARE(done.at(0).passed, std::size_t{1});
        QCOMPARE(done.at(0).failed, std::size_t{1});
    }

    void whatASolutionPrintsIsToldWhereItIsWanted()
    {
        for (const bool isWanted : {true, false}) {
            RunRequest what = request(dataset({"prints_a"}));
            what.wantsLiveLog = isWanted;
            Recorder recorder;
            run(what, recorder);
            const auto logs = recorder.all<LogEvent>();
            QCOMPARE(logs.size(), std::size_t{2});   // this judge sends them unasked; those of another one or too long ones are dropped
            QCOMPARE(logs[0].text + logs[1].text, std::string("one\ntwo\n"));
            QCOMPARE(logs[0].device, std::string("cpu"));
            QVERIFY(stored().back().isPassed());
        }
    }

    void judgeThatTalksIsNotSilent()
    {
        // Two seconds in all, 1.5 s without a word are allowed.
        Recorder recorder;
        run(request(dataset({"chatty"})), recorder);
        QCOMPARE(stored().size(), std::size_t{1});
        QVERIFY(stored()[0].isPassed());
    }

    void deviceIsLostAfterTooManyRestarts()
    {
        Recorder recorder;
        run(request(dataset({"die_1", "die_2", "die_3", "die_4", "die_5", "z_last"}, {"w1", "w2"})), recorder);
        const auto traces = stored();
        QCOMPARE(traces.size(), std::size_t{4});   // the first judge and three restarts
        const auto devices = recorder.all<DeviceEvent>();
        QCOMPARE(devices.back().state, std::string("lost"));
        QVERIFY(devices.back().message.find("killed by signal 11") != std::string::npos);
        std::size_t reported = 0;
        for (const auto& problem : recorder.all<ProblemEvent>()) {
            reported += problem.pairs.size();
            QVERIFY(problem.error.reason.find("device cpu was lost") != std::string::npos);
        }
        QCOMPARE(reported, std::size_t{8});
        const auto done = recorder.all<DoneEvent>();
        QCOMPARE(done.at(0).failed, std::size_t{4});
        QCOMPARE(done.at(0).notRun, std::size_t{8});
        QVERIFY(!done.at(0).cancelled);
    }

    void successResetsTheCountOfRestarts()
    {
        Recorder recorder;
        run(request(dataset({"die", "pass"}, {"w1", "w2", "w3", "w4", "w5"})), recorder);
        QCOMPARE(recorder.all<DoneEvent>().at(0).passed, std::size_t{5});
        QCOMPARE(recorder.all<DoneEvent>().at(0).failed, std::size_t{5});
    }

    void failedReferenceIsAProblemWithoutTraces()
    {
        Recorder recorder;
        run(request(dataset({"pass_a", "pass_b"}, {"reference-fails", "w2"})), recorder);
        const auto problems = recorder.all<ProblemEvent>();
        QCOMPARE(problems.size(), std::size_t{1});
        QCOMPARE(problems[0].pairs, (std::vector<std::size_t>{0, 1}));
        QVERIFY(problems[0].error.reason.find("the reference raised") != std::string::npos);
        QVERIFY(problems[0].error.reason.find("ZeroDivisionError") != std::string::npos);
        QVERIFY(problems[0].error.reason.find("reference-fails") != std::string::npos);
        QCOMPARE(stored().size(), std::size_t{2});
        for (const auto& trace : stored()) QCOMPARE(trace.workload.uuid, std::string("w2"));
        QCOMPARE(recorder.all<DoneEvent>().at(0).notRun, std::size_t{2});
    }

    void openingIsTriedTwice()
    {
        Recorder recorder;
        run(request(dataset({"pass_a"}, {"open-dies", "open-dies-once", "w3"})), recorder);
        const auto problems = recorder.all<ProblemEvent>();
        QCOMPARE(problems.size(), std::size_t{1});
        QCOMPARE(problems[0].pairs, (std::vector<std::size_t>{0}));
        QVERIFY(problems[0].error.reason.find("could not be prepared") != std::string::npos);
        QCOMPARE(stored().size(), std::size_t{2});
    }

    void startFailuresAreRetriedUnlessHopeless_data()
    {
        QTest::addColumn<QByteArray>("start");
        QTest::addColumn<int>("judges");
        QTest::addColumn<int>("passed");
        QTest::addColumn<QString>("phrase");
        QTest::newRow("dies once") << QByteArray("die_once") << 2 << 1 << "";
        QTest::newRow("dies always") << QByteArray("die") << 4 << 0 << "killed by signal 11";
        QTest::newRow("says why it can't") << QByteArray("fatal") << 1 << 0 << "there is no torch in this Python";
        QTest::newRow("another version") << QByteArray("old") << 4 << 0 << "another version";
    }
    void startFailuresAreRetriedUnlessHopeless()
    {
        QFETCH(QByteArray, start);
        QFETCH(int, judges);
        QFETCH(int, passed);
        QFETCH(QString, phrase);
        qputenv("FAKE_JUDGE_START", start);
        Recorder recorder;
        run(request(dataset({"pass_a"})), recorder);
        QCOMPARE(heard("init.jsonl").size(), static_cast<std::size_t>(judges));
        QCOMPARE(recorder.all<DoneEvent>().at(0).passed, static_cast<std::size_t>(passed));
        const auto problems = recorder.all<ProblemEvent>();
        QCOMPARE(problems.size(), std::size_t(passed == 0 ? 1 : 0));
        if (passed == 0)
            QVERIFY2(QString::fromStdString(problems[0].error.reason).contains(phrase),
                     problems[0].error.reason.c_str());
    }

    void missingWorkerProgramEndsTheRunWithItsName()
    {
        auto what = request(dataset({"pass_a"}));
        what.workerProgram = "/nonexistent/tracedeck-worker";
        Recorder recorder;
        run(what, recorder);
        QCOMPARE(recorder.all<DoneEvent>().at(0).notRun, std::size_t{1});
        QVERIFY(recorder.all<ProblemEvent>().at(0).error.reason.find("/nonexistent/tracedeck-worker") !=
                std::string::npos);
    }

    void unstoredResultsAreReportedWithTheirNote()
    {
        Recorder recorder;
        run(request(dataset({"unstored"})), recorder);
        const auto results = recorder.all<ResultEvent>();
        QCOMPARE(results.size(), std::size_t{1});
        QVERIFY(!results[0].stored);
        QVERIFY(results[0].file.empty());
        QCOMPARE(results[0].note, std::string("interpreted: not a latency"));
        QVERIFY(!fs::exists(traceFile()));
    }

    void nothingIsWrittenWhenResultsAreNotSaved()
    {
        auto what = request(dataset({"pass_a"}));
        what.saveResults = false;
        Recorder recorder;
        run(what, recorder);
        QCOMPARE(recorder.all<ResultEvent>().size(), std::size_t{1});
        QVERIFY(!recorder.all<ResultEvent>()[0].stored);
        QVERIFY(!fs::exists(m_builder->root() / "traces"));
    }

    void resultThatCannotBeStoredIsReportedAsSuch()
    {
        // It could be stored when the run began.
        Recorder recorder;
        const fs::path traces = [&] { auto data = dataset({"pass_a"}); return data->root() / "traces"; }();
        auto runner = Runner::start(request(m_builder->load()), [&](const RunEvent& event) {
            if (std::holds_alternative<StartEvent>(event)) {
                fs::remove_all(traces);
                std::ofstream(traces) << "a file where the folder should be";
            }
            recorder(event);
        });
        QVERIFY(runner);
        (*runner)->wait();
        QCOMPARE(recorder.all<ResultEvent>().size(), std::size_t{1});
        QVERIFY(!recorder.all<ResultEvent>()[0].stored);
        QVERIFY(recorder.all<ResultEvent>()[0].note.find("could not be stored") != std::string::npos);
        QCOMPARE(recorder.all<ProblemEvent>().size(), std::size_t{1});
    }

    void placesWhereNothingCanBeStoredAreFoundBeforeTheRun_data()
    {
        QTest::addColumn<QString>("what");
        QTest::addColumn<QString>("phrase");
        QTest::newRow("a file for a folder") << "file" << "traces: ";
        QTest::newRow("a link for a folder") << "link" << "traces/ann: this must be a folder, not a link";
        QTest::newRow("a folder for the file") << "folder" << "traces/ann/gemm/d.jsonl: ";
        QTest::newRow("a link for the file") << "link file" << "traces/ann/gemm/d.jsonl: this must be a file, not a link";
        QTest::newRow("a folder that may not be written to") << "read-only folder" << "traces/ann/gemm: ";
        QTest::newRow("a file that may not be written to") << "read-only file" << "traces/ann/gemm/d.jsonl: ";
    }
    void placesWhereNothingCanBeStoredAreFoundBeforeTheRun()
    {
        QFETCH(QString, what);
        QFETCH(QString, phrase);
        auto asked = request(dataset({"pass_a", "pass_b"}, {"w1", "w2"}));
        const fs::path traces = m_builder->root() / "traces";
        const fs::path folder = traces / "ann" / "gemm";
        if (what.startsWith("read-only") && ::geteuid() == 0) QSKIP("root may write everywhere");
        if (what == "file") std::ofstream(traces) << "a file";
        if (what == "link") {
            fs::create_directories(traces);
            fs::create_directory_symlink("/tmp", traces / "ann");
        }
        if (what == "folder") fs::create_directories(folder / "d.jsonl");
        if (what == "link file") {
            fs::create_directories(folder);
            fs::create_symlink("/dev/null", folder / "d.jsonl");
        }
        if (what == "read-only folder") {
            fs::create_directories(folder);
            fs::permissions(folder, fs::perms::owner_read | fs::perms::owner_exec);
        }
        if (what == "read-only file") {
            fs::create_directories(folder);
            std::ofstream(folder / "d.jsonl").flush();
            fs::permissions(folder / "d.jsonl", fs::perms::owner_read);
        }
        Recorder recorder;
        {
            const auto runner = Runner::start(asked, [&recorder](const RunEvent& event) { recorder(event); });
            QVERIFY(!runner);
            QCOMPARE(runner.error().code, ErrorCode::Unsupported);
            const QString said = QString::fromStdString(runner.error().toString());
            QVERIFY2(said.contains(phrase), qPrintable(said));
            QVERIFY2(said.contains("--no-save-results"), qPrintable(said));
            QVERIFY(recorder.events().empty());
        }
        asked.saveResults = false;
        run(asked, recorder);
        QCOMPARE(recorder.all<ResultEvent>().size(), std::size_t{4});
        if (fs::exists(folder)) fs::permissions(folder, fs::perms::owner_all);
    }

    void aTryLeavesNothingButFolders()
    {
        test::DatasetBuilder builder;
        QVERIFY(checkAppendable(builder.root(), "traces/ann/gemm/d.jsonl"));
        QVERIFY(fs::is_directory(builder.root() / "traces" / "ann" / "gemm"));
        QVERIFY(fs::is_empty(builder.root() / "traces" / "ann" / "gemm"));
        QVERIFY(!checkAppendable(builder.root(), "traces/../../out.jsonl"));
    }

    void resumeFinishesTheRest()
    {
        auto what = request(dataset({"pass_a", "die_b"}, {"w1"}));
        Recorder first;
        run(what, first);
        QCOMPARE(stored().size(), std::size_t{2});
        m_builder->workload({.definition = "d", .uuid = "w2"});
        what.dataset = m_builder->load();
        what.resume = true;
        Recorder second;
        run(what, second);
        QCOMPARE(second.all<PlanEvent>().at(0).skippedByResume, std::size_t{2});
        QCOMPARE(second.all<ResultEvent>().size(), std::size_t{2});
        what.dataset = m_builder->load();
        const auto before = heard("init.jsonl").size();
        Recorder third;
        run(what, third);
        QCOMPARE(third.all<DoneEvent>().at(0).total, std::size_t{0});
        QCOMPARE(third.all<PlanEvent>().at(0).skippedByResume, std::size_t{4});
        QCOMPARE(heard("init.jsonl").size(), before);   // no judge was started for nothing
        QCOMPARE(stored().size(), std::size_t{4});
    }

    void languagesThatNeedCudaAreReported_data()
    {
        QTest::addColumn<QByteArray>("language");
        QTest::newRow("cuda") << QByteArray("cuda");
        QTest::newRow("tilelang") << QByteArray("tilelang");
    }
    void languagesThatNeedCudaAreReported()
    {
        QFETCH(QByteArray, language);
        Recorder recorder;
        run(request(dataset({"pass_a"}, {"w1"}, language.toStdString())), recorder);
        const auto problems = recorder.all<ProblemEvent>();
        QCOMPARE(problems.size(), std::size_t{1});
        QCOMPARE(problems[0].pairs.size(), std::size_t{1});
        QVERIFY(problems[0].error.reason.find("CUDA device") != std::string::npos);
        QVERIFY(!fs::exists(traceFile()));
        QVERIFY(heard("opened.jsonl").empty());   // no reference was run for nothing
    }

    void compileErrorsAreStoredByTheProgram()
    {
        const auto choice = choosePython("", "");
        if (choice.interpreter.empty()) QSKIP(choice.explanation.c_str());
        const auto facts = inspectPython(choice.interpreter);
        if (!facts || facts->tvmFfiLibrary.empty()) QSKIP("this Python has no apache-tvm-ffi");
        m_builder = std::make_unique<test::DatasetBuilder>();
        m_builder->definition({.name = "d", .opType = "gemm"})
            .workload({.definition = "d", .uuid = "w1"})
            .workload({.definition = "d", .uuid = "w2"});
        m_builder->solution({.name = "broken",
                             .definition = "d",
                             .author = "ann",
                             .language = "cpp",
                             .source = "int f( {\n",
                             .sourcePath = "main.cpp"});
        m_builder->solution({.name = "pass_native",
                             .definition = "d",
                             .author = "ann",
                             .language = "cpp",
                             .source = "extern \"C\" __attribute__((visibility(\"default\"))) int __tvm_ffi_run(void*, "
                                       "const void*, int, void*) { return 0; }\n",
                             .sourcePath = "main.cpp"});
        auto what = request(m_builder->load());
        what.python = choice.interpreter;
        Recorder recorder;
        run(what, recorder);
        const auto traces = stored();
        QCOMPARE(traces.size(), std::size_t{4});
        QVERIFY(traces[0].evaluation->status == Status::CompileError);
        QVERIFY(traces[0].evaluation->log.find("main.cpp:1") != std::string::npos);
        QCOMPARE(traces[0].evaluation->environment.hardware, std::string("Fake CPU"));
        QVERIFY(QDateTime::fromString(QString::fromStdString(traces[0].evaluation->timestamp), Qt::ISODateWithMs)
                    .isValid());
        QVERIFY(!traces[0].evaluation->correctness);
        QVERIFY(traces[1].isPassed());
        const Json seen = Json::parse(traces[1].evaluation->log);
        QCOMPARE(seen.at("artifact").at("symbol").get<std::string>(), std::string("__tvm_ffi_run"));
        QVERIFY(fs::is_regular_file(seen.at("artifact").at("library").get<std::string>()));
        QVERIFY(traces[2].evaluation->status == Status::CompileError);
    }

    void missingTvmFfiIsNotACompileError()
    {
        m_builder = std::make_unique<test::DatasetBuilder>();
        m_builder->definition({.name = "d", .opType = "gemm"}).workload({.definition = "d", .uuid = "w1"});
        m_builder->solution({.name = "pass_a", .definition = "d", .author = "ann", .language = "cpp", .source = "int one;\n", .sourcePath = "main.cpp"});
        auto what = request(m_builder->load());
        if (const auto facts = inspectPython(m_python); facts && !facts->tvmFfiLibrary.empty())
            QSKIP("the system's Python has apache-tvm-ffi");
        Recorder recorder;
        run(what, recorder);
        QCOMPARE(recorder.all<ProblemEvent>().size(), std::size_t{1});
        QVERIFY(recorder.all<ProblemEvent>()[0].error.reason.find("apache-tvm-ffi") != std::string::npos);
        QVERIFY(!fs::exists(traceFile()));
    }

    void missingTritonIsNotAFailureOfTheSolution()
    {
        if (const auto facts = inspectPython(m_python); facts && facts->packages.contains("triton")) QSKIP("the system's Python has triton");
        auto runner = Runner::start(request(dataset({"pass_a"}, {"w1", "w2"}, "triton")), [](const RunEvent&) {});
        QVERIFY(!runner);
        QCOMPARE(runner.error().code, ErrorCode::Unsupported);
        const std::string reason = runner.error().reason;
        QVERIFY2(reason.find("pass_a left out (2 evaluations): it needs triton") != std::string::npos, reason.c_str());
        QVERIFY2(reason.find("packaging/guest-env.sh --full") != std::string::npos, reason.c_str());
        QVERIFY(!fs::exists(traceFile()));
    }

    void cancelStopsEverythingAndKeepsResults()
    {
        auto what = request(dataset({"hang_with_host", "pass_first"}, {"w1", "w2"}));
        what.timeoutSeconds = 600;
        what.pairs = {{"pass_first", "w1"}, {"hang_with_host", "w2"}, {"pass_first", "w2"}};
        Recorder recorder;
        auto runner = Runner::start(what, [&recorder](const RunEvent& event) { recorder(event); });
        QVERIFY(runner);
        QVERIFY(recorder.waitFor([](const RunEvent& event) {
            const auto* stage = std::get_if<StageEvent>(&event);
            return stage != nullptr && stage->stage == Stage::Time && stage->pair == 1;
        }));
        QTRY_VERIFY(descendantsOf(::getpid()).size() >= 3);   // judge, its host, the host's child
        (*runner)->cancel();
        (*runner)->wait();
        QCOMPARE(recorder.all<DoneEvent>().at(0).passed, std::size_t{1});
        QVERIFY(recorder.all<DoneEvent>()[0].cancelled);
        QCOMPARE(recorder.all<DoneEvent>()[0].notRun, std::size_t{2});
        QVERIFY(recorder.all<ProblemEvent>().empty());
        QCOMPARE(stored().size(), std::size_t{1});
        // cleanup() sees that no process is left.
    }

    void destructionCancels()
    {
        auto what = request(dataset({"hang_with_host"}));
        what.timeoutSeconds = 600;
        Recorder recorder;
        {
            auto runner = Runner::start(what, [&recorder](const RunEvent& event) { recorder(event); });
            QVERIFY(runner);
            QVERIFY(recorder.waitFor([](const RunEvent& event) { return std::holds_alternative<StageEvent>(event); }));
        }
        QCOMPARE(recorder.all<DoneEvent>().size(), std::size_t{1});
        QVERIFY(std::holds_alternative<DoneEvent>(recorder.events().back()));
    }

    void requestsAreCheckedBeforeAnythingStarts_data()
    {
        QTest::addColumn<QString>("what");
        QTest::addColumn<ErrorCode>("code");
        QTest::addColumn<QString>("phrase");
        QTest::newRow("CUDA device") << "cuda:4711" << ErrorCode::Unsupported << "use cpu";
        QTest::newRow("unknown device") << "tpu" << ErrorCode::Usage << "there is no device \"tpu\"";
        QTest::newRow("no device") << "" << ErrorCode::Usage << "no device is chosen";
        QTest::newRow("bad configuration") << "iterations" << ErrorCode::Usage << "greater than 0";
        QTest::newRow("bad timeout") << "timeout" << ErrorCode::Usage << "greater than 0";
        QTest::newRow("no Python") << "python" << ErrorCode::NotFound << "guest-env.sh";
        QTest::newRow("unknown solution") << "solution" << ErrorCode::Usage << "no solution named";
        QTest::newRow("timeout of no end") << "endless" << ErrorCode::Usage << "at most 10000000, is inf";
        QTest::newRow("more calls than can be counted") << "calls" << ErrorCode::Usage << "1000000000 calls are the most";
    }
    void requestsAreCheckedBeforeAnythingStarts()
    {
        QFETCH(QString, what);
        QFETCH(ErrorCode, code);
        QFETCH(QString, phrase);
        auto asked = request(dataset({"pass_a"}));
        if (what == "iterations") asked.overrides.iterations = 0;
        else if (what == "timeout") asked.timeoutSeconds = 0;
        else if (what == "endless") asked.timeoutSeconds = std::numeric_limits<double>::infinity();
        else if (what == "calls") asked.overrides.iterations = 900'000'000;
        else if (what == "python") asked.python.clear();
        else if (what == "solution") asked.solutions = {"zzz"};
        else if (what.isEmpty()) asked.devices.clear();
        else asked.devices = {what.toStdString()};
        Recorder recorder;
        const auto runner = Runner::start(asked, [&recorder](const RunEvent& event) { recorder(event); });
        QVERIFY(!runner);
        QCOMPARE(runner.error().code, code);
        QVERIFY2(QString::fromStdString(runner.error().toString()).contains(phrase), runner.error().toString().c_str());
        QVERIFY(recorder.events().empty());
    }

    void foldersOfDeadJudgesAreRemoved()
    {
        // No process has a number as large as these.
        const fs::path temporary = m_scratch->path().toStdString();
        for (const char* name : {"tracedeck-judge-999999991-abc", "tracedeck-judge-999999992-abc", "tracedeck-judge-x", "something-else"})
            fs::create_directories(temporary / name / "host-1");
        std::ofstream(temporary / "tracedeck-judge-999999991-abc" / "file") << "left";
        // In another container it may be alive: it holds its folder locked.
        const FileDescriptor locked(::open((temporary / "tracedeck-judge-999999992-abc").c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
        QCOMPARE(::flock(locked.get(), LOCK_EX), 0);
        // What the dead one left running has its home there, like a host, or a host's own folder, like what a host starts.
        const auto startedIn = [&](const std::string& home) {
            auto process = std::make_unique<QProcess>();
            QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
            environment.insert(QStringLiteral("HOME"), QString::fromStdString((temporary / home).string()));
            process->setProcessEnvironment(environment);
            process->start(QStringLiteral("sleep"), {QStringLiteral("5000")});
            process->waitForStarted();
            return process;
        };
        std::vector<std::unique_ptr<QProcess>> left;
        left.push_back(startedIn("tracedeck-judge-999999991-abc"));
        left.push_back(startedIn("tracedeck-judge-999999991-abc/host-1"));
        std::vector<std::unique_ptr<QProcess>> others;
        others.push_back(startedIn("tracedeck-judge-999999991-abcd"));
        others.push_back(startedIn("tracedeck-judge-999999992-abc"));
        const QByteArray before = qgetenv("TMPDIR");
        qputenv("TMPDIR", m_scratch->path().toUtf8());
        const auto mine = makeJudgeFolder();
        removeFoldersOfDeadJudges();
        before.isEmpty() ? qunsetenv("TMPDIR") : qputenv("TMPDIR", before);
        QVERIFY(mine);
        QVERIFY(fs::exists(mine->path()));
        QVERIFY(!fs::exists(temporary / "tracedeck-judge-999999991-abc"));
        for (const char* name : {"tracedeck-judge-999999992-abc", "tracedeck-judge-x", "something-else"}) QVERIFY2(fs::exists(temporary / name), name);
        for (const auto& process : left) {
            QVERIFY(process->waitForFinished(10'000));
            QCOMPARE(process->exitStatus(), QProcess::CrashExit);
        }
        for (const auto& process : others) {
            QCOMPARE(process->state(), QProcess::Running);
            process->kill();
            QVERIFY(process->waitForFinished(10'000));
        }
    }

    void workerProgramIsFoundByVariable()
    {
        qputenv("TRACEDECK_WORKER", "/bin/sh");
        QCOMPARE(findWorkerProgram()->string(), std::string("/bin/sh"));
        qputenv("TRACEDECK_WORKER", "/nonexistent/worker");
        QVERIFY(!findWorkerProgram());
        qunsetenv("TRACEDECK_WORKER");
    }
};

QTEST_GUILESS_MAIN(TestRunner)
#include "test_runner.moc"
