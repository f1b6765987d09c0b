// SPDX-License-Identifier: GPL-3.0-or-later
// Errors of solutions under a tolerance, and as points of a chart.
#include <QTest>

#include <cmath>
#include <limits>
#include <random>

#include "core/report/chart_report.h"
#include "core/report/error_report.h"
#include "core/run/run_request.h"
#include "core/score/error_table.h"
#include "core/score/workbench.h"
#include "tests/support/dataset_builder.h"

using namespace tracedeck;
using tracedeck::test::DatasetBuilder;

namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

void fillErrors(DatasetBuilder& builder)
{
    builder.definition({.name = "d"}).solution({.name = "good", .definition = "d"}).solution({.name = "rough", .definition = "d", .author = "ben"});
    for (const char* uuid : {"w1", "w2", "w3"}) builder.workload({.definition = "d", .uuid = uuid});
    const auto add = [&builder](const char* solution, const char* uuid, double absolute, double relative, Status status = Status::Passed) {
        builder.trace({.definition = "d", .solution = solution, .uuid = uuid, .status = status, .maxAbsoluteError = absolute, .maxRelativeError = relative, .hardware = "H"});
    };
    add("good", "w1", 0, 0);
    add("good", "w2", 1e-6, 1e-5);
    add("rough", "w1", 0.5, 1e-3);                                        // small enough beside what was expected
    add("rough", "w2", 3, 0.7, Status::IncorrectNumerical);
    add("rough", "w3", kInfinite, kInfinite, Status::IncorrectNumerical);
    add("good", "w3", 0, 0, Status::RuntimeError);                        // never compared
}

}  // namespace

class TestErrorTable : public QObject {
    Q_OBJECT
private slots:
    void aTraceIsWithinWhenOneErrorIs_data()
    {
        QTest::addColumn<double>("absolute");
        QTest::addColumn<double>("relative");
        QTest::addColumn<bool>("isKnown");
        QTest::addColumn<QString>("fit");
        const double nan = std::numeric_limits<double>::quiet_NaN();
        QTest::newRow("both") << 0.001 << 0.001 << true << "within";
        QTest::newRow("at the bound") << 0.01 << 5.0 << true << "within";
        QTest::newRow("relative only") << 7.0 << 0.01 << true << "within";
        QTest::newRow("neither") << 0.011 << 0.011 << true << "beyond";
        QTest::newRow("infinite") << kInfinite << kInfinite << true << "beyond";
        QTest::newRow("no number") << nan << nan << true << "beyond";
        QTest::newRow("never compared") << 0.0 << 0.0 << false << "unknown";
    }
    void aTraceIsWithinWhenOneErrorIs()
    {
        QFETCH(double, absolute);
        QFETCH(double, relative);
        QFETCH(bool, isKnown);
        QFETCH(QString, fit);
        TraceRow row;
        row.maxAbsoluteError = absolute;
        row.maxRelativeError = relative;
        row.flags = isKnown ? TraceFlag::kHasCorrectness : 0;
        QCOMPARE(QString::fromUtf8(toString(errorFit(row, {0.01, 0.01})).data()), fit);
    }

    void summariesCountWhatIsWithin()
    {
        DatasetBuilder builder;
        fillErrors(builder);
        const auto dataset = builder.load();
        const auto table = errorTable(*dataset, {});
        QVERIFY(table);
        QCOMPARE(table->rows.size(), std::size_t{6});
        QCOMPARE(table->summaries.size(), std::size_t{2});
        const ErrorSummary& good = table->summaries[0];
        QCOMPARE(good.solution, std::string("good"));
        QCOMPARE(good.traces, std::size_t{3});
        QCOMPARE(good.passed, std::size_t{2});
        QCOMPARE(good.within, std::size_t{2});
        QCOMPARE(good.exact, std::size_t{1});
        QCOMPARE(good.unknown, std::size_t{1});
        QCOMPARE(good.greatestAbsolute, 1e-6);
        const ErrorSummary& rough = table->summaries[1];
        QCOMPARE(rough.author, std::string("ben"));
        QCOMPARE(rough.within, std::size_t{1});
        QCOMPARE(rough.greatestAbsolute, kInfinite);
        QVERIFY(std::isnan(rough.leastMatchedRatio));
    }

    void anotherToleranceIsThatOfAnOracle()
    {
        DatasetBuilder builder;
        builder.definition({.name = "d"}).solution({.name = "s", .definition = "d"});
        std::mt19937 random(3);
        for (int i = 0; i < 200; ++i) {
            builder.trace({.definition = "d", .solution = "s", .uuid = "w" + std::to_string(i), .maxAbsoluteError = std::pow(10.0, -static_cast<double>(random() % 80) / 10),
                           .maxRelativeError = std::pow(10.0, -static_cast<double>(random() % 80) / 10)});
        }
        const auto dataset = builder.load();
        auto table = errorTable(*dataset, {});
        QVERIFY(table);
        for (const ErrorTolerance& tolerance : {ErrorTolerance{1e-3, 1e-3}, ErrorTolerance{1e-6, 0.1}, ErrorTolerance{0, 0}, ErrorTolerance{10, 10}}) {
            applyTolerance(*table, *dataset, tolerance);
            std::size_t within = 0;
            for (const TraceRow& row : dataset->traces().rows()) within += row.maxAbsoluteError <= tolerance.atol || row.maxRelativeError <= tolerance.rtol ? 1U : 0U;
            QCOMPARE(table->summaries.front().within, within);
            ErrorQuestion question;
            question.tolerance = tolerance;
            const auto asked = errorTable(*dataset, question);
            QVERIFY(asked);
            QCOMPARE(asked->summaries.front().within, within);
        }
    }

    void matchedRatiosAreReadFromTheLines()
    {
        DatasetBuilder builder;
        builder.definition({.name = "d"}).solution({.name = "s", .definition = "d"});
        const auto add = [&builder](const char* uuid, const Json& extra) {
            const Json evaluation = {{"status", "PASSED"},
                                     {"environment", {{"hardware", "H"}, {"libs", Json::object()}}},
                                     {"timestamp", "2026-01-01T00:00:00"},
                                     {"log", ""},
                                     {"correctness", {{"max_relative_error", 1}, {"max_absolute_error", 1}, {"extra", extra}}},
                                     {"performance", {{"latency_ms", 1}, {"reference_latency_ms", 1}, {"speedup_factor", 1}}}};
            const Json workload = {{"axes", {{"M", 1}}}, {"inputs", {{"x", {{"type", "random"}}}}}, {"uuid", uuid}};
            builder.line("traces/ann/gemm/d.jsonl", Json{{"definition", "d"}, {"workload", workload}, {"solution", "s"}, {"evaluation", evaluation}}.dump());
        };
        add("w1", {{"matched_ratio", 0.97}});
        add("w2", {{"matched_ratio", 0.99}});
        add("w3", {{"matched_ratio", 7}});   // nobody has more than all
        add("w4", {{"tvd", 0.1}});
        const auto dataset = builder.load();
        const auto table = errorTable(*dataset, {});
        QVERIFY(table);
        QVERIFY(table->hasMatchedRatios);
        QCOMPARE(table->rows[0].matchedRatio, 0.97);
        QVERIFY(std::isnan(table->rows[2].matchedRatio));
        QVERIFY(std::isnan(table->rows[3].matchedRatio));
        QCOMPARE(table->summaries.front().leastMatchedRatio, 0.97);
    }

    void reportsHoldNoBareInfinity()
    {
        DatasetBuilder builder;
        fillErrors(builder);
        const auto dataset = builder.load();
        const auto table = errorTable(*dataset, {});
        QVERIFY(table);
        const Json document = errorDocument(*dataset, *table);
        QCOMPARE(document.at("solutions").size(), std::size_t{2});
        QCOMPARE(document.at("solutions")[1].at("greatest_absolute_error").get<std::string>(), std::string("Infinity"));
        QCOMPARE(document.at("traces").size(), std::size_t{6});
        QVERIFY(document.dump().find("\"fit\":\"unknown\"") != std::string::npos);
        const QString csv = QString::fromStdString(tableText(errorTraceTable(*dataset, *table), TableFormat::Csv));
        QVERIFY(csv.startsWith("definition,solution,hardware,axes,workload_uuid,status,max_absolute_error,max_relative_error,atol,rtol,fit,matched_ratio\n"));
        QVERIFY(csv.contains("d,rough,H,M=1,w2,INCORRECT_NUMERICAL,3,0.7,0.01,0.01,beyond,\n"));
        QVERIFY(errorText(*table).find("rough") != std::string::npos);
    }

    void chartsShowErrorsOfWhatDidNotPass()
    {
        DatasetBuilder builder;
        fillErrors(builder);
        const auto dataset = builder.load();
        ChartQuestion question{"d"};
        question.measure = *chartMeasureFromString("absolute-error");
        const auto answer = chartAnswer(*dataset, question);
        QVERIFY(answer);
        QCOMPARE(answer->series.size(), std::size_t{2});
        const auto& good = answer->series[0].points;
        QCOMPARE(good.size(), std::size_t{3});
        QCOMPARE(good[0].y, 0.0);                        // exact
        QVERIFY(!good[0].failed && good[2].failed);      // the third was never compared
        const auto& rough = answer->series[1].points;
        QCOMPARE(rough[1].y, 3.0);                       // wrong, and how far
        QVERIFY(!rough[1].failed && rough[2].failed);    // infinite
        QVERIFY(chartDocument(*dataset, question, *answer).at("y") == "absolute-error");
    }

    void pairsOfTracesAreThoseThatCanBeRun()
    {
        DatasetBuilder builder;
        fillErrors(builder);
        builder.trace({.definition = "d", .solution = "gone", .uuid = "w1"});
        const auto dataset = builder.load();
        RowIndex all;
        for (std::uint32_t row = 0; row < dataset->traces().size(); ++row) all.push_back(row);
        const auto pairs = pairsOfTraces(*dataset, all);
        QCOMPARE(pairs.size(), std::size_t{6});
        QVERIFY(pairs.contains({"rough", "w3"}));
        QVERIFY(!pairs.contains({"gone", "w1"}));
    }
};

QTEST_APPLESS_MAIN(TestErrorTable)
#include "test_error_table.moc"
