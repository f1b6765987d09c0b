// SPDX-License-Identifier: GPL-3.0-or-later
// Figures and names that every reader of the format takes and that cannot be true.
#include <QFile>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/report/report.h"
#include "core/report/validation.h"
#include "tests/support/dataset_builder.h"

using namespace tracedeck;
using tracedeck::test::DatasetBuilder;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// The baseline takes 1 ms on w1 and w2. `figure` stands for the latency of the solution "odd" on w1.
void fill(DatasetBuilder& builder, const std::string& figure)
{
    builder.definition({.name = "d"});
    builder.solution({.name = "base", .definition = "d", .author = "baseline"});
    builder.solution({.name = "honest", .definition = "d", .author = "ann"}).solution({.name = "odd", .definition = "d", .author = "bob"});
    for (const char* uuid : {"w1", "w2"}) {
        builder.workload({.definition = "d", .uuid = uuid});
        builder.trace({.definition = "d", .solution = "base", .uuid = uuid, .latencyMs = 1});
        builder.trace({.definition = "d", .solution = "honest", .uuid = uuid, .latencyMs = 0.5});
    }
    builder.trace({.definition = "d", .solution = "odd", .uuid = "w2", .latencyMs = 0.8});
    // The figure is put in by hand, so that odd ones arrive as they are.
    std::string line = Json({{"definition", "d"},
                             {"workload", {{"axes", {{"M", 1}}}, {"inputs", {{"x", {{"type", "random"}}}}}, {"uuid", "w1"}}},
                             {"solution", "odd"},
                             {"evaluation",
                              {{"status", "PASSED"},
                               {"environment", {{"hardware", "Test CPU"}, {"libs", Json::object()}}},
                               {"timestamp", "2026-01-01T00:00:00"},
                               {"log", ""},
                               {"correctness", {{"max_relative_error", 0}, {"max_absolute_error", 0}, {"extra", nullptr}}},
                               {"performance", {{"latency_ms", "@@"}, {"reference_latency_ms", 2}, {"speedup_factor", 1000}}}}}})
                           .dump();
    line.replace(line.find("\"@@\""), 4, figure);
    builder.line("traces/bob/gemm/d.jsonl", line);
}

const Problem* problemAt(const Dataset& dataset, const std::string& field)
{
    for (const Problem& problem : dataset.problems()) {
        if (problem.error.field == field) return &problem;
    }
    return nullptr;
}

const RankRow* rowOf(const RankTable& table, const std::string& name)
{
    for (const RankRow& row : table.rows) {
        if (row.name == name) return &row;
    }
    return nullptr;
}

}  // namespace

class TestPlausibleTraces : public QObject {
    Q_OBJECT
private slots:
    void oneRuleSaysWhichLatenciesCanBeTrue_data()
    {
        QTest::addColumn<double>("latencyMs");
        QTest::addColumn<bool>("usable");
        QTest::newRow("a kernel") << 0.0123 << true;
        QTest::newRow("least") << 1e-9 << true;
        QTest::newRow("below the least") << 9e-10 << false;
        QTest::newRow("subnormal") << 1e-320 << false;
        QTest::newRow("zero") << 0.0 << false;
        QTest::newRow("minus zero") << -0.0 << false;
        QTest::newRow("negative") << -1.0 << false;
        QTest::newRow("greatest") << 1e12 << true;
        QTest::newRow("above the greatest") << 1.1e12 << false;
        QTest::newRow("infinite") << kInfinity << false;
        QTest::newRow("no number") << kNaN << false;
    }
    void oneRuleSaysWhichLatenciesCanBeTrue()
    {
        QFETCH(double, latencyMs);
        QFETCH(bool, usable);
        QCOMPARE(isUsableLatency(latencyMs), usable);
    }

    void anImpossibleLatencyIsToldAndNotUsed_data()
    {
        QTest::addColumn<QByteArray>("figure");
        QTest::newRow("subnormal") << QByteArray("1e-320");
        QTest::newRow("zero") << QByteArray("0.0");
        QTest::newRow("zero, an integer") << QByteArray("0");
        QTest::newRow("tiny") << QByteArray("1e-12");
        QTest::newRow("huge") << QByteArray("1e300");
        QTest::newRow("infinite") << QByteArray("\"Infinity\"");
        QTest::newRow("infinite, bare") << QByteArray("Infinity");
    }
    void anImpossibleLatencyIsToldAndNotUsed()
    {
        QFETCH(QByteArray, figure);
        DatasetBuilder builder;
        fill(builder, figure.toStdString());
        const auto dataset = builder.load();
        QCOMPARE(dataset->traces().size(), std::size_t{6});   // it is shown
        const Problem* problem = problemAt(*dataset, "evaluation.performance.latency_ms");
        QVERIFY(problem != nullptr);
        QVERIFY(problem->severity == Severity::Warning && !problem->isRepair);
        QVERIFY(problem->error.file.ends_with("traces/bob/gemm/d.jsonl"));
        QCOMPARE(problem->error.line, std::int64_t{2});
        QVERIFY(problem->error.reason.find("measure again") != std::string::npos);

        // bob keeps the score of what can be true: 1 ÷ 0.8 on w2.
        for (const RankBy by : {RankBy::Author, RankBy::Solution}) {
            const auto table = rankTable(*dataset, "baseline", {}, by);
            QVERIFY(table);
            QCOMPARE(table->leftOut, std::size_t{1});
            const RankRow* odd = rowOf(*table, by == RankBy::Author ? "bob" : "odd");
            QVERIFY(odd != nullptr);
            QCOMPARE(odd->metrics.averageSpeedup, 1.25);
            QCOMPARE(odd->metrics.workloads, 1);
            QCOMPARE(odd->rank, 2);
            QVERIFY(rankText(*table).find("1 PASSED trace not used") != std::string::npos);
            QCOMPARE(rankDocument(*table)["unusable_latencies"].get<int>(), 1);
        }
        const auto summary = summarize(*dataset, "baseline", {});
        QVERIFY(summary);
        QCOMPARE(summaryDocument(*summary)["unusable_latencies"].get<int>(), 1);
        QVERIFY(summaryText(*summary).find("1 PASSED trace not used") != std::string::npos);
        QCOMPARE(countUnusableLatencies(*dataset, {}), std::size_t{1});
        QCOMPARE(countUnusableLatencies(*dataset, {.opType = "gemm"}), std::size_t{1});
        QCOMPARE(countUnusableLatencies(*dataset, {.opType = "norm"}), std::size_t{0});
        QCOMPARE(countUnusableLatencies(*dataset, {.hardware = "Other"}), std::size_t{0});

        QCOMPARE(bestDocument(*dataset, {})[0]["solution"].get<std::string>(), std::string("honest"));
        QVERIFY(bestText(*dataset, {}).find("1 PASSED trace not used") != std::string::npos);
        for (const FastPPreset preset : {FastPPreset::Site, FastPPreset::WinP, FastPPreset::KernelBench}) {
            const auto curves = fastP(*dataset, preset, RankBy::Solution, "baseline", {});
            QVERIFY(curves);
            QCOMPARE(curves->leftOut, std::size_t{1});
            for (const FastPCurve& curve : curves->curves) {
                for (const double ratio : curve.ratios) QVERIFY(std::isfinite(ratio) && ratio <= 2);
            }
        }
        for (const ChartMeasure measure : {ChartMeasure::LatencyMs, ChartMeasure::SpeedupToReference, ChartMeasure::RatioToBaseline}) {
            for (const Series& series : chartSeries(*dataset, "d", "", measure, "", "base", SelectionPolicy::LowestMedian)) {
                QCOMPARE(series.points.size(), std::size_t{series.solution == "odd" ? 1U : 2U});
            }
        }
        const std::string csv = csvReport(*dataset, filterTraces(*dataset, {}));
        QCOMPARE(QString::fromStdString(csv).count(",false\n"), 1);
        QCOMPARE(QString::fromStdString(csv).count(",true\n"), 5);

        const auto validated = validateDataset({builder.root(), std::nullopt, true, {}, {}});
        QVERIFY(validated && validated->datasetCheck);
        QVERIFY(validated->status() == CheckLevel::Error);
        const auto& findings = validated->datasetCheck->findings;
        const auto finding = std::find_if(findings.begin(), findings.end(), [](const auto& one) { return one.kind == "unusable-latency"; });
        QVERIFY(finding != findings.end());
        QCOMPARE(finding->file, std::string("traces/bob/gemm/d.jsonl"));
        QCOMPARE(finding->line, std::int64_t{2});
        QCOMPARE(finding->field, std::string("evaluation.performance.latency_ms"));
        QCOMPARE(parseValidationReport(validationDocument(*validated).dump())->datasetCheck->findings == findings, true);
    }

    /// What no reader of the format takes stays out, as before.
    void numbersThatTheFormatRefusesAreLeftOut_data()
    {
        QTest::addColumn<QByteArray>("figure");
        QTest::newRow("negative") << QByteArray("-0.5");
        QTest::newRow("no number") << QByteArray("NaN");
        QTest::newRow("no number, text") << QByteArray("\"NaN\"");
        QTest::newRow("minus infinity") << QByteArray("-Infinity");
    }
    void numbersThatTheFormatRefusesAreLeftOut()
    {
        QFETCH(QByteArray, figure);
        DatasetBuilder builder;
        fill(builder, figure.toStdString());
        const auto dataset = builder.load();
        QCOMPARE(dataset->traces().size(), std::size_t{5});
        const Problem* problem = problemAt(*dataset, "evaluation.performance.latency_ms");
        QVERIFY(problem != nullptr && problem->severity == Severity::Error);
        QCOMPARE(problem->error.line, std::int64_t{2});
    }

    void compatRepeatsFlashinferBench()
    {
        DatasetBuilder builder;
        fill(builder, "1e-320");
        const auto table = rankTable(*builder.load(), "baseline", {}, RankBy::Author, RankingRule::Compat);
        QVERIFY(table);
        QCOMPARE(table->leftOut, std::size_t{0});
        QVERIFY(std::isinf(rowOf(*table, "bob")->metrics.averageSpeedup));
        DatasetBuilder zero;
        fill(zero, "0");
        QVERIFY(!rankTable(*zero.load(), "baseline", {}, RankBy::Author, RankingRule::Compat));
    }

    void sensibleTracesBringNoProblem()
    {
        DatasetBuilder builder;
        fill(builder, "0.4");
        const auto dataset = builder.load();
        QVERIFY(dataset->problems().empty());
        QCOMPARE(rankTable(*dataset, "baseline", {}, RankBy::Author)->leftOut, std::size_t{0});
        QVERIFY(rankText(*rankTable(*dataset, "baseline", {}, RankBy::Author)).find("not used") == std::string::npos);
    }

    void oddTimesAndFactorsAreTold_data()
    {
        QTest::addColumn<QByteArray>("from");
        QTest::addColumn<QByteArray>("to");
        QTest::addColumn<QString>("field");
        QTest::newRow("no time") << QByteArray("2026-01-01T00:00:00") << QByteArray("yesterday") << "evaluation.timestamp";
        QTest::newRow("no such day") << QByteArray("2026-01-01T00:00:00") << QByteArray("2026-02-30T00:00:00") << "evaluation.timestamp";
        QTest::newRow("reference") << QByteArray("\"reference_latency_ms\":2") << QByteArray("\"reference_latency_ms\":1e-320")
                                   << "evaluation.performance.reference_latency_ms";
        QTest::newRow("speedup") << QByteArray("\"speedup_factor\":1000") << QByteArray("\"speedup_factor\":\"Infinity\"")
                                 << "evaluation.performance.speedup_factor";
        QTest::newRow("reference that was not timed") << QByteArray("\"reference_latency_ms\":2,\"speedup_factor\":1000")
                                                      << QByteArray("\"reference_latency_ms\":0,\"speedup_factor\":0") << "";
    }
    void oddTimesAndFactorsAreTold()
    {
        QFETCH(QByteArray, from);
        QFETCH(QByteArray, to);
        QFETCH(QString, field);
        DatasetBuilder source;
        fill(source, "0.4");
        QFile file(QString::fromStdString((source.root() / "traces/bob/gemm/d.jsonl").string()));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QByteArrayList lines = file.readAll().split('\n');
        lines[1].replace(from, to);
        source.file("traces/bob/gemm/d.jsonl", lines.join('\n').toStdString());
        const auto dataset = source.load();
        if (field.isEmpty()) {
            QVERIFY(dataset->problems().empty());
            return;
        }
        const Problem* problem = problemAt(*dataset, field.toStdString());
        QVERIFY(problem != nullptr);
        QVERIFY(problem->severity == Severity::Warning);
        QCOMPARE(problem->error.line, std::int64_t{2});
        const auto validated = validateDataset({source.root(), std::nullopt, true, {}, {}});
        QVERIFY(validated);
        const auto& findings = validated->datasetCheck->findings;
        QVERIFY(std::any_of(findings.begin(), findings.end(),
                            [&](const auto& one) { return one.field == field.toStdString() && one.line == 2 && one.level == CheckLevel::Warning; }));
    }

    void namesThatNoFileCanHaveAreTold_data()
    {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<QString>("kind");
        QTest::newRow("leads up") << QByteArray("../x") << "unsafe-name";
        QTest::newRow("path") << QByteArray("a/b") << "unsafe-name";
        QTest::newRow("absolute") << QByteArray("/tmp/x") << "unsafe-name";
        QTest::newRow("NUL") << QByteArray("a\0b", 3) << "unsafe-name";
        QTest::newRow("right-to-left") << QByteArray("a\xE2\x80\xAE" "b") << "deceptive-name";
        QTest::newRow("control") << QByteArray("a\x1B" "b") << "deceptive-name";
    }
    void namesThatNoFileCanHaveAreTold()
    {
        QFETCH(QByteArray, name);
        QFETCH(QString, kind);
        DatasetBuilder builder;
        builder.definition({.name = "d"});
        const std::string path = "definitions/gemm/d.json";
        QFile file(QString::fromStdString((builder.root() / path).string()));
        QVERIFY(file.open(QIODevice::ReadOnly));
        Json json = Json::parse(file.readAll().toStdString());
        json["name"] = name.toStdString();
        builder.file(path, json.dump());
        const auto dataset = builder.load();
        QCOMPARE(dataset->definitions().size(), std::size_t{1});
        const Problem* problem = problemAt(*dataset, "name");
        QVERIFY(problem != nullptr && problem->severity == Severity::Warning);
        QVERIFY(problem->error.file.ends_with(path));
        const auto validated = validateDataset({builder.root(), std::nullopt, true, {}, {}});
        QVERIFY(validated);
        const auto& findings = validated->datasetCheck->findings;
        QVERIFY(std::any_of(findings.begin(), findings.end(), [&](const auto& one) { return one.kind == kind.toStdString() && one.field == "name"; }));
    }

    /// `info` says of each problem whether it is a repair, and counts lines, not kinds.
    void onlyRepairsCountAsRepairs()
    {
        DatasetBuilder builder;
        fill(builder, "0");
        for (const char* uuid : {"w1", "w2"}) {
            const Json line = {{"definition", "d"},
                               {"workload", {{"axes", {{"M", 1}}}, {"inputs", Json::object()}, {"uuid", uuid}}},
                               {"solution", "honest"},
                               {"evaluation",
                                {{"status", "incorrect"},
                                 {"environment", {{"hardware", "h"}, {"libs", Json::object()}}},
                                 {"timestamp", "2026-01-01T00:00:00"},
                                 {"log", ""},
                                 {"correctness", Json::object()},
                                 {"performance", nullptr}}}};
            builder.line("traces/ann/gemm/old.jsonl", line.dump());
        }
        builder.line("traces/ann/gemm/bad.jsonl", "{").line("traces/ann/gemm/bad.jsonl", "[]");
        const std::string text = infoText(*builder.load());
        QVERIFY2(text.find("2 left out, 2 read with a repair, 1 to look at\n") != std::string::npos, text.c_str());
        const Json document = infoDocument(*builder.load());
        int repaired = 0;
        for (const Json& problem : document["problems"]) repaired += problem["repaired"].get<bool>() ? problem["count"].get<int>() : 0;
        QCOMPARE(repaired, 2);
    }
};

QTEST_GUILESS_MAIN(TestPlausibleTraces)
#include "test_plausible_traces.moc"
