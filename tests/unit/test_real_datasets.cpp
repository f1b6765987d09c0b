// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <filesystem>
#include <fstream>
#include <set>

#include "core/io/dataset_scanner.h"
#include "core/io/json_codec.h"
#include "core/io/read_file.h"
#include "core/io/safetensors.h"
#include "core/store/dataset.h"

using namespace tracedeck;

namespace fs = std::filesystem;

namespace {

const fs::path kShared = TRACEDECK_SHARED_DATASETS;

QString errorsOf(const Dataset& dataset)
{
    QStringList errors;
    for (const Problem& problem : dataset.problems()) {
        if (problem.severity == Severity::Error) errors << QString::fromStdString(problem.error.toString());
    }
    return errors.join("\n");
}

/// What is written must be read strictly by everyone and mean the same.
template <class Value, class Encode, class Decode>
QString roundTrip(const Value& value, Encode encode, Decode decodeAgain)
{
    const Json written = encode(value);
    const auto again = decodeAgain(written);
    if (!again) return QString::fromStdString(again.error().toString());
    if (!again->warnings.empty()) return QString::fromStdString(again->warnings.front().error.toString());
    const Json writtenAgain = encode(again->value);
    return written.dump() == writtenAgain.dump() ? QString() : QString::fromStdString("changed: " + writtenAgain.dump().substr(0, 200));
}

/// Every member of the file is in what we write, with the same value (old files left out defaults; we may add some).
bool contains(const Json& written, const Json& file)
{
    if (!file.is_object()) return written == file;
    for (const auto& [key, value] : file.items()) {
        const bool isDefault = value.is_null() || (value.is_array() && value.empty());
        if (written.contains(key) ? !contains(written[key], value) : !isDefault) return false;
    }
    return true;
}

}  // namespace

class TestRealDatasets : public QObject {
    Q_OBJECT
private slots:
    void initTestCase()
    {
        if (!fs::is_directory(kShared / "flashinfer-trace")) QSKIP("the real datasets are not here");
    }

    void datasetsLoadWithTheirCounts_data()
    {
        QTest::addColumn<QString>("folder");
        QTest::addColumn<int>("definitions");
        QTest::addColumn<int>("solutions");
        QTest::addColumn<int>("workloads");
        QTest::addColumn<int>("traces");
        const auto row = [](const char* folder, int definitions, int solutions, int workloads, int traces) {
            QTest::newRow(folder) << folder << definitions << solutions << workloads << traces;
        };
        row("flashinfer-trace", 156, 0, 663, 0);
        row("real-traces/fib-2025-08-b200", 7, 8, 688, 305);
        row("real-traces/fib-2026-03-a800-dsa-runtime-errors", 41, 41, 686, 23);
        row("real-traces/fib-2026-03-a800-gpt5", 11, 19, 273, 68);
        row("real-traces/fib-2026-03-kernel-generator", 8, 74, 196, 108);
        row("real-traces/gdn-decode-gb200", 1, 1, 54, 54);
        row("real-traces/gdn-prefill-gb200", 1, 1, 100, 100);
        row("real-traces/contest-retained-b200", 5, 0, 0, 0);
        row("real-traces/results-map-b200", 3, 0, 19, 0);
        row("real-traces/scored-runs-b200", 7, 0, 0, 0);
    }
    void datasetsLoadWithTheirCounts()
    {
        QFETCH(QString, folder);
        QFETCH(int, definitions);
        QFETCH(int, solutions);
        QFETCH(int, workloads);
        QFETCH(int, traces);
        const auto loaded = Dataset::load(kShared / folder.toStdString());
        QVERIFY(loaded);
        const Dataset& dataset = **loaded;
        QCOMPARE(static_cast<int>(dataset.definitions().size()), definitions);
        QCOMPARE(static_cast<int>(dataset.solutions().size()), solutions);
        QCOMPARE(static_cast<int>(dataset.workloadCount()), workloads);
        QCOMPARE(static_cast<int>(dataset.traces().size()), traces);
        QVERIFY2(errorsOf(dataset).isEmpty(), qPrintable(errorsOf(dataset)));
        for (const Problem& problem : dataset.problems()) {
            QVERIFY(!problem.error.file.empty());
            QVERIFY(!problem.error.reason.empty());
        }
    }

    void todaysDatasetHasNoProblems()
    {
        const auto dataset = Dataset::load(kShared / "flashinfer-trace");
        QVERIFY(dataset);
        QVERIFY((*dataset)->problems().empty());
        QCOMPARE((*dataset)->opTypes().size(), std::size_t{12});
        QCOMPARE((*dataset)->opTypes().at("gdn"), std::size_t{9});
    }

    void statusesAreThoseOfTheSource_data()
    {
        QTest::addColumn<QString>("folder");
        QTest::addColumn<QList<int>>("counts");   // in the order of Status
        QTest::newRow("gpt5") << "real-traces/fib-2026-03-a800-gpt5" << QList<int>{53, 0, 15, 0, 0, 0, 0};
        QTest::newRow("kernel generator") << "real-traces/fib-2026-03-kernel-generator" << QList<int>{42, 0, 28, 0, 13, 25, 0};
        QTest::newRow("dsa") << "real-traces/fib-2026-03-a800-dsa-runtime-errors" << QList<int>{0, 0, 0, 0, 23, 0, 0};
        QTest::newRow("gdn") << "real-traces/gdn-prefill-gb200" << QList<int>{100, 0, 0, 0, 0, 0, 0};
    }
    void statusesAreThoseOfTheSource()
    {
        QFETCH(QString, folder);
        QFETCH(QList<int>, counts);
        const auto dataset = Dataset::load(kShared / folder.toStdString());
        QVERIFY(dataset);
        QList<int> found(kStatusCount, 0);
        for (const TraceRow& row : (*dataset)->traces().rows()) ++found[static_cast<int>(row.status)];
        QList<int> expected = counts;   // none has a status of the SOL-ExecBench dialect
        expected.resize(kStatusCount);
        QCOMPARE(found, expected);
    }

    void oldTracesMatchTheirWorkloads()
    {
        const auto loaded = Dataset::load(kShared / "real-traces/fib-2025-08-b200");
        QVERIFY(loaded);
        const Dataset& dataset = **loaded;
        std::set<std::string> uuids;
        for (const Trace& workload : dataset.workloadsOf("gemm_n_4096_k_4096")) {
            QVERIFY(workload.workload.uuidIsSynthetic);
            uuids.insert(workload.workload.uuid);
        }
        QCOMPARE(uuids.size(), std::size_t{43});
        const auto& rows = dataset.traceRowsOfDefinition("gemm_n_4096_k_4096");
        QCOMPARE(rows.size(), std::size_t{129});
        for (const std::uint32_t row : rows) QVERIFY(uuids.contains(dataset.traces().workloadUuid(dataset.traces().row(row))));
        QCOMPARE(std::string(dataset.traces().hardwareName(dataset.traces().row(0))), std::string("NVIDIA B200"));
    }

    void everythingSurvivesARoundTrip_data()
    {
        QTest::addColumn<QString>("folder");
        for (const char* folder : {"flashinfer-trace", "real-traces/fib-2025-08-b200", "real-traces/fib-2026-03-a800-dsa-runtime-errors",
                                   "real-traces/fib-2026-03-a800-gpt5", "real-traces/fib-2026-03-kernel-generator",
                                   "real-traces/gdn-decode-gb200", "real-traces/gdn-prefill-gb200"}) {
            QTest::newRow(folder) << folder;
        }
    }
    void everythingSurvivesARoundTrip()
    {
        QFETCH(QString, folder);
        const auto loaded = Dataset::load(kShared / folder.toStdString());
        QVERIFY(loaded);
        const Dataset& dataset = **loaded;
        for (const auto& definition : dataset.definitions()) {
            const QString problem = roundTrip(*definition, encodeDefinition,
                                              [](const Json& json) { return decodeDefinition(writeObjectFile(json), ReadMode::Strict); });
            QVERIFY2(problem.isEmpty(), qPrintable(QString::fromStdString(definition->name + ": ") + problem));
        }
        for (const auto& solution : dataset.solutions()) {
            const QString problem = roundTrip(*solution, encodeSolution,
                                              [](const Json& json) { return decodeSolution(writeObjectFile(json), ReadMode::Strict); });
            QVERIFY2(problem.isEmpty(), qPrintable(QString::fromStdString(solution->name + ": ") + problem));
        }
        const auto checkTrace = [](const Trace& trace) {
            return roundTrip(trace, encodeTrace, [](const Json& json) { return decodeTrace(writeLine(json), ReadMode::Strict); });
        };
        for (const auto& [definition, workloads] : dataset.workloads()) {
            for (const Trace& workload : workloads) {
                const QString problem = checkTrace(workload);
                QVERIFY2(problem.isEmpty(), qPrintable(QString::fromStdString(definition + ": ") + problem));
            }
        }
        for (std::size_t row = 0; row < dataset.traces().size(); ++row) {
            const auto trace = dataset.readTrace(row);
            QVERIFY2(trace, trace ? "" : trace.error().toString().c_str());
            const QString problem = checkTrace(*trace);
            QVERIFY2(problem.isEmpty(), qPrintable(QString("row %1: ").arg(row) + problem));
        }
    }

    void nothingIsLostFromTodaysFiles()
    {
        const fs::path root = kShared / "flashinfer-trace";
        const auto files = scanDataset(root);
        QVERIFY(files);
        for (const std::string& file : files->definitions) {
            const auto text = readWholeFile(root / file, 1U << 20U);
            QVERIFY(text);
            const auto decoded = decodeDefinition(*text, ReadMode::Strict);
            QVERIFY2(decoded, qPrintable(QString::fromStdString(file)));
            QVERIFY2(contains(encodeDefinition(decoded->value), *parseJson(*text)), qPrintable(QString::fromStdString(file)));
        }
        int lines = 0;
        for (const std::string& file : files->workloads) {
            std::ifstream stream(root / file, std::ios::binary);
            for (std::string line; std::getline(stream, line); ++lines) {
                const auto decoded = decodeTrace(line, ReadMode::Strict);
                QVERIFY2(decoded, qPrintable(QString::fromStdString(file)));
                QVERIFY2(contains(encodeTrace(decoded->value), *parseJson(line)), qPrintable(QString::fromStdString(file)));
            }
        }
        QCOMPARE(lines, 663);
    }

    void variantsOfDefinitionsAreReadOrRefusedForAReason()
    {
        int accepted = 0;
        int refused = 0;
        for (const auto& entry : fs::recursive_directory_iterator(kShared / "real-traces/definition-variants")) {
            if (entry.path().extension() != ".json") continue;
            const auto text = readWholeFile(entry.path(), 1U << 20U);
            QVERIFY(text);
            const auto decoded = decodeDefinition(*text, ReadMode::Tolerant);
            ++(decoded ? accepted : refused);
            if (!decoded) QVERIFY2(!decoded.error().field.empty() && decoded.error().line > 0, qPrintable(QString::fromStdString(entry.path().string())));
        }
        // Two have today's form, one is SOL-ExecBench's and lacks op_type; of the others one lacks the value of a constant axis,
        // eight a function `run`.
        QCOMPARE(accepted, 3);
        QCOMPARE(refused, 9);
    }

    void realProblemFoldersAreADataset()
    {
        const auto loaded = Dataset::load(kShared / "real-traces/definition-variants/sol-execbench");
        QVERIFY(loaded);
        const Dataset& dataset = **loaded;
        QVERIFY2(errorsOf(dataset).isEmpty(), qPrintable(errorsOf(dataset)));
        QCOMPARE(dataset.definitions().size(), std::size_t{3});
        std::size_t lines = 0;
        for (const auto& entry : fs::recursive_directory_iterator(dataset.root())) {
            if (entry.path().filename() != "workload.jsonl") continue;
            std::ifstream stream(entry.path(), std::ios::binary);
            for (std::string line; std::getline(stream, line);) {
                if (line.empty()) continue;
                ++lines;
                const auto decoded = decodeTrace(line, ReadMode::Strict, ReadPlace{Dialect::SolExecBench, "any"});
                QVERIFY2(decoded, qPrintable(QString::fromStdString(entry.path().string())));
                QVERIFY(contains(encodeWorkload(decoded->value.workload), *parseJson(line)));
            }
        }
        QVERIFY(lines > 0);
        QCOMPARE(dataset.workloadCount(), lines);
        for (const auto& definition : dataset.definitions()) {
            QVERIFY(definition->dialect == Dialect::SolExecBench);
            const auto text = readWholeFile(definition->sourceFile, 1U << 20U);
            QVERIFY(text);
            const Json file = *parseJson(*text);
            const Json written = encodeDefinition(*definition);
            QVERIFY2(contains(written, file), definition->name.c_str());
            QCOMPARE(written.contains("op_type"), file.contains("op_type"));
            QVERIFY(!dataset.workloadsOf(definition->name).empty());
            for (const Trace& workload : dataset.workloadsOf(definition->name)) QVERIFY(definition->inputShapes(workload.workload.axes));
        }
    }

    void realBlobsAreRead()
    {
        const fs::path blobs = kShared / "real-traces/fib-2025-08-b200/blob";
        int files = 0;
        for (const auto& entry : fs::recursive_directory_iterator(blobs)) {
            if (entry.path().extension() != ".safetensors") continue;
            const auto file = SafetensorsFile::open(entry.path());
            QVERIFY2(file, file ? "" : file.error().toString().c_str());
            QVERIFY(!(*file)->entries().empty());
            ++files;
        }
        QCOMPARE(files, 14);
        const auto loaded = Dataset::load(kShared / "real-traces/fib-2025-08-b200");
        QVERIFY(loaded);
        int tensors = 0;
        for (const Trace& workload : (*loaded)->workloadsOf("batch_gqa_ragged_prefill_h32_kv8_d128")) {
            for (const auto& [name, input] : workload.workload.inputs) {
                const auto* tensor = std::get_if<SafetensorsInput>(&input);
                if (tensor == nullptr) continue;
                const auto path = resolveBlobPath((*loaded)->root(), tensor->path);
                QVERIFY(path);
                const auto file = SafetensorsFile::open(*path);
                QVERIFY2(file, file ? "" : file.error().toString().c_str());
                QVERIFY((*file)->find(tensor->tensorKey) != nullptr);
                ++tensors;
            }
        }
        QVERIFY(tensors > 0);
    }
};

QTEST_GUILESS_MAIN(TestRealDatasets)
#include "test_real_datasets.moc"
