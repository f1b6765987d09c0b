// SPDX-License-Identifier: GPL-3.0-or-later
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>

#include "core/model/json.h"
#include "tests/support/dataset_builder.h"
#include "tests/support/program.h"

using namespace tracedeck;
using tracedeck::test::DatasetBuilder;

namespace {

QString folder(const DatasetBuilder& builder)
{
    return QString::fromStdString(builder.root().string());
}

/// What a judge's record has of `count` times spread evenly by ±1 % around `centreMs`.
std::string judgeRecord(double centreMs, int count = 40)
{
    Json list = Json::array();
    for (int i = 0; i < count; ++i) list.push_back(centreMs * 1000 * (0.99 + 0.02 * i / (count - 1)));
    return Json{{"version", 1}, {"time", {{"method", "judge"}, {"samples_us", Json::array({list})}}}}.dump();
}

void addTrace(DatasetBuilder& builder, const std::string& solution, const std::string& uuid, double latencyMs, Status status = Status::Passed, const std::string& torch = "2.9")
{
    builder.trace({.definition = "g", .solution = solution, .uuid = uuid, .latencyMs = latencyMs, .status = status, .axes = {{"M", uuid[0] - 'a'}},
                   .judge = judgeRecord(latencyMs), .libs = {{"torch", torch}}});
}

/// On `a` t is slower by 10 %, on `b` twice as fast, on `c` it fails.
void fillTwo(DatasetBuilder& builder)
{
    builder.definition({.name = "g"});
    builder.solution({.name = "s", .definition = "g", .author = "ann"}).solution({.name = "t", .definition = "g", .author = "bob"});
    addTrace(builder, "s", "a", 1);
    addTrace(builder, "t", "a", 1.1);
    addTrace(builder, "s", "b", 1);
    addTrace(builder, "t", "b", 0.5);
    addTrace(builder, "s", "c", 1);
    addTrace(builder, "t", "c", 1, Status::Timeout);
}

QStringList compareCommand(const DatasetBuilder& builder, const QStringList& more = {})
{
    return QStringList{"report", "compare", "--local", folder(builder), "--a", "solution=s", "--b", "solution=t"} + more;
}

}  // namespace

class TestReportCompare : public QObject {
    Q_OBJECT
private slots:
    void jsonHasEveryFigure()
    {
        DatasetBuilder builder;
        fillTwo(builder);
        const auto run = test::runTracedeck(compareCommand(builder, {"--json"}));
        QCOMPARE(run.exit.exitCode, 0);
        QCOMPARE(run.errorOutput, std::string());
        const Json document = Json::parse(run.output);
        QCOMPARE(document.at("a").get<std::string>(), std::string("solution s"));
        QCOMPARE(document.at("rows").size(), std::size_t{3});
        const Json& slower = document.at("rows")[0];
        QCOMPARE(slower.at("verdict").get<std::string>(), std::string("SLOWER"));
        QVERIFY(std::abs(slower.at("ratio").get<double>() - 1.1) < 1e-9);
        QVERIFY(slower.at("interval")[0].get<double>() > 1.08 && slower.at("interval")[1].get<double>() < 1.12);
        QCOMPARE(slower.at("a").at("samples").get<int>(), 40);
        QCOMPARE(document.at("rows")[1].at("verdict").get<std::string>(), std::string("FASTER"));
        const Json& failing = document.at("rows")[2];
        QCOMPARE(failing.at("verdict").get<std::string>(), std::string("NOW_FAILING"));
        QCOMPARE(failing.at("reason").get<std::string>(), std::string("A passed, B ended with TIMEOUT"));
        QVERIFY(failing.at("ratio").is_null());
        QCOMPARE(document.at("counts").at("SLOWER").get<int>(), 1);
        QCOMPARE(document.at("geometric_mean").at("results").get<int>(), 2);
        QVERIFY(std::abs(document.at("geometric_mean").at("ratio").get<double>() - std::sqrt(0.55)) < 1e-9);
        QCOMPARE(test::runTracedeck(compareCommand(builder, {"--json"})).output, run.output);
    }
    void textSaysWhatDiffersAndWhy()
    {
        DatasetBuilder builder;
        fillTwo(builder);
        addTrace(builder, "s", "d", 1);
        addTrace(builder, "t", "d", 1, Status::Passed, "2.10");
        const auto run = test::runTracedeck(compareCommand(builder));
        QCOMPARE(run.exit.exitCode, 0);
        for (const char* part : {"A: solution s\n", "torch: A 2.9; B 2.10 and 2.9", "SLOWER", "+10.0 %", "NOW_FAILING: A passed, B ended with TIMEOUT (1)",
                                 "1 NOW_FAILING, 1 SLOWER, 1 FASTER, 1 SAME", "geometric mean over 3 results"}) {
            QVERIFY2(run.output.find(part) != std::string::npos, (part + std::string(" is not in\n") + run.output).c_str());
        }
    }
    void aGateLogsWhatGotWorse()
    {
        DatasetBuilder builder;
        fillTwo(builder);
        for (const char* percent : {"5", "5%", "5 %"}) {
            const auto run = test::runTracedeck(compareCommand(builder, {"--fail-on-regression", percent}));
            QCOMPARE(run.exit.exitCode, 1);
            QVERIFY(run.output.starts_with("FAILED: 2 of 3 results are slower by more than 5 % with certainty, or fail where A passed\n"));
            QVERIFY(run.output.find("NOW_FAILING") != std::string::npos && run.output.find("SLOWER") != std::string::npos);
            QVERIFY(run.output.find("M=1 ") == std::string::npos);   // what got better is not in the way
        }
        QCOMPARE(test::runTracedeck(compareCommand(builder, {"--fail-on-regression", "-5"})).exit.exitCode, 2);
        QCOMPARE(test::runTracedeck(compareCommand(builder, {"--fail-on-regression", "much"})).exit.exitCode, 2);
        const auto passed = test::runTracedeck({"report", "compare", "--local", folder(builder), "--a", "solution=t", "--b", "solution=t", "--with", folder(builder), "--fail-on-regression", "5%"});
        QCOMPARE(passed.exit.exitCode, 0);
        QVERIFY(passed.output.starts_with("PASSED: none of 3 results"));
    }
    void markdownIsACommentOnAPullRequest()
    {
        DatasetBuilder builder;
        fillTwo(builder);
        const auto run = test::runTracedeck(compareCommand(builder, {"--fail-on-regression", "5%", "--format", "markdown"}));
        QCOMPARE(run.exit.exitCode, 1);
        for (const char* part : {"### Benchmark comparison\n", "**FAILED: 2 of 3", "#### Worse (2)\n\n| Definition | Workload |", "| +10.0 % (", "#### Better (1)\n"}) {
            QVERIFY2(run.output.find(part) != std::string::npos, (part + std::string(" is not in\n") + run.output).c_str());
        }
    }
    void twoFoldersAreAAndB()
    {
        DatasetBuilder one;
        fillTwo(one);
        DatasetBuilder other;
        fillTwo(other);
        const auto run = test::runTracedeck({"report", "compare", folder(one), folder(other), "--json"});
        QCOMPARE(run.exit.exitCode, 0);
        QCOMPARE(Json::parse(run.output).at("rows").size(), std::size_t{6});
        QCOMPARE(test::runTracedeck({"report", "compare", folder(one), "--local", folder(other)}).exit.exitCode, 2);
    }
    void csvHasOneLineAResult()
    {
        DatasetBuilder builder;
        fillTwo(builder);
        QTemporaryDir place;
        const QString path = place.filePath("compared.csv");
        const auto run = test::runTracedeck(compareCommand(builder, {"--csv", "--out", path}));
        QCOMPARE(run.exit.exitCode, 0);
        QCOMPARE(run.output, std::string());
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QList<QByteArray> lines = file.readAll().split('\n');
        QCOMPARE(lines.size(), 5);   // the header, three results, nothing after the last line's end
        QVERIFY(lines[0].startsWith("definition,axes,solution_a,solution_b,"));
        QVERIFY(lines[3].startsWith("g,M=2,s,t,Test CPU,Test CPU,c,c,PASSED,TIMEOUT,1,"));
        QVERIFY(lines[3].endsWith(",NOW_FAILING,\"A passed, B ended with TIMEOUT\""));
    }
    void thresholdSetsTheExitCode_data()
    {
        QTest::addColumn<bool>("fails");
        QTest::addColumn<QString>("percent");
        QTest::addColumn<int>("exitCode");
        QTest::newRow("10 % slower, 5 % allowed") << false << "5" << 1;
        QTest::newRow("10 % slower, 20 % allowed") << false << "20" << 0;
        QTest::newRow("now failing") << true << "20" << 1;
    }
    void thresholdSetsTheExitCode()
    {
        QFETCH(bool, fails);
        QFETCH(QString, percent);
        QFETCH(int, exitCode);
        DatasetBuilder builder;
        fillTwo(builder);
        if (!fails) builder.trace({.definition = "g", .solution = "t", .uuid = "c", .axes = {{"M", 2}}, .timestamp = "2026-02-01T00:00:00", .judge = judgeRecord(1)});
        const auto run = test::runTracedeck(compareCommand(builder, {"--threshold", percent}));
        QCOMPARE(run.exit.exitCode, exitCode);
        QCOMPARE(run.errorOutput.find("with certainty, or fail where A passed") != std::string::npos, exitCode == 1);
        QVERIFY(run.output.find("SLOWER") != std::string::npos);
        QCOMPARE(test::runTracedeck(compareCommand(builder)).exit.exitCode, 0);   // nobody asked
    }
    void rowsCanBeChosenByVerdict()
    {
        DatasetBuilder builder;
        fillTwo(builder);
        const auto run = test::runTracedeck(compareCommand(builder, {"--json", "--verdict", "SLOWER", "--threshold", "5"}));
        QCOMPARE(run.exit.exitCode, 1);   // what is printed does not decide
        const Json document = Json::parse(run.output);
        QCOMPARE(document.at("rows").size(), std::size_t{1});
        QCOMPARE(document.at("counts").at("NOW_FAILING").get<int>(), 0);
        QVERIFY(std::abs(document.at("geometric_mean").at("ratio").get<double>() - 1.1) < 1e-9);
        QCOMPARE(test::runTracedeck(compareCommand(builder, {"--verdict", "BETTER"})).exit.exitCode, 2);
    }
    void runsAreSides()
    {
        DatasetBuilder builder;
        fillTwo(builder);
        builder.trace({.definition = "g", .solution = "s", .uuid = "a", .latencyMs = 2, .axes = {{"M", 0}}, .timestamp = "2026-02-01T00:00:00", .judge = judgeRecord(2)});
        const auto run = test::runTracedeck({"report", "compare", "--local", folder(builder), "--a", "run=previous", "--b", "run=last", "--csv"});
        QCOMPARE(run.exit.exitCode, 0);
        QVERIFY2(run.output.find("g,M=0,s,s,") != std::string::npos && run.output.find(",SLOWER,") != std::string::npos, run.output.c_str());
    }
    /// The reports behind the window's charts, each from the program.
    void viewsAreTables_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("first");
        QTest::addColumn<QString>("contained");
        const QString chart = "solution,author,hardware,axes,workload_uuid,x,y,low,high,status,timestamp";
        QTest::newRow("heat map") << QStringList{"heatmap", "--definition", "g", "--measure", "best", "--csv"} << "axes,workload_uuid,s,t" << "\nM=1,b,0.5,1\nM=2,c,1,TIMEOUT\n";
        QTest::newRow("chart") << QStringList{"chart", "--definition", "g", "--x", "M"} << chart << "\ns,ann,Test CPU,M=1,b,1,1,,,PASSED,2026-01-01T00:00:00\n";
        QTest::newRow("chart of sizes") << QStringList{"chart", "--definition", "g", "--x", "bytes", "--y", "bandwidth"} << chart << "M=1,b,32,32000,,,PASSED";
        QTest::newRow("history") << QStringList{"history", "--by", "solution", "--measure", "latency", "--csv"} << "name,hardware,time,value,best,workloads,record,status,definition,solution,workload_uuid,axes"
                                 << "\nt,Test CPU,2026-01-01T00:00:00,0.5,";
        QTest::newRow("failures") << QStringList{"failures", "--csv"} << "status,reason,count,workloads,definitions,solutions,pattern,first_axes,first_solution,example" << "\nTIMEOUT,,1,1,g,t,M >= 2 (passes up to 1),M=2,t,\n";
        QTest::newRow("script") << QStringList{"fastp", "--preset", "winp", "--baseline", "ann", "--csv"} << "author,p,win_ratio,n_total,n_wins" << "\nbob,2,0,3,0\n";
    }
    void viewsAreTables()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QString, first);
        QFETCH(QString, contained);
        DatasetBuilder builder;
        fillTwo(builder);
        const auto run = test::runTracedeck(QStringList{"report"} + arguments + QStringList{"--local", folder(builder)});
        QCOMPARE(run.exit.exitCode, 0);
        const QString output = QString::fromStdString(run.output);
        QCOMPARE(output.section('\n', 0, 0), first);
        QVERIFY2(output.contains(contained), run.output.c_str());
        QStringList document = arguments;
        document.removeAll("--csv");
        const auto json = test::runTracedeck(QStringList{"report"} + document + QStringList{"--json", "--local", folder(builder)});
        QCOMPARE(json.exit.exitCode, 0);
        QVERIFY(Json::parse(json.output).is_object());
    }
    void anotherDatasetCanBeSideB()
    {
        DatasetBuilder one;
        DatasetBuilder other;
        fillTwo(one);
        fillTwo(other);
        addTrace(other, "t", "e", 1);
        const auto run = test::runTracedeck({"report", "compare", "--local", folder(one), "--with", folder(other), "--json"});
        QCOMPARE(run.exit.exitCode, 0);
        const Json document = Json::parse(run.output);
        QCOMPARE(document.at("b").get<std::string>(), "all traces in " + other.root().string());
        const Json& counts = document.at("counts");
        QCOMPARE(counts.at("SAME").get<int>(), 5);
        QCOMPARE(counts.at("STILL_FAILING").get<int>(), 1);
        QCOMPARE(counts.at("NEW").get<int>(), 1);
    }
    void wrongUseIsExplained_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("why");
        QTest::newRow("nothing differs") << QStringList{} << "A and B are the same";
        QTest::newRow("unknown solution") << QStringList{"--a", "solution=ss"} << "there is no solution 'ss'";
        QTest::newRow("unknown key") << QStringList{"--a", "speed=3"} << "there is no key 'speed'";
        QTest::newRow("unknown definition") << QStringList{"--a", "solution=s", "--definition", "gg"} << "there is no definition 'gg'";
        QTest::newRow("nothing selected") << QStringList{"--a", "until=2020-01-01T00:00:00"} << "side A (until 2020-01-01T00:00:00) selects no result";
        QTest::newRow("two forms") << QStringList{"--a", "solution=s", "--csv", "--json"} << "--json";
        QTest::newRow("two datasets") << QStringList{"--local", "/nowhere"} << "--local once";
    }
    void wrongUseIsExplained()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QString, why);
        DatasetBuilder builder;
        fillTwo(builder);
        const auto run = test::runTracedeck(QStringList{"report", "compare", "--local", folder(builder)} + arguments);
        QCOMPARE(run.exit.exitCode, 2);
        QVERIFY2(QString::fromStdString(run.errorOutput).contains(why), run.errorOutput.c_str());
        QCOMPARE(run.output, std::string());
    }
    void realTracesWithoutSamplesClaimNothing()
    {
        const QString real = QStringLiteral(TRACEDECK_SHARED_DATASETS "/real-traces/fib-2025-08-b200");
        if (!QFile::exists(real)) QSKIP("the real traces are not there");
        const auto run = test::runTracedeck({"report", "compare", "--local", real, "--a", "author=torch.nn", "--b", "author=gpt-o3", "--json"});
        QCOMPARE(run.exit.exitCode, 0);
        const Json document = Json::parse(run.output);
        QVERIFY(document.at("counts").at("CANT_TELL").get<int>() > 0);
        for (const char* verdict : {"FASTER", "SLOWER", "SAME"}) QCOMPARE(document.at("counts").at(verdict).get<int>(), 0);
        QVERIFY(document.at("geometric_mean").at("ratio").get<double>() > 0);
    }
};

QTEST_GUILESS_MAIN(TestReportCompare)
#include "test_report_compare.moc"
