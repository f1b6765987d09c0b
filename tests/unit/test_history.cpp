// SPDX-License-Identifier: GPL-3.0-or-later
// Results by time, and which failures are the same one.
#include <QTest>

#include <cmath>

#include "core/report/history_report.h"
#include "tests/support/dataset_builder.h"

using namespace tracedeck;
using tracedeck::test::DatasetBuilder;

namespace {

DatasetBuilder& withSolutions(DatasetBuilder& builder)
{
    builder.definition({.name = "g"}).definition({.name = "n", .opType = "rmsnorm"});
    builder.solution({.name = "s", .definition = "g", .author = "ann"}).solution({.name = "t", .definition = "g", .author = "ann"}).solution({.name = "ns", .definition = "n", .author = "bob"});
    return builder;
}

/// `speedup` is what the trace says; the latency is its inverse.
void addResult(DatasetBuilder& builder, const char* definition, const char* solution, std::int64_t m, double speedup, const std::string& time, Status status = Status::Passed, const char* hardware = "H")
{
    builder.trace({.definition = definition, .solution = solution, .uuid = "w" + std::to_string(m), .latencyMs = 1 / speedup, .status = status, .axes = {{"M", m}}, .referenceLatencyMs = 1,
                   .hardware = hardware, .timestamp = time});
}

/// `ann H: 2>2/1 x>2/1 4>2.83/2`: value, best, workloads
QString seriesText(const History& history)
{
    QStringList lines;
    for (const HistorySeries& series : history.series) {
        QStringList parts{QString::fromStdString(series.name) + ' ' + QString::fromStdString(series.hardware) + ':'};
        for (const HistoryPoint& point : series.points)
            parts << QString("%1>%2/%3%4").arg(point.failed ? QStringLiteral("x") : QString::number(point.value, 'g', 3)).arg(point.best, 0, 'g', 3).arg(point.workloads).arg(point.isRecord ? "!" : "");
        lines << parts.join(' ');
    }
    return lines.join("; ");
}

History historyOf(const Dataset& dataset, HistoryBy by, HistoryMeasure measure = HistoryMeasure::Speedup, const TraceFilter& filter = {})
{
    auto found = history(dataset, filter, by, measure);
    if (!found) throw std::runtime_error(found.error().toString());
    return *std::move(found);
}

std::vector<FailureGroup> groupsOf(const Dataset& dataset, SelectionPolicy policy = SelectionPolicy::Newest, const TraceFilter& filter = {})
{
    auto found = failureGroups(dataset, filter, policy);
    if (!found) throw std::runtime_error(found.error().toString());
    return *std::move(found);
}

}  // namespace

class TestHistory : public QObject {
    Q_OBJECT
private slots:
    void bestSoFarIsTheMeanOverWorkloads()
    {
        DatasetBuilder builder;
        withSolutions(builder);
        addResult(builder, "g", "s", 1, 2, "2026-01-02T00:00:00");
        addResult(builder, "g", "s", 1, 4, "2026-01-01T00:00:00");   // earlier, though later in the file
        addResult(builder, "g", "s", 2, 1, "2026-01-03T00:00:00");
        addResult(builder, "g", "t", 1, 16, "2026-01-04T00:00:00");
        addResult(builder, "g", "t", 2, 1, "2026-01-05T00:00:00", Status::Timeout);
        addResult(builder, "g", "s", 1, 9, "2026-01-06T00:00:00", Status::Passed, "I");
        addResult(builder, "n", "ns", 1, 3, "some day");
        const auto dataset = builder.load();
        const History byAuthor = historyOf(*dataset, HistoryBy::Author);
        QCOMPARE(seriesText(byAuthor), QStringLiteral("ann H: 4>4/1! 2>4/1 1>2/2! 16>4/2! x>4/2; ann I: 9>9/1!"));
        QCOMPARE(byAuthor.withoutMoment, std::size_t{1});
        QCOMPARE(seriesText(historyOf(*dataset, HistoryBy::Solution)), QStringLiteral("s H: 4>4/1! 2>4/1 1>2/2!; s I: 9>9/1!; t H: 16>16/1! x>16/1"));
        QCOMPARE(seriesText(historyOf(*dataset, HistoryBy::Definition, HistoryMeasure::LatencyMs, {.hardware = {"H"}})),
                 QStringLiteral("g H: 0.25>0.25/1! 0.5>0.25/1 1>0.5/2! 0.0625>0.25/2! x>0.25/2"));
        const Json document = historyDocument(*dataset, byAuthor, HistoryBy::Author, HistoryMeasure::Speedup);
        QCOMPARE(document.at("series")[0].at("points")[3].at("best").get<double>(), 4.0);
        QVERIFY(document.at("series")[0].at("points")[4].at("value").is_null());
        QCOMPARE(QString::fromStdString(tableText(historyTable(*dataset, byAuthor), TableFormat::Csv)).count('\n'), 7);
        QVERIFY(historyText(byAuthor, HistoryBy::Author, HistoryMeasure::Speedup).find("1 traces with a timestamp that is no time") != std::string::npos);
    }

    void reasonsLoseWhatDiffersEachTime_data()
    {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("normalized");
        QTest::newRow("numbers") << "expected 128 elements, got 1.5e-3" << "expected N elements, got NeN";
        QTest::newRow("address") << "illegal access at 0x7fff12ab of 16 bytes" << "illegal access at 0xN of N bytes";
        QTest::newRow("path") << "/tmp/run-17/main.cu(42): error: expected a ;" << "main.cu(N): error: expected a ;";
        QTest::newRow("path at the end") << "No such file: /a/b/c12.so." << "No such file: cN.so.";
        QTest::newRow("no path") << "m/s and 1/2" << "m/s and N/N";
        QTest::newRow("words with digits") << "kernel gemm2_v3 failed" << "kernel gemmN_vN failed";
        QTest::newRow("nothing") << "" << "";
    }
    void reasonsLoseWhatDiffersEachTime()
    {
        QFETCH(QString, line);
        QFETCH(QString, normalized);
        QString expected = normalized;
        expected.replace(QStringLiteral("NeN"), QStringLiteral("Ne-N"));
        QCOMPARE(QString::fromStdString(normalizedReason(line.toStdString())), expected);
    }

    void theTellingLineOfALogIsFound()
    {
        Evaluation evaluation;
        evaluation.log = "[1/3] c++ -Werror main.cpp\nmain.cpp:3: error: no type named `x`\n2 errors";
        QCOMPARE(tellingReason(evaluation), std::string("main.cpp:3: error: no type named `x`"));
        evaluation.log = "Traceback (most recent call last):\n  File \"a.py\", line 3\nValueError: error: 3";
        QCOMPARE(tellingReason(evaluation), std::string("ValueError: error: 3"));
        evaluation.log = "max error 3 above the tolerance";
        QCOMPARE(tellingReason(evaluation), std::string("max error 3 above the tolerance"));
        evaluation.log.clear();
        QCOMPARE(tellingReason(evaluation), std::string());
    }

    void failuresAreGroupedByStatusAndReason()
    {
        DatasetBuilder builder;
        withSolutions(builder);
        const auto add = [&builder](const char* solution, std::int64_t m, Status status, const std::string& log, const char* time = "2026-01-01T00:00:00") {
            builder.trace({.definition = "g", .solution = solution, .uuid = "w" + std::to_string(m), .status = status, .axes = {{"M", m}}, .timestamp = time, .log = log});
        };
        add("s", 1, Status::Passed, {});
        add("s", 64, Status::Passed, {});
        add("s", 4096, Status::RuntimeError, "CUDA error: out of memory (4096 bytes)");
        add("s", 128, Status::RuntimeError, "CUDA error: out of memory (128 bytes)");
        add("t", 128, Status::RuntimeError, "CUDA error: out of memory (7 bytes)");
        add("t", 1, Status::Passed, {});
        add("t", 2, Status::Timeout, "CUDA error: out of memory (9 bytes)");
        add("t", 3, Status::Timeout, "old", "2025-01-01T00:00:00");   // newer results of the pair passed
        add("t", 3, Status::Passed, {});
        const auto dataset = builder.load();
        const auto groups = groupsOf(*dataset);
        QCOMPARE(groups.size(), std::size_t{2});
        const FailureGroup& memory = groups[0];
        QVERIFY(memory.status == Status::RuntimeError);
        QCOMPARE(memory.reason, std::string("CUDA error: out of memory (N bytes)"));
        QCOMPARE(memory.rows.size(), std::size_t{3});
        QCOMPARE(memory.workloads, std::size_t{2});
        QCOMPARE(memory.solutions, (std::set<std::string>{"s", "t"}));
        QCOMPARE(dataset->traces().axesText(dataset->traces().row(memory.first())), std::string("M=128"));
        QCOMPARE(memory.example, std::string("CUDA error: out of memory (128 bytes)"));
        QCOMPARE(memory.pattern, std::string("M >= 128 (passes up to 64)"));
        QVERIFY(groups[1].status == Status::Timeout);
        QCOMPARE(groups[1].pattern, std::string());   // passes below and above
        QCOMPARE(groupsOf(*dataset, SelectionPolicy::All).size(), std::size_t{3});
        QVERIFY(groupsOf(*dataset, SelectionPolicy::Newest, {.definitions = {"n"}}).empty());
        const Json document = failuresDocument(*dataset, groups);
        QCOMPARE(document.at("groups")[0].at("count").get<int>(), 3);
        QCOMPARE(document.at("groups")[0].at("first").at("axes").get<std::string>(), std::string("M=128"));
        const std::string text = failuresText(*dataset, groups);
        QVERIFY2(text.find("3 × RUNTIME_ERROR: CUDA error: out of memory (128 bytes)\n    g, 2 solutions, 2 workloads; first g M=128\n    only where M >= 128 (passes up to 64)\n") != std::string::npos, text.c_str());
        QCOMPARE(failuresText(*dataset, {}), std::string("Nothing failed.\n"));
        QVERIFY(tableText(failuresTable(*dataset, groups), TableFormat::Csv).find("RUNTIME_ERROR,CUDA error: out of memory (N bytes),3,2,g,s;t,M >= 128 (passes up to 64),M=128,s,") != std::string::npos);
    }

    void stoppedWorkIsAnError()
    {
        DatasetBuilder builder;
        withSolutions(builder);
        addResult(builder, "g", "s", 1, 1, "2026-01-01T00:00:00");
        std::stop_source stop;
        stop.request_stop();
        QCOMPARE(history(*builder.load(), {}, HistoryBy::Author, HistoryMeasure::Speedup, stop.get_token()).error().code, ErrorCode::Cancelled);
        QCOMPARE(failureGroups(*builder.load(), {}, SelectionPolicy::Newest, stop.get_token()).error().code, ErrorCode::Cancelled);
    }
};

QTEST_GUILESS_MAIN(TestHistory)
#include "test_history.moc"
