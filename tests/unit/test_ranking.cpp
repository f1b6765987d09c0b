// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <cmath>
#include <limits>

#include "core/score/ranking.h"
#include "tests/support/dataset_builder.h"
#include "tests/support/set_q.h"

using namespace tracedeck;
using tracedeck::test::addTraces;
using tracedeck::test::DatasetBuilder;
using tracedeck::test::loadSetQ;


namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// One definition `d` with a baseline `b` that takes 2 ms on workload w.
DatasetBuilder& addSmallCase(DatasetBuilder& builder)
{
    builder.definition({.name = "d"}).solution({.name = "b", .definition = "d", .author = "baseline"});
    addTraces(builder, "d", "b", {{"w", 2}});
    return builder;
}

bool near(double actual, double expected)
{
    return std::abs(actual - expected) <= 1e-12 * std::max(1.0, std::abs(expected));
}

QString authorNames(const Ranking& ranking)
{
    QStringList names;
    for (const auto& entry : ranking.authors) names << QString::fromStdString(entry.first);
    return names.join(' ');
}

QString bestSolutionsText(const SpeedupMetrics& metrics)
{
    QStringList parts;
    for (const auto& [definition, solution] : metrics.bestSolutions) parts << QString::fromStdString(definition + " " + solution);
    return parts.join(", ");
}

QString solutionNames(const Dataset& dataset, const std::vector<std::uint32_t>& rows)
{
    QStringList names;
    for (const auto row : rows) {
        const auto name = dataset.traces().solutionName(dataset.traces().row(row));
        names << QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
    }
    return names.join(' ');
}

/// The traces of the worked example for get_best_trace and filter_traces, all in one file so that their order is as listed.
std::shared_ptr<const Dataset> loadBestTraceExample()
{
    DatasetBuilder builder;
    builder.definition({.name = "d"});
    const auto add = [&builder](const char* solution, double speedup, double absolute, double relative,
                                const std::map<std::string, std::int64_t>& axes, Status status = Status::Passed) {
        builder.solution({.name = solution, .definition = "d"});
        builder.trace({.definition = "d", .solution = solution, .uuid = solution, .status = status, .axes = axes, .speedup = speedup,
                       .maxAbsoluteError = absolute, .maxRelativeError = relative});
    };
    add("a", 3, 0, 0, {{"M", 1}});
    add("b", 3, 0, 0, {{"M", 1}});
    add("c", 9, 0.02, 0, {{"M", 1}});
    add("d", 8, 0, 0.01, {{"M", 2}});
    add("e", 7, kNaN, 0, {{"M", 2}});
    add("f", 0, 0, 0, {{"M", 2}}, Status::Timeout);
    add("g", 2, 0, 0, {{"M", 4}, {"N", 1}});
    return builder.load();
}

}  // namespace

class TestRanking : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { m_setQ = loadSetQ(); }

    void solutionScoreOfSetQ_data()
    {
        QTest::addColumn<bool>("scored");
        QTest::addColumn<double>("average");
        QTest::addColumn<int>("workloads");
        QTest::addColumn<double>("success");
        QTest::addColumn<double>("win");
        QTest::newRow("base_g1") << false << 0.0 << 0 << 0.0 << 0.0;
        QTest::newRow("cat_g1") << false << 0.0 << 0 << 0.0 << 0.0;
        QTest::newRow("unknown") << false << 0.0 << 0 << 0.0 << 0.0;
        QTest::newRow("ann_g1_a") << true << 1.5 << 2 << 1.0 << 0.5;
        QTest::newRow("ann_g1_b") << true << 1.75 << 2 << 1.0 << 0.5;
        QTest::newRow("bob_g1") << true << 0.0 << 1 << 0.0 << 0.0;
        QTest::newRow("ann_g2") << true << 0.8 << 1 << 1.0 << 0.0;
        QTest::newRow("dan_g2") << true << 1.125 << 2 << 1.0 << 0.5;
        QTest::newRow("bob_n1") << true << 3.0 << 1 << 1.0 << 1.0;
        QTest::newRow("eve_n1") << true << 0.0 << 1 << 0.0 << 0.0;
    }
    void solutionScoreOfSetQ()
    {
        QFETCH(bool, scored);
        QFETCH(double, average);
        QFETCH(int, workloads);
        QFETCH(double, success);
        QFETCH(double, win);
        const auto score = solutionScore(*m_setQ, QTest::currentDataTag(), "baseline");
        QVERIFY(score.has_value());
        QCOMPARE(score->has_value(), scored);
        if (!scored) return;
        const SpeedupMetrics& metrics = **score;
        QVERIFY2(near(metrics.averageSpeedup, average), qPrintable(QString::number(metrics.averageSpeedup, 'g', 17)));
        QCOMPARE(metrics.definitions, 1);
        QCOMPARE(metrics.workloads, workloads);
        QVERIFY(near(metrics.successRate, success));
        QVERIFY(near(metrics.winRate, win));
        QVERIFY(metrics.bestSolutions.empty());
    }

    void authorScoreOfSetQ_data()
    {
        QTest::addColumn<bool>("scored");
        QTest::addColumn<double>("average");
        QTest::addColumn<int>("definitions");
        QTest::addColumn<int>("workloads");
        QTest::addColumn<double>("success");
        QTest::addColumn<double>("win");
        QTest::addColumn<QString>("best");
        QTest::newRow("bob") << true << 1.5 << 2 << 2 << 0.5 << 0.5 << "g1 bob_g1, n1 bob_n1";
        QTest::newRow("ann") << true << 1.275 << 2 << 3 << 1.0 << 0.25 << "g1 ann_g1_b, g2 ann_g2";
        QTest::newRow("dan") << true << 1.125 << 1 << 2 << 1.0 << 0.5 << "g2 dan_g2";
        QTest::newRow("eve") << true << 0.0 << 1 << 1 << 0.0 << 0.0 << "n1 eve_n1";
        for (const char* author : {"cat", "baseline", "zed"}) QTest::newRow(author) << false << 0.0 << 0 << 0 << 0.0 << 0.0 << "";
    }
    void authorScoreOfSetQ()
    {
        QFETCH(bool, scored);
        QFETCH(double, average);
        QFETCH(int, definitions);
        QFETCH(int, workloads);
        QFETCH(double, success);
        QFETCH(double, win);
        QFETCH(QString, best);
        const auto score = authorScore(*m_setQ, QTest::currentDataTag(), "baseline", {});
        QVERIFY(score.has_value());
        QCOMPARE(score->has_value(), scored);
        if (!scored) return;
        const SpeedupMetrics& metrics = **score;
        QVERIFY2(near(metrics.averageSpeedup, average), qPrintable(QString::number(metrics.averageSpeedup, 'g', 17)));
        QCOMPARE(metrics.definitions, definitions);
        QCOMPARE(metrics.workloads, workloads);
        QVERIFY(near(metrics.successRate, success));
        QVERIFY(near(metrics.winRate, win));
        QCOMPARE(bestSolutionsText(metrics), best);
    }

    void rankingOfSetQ_data()
    {
        QTest::addColumn<QString>("opType");
        QTest::addColumn<QString>("definition");
        QTest::addColumn<QString>("baseline");
        QTest::addColumn<QString>("authors");
        QTest::addColumn<QList<double>>("averages");
        QTest::newRow("all") << "" << "" << "baseline" << "bob ann dan eve" << QList<double>{1.5, 1.275, 1.125, 0};
        QTest::newRow("op_type gemm") << "gemm" << "" << "baseline" << "ann dan bob" << QList<double>{1.275, 1.125, 0};
        QTest::newRow("definition n1") << "" << "n1" << "baseline" << "bob eve" << QList<double>{3, 0};
        QTest::newRow("unknown op_type") << "nothing" << "" << "baseline" << "" << QList<double>{};
        QTest::newRow("baseline ann, g2") << "" << "g2" << "ann" << "baseline dan" << QList<double>{1.25, 1.25};
    }
    void rankingOfSetQ()
    {
        QFETCH(QString, opType);
        QFETCH(QString, definition);
        QFETCH(QString, baseline);
        QFETCH(QString, authors);
        QFETCH(QList<double>, averages);
        const RankingScope scope{.opType = opType.toStdString(), .definition = definition.toStdString()};
        const auto ranking = rankAuthors(*m_setQ, baseline.toStdString(), scope);
        QVERIFY(ranking.has_value());
        QCOMPARE(authorNames(*ranking), authors);
        for (qsizetype i = 0; i < averages.size(); ++i) {
            QVERIFY(near(ranking->authors[static_cast<std::size_t>(i)].second.averageSpeedup, averages[i]));
        }
        QVERIFY(ranking->unscored.empty());
    }

    void rankingFailsAsAWhole_data()
    {
        QTest::addColumn<QString>("opType");
        QTest::addColumn<QString>("definition");
        QTest::addColumn<QString>("baseline");
        QTest::addColumn<int>("code");
        QTest::newRow("unknown definition") << "" << "nothing" << "baseline" << static_cast<int>(ErrorCode::NotFound);
        QTest::newRow("both scopes") << "gemm" << "g1" << "baseline" << static_cast<int>(ErrorCode::Usage);
        QTest::newRow("no baseline in n1") << "norm" << "" << "ann" << static_cast<int>(ErrorCode::NotFound);
        QTest::newRow("two baselines in g1") << "" << "g1" << "ann" << static_cast<int>(ErrorCode::Conflict);
        QTest::newRow("all against ann") << "" << "" << "ann" << static_cast<int>(ErrorCode::Conflict);
    }
    void rankingFailsAsAWhole()
    {
        QFETCH(QString, opType);
        QFETCH(QString, definition);
        QFETCH(QString, baseline);
        QFETCH(int, code);
        const RankingScope scope{.opType = opType.toStdString(), .definition = definition.toStdString()};
        const auto ranking = rankAuthors(*m_setQ, baseline.toStdString(), scope);
        QVERIFY(!ranking.has_value());
        QCOMPARE(static_cast<int>(ranking.error().code), code);
    }

    void tolerantRankingListsWhatItLeavesOut()
    {
        const auto ranking = rankAuthorsTolerant(*m_setQ, "ann", {});
        QVERIFY(ranking.has_value());
        QCOMPARE(authorNames(*ranking), "baseline dan");
        QCOMPARE(ranking->unscored.size(), std::size_t{2});
        QCOMPARE(ranking->unscored[0].error.field, std::string("g1"));
        QCOMPARE(static_cast<int>(ranking->unscored[0].error.code), static_cast<int>(ErrorCode::Conflict));
        QCOMPARE(ranking->unscored[1].error.field, std::string("n1"));
        QCOMPARE(static_cast<int>(ranking->unscored[1].error.code), static_cast<int>(ErrorCode::NotFound));
        QVERIFY(!rankAuthorsTolerant(*m_setQ, "ann", {.definition = "nothing"}).has_value());
    }

    void summaryCountsIgnoreTheScope_data()
    {
        QTest::addColumn<QString>("opType");
        QTest::addColumn<QString>("authors");
        QTest::newRow("all") << "" << "bob ann dan eve";
        QTest::newRow("norm") << "norm" << "bob eve";
    }
    void summaryCountsIgnoreTheScope()
    {
        QFETCH(QString, opType);
        QFETCH(QString, authors);
        const auto summary = summarize(*m_setQ, "baseline", {.opType = opType.toStdString()});
        QVERIFY(summary.has_value());
        QCOMPARE(summary->total, std::size_t{21});
        QCOMPARE(summary->passed, std::size_t{18});
        QCOMPARE(summary->failed, std::size_t{3});
        QCOMPARE(summary->totalInScope, std::size_t{opType.isEmpty() ? 21U : 3U});
        QCOMPARE(summary->passedInScope, std::size_t{opType.isEmpty() ? 18U : 2U});
        QCOMPARE(authorNames(summary->ranking), authors);
    }

    void onEqualScoresTheFirstListedSolutionIsTheBest()
    {
        DatasetBuilder builder;
        addSmallCase(builder);
        builder.solution({.name = "t2", .definition = "d", .file = "solutions/1.json"});
        builder.solution({.name = "t1", .definition = "d", .file = "solutions/2.json"});
        addTraces(builder, "d", "t1", {{"w", 1}});
        addTraces(builder, "d", "t2", {{"w", 1}});
        const auto score = authorScore(*builder.load(), "ann", "baseline", {});
        QVERIFY(score.has_value() && score->has_value());
        QCOMPARE(bestSolutionsText(**score), "d t2");
        QVERIFY(near((*score)->averageSpeedup, 2));
    }

    void aFailureAnywhereMakesTheScoreZero()
    {
        DatasetBuilder builder;
        addSmallCase(builder).solution({.name = "s", .definition = "d"});
        addTraces(builder, "d", "s", {{"w", 1, Status::Timeout}, {"w", 1}});
        const auto score = solutionScore(*builder.load(), "s", "baseline");
        QVERIFY(score.has_value() && score->has_value());
        QCOMPARE((*score)->averageSpeedup, 0.0);
        QCOMPARE((*score)->workloads, 1);
    }

    void aZeroScoreBeatsAnUnscoredSolution()
    {
        DatasetBuilder builder;
        addSmallCase(builder);
        builder.solution({.name = "elsewhere", .definition = "d"}).solution({.name = "failed", .definition = "d"});
        addTraces(builder, "d", "elsewhere", {{"other", 1}});
        addTraces(builder, "d", "failed", {{"w", 1, Status::RuntimeError}});
        const auto score = authorScore(*builder.load(), "ann", "baseline", {});
        QVERIFY(score.has_value() && score->has_value());
        QCOMPARE((*score)->averageSpeedup, 0.0);
        QCOMPARE(bestSolutionsText(**score), "d failed");
    }

    void zeroLatencyIsAnErrorThatTheTolerantRankingCounts()
    {
        DatasetBuilder builder;
        addSmallCase(builder).solution({.name = "s", .definition = "d"}).solution({.name = "t", .definition = "d", .author = "bob"});
        addTraces(builder, "d", "s", {{"w", 0}});
        addTraces(builder, "d", "t", {{"w", 1}});
        const auto dataset = builder.load();
        QVERIFY(!solutionScore(*dataset, "s", "baseline").has_value());
        QVERIFY(!rankAuthors(*dataset, "baseline", {}).has_value());
        const auto tolerant = rankAuthorsTolerant(*dataset, "baseline", {});
        QVERIFY(tolerant.has_value());
        QCOMPARE(authorNames(*tolerant), "bob");
        QVERIFY(tolerant->unscored.empty());
        QCOMPARE(tolerant->leftOut, std::size_t{1});
    }

    void withoutBaselineTracesNothingIsScored()
    {
        DatasetBuilder builder;
        builder.definition({.name = "d"}).solution({.name = "b", .definition = "d", .author = "baseline"}).solution({.name = "s", .definition = "d"});
        addTraces(builder, "d", "s", {{"w", 1}});
        const auto score = solutionScore(*builder.load(), "s", "baseline");
        QVERIFY(score.has_value());
        QVERIFY(!score->has_value());
    }

    void aTraceWithoutEvaluationIsNotScoredButCountsAsFailed()
    {
        DatasetBuilder builder;
        addSmallCase(builder).solution({.name = "s", .definition = "d"});
        builder.trace({.definition = "d", .solution = "s", .uuid = "w", .evaluated = false});
        const auto dataset = builder.load();
        const auto score = solutionScore(*dataset, "s", "baseline");
        QVERIFY(score.has_value());
        QVERIFY(!score->has_value());
        const auto summary = summarize(*dataset, "baseline", {});
        QVERIFY(summary.has_value());
        QCOMPARE(summary->total, std::size_t{2});
        QCOMPARE(summary->failed, std::size_t{1});
    }

    void tracesAreMatchedBySolutionAndUuidWhateverTheirDefinition()
    {
        DatasetBuilder builder;
        addSmallCase(builder).definition({.name = "other"}).solution({.name = "s", .definition = "d"});
        addTraces(builder, "other", "s", {{"w", 1}});
        const auto score = solutionScore(*builder.load(), "s", "baseline");
        QVERIFY(score.has_value() && score->has_value());
        QVERIFY(near((*score)->averageSpeedup, 2));
    }

    void withoutTracesTheSummaryChecksNothing()
    {
        DatasetBuilder builder;
        builder.definition({.name = "d"});
        builder.solution({.name = "b1", .definition = "d", .author = "baseline"}).solution({.name = "b2", .definition = "d", .author = "baseline"});
        const auto dataset = builder.load();
        QVERIFY(!rankAuthors(*dataset, "baseline", {}).has_value());
        const auto summary = summarize(*dataset, "baseline", {.opType = "gemm", .definition = "nothing"});
        QVERIFY(summary.has_value());
        QCOMPARE(summary->total, std::size_t{0});
        QVERIFY(summary->ranking.authors.empty());
        QVERIFY(summary->ranking.unscored.empty());
    }

    void aPassedTraceWithoutPerformanceIsShownButNotScored()
    {
        DatasetBuilder builder;
        addSmallCase(builder).solution({.name = "s", .definition = "d"});
        builder.line("traces/ann/gemm/d.jsonl",
                     R"({"definition":"d","workload":{"axes":{"M":1},"inputs":{},"uuid":"w"},"solution":"s","evaluation":{"status":"PASSED",)"
                     R"("environment":{"hardware":"Test CPU","libs":{}},"timestamp":"2026-01-01T00:00:00","log":"","correctness":{},"performance":null}})");
        const auto dataset = builder.load();
        QCOMPARE(dataset->traces().size(), std::size_t{2});
        const auto score = solutionScore(*dataset, "s", "baseline");
        QVERIFY(score.has_value());
        QVERIFY(!score->has_value());
    }

    /// The table of the viewer specification: a failed trace zeroes the score; without it the average is 1.5.
    void viewerReferenceData()
    {
        for (const bool withFailure : {true, false}) {
            DatasetBuilder builder;
            builder.definition({.name = "d"}).solution({.name = "B", .definition = "d", .author = "baseline"}).solution({.name = "S", .definition = "d"});
            addTraces(builder, "d", "B", {{"w1", 1}, {"w2", 2}, {"w3", 4}, {"w4", 1, Status::RuntimeError}});
            addTraces(builder, "d", "S", {{"w1", 0.5}, {"w1", 0.8}, {"w2", 2}, {"w4", 1}});
            if (withFailure) addTraces(builder, "d", "S", {{"w3", 1, Status::IncorrectNumerical}});
            const auto score = solutionScore(*builder.load(), "S", "baseline");
            QVERIFY(score.has_value() && score->has_value());
            QVERIFY(near((*score)->averageSpeedup, withFailure ? 0 : 1.5));
            QVERIFY(near((*score)->winRate, withFailure ? 0 : 0.5));
            QVERIFY(near((*score)->successRate, withFailure ? 0 : 1));
            QCOMPARE((*score)->workloads, withFailure ? 3 : 2);
        }
    }

    /// A reference that raised says nothing about the solution; a caught cheat and an unknown status are failures.
    void statusesOfOtherDialectsAreScored()
    {
        for (const auto& [status, isFailure] : {std::pair{Status::InvalidReference, false}, {Status::RewardHack, true}, {Status::Other, true}}) {
            DatasetBuilder builder;
            builder.definition({.name = "d"}).solution({.name = "B", .definition = "d", .author = "baseline"}).solution({.name = "S", .definition = "d"});
            addTraces(builder, "d", "B", {{"w1", 1}, {"w2", 2}});
            addTraces(builder, "d", "S", {{"w1", 0.5}, {"w2", 1, status}});
            const auto score = solutionScore(*builder.load(), "S", "baseline");
            QVERIFY(score.has_value() && score->has_value());
            QVERIFY(near((*score)->averageSpeedup, isFailure ? 0 : 2));
            QVERIFY(near((*score)->successRate, isFailure ? 0 : 1));
            QCOMPARE((*score)->workloads, isFailure ? 2 : 1);
        }
    }

    void hardwareKeepsMachinesApart()
    {
        DatasetBuilder builder;
        builder.definition({.name = "d"}).solution({.name = "b", .definition = "d", .author = "baseline"}).solution({.name = "s", .definition = "d"});
        const auto add = [&builder](const char* solution, double latencyMs, const char* hardware) {
            builder.trace({.definition = "d", .solution = solution, .uuid = "w", .latencyMs = latencyMs, .hardware = hardware});
        };
        add("b", 4, "A");
        add("b", 1, "B");
        add("s", 2, "A");
        const auto dataset = builder.load();
        const auto onA = rankAuthors(*dataset, "baseline", {.hardware = "A"});
        QVERIFY(onA.has_value());
        QCOMPARE(onA->authors.size(), std::size_t{1});
        QVERIFY(near(onA->authors[0].second.averageSpeedup, 2));
        const auto mixed = rankAuthors(*dataset, "baseline", {});
        QVERIFY(mixed.has_value());
        QVERIFY(near(mixed->authors[0].second.averageSpeedup, 0.5));
        for (const char* hardware : {"B", "unknown"}) {
            const auto none = rankAuthors(*dataset, "baseline", {.hardware = hardware});
            QVERIFY(none.has_value());
            QVERIFY(none->authors.empty());
        }
    }

    void bestTraceOfTheWorkedExample_data()
    {
        QTest::addColumn<AxisValues>("axes");
        QTest::addColumn<double>("absolute");
        QTest::addColumn<double>("relative");
        QTest::addColumn<QString>("solution");
        QTest::newRow("default") << AxisValues{} << 0.01 << 0.01 << "d";
        QTest::newRow("M=1: first of a tie") << AxisValues{{"M", 1}} << 0.01 << 0.01 << "a";
        QTest::newRow("M=4") << AxisValues{{"M", 4}} << 0.01 << 0.01 << "g";
        QTest::newRow("M=4 N=2") << AxisValues{{"M", 4}, {"N", 2}} << 0.01 << 0.01 << "";
        QTest::newRow("unknown axis") << AxisValues{{"Z", 1}} << 0.01 << 0.01 << "";
        QTest::newRow("absolute 0.02") << AxisValues{} << 0.02 << 0.01 << "c";
        QTest::newRow("relative 0.001") << AxisValues{} << 0.01 << 0.001 << "a";
        QTest::newRow("both infinite: NaN still fails") << AxisValues{} << kInfinity << kInfinity << "c";
    }
    void bestTraceOfTheWorkedExample()
    {
        QFETCH(AxisValues, axes);
        QFETCH(double, absolute);
        QFETCH(double, relative);
        QFETCH(QString, solution);
        const auto dataset = loadBestTraceExample();
        const auto row = bestTrace(*dataset, "d", axes, absolute, relative);
        QCOMPARE(row.has_value(), !solution.isEmpty());
        if (row) QCOMPARE(solutionNames(*dataset, {*row}), solution);
        QVERIFY(!bestTrace(*dataset, "nothing", axes, absolute, relative).has_value());
    }

    void passingTracesOfTheWorkedExample_data()
    {
        QTest::addColumn<double>("absolute");
        QTest::addColumn<QString>("solutions");
        QTest::newRow("default") << 0.01 << "a b d g";
        QTest::newRow("absolute 0.05") << 0.05 << "a b c d g";
    }
    void passingTracesOfTheWorkedExample()
    {
        QFETCH(double, absolute);
        QFETCH(QString, solutions);
        const auto dataset = loadBestTraceExample();
        QCOMPARE(solutionNames(*dataset, passingTraces(*dataset, "d", absolute)), solutions);
        QVERIFY(passingTraces(*dataset, "nothing").empty());
    }

    void defaultBaselineAuthorIsBaselineElseFlashinfer_data()
    {
        QTest::addColumn<QStringList>("authors");
        QTest::addColumn<QString>("expected");
        QTest::newRow("both") << QStringList{"flashinfer", "baseline"} << "baseline";
        QTest::newRow("flashinfer") << QStringList{"ann", "flashinfer"} << "flashinfer";
        QTest::newRow("neither") << QStringList{"ann"} << "baseline";
        QTest::newRow("nobody") << QStringList{} << "baseline";
    }
    void defaultBaselineAuthorIsBaselineElseFlashinfer()
    {
        QFETCH(QStringList, authors);
        QFETCH(QString, expected);
        DatasetBuilder builder;
        builder.definition({.name = "d"});
        for (const QString& author : authors) builder.solution({.name = "by_" + author.toStdString(), .definition = "d", .author = author.toStdString()});
        const auto dataset = builder.load();
        QCOMPARE(QString::fromStdString(defaultBaselineAuthor(*dataset)), expected);
        QCOMPARE(authorsOf(*dataset).size(), static_cast<std::size_t>(authors.size()));
    }

    void whoCouldBeABaselineHasOneSolutionThatPassed()
    {
        DatasetBuilder builder;
        builder.definition({.name = "d"}).definition({.name = "e", .opType = "norm"});
        for (const auto& [name, definition, author] : {std::tuple{"d_ann", "d", "ann"}, {"e_ann", "e", "ann"}, {"d_bob", "d", "bob"}, {"d_cat1", "d", "cat"}, {"d_cat2", "d", "cat"}, {"d_dan", "d", "dan"}}) {
            builder.solution({.name = name, .definition = definition, .author = author});
            builder.trace({.definition = definition, .solution = name, .uuid = "w", .status = std::string_view(author) == "dan" ? Status::Timeout : Status::Passed, .hardware = std::string_view(author) == "bob" ? "Two" : "One"});
        }
        const auto dataset = builder.load();
        const auto names = [&](const RankingScope& scope) {
            QStringList texts;
            for (const BaselineCandidate& one : baselineCandidates(*dataset, scope)) texts << QStringLiteral("%1 %2").arg(QString::fromStdString(one.author)).arg(one.definitions);
            return texts;
        };
        QCOMPARE(names({}), QStringList({"ann 2", "bob 1"}));   // cat has two, dan never passed
        QCOMPARE(names({.opType = "norm"}), QStringList{"ann 1"});
        QCOMPARE(names({.definition = "d", .hardware = "Two"}), QStringList{"bob 1"});
        QCOMPARE(names({.definition = "gone"}), QStringList());
    }

private:
    std::shared_ptr<const Dataset> m_setQ;
};

QTEST_GUILESS_MAIN(TestRanking)
#include "test_ranking.moc"
