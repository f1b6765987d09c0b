// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include <cmath>
#include <map>
#include <random>

#include "core/report/heat_map_report.h"
#include "tests/support/dataset_builder.h"

using namespace tracedeck;
using tracedeck::test::DatasetBuilder;

namespace {

constexpr double kNothing = -1;

/// Rounded to four places; kNothing for none.
double rounded(double value) { return std::isfinite(value) ? std::round(value * 1e4) / 1e4 : kNothing; }

std::vector<double> ratiosOf(const HeatMap& map)
{
    std::vector<double> ratios;
    for (const HeatMapCell& cell : map.cells) ratios.push_back(rounded(cell.ratio));
    return ratios;
}

/// Two solutions and one that only a trace knows, on four workloads: the last one was never run.
DatasetBuilder& withHeat(DatasetBuilder& builder)
{
    builder.definition({.name = "d"}).definition({.name = "empty"});
    builder.solution({.name = "base", .definition = "d", .author = "a_base"}).solution({.name = "quick", .definition = "d", .author = "ann"});
    for (const std::int64_t m : {16, 2, 4}) builder.workload({.definition = "d", .uuid = "w" + std::to_string(m), .axes = {{"M", m}}});
    builder.workload({.definition = "d", .uuid = "never", .axes = {{"M", 1}}});
    const auto add = [&builder](const char* solution, std::int64_t m, double latency, Status status = Status::Passed, const char* hardware = "H", const char* time = "2026-01-01T00:00:00") {
        builder.trace({.definition = "d", .solution = solution, .uuid = "w" + std::to_string(m), .latencyMs = latency, .status = status, .axes = {{"M", m}}, .referenceLatencyMs = 6,
                       .hardware = hardware, .timestamp = time});
    };
    add("base", 16, 4);
    add("base", 2, 1);
    add("base", 4, 2, Status::Timeout);
    add("quick", 16, 8);                                                        // replaced by the next one
    add("quick", 16, 2, Status::Passed, "H", "2026-01-02T00:00:00");
    add("quick", 2, 1, Status::IncorrectNumerical);
    add("quick", 4, 1);
    add("gone", 2, 0.5);
    add("quick", 2, 99, Status::Passed, "Other GPU");
    return builder;
}

HeatMap mapOf(const Dataset& dataset, const HeatMapQuestion& question)
{
    auto map = heatMap(dataset, question);
    if (!map) throw std::runtime_error(map.error().toString());
    return *map;
}

}  // namespace

class TestHeatMap : public QObject {
    Q_OBJECT
private slots:
    void ratiosAreThoseOfTheMeasure_data()
    {
        QTest::addColumn<QString>("measure");
        QTest::addColumn<QList<double>>("ratios");   // base, quick, gone on M = 16, 2, 4, 1
        const double n = kNothing;
        QTest::newRow("baseline") << "baseline" << QList<double>{1, 2, n, 1, n, 2, n, n, n, n, n, n};
        QTest::newRow("reference") << "reference" << QList<double>{1.5, 3, n, 6, n, 12, n, 6, n, n, n, n};
        QTest::newRow("best") << "best" << QList<double>{0.5, 1, n, 0.5, n, 1, n, 1, n, n, n, n};
    }
    void ratiosAreThoseOfTheMeasure()
    {
        QFETCH(QString, measure);
        QFETCH(QList<double>, ratios);
        DatasetBuilder builder;
        HeatMapQuestion question{"d"};
        question.measure = *heatMeasureFromString(measure.toStdString());
        question.baselineAuthor = "a_base";
        const HeatMap map = mapOf(*withHeat(builder).load(), question);
        QCOMPARE(map.question.hardware, std::string("H"));   // the busiest one
        QCOMPARE(map.machines, (std::vector<std::string>{"H", "Other GPU"}));
        QCOMPARE(map.solutions.size(), std::size_t{3});
        QCOMPARE(map.solutions[2].name, std::string("gone"));
        QCOMPARE(map.workloads.size(), std::size_t{4});
        QCOMPARE(ratiosOf(map), std::vector<double>(ratios.begin(), ratios.end()));
        QVERIFY(map.at(2, 0).isFailed() && map.at(2, 0).status == Status::Timeout);
        QVERIFY(!map.at(3, 0).isRun() && !map.at(0, 2).isRun());
        QCOMPARE(map.at(0, 1).latencyMs, 2.0);
        QCOMPARE(map.solutions[1].passed, std::size_t{2});
        QCOMPARE(map.solutions[1].failed, std::size_t{1});
    }

    void fastestPolicyTakesTheFastestPass()
    {
        DatasetBuilder builder;
        withHeat(builder).trace({.definition = "d", .solution = "quick", .uuid = "w16", .latencyMs = 9, .axes = {{"M", 16}}, .hardware = "H", .timestamp = "2026-01-03T00:00:00"});
        HeatMapQuestion question{"d"};
        question.measure = HeatMeasure::Best;
        question.policy = SelectionPolicy::LowestMedian;
        QCOMPARE(mapOf(*builder.load(), question).at(0, 1).latencyMs, 2.0);
        question.policy = SelectionPolicy::Newest;
        QCOMPARE(mapOf(*builder.load(), question).at(0, 1).latencyMs, 9.0);
    }

    void bothSidesCanBeSorted()
    {
        DatasetBuilder builder;
        HeatMapQuestion question{"d"};
        question.baselineAuthor = "a_base";
        const HeatMap map = mapOf(*withHeat(builder).load(), question);
        using Order = std::vector<std::size_t>;
        QCOMPARE(map.workloadsByAxes(), (Order{3, 1, 2, 0}));   // M = 1, 2, 4, 16
        // quick: 2 on the first; passed without a ratio on the third; failed on the second; not run on the last.
        QCOMPARE(map.workloadsByRatio(1, true), (Order{0, 2, 1, 3}));
        QCOMPARE(map.workloadsByRatio(1, false), (Order{0, 2, 1, 3}));
        QCOMPARE(map.workloadsByRatio(0, true), (Order{0, 1, 2, 3}));
        QCOMPARE(map.solutionsByRatio(0, true), (Order{1, 0, 2}));
        QCOMPARE(map.solutionsByRatio(0, false), (Order{0, 1, 2}));
        QCOMPARE(map.solutionsByMean(), (Order{1, 2, 0}));   // 2, 2, 1
        QCOMPARE(map.solutionsByName(), (Order{0, 2, 1}));
        QCOMPARE(map.greatestDoubling(), 1.0);
    }

    void formsHaveEveryCell()
    {
        DatasetBuilder builder;
        HeatMapQuestion question{"d"};
        question.baselineAuthor = "a_base";
        const HeatMap map = mapOf(*withHeat(builder).load(), question);
        HeatMapOrder order = heatMapOrder(map);
        order.workloads = map.workloadsByAxes();
        QCOMPARE(QString::fromStdString(tableText(heatMapTable(map, order), TableFormat::Csv)),
                 QStringLiteral("axes,workload_uuid,base,quick,gone\nM=1,never,,,\nM=2,w2,1,INCORRECT_NUMERICAL,2\nM=4,w4,TIMEOUT,,\nM=16,w16,1,2,\n"));
        const Json document = heatMapDocument(map, order);
        QCOMPARE(document.at("baseline").get<std::string>(), std::string("base"));
        QVERIFY(document.at("cells")[0][0].is_null());
        QCOMPARE(document.at("cells")[3][1].at("ratio").get<double>(), 2.0);
        QCOMPARE(document.at("cells")[2][0].at("status").get<std::string>(), std::string("TIMEOUT"));
        QCOMPARE(document.at("workloads")[3].at("axes").at("M").get<int>(), 16);
        const std::string text = heatMapText(map, order);
        QVERIFY2(text.find("(2) quick: 2 passed, 1 failed") != std::string::npos, text.c_str());
    }

    void whatCannotBeShownSaysWhy()
    {
        DatasetBuilder builder;
        const auto dataset = withHeat(builder).load();
        HeatMapQuestion question{"nothing"};
        QCOMPARE(heatMap(*dataset, question).error().code, ErrorCode::NotFound);
        question.definition = "d";
        question.baselineAuthor = "nobody";
        QVERIFY(!heatMap(*dataset, question));
        question.measure = HeatMeasure::Best;
        question.definition = "empty";
        QVERIFY(mapOf(*dataset, question).isEmpty());
        question.definition = "d";
        std::stop_source stop;
        stop.request_stop();
        QCOMPARE(heatMap(*dataset, question, stop.get_token()).error().code, ErrorCode::Cancelled);
    }

    /// A slow second computation, on random traces.
    void agreesWithLookingAtEachTrace()
    {
        std::mt19937 random(5);
        const auto below = [&random](unsigned count) { return random() % count; };
        for (int round = 0; round < 4; ++round) {
            DatasetBuilder builder;
            builder.definition({.name = "d"}).solution({.name = "s0", .definition = "d", .author = "a_base"});
            for (int i = 1; i < 4; ++i) builder.solution({.name = "s" + std::to_string(i), .definition = "d", .author = "ann"});
            struct Made {
                bool passed;
                double latencyMs;
            };
            std::map<std::pair<int, int>, Made> newest;   // of (workload, solution) on H
            for (int i = 0; i < 60; ++i) {
                const int w = static_cast<int>(below(5));
                const int s = static_cast<int>(below(4));
                const Made made{below(4) != 0, 0.25 * static_cast<double>(1 + below(8))};
                const bool onH = below(3) != 0;
                builder.trace({.definition = "d", .solution = "s" + std::to_string(s), .uuid = "w" + std::to_string(w), .latencyMs = made.latencyMs,
                               .status = made.passed ? Status::Passed : Status::Timeout, .axes = {{"M", w}}, .hardware = onH ? "H" : "I",
                               .timestamp = "2026-01-01T00:00:" + std::string(i < 10 ? "0" : "") + std::to_string(i)});
                if (onH) newest[{w, s}] = made;
            }
            HeatMapQuestion question{"d", "H"};
            question.baselineAuthor = "a_base";
            const HeatMap map = mapOf(*builder.load(), question);
            for (std::size_t w = 0; w < map.workloads.size(); ++w) {
                const int workload = map.workloads[w].uuid[1] - '0';
                for (std::size_t s = 0; s < map.solutions.size(); ++s) {
                    const auto found = newest.find({workload, map.solutions[s].name[1] - '0'});
                    const auto base = newest.find({workload, 0});
                    QCOMPARE(map.at(w, s).isRun(), found != newest.end());
                    if (found == newest.end()) continue;
                    QCOMPARE(map.at(w, s).isFailed(), !found->second.passed);
                    const bool hasRatio = found->second.passed && base != newest.end() && base->second.passed;
                    QCOMPARE(std::isfinite(map.at(w, s).ratio), hasRatio);
                    if (hasRatio) QCOMPARE(map.at(w, s).ratio, base->second.latencyMs / found->second.latencyMs);
                }
            }
        }
    }
};

QTEST_GUILESS_MAIN(TestHeatMap)
#include "test_heat_map.moc"
