// SPDX-License-Identifier: GPL-3.0-or-later
// `tracedeck run` before and after the run: plans, presets, records, and going on with a run that was killed. The judge is played by
// tests/support/fake_judge.py.
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QtTest>

#include <csignal>
#include <map>

#include "tests/support/dataset_builder.h"
#include "tests/support/program.h"

using namespace tracedeck;
using test::runTracedeck;

class TestRunHistory : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<test::DatasetBuilder> m_builder;
    QString m_python;

    [[nodiscard]] QStringList run(const QStringList& more) const
    {
        return QStringList{"run", "--local", QString::fromStdString(m_builder->root().string()), "--device", "cpu", "--python", m_python} + more;
    }
    void fill(const QStringList& solutions, int workloads)
    {
        m_builder = std::make_unique<test::DatasetBuilder>();
        m_builder->definition({.name = "d", .opType = "gemm"});
        for (const auto& name : solutions) m_builder->solution({.name = name.toStdString(), .definition = "d"});
        for (int i = 0; i < workloads; ++i) m_builder->workload({.definition = "d", .uuid = "w" + std::to_string(i)});
    }
    static Json runs() { return Json::parse(runTracedeck({"runs", "--json"}).output); }

private slots:
    void initTestCase()
    {
        QVERIFY(test::adoptOrphans());
        m_python = QStandardPaths::findExecutable("python3");
        if (m_python.isEmpty()) QSKIP("no python3 to play the judge");
        qputenv("CUDA_VISIBLE_DEVICES", "");
        qputenv("TRACEDECK_WORKER", TRACEDECK_SOURCE_DIR "/tests/support/fake_judge.py");
    }
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        qputenv("FAKE_JUDGE_FOLDER", m_folder->path().toUtf8());
        qputenv("TRACEDECK_CACHE_PATH", m_folder->filePath("cache").toUtf8());
        qputenv("TRACEDECK_DATA_PATH", m_folder->filePath("data").toUtf8());
    }
    void cleanup() { QTRY_VERIFY(test::nothingIsLeftOver()); }

    void dryRunTellsWhatWouldBeDoneAndDoesNothing()
    {
        fill({"pass_a", "z_fail"}, 2);
        const auto text = runTracedeck(run({"--dry-run"}));
        QCOMPARE(text.exit.exitCode, 0);
        QVERIFY2(text.output.find("4 evaluations to run, about 12s") != std::string::npos, text.output.c_str());
        const Json json = Json::parse(runTracedeck(run({"--dry-run", "--json", "--pair", "z_fail:w1"})).output);
        QCOMPARE(json.at("total"), Json(1));
        QCOMPARE(json.at("pairs").at(0).at("workload_uuid"), Json("w1"));
        QCOMPARE(runs().size(), std::size_t{0});
        QVERIFY(!std::filesystem::exists(m_builder->root() / "traces"));
    }

    void onlyWhatFailedIsRunAgain()
    {
        fill({"pass_a", "z_fail"}, 2);
        QCOMPARE(runTracedeck(run({})).exit.exitCode, 0);
        const auto again = runTracedeck(run({"--only", "failed", "--json"}));
        QCOMPARE(again.exit.exitCode, 0);
        for (const Json& event : test::jsonLines(again.output))
            if (event.at("event") == "result") QCOMPARE(event.at("solution"), Json("z_fail"));
        const auto never = runTracedeck(run({"--only", "never-run", "--solutions", "pass_a"}));
        // The judge of this test calls its hardware otherwise than the system does, so nothing was run "here".
        QCOMPARE(never.exit.exitCode, 0);
        const auto nothing = runTracedeck(run({"--only", "outdated"}));
        QCOMPARE(nothing.exit.exitCode, 0);
        QVERIFY2(nothing.errorOutput.find("none of 4 evaluations is what --only asks for") != std::string::npos, nothing.errorOutput.c_str());
        const auto both = runTracedeck(run({"--only", "failed", "--resume"}));
        QCOMPARE(both.exit.exitCode, 2);
        QVERIFY2(both.errorOutput.find("--resume") != std::string::npos, both.errorOutput.c_str());
    }

    void aSolutionThatFailsIsSkipped()
    {
        fill({"pass_a", "z_fail"}, 5);
        const auto ran = runTracedeck(run({"--skip-after", "1", "--json"}));
        QCOMPARE(ran.exit.exitCode, 0);
        const auto events = test::jsonLines(ran.output);
        QCOMPARE(events.back().at("failed"), Json(1));
        QCOMPARE(events.back().at("not_run"), Json(4));
        QVERIFY(ran.errorOutput.find("solution z_fail failed 1 time in this run: 4 evaluations left out") != std::string::npos);
        QCOMPARE(runTracedeck(run({"--skip-after", "0"})).exit.exitCode, 2);
    }

    void presetsCarrySettings()
    {
        fill({"pass_a"}, 1);
        QCOMPARE(runTracedeck(run({"--iterations", "3", "--skip-after", "7", "--save-preset", "mine", "--dry-run"})).exit.exitCode, 0);
        QCOMPARE(runTracedeck(run({"--preset", "mine", "--skip-after", "8"})).exit.exitCode, 0);
        const Json settings = runs().at(0).at("settings");
        QCOMPARE(settings.at("overrides").at("iterations"), Json(3));
        QCOMPARE(settings.at("skip_after"), Json(8));
        const auto unknown = runTracedeck(run({"--preset", "yours"}));
        QCOMPARE(unknown.exit.exitCode, 2);
        QVERIFY2(unknown.errorOutput.find("there are: mine") != std::string::npos, unknown.errorOutput.c_str());
    }

    void recordsAreListedShownAndTakenBack()
    {
        fill({"pass_a", "z_fail"}, 2);
        QCOMPARE(runTracedeck(run({"--solutions", "pass_a"})).exit.exitCode, 0);
        QCOMPARE(runTracedeck(run({"--solutions", "z_fail", "--no-record"})).exit.exitCode, 0);
        const Json list = runs();
        QCOMPARE(list.size(), std::size_t{1});
        const QString id = QString::fromStdString(list.at(0).at("id").get<std::string>());
        QCOMPARE(list.at(0).at("state"), Json("done"));
        QVERIFY(runTracedeck({"runs"}).output.find(id.toStdString()) != std::string::npos);
        const Json shown = Json::parse(runTracedeck({"runs", "show", id}).output);
        QCOMPARE(shown.at("pairs").size(), std::size_t{2});
        QCOMPARE(m_builder->load()->traces().size(), std::size_t{4});
        QCOMPARE(runTracedeck({"runs", "remove-traces", id}).exit.exitCode, 0);
        QCOMPARE(m_builder->load()->traces().size(), std::size_t{2});
        QCOMPARE(runTracedeck({"runs", "restore-traces", id}).exit.exitCode, 0);
        QCOMPARE(m_builder->load()->traces().size(), std::size_t{4});
        QCOMPARE(runTracedeck({"runs", "stop", id}).exit.exitCode, 1);
        QCOMPARE(runTracedeck({"runs", "forget", id}).exit.exitCode, 0);
        QCOMPARE(runTracedeck({"runs", "show", id}).exit.exitCode, 3);
    }

    void aKilledRunIsGoneOnWithAndEachPairIsDoneOnce()
    {
        fill({"pass_a", "chatty_b"}, 4);   // chatty: 2 s each
        {
            test::RunningTracedeck running(run({"--json"}));
            while (const auto line = running.readLine()) {
                const Json event = Json::parse(*line);
                if (event.at("event") == "start" && event.at("solution") == "chatty_b" && event.at("workload_uuid") == "w1") break;
            }
            QCOMPARE(runs().at(0).at("state"), Json("running"));
            running.process().killTree();
        }
        QCOMPARE(runs().at(0).at("state"), Json("broken"));
        const QString id = QString::fromStdString(runs().at(0).at("id").get<std::string>());
        const auto rest = runTracedeck({"run", "--continue", id, "--json"});
        QCOMPARE(rest.exit.exitCode, 0);
        const auto dataset = m_builder->load();
        std::map<std::string, int> count;
        for (const TraceRow& row : dataset->traces().rows()) ++count[std::string(dataset->traces().solutionName(row)) + "/" + dataset->traces().workloadUuid(row)];
        QCOMPARE(count.size(), std::size_t{8});
        for (const auto& [pair, times] : count) QVERIFY2(times == 1, pair.c_str());
        const Json list = runs();
        QCOMPARE(list.size(), std::size_t{2});
        QCOMPARE(list.at(1).at("continued_by"), list.at(0).at("id"));
        QCOMPARE(runTracedeck({"run", "--continue", id, "--resume"}).exit.exitCode, 2);
        // Once is enough: it says who did it.
        const auto again = runTracedeck({"run", "--continue", id});
        QVERIFY(again.exit.exitCode != 0);
        QVERIFY2(again.errorOutput.find("nothing is left to do of this run: run " + list.at(0).at("id").get<std::string>() + " went on with it") != std::string::npos, again.errorOutput.c_str());
        QCOMPARE(runs().size(), std::size_t{2});
    }

    void aRunIsStoppedFromOutside()
    {
        fill({"silent_a"}, 2);
        test::RunningTracedeck running(run({"--json"}));
        while (const auto line = running.readLine())
            if (Json::parse(*line).at("event") == "start") break;
        const QString id = QString::fromStdString(runs().at(0).at("id").get<std::string>());
        QCOMPARE(runTracedeck({"runs", "remove-traces", id}).exit.exitCode, 1);   // it goes on
        QCOMPARE(runTracedeck({"runs", "stop", id}).exit.exitCode, 0);
        while (running.readLine()) {}
        const auto exit = running.process().wait(10);
        QVERIFY(exit);
        QCOMPARE(exit->exitCode, 128 + SIGINT);
        QCOMPARE(runs().at(0).at("state"), Json("cancelled"));
    }
};

QTEST_GUILESS_MAIN(TestRunHistory)
#include "test_run_history.moc"
