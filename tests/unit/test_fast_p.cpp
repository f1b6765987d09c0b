// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <cmath>

#include "core/report/report.h"
#include "core/score/fast_p.h"
#include "tests/support/dataset_builder.h"

using namespace tracedeck;
using tracedeck::test::DatasetBuilder;

namespace {

bool near(double actual, double expected)
{
    return std::abs(actual - expected) <= 1e-12 * std::max(1.0, std::abs(expected));
}

/// The reference table of viewer features §5.4: baseline B, solution S, workloads w1 to w4.
DatasetBuilder& addReferenceTable(DatasetBuilder& builder)
{
    builder.definition({.name = "d"}).solution({.name = "B", .definition = "d", .author = "baseline"}).solution({.name = "S", .definition = "d", .author = "sam"});
    for (const char* uuid : {"w1", "w2", "w3", "w4"}) builder.workload({.definition = "d", .uuid = uuid});
    const auto add = [&builder](const char* solution, const char* uuid, double latencyMs, Status status, const char* time) {
        builder.trace({.definition = "d", .solution = solution, .uuid = uuid, .latencyMs = latencyMs, .status = status, .timestamp = time});
    };
    add("B", "w1", 1, Status::Passed, "2026-01-01T00:00:00");
    add("B", "w2", 2, Status::Passed, "2026-01-01T00:00:00");
    add("B", "w3", 4, Status::Passed, "2026-01-01T00:00:00");
    add("B", "w4", 0, Status::RuntimeError, "2026-01-01T00:00:00");
    add("S", "w1", 0.5, Status::Passed, "2026-01-01T00:00:00");
    add("S", "w2", 2, Status::Passed, "2026-01-01T00:00:00");
    add("S", "w3", 0, Status::IncorrectNumerical, "2026-01-01T00:00:00");
    add("S", "w4", 1, Status::Passed, "2026-01-01T00:00:00");
    add("S", "w1", 0.8, Status::Passed, "2026-01-02T00:00:00");
    return builder;
}

std::shared_ptr<const Dataset> loadReferenceTable()
{
    DatasetBuilder builder;
    return addReferenceTable(builder).load();
}

FastPReport reportOf(const Dataset& dataset, FastPPreset preset, RankBy by, const RankingScope& scope = {}, const std::string& baseline = "baseline")
{
    auto report = fastP(dataset, preset, by, baseline, scope);
    if (!report) throw std::runtime_error(report.error().toString());
    return *std::move(report);
}

const FastPCurve* curveOf(const FastPReport& report, const std::string& name)
{
    for (const FastPCurve& curve : report.curves) {
        if (curve.name == name) return &curve;
    }
    return nullptr;
}

QString stepsText(const FastPReport& report, const FastPCurve& curve)
{
    QStringList parts;
    for (const auto& [p, share] : report.steps(curve)) parts << QString("%1:%2").arg(p).arg(share, 0, 'f', 3);
    return parts.join(' ');
}

}  // namespace

class TestFastP : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { m_reference = loadReferenceTable(); }

    void siteCurveOfTheReferenceTable_data()
    {
        QTest::addColumn<double>("p");
        QTest::addColumn<double>("exact");
        QTest::addColumn<double>("sampled");
        QTest::newRow("0") << 0.0 << 1.0 << 1.0;
        QTest::newRow("0.95") << 0.95 << 2.0 / 3 << 2.0 / 3;
        QTest::newRow("1: the site loses the tie") << 1.0 << 2.0 / 3 << 1.0 / 3;
        QTest::newRow("1.25: the site loses the tie") << 1.25 << 1.0 / 3 << 0.0;
        QTest::newRow("beyond") << 9.0 << 0.0 << 0.0;
    }
    void siteCurveOfTheReferenceTable()
    {
        QFETCH(double, p);
        QFETCH(double, exact);
        QFETCH(double, sampled);
        for (const RankBy by : {RankBy::Solution, RankBy::Author}) {
            const FastPReport report = reportOf(*m_reference, FastPPreset::Site, by);
            QCOMPARE(report.groups, std::size_t{3});
            QCOMPARE(report.curves.size(), std::size_t{1});
            const FastPCurve& curve = report.curves[0];
            QCOMPARE(curve.name, std::string(by == RankBy::Author ? "sam" : "S"));
            QCOMPARE(curve.greatestRatio, 2.0);   // of the pass that a later one replaced
            QCOMPARE(curve.attempted, std::size_t{3});
            QVERIFY(near(curve.coverage, 1));
            QVERIFY(near(report.shareAt(curve, p), exact));
            QVERIFY(near(report.sampledShareAt(curve, p), sampled));
            QCOMPARE(stepsText(report, curve), "0:1.000 1:0.667 1.25:0.333");
        }
    }

    void winAtPOfTheReferenceTable()
    {
        const FastPReport report = reportOf(*m_reference, FastPPreset::WinP, RankBy::Author);
        QCOMPARE(report.groups, std::size_t{4});
        QCOMPARE(report.fallbackGroups, std::size_t{1});
        const FastPCurve* sam = curveOf(report, "sam");
        const FastPCurve* baseline = curveOf(report, "baseline");
        QVERIFY(sam != nullptr && baseline != nullptr);
        QCOMPARE(sam->total, std::size_t{3});
        QCOMPARE(sam->countAbove(1), std::size_t{1});
        QVERIFY(near(report.shareAt(*sam, 1), 1.0 / 3));
        QCOMPARE(sam->ratios, (std::vector<double>{1, 2}));
        QCOMPARE(stepsText(report, *sam), "0:0.667 1:0.333 2:0.000");
        QCOMPARE(baseline->total, std::size_t{1});
        QCOMPARE(baseline->countAbove(0), std::size_t{0});
        QCOMPARE(report.curves[0].name, std::string("sam"));   // greatest median first
        const FastPReport bySolution = reportOf(*m_reference, FastPPreset::WinP, RankBy::Solution, {}, "BaseLine");
        const FastPCurve* s = curveOf(bySolution, "S");
        QVERIFY(s != nullptr);
        QCOMPARE(s->ratios, (std::vector<double>{1, 2}));   // the name of the baseline author counts in any case
        const FastPReport unknown = reportOf(*m_reference, FastPPreset::WinP, RankBy::Author, {}, "nobody");
        QCOMPARE(unknown.fallbackGroups, std::size_t{4});
    }

    void kernelBenchOfTheReferenceTable()
    {
        const FastPReport report = reportOf(*m_reference, FastPPreset::KernelBench, RankBy::Author);
        QCOMPARE(report.groups, std::size_t{4});
        QCOMPARE(report.curves.size(), std::size_t{1});
        const FastPCurve& curve = report.curves[0];
        QCOMPARE(curve.ratios, (std::vector<double>{1, 1.25}));
        QCOMPARE(curve.total, std::size_t{4});
        QVERIFY(near(report.shareAt(curve, 1), 0.25));
        QVERIFY(near(report.shareAt(curve, 0), 0.5));
        QVERIFY(curve.geometricMean.has_value());
        QVERIFY(near(*curve.geometricMean, std::sqrt(1.25)));   // 1.118: newest trace, passed and baseline valid
    }

    void ranksAtPShowTies()
    {
        DatasetBuilder builder;
        addReferenceTable(builder).solution({.name = "T", .definition = "d", .author = "tom"}).solution({.name = "U", .definition = "d", .author = "uma"});
        for (const char* uuid : {"w1", "w2", "w3"}) {
            builder.trace({.definition = "d", .solution = "T", .uuid = uuid, .latencyMs = 0.1});
            builder.trace({.definition = "d", .solution = "U", .uuid = uuid, .latencyMs = 0.1});
        }
        const FastPReport report = reportOf(*builder.load(), FastPPreset::Site, RankBy::Solution);
        const auto describe = [&report](double p, bool sampled) {
            QStringList parts;
            for (const FastPRank& rank : rankAtP(report, p, sampled)) parts << QString("%1%2 %3 %4/%5").arg(rank.rank).arg(rank.tied ? "=" : "").arg(QString::fromStdString(report.curves[rank.curve].name)).arg(rank.wins).arg(report.curves[rank.curve].total);
            return parts.join(", ");
        };
        QCOMPARE(describe(1, false), QStringLiteral("1= T 3/3, 1= U 3/3, 3 S 2/3"));
        QCOMPARE(describe(0, false), QStringLiteral("1= S 3/3, 1= T 3/3, 1= U 3/3"));
        // The site's picture loses S's tie with 1.
        QCOMPARE(rankAtP(*std::make_unique<FastPReport>(reportOf(*m_reference, FastPPreset::Site, RankBy::Solution)), 1, true)[0].wins, std::size_t{1});
    }

    /// Made with the script's own rules on the same table: p of all authors, strict, nine digits.
    void winAtPTableIsThatOfTheScript()
    {
        const FastPReport report = reportOf(*m_reference, FastPPreset::WinP, RankBy::Author);
        QCOMPARE(QString::fromStdString(winAtPCsv(report)), QStringLiteral("author,p,win_ratio,n_total,n_wins\nsam,1,0.333333333,3,1\nsam,2,0,3,0\nbaseline,1,0,1,0\nbaseline,2,0,1,0\n"));
        QCOMPARE(winAtPCsv(FastPReport()), std::string("author,p,win_ratio,n_total,n_wins\n"));
    }

    void kernelBenchCountsWhatNobodyTriedAsFailed()
    {
        DatasetBuilder builder;
        addReferenceTable(builder).workload({.definition = "d", .uuid = "w5"}).definition({.name = "e"});
        builder.solution({.name = "Be", .definition = "e", .author = "baseline"}).solution({.name = "Se", .definition = "e", .author = "sam"});
        builder.workload({.definition = "e", .uuid = "x1"});
        const auto dataset = builder.load();
        const FastPReport byAuthor = reportOf(*dataset, FastPPreset::KernelBench, RankBy::Author);
        QCOMPARE(byAuthor.groups, std::size_t{6});
        QVERIFY(near(byAuthor.shareAt(byAuthor.curves[0], 1), 1.0 / 6));
        const FastPReport bySolution = reportOf(*dataset, FastPPreset::KernelBench, RankBy::Solution);
        QCOMPARE(curveOf(bySolution, "S")->total, std::size_t{5});
        QCOMPARE(curveOf(bySolution, "Se")->total, std::size_t{1});
        QCOMPARE(curveOf(bySolution, "Se")->attempted, std::size_t{0});
    }

    void kernelBenchComparesOnOneMachineOnly()
    {
        DatasetBuilder builder;
        builder.definition({.name = "d"}).solution({.name = "B", .definition = "d", .author = "baseline"}).solution({.name = "S", .definition = "d"});
        builder.trace({.definition = "d", .solution = "B", .uuid = "w", .latencyMs = 4, .hardware = "A"});
        builder.trace({.definition = "d", .solution = "S", .uuid = "w", .latencyMs = 1, .hardware = "B"});
        const auto dataset = builder.load();
        const FastPReport report = reportOf(*dataset, FastPPreset::KernelBench, RankBy::Solution);
        QVERIFY(report.curves[0].ratios.empty());
        QCOMPARE(report.curves[0].attempted, std::size_t{1});
        QCOMPARE(reportOf(*dataset, FastPPreset::Site, RankBy::Solution).curves[0].ratios, (std::vector<double>{4}));
        QVERIFY(reportOf(*dataset, FastPPreset::Site, RankBy::Solution, {.hardware = "B"}).curves.empty());
    }

    void theSitesBaselineIsItsFirstTraceWhateverItsStatus()
    {
        DatasetBuilder builder;
        builder.definition({.name = "d"}).solution({.name = "B", .definition = "d", .author = "baseline"}).solution({.name = "S", .definition = "d"});
        builder.trace({.definition = "d", .solution = "B", .uuid = "w", .latencyMs = 2});
        builder.trace({.definition = "d", .solution = "B", .uuid = "w", .latencyMs = 8});
        builder.trace({.definition = "d", .solution = "S", .uuid = "w", .latencyMs = 1});
        builder.trace({.definition = "d", .solution = "S", .uuid = "w", .status = Status::Timeout});   // does not override the pass
        const FastPReport report = reportOf(*builder.load(), FastPPreset::Site, RankBy::Solution);
        QCOMPARE(report.curves[0].ratios, (std::vector<double>{2}));
    }

    void authorsArePooledAndUntriedSolutionsLowerTheirCoverage()
    {
        DatasetBuilder builder;
        addReferenceTable(builder).solution({.name = "T", .definition = "d", .author = "sam"}).solution({.name = "U", .definition = "d", .author = "sam"});
        builder.trace({.definition = "d", .solution = "T", .uuid = "w1", .latencyMs = 0.25});
        const FastPReport report = reportOf(*builder.load(), FastPPreset::Site, RankBy::Author);
        QCOMPARE(report.curves.size(), std::size_t{1});
        QCOMPARE(report.curves[0].attempted, std::size_t{4});
        QVERIFY(near(report.curves[0].coverage, 4.0 / 9));
        QVERIFY(near(report.shareAt(report.curves[0], 1.25), 0.5));
    }

    void definitionsWithoutASingleBaselineAreListed()
    {
        DatasetBuilder builder;
        addReferenceTable(builder).definition({.name = "e"}).solution({.name = "Se", .definition = "e", .author = "sam"});
        builder.trace({.definition = "e", .solution = "Se", .uuid = "x"});
        const auto dataset = builder.load();
        for (const FastPPreset preset : {FastPPreset::Site, FastPPreset::KernelBench}) {
            const FastPReport report = reportOf(*dataset, preset, RankBy::Author);
            QCOMPARE(report.unscored.size(), std::size_t{1});
            QCOMPARE(report.unscored[0].error.field, std::string("e"));
        }
        QVERIFY(reportOf(*dataset, FastPPreset::Site, RankBy::Author, {.definition = "d"}).unscored.empty());
        QVERIFY(!fastP(*dataset, FastPPreset::Site, RankBy::Author, "baseline", {.definition = "none"}));
        QVERIFY(!fastP(*dataset, FastPPreset::WinP, RankBy::Author, "baseline", {.opType = "gemm", .definition = "d"}));
    }

    void theScriptKnowsUnknownSolutionsByTheirFirstWord()
    {
        DatasetBuilder builder;
        builder.trace({.definition = "nowhere", .solution = "baseline_fast", .uuid = "w", .latencyMs = 3});
        builder.trace({.definition = "nowhere", .solution = "bob_v1_x", .uuid = "w", .latencyMs = 2});
        builder.trace({.definition = "nowhere", .solution = "bob_v2", .uuid = "w", .latencyMs = 1.5});
        builder.trace({.definition = "nowhere", .solution = "eve", .uuid = "v", .status = Status::Timeout});   // nobody passed: ignored
        const FastPReport report = reportOf(*builder.load(), FastPPreset::WinP, RankBy::Author);
        QCOMPARE(report.groups, std::size_t{1});
        QCOMPARE(report.curves.size(), std::size_t{1});
        QCOMPARE(report.curves[0].name, std::string("bob"));
        QCOMPARE(report.curves[0].ratios, (std::vector<double>{2}));
    }

    void correctnessCountsOfTheReferenceTable()
    {
        const OutcomeCounts s = outcomeCounts(*m_reference, "S");
        QCOMPARE(s.total, std::size_t{5});
        QCOMPARE(s.passed, std::size_t{4});
        QCOMPARE(s.incorrect, std::size_t{1});
        QCOMPARE(s.runtimeError + s.other, std::size_t{0});
        const OutcomeCounts b = outcomeCounts(*m_reference, "B");
        QCOMPARE(b.total, std::size_t{4});
        QCOMPARE(b.passed, std::size_t{3});
        QCOMPARE(b.runtimeError, std::size_t{1});
        QCOMPARE(outcomeCounts(*m_reference, "nobody").total, std::size_t{0});
    }

    void verdictsOfTheReferenceTable()
    {
        const auto verdicts = workloadVerdicts(*m_reference, *m_reference->findSolution("S"), "baseline", 1.1);
        QVERIFY(verdicts.has_value());
        QStringList texts;
        for (const WorkloadVerdict& entry : *verdicts) {
            const char* verdict = entry.verdict == FasterVerdict::Faster ? "faster" : entry.verdict == FasterVerdict::Slower ? "slower" : "incorrect";
            texts << QString("%1 %2 %3").arg(QString::fromStdString(entry.workloadUuid), verdict, entry.ratio ? QString::number(*entry.ratio) : QString("-"));
        }
        QCOMPARE(texts.join(", "), "w1 faster 2, w2 slower 1, w3 incorrect -, w4 slower -");
        QVERIFY(!workloadVerdicts(*m_reference, *m_reference->findSolution("S"), "nobody", 1));
    }

    void presetsHaveNames()
    {
        for (const FastPPreset preset : {FastPPreset::Site, FastPPreset::WinP, FastPPreset::KernelBench}) {
            QVERIFY(fastPPresetFromString(toString(preset)) == preset);
            QVERIFY(describeRule(preset, "someone").find("'someone'") != std::string::npos);
        }
        QVERIFY(!fastPPresetFromString("Site"));
    }

    void theDocumentHasTheShapeOfTheContract()
    {
        const Json site = fastPDocument(reportOf(*m_reference, FastPPreset::Site, RankBy::Author), {0.95, 1}, false);
        QCOMPARE(site["preset"].get<std::string>(), std::string("site"));
        QCOMPARE(site["by"].get<std::string>(), std::string("author"));
        QCOMPARE(site["groups"].get<int>(), 3);
        QVERIFY(near(site["curves"][0]["at"]["1"].get<double>(), 2.0 / 3));
        QCOMPARE(site["curves"][0]["steps"].size(), std::size_t{3});
        QVERIFY(!site["curves"][0].contains("wins"));
        const Json sampled = fastPDocument(reportOf(*m_reference, FastPPreset::Site, RankBy::Author), {0.95, 1}, true);
        QVERIFY(near(sampled["curves"][0]["at"]["1"].get<double>(), 1.0 / 3));
        const Json winp = fastPDocument(reportOf(*m_reference, FastPPreset::WinP, RankBy::Author), {0.95, 1}, false);
        QCOMPARE(winp["fallback_groups"].get<int>(), 1);
        QCOMPARE(winp["curves"][0]["wins"]["0.95"].get<int>(), 2);
        QCOMPARE(winp["curves"][0]["wins"]["1"].get<int>(), 1);
        QCOMPARE(winp["curves"][0]["total"].get<int>(), 3);
        const QString text = QString::fromStdString(fastPText(reportOf(*m_reference, FastPPreset::WinP, RankBy::Author), {1}, false));
        QVERIFY2(text.contains("1 of 4 workloads"), qPrintable(text));
    }

private:
    std::shared_ptr<const Dataset> m_reference;
};

QTEST_GUILESS_MAIN(TestFastP)
#include "test_fast_p.moc"
