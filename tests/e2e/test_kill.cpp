// SPDX-License-Identifier: GPL-3.0-or-later
// Whatever is killed, and when: results that were reported are on disk and whole, the rest can be finished, and no
// process is left over.
#include <QtTest>

#include <signal.h>

#include <fstream>
#include <map>

#include "core/io/json_codec.h"
#include "core/io/trace_writer.h"
#include "tests/support/dataset_builder.h"
#include "tests/support/program.h"

using namespace tracedeck;
namespace fs = std::filesystem;

class TestKill : public QObject {
    Q_OBJECT

    /// Three quick solutions and one that hangs, on four workloads.
    static void fill(test::DatasetBuilder& builder, bool withHang)
    {
        builder.definition({.name = "add_one", .opType = "elementwise"});
        for (const char* name : {"a_first", "b_second", "d_last"})
            builder.solution({.name = name, .definition = "add_one"});
        if (withHang) {
            // It ignores what it may ignore, and leaves a child in a session of its own.
            builder.solution({.name = "c_hangs",
                              .definition = "add_one",
                              .source = "import os, signal, subprocess, time\ndef run(x):\n    for number in "
                                        "(signal.SIGTERM, signal.SIGINT, signal.SIGHUP):\n"
                                        "        signal.signal(number, signal.SIG_IGN)\n"
                                        "    try:\n        subprocess.Popen(['sleep', '5000'], "
                                        "start_new_session=True)\n    except OSError:\n        pass\n"
                                        "    while True:\n        time.sleep(1000)\n"});
        }
        for (int index = 1; index <= 4; ++index)
            builder.workload({.definition = "add_one", .uuid = "w" + std::to_string(index), .axes = {{"M", index}}});
    }
    static QStringList command(const fs::path& root, const QString& timeout)
    {
        return {"run",
                "--local",
                QString::fromStdString(root.string()),
                "--warmup-runs",
                "1",
                "--iterations",
                "3",
                "--num-trials",
                "1",
                "--timeout",
                timeout,
                "--json"};
    }
    static std::string fileText(const fs::path& root)
    {
        std::ifstream in(root / "traces" / "ann" / "elementwise" / "add_one.jsonl", std::ios::binary);
        return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    }
    static QStringList leftIn(const QTemporaryDir& folder) { return QDir(folder.path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot); }
    /// (solution, workload) → number of traces; throws on a line that the format rejects. A torn end is no line.
    static std::map<std::pair<std::string, std::string>, int> storedPairs(const fs::path& root)
    {
        std::map<std::pair<std::string, std::string>, int> pairs;
        std::string text = fileText(root);
        text.erase(text.rfind('\n') + 1);
        for (const auto& line : QByteArray::fromStdString(text).split('\n')) {
            if (line.isEmpty()) continue;
            auto trace = decodeTrace(line.toStdString(), ReadMode::Strict);
            if (!trace) throw std::runtime_error(trace.error().toString() + ": " + line.toStdString());
            ++pairs[{trace->value.solution.value_or(""), trace->value.workload.uuid}];
        }
        return pairs;
    }
    /// Reads events until `wanted` says yes. Returns the traces that were reported until then.
    template <class Predicate>
    static std::vector<Json> readUntil(test::RunningTracedeck& run, Predicate wanted)
    {
        std::vector<Json> reported;
        while (const auto line = run.readLine()) {
            const Json event = Json::parse(*line);
            if (event.at("event") == "result") reported.push_back(event);
            if (wanted(event)) return reported;
        }
        throw std::runtime_error("the run ended before what the test waits for");
    }
    static void verifyOnDisk(const std::vector<Json>& reported)
    {
        for (const auto& event : reported) {
            std::ifstream in(event.at("file").get<std::string>(), std::ios::binary);
            in.seekg(event.at("byte_offset").get<std::streamoff>());
            std::string line;
            std::getline(in, line);
            QVERIFY(!in.eof());   // its newline is there
            QCOMPARE(Json::parse(line), event.at("trace"));
        }
    }
    static void finishByResume(const fs::path& root, std::size_t pairs)
    {
        const auto before = storedPairs(root);
        const auto rest = test::runTracedeck(command(root, "6") << "--resume");
        QCOMPARE(rest.exit.exitCode, 0);
        QCOMPARE(test::jsonLines(rest.output).front().at("skipped_by_resume").get<std::size_t>(), before.size());
        const auto after = storedPairs(root);
        QCOMPARE(after.size(), pairs);
        for (const auto& [pair, count] : after) QVERIFY2(count == 1, (pair.first + " " + pair.second).c_str());
    }

private slots:
    void initTestCase()
    {
        QVERIFY(test::adoptOrphans());
        if (const auto why = test::whyNoPython(false); !why.empty()) QSKIP(why.c_str());
    }

    void cleanup() { QTRY_VERIFY_WITH_TIMEOUT(test::nothingIsLeftOver(), 10000); }

    void killedProgramLosesNothingThatItReported_data()
    {
        QTest::addColumn<int>("results");
        QTest::addColumn<bool>("whileHanging");
        QTest::newRow("after the first result") << 1 << false;
        QTest::newRow("after the fifth result") << 5 << false;
        QTest::newRow("while a solution hangs") << 2 << true;
    }
    void killedProgramLosesNothingThatItReported()
    {
        QFETCH(int, results);
        QFETCH(bool, whileHanging);
        test::DatasetBuilder builder;
        fill(builder, whileHanging);
        {
            test::RunningTracedeck run(command(builder.root(), "500"));
            int seen = 0;
            const auto reported = readUntil(run, [&](const Json& event) {
                if (event.at("event") == "result") ++seen;
                return seen >= results &&
                       (!whileHanging || (event.at("event") == "stage" && event.at("solution") == "c_hangs"));
            });
            QCOMPARE(::kill(run.process().pid(), SIGKILL), 0);   // the program alone: nobody tells its children
            QVERIFY(run.process().wait(60));
            verifyOnDisk(reported);
            QVERIFY(storedPairs(builder.root()).size() >= reported.size());
        }
        QTRY_VERIFY_WITH_TIMEOUT(test::nothingIsLeftOver(), 10000);
        finishByResume(builder.root(), whileHanging ? 16 : 12);
    }

    void tornLastLineIsRepairedByTheNextRun()
    {
        test::DatasetBuilder builder;
        fill(builder, false);
        QCOMPARE(test::runTracedeck(command(builder.root(), "60") << "--workloads"
                                                                  << "w1")
                     .exit.exitCode,
                 0);
        const std::string whole = fileText(builder.root());
        const fs::path file = builder.root() / "traces" / "ann" / "elementwise" / "add_one.jsonl";
        fs::resize_file(file, whole.size() - 40);   // as if the machine had gone down in the middle of the last line
        const auto rest = test::runTracedeck(command(builder.root(), "60") << "--resume");
        QCOMPARE(rest.exit.exitCode, 0);
        QCOMPARE(test::jsonLines(rest.output).front().at("skipped_by_resume").get<int>(), 2);
        verifyOnDisk(readResults(rest.output));
        const auto info = Json::parse(
            test::runTracedeck({"info", "--local", QString::fromStdString(builder.root().string()), "--json"}).output);
        QCOMPARE(info.at("traces").get<int>(), 12);
    }

    void killedJudgeCostsOneEvaluation()
    {
        test::DatasetBuilder builder;
        fill(builder, true);
        test::RunningTracedeck run(command(builder.root(), "8") << "--workloads"
                                                                << "w1");
        readUntil(run,
                  [](const Json& event) { return event.at("event") == "stage" && event.at("solution") == "c_hangs"; });
        const auto children = descendantsOf(run.process().pid());
        QVERIFY(!children.empty());
        QCOMPARE(::kill(children.front(), SIGKILL), 0);   // parents come before children: this is the judge
        readUntil(run, [](const Json& event) { return event.at("event") == "done"; });
        QVERIFY(run.process().wait(60));
        const auto pairs = storedPairs(builder.root());
        QCOMPARE(pairs.size(), std::size_t{4});
        std::string text = fileText(builder.root());
        for (const auto& trace : test::jsonLines(text)) {
            const bool hung = trace.at("solution") == "c_hangs";
            QCOMPARE(trace.at("evaluation").at("status").get<std::string>(),
                     std::string(hung ? "RUNTIME_ERROR" : "PASSED"));
        }
    }

    void signalsEndInOrder_data()
    {
        QTest::addColumn<int>("signal");
        QTest::newRow("SIGINT") << SIGINT;
        QTest::newRow("SIGTERM") << SIGTERM;
        QTest::newRow("SIGHUP") << SIGHUP;
    }
    void signalsEndInOrder()
    {
        QFETCH(int, signal);
        test::DatasetBuilder builder;
        fill(builder, true);
        const QTemporaryDir temporary;
        test::RunningTracedeck run(command(builder.root(), "500"), {{"TMPDIR", temporary.path().toStdString()}});
        readUntil(run,
                  [](const Json& event) { return event.at("event") == "stage" && event.at("solution") == "c_hangs"; });
        QVERIFY(!leftIn(temporary).isEmpty());   // the judge's folder
        QCOMPARE(::kill(run.process().pid(), signal), 0);
        readUntil(run,
                  [](const Json& event) { return event.at("event") == "done" && event.at("cancelled").get<bool>(); });
        const auto exit = run.process().wait(60);
        QVERIFY(exit);
        QCOMPARE(exit->exitCode, 128 + signal);
        QCOMPARE(leftIn(temporary), QStringList());
        QTRY_VERIFY(test::nothingIsLeftOver());
        QCOMPARE(storedPairs(builder.root()).size(), std::size_t{2});
    }

    void signalWhileTheJudgeStartsLeavesNothing()
    {
        test::DatasetBuilder builder;
        fill(builder, false);
        const QTemporaryDir temporary;
        test::RunningTracedeck run(command(builder.root(), "500"), {{"TMPDIR", temporary.path().toStdString()}});
        readUntil(run, [](const Json& event) { return event.at("event") == "device" && event.at("state") == "starting"; });
        QTRY_VERIFY_WITH_TIMEOUT(!leftIn(temporary).isEmpty(), 20000);
        QCOMPARE(::kill(run.process().pid(), SIGTERM), 0);
        const auto exit = run.process().wait(60);
        QVERIFY(exit);
        QCOMPARE(exit->exitCode, 128 + SIGTERM);
        QCOMPARE(leftIn(temporary), QStringList());
    }

    void secondInterruptEndsAtOnce()
    {
        test::DatasetBuilder builder;
        fill(builder, true);
        test::RunningTracedeck run(command(builder.root(), "500"));
        readUntil(run,
                  [](const Json& event) { return event.at("event") == "stage" && event.at("solution") == "c_hangs"; });
        ::kill(run.process().pid(), SIGINT);
        ::kill(run.process().pid(), SIGTERM);
        const auto exit = run.process().wait(60);
        QVERIFY(exit);
        // By the second, or by the first when the two arrived as far apart as the end took. Which of two pending signals
        // comes first is the system's choice.
        QVERIFY(exit->exitCode == 128 + SIGINT || exit->exitCode == 128 + SIGTERM);
    }

    void ignoredSignalsStayIgnored()
    {
        test::DatasetBuilder builder;
        fill(builder, false);
        // As nohup does it.
        auto spec = test::tracedeckCommand(command(builder.root(), "60"));
        spec.command.insert(spec.command.begin(), {"/bin/sh", "-c", "trap '' HUP; kill -HUP $$; exec \"$@\"", "sh"});
        auto child = ChildProcess::spawn(spec);
        QVERIFY(child);
        QTRY_VERIFY_WITH_TIMEOUT(!storedPairs(builder.root()).empty(), 60000);
        QCOMPARE(::kill(child->pid(), SIGHUP), 0);
        const auto exit = child->wait(120);
        QVERIFY(exit);
        QCOMPARE(exit->exitCode, 0);
        QCOMPARE(storedPairs(builder.root()).size(), std::size_t{12});
    }

private:
    static std::vector<Json> readResults(const std::string& output)
    {
        std::vector<Json> results;
        for (const auto& event : test::jsonLines(output)) {
            if (event.at("event") == "result") results.push_back(event);
        }
        return results;
    }
};

QTEST_GUILESS_MAIN(TestKill)
#include "test_kill.moc"
