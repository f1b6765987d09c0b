// SPDX-License-Identifier: GPL-3.0-or-later
// validate on SOL-ExecBench's problem folders.
#include <QTest>
#include <algorithm>
#include <functional>

#include "core/io/safetensors.h"
#include "core/report/validation.h"
#include "tests/support/dataset_builder.h"

using namespace tracedeck;
using tracedeck::test::DatasetBuilder;

namespace {

std::string definitionText(const std::function<void(Json&)>& change = {})
{
    Json json = {{"name", "copy"},
                 {"axes", {{"rows", {{"type", "var"}}}, {"dim", {{"type", "const"}, {"value", 4}}}}},
                 {"inputs", {{"x", {{"shape", {"rows", "dim"}}, {"dtype", "float32"}}}, {"s", {{"shape", nullptr}, {"dtype", "float32"}}}}},
                 {"outputs", {{"y", {{"shape", {"rows", "dim"}}, {"dtype", "float32"}}}}},
                 {"reference", "def make(axes, device):\n    return {}\n\ndef run(x, s):\n    return x\n"}};
    if (change) change(json);
    return json.dump(2);
}

std::string workloadText(const std::string& uuid, const std::string& inputs = R"({"x":{"type":"random"},"s":{"type":"scalar","value":1.5}})",
                         const std::string& axes = R"({"rows":2})", const std::string& more = {})
{
    return R"({"uuid":")" + uuid + R"(","axes":)" + axes + R"(,"inputs":)" + inputs + more + "}";
}

struct Seen {
    CheckLevel level = CheckLevel::Info;
    std::string text;
};

/// Everything that was found, as "file:line: field: text".
std::vector<Seen> findingsOf(const ValidationReport& report)
{
    std::vector<Seen> seen;
    const auto add = [&seen](CheckLevel level, const std::string& file, std::int64_t line, const std::string& field, const std::string& text) {
        seen.push_back({level, file + ":" + std::to_string(line) + ": " + field + ": " + text});
    };
    for (const auto& [name, definition] : report.reports) {
        for (const auto& check : definition.checks) {
            if (!check) continue;
            for (const CheckMessage& message : check->messages) add(message.level, message.file, message.line, message.field, message.text);
        }
    }
    if (report.datasetCheck) {
        for (const DatasetFinding& finding : report.datasetCheck->findings) add(finding.level, finding.file, finding.line, finding.field, finding.reason);
    }
    return seen;
}

QString shown(const std::vector<Seen>& seen)
{
    QStringList lines;
    for (const Seen& one : seen) lines << QString::fromStdString(one.text);
    return lines.join('\n');
}

}  // namespace

class TestValidationProblemFolders : public QObject {
    Q_OBJECT
private slots:
    void init()
    {
        qunsetenv("FLASHINFER_TRACE_DIR");
        m_builder = std::make_unique<DatasetBuilder>();
        m_builder->file("L1/copy/definition.json", definitionText()).file("L1/copy/workload.jsonl", workloadText("u") + "\n");
    }

    void aSoundDatasetHasNoFindings()
    {
        for (const auto& root : {m_builder->root(), m_builder->root() / "L1/copy"}) {
            const auto report = validateDataset({root, std::nullopt, true, {}, {}});
            QVERIFY(report);
            QCOMPARE(report->reports.size(), std::size_t{1});
            QVERIFY(report->reports.contains("copy"));
            QVERIFY2(findingsOf(*report).empty(), qPrintable(shown(findingsOf(*report))));
            QVERIFY(report->status() == CheckLevel::Info);
        }
    }

    void whatSolExecBenchRefusesIsFound_data()
    {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("place");   ///< file:line: field:
        QTest::addColumn<QString>("part");
        const auto definition = [](const char* name, const std::function<void(Json&)>& change, const char* place, const char* part) {
            QTest::newRow(name) << "L1/copy/definition.json" << QByteArray::fromStdString(definitionText(change)) << place << part;
        };
        definition("parameters in another order", [](Json& json) { json["reference"] = "def run(s, x):\n    return x\n"; },
                   "L1/copy/definition.json:0: reference:", "run takes (s, x), but the inputs are (x, s)");
        definition("a parameter is missing", [](Json& json) { json["reference"] = "def run(x):\n    return x\n"; },
                   "L1/copy/definition.json:0: reference:", "run takes (x)");
        definition("input function that is not there", [](Json& json) { json["custom_inputs_entrypoint"] = "build"; },
                   "L1/copy/definition.json:0: custom_inputs_entrypoint:", "no function 'build'");
        definition("input function that is no name", [](Json& json) { json["custom_inputs_entrypoint"] = "a.b"; },
                   "L1/copy/definition.json:0: custom_inputs_entrypoint:", "cannot be the name");
        definition("input named like an axis",
                   [](Json& json) {
                       json["axes"]["s"] = {{"type", "const"}, {"value", 1}};
                   },
                   "L1/copy/definition.json:0: inputs.s:", "name of an axis");
        definition("unknown axis", [](Json& json) { json["inputs"]["x"]["shape"] = {"rows", "nope"}; }, "L1/copy/definition.json:14: inputs.x.shape:", "'nope'");
        definition("no axes", [](Json& json) { json.erase("axes"); }, "L1/copy/definition.json:1: axes:", "");
        QTest::newRow("no JSON") << "L1/copy/definition.json" << QByteArray("{\n  \"name\": ") << "L1/copy/definition.json:2: :" << "";

        const auto workload = [](const char* name, const std::string& line, const char* place, const char* part) {
            QTest::newRow(name) << "L1/copy/workload.jsonl" << QByteArray::fromStdString(workloadText("first") + "\n\n" + line + "\n") << place << part;
        };
        workload("no workload", "[]", "L1/copy/workload.jsonl:3: :", "");
        workload("no uuid", R"({"axes":{"rows":2},"inputs":{}})", "L1/copy/workload.jsonl:3: uuid:", "");
        workload("uuid used twice", workloadText("first"), "L1/copy/workload.jsonl:3: uuid:", "line 1 too");
        workload("axis without a value", workloadText("u", "{}", "{}"), "L1/copy/workload.jsonl:3: axes:", "rows");
        workload("axis that is not declared", workloadText("u", "{}", R"({"rows":2,"more":1})"), "L1/copy/workload.jsonl:3: axes.more:", "declares no such axis");
        workload("input that is not declared", workloadText("u", R"({"z":{"type":"random"}})"), "L1/copy/workload.jsonl:3: inputs.z:", "ignored");
        workload("custom beside random", workloadText("u", R"({"x":{"type":"custom"},"s":{"type":"random"}})"), "L1/copy/workload.jsonl:3: inputs:", "mixed");
        workload("custom without a function", workloadText("u", R"({"x":{"type":"custom"},"s":{"type":"custom"}})"), "L1/copy/workload.jsonl:3: inputs:",
                 "custom_inputs_entrypoint");
        workload("scalar for a tensor", workloadText("u", R"({"x":{"type":"scalar","value":1}})"), "L1/copy/workload.jsonl:3: inputs.x:", "asks for a tensor");
        workload("misspelt tolerance", workloadText("u", "{}", R"({"rows":2})", R"(,"tolerance":{"required_match_ratio":0.9})"),
                 "L1/copy/workload.jsonl:3: tolerance.required_match_ratio:", "misspelt");
        workload("negative tolerance", workloadText("u", "{}", R"({"rows":2})", R"(,"tolerance":{"max_atol":-1})"),
                 "L1/copy/workload.jsonl:3: tolerance.max_atol:", "at least 0");
        workload("tensor that is nowhere", workloadText("u", R"({"x":{"type":"safetensors","path":"data/x.safetensors","tensor_key":"x"}})"),
                 "L1/copy/workload.jsonl:3: inputs.x.path:", "looked for in");
        workload("tensor outside", workloadText("u", R"({"x":{"type":"safetensors","path":"../../../x.safetensors","tensor_key":"x"}})"),
                 "L1/copy/workload.jsonl:3: inputs.x.path:", "leads out");

        QTest::newRow("no number of calls") << "L1/copy/config.json" << QByteArray(R"({"iterations":0})") << "L1/copy/config.json:0: iterations:" << "1 or more";
        QTest::newRow("solution of another definition")
            << "L1/copy/solution.json"
            << QByteArray(R"({"name":"s","definition":"other","author":"a","spec":{"languages":["triton"],"target_hardware":["LOCAL"],"entry_point":"k.py::run"},)"
                          R"("sources":[{"path":"k.py","content":"def run():\n    pass\n"}]})")
            << "L1/copy/solution.json:0: definition:" << "'other'";
        QTest::newRow("solution without languages") << "L1/copy/solution.json" << QByteArray(R"({"name":"s"})") << "L1/copy/solution.json:1: definition:" << "";
        QTest::newRow("result of an unknown definition")
            << "traces/x.jsonl"
            << QByteArray(R"({"definition":"other","workload":{"uuid":"u","axes":{},"inputs":{}},"solution":"s","evaluation":{"status":"TIMEOUT","environment":)"
                          R"({"hardware":"h","libs":{}},"timestamp":"2026-01-01T00:00:00","log":"","correctness":null,"performance":null}})" "\n")
            << "traces/x.jsonl:1: definition:" << "'other'";
    }
    void whatSolExecBenchRefusesIsFound()
    {
        QFETCH(QString, file);
        QFETCH(QByteArray, text);
        QFETCH(QString, place);
        QFETCH(QString, part);
        m_builder->file(file.toStdString(), text.toStdString());
        const auto report = validateDataset({m_builder->root(), std::nullopt, true, {}, {}});
        QVERIFY(report);
        const auto seen = findingsOf(*report);
        QVERIFY2(std::any_of(seen.begin(), seen.end(),
                             [&](const Seen& one) {
                                 const QString shownOne = QString::fromStdString(one.text);
                                 return one.level != CheckLevel::Info && shownOne.startsWith(place) && shownOne.contains(part);
                             }),
                 qPrintable(shown(seen)));
        QVERIFY(report->status() != CheckLevel::Info);
        // The report survives being written and read, and its text has each place.
        const auto again = parseValidationReport(validationDocument(*report).dump());
        QVERIFY(again);
        QCOMPARE(validationText(*again), validationText(*report));
    }

    /// Every bad line is told, not only the first one.
    void allLinesAreLookedAt()
    {
        m_builder->file("L1/copy/workload.jsonl", "{}\n" + workloadText("u") + "\n[]\n{\n");
        const auto seen = findingsOf(*validateDataset({m_builder->root(), std::nullopt, true, {}, {}}));
        for (const char* line : {"jsonl:1:", "jsonl:3:", "jsonl:4:"}) QVERIFY2(shown(seen).contains(line), qPrintable(shown(seen)));
        QVERIFY(!shown(seen).contains("jsonl:2:"));
    }

    void twoFoldersWithOneDefinitionAreFound()
    {
        m_builder->file("L2/again/definition.json", definitionText()).file("L2/again/workload.jsonl", workloadText("v") + "\n");
        const auto report = validateDataset({m_builder->root(), std::nullopt, true, {}, {}});
        QCOMPARE(report->reports.size(), std::size_t{2});
        QVERIFY(shown(findingsOf(*report)).contains("L2/again/definition.json:0: name: the definition 'copy' is in L1/copy/definition.json too"));
    }

    void filtersChooseProblems()
    {
        m_builder->file("L2/other/definition.json", definitionText([](Json& json) { json["name"] = "other"; })).file("L2/other/workload.jsonl", "{}\n");
        const auto chosen = [this](std::vector<std::string> opTypes, std::vector<std::string> definitions) {
            return validateDataset({m_builder->root(), std::nullopt, true, std::move(opTypes), std::move(definitions)});
        };
        QVERIFY(chosen({}, {"copy"})->status() == CheckLevel::Info);
        QVERIFY(chosen({"L2"}, {})->status() == CheckLevel::Error);
        QCOMPARE(chosen({"L2"}, {"copy"})->reports.size(), std::size_t{2});
        const auto unknown = chosen({}, {"nope"});
        QVERIFY(!unknown && unknown.error().code == ErrorCode::Usage);
        QVERIFY(unknown.error().reason.find("'nope'") != std::string::npos);
    }

    /// Dialect §4.3: every root, with more and more of the path's first parts dropped.
    void tensorsAreLookedForInEveryRoot()
    {
        const std::vector<float> values(8);
        const auto bytes = std::as_bytes(std::span(values));
        const auto inputs = R"({"x":{"type":"safetensors","path":"data/trace/blob/x.safetensors","tensor_key":"x"}})";
        m_builder->file("L1/copy/workload.jsonl", workloadText("u", inputs) + "\n");
        const auto found = [this] { return findBlob(blobRoots(m_builder->root() / "L1/copy", m_builder->root()), "data/trace/blob/x.safetensors"); };
        QVERIFY(!found());
        QVERIFY(found().error().code == ErrorCode::NotFound);

        DatasetBuilder elsewhere;
        QVERIFY(writeSafetensors(elsewhere.root() / "blob/x.safetensors", {{"x", DType::Float32, {2, 4}, bytes}}));
        qputenv("FLASHINFER_TRACE_DIR", QByteArray::fromStdString(elsewhere.root().string()));
        QCOMPARE(*found(), elsewhere.root() / "blob/x.safetensors");
        QVERIFY(findingsOf(*validateDataset({m_builder->root(), std::nullopt, true, {}, {}})).empty());

        QVERIFY(writeSafetensors(m_builder->root() / "trace/blob/x.safetensors", {{"x", DType::Float32, {3, 4}, std::as_bytes(std::span(m_more))}}));
        QCOMPARE(*found(), m_builder->root() / "trace/blob/x.safetensors");
        const auto seen = findingsOf(*validateDataset({m_builder->root(), std::nullopt, true, {}, {}}));
        QVERIFY2(shown(seen).contains("inputs.x: the definition asks for the shape (2, 4), the tensor has (3, 4)"), qPrintable(shown(seen)));
        QVERIFY(findBlob(blobRoots(m_builder->root() / "L1/copy", m_builder->root()), "../../../etc/passwd").error().code == ErrorCode::InvalidInput);
    }
    void cleanup() { qunsetenv("FLASHINFER_TRACE_DIR"); }

private:
    std::unique_ptr<DatasetBuilder> m_builder;
    std::vector<float> m_more = std::vector<float>(12);
};

QTEST_GUILESS_MAIN(TestValidationProblemFolders)
#include "test_validation_problem_folders.moc"
