// SPDX-License-Identifier: GPL-3.0-or-later
// What is read of the output of tools that look into kernels, and the statistics of a duel.
#include <QtTest>

#include <cmath>
#include <fstream>
#include <iterator>
#include <random>

#include "core/diagnose/duel.h"
#include "core/diagnose/generated_code.h"
#include "core/diagnose/profile.h"
#include "core/diagnose/sanitizer.h"
#include "core/diagnose/timeline.h"
#include "core/run/diagnosis_tools.h"
#include "core/score/paired_ratio.h"

using namespace tracedeck;

namespace {

std::string seedText(const std::string& target, const std::string& name)
{
    std::ifstream in(std::string(TRACEDECK_SOURCE_DIR "/tests/fuzz/corpus/") + target + "/" + name);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/// Times of `rounds` rounds: a drift that both share, noise, and a true ratio.
std::pair<std::vector<double>, std::vector<double>> pairedTimes(std::size_t rounds, double ratio, double noise, unsigned seed)
{
    std::mt19937 random(seed);
    std::normal_distribution<double> normal(0, noise);
    std::pair<std::vector<double>, std::vector<double>> times;
    for (std::size_t i = 0; i < rounds; ++i) {
        const double drift = 1 + 0.3 * static_cast<double>(i) / static_cast<double>(rounds);
        times.first.push_back(drift * std::exp(normal(random)));
        times.second.push_back(drift * ratio * std::exp(normal(random)));
    }
    return times;
}

}  // namespace

class TestDiagnosisOutput : public QObject {
    Q_OBJECT

private slots:
    void memcheckFindingsHaveKernelLineAndAddress();
    void placesOfOlderVersionsAreRead_data();
    void placesOfOlderVersionsAreRead();
    void racesNameBothAccesses();
    void alikeFindingsAreCountedTogether();
    void anOutputWithoutSummaryIsNotClean();
    void theProgramsOwnLinesAreNoFindings();
    void ncuFiguresAreRead();
    void ncuFiguresComeInOneUnit_data();
    void ncuFiguresComeInOneUnit();
    void anOutputWithoutATableIsAnError();
    void ncuTroubleSaysWhatToDo_data();
    void ncuTroubleSaysWhatToDo();
    void resourceUsageIsRead();
    void spillsAreCounted();
    void timelinesAreRead();
    void brokenTimelinesAreRefused_data();
    void brokenTimelinesAreRefused();
    void studentsQuantiles_data();
    void studentsQuantiles();
    void pairedRatiosIgnoreWhatBothShare();
    void pairedVerdicts_data();
    void pairedVerdicts();
    void looksTogetherErrAsOftenAsPromised();
    void duelsLookRarely();
    void duelsNameTheLeader();
    void toolsThatAreMissingSayHowToGetThem();
};

void TestDiagnosisOutput::memcheckFindingsHaveKernelLineAndAddress()
{
    const SanitizerOutput output = parseSanitizerOutput(seedText("fuzz_sanitizer_output", "memcheck"));
    QVERIFY(output.hasSummary);
    QCOMPARE(output.errors, 1U);
    QCOMPARE(output.findings.size(), 1U);
    const SanitizerFinding& finding = output.findings.front();
    QCOMPARE(finding.kind, std::string("Invalid __global__ write of size 4 bytes"));
    QCOMPARE(finding.kernel, std::string("planted(float *, const float *, int)"));
    QCOMPARE(finding.place(), std::string("kernel.cu:12"));   // below the folder of sources
    QCOMPARE(finding.address, std::string("0x7f5c00000200"));
    QCOMPARE(finding.thread, std::string("thread (32,0,0) in block (0,0,0)"));
    QCOMPARE(finding.details.size(), 2U);   // no backtrace of the host
    QVERIFY(QString::fromStdString(finding.details.back()).contains("1 bytes after the nearest allocation"));
}

void TestDiagnosisOutput::placesOfOlderVersionsAreRead_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("kernel");
    QTest::addColumn<QString>("place");
    QTest::newRow("2023 and later") << "at planted(int)+0x70 in a.cu:3" << "planted(int)" << "a.cu:3";
    QTest::newRow("2023, no line") << "at planted(int)+0x70" << "planted(int)" << "";
    QTest::newRow("2021") << "at 0x70 in a.cu:3:planted(int)" << "planted(int)" << "a.cu:3";
    QTest::newRow("2021, no line") << "at 0x70 in planted(int)" << "planted(int)" << "";
    QTest::newRow("colons in names") << "at n::planted<a::b>(int)+0x70 in c:d.cu:31" << "n::planted<a::b>(int)" << "c:d.cu:31";
    QTest::newRow("no number") << "at planted(int)+0x70 in a.cu:x" << "planted(int)+0x70 in a.cu:x" << "";
}

void TestDiagnosisOutput::placesOfOlderVersionsAreRead()
{
    QFETCH(QString, line);
    QFETCH(QString, kernel);
    QFETCH(QString, place);
    const std::string text = "========= Invalid __global__ read of size 4 bytes\n=========     " + line.toStdString() + "\n========= ERROR SUMMARY: 1 error\n";
    const SanitizerOutput output = parseSanitizerOutput(text);
    QCOMPARE(output.findings.size(), 1U);
    if (place.isEmpty() && kernel.contains("+0x")) QVERIFY(output.findings.front().kernel.starts_with("planted"));
    else QCOMPARE(QString::fromStdString(output.findings.front().kernel), kernel);
    QCOMPARE(QString::fromStdString(output.findings.front().place()), place);
}

void TestDiagnosisOutput::racesNameBothAccesses()
{
    const SanitizerOutput output = parseSanitizerOutput(seedText("fuzz_sanitizer_output", "racecheck"));
    QCOMPARE(output.findings.size(), 1U);
    QCOMPARE(output.findings.front().kind, std::string("Error: Race reported between Write access"));
    QCOMPARE(output.findings.front().kernel, std::string("sum(int *)"));
    QCOMPARE(output.findings.front().place(), std::string("race.cu:10"));
    QCOMPARE(output.findings.front().details.size(), 1U);
    QVERIFY(QString::fromStdString(output.findings.front().details.front()).contains("race.cu:12"));
    QCOMPARE(output.errors, 1U);
}

void TestDiagnosisOutput::alikeFindingsAreCountedTogether()
{
    std::string text;
    for (int thread = 0; thread < 5; ++thread) {
        text += "========= Invalid __global__ read of size 4 bytes\n=========     at k()+0x10 in a.cu:" + std::to_string(thread == 4 ? 8 : 7) +
                "\n=========     by thread (" + std::to_string(thread) + ",0,0) in block (0,0,0)\n=========\n";
    }
    const SanitizerOutput output = parseSanitizerOutput(text + "========= ERROR SUMMARY: 5 errors\n");
    QCOMPARE(output.findings.size(), 2U);
    QCOMPARE(output.findings[0].count, 4U);
    QCOMPARE(output.findings[0].thread, std::string("thread (0,0,0) in block (0,0,0)"));
    QCOMPARE(output.findings[1].count, 1U);
    QCOMPARE(output.errors, 5U);
}

void TestDiagnosisOutput::anOutputWithoutSummaryIsNotClean()
{
    SanitizerReport report;
    report.output = parseSanitizerOutput("========= COMPUTE-SANITIZER\n");
    QVERIFY(!report.isClean());
    report.output = parseSanitizerOutput("========= COMPUTE-SANITIZER\n========= ERROR SUMMARY: 0 errors\n");
    QVERIFY(report.isClean());
    report.output = parseSanitizerOutput("========= Error: No attachable process found. compute-sanitizer timed-out.\n");
    QVERIFY(report.output.findings.empty());
    QCOMPARE(report.output.problems.size(), 1U);
}

void TestDiagnosisOutput::theProgramsOwnLinesAreNoFindings()
{
    const SanitizerOutput output = parseSanitizerOutput("Invalid __global__ write of size 4 bytes\n     at x()+0x1 in a.cu:1\n=========\n========= ERROR SUMMARY: 0 errors\n");
    QVERIFY(output.findings.empty());
}

void TestDiagnosisOutput::ncuFiguresAreRead()
{
    const auto kernels = parseNcuCsv(seedText("fuzz_ncu_csv", "raw"));
    QVERIFY(kernels);
    QCOMPARE(kernels->size(), 1U);
    const KernelProfile& kernel = kernels->front();
    QCOMPARE(kernel.name, std::string("scale(float*, int)"));
    QCOMPARE(kernel.grid, std::string("(128, 1, 1)"));
    QCOMPARE(*kernel.durationUs, 5.248);
    QCOMPARE(*kernel.computePercent, 12.25);
    QVERIFY(!kernel.occupancyPercent);
    QCOMPARE(kernel.stalls.size(), 1U);
    QCOMPARE(kernel.stalls.front().first, std::string("long_scoreboard"));
    QCOMPARE(kernel.stalls.front().second, 7.5);
    QCOMPARE(kernel.metrics.at("gpu__time_duration.sum"), std::string("5,248 nsecond"));
}

void TestDiagnosisOutput::ncuFiguresComeInOneUnit_data()
{
    QTest::addColumn<QString>("unit");
    QTest::addColumn<double>("microseconds");
    QTest::newRow("ns") << "ns" << 0.002;
    QTest::newRow("us") << "us" << 2.0;
    QTest::newRow("usecond") << "usecond" << 2.0;
    QTest::newRow("msecond") << "msecond" << 2000.0;
    QTest::newRow("second") << "second" << 2e6;
}

void TestDiagnosisOutput::ncuFiguresComeInOneUnit()
{
    QFETCH(QString, unit);
    QFETCH(double, microseconds);
    const auto kernels = parseNcuCsv("\"ID\",\"Kernel Name\",\"gpu__time_duration.sum\"\n\"\",\"\",\"" + unit.toStdString() + "\"\n\"0\",\"k\",\"2\"\n");
    QVERIFY(kernels);
    QCOMPARE(*kernels->front().durationUs, microseconds);
}

void TestDiagnosisOutput::anOutputWithoutATableIsAnError()
{
    for (const char* text : {"", "==ERROR== nothing\n", "\"Kernel Name\",\"ID\"\n\"k\",\"0\"\n"}) {
        QVERIFY(!parseNcuCsv(text));
    }
    const auto empty = parseNcuCsv("\"ID\",\"Kernel Name\"\n");
    QVERIFY(empty && empty->empty());
    // A field that holds quotes, commas and a line end; a row that is cut off.
    const auto odd = parseNcuCsv("\"ID\",\"Kernel Name\",\"x__y\"\n\"0\",\"a \"\"b\"\", c\nd\",\"1\"\n\"1\",\"e\n");
    QVERIFY(odd);
    QCOMPARE(odd->front().name, std::string("a \"b\", c\nd"));
}

void TestDiagnosisOutput::ncuTroubleSaysWhatToDo_data()
{
    QTest::addColumn<QString>("printed");
    QTest::addColumn<QString>("hint");
    QTest::newRow("counters") << "==ERROR== ERR_NVGPUCTRPERM - The user does not have permission to access NVIDIA GPU Performance Counters" << "NVreg_RestrictProfilingToAdminUsers=0";
    QTest::newRow("no kernel") << "==WARNING== No kernels were profiled." << "no kernel";
    QTest::newRow("other") << "==PROF== x\n==ERROR== Failed to connect.\nmore" << "Failed to connect.";
    QTest::newRow("none") << "==PROF== Report: a" << "";
}

void TestDiagnosisOutput::ncuTroubleSaysWhatToDo()
{
    QFETCH(QString, printed);
    QFETCH(QString, hint);
    const QString trouble = QString::fromStdString(ncuTrouble(printed.toStdString()));
    QVERIFY2(hint.isEmpty() ? trouble.isEmpty() : trouble.contains(hint), qPrintable(trouble));
}

void TestDiagnosisOutput::resourceUsageIsRead()
{
    // As cuobjdump 13.0 printed it.
    const auto kernels = parseResourceUsage("\nFatbin elf code:\n================\narch = sm_90a\ncode version = [1,8]\n\nResource usage:\n Common:\n  GLOBAL:0\n Function spill:\n"
                                            "  REG:32 STACK:880 SHARED:0 LOCAL:0 CONSTANT[0]:536 TEXTURE:0 SURFACE:0 SAMPLER:0\n Function _Z5scaleIfEvPT_iS0_:\n"
                                            "  REG:10 STACK:0 SHARED:1280 LOCAL:0 CONSTANT[0]:544 TEXTURE:0 SURFACE:0 SAMPLER:0\n\nFatbin ptx code:\n================\narch = sm_90\n");
    QCOMPARE(kernels.size(), 2U);
    QCOMPARE(kernels[0].name, std::string("spill"));
    QCOMPARE(kernels[0].architecture, std::string("sm_90a"));
    QCOMPARE(kernels[0].registers, 32U);
    QCOMPARE(kernels[0].stackBytes, 880U);
    QCOMPARE(kernels[1].name, std::string("void scale<float>(float*, int, float)"));
    QCOMPARE(kernels[1].sharedBytes, 1280U);
    QCOMPARE(kernels[1].constantBytes, 544U);
    QVERIFY(parseResourceUsage("Function x:\nREG:\n Function\nREG:7").size() <= 1);
}

void TestDiagnosisOutput::spillsAreCounted()
{
    const std::string text = seedText("fuzz_resource_usage", "scale");
    auto kernels = parseResourceUsage(text);
    countInstructions(text, kernels);
    QCOMPARE(kernels.size(), 1U);
    QCOMPARE(kernels[0].instructions, 2U);
    QCOMPARE(kernels[0].localLoads, 1U);   // behind a predicate
    QCOMPARE(kernels[0].localStores, 0U);
    const QString sass = QString::fromStdString(readableSass(text));
    QVERIFY(sass.contains("LDC R1, c[0x0][0x28] ;"));
    QVERIFY(!sass.contains("0x00000a00ff017b82"));
}

void TestDiagnosisOutput::timelinesAreRead()
{
    const auto timeline = decodeTimeline(Json::parse(seedText("fuzz_timeline", "call.json")));
    QVERIFY(timeline);
    QCOMPARE(timeline->entries.size(), 2U);
    QCOMPARE(timeline->entries[0].name, std::string("void scale<float>(float*, int, float)"));
    QCOMPARE(timeline->entries[0].durationUs, 2.5);
    QCOMPARE(timeline->entries[1].startUs, 2.0);
    QCOMPARE(timeline->spanUs, 3.0);
    QCOMPARE(timeline->busyUs, 3.0);   // they overlap
    const QString text = QString::fromStdString(timelineText(*timeline));
    QVERIFY(text.contains("8×1×1") && text.contains("256×1×1"));
}

void TestDiagnosisOutput::brokenTimelinesAreRefused_data()
{
    QTest::addColumn<QString>("json");
    QTest::addColumn<QString>("place");
    QTest::newRow("no list") << "{}" << "activities";
    QTest::newRow("no object") << "[1]" << "activities.0";
    QTest::newRow("kind") << R"([{"kind":"thing","name":"","start":1,"end":2,"stream":0,"bytes":1}])" << "activities.0.kind";
    QTest::newRow("backwards") << R"([{"kind":"fill","name":"","start":3,"end":2,"stream":0,"bytes":1}])" << "activities.0.end";
    QTest::newRow("negative") << R"([{"kind":"fill","name":"","start":-3,"end":2,"stream":0,"bytes":1}])" << "activities.0.start";
    QTest::newRow("grid") << R"([{"kind":"kernel","name":"","start":1,"end":2,"stream":0,"registers":1,"shared":0,"local":0,"grid":[1],"block":[1,1,1]}])" << "activities.0.grid";
}

void TestDiagnosisOutput::brokenTimelinesAreRefused()
{
    QFETCH(QString, json);
    QFETCH(QString, place);
    const auto timeline = decodeTimeline(Json::parse(json.toStdString()));
    QVERIFY(!timeline);
    QVERIFY2(QString::fromStdString(timeline.error().field).startsWith(place), timeline.error().field.c_str());
}

void TestDiagnosisOutput::studentsQuantiles_data()
{
    QTest::addColumn<double>("share");
    QTest::addColumn<double>("degrees");
    QTest::addColumn<double>("quantile");
    // From any table of the distribution.
    QTest::newRow("1") << 0.975 << 1.0 << 12.7062;
    QTest::newRow("3") << 0.975 << 3.0 << 3.18245;
    QTest::newRow("10") << 0.975 << 10.0 << 2.22814;
    QTest::newRow("30, 99.5") << 0.995 << 30.0 << 2.75000;
    QTest::newRow("lower") << 0.05 << 5.0 << -2.01505;
    QTest::newRow("middle") << 0.5 << 5.0 << 0.0;
    QTest::newRow("nearly normal") << 0.975 << 1e6 << 1.95997;
}

void TestDiagnosisOutput::studentsQuantiles()
{
    QFETCH(double, share);
    QFETCH(double, degrees);
    QFETCH(double, quantile);
    QVERIFY2(std::abs(studentQuantile(share, degrees) - quantile) < 1e-4 * std::max(1.0, std::abs(quantile)), qPrintable(QString::number(studentQuantile(share, degrees))));
}

void TestDiagnosisOutput::pairedRatiosIgnoreWhatBothShare()
{
    const auto [a, b] = pairedTimes(20, 1.05, 0.005, 1);
    const PairedRatio paired = comparePaired(a, b, 0.01, 0.95);
    QVERIFY(paired.verdict == LatencyVerdict::Slower);
    QVERIFY(paired.interval.low > 1.03 && paired.interval.high < 1.07);   // although the times drift by 30 %
    QVERIFY(paired.interval.low <= paired.ratio && paired.ratio <= paired.interval.high);
}

void TestDiagnosisOutput::pairedVerdicts_data()
{
    QTest::addColumn<std::size_t>("rounds");
    QTest::addColumn<double>("ratio");
    QTest::addColumn<double>("noise");
    QTest::addColumn<QString>("verdict");
    QTest::newRow("faster") << std::size_t{12} << 0.9 << 0.01 << "FASTER";
    QTest::newRow("slower") << std::size_t{12} << 1.1 << 0.01 << "SLOWER";
    QTest::newRow("same") << std::size_t{40} << 1.0 << 0.005 << "SAME";
    QTest::newRow("too noisy") << std::size_t{5} << 1.02 << 0.2 << "CANT_TELL";
    QTest::newRow("one round") << std::size_t{1} << 2.0 << 0.001 << "CANT_TELL";
    QTest::newRow("none") << std::size_t{0} << 2.0 << 0.001 << "CANT_TELL";
    QTest::newRow("too little to count") << std::size_t{200} << 1.004 << 0.004 << "SAME";
}

void TestDiagnosisOutput::pairedVerdicts()
{
    QFETCH(std::size_t, rounds);
    QFETCH(double, ratio);
    QFETCH(double, noise);
    QFETCH(QString, verdict);
    const auto [a, b] = pairedTimes(rounds, ratio, noise, 7);
    QCOMPARE(QString::fromUtf8(toString(comparePaired(a, b, 0.01, 0.95).verdict)), verdict);
}

void TestDiagnosisOutput::looksTogetherErrAsOftenAsPromised()
{
    // Two solutions that are the same, noise of 3 %: whoever looks again and again at 95 % sees a difference in many duels, a duel must not.
    int wrong = 0;
    constexpr int kDuels = 200;
    for (unsigned duel = 0; duel < kDuels; ++duel) {
        const auto [a, b] = pairedTimes(40, 1.0, 0.03, 1000 + duel);
        std::size_t look = 0;
        for (std::size_t rounds = 1; rounds <= a.size(); ++rounds) {
            if (!isDuelLook(rounds)) continue;
            const std::vector<double> firstA(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(rounds));
            const std::vector<double> firstB(b.begin(), b.begin() + static_cast<std::ptrdiff_t>(rounds));
            const auto verdict = comparePaired(firstA, firstB, 0.01, confidenceOfLook(0.95, ++look, 1)).verdict;
            if (verdict == LatencyVerdict::Faster || verdict == LatencyVerdict::Slower) {
                ++wrong;
                break;
            }
        }
    }
    QVERIFY2(wrong <= kDuels / 20, qPrintable(QString::number(wrong)));
}

void TestDiagnosisOutput::duelsLookRarely()
{
    QVERIFY(!isDuelLook(0) && !isDuelLook(3));
    QVERIFY(isDuelLook(4) && isDuelLook(5));
    int looks = 0;
    for (std::size_t rounds = 1; rounds <= 400; ++rounds) looks += isDuelLook(rounds) ? 1 : 0;
    QVERIFY(looks > 10 && looks < 30);
}

void TestDiagnosisOutput::duelsNameTheLeader()
{
    DuelReport report;
    report.margin = 0.01;
    report.confidence = 0.95;
    const auto [a, b] = pairedTimes(8, 0.8, 0.01, 3);
    report.sides = {{"slow", a, 0, "", {}}, {"quick", b, 0, "", {}}, {"broken", {}, 0, "RUNTIME_ERROR: boom", {}}};
    report.rounds = 8;
    judgeDuel(report, 3);
    QCOMPARE(report.leader, 1U);
    QVERIFY(report.sides[0].toLeader.verdict == LatencyVerdict::Slower);
    const QString verdict = QString::fromStdString(report.verdict());
    QVERIFY(verdict.contains("quick is faster than slow"));
    QVERIFY(verdict.contains("broken is out: RUNTIME_ERROR: boom"));
    QCOMPARE(encodeDuel(report)["leader"], Json("quick"));
}

void TestDiagnosisOutput::toolsThatAreMissingSayHowToGetThem()
{
    qputenv("TRACEDECK_NCU", "/nowhere/ncu");
    const auto missing = findTool(DiagnosisTool::NsightCompute);
    QVERIFY(!missing);
    QVERIFY(QString::fromStdString(missing.error().toString()).contains("TRACEDECK_NCU"));
    qputenv("TRACEDECK_NCU", "/bin/sh");
    QCOMPARE(findTool(DiagnosisTool::NsightCompute)->string(), std::string("/bin/sh"));
    qunsetenv("TRACEDECK_NCU");
    qputenv("PATH", "/nowhere");
    const auto absent = findTool(DiagnosisTool::ComputeSanitizer);
    if (!absent) QVERIFY(QString::fromStdString(absent.error().reason).contains("apt-get install"));
}

QTEST_APPLESS_MAIN(TestDiagnosisOutput)
#include "test_diagnosis_output.moc"
