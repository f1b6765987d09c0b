// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTemporaryDir>
#include <QTest>

#include <bit>
#include <cmath>
#include <map>

#include "core/interchange/interchange.h"
#include "core/interchange/kernel_kinds.h"
#include "core/model/judge_samples.h"
#include "core/report/report.h"
#include "core/score/workbench.h"
#include "tests/support/dataset_builder.h"
#include "tests/support/test_files.h"

using namespace tracedeck;
using tracedeck::test::DatasetBuilder;
namespace fs = std::filesystem;

namespace {

/// A record as kernels-benchmarks writes it, with Python's blanks and numbers.
std::string hubRecord(const std::string& implementation, int length, const std::string& rawTimes, double p50, const std::string& second = "32")
{
    return "{\"ts\": \"2025-10-31T20:14:" + second + "Z\", \"run\": \"0e1cd8e7\", \"impl\": \"" + implementation +
           "\", \"tags\": {\"family\": \"hf-kernels\", \"backend\": \"triton\", \"compile\": \"none\"}, \"wl\": {\"name\": \"llama_S" + std::to_string(length) +
           "\", \"batch\": 1, \"seq_len\": " + std::to_string(length) +
           ", \"hidden_dim\": 4096, \"dtype\": \"bfloat16\", \"device\": \"cuda\", \"seed\": 0}, \"env\": {\"torch\": \"2.8.0+cu128\", \"cuda\": \"12.8\", \"gpu\": \"NVIDIA L40S\", "
           "\"sm\": \"8.9\", \"py\": \"3.11.14\", \"plat\": \"Linux\"}, \"lat_ms\": {\"p10\": 0.05, \"p50\": " +
           shortestNumber(p50) + ", \"p90\": 0.06, \"mean\": 0.055, \"iqr\": 1e-05, \"raw_times\": " + rawTimes +
           ", \"has_warnings\": false, \"reps\": 5, \"warmup\": 2}, \"compile_ms\": 3.5, \"peak_bytes\": 1295588864, \"ok\": true, \"absmax\": 0.0078125, \"corr\": {\"ok\": true, "
           "\"rtol\": 0.001, \"atol\": 0.001, \"absmax\": 0.0078125, \"mae\": 1e-05, \"mse\": NaN, \"ref\": \"rms_norm_fp32\"}, \"err\": null}";
}

std::string float32File(const std::vector<float>& values)
{
    std::string bytes;
    for (const float value : values) {
        const auto word = std::bit_cast<std::uint32_t>(value);
        for (unsigned i = 0; i < 4; ++i) bytes += static_cast<char>(word >> (8 * i));
    }
    return bytes;
}

/// Path below the folder → bytes, of every file.
std::map<std::string, std::string> filesBelow(const fs::path& folder)
{
    std::map<std::string, std::string> files;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        if (entry.is_regular_file()) files[entry.path().lexically_relative(folder).string()] = test::readBytes(entry.path());
    }
    return files;
}

std::shared_ptr<const Dataset> loaded(const fs::path& root)
{
    const auto dataset = Dataset::load(root);
    if (!dataset) throw std::runtime_error(dataset.error().toString());
    return *dataset;
}

/// Two authors on two workloads, one with samples, one failing, and names that mean something to other programs.
DatasetBuilder measured()
{
    DatasetBuilder builder;
    builder.definition({.name = "gemm_n4"}).definition({.name = "=HYPERLINK(\"x\")", .opType = "odd"});
    builder.solution({.name = "fast", .definition = "gemm_n4", .author = "ann"}).solution({.name = "slow", .definition = "gemm_n4", .author = "<b>bob</b>"});
    builder.solution({.name = "odd", .definition = "=HYPERLINK(\"x\")", .author = "ann", .file = "solutions/odd.json"});
    for (const int m : {1, 16}) {
        const std::string uuid = "w" + std::to_string(m);
        builder.workload({.definition = "gemm_n4", .uuid = uuid, .axes = {{"M", m}}});
        builder.trace({.definition = "gemm_n4", .solution = "fast", .uuid = uuid, .latencyMs = 0.1 * m, .axes = {{"M", m}}, .maxRelativeError = 1e-3,
                       .judge = R"({"protocol": "cuda", "calls": {"warmup": 3}, "time": {"p10": 0.09, "p90": 0.2, "samples_us": [[100.1, 99.7], [101.3]]}})",
                       .libs = {{"torch", "2.8.0"}, {"cuda", "12.8"}}});
        builder.trace({.definition = "gemm_n4", .solution = "slow", .uuid = uuid, .latencyMs = 0.3 * m, .status = m == 1 ? Status::Passed : Status::RuntimeError, .axes = {{"M", m}},
                       .timestamp = "2026-01-02T00:00:00", .log = "Traceback\n\x1b[31mValueError: no"});
    }
    builder.trace({.definition = "=HYPERLINK(\"x\")", .solution = "odd", .uuid = "o", .latencyMs = 1, .file = "traces/odd.jsonl"});
    return builder;
}

}  // namespace

class TestInterchange : public QObject {
    Q_OBJECT
private:
    QTemporaryDir m_folder;
    int m_count = 0;
    fs::path fresh() { return fs::path(m_folder.path().toStdString()) / std::to_string(++m_count); }
    fs::path written(const std::string& name, const std::string& bytes)
    {
        const fs::path file = fresh() / name;
        test::writeBytes(file, bytes);
        return file;
    }

private slots:
    void recordsBecomeADatasetThatCanRun()
    {
        const auto file = written("rms_norm.jsonl", hubRecord("hub", 512, "[0.053, 0.0521, 0.0551, 0.052, 0.054]", 0.053) + "\r\n\n" +
                                                        hubRecord("hub", 1024, "[]", 0.1) + "\n" + hubRecord("other", 512, "[0.2]", 0.2));
        const fs::path target = fresh();
        const auto report = importResults({{file}, target});
        QVERIFY2(report, report ? "" : report.error().toString().c_str());
        QVERIFY(report->isComplete() && report->problems.empty());
        QCOMPARE(report->definitions, 1U);
        QCOMPARE(report->solutions, 2U);
        QCOMPARE(report->workloads, 2U);
        QCOMPARE(report->traces, 3U);
        const auto dataset = loaded(target);
        QVERIFY(dataset->problems().empty());
        const Definition* definition = dataset->findDefinition("rms_norm_bfloat16");
        QVERIFY(definition != nullptr);
        QCOMPARE(definition->reference, kindDefinition(**kernelKindNamed("rms_norm"), "bfloat16")->reference);
        const Solution* solution = dataset->findSolution("hub");
        QVERIFY(solution != nullptr);
        QCOMPARE(solution->author, std::string("hf-kernels"));
        QVERIFY(solution->spec.language == Language::Triton);
        QVERIFY(solution->description->find("family=hf-kernels, backend=triton, compile=none") != std::string::npos);
        const auto trace = dataset->readTrace(0);
        QVERIFY(trace && trace->isPassed());
        QCOMPARE(trace->evaluation->performance->latencyMs, 0.053);
        QCOMPARE(trace->evaluation->performance->referenceLatencyMs, 0.0);
        QCOMPARE(trace->evaluation->correctness->maxAbsoluteError, 0.0078125);
        QVERIFY(std::isnan(trace->evaluation->correctness->maxRelativeError));
        QCOMPARE(trace->evaluation->environment.hardware, std::string("NVIDIA L40S"));
        QCOMPARE(trace->evaluation->environment.libs.at("torch"), std::string("2.8.0+cu128"));
        QCOMPARE(judgeSamplesMs(*trace->evaluation), (std::vector<double>{0.053, 0.0521, 0.0551, 0.052, 0.054}));
        const AxisValues expected{{"batch", 1}, {"seq_len", 512}, {"hidden_dim", 4096}};
        QCOMPARE(trace->workload.axes, expected);
        // The workload is that of everybody who measures this kind, here or elsewhere.
        QCOMPARE(trace->workload.uuid, kindWorkload(**kernelKindNamed("rms_norm"), *definition, expected)->workload.uuid);
    }

    void recordsComeBackAsTheyWere()
    {
        const std::string text = hubRecord("b", 512, "[0.05210300162434578, 1e-05]", 0.0521, "30") + "\n" + hubRecord("a", 512, "[0.2]", 0.2, "31") + "\n" + hubRecord("c", 1024, "[0.2]", 0.2, "31") + "\n";
        const fs::path target = fresh();
        QVERIFY(importResults({{written("rms_norm.jsonl", text)}, target}));
        const fs::path out = fresh();
        QVERIFY(exportResults(*loaded(target), {InterchangeFormat::KernelsBenchmarks, out}));
        QCOMPARE(filesBelow(out), (std::map<std::string, std::string>{{"rms_norm.jsonl", text}}));
    }

    void exportImportExportIsIdentical_data()
    {
        QTest::addColumn<InterchangeFormat>("format");
        QTest::addColumn<QString>("name");
        QTest::newRow("kernels-benchmarks") << InterchangeFormat::KernelsBenchmarks << QString();
        QTest::newRow("nvbench") << InterchangeFormat::NvBench << QStringLiteral("all.json");
    }
    void exportImportExportIsIdentical()
    {
        QFETCH(InterchangeFormat, format);
        QFETCH(QString, name);
        const auto builder = measured();
        const auto dataset = builder.load();
        const auto out = [&](const Dataset& from) {
            const fs::path folder = fresh();
            fs::create_directories(folder);
            const auto report = exportResults(from, {format, name.isEmpty() ? folder : folder / name.toStdString()});
            if (!report) throw std::runtime_error(report.error().toString());
            return folder;
        };
        const fs::path first = out(*dataset);
        QCOMPARE(filesBelow(out(*dataset)), filesBelow(first));
        ImportRequest request{{}, fresh()};
        for (const auto& entry : fs::directory_iterator(first)) {
            if (entry.is_regular_file()) request.files.push_back(entry.path());
        }
        std::sort(request.files.begin(), request.files.end());
        const auto report = importResults(request);
        QVERIFY2(report && report->isComplete(), report ? importText(*report).c_str() : report.error().toString().c_str());
        QCOMPARE(report->traces, 5U);
        const auto imported = loaded(request.target);
        QVERIFY2(imported->problems().empty(), imported->problems().empty() ? "" : imported->problems().front().error.toString().c_str());
        QCOMPARE(filesBelow(out(*imported)), filesBelow(first));
        // What was measured is the same.
        QCOMPARE(imported->traces().size(), dataset->traces().size());
        const RowIndex rows = filterTraces(*imported, {.solutions = {"fast"}});
        QCOMPARE(rows.size(), 2U);
        const auto trace = imported->readTrace(rows.front());
        QCOMPARE(trace->evaluation->performance->latencyMs, 0.1);
        QCOMPARE(judgeSamplesMs(*trace->evaluation).size(), 3U);
        QVERIFY(std::abs(judgeSamplesMs(*trace->evaluation)[2] - 0.1013) < 1e-7);
        const RowIndex failed = filterTraces(*imported, {.statuses = {Status::RuntimeError}});
        QCOMPARE(failed.size(), 1U);
        QVERIFY(imported->readTrace(failed.front())->evaluation->log.find("ValueError: no") != std::string::npos);
    }

    void whatIsNotCarriedIsListed()
    {
        const auto builder = measured();
        const auto report = exportResults(*builder.load(), {InterchangeFormat::KernelsBenchmarks, fresh()});
        QVERIFY(report);
        QCOMPARE(report->records, 5U);
        const std::string text = exportText(*report, InterchangeFormat::KernelsBenchmarks);
        for (const char* part : {"2 × records of the judge", "3 × sources", "2 × logs"}) QVERIFY2(text.find(part) != std::string::npos, text.c_str());
        QCOMPARE(exportDocument(*report, InterchangeFormat::KernelsBenchmarks)["not_carried"].size(), report->notCarried.size());
    }

    void badLinesAreNamedAndTheRestIsImported_data()
    {
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<QString>("field");
        QTest::addColumn<bool>("leftOut");
        const QByteArray good = QByteArray::fromStdString(hubRecord("x", 512, "[0.1]", 0.1));
        const auto with = [&good](const char* from, const char* to) { return QByteArray(good).replace(from, to); };
        QTest::newRow("no JSON") << QByteArray("{\"ts\": ") << QString() << true;
        QTest::newRow("no UTF-8") << with("\"x\"", "\"\xff\"") << QString() << true;
        QTest::newRow("no object") << QByteArray("[1, 2]") << QString() << true;
        QTest::newRow("no name") << with("\"impl\": \"x\"", "\"impl\": \"\"") << QStringLiteral("impl") << true;
        QTest::newRow("name is a number") << with("\"impl\": \"x\"", "\"impl\": 3") << QStringLiteral("impl") << true;
        QTest::newRow("no workload") << with("\"wl\"", "\"w\"") << QStringLiteral("wl") << true;
        QTest::newRow("ok is a text") << with("\"ok\": true, \"absmax\"", "\"ok\": \"yes\", \"absmax\"") << QStringLiteral("ok") << true;
        QTest::newRow("times are a text") << with("\"lat_ms\": {", "\"lat_ms\": \"fast\", \"l\": {") << QStringLiteral("lat_ms") << true;
        QTest::newRow("neither times nor error") << with("\"lat_ms\": {", "\"lat_ms\": null, \"l\": {") << QStringLiteral("lat_ms") << true;
        QTest::newRow("impossible time") << with("\"p50\": 0.1", "\"p50\": -0.1") << QStringLiteral("lat_ms.p50") << true;
        QTest::newRow("infinite time") << with("\"p50\": 0.1", "\"p50\": Infinity") << QStringLiteral("lat_ms.p50") << true;
        QTest::newRow("negative axis") << with("\"batch\": 1", "\"batch\": -1") << QStringLiteral("wl.batch") << false;
        QTest::newRow("axis beyond 64 bits") << with("\"batch\": 1", "\"batch\": 18446744073709551615") << QStringLiteral("wl.batch") << false;
        QTest::newRow("axis that is no name") << with("\"batch\": 1", "\"M=1;N\": 1") << QStringLiteral("wl") << false;
        QTest::newRow("raw times are no times") << with("[0.1]", "[0.1, \"a\"]") << QStringLiteral("lat_ms.raw_times") << false;
        QTest::newRow("no time of day") << with("\"ts\"", "\"t\"") << QStringLiteral("ts") << false;
        QTest::newRow("tags are a list") << with("\"tags\": {\"family\": \"hf-kernels\", \"backend\": \"triton\", \"compile\": \"none\"}", "\"tags\": [1]") << QStringLiteral("tags") << false;
    }
    void badLinesAreNamedAndTheRestIsImported()
    {
        QFETCH(QByteArray, line);
        QFETCH(QString, field);
        QFETCH(bool, leftOut);
        const fs::path target = fresh();
        const auto report = importResults({{written("rms_norm.jsonl", hubRecord("good", 512, "[0.1]", 0.1) + "\n" + line.toStdString() + "\n" + hubRecord("last", 512, "[0.1]", 0.1) + "\n")}, target});
        QVERIFY2(report, report ? "" : report.error().toString().c_str());
        QCOMPARE(report->traces, leftOut ? 2U : 3U);
        QCOMPARE(report->isComplete(), !leftOut);
        QCOMPARE(report->problems.size(), 1U);
        const Problem& problem = report->problems.front();
        QCOMPARE(QString::fromStdString(problem.error.field), field);
        QCOMPARE(problem.error.line, 2);
        QVERIFY(problem.error.file.ends_with("rms_norm.jsonl"));
        QVERIFY(loaded(target)->traces().size() == report->traces);
    }

    void hostileNamesStayInside_data()
    {
        QTest::addColumn<QByteArray>("name");
        QTest::newRow("path") << QByteArray("../../../etc/passwd");
        QTest::newRow("backslashes") << QByteArray("..\\\\..\\\\boot");
        QTest::newRow("absolute") << QByteArray("/etc/passwd");
        QTest::newRow("two dots") << QByteArray("..");
        QTest::newRow("markup") << QByteArray("<script>alert(1)</script>");
        QTest::newRow("formula") << QByteArray("=cmd|' /C calc'!A0");
        QTest::newRow("at sign") << QByteArray("@SUM(1)");
        QTest::newRow("minus") << QByteArray("-1+1");
        QTest::newRow("terminal") << QByteArray("\\u001b[2J\\u0007");
        QTest::newRow("C1 control") << QByteArray("\\u009b31m");
        QTest::newRow("direction") << QByteArray("a\\u202eb");
        QTest::newRow("NUL") << QByteArray("a\\u0000b");
        QTest::newRow("line ends") << QByteArray("a\\nb\\u2028c");
        QTest::newRow("hidden") << QByteArray(".git");
        QTest::newRow("long") << QByteArray(4000, 'x');
        QTest::newRow("Chinese") << QByteArray("注意力内核");
    }
    void hostileNamesStayInside()
    {
        QFETCH(QByteArray, name);
        const std::string text = name.toStdString();
        std::string record = hubRecord(text, 512, "[0.1]", 0.1);
        for (const char* tag : {"\"hf-kernels\"", "\"bfloat16\"", "\"NVIDIA L40S\""}) record.replace(record.find(tag), std::string(tag).size(), "\"" + text + "\"");
        const fs::path parent = fresh();
        const fs::path target = parent / "in";
        const auto report = importResults({{written("kind.jsonl", record)}, target});
        QVERIFY2(report, report ? "" : report.error().toString().c_str());
        for (const auto& entry : fs::directory_iterator(parent)) QCOMPARE(entry.path().filename().string(), std::string("in"));
        for (const auto& [path, bytes] : filesBelow(target)) {
            QVERIFY(path.starts_with("definitions/") || path.starts_with("solutions/") || path.starts_with("workloads/") || path.starts_with("traces/"));
            for (const char c : path) QVERIFY2(static_cast<unsigned char>(c) >= 0x20 && c != '\\' && c != '=' && c != '<', path.c_str());
        }
        const auto dataset = loaded(target);
        QCOMPARE(dataset->traces().size(), 1U);
        QCOMPARE(dataset->solutions().size(), 1U);
        const std::string& solution = dataset->solutions().front()->name;
        QVERIFY(solution.size() < 120 && solution.front() != '=' && solution.front() != '-' && solution.front() != '.' && solution.front() != '@');
        if (text == "注意力内核") QCOMPARE(solution, text);
        const fs::path out = fresh();
        QVERIFY(exportResults(*dataset, {InterchangeFormat::KernelsBenchmarks, out}));
        QCOMPARE(test::readBytes(out / "kind.jsonl"), record + "\n");
    }

    /// A line of a few hundred bytes must not fill a disk with the tensors of its workload.
    void aFewLinesMakeNoLargeFiles()
    {
        std::string records;
        for (int i = 0; i < 3; ++i) {
            std::string record = hubRecord("x" + std::to_string(i), 512, "[0.1]", 0.1);
            const std::size_t begin = record.find("\"batch\": 1");
            record.replace(begin, record.find("\"dtype\"") - begin, "\"batch\": 1, \"seq_len\": " + std::to_string(134217728 + i) + ", \"num_experts\": 8, \"hidden_dim\": 16, \"expert_dim\": 16, \"top_k\": 8, ");
            records += record + "\n";
        }
        const fs::path target = fresh();
        const auto report = importResults({{written("openai_moe.jsonl", records)}, target});
        QVERIFY2(report, report ? "" : report.error().toString().c_str());
        QCOMPARE(report->traces, 3U);
        QVERIFY(!fs::exists(target / "blob"));
    }

    void differentNamesStayDifferent()
    {
        const fs::path target = fresh();
        QVERIFY(importResults({{written("k.jsonl", hubRecord("a b", 1, "[1]", 1) + "\n" + hubRecord("a_b", 1, "[1]", 1) + "\n" + hubRecord("a?b", 1, "[1]", 1))}, target}));
        QCOMPARE(loaded(target)->solutions().size(), 3U);
    }

    void nvBenchStatesBecomeWorkloads()
    {
        const std::string json = R"({"meta": {"argv": ["bench"]}, "devices": [{"id": 3, "name": "NVIDIA H200", "sm_version": 900}],
 "benchmarks": [{"name": "copy", "index": 0, "axes": [], "states": [
  {"name": "a", "device": 3, "axis_values": [{"name": "Elements", "type": "int64", "value": "65536"}, {"name": "T", "type": "string", "value": "F32"}],
   "summaries": [{"tag": "nv/cold/time/gpu/mean", "data": [{"name": "value", "type": "float64", "value": "2.5e-05"}]},
                 {"tag": "nv/cold/bw/global/bytes_per_second", "data": [{"name": "value", "type": "float64", "value": "1e12"}]},
                 {"tag": "nv/json/bin:nv/cold/sample_times", "data": [{"name": "filename", "type": "string", "value": "some/where/ref.json-bin/0.bin"}, {"name": "size", "type": "int64", "value": "3"}]}], "is_skipped": false},
  {"name": "b", "device": 3, "axis_values": [{"name": "Elements", "type": "int64", "value": 131072}, {"name": "T", "type": "string", "value": "F32"}],
   "summaries": [{"tag": "nv/cold/time/gpu/mean", "data": [{"name": "value", "type": "float64", "value": 5e-05}]}], "is_skipped": false},
  {"name": "c", "device": 3, "axis_values": [], "summaries": [], "is_skipped": true, "skip_reason": "too large"},
  {"name": "d", "device": 9, "axis_values": [], "summaries": [], "is_skipped": false},
  7]}, {"states": []}]})";
        const fs::path file = written("ref.json", json);
        test::writeBytes(file.parent_path() / "ref.json-bin" / "0.bin", float32File({2e-5F, 3e-5F, 2.5e-5F}));
        const fs::path target = fresh();
        const auto report = importResults({{file}, target});
        QVERIFY2(report, report ? "" : report.error().toString().c_str());
        QCOMPARE(report->traces, 2U);
        QVERIFY(!report->isComplete());
        std::map<std::string, std::int64_t> problems;
        for (const Problem& problem : report->problems) problems[problem.error.field] = problem.error.line;
        QCOMPARE(problems, (std::map<std::string, std::int64_t>{{"benchmarks.0.states.3.device", 10}, {"benchmarks.0.states.3.summaries", 10}, {"benchmarks.0.states.4", 11}, {"benchmarks.1.name", 11}}));
        const std::string text = importText(*report);
        for (const char* part : {"skipped states", "axes that are no integers", "meta"}) QVERIFY2(text.find(part) != std::string::npos, text.c_str());
        const auto dataset = loaded(target);
        QVERIFY(dataset->problems().empty());
        QVERIFY(dataset->findDefinition("copy_T_F32") != nullptr);
        QCOMPARE(dataset->workloadsOf("copy_T_F32").size(), 2U);
        const auto trace = dataset->readTrace(0);
        QCOMPARE(trace->evaluation->performance->latencyMs, 0.025);
        QCOMPARE(trace->workload.axes, (AxisValues{{"Elements", 65536}}));
        QCOMPARE(*trace->solution, std::string("ref"));
        QCOMPARE(judgeSamplesMs(*trace->evaluation), (std::vector<double>{static_cast<double>(2e-5F) * 1e3, static_cast<double>(3e-5F) * 1e3, static_cast<double>(2.5e-5F) * 1e3}));
        // Written again, it is one benchmark, summaries that we do not know included, and from then on the same.
        const fs::path out = fresh();
        fs::create_directories(out);
        QVERIFY(exportResults(*dataset, {InterchangeFormat::NvBench, out / "x.json"}));
        const Json again = Json::parse(test::readBytes(out / "x.json"));
        QCOMPARE(again["benchmarks"].size(), 1U);
        QCOMPARE(again["benchmarks"][0]["states"].size(), 2U);
        QCOMPARE(again["benchmarks"][0]["states"][0]["summaries"][1]["tag"], Json("nv/cold/bw/global/bytes_per_second"));
        QCOMPARE(again["devices"][0]["sm_version"], Json(900));
        QCOMPARE(test::readBytes(out / "x.json-bin" / "0.bin"), float32File({2e-5F, 3e-5F, 2.5e-5F}));
    }

    void sampleFilesAreReadBesideTheFileOnly_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("bytes");
        const QByteArray times = QByteArray::fromStdString(float32File({1e-5F}));
        QTest::newRow("outside") << QStringLiteral("../../secret/0.bin") << times;
        QTest::newRow("absolute") << QStringLiteral("/proc/self/environ") << times;
        QTest::newRow("not there") << QStringLiteral("b/1.bin") << times;
        QTest::newRow("too short") << QStringLiteral("b/0.bin") << times.left(2);
        QTest::newRow("too long") << QStringLiteral("b/0.bin") << times + times;
        QTest::newRow("no times") << QStringLiteral("b/0.bin") << QByteArray::fromStdString(float32File({std::nanf("")}));
    }
    void sampleFilesAreReadBesideTheFileOnly()
    {
        QFETCH(QString, name);
        QFETCH(QByteArray, bytes);
        std::string json = R"({"devices": [{"id": 0, "name": "GPU"}], "benchmarks": [{"name": "x", "states": [{"device": 0, "axis_values": null, "summaries": [
{"tag": "nv/cold/time/gpu/mean", "data": [{"name": "value", "type": "float64", "value": "1e-05"}]},
{"tag": "nv/json/bin:nv/cold/sample_times", "data": [{"name": "filename", "type": "string", "value": "NAME"}, {"name": "size", "type": "int64", "value": "1"}]}]}]}]})";
        json.replace(json.find("NAME"), 4, name.toStdString());
        const fs::path file = written("in/x.json", json);
        test::writeBytes(file.parent_path() / "b" / "0.bin", bytes.toStdString());
        test::writeBytes(file.parent_path().parent_path().parent_path() / "secret" / "0.bin", bytes.toStdString());
        const fs::path target = fresh();
        const auto report = importResults({{file}, target});
        QVERIFY2(report, report ? "" : report.error().toString().c_str());
        QCOMPARE(report->problems.size(), 1U);
        QCOMPARE(report->problems.front().severity, Severity::Warning);
        QCOMPARE(report->problems.front().error.line, 3);
        QVERIFY(judgeSamplesMs(*loaded(target)->readTrace(0)->evaluation).empty());
    }

    void filesOfNoKindAreRefused_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("part");
        QTest::newRow("empty") << QStringLiteral("x.json") << QByteArray() << QStringLiteral("neither");
        QTest::newRow("empty lines") << QStringLiteral("x.jsonl") << QByteArray("\n\n") << QStringLiteral("no result");
        QTest::newRow("another document") << QStringLiteral("x.json") << QByteArray("{\"a\": 1}") << QStringLiteral("neither");
        QTest::newRow("win@p table") << QStringLiteral("x.csv") << QByteArray("author,p,win_ratio,n_total,n_wins\nann,1,1,1,1\n") << QStringLiteral("win@p");
        QTest::newRow("bad lines alone") << QStringLiteral("x.jsonl") << QByteArray("{\n{\n") << QStringLiteral("not valid JSON");
        QTest::newRow("nvbench without benchmarks") << QStringLiteral("x.json") << QByteArray("{\"benchmarks\": 3}") << QStringLiteral("array of benchmarks");
    }
    void filesOfNoKindAreRefused()
    {
        QFETCH(QString, name);
        QFETCH(QByteArray, bytes);
        QFETCH(QString, part);
        const fs::path target = fresh();
        const auto report = importResults({{written(name.toStdString(), bytes.toStdString())}, target});
        QVERIFY(!report);
        QVERIFY2(report.error().toString().find(part.toStdString()) != std::string::npos, report.error().toString().c_str());
        QVERIFY(!report.error().file.empty());
        QVERIFY(!fs::exists(target));
    }

    void nothingThatExistsIsChanged()
    {
        const auto file = written("rms_norm.jsonl", hubRecord("x", 512, "[0.1]", 0.1));
        const auto report = importResults({{file}, file.parent_path()});
        QVERIFY(!report);
        QCOMPARE(report.error().code, ErrorCode::Usage);
        QCOMPARE(filesBelow(file.parent_path()).size(), 1U);
    }

    void aFileOfRecordsHoldsOneKind()
    {
        const auto builder = measured();
        const fs::path out = fresh() / "all.jsonl";
        const auto report = exportResults(*builder.load(), {InterchangeFormat::KernelsBenchmarks, out});
        QVERIFY(!report && report.error().code == ErrorCode::Usage);
        QVERIFY(!fs::exists(out.parent_path()));
        QVERIFY(exportResults(*builder.load(), {.format = InterchangeFormat::KernelsBenchmarks, .out = out, .definition = "gemm_n4"}));
        QCOMPARE(test::linesOf(out).size(), 4U);
        QVERIFY(!exportResults(*builder.load(), {.format = InterchangeFormat::KernelsBenchmarks, .out = out, .definition = "gemm_n5"}));
    }

    /// Viewer features §5.4, as the original script computes it.
    void theTableOfWinAtPIsTheScripts()
    {
        DatasetBuilder builder;
        builder.definition({.name = "d"}).solution({.name = "B", .definition = "d", .author = "B"}).solution({.name = "S", .definition = "d", .author = "S"});
        const auto add = [&builder](const char* solution, const char* uuid, double latency, Status status) {
            builder.trace({.definition = "d", .solution = solution, .uuid = uuid, .latencyMs = latency, .status = status});
        };
        add("B", "w1", 1.0, Status::Passed);
        add("B", "w2", 2.0, Status::Passed);
        add("B", "w3", 4.0, Status::Passed);
        add("B", "w4", 0, Status::RuntimeError);
        add("S", "w1", 0.5, Status::Passed);
        add("S", "w2", 2.0, Status::Passed);
        add("S", "w3", 0, Status::IncorrectNumerical);
        add("S", "w4", 1.0, Status::Passed);
        add("S", "w1", 0.8, Status::Passed);
        const fs::path out = fresh() / "w.csv";
        const auto report = exportResults(*builder.load(), {.format = InterchangeFormat::WinAtP, .out = out, .baseline = "B"});
        QVERIFY2(report, report ? "" : report.error().toString().c_str());
        QCOMPARE(report->fallbackGroups, 1U);
        QCOMPARE(report->groups, 4U);
        QCOMPARE(test::linesOf(out), (std::vector<std::string>{"author,p,win_ratio,n_total,n_wins", "S,1,0.333333333,3,1", "S,2,0,3,0", "B,1,0,1,0", "B,2,0,1,0"}));
    }
};

QTEST_GUILESS_MAIN(TestInterchange)
#include "test_interchange.moc"
