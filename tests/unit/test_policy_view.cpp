// SPDX-License-Identifier: GPL-3.0-or-later
// What the policies "pooled" and "pinned run" make of a dataset.
#include <QTest>
#include <cmath>
#include <string>
#include <vector>

#include "core/score/comparison.h"
#include "core/score/history.h"
#include "core/score/policy_view.h"
#include "core/score/workbench.h"
#include "tests/support/dataset_builder.h"

using namespace tracedeck;
using tracedeck::test::DatasetBuilder;

namespace {

/// A judge's record with these samples, in microseconds.
std::string record(const std::vector<double>& samples, const std::string& method = "judge")
{
    return Json{{"version", 1}, {"time", {{"method", method}, {"samples_us", Json::array({samples})}}}}.dump();
}

struct Run {
    std::string day;
    double latencyMs = 1;
    std::string judge{};
    Status status = Status::Passed;
};

std::shared_ptr<const Dataset> measured(DatasetBuilder& builder, const std::vector<Run>& runs)
{
    builder.definition({.name = "g"}).solution({.name = "s", .definition = "g"}).workload({.definition = "g", .uuid = "w"});
    for (const Run& run : runs) {
        builder.trace({.definition = "g", .solution = "s", .uuid = "w", .latencyMs = run.latencyMs, .status = run.status, .timestamp = "2026-01-" + run.day + "T00:00:00", .judge = run.judge});
    }
    return builder.load();
}

/// The rows that count, with their latencies.
std::vector<std::pair<std::uint32_t, double>> figures(const Dataset& dataset, SelectionPolicy policy)
{
    std::vector<std::pair<std::uint32_t, double>> all;
    for (const std::uint32_t row : countedRows(dataset, policy, {})) all.emplace_back(row, dataset.traces().row(row).latencyMs);
    return all;
}
using Figures = std::vector<std::pair<std::uint32_t, double>>;

}  // namespace

class TestPolicyView : public QObject {
    Q_OBJECT
private slots:
    void pooledFiguresAreMediansOfEverything_data()
    {
        QTest::addColumn<std::vector<Run>>("runs");
        QTest::addColumn<int>("row");
        QTest::addColumn<double>("latencyMs");
        QTest::addColumn<int>("samples");   // -1: the trace keeps its own figure
        using Runs = std::vector<Run>;
        // 1 2 3 10 11 12 20: 10 is in the middle, not the 11 of the medians 2 and 11.
        QTest::newRow("samples of both runs") << Runs{{"01", 0.002, record({1, 2, 3})}, {"02", 0.0115, record({10, 11, 12, 20})}} << 1 << 0.010 << 7;
        QTest::newRow("one run kept none: median of medians") << Runs{{"01", 3, record({3000})}, {"02", 1, record({})}, {"03", 2, record({2000})}} << 2 << 2.0 << 0;
        QTest::newRow("nobody kept any") << Runs{{"01", 3}, {"02", 1}, {"03", 8}} << 2 << 3.0 << 0;
        QTest::newRow("one trace") << Runs{{"01", 3, record({1, 2})}} << 0 << 3.0 << -1;
        QTest::newRow("a failure is in no pool") << Runs{{"01", 3}, {"02", 1}, {"03", 8, {}, Status::Timeout}} << 1 << 2.0 << 0;
        QTest::newRow("only failures") << Runs{{"01", 3, {}, Status::RuntimeError}, {"02", 1, {}, Status::Timeout}} << 1 << std::nan("") << -1;
        QTest::newRow("timed in another way") << Runs{{"01", 3, record({3000}, "cupti")}, {"02", 1, record({1000})}, {"03", 2, record({2000, 2000})}} << 2 << 2.0 << 3;
    }
    void pooledFiguresAreMediansOfEverything()
    {
        QFETCH(std::vector<Run>, runs);
        QFETCH(int, row);
        QFETCH(double, latencyMs);
        QFETCH(int, samples);
        DatasetBuilder builder;
        const auto plain = measured(builder, runs);
        const auto pooled = datasetFor(plain, {SelectionPolicy::Pooled});
        const Figures found = figures(*pooled, SelectionPolicy::Pooled);
        QCOMPARE(found.size(), std::size_t{1});
        QCOMPARE(found.front().first, static_cast<std::uint32_t>(row));
        QVERIFY2(found.front().second == latencyMs || (std::isnan(latencyMs) && std::isnan(found.front().second)), qPrintable(QString::number(found.front().second)));
        const auto& all = pooled->policyView()->pooled;
        QCOMPARE(all.size(), samples < 0 ? std::size_t{0} : std::size_t{1});
        if (samples >= 0) {
            QCOMPARE(all.at(found.front().first).samples, static_cast<std::uint32_t>(samples));
            QCOMPARE(pooled->traces().row(found.front().first).speedupFactor, 2 / latencyMs);   // the builder's reference takes 2 ms
        }
        // The traces themselves are as they were.
        QCOMPARE(pooled->plain(), plain);
        for (std::size_t i = 0; i < runs.size(); ++i) {
            const auto line = pooled->readTrace(i);
            QVERIFY(line);
            if (line->evaluation->performance) QCOMPARE(line->evaluation->performance->latencyMs, runs[i].latencyMs);
        }
    }

    void everyTraceOfAPoolCounts()
    {
        DatasetBuilder builder;
        const auto pooled = datasetFor(measured(builder, {{"01", 3}, {"02", 1, {}, Status::Timeout}, {"03", 2}}), {SelectionPolicy::Pooled});
        const CountedTraces counted = CountedTraces::contributing(*pooled, SelectionPolicy::Pooled);
        QVERIFY(counted.contains(0));
        QVERIFY(!counted.contains(1));
        QVERIFY(counted.contains(2));
        QVERIFY(describePolicyView(*pooled).find("0 have a figure from the pooled samples") != std::string::npos);
    }

    void chartsShowThePoolAndItsSpread()
    {
        DatasetBuilder builder;
        const auto pooled = datasetFor(measured(builder, {{"01", 0.002, record({1, 2, 3})}, {"02", 0.011, record({10, 11, 12, 20})}}), {SelectionPolicy::Pooled});
        const auto answer = chartAnswer(*pooled, {.definition = "g", .policy = SelectionPolicy::Pooled});
        QVERIFY(answer);
        const SeriesPoint& point = answer->series.at(0).points.at(0);
        QCOMPARE(point.y, 0.010);
        QVERIFY(point.low > 0.001 && point.low < 0.002);
        QVERIFY(point.high > 0.012 && point.high < 0.020);
    }

    void historyAndComparisonsLookAtSingleRuns()
    {
        DatasetBuilder builder;
        const auto plain = measured(builder, {{"01", 3}, {"02", 1}});
        const auto pooled = datasetFor(plain, {SelectionPolicy::Pooled});
        const auto ofPlain = history(*plain, {}, HistoryBy::Solution, HistoryMeasure::LatencyMs);
        const auto ofPooled = history(*pooled, {}, HistoryBy::Solution, HistoryMeasure::LatencyMs);
        QVERIFY(ofPlain && ofPooled);
        QCOMPARE(ofPooled->series.at(0).points.size(), ofPlain->series.at(0).points.size());
        QCOMPARE(ofPooled->series.at(0).points.at(1).best, ofPlain->series.at(0).points.at(1).best);
        ComparisonSide a{pooled, {}};
        ComparisonSide b{pooled, {}};
        QVERIFY(addToSide(a, "run=1") && addToSide(b, "run=2"));
        const auto comparison = compareSides(a, b, {.policy = SelectionPolicy::Pooled});
        QVERIFY(comparison);
        QCOMPARE(comparison->rows.at(0).a->latencyMs, 3.0);
        QCOMPARE(comparison->rows.at(0).b->latencyMs, 1.0);
    }

    void aPinnedRunIsAllThatCounts_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<std::vector<std::uint32_t>>("rows");
        QTest::newRow("the oldest") << "run:1" << std::vector<std::uint32_t>{0};
        QTest::newRow("the newest of two in it") << "run:2" << std::vector<std::uint32_t>{2};
        QTest::newRow("previous") << "run:previous" << std::vector<std::uint32_t>{2};
        QTest::newRow("last, a failure") << "run:last" << std::vector<std::uint32_t>{3};
        QTest::newRow("without a name: the last") << "pinned-run" << std::vector<std::uint32_t>{3};
    }
    void aPinnedRunIsAllThatCounts()
    {
        QFETCH(QString, text);
        QFETCH(std::vector<std::uint32_t>, rows);
        DatasetBuilder builder;
        builder.definition({.name = "g"}).solution({.name = "s", .definition = "g"});
        for (const char* time : {"2026-01-01T00:00:00", "2026-01-02T00:00:00", "2026-01-02T00:10:00"}) builder.trace({.definition = "g", .solution = "s", .uuid = "w", .timestamp = time});
        builder.trace({.definition = "g", .solution = "s", .uuid = "w", .status = Status::Timeout, .timestamp = "2026-01-03T00:00:00"});
        const auto plain = builder.load();
        const auto choice = policyChoiceFromString(*plain, text.toStdString());
        QVERIFY(choice);
        const auto pinned = datasetFor(plain, *choice);
        QCOMPARE(countedRows(*pinned, SelectionPolicy::PinnedRun, {}), rows);
        QVERIFY(describePolicyView(*pinned).starts_with("The run from 2026-01-0"));
        // Whatever else somebody asks of the same snapshot.
        QCOMPARE(countedRows(*pinned, SelectionPolicy::Newest, {}), std::vector<std::uint32_t>{3});
        QCOMPARE(pinned->traces().row(0).latencyMs, plain->traces().row(0).latencyMs);
    }

    void whatIsNoPolicyIsRefused()
    {
        DatasetBuilder builder;
        const auto dataset = measured(builder, {{"01", 3}});
        QCOMPARE(policyChoiceFromString(*dataset, "run:2").error().code, ErrorCode::Usage);
        QCOMPARE(policyChoiceFromString(*dataset, "vibes").error().code, ErrorCode::Usage);
        QVERIFY(policyOfText("run:7") == SelectionPolicy::PinnedRun);
        QVERIFY(!policyOfText("run:x") && !policyOfText("vibes"));
        QCOMPARE(datasetFor(dataset, {SelectionPolicy::Newest}), dataset);
        QCOMPARE(datasetFor(datasetFor(dataset, {SelectionPolicy::Pooled}), {SelectionPolicy::Newest}), dataset);
    }
};

QTEST_GUILESS_MAIN(TestPolicyView)
#include "test_policy_view.moc"
