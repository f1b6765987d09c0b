// SPDX-License-Identifier: GPL-3.0-or-later
// Ceilings of GPUs, the shortest time that work can take, and what charts and reports make of it.
#include <QTest>

#include <QTemporaryDir>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "core/report/light_report.h"
#include "core/score/light_table.h"
#include "core/score/speed_of_light.h"
#include "core/score/work_preview.h"
#include "core/score/workbench.h"
#include "core/store/joined_dataset.h"
#include "tests/support/dataset_builder.h"

using namespace tracedeck;
using tracedeck::test::DatasetBuilder;
namespace fs = std::filesystem;

namespace {

/// 1 GB/s, 1 TFLOP/s in float16, kernels of at least 1 µs, for hardware with an H in its name.
CeilingTable simpleCeilings()
{
    const QTemporaryDir folder;
    const fs::path file = folder.filePath("ceilings.json").toStdString();
    std::ofstream(file) << R"({"gpus":[{"name":"H","memory_gb_per_s":1,"tflops":{"float16":1},"launch_us":1,"source":"a test"}]})";
    auto table = CeilingTable::read(file);
    if (!table) throw std::runtime_error(table.error().toString());
    return *std::move(table);
}

constexpr double kBytes16 = 2 * (16 * 32 + 64 * 32 + 16 * 64);
constexpr double kOperations16 = 2.0 * 16 * 64 * 32;

/// A matrix product C[M, N] = A[M, K] B[N, K]^T in float16 with N = 64, K = 32; `quick` takes 2 times as long as its bytes, `base` 8 times.
std::shared_ptr<const Dataset> products(DatasetBuilder& builder)
{
    builder.file("definitions/gemm/g.json", R"({"name":"g","op_type":"gemm","axes":{"M":{"type":"var"},"N":{"type":"const","value":64},"K":{"type":"const","value":32}},
        "inputs":{"A":{"shape":["M","K"],"dtype":"float16"},"B":{"shape":["N","K"],"dtype":"float16"}},"outputs":{"C":{"shape":["M","N"],"dtype":"float16"}},
        "reference":"def run(A, B):\n    return A @ B.T\n"})");
    builder.solution({.name = "base", .definition = "g", .author = "baseline"}).solution({.name = "quick", .definition = "g", .author = "ann"});
    const double light = kBytes16 / 1e9 * 1e3;   // ms
    const auto add = [&builder](const char* solution, const char* uuid, double latency, const char* hardware, Status status = Status::Passed) {
        builder.trace({.definition = "g", .solution = solution, .uuid = uuid, .latencyMs = latency, .status = status, .axes = {{"M", 16}}, .referenceLatencyMs = 8 * latency, .hardware = hardware});
    };
    add("base", "w16", 8 * light, "H");
    add("quick", "w16", 2 * light, "H");
    add("quick", "other", light / 2, "H");
    add("quick", "wrong", 1, "H", Status::IncorrectNumerical);
    add("quick", "w16", light, "unknown machine");
    return builder.load();
}

}  // namespace

class TestSpeedOfLight : public QObject {
    Q_OBJECT
private slots:
    void scoresAreThoseOfTheDialect_data()
    {
        QTest::addColumn<double>("ms");
        QTest::addColumn<double>("baseline");
        QTest::addColumn<double>("light");
        QTest::addColumn<double>("score");
        // SOL-ExecBench dialect §10.1; where the formula leaves [0, 1] the score is 1.
        QTest::newRow("at the baseline") << 1.0 << 1.0 << 0.1 << 0.5;
        QTest::newRow("twice as fast") << 0.5 << 1.0 << 0.1 << 0.692308;
        QTest::newRow("at the speed of light") << 0.1 << 1.0 << 0.1 << 1.0;
        QTest::newRow("faster than light") << 0.05 << 1.0 << 0.1 << 1.0;
        QTest::newRow("ten times as slow") << 10.0 << 1.0 << 0.1 << 0.083333;
        QTest::newRow("baseline at light, faster") << 0.9 << 1.0 << 1.0 << 1.0;
        QTest::newRow("baseline at light, slower") << 1.1 << 1.0 << 1.0 << 0.0;
        QTest::newRow("below the pole") << 0.0 << 1.0 << 0.6 << 1.0;
    }
    void scoresAreThoseOfTheDialect()
    {
        QFETCH(double, ms);
        QFETCH(double, baseline);
        QFETCH(double, light);
        QFETCH(double, score);
        QVERIFY(std::fabs(speedOfLightScore(ms, baseline, light) - score) < 1e-6);
    }

    void theGreatestOfThreeTimesBounds()
    {
        const CeilingTable table = simpleCeilings();
        const Ceilings& ceilings = *table.find("my H");
        WorkEstimate work{.inputBytes = 3e6, .outputBytes = 1e6, .neededInputBytes = 3e6, .operand = DType::Float16};
        QCOMPARE(speedOfLight(work, ceilings)->ms, 4.0);
        QVERIFY(speedOfLight(work, ceilings)->bound == SpeedOfLight::Bound::Memory);
        work.operations = 1e10;
        QCOMPARE(speedOfLight(work, ceilings)->ms, 10.0);
        QVERIFY(speedOfLight(work, ceilings)->bound == SpeedOfLight::Bound::Compute);
        work.operand = DType::Int8;   // whose peak is not known
        QCOMPARE(speedOfLight(work, ceilings)->ms, 4.0);
        work.isUpperEstimate = true;
        work.neededInputBytes = 0;
        QCOMPARE(speedOfLight(work, ceilings)->ms, 1.0);
        QCOMPARE(speedOfLight(WorkEstimate{.inputBytes = 10, .neededInputBytes = 10}, ceilings)->ms, 0.001);
        QVERIFY(!speedOfLight(WorkEstimate{}, ceilings).has_value());
    }

    void theLongestNameThatFitsCounts()
    {
        const CeilingTable& table = CeilingTable::dataSheets();
        QCOMPARE(table.find("NVIDIA H100 80GB HBM3")->peaks.memoryBytesPerSecond, 3352e9);
        QCOMPARE(table.find("NVIDIA H200")->peaks.memoryBytesPerSecond, 4800e9);
        QCOMPARE(table.find("NVIDIA GH200 480GB")->peaks.memoryBytesPerSecond, 4000e9);
        QCOMPARE(table.find("NVIDIA L40S")->peaks.operationsPerSecond.at(DType::BFloat16), 362e12);
        QVERIFY(table.find("AMD EPYC") == nullptr);
        QVERIFY(table.find("NVIDIA L40") == nullptr);   // not an L4
    }

    void aFileAddsToTheDataSheets()
    {
        const CeilingTable table = simpleCeilings();
        QVERIFY(table.find("NVIDIA H200") != nullptr && table.find("NVIDIA H200")->name == "H200");
        QCOMPARE(table.find("H")->source, std::string("a test"));
        // What is printed can be read again.
        const QTemporaryDir folder;
        const fs::path file = folder.filePath("printed.json").toStdString();
        std::ofstream(file) << table.document().dump();
        const auto again = CeilingTable::read(file);
        QVERIFY(again);
        QCOMPARE(again->document(), table.document());
        QVERIFY(CeilingTable::read(folder.filePath("none.json").toStdString()));
    }

    void wrongFilesAreNamed_data()
    {
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<QString>("field");
        QTest::newRow("no list") << QByteArray(R"({"gpu":[]})") << "gpus";
        QTest::newRow("no object") << QByteArray(R"([1])") << "gpus";
        QTest::newRow("no name") << QByteArray(R"({"gpus":[{"memory_gb_per_s":1}]})") << "gpus[0].name";
        QTest::newRow("no rate") << QByteArray(R"({"gpus":[{"name":"H","memory_gb_per_s":"fast"}]})") << "gpus[0].memory_gb_per_s";
        QTest::newRow("negative") << QByteArray(R"({"gpus":[{"name":"H","tflops":{"float16":-1}}]})") << "gpus[0].tflops.float16";
        QTest::newRow("no dtype") << QByteArray(R"({"gpus":[{"name":"H","tflops":{"half":1}}]})") << "gpus[0].tflops.half";
    }
    void wrongFilesAreNamed()
    {
        QFETCH(QByteArray, content);
        QFETCH(QString, field);
        const QTemporaryDir folder;
        const fs::path file = folder.filePath("c.json").toStdString();
        std::ofstream(file) << content.toStdString();
        const auto table = CeilingTable::read(file);
        QVERIFY(!table);
        QCOMPARE(QString::fromStdString(table.error().field), field);
        QCOMPARE(table.error().file, file.string());
    }

    void chartsShowSharesAndRoofs()
    {
        DatasetBuilder builder;
        const auto dataset = products(builder);
        const CeilingTable ceilings = simpleCeilings();
        ChartQuestion question{"g", ChartAbscissa::Intensity};
        question.measure = ChartMeasure::LightShare;
        question.ceilings = &ceilings;
        const auto shares = chartAnswer(*dataset, question);
        QVERIFY(shares);
        QCOMPARE(shares->series.size(), std::size_t{2});
        for (const Series& series : shares->series) {
            for (const SeriesPoint& point : series.points) {
                QCOMPARE(point.x, kOperations16 / kBytes16);
                if (!point.failed && point.workloadUuid == "w16") QCOMPARE(point.y, series.solution == "base" ? 1.0 / 8 : 1.0 / 2);
            }
        }
        QCOMPARE(shares->withoutCeiling, std::size_t{1});
        question.measure = ChartMeasure::Throughput;
        const auto roofline = chartAnswer(*dataset, question);
        QVERIFY(roofline);
        QCOMPARE(roofline->roofs.size(), std::size_t{1});
        QCOMPARE(roofline->roofs.front().hardware, std::string("H"));
        QCOMPARE(roofline->roofs.front().bytesPerSecond, 1e9);
        QCOMPARE(roofline->roofs.front().operationsPerSecond, 1e12);
    }

    void tablesSumUp()
    {
        DatasetBuilder builder;
        const auto dataset = products(builder);
        const CeilingTable ceilings = simpleCeilings();
        const LightQuestion question{.baselineAuthor = "baseline", .ceilings = &ceilings};
        const auto table = lightTable(*dataset, question);
        QVERIFY(table);
        QCOMPARE(table->withoutCeiling, std::size_t{1});
        QCOMPARE(table->rows.size(), std::size_t{3});
        QCOMPARE(table->summaries.size(), std::size_t{2});
        const LightSummary& quick = table->summaries.front();
        QCOMPARE(quick.solution, std::string("quick"));
        QCOMPARE(quick.workloads, std::size_t{2});
        QCOMPARE(quick.failed, std::size_t{1});
        QCOMPARE(quick.tooFast, std::size_t{1});   // half the time that its bytes take
        QCOMPARE(quick.share, std::sqrt(0.5));     // of 0.5 and 1, as nothing is more than light
        // One workload with a baseline: 1 ÷ (1 + (2 − 1) ÷ (8 − 1)), and one that failed.
        QVERIFY(std::fabs(quick.score - 7.0 / 8 / 2) < 1e-12);
        QCOMPARE(table->summaries.back().score, 0.5);
        const Json document = lightDocument(*dataset, *table, question);
        QCOMPARE(document.at("ceilings").size(), std::size_t{1});
        QCOMPARE(document.at("traces")[0].at("share").get<double>(), 0.5);
        QCOMPARE(document.at("traces")[1].at("too_fast").get<bool>(), true);
        const QString csv = QString::fromStdString(tableText(lightTraceTable(*dataset, *table), TableFormat::Csv));
        QCOMPARE(csv.count('\n'), 4);
        QVERIFY(lightText(*table).find("quick") != std::string::npos);
    }

    void aDatasetsFormulaCounts()
    {
        DatasetBuilder builder;
        const auto dataset = products(builder);
        const Definition& definition = *dataset->findDefinition("g");
        QVERIFY(writeWorkFormula(dataset->root(), definition, {.bytes = "1000 * M", .operations = "2 * M * N * K * 10", .operand = DType::Float16}));
        const auto read = readWorkFormula(dataset->root(), "g");
        QVERIFY(read);
        QCOMPARE(read->bytes, std::string("1000 * M"));
        const CeilingTable ceilings = simpleCeilings();
        const auto table = lightTable(*dataset, {.ceilings = &ceilings});
        QVERIFY(table);
        QCOMPARE(table->rows.front().bytes, 16000.0);
        QCOMPARE(table->rows.front().operations, kOperations16 * 10);
        QCOMPARE(table->rows.front().lightMs, 0.016);
        // An empty one takes the file away.
        QVERIFY(writeWorkFormula(dataset->root(), definition, {}));
        QVERIFY(readWorkFormula(dataset->root(), "g")->bytes.empty());
        QVERIFY(!fs::exists(*workFormulaFile(dataset->root(), "g")));
    }

    void wrongFormulasAreRefusedAndReported()
    {
        DatasetBuilder builder;
        const auto dataset = products(builder);
        const Definition& definition = *dataset->findDefinition("g");
        QCOMPARE(writeWorkFormula(dataset->root(), definition, {.bytes = "2 * (M"}).error().field, std::string("bytes"));
        QCOMPARE(writeWorkFormula(dataset->root(), definition, {.operations = "2 * Q"}).error().field, std::string("operations"));
        const CeilingTable ceilings = simpleCeilings();
        builder.file("tracedeck/work/g.json", R"({"bytes":"M - 16"})");
        const auto zero = lightTable(*dataset, {.ceilings = &ceilings});
        QCOMPARE(zero->problems.size(), std::size_t{1});
        QCOMPARE(zero->rows.front().bytes, kBytes16);   // as without a formula
        builder.file("tracedeck/work/g.json", R"({"bytes":12})");
        QCOMPARE(lightTable(*dataset, {.ceilings = &ceilings})->problems.size(), std::size_t{1});
        builder.file("tracedeck/work/g.json", "{");
        QVERIFY(lightTable(*dataset, {.ceilings = &ceilings})->problems.front().find("g.json") != std::string::npos);
    }

    void joinedFoldersHaveTheirOwnFormulas()
    {
        DatasetBuilder first;
        DatasetBuilder second;
        first.definition({.name = "another"});
        (void)products(second);
        second.file("tracedeck/work/g.json", R"({"bytes":"1000 * M"})");
        const auto joined = joinDatasets({first.load(), second.load()});
        const CeilingTable ceilings = simpleCeilings();
        const auto table = lightTable(*joined, {.ceilings = &ceilings});
        QVERIFY(table && table->problems.empty());
        QCOMPARE(table->rows.front().bytes, 16000.0);
    }

    void formulasAreReadWhereSizesAreAskedFor()
    {
        DatasetBuilder builder;
        const auto dataset = products(builder);
        builder.file("tracedeck/work/g.json", "{");
        ChartQuestion question{"g"};
        QVERIFY(chartAnswer(*dataset, question)->formulaProblem.empty());
        question.measure = ChartMeasure::Bandwidth;
        QVERIFY(!chartAnswer(*dataset, question)->formulaProblem.empty());
    }

    void formulasDoNotLeaveTheFolder()
    {
        DatasetBuilder builder;
        const auto dataset = products(builder);
        const QTemporaryDir outside;
        std::ofstream(outside.filePath("g.json").toStdString()) << R"({"bytes":"1"})";
        fs::create_directories(dataset->root() / "tracedeck");
        fs::create_directory_symlink(outside.path().toStdString(), dataset->root() / "tracedeck/work");
        QVERIFY(!readWorkFormula(dataset->root(), "g"));
        QVERIFY(!writeWorkFormula(dataset->root(), *dataset->findDefinition("g"), {.bytes = "M"}));
        QVERIFY(readWorkFormula(dataset->root(), "../g"));   // can't be a file: no formula
        QVERIFY(readWorkFormula(dataset->root(), "../g")->bytes.empty());
    }

    void formulasAreCheckedFieldByField()
    {
        DatasetBuilder builder;
        const auto dataset = products(builder);
        const Definition& definition = *dataset->findDefinition("g");
        QVERIFY(workFormulaErrors(definition, {}).empty());
        QVERIFY(workFormulaErrors(definition, {.bytes = "2 * M * K", .operations = "2*M*N*K"}).empty());
        const auto errors = workFormulaErrors(definition, {.bytes = "2 * (M", .operations = "M * Q"});
        QCOMPARE(errors.size(), std::size_t{2});
        QCOMPARE(errors[0].field, std::string("bytes"));
        QCOMPARE(errors[1].field, std::string("operations"));
        QVERIFY(errors[1].reason.find("\"Q\" is no axis") != std::string::npos);
    }

    void previewsAreWhatTheFormulaWillSay()
    {
        DatasetBuilder builder;
        builder.workload({.definition = "g", .uuid = "w16", .axes = {{"M", 16}}}).workload({.definition = "g", .uuid = "w0", .axes = {{"M", 64}}});
        const auto dataset = products(builder);
        const Definition& definition = *dataset->findDefinition("g");
        const CeilingTable ceilings = simpleCeilings();
        const auto plain = previewWork(*dataset, definition, {}, ceilings.find("H"), 10);
        QCOMPARE(plain.size(), std::size_t{2});
        QCOMPARE(plain[0].axes, std::string("M=16"));
        QCOMPARE(plain[0].bytes, kBytes16);
        QCOMPARE(*plain[0].operations, kOperations16);
        QVERIFY(plain[0].light && std::abs(plain[0].light->ms - kBytes16 / 1e9 * 1e3) < 1e-12);
        const auto own = previewWork(*dataset, definition, {.bytes = "M - 16 + 1000000", .operations = "M - 16"}, ceilings.find("H"), 10);
        QCOMPARE(own[0].bytes, 1e6);
        QVERIFY(own[0].problem.find("operations") != std::string::npos);   // comes to 0
        QCOMPARE(*own[1].operations, 48.0);
        QVERIFY(own[1].problem.empty());
        QCOMPARE(previewWork(*dataset, definition, {}, nullptr, 1).size(), std::size_t{1});
        QVERIFY(!previewWork(*dataset, definition, {}, nullptr, 1)[0].light);
    }

    void ownCeilingsAreWrittenAndReadBack()
    {
        const QTemporaryDir folder;
        const fs::path file = folder.filePath("below/ceilings.json").toStdString();
        QVERIFY(readCeilings(file)->empty());
        Ceilings toaster{.name = "toaster", .peaks = {}, .source = "measured"};
        toaster.peaks.memoryBytesPerSecond = 2e9;
        toaster.peaks.operationsPerSecond = {{DType::Float16, 3e12}};
        QVERIFY(writeCeilings(file, {toaster}));
        const auto read = readCeilings(file);
        QVERIFY(read);
        QCOMPARE(read->size(), std::size_t{1});
        QCOMPARE(read->front().peaks.memoryBytesPerSecond, 2e9);
        QCOMPARE(read->front().peaks.operationsPerSecond.at(DType::Float16), 3e12);
        QVERIFY(CeilingTable::read(file)->find("a toaster") != nullptr);
        Ceilings nameless = toaster;
        nameless.name.clear();
        QCOMPARE(writeCeilings(file, {nameless}).error().field, std::string("gpus[0].name"));
        QCOMPARE(writeCeilings(file, {toaster, toaster}).error().field, std::string("gpus[1].name"));
        toaster.launchMs = 0;
        QCOMPARE(writeCeilings(file, {toaster}).error().field, std::string("gpus[0].launch_us"));
        QVERIFY(fs::exists(file));   // what was there stays
        QVERIFY(writeCeilings(file, {}));
        QVERIFY(!fs::exists(file));
    }
};

QTEST_GUILESS_MAIN(TestSpeedOfLight)
#include "test_speed_of_light.moc"
