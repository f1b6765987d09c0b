// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <limits>

#include "core/report/report.h"
#include "core/report/text_table.h"
#include "tests/support/dataset_builder.h"

using namespace tracedeck;
using tracedeck::test::DatasetBuilder;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

QString text(const Json& json)
{
    return QString::fromStdString(json.dump());
}

std::shared_ptr<const Dataset> loadRanked()
{
    DatasetBuilder builder;
    builder.definition({.name = "g1"}).definition({.name = "g2"}).definition({.name = "n1", .opType = "norm"});
    builder.solution({.name = "base_g1", .definition = "g1", .author = "baseline"}).solution({.name = "ann_g1", .definition = "g1"});
    builder.solution({.name = "ann_g2", .definition = "g2"});
    builder.solution({.name = "base_n1", .definition = "n1", .author = "baseline"}).solution({.name = "bob_n1", .definition = "n1", .author = "bob"});
    builder.trace({.definition = "g1", .solution = "base_g1", .uuid = "u1", .latencyMs = 3});
    builder.trace({.definition = "g1", .solution = "ann_g1", .uuid = "u1", .latencyMs = 1.5, .referenceLatencyMs = 6, .maxAbsoluteError = 1e-3,
                   .maxRelativeError = 2e-3});
    builder.trace({.definition = "g2", .solution = "ann_g2", .uuid = "v1", .latencyMs = 1, .maxAbsoluteError = 0.5});
    builder.trace({.definition = "n1", .solution = "base_n1", .uuid = "w1", .latencyMs = 1, .hardware = "Other GPU"});
    builder.trace({.definition = "n1", .solution = "bob_n1", .uuid = "w1", .status = Status::RuntimeError});
    return builder.load();
}

}  // namespace

class TestReport : public QObject {
    Q_OBJECT
private slots:
    void cellsAreQuotedWhereTheRuleAsks_data()
    {
        QTest::addColumn<QString>("cell");
        QTest::addColumn<QString>("quoted");
        QTest::newRow("plain") << "gemm" << "gemm";
        QTest::newRow("empty") << "" << "";
        QTest::newRow("comma") << "a,b" << "\"a,b\"";
        QTest::newRow("quote") << "a\"b" << "\"a\"\"b\"";
        QTest::newRow("line feed") << "a\nb" << "\"a\nb\"";
        QTest::newRow("carriage return") << "a\rb" << "\"a\rb\"";
        QTest::newRow("formula is neutral") << "=1+1" << "'=1+1";
        QTest::newRow("formula with comma") << "=SUM(A1,A2)" << "\"'=SUM(A1,A2)\"";
        QTest::newRow("blanks") << " a " << " a ";
    }
    void cellsAreQuotedWhereTheRuleAsks()
    {
        QFETCH(QString, cell);
        QFETCH(QString, quoted);
        QCOMPARE(QString::fromStdString(csvCell(cell.toStdString())), quoted);
    }

    void numbersReadBackAsTheSame_data()
    {
        QTest::addColumn<double>("value");
        QTest::addColumn<QString>("expected");
        QTest::newRow("whole") << 2.0 << "2";
        QTest::newRow("tenth") << 0.1 << "0.1";
        QTest::newRow("sum of tenths") << 0.1 + 0.2 << "0.30000000000000004";
        QTest::newRow("third") << 1.0 / 3.0 << "0.3333333333333333";
        QTest::newRow("small") << 1e-6 << "1e-06";
        QTest::newRow("smallest") << 5e-324 << "5e-324";
        QTest::newRow("greatest") << std::numeric_limits<double>::max() << "1.7976931348623157e+308";
        QTest::newRow("infinity") << kInfinity << "inf";
    }
    void numbersReadBackAsTheSame()
    {
        QFETCH(double, value);
        QFETCH(QString, expected);
        const QString shown = QString::fromStdString(shortestNumber(value));
        QCOMPARE(shown, expected);
        QCOMPARE(shown.toDouble(), value);
    }
    void notANumberIsNan()
    {
        QCOMPARE(shortestNumber(kNaN), std::string("nan"));
        QCOMPARE(shortestNumber(-kNaN), std::string("nan"));
    }

    void csvHasOneLineATraceInTheOrderGiven()
    {
        DatasetBuilder builder;
        builder.definition({.name = "d"}).solution({.name = "s,1", .definition = "d", .author = "A \"B\" C", .language = "triton", .file = "solutions/s.json"});
        const std::string file = "traces/t.jsonl";
        builder.trace({.definition = "d", .solution = "s,1", .uuid = "u", .latencyMs = 0.1, .axes = {{"N", 4096}, {"M", 16}}, .referenceLatencyMs = 0.3,
                       .speedup = 3, .maxAbsoluteError = kNaN, .maxRelativeError = kInfinity, .hardware = "GPU, big", .timestamp = "t1", .file = file});
        builder.trace({.definition = "d", .solution = "s,1", .uuid = "v", .status = Status::IncorrectNumerical, .maxAbsoluteError = 0.5, .timestamp = "t2", .file = file});
        builder.trace({.definition = "d", .solution = "s,1", .uuid = "w", .status = Status::Timeout, .axes = {}, .timestamp = "t3", .file = file});
        builder.trace({.definition = "elsewhere", .solution = "unknown", .uuid = "x", .timestamp = "t4", .file = file});
        builder.trace({.definition = "d", .solution = "s,1", .uuid = "y", .evaluated = false, .file = file});
        const auto dataset = builder.load();
        const QString header = "definition,op_type,solution,author,language,workload_uuid,axes,status,latency_ms,reference_latency_ms,speedup_factor,"
                               "max_absolute_error,max_relative_error,hardware,timestamp,usable_latency\n";
        const QStringList lines{
            R"(d,gemm,"s,1","A ""B"" C",triton,u,M=16;N=4096,PASSED,0.1,0.3,3,nan,inf,"GPU, big",t1,true)",
            R"(d,gemm,"s,1","A ""B"" C",triton,v,M=1,INCORRECT_NUMERICAL,,,,0.5,0,Test CPU,t2,)",
            R"(d,gemm,"s,1","A ""B"" C",triton,w,,TIMEOUT,,,,,,Test CPU,t3,)",
            R"(elsewhere,,unknown,,,x,M=1,PASSED,1,2,2,0,0,Test CPU,t4,true)",
            R"(d,gemm,"s,1","A ""B"" C",triton,y,M=1,,,,,,,,,)",
        };
        QCOMPARE(QString::fromStdString(csvReport(*dataset, {0, 1, 2, 3, 4})), header + lines.join('\n') + "\n");
        QCOMPARE(QString::fromStdString(csvReport(*dataset, {2, 0})), header + lines[2] + "\n" + lines[0] + "\n");
        QCOMPARE(QString::fromStdString(csvReport(*dataset, {})), header);
    }

    void infoCountsAndListsProblems()
    {
        DatasetBuilder builder;
        builder.definition({.name = "d"}).definition({.name = "n", .opType = "norm"}).solution({.name = "s", .definition = "d"});
        builder.workload({.definition = "d", .uuid = "u"}).workload({.definition = "d", .uuid = "v"});
        builder.trace({.definition = "d", .solution = "s", .uuid = "u"}).trace({.definition = "d", .solution = "s", .uuid = "v", .status = Status::Timeout});
        builder.file("definitions/gemm/bad.json", "{\"name\": 1}");
        const auto dataset = builder.load();
        const Json document = infoDocument(*dataset);
        QCOMPARE(text(document["definitions"]), "2");
        QCOMPARE(text(document["solutions"]), "1");
        QCOMPARE(text(document["workloads"]), "2");
        QCOMPARE(text(document["traces"]), "2");
        QCOMPARE(text(document["statuses"]),
                 R"({"PASSED":1,"INCORRECT_SHAPE":0,"INCORRECT_NUMERICAL":0,"INCORRECT_DTYPE":0,"RUNTIME_ERROR":0,"COMPILE_ERROR":0,"TIMEOUT":1})");
        QCOMPARE(text(document["op_types"]), R"({"gemm":1,"norm":1})");
        QCOMPARE(document["root"].get<std::string>(), builder.root().string());
        QCOMPARE(document["problems"].size(), std::size_t{1});
        const Json& problem = document["problems"][0];
        QCOMPARE(text(problem["severity"]), "\"error\"");
        QVERIFY(problem["file"].get<std::string>().ends_with("definitions/gemm/bad.json"));
        QVERIFY(problem["line"].is_number_integer());
        QVERIFY(!problem["reason"].get<std::string>().empty());

        const QString human = QString::fromStdString(infoText(*dataset));
        QVERIFY2(human.contains("Definitions: 2\n"), qPrintable(human));
        QVERIFY(human.contains("Traces:      2 (1 PASSED, 1 TIMEOUT)\n"));
        QVERIFY(human.contains("norm               1\n"));
        QVERIFY(human.contains("definitions/gemm/bad.json"));
    }

    void summaryHasTheShapeOfTheContract()
    {
        const auto dataset = loadRanked();
        const auto summary = summarize(*dataset, "baseline", {});
        QVERIFY(summary.has_value());
        const Json document = summaryDocument(*summary);
        QCOMPARE(text(document["total"]), "5");
        QCOMPARE(text(document["passed"]), "4");
        QCOMPARE(text(document["failed"]), "1");
        QCOMPARE(text(document["rule"]), "\"format\"");
        QCOMPARE(text(document["baseline"]), "\"baseline\"");
        QCOMPARE(text(document["scope"]), R"({"op_type":null,"definition":null,"hardware":null,"policy":"all"})");
        QCOMPARE(text(document["rankings"]),
                 R"([{"author":"ann","avg_speedup":2.0,"definitions":1,"workloads":1,"success_rate":1.0,"win_rate":1.0,"best_solutions":{"g1":"ann_g1"}},)"
                 R"({"author":"bob","avg_speedup":0.0,"definitions":1,"workloads":1,"success_rate":0.0,"win_rate":0.0,"best_solutions":{"n1":"bob_n1"}}])");
        QCOMPARE(document["unscored"].size(), std::size_t{1});
        QCOMPARE(text(document["unscored"][0]["definition"]), "\"g2\"");
        QVERIFY(document["unscored"][0]["reason"].get<std::string>().find("'baseline'") != std::string::npos);

        const QStringList lines = QString::fromStdString(summaryText(*summary)).split('\n');
        QCOMPARE(lines[0], "Traces: 5 total, 4 passed, 1 failed");
        QCOMPARE(lines[2], "Rank  Author  Avg Speedup  Success Rate  Win Rate  Definitions  Workloads");
        QCOMPARE(lines[4], "   1  ann          2.0000        100.0%    100.0%            1          1");
        QCOMPARE(lines[5], "   2  bob          0.0000          0.0%      0.0%            1          1");
        QVERIFY(lines.contains("Not scored (1):"));
    }

    void summaryWithoutRankingSaysSo()
    {
        DatasetBuilder builder;
        builder.definition({.name = "d"}).solution({.name = "s", .definition = "d"});
        builder.trace({.definition = "d", .solution = "s", .uuid = "u"});
        const auto summary = summarize(*builder.load(), "baseline", {});
        QVERIFY(summary.has_value());
        QCOMPARE(text(summaryDocument(*summary)["rankings"]), "[]");
        const QString human = QString::fromStdString(summaryText(*summary));
        QVERIFY(human.startsWith("Traces: 1 total, 1 passed, 0 failed\n"));
        QVERIFY(human.contains("(No author ranking data available"));
        QVERIFY(human.contains("'d'"));
    }

    void nonFiniteNumbersBecomeTexts_data()
    {
        QTest::addColumn<double>("value");
        QTest::addColumn<QString>("json");
        QTest::newRow("infinity") << kInfinity << "\"Infinity\"";
        QTest::newRow("NaN") << kNaN << "\"NaN\"";
        QTest::newRow("finite") << 1.5 << "1.5";
    }
    void nonFiniteNumbersBecomeTexts()
    {
        QFETCH(double, value);
        QFETCH(QString, json);
        Summary summary;
        SpeedupMetrics metrics;
        metrics.averageSpeedup = value;
        summary.ranking.authors.emplace_back("ann", metrics);
        QCOMPARE(text(summaryDocument(summary)["rankings"][0]["avg_speedup"]), json);
    }

    void bestListsOneTraceADefinition()
    {
        const auto dataset = loadRanked();
        QCOMPARE(text(bestDocument(*dataset, {.opType = "gemm"})),
                 R"([{"definition":"g1","solution":"ann_g1","workload_uuid":"u1","latency_ms":1.5,"reference_latency_ms":6.0,"speedup_factor":4.0,)"
                 R"("max_absolute_error":0.001,"max_relative_error":0.002,"hardware":"Test CPU"}])");
        QCOMPARE(bestDocument(*dataset, {}).size(), std::size_t{2});
        QCOMPARE(text(bestDocument(*dataset, {.definition = "n1", .hardware = "Test CPU"})), "[]");
        QCOMPARE(bestDocument(*dataset, {.hardware = "Other GPU"}).size(), std::size_t{1});

        const QStringList lines = QString::fromStdString(bestText(*dataset, {.opType = "gemm"})).split('\n');
        QCOMPARE(lines[0], "Definition  Solution  Speedup vs. ref  Latency (ms)  Errors                      Axes  Hardware");
        QCOMPARE(lines[2], "g1          ann_g1              4.00×           1.5  abs=1.00e-03, rel=2.00e-03  M=1   Test CPU");
        QVERIFY(lines.contains("No valid solution found for g2."));
        QCOMPARE(QString::fromStdString(bestText(*dataset, {.opType = "unknown"})), "No traces in scope.\n");
    }

    void controlCharactersAreShown_data()
    {
        QTest::addColumn<QByteArray>("raw");
        QTest::addColumn<QByteArray>("shown");
        QTest::newRow("plain") << QByteArray("gemm é ×") << QByteArray("gemm é ×");
        QTest::newRow("escape sequence") << QByteArray("\x1b[2J") << QByteArray("\\x1b[2J");
        QTest::newRow("newline and tab") << QByteArray("a\nb\tc") << QByteArray("a\\nb\\tc");
        QTest::newRow("carriage return") << QByteArray("a\rb") << QByteArray("a\\x0db");
        QTest::newRow("delete") << QByteArray("\x7f") << QByteArray("\\x7f");
        QTest::newRow("C1 control sequence") << QByteArray("\xc2\x9b") + "31m" << QByteArray("\\x9b31m");
        QTest::newRow("right-to-left override") << QByteArray("a\xe2\x80\xae") + "b" << QByteArray("a\\u202eb");
        QTest::newRow("Arabic letter mark and zero-width space") << QByteArray("\xd8\x9c\xe2\x80\x8b") << QByteArray("\\u061c\\u200b");
        QTest::newRow("letters near them stay") << QByteArray("\xe2\x80\xa6 \xd8\x9d \xe2\x82\xac") << QByteArray("\xe2\x80\xa6 \xd8\x9d \xe2\x82\xac");
        QTest::newRow("no-break space is text") << QByteArray("\xc2\xa0") << QByteArray("\xc2\xa0");
    }
    void controlCharactersAreShown()
    {
        QFETCH(QByteArray, raw);
        QFETCH(QByteArray, shown);
        QCOMPARE(QByteArray::fromStdString(printable(raw.toStdString())), shown);
    }
};

QTEST_GUILESS_MAIN(TestReport)
#include "test_report.moc"
