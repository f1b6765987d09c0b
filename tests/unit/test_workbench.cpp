// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include <cmath>

#include "core/report/chart_report.h"
#include "tests/support/dataset_builder.h"

using namespace tracedeck;
using tracedeck::test::DatasetBuilder;

namespace {

/// What a judge's record has: times in milliseconds.
std::string record(double live, double queued, double kernels, double p10, double p90, double referenceQueued)
{
    return Json{{"version", 1},
                {"time", {{"method", "cupti"}, {"live_ms", live}, {"queued_ms", queued}, {"kernels_ms", kernels}, {"p10", p10}, {"p90", p90}, {"reference", {{"queued_ms", referenceQueued}}}}}}
        .dump();
}

/// A matrix product C[M, N] = A[M, K] B[N, K]^T in float16 with N = 64, K = 32, and a baseline.
DatasetBuilder& withProducts(DatasetBuilder& builder)
{
    builder.file("definitions/gemm/g.json", R"({"name":"g","op_type":"gemm","axes":{"M":{"type":"var"},"N":{"type":"const","value":64},"K":{"type":"const","value":32}},
        "inputs":{"A":{"shape":["M","K"],"dtype":"float16"},"B":{"shape":["N","K"],"dtype":"float16"}},"outputs":{"C":{"shape":["M","N"],"dtype":"float16"}},
        "reference":"def run(A, B):\n    return A @ B.T\n"})");
    builder.solution({.name = "base", .definition = "g", .author = "a_base"}).solution({.name = "quick", .definition = "g", .author = "ann"});
    const auto add = [&builder](const char* solution, std::int64_t m, double latency, const std::string& judge, Status status = Status::Passed, const char* time = "2026-01-01T00:00:00") {
        builder.trace({.definition = "g", .solution = solution, .uuid = "w" + std::to_string(m), .latencyMs = latency, .status = status, .axes = {{"M", m}}, .referenceLatencyMs = 8 * latency,
                       .hardware = "H", .timestamp = time, .judge = judge});
    };
    add("base", 16, 2, record(4, 1, 0.8, 1.9, 2.5, 3));
    add("base", 4, 1, record(3, 0.5, 0.4, 0.9, 1.5, 1));
    add("quick", 16, 1, record(2, 0.25, 0.2, 0.8, 1.25, 3), Status::Passed, "2026-01-02T00:00:00");
    add("quick", 4, 1, {}, Status::Passed, "some day");
    add("quick", 64, 1, {}, Status::Timeout);
    return builder;
}

ChartAnswer answerTo(const Dataset& dataset, const ChartQuestion& question)
{
    auto answer = chartAnswer(dataset, question);
    if (!answer) throw std::runtime_error(answer.error().toString());
    return *std::move(answer);
}

/// `base 4:1 16:2; quick 4:1 64:x`
QString pointsText(const ChartAnswer& answer)
{
    QStringList lines;
    for (const Series& series : answer.series) {
        QStringList parts{QString::fromStdString(series.solution)};
        for (const SeriesPoint& point : series.points) parts << QString("%1:%2").arg(point.x).arg(point.failed ? QStringLiteral("x") : QString::number(point.y));
        lines << parts.join(' ');
    }
    return lines.join("; ");
}

constexpr double kBytesOf16 = 2 * (16 * 32 + 64 * 32 + 16 * 64);
constexpr double kBytesOf4 = 2 * (4 * 32 + 64 * 32 + 4 * 64);

}  // namespace

class TestWorkbench : public QObject {
    Q_OBJECT
private slots:
    void initTestCase()
    {
        m_builder = std::make_unique<DatasetBuilder>();   // lines are read back from disk
        m_dataset = withProducts(*m_builder).load();
    }

    void eachTimeGivesEachMeasure_data()
    {
        QTest::addColumn<QString>("measure");
        QTest::addColumn<QString>("time");
        QTest::addColumn<QString>("points");
        QTest::newRow("latency") << "latency" << "stored" << "base 4:1 16:2; quick 4:1 16:1 64:x";
        QTest::newRow("live span") << "latency" << "live" << "base 4:3 16:4; quick 16:2 64:x";
        QTest::newRow("queued") << "latency" << "queued" << "base 4:0.5 16:1; quick 16:0.25 64:x";
        QTest::newRow("kernels") << "latency" << "kernels" << "base 4:0.4 16:0.8; quick 16:0.2 64:x";
        QTest::newRow("over the reference") << "reference" << "stored" << "base 4:8 16:8; quick 4:8 16:8 64:x";
        QTest::newRow("over the reference, queued both") << "reference" << "queued" << "base 4:2 16:3; quick 16:12 64:x";
        QTest::newRow("over the reference, which has no such time") << "reference" << "live" << "quick 64:x";
        QTest::newRow("over the baseline") << "baseline" << "stored" << "base 4:1 16:1; quick 4:1 16:2 64:x";
        QTest::newRow("over the baseline, queued both") << "baseline" << "queued" << "base 4:1 16:1; quick 16:4 64:x";
        QTest::newRow("bandwidth") << "bandwidth" << "queued" << QString("base 4:%1 16:%2; quick 16:%3 64:x").arg(kBytesOf4 / 0.5e-3).arg(kBytesOf16 / 1e-3).arg(kBytesOf16 / 0.25e-3);
        QTest::newRow("throughput") << "throughput" << "stored" << QString("base 4:%1 16:%2; quick 4:%1 16:%3 64:x").arg(2 * 4 * 64 * 32 / 1e-3).arg(2 * 16 * 64 * 32 / 2e-3).arg(2 * 16 * 64 * 32 / 1e-3);
    }
    void eachTimeGivesEachMeasure()
    {
        QFETCH(QString, measure);
        QFETCH(QString, time);
        QFETCH(QString, points);
        ChartQuestion question{"g", ChartAbscissa::Axis, "M"};
        question.measure = *chartMeasureFromString(measure.toStdString());
        question.time = *callTimeFromString(time.toStdString());
        question.hardware = "H";
        question.baselineSolution = "base";
        const ChartAnswer answer = answerTo(*m_dataset, question);
        QCOMPARE(pointsText(answer), points);
        QCOMPARE(answer.withoutTime, std::size_t{time == QLatin1String("stored") ? 0U : 1U});
        if (measure == QLatin1String("throughput")) QVERIFY2(answer.formula.find("M") != std::string::npos, answer.formula.c_str());
    }

    void sizesAndMomentsLieOnTheHorizontalAxis_data()
    {
        QTest::addColumn<QString>("x");
        QTest::addColumn<QString>("points");
        QTest::newRow("workload") << "workload" << "base 1:2 2:1; quick 1:1 2:1 3:x";
        QTest::newRow("bytes") << "bytes" << QString("base %1:1 %2:2; quick %1:1 %2:1 %3:x").arg(kBytesOf4).arg(kBytesOf16).arg(2.0 * (64 * 32 + 64 * 32 + 64 * 64));
        QTest::newRow("operations") << "flops" << QString("base %1:1 %2:2; quick %1:1 %2:1 %3:x").arg(2 * 4 * 64 * 32).arg(2 * 16 * 64 * 32).arg(2 * 64 * 64 * 32);
        QTest::newRow("time") << "time" << QString("base %1:2 %1:1; quick %1:x %2:1").arg(1767225600.0).arg(1767312000.0);
    }
    void sizesAndMomentsLieOnTheHorizontalAxis()
    {
        QFETCH(QString, x);
        QFETCH(QString, points);
        ChartQuestion question{"g"};
        question.abscissa = *chartAbscissaFromString(x.toStdString());
        question.hardware = "H";
        const ChartAnswer answer = answerTo(*m_dataset, question);
        QCOMPARE(pointsText(answer), points);
        QCOMPARE(answer.withoutMoment, std::size_t{x == QLatin1String("time") ? 1U : 0U});
    }

    void bandsAreThoseOfTheSamples()
    {
        ChartQuestion question{"g", ChartAbscissa::Axis, "M"};
        question.hardware = "H";
        ChartAnswer answer = answerTo(*m_dataset, question);
        QCOMPARE(answer.series[0].points[1].low, 1.9);
        QCOMPARE(answer.series[0].points[1].high, 2.5);
        QVERIFY(std::isnan(answer.series[1].points[0].low));   // no record
        question.measure = ChartMeasure::SpeedupToReference;   // the slow end is the low one
        answer = answerTo(*m_dataset, question);
        QVERIFY(std::abs(answer.series[0].points[1].low - 8 * 2 / 2.5) < 1e-12);
        QVERIFY(std::abs(answer.series[0].points[1].high - 8 * 2 / 1.9) < 1e-12);
        question.wantsBand = false;
        QVERIFY(std::isnan(answerTo(*m_dataset, question).series[0].points[1].low));
        question.wantsBand = true;
        question.time = CallTime::Queued;
        QVERIFY(std::isnan(answerTo(*m_dataset, question).series[0].points[1].low));
    }

    void documentsHaveEveryPoint()
    {
        ChartQuestion question{"g", ChartAbscissa::Axis, "M"};
        question.hardware = "H";
        question.time = CallTime::Queued;
        const ChartAnswer answer = answerTo(*m_dataset, question);
        const Json document = chartDocument(*m_dataset, question, answer);
        QCOMPARE(document.at("left_out").at("time").get<int>(), 1);
        QCOMPARE(document.at("series")[1].at("points")[0].at("y").get<double>(), 0.25);
        QVERIFY(document.at("series")[1].at("points")[1].at("y").is_null());
        QCOMPARE(document.at("series")[1].at("hardware").get<std::string>(), std::string("H"));
        const QString csv = QString::fromStdString(tableText(chartTable(*m_dataset, answer.series), TableFormat::Csv));
        QVERIFY2(csv.contains(QStringLiteral("quick,ann,H,M=16,w16,16,0.25,,,PASSED,2026-01-02T00:00:00\n")), qPrintable(csv));
        QCOMPARE(csv.count('\n'), 5);
    }

    void unknownSizesAreCountedNotInvented()
    {
        DatasetBuilder builder;
        builder.definition({.name = "odd", .opType = "something"}).solution({.name = "s", .definition = "odd"});
        builder.trace({.definition = "odd", .solution = "s", .uuid = "w"});
        ChartQuestion question{"odd"};
        question.measure = ChartMeasure::Throughput;
        const ChartAnswer answer = answerTo(*builder.load(), question);
        QVERIFY(answer.series.empty());
        QCOMPARE(answer.withoutSize, std::size_t{1});
    }

private:
    std::shared_ptr<const Dataset> m_dataset;
    std::unique_ptr<DatasetBuilder> m_builder;
};

QTEST_GUILESS_MAIN(TestWorkbench)
#include "test_workbench.moc"
