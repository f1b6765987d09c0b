// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <random>
#include <set>

#include "core/report/report.h"
#include "core/score/policy_view.h"
#include "core/score/rank_table.h"
#include "core/score/statistics.h"
#include "tests/support/set_q.h"

using namespace tracedeck;
using tracedeck::test::addTraces;
using tracedeck::test::DatasetBuilder;
using tracedeck::test::loadSetQ;
using tracedeck::test::TraceSpec;

namespace {

QString rowsText(const RankTable& table)
{
    QStringList parts;
    for (const RankRow& row : table.rows) {
        parts << QString("%1%2 %3 %4").arg(row.rank).arg(QLatin1String(row.tied ? "=" : "")).arg(QString::fromStdString(row.name)).arg(row.metrics.averageSpeedup);
    }
    return parts.join(", ");
}

bool near(double actual, double expected)
{
    return std::abs(actual - expected) <= 1e-12 * std::max(1.0, std::abs(expected));
}

}  // namespace

class TestRankTable : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { m_setQ = loadSetQ(); }

    void rowsOfSetQ_data()
    {
        QTest::addColumn<QString>("opType");
        QTest::addColumn<QString>("definition");
        QTest::addColumn<QString>("baseline");
        QTest::addColumn<bool>("bySolution");
        QTest::addColumn<QString>("rows");
        QTest::newRow("authors") << "" << "" << "baseline" << false << "1 bob 1.5, 2 ann 1.275, 3 dan 1.125, 4 eve 0";
        QTest::newRow("authors of gemm") << "gemm" << "" << "baseline" << false << "1 ann 1.275, 2 dan 1.125, 3 bob 0";
        QTest::newRow("authors of an unknown op_type") << "x" << "" << "baseline" << false << "";
        QTest::newRow("tied authors by name") << "" << "g2" << "ann" << false << "1= baseline 1.25, 1= dan 1.25";
        QTest::newRow("solutions") << "" << "" << "baseline" << true
                                   << "1 bob_n1 3, 2 ann_g1_b 1.75, 3 ann_g1_a 1.5, 4 dan_g2 1.125, 5 ann_g2 0.8, 6= bob_g1 0, 6= eve_n1 0";
        QTest::newRow("solutions of n1") << "" << "n1" << "baseline" << true << "1 bob_n1 3, 2 eve_n1 0";
    }
    void rowsOfSetQ()
    {
        QFETCH(QString, opType);
        QFETCH(QString, definition);
        QFETCH(QString, baseline);
        QFETCH(bool, bySolution);
        QFETCH(QString, rows);
        const RankingScope scope{.opType = opType.toStdString(), .definition = definition.toStdString()};
        for (const RankingRule rule : {RankingRule::Format, RankingRule::Compat}) {
            const auto table = rankTable(*m_setQ, baseline.toStdString(), scope, bySolution ? RankBy::Solution : RankBy::Author, rule);
            QVERIFY(table.has_value());
            QCOMPARE(rowsText(*table), rows);
            QVERIFY(table->rule == rule);
            QVERIFY(table->unscored.empty());
        }
    }

    void coverageIsTheShareOfTheBaselinesWorkloads()
    {
        // The baselines passed on u1, u2; v1, v2; w1.
        const auto authors = rankTable(*m_setQ, "baseline", {}, RankBy::Author);
        QVERIFY(authors.has_value());
        QVERIFY(near(authors->rows[0].coverage, 2.0 / 5));   // bob: u1, w1
        QVERIFY(near(authors->rows[1].coverage, 3.0 / 5));   // ann: u1, u2, v1
        const auto solutions = rankTable(*m_setQ, "baseline", {}, RankBy::Solution);
        QVERIFY(solutions.has_value());
        QCOMPARE(solutions->rows[4].name, std::string("ann_g2"));
        QVERIFY(near(solutions->rows[4].coverage, 0.5));
        QCOMPARE(solutions->rows[4].author, std::string("ann"));
        QCOMPARE(solutions->rows[4].definition, std::string("g2"));
    }

    void compatFailsAsAWholeWhereTheFormatListsWhatIsLeftOut()
    {
        for (const RankBy by : {RankBy::Author, RankBy::Solution}) {
            QVERIFY(!rankTable(*m_setQ, "ann", {}, by, RankingRule::Compat));
            const auto table = rankTable(*m_setQ, "ann", {}, by);
            QVERIFY(table.has_value());
            QCOMPARE(table->rows.size(), std::size_t{2});
            QCOMPARE(table->unscored.size(), std::size_t{2});
            QVERIFY(!rankTable(*m_setQ, "baseline", {.definition = "nothing"}, by));
            QVERIFY(!rankTable(*m_setQ, "baseline", {.opType = "gemm", .definition = "g1"}, by));
        }
        QVERIFY(!summarize(*m_setQ, "ann", {}, RankingRule::Compat));
        QVERIFY(summarize(*m_setQ, "ann", {}));
        const auto exact = summarize(*m_setQ, "baseline", {}, RankingRule::Compat);
        QVERIFY(exact.has_value());
        QCOMPARE(exact->ranking.authors.size(), std::size_t{4});
        QCOMPARE(summaryDocument(*exact)["rule"].get<std::string>(), std::string("flashinfer-bench"));
    }

    void anUnsoundTraceIsLeftOutAndCounted()
    {
        DatasetBuilder builder;
        builder.definition({.name = "d"}).solution({.name = "b", .definition = "d", .author = "baseline"});
        builder.solution({.name = "s", .definition = "d"}).solution({.name = "t", .definition = "d", .author = "bob"});
        addTraces(builder, "d", "b", {{"w", 2}});
        addTraces(builder, "d", "s", {{"w", 0}});
        addTraces(builder, "d", "t", {{"w", 1}});
        const auto dataset = builder.load();
        const auto table = rankTable(*dataset, "baseline", {}, RankBy::Solution);
        QVERIFY(table.has_value());
        QCOMPARE(rowsText(*table), "1 t 2");
        QVERIFY(table->unscored.empty());
        QCOMPARE(table->leftOut, std::size_t{1});
        QVERIFY(!rankTable(*dataset, "baseline", {}, RankBy::Solution, RankingRule::Compat));
    }

    void everyRankingSaysWhichRuleMadeIt()
    {
        const std::string format = describeRule(RankingRule::Format, "baseline", 1);
        const std::string compat = describeRule(RankingRule::Compat, "baseline", 1);
        QVERIFY(format != compat);
        QVERIFY(format.find("'baseline'") != std::string::npos);
        QVERIFY(format.find("mixed") == std::string::npos);
        QVERIFY(describeRule(RankingRule::Format, "baseline", 2).find("2 kinds of hardware are mixed") != std::string::npos);
        const auto table = rankTable(*m_setQ, "baseline", {}, RankBy::Author);
        QVERIFY(table.has_value());
        QCOMPARE(table->machines, std::size_t{1});
        const Json document = rankDocument(*table);
        QCOMPARE(document["rule"].get<std::string>(), std::string("format"));
        QCOMPARE(document["rule_text"].get<std::string>(), format);
        QCOMPARE(document["metric"].get<std::string>(), std::string("format"));
        QCOMPARE(document["rows"].size(), std::size_t{4});
        for (const char* key : {"rank", "tied", "name", "score", "low", "high", "definitions", "workloads", "coverage", "success_rate", "win_rate"}) {
            QVERIFY2(document["rows"][0].contains(key), key);
        }
        QVERIFY(rankText(*table).find("Rule: " + format) != std::string::npos);
        const auto summary = summarize(*m_setQ, "baseline", {.opType = "norm"});
        QVERIFY(summary.has_value());
        QVERIFY(summaryText(*summary).find("Rule: " + format) != std::string::npos);
        QVERIFY(summaryText(*summary).find("In scope: 3 total, 2 passed, 1 failed\n") != std::string::npos);
        QCOMPARE(summaryDocument(*summary)["in_scope"]["total"].get<int>(), 3);
        QCOMPARE(summaryDocument(*summary)["total"].get<int>(), 21);
    }

    void machinesThatTheFormatMixesAreCounted()
    {
        DatasetBuilder builder;
        builder.definition({.name = "d"}).definition({.name = "e", .opType = "norm"}).solution({.name = "b", .definition = "d", .author = "baseline"});
        builder.solution({.name = "s", .definition = "d"});
        builder.trace({.definition = "d", .solution = "b", .uuid = "w", .hardware = "A"});
        builder.trace({.definition = "d", .solution = "s", .uuid = "w", .hardware = "B"});
        builder.trace({.definition = "e", .solution = "x", .uuid = "w", .hardware = "C"});
        const auto dataset = builder.load();
        const auto machines = [&dataset](const RankingScope& scope) { return rankAuthorsTolerant(*dataset, "baseline", scope)->machines; };
        QCOMPARE(machines({}), std::size_t{3});
        QCOMPARE(machines({.opType = "gemm"}), std::size_t{2});
        QCOMPARE(machines({.hardware = "A"}), std::size_t{1});
    }

    void aTraceThatCannotBeTrueNeverWins()
    {
        DatasetBuilder builder;
        builder.definition({.name = "d"});
        for (const char* name : {"impossible", "honest"}) builder.solution({.name = name, .definition = "d"});
        builder.trace({.definition = "d", .solution = "impossible", .uuid = "w", .latencyMs = 0, .speedup = 1e9});
        builder.trace({.definition = "d", .solution = "honest", .uuid = "w", .latencyMs = 1, .speedup = 3});
        const auto dataset = builder.load();
        QCOMPARE(bestDocument(*dataset, {})[0]["solution"].get<std::string>(), std::string("honest"));
        QCOMPARE(bestDocument(*dataset, {}, RankingRule::Compat)[0]["solution"].get<std::string>(), std::string("impossible"));
    }

    /// Viewer features §5.4: w1 1.25, w2 1, w3 failed; on w4 the baseline failed.
    void meansOfTheReferenceTable_data()
    {
        QTest::addColumn<QString>("metric");
        QTest::addColumn<double>("score");
        QTest::newRow("geomean") << "geomean" << std::sqrt(1.25);
        QTest::newRow("mean") << "mean" << 1.125;
        QTest::newRow("median") << "median" << 1.125;
    }
    void meansOfTheReferenceTable()
    {
        QFETCH(QString, metric);
        QFETCH(double, score);
        DatasetBuilder builder;
        builder.definition({.name = "d"}).solution({.name = "B", .definition = "d", .author = "base"}).solution({.name = "S", .definition = "d", .author = "sam"});
        builder.solution({.name = "F", .definition = "d", .author = "fay"}).solution({.name = "N", .definition = "d", .author = "ned"});
        addTraces(builder, "d", "B", {{"w1", 1}, {"w2", 2}, {"w3", 4}, {"w4", 1, Status::RuntimeError}});
        addTraces(builder, "d", "S", {{"w1", 0.5}, {"w2", 2}, {"w3", 1, Status::IncorrectNumerical}, {"w4", 1}, {"w1", 0.8}});
        addTraces(builder, "d", "F", {{"w3", 1, Status::RuntimeError}});   // only failed
        addTraces(builder, "d", "N", {{"w4", 1}});                         // nothing to compare with
        const auto dataset = builder.load();
        for (const RankBy by : {RankBy::Solution, RankBy::Author}) {
            const auto table = rankTable(*dataset, "base", {}, by, RankingRule::Format, *rankMetricFromString(metric.toStdString()));
            QVERIFY(table.has_value());
            QCOMPARE(table->rows.size(), std::size_t{2});
            const RankRow& row = table->rows[0];
            QCOMPARE(row.name, std::string(by == RankBy::Solution ? "S" : "sam"));
            QVERIFY2(near(row.metrics.averageSpeedup, score), qPrintable(QString::number(row.metrics.averageSpeedup, 'g', 17)));
            QCOMPARE(row.metrics.workloads, 3);
            QCOMPARE(row.metrics.definitions, 1);
            QVERIFY(near(row.metrics.successRate, 2.0 / 3));
            QVERIFY(near(row.metrics.winRate, 1.0 / 3));
            QVERIFY(near(row.coverage, 1));
            QCOMPARE(table->rows[1].metrics.averageSpeedup, 0.0);
            QCOMPARE(table->rows[1].metrics.successRate, 0.0);
            QVERIFY(near(table->rows[1].coverage, 0.25));
            const Json document = rankDocument(*table);
            QCOMPARE(document["metric"].get<std::string>(), metric.toStdString());
            QCOMPARE(document["rule"].get<std::string>(), std::string("newest"));
            QVERIFY(document["rule_text"].get<std::string>().find("'base'") != std::string::npos);
            QVERIFY(rankText(*table).find("on the same hardware") != std::string::npos);
        }
    }

    /// Traces of one machine are compared with the baseline's on that machine only.
    void meansDoNotMixMachines()
    {
        DatasetBuilder builder;
        builder.definition({.name = "d"}).definition({.name = "e"}).solution({.name = "b", .definition = "d", .author = "baseline"}).solution({.name = "c", .definition = "e", .author = "baseline"});
        builder.solution({.name = "s", .definition = "d", .author = "sam"}).solution({.name = "t", .definition = "e", .author = "sam"});
        builder.trace({.definition = "d", .solution = "b", .uuid = "w", .latencyMs = 8, .hardware = "A"});
        builder.trace({.definition = "d", .solution = "s", .uuid = "w", .latencyMs = 2, .hardware = "A"});
        builder.trace({.definition = "d", .solution = "s", .uuid = "x", .latencyMs = 1, .hardware = "B"});
        builder.trace({.definition = "e", .solution = "c", .uuid = "y", .latencyMs = 1, .hardware = "B"});
        builder.trace({.definition = "e", .solution = "t", .uuid = "y", .latencyMs = 1, .hardware = "B"});
        const auto dataset = builder.load();
        const auto table = rankTable(*dataset, "baseline", {}, RankBy::Author, RankingRule::Format, RankMetric::GeometricMean);
        QVERIFY(table.has_value());
        QCOMPARE(rowsText(*table), QString("1 sam 2"));   // the root of 4 · 1
        QCOMPARE(table->rows[0].metrics.definitions, 2);
        QCOMPARE(table->rows[0].metrics.workloads, 2);
        QVERIFY(near(table->rows[0].coverage, 1));
        const auto onA = rankTable(*dataset, "baseline", {.hardware = "A"}, RankBy::Author, RankingRule::Format, RankMetric::Median);
        QVERIFY(onA.has_value());
        QCOMPARE(rowsText(*onA), QString("1 sam 4"));
    }

    /// Whatever a report makes of the traces that a policy selects, it makes of a dataset that has no others.
    void aPolicyIsADatasetWithoutTheOtherTraces_data()
    {
        QTest::addColumn<QString>("policy");
        for (const std::string& name : selectionPolicyNames()) QTest::newRow(name.c_str()) << QString::fromStdString(name);
    }
    void aPolicyIsADatasetWithoutTheOtherTraces()
    {
        QFETCH(QString, policy);
        const SelectionPolicy selected = *selectionPolicyFromString(policy.toStdString());
        std::mt19937 random(20260101);
        std::vector<TraceSpec> specs;
        for (int i = 0; i < 400; ++i) {
            const std::string definition = random() % 2 == 0 ? "d" : "e";
            const char* const names[] = {"_base", "_s", "_t", "_u"};
            specs.push_back({.definition = definition, .solution = definition + names[random() % 4], .uuid = definition + std::to_string(random() % 5),
                             .latencyMs = 1 + static_cast<double>(random() % 1000) / 100,
                             .status = random() % 5 == 0 ? Status::RuntimeError : Status::Passed, .hardware = random() % 3 == 0 ? "B" : "A",
                             .timestamp = QString("2026-01-%1T00:00:00").arg(1 + random() % 28, 2, 10, QChar('0')).toStdString()});
        }
        const auto load = [](DatasetBuilder& builder, const std::vector<TraceSpec>& traces) {
            for (const std::string definition : {"d", "e"}) {
                builder.definition({.name = definition, .opType = definition == "d" ? "gemm" : "norm"});
                builder.solution({.name = definition + "_base", .definition = definition, .author = "baseline"});
                builder.solution({.name = definition + "_s", .definition = definition, .author = "ann"}).solution({.name = definition + "_t", .definition = definition, .author = "ann"});
                builder.solution({.name = definition + "_u", .definition = definition, .author = "bob"});
                // What could have been measured is in the files, whichever traces there are.
                for (int i = 0; i < 5; ++i) builder.workload({.definition = definition, .uuid = definition + std::to_string(i)});
            }
            for (const TraceSpec& trace : traces) builder.trace(trace);
            return builder.load();
        };
        DatasetBuilder allBuilder;
        const auto all = datasetFor(load(allBuilder, specs), {selected});
        std::map<const TraceSpec*, double> pools;
        // The slow way: of each pair's traces, in load order, the one that the policy's words describe.
        std::map<std::array<std::string, 3>, std::vector<const TraceSpec*>> pairs;
        for (const TraceSpec& spec : specs) pairs[{spec.solution, spec.uuid, spec.hardware}].push_back(&spec);
        std::set<const TraceSpec*> kept;
        const std::string newest = std::max_element(specs.begin(), specs.end(), [](const TraceSpec& a, const TraceSpec& b) { return a.timestamp < b.timestamp; })->timestamp;
        for (const auto& [pair, traces] : pairs) {
            std::vector<const TraceSpec*> byTime = traces;
            std::stable_sort(byTime.begin(), byTime.end(), [](const auto* a, const auto* b) { return a->timestamp < b->timestamp; });
            std::vector<const TraceSpec*> passed;
            std::copy_if(byTime.begin(), byTime.end(), std::back_inserter(passed), [](const auto* spec) { return spec->status == Status::Passed; });
            std::vector<const TraceSpec*> byLatency = passed;
            std::stable_sort(byLatency.begin(), byLatency.end(), [](const auto* a, const auto* b) { return a->latencyMs < b->latencyMs; });
            if (selected == SelectionPolicy::All) kept.insert(traces.begin(), traces.end());
            else if (selected == SelectionPolicy::PinnedRun) {
                // Runs are days here; the newest one is pinned.
                if (byTime.back()->timestamp == newest) kept.insert(byTime.back());
            }
            else if (selected == SelectionPolicy::Newest || passed.empty()) kept.insert(byTime.back());
            else if (selected == SelectionPolicy::Pooled) {
                std::vector<double> latencies;
                for (const TraceSpec* trace : passed) latencies.push_back(trace->latencyMs);
                kept.insert(passed.back());
                pools[passed.back()] = median(latencies);
            }
            else if (selected == SelectionPolicy::NewestPassing) kept.insert(passed.back());
            else if (selected == SelectionPolicy::LowestMedian) kept.insert(byLatency.front());
            else kept.insert(byLatency[(byLatency.size() - 1) / 2]);
        }
        std::vector<TraceSpec> fewer;
        for (const TraceSpec& spec : specs) {
            if (!kept.contains(&spec)) continue;
            fewer.push_back(spec);
            if (const auto pool = pools.find(&spec); pool != pools.end()) fewer.back().latencyMs = pool->second;
        }
        DatasetBuilder fewBuilder;
        const auto few = load(fewBuilder, fewer);
        for (const std::string hardware : {"", "A"}) {
            const RankingScope scope{.hardware = hardware, .policy = selected};
            const RankingScope plain{.hardware = hardware};
            for (const RankBy by : {RankBy::Author, RankBy::Solution}) {
                for (const RankMetric metric : {RankMetric::Format, RankMetric::GeometricMean, RankMetric::Mean, RankMetric::Median}) {
                    const auto table = rankTable(*all, "baseline", scope, by, RankingRule::Format, metric);
                    const auto expected = rankTable(*few, "baseline", plain, by, RankingRule::Format, metric);
                    QVERIFY(table.has_value() && expected.has_value());
                    QVERIFY(!table->rows.empty());
                    const std::string found = rankDocument(*table)["rows"].dump();
                    const std::string wanted = rankDocument(*expected)["rows"].dump();
                    QVERIFY2(found == wanted, (found + "\n" + wanted).c_str());
                }
                for (const FastPPreset preset : {FastPPreset::Site, FastPPreset::WinP, FastPPreset::KernelBench}) {
                    const auto report = fastP(*all, preset, by, "baseline", scope);
                    const auto expected = fastP(*few, preset, by, "baseline", plain);
                    QVERIFY(report.has_value() && expected.has_value());
                    QCOMPARE(fastPDocument(*report, {0.95, 1}, false)["curves"].dump(), fastPDocument(*expected, {0.95, 1}, false)["curves"].dump());
                }
            }
            QCOMPARE(bestDocument(*all, scope).dump(), bestDocument(*few, plain).dump());
            const auto summary = summarize(*all, "baseline", scope);
            const auto expected = summarize(*few, "baseline", plain);
            QVERIFY(summary.has_value() && expected.has_value());
            QCOMPARE(summary->totalInScope, expected->totalInScope);
            QCOMPARE(summary->passedInScope, expected->passedInScope);
            QCOMPARE(summary->total, specs.size());
        }
        const auto described = rankTable(*all, "baseline", {.policy = selected}, RankBy::Author);
        QVERIFY(described.has_value());
        QCOMPARE(described->ruleText().find(describePolicy(selected)) != std::string::npos, selected != SelectionPolicy::All);
        QCOMPARE(rankDocument(*described)["scope"]["policy"].get<std::string>(), std::string(toString(selected)));
    }

    void metricsHaveNames()
    {
        for (const char* name : {"format", "geomean", "mean", "median"}) QCOMPARE(std::string(toString(*rankMetricFromString(name))), std::string(name));
        QVERIFY(!rankMetricFromString("vibes"));
        for (const RankMetric metric : {RankMetric::GeometricMean, RankMetric::Mean, RankMetric::Median}) {
            const auto refused = rankTable(*m_setQ, "baseline", {}, RankBy::Author, RankingRule::Compat, metric);
            QVERIFY(!refused);
            QVERIFY(refused.error().code == ErrorCode::Usage);
            QVERIFY(!rankTable(*m_setQ, "baseline", {.definition = "nothing"}, RankBy::Author, RankingRule::Format, metric));
        }
    }

private:
    std::shared_ptr<const Dataset> m_setQ;
};

QTEST_GUILESS_MAIN(TestRankTable)
#include "test_rank_table.moc"
