// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <algorithm>
#include <filesystem>
#include <fstream>

#include "core/io/safetensors.h"
#include "core/report/validation.h"
#include "core/report/validation_scan.h"
#include "tests/support/dataset_builder.h"

using namespace tracedeck;
using tracedeck::test::DatasetBuilder;

namespace fs = std::filesystem;

namespace {

/// A definition with a tensor input x[M,4], a scalar input s, and descriptions everywhere.
Json describedDefinition(const std::string& name)
{
    return Json::parse(R"({"name":")" + name + R"(","op_type":"gemm","description":"d",
        "axes":{"M":{"type":"var","description":"m"},"N":{"type":"const","value":4,"description":"n"}},
        "inputs":{"x":{"shape":["M","N"],"dtype":"float32","description":"x"},"s":{"shape":null,"dtype":"float32","description":"s"}},
        "outputs":{"y":{"shape":["M","N"],"dtype":"float32","description":"y"}},"reference":"def run(x, s):\n    return x\n"})");
}

std::string workloadLine(const std::string& uuid, const std::string& axes = R"({"M":2})",
                         const std::string& x = R"({"type":"random"})",
                         const std::string& s = R"({"type":"scalar","value":1})", const std::string& definition = "g")
{
    return R"({"definition":")" + definition + R"(","workload":{"axes":)" + axes + R"(,"inputs":{"x":)" + x +
           R"(,"s":)" + s + R"(},"uuid":")" + uuid + R"("},"solution":null,"evaluation":null})";
}

std::string tensor(const std::string& path, const std::string& key)
{
    return R"({"type":"safetensors","path":")" + path + R"(","tensor_key":")" + key + "\"}";
}

std::string traceLine(const std::string& uuid, const std::string& solution, const std::string& status = "TIMEOUT",
                      const std::string& definition = "g")
{
    return R"({"definition":")" + definition + R"(","workload":{"axes":{"M":2},"inputs":{},"uuid":")" + uuid +
           R"("},"solution":)" + solution + R"(,"evaluation":{"status":")" + status +
           R"(","environment":{"hardware":"h","libs":{}},"timestamp":"2026-01-01T00:00:00","log":""}})";
}

std::string solutionText(const std::string& name, const std::string& definition = "g",
                         const std::string& author = "ann")
{
    return R"({"name":")" + name + R"(","definition":")" + definition + R"(","author":")" + author +
           R"(","spec":{"language":"python","target_hardware":["cpu"],"entry_point":"main.py::run"},"sources":[{"path":"main.py","content":"x"}]})";
}

/// Files of a dataset by path, with a good definition g already there.
using Files = std::map<std::string, std::string>;

void fill(DatasetBuilder& builder, const Files& files)
{
    builder.file("definitions/gemm/g.json", describedDefinition("g").dump());
    for (const auto& [path, text] : files) builder.file(path, text);
}

ValidationReport validated(const DatasetBuilder& builder, std::vector<Check> checks)
{
    ValidationRequest request;
    request.root = builder.root();
    request.checks = std::move(checks);
    auto report = validateDataset(request);
    if (!report) throw std::runtime_error(report.error().toString());
    return *report;
}

/// "level: message" of one check of the definition g; the root is written as ROOT.
QStringList messagesOf(const DatasetBuilder& builder, Check check, const std::string& definition = "g")
{
    const auto report = validated(builder, {check});
    QStringList lines;
    const auto found = report.reports.find(definition);
    if (found == report.reports.end()) return {QStringLiteral("no report")};
    constexpr std::array<const char*, 3> levels{"info", "warning", "error"};
    for (const CheckMessage& message : found->second.checks.at(static_cast<std::size_t>(check))->messages) {
        lines << QString(levels.at(static_cast<std::size_t>(message.level))) + ": " +
                     QString::fromStdString(message.text);
    }
    for (QString& line : lines) line.replace(QString::fromStdString(builder.root().string()), "ROOT");
    return lines;
}

std::string lines(const std::vector<std::string>& texts)
{
    std::string joined;
    for (const std::string& text : texts) joined += text + "\n";
    return joined;
}

/// Gives what a test wants to have been found.
class FakeCode : public CodeChecks {
public:
    CodeFindings findings;
    std::optional<std::string> why;
    std::vector<CodeSubject> subjects;

    [[nodiscard]] std::optional<std::string> obstacle() const override { return why; }
    [[nodiscard]] Result<CodeResults> run(const std::filesystem::path&, const std::vector<CodeSubject>& asked, const std::stop_token&) override
    {
        subjects = asked;
        CodeResults results;
        for (const CodeSubject& subject : asked) {
            CodeFindings found = findings;
            for (const Solution* baseline : subject.baselines) found.builds[baseline];
            results.findings[subject.name] = std::move(found);
        }
        return results;
    }
};

}  // namespace



class TestValidation : public QObject {
    Q_OBJECT
private slots:
    void checksReportEachRule_data()
    {
        QTest::addColumn<Files>("files");
        QTest::addColumn<int>("check");
        QTest::addColumn<QStringList>("expected");   // a line that ends with … is compared up to there
        const auto row = [](const char* id, Check check, const Files& files, const QStringList& expected) {
            QTest::newRow(id) << files << static_cast<int>(check) << expected;
        };
        Json json = describedDefinition("other");
        json["op_type"] = "norm";
        const std::string workloads = "workloads/gemm/g.jsonl";
        row("layout: all well", Check::Layout, {{workloads, workloadLine("u")}}, {});
        row("L1", Check::Layout, {{"definitions/norm/g.json", describedDefinition("g").dump()}},
            {"error: duplicate definition name: ROOT/definitions/gemm/g.json and ROOT/definitions/norm/g.json"});
        row("L2 L3", Check::Layout, {{"definitions/gemm/g.json", json.dump()}},
            {"error: definition name mismatch: path says 'g', JSON says 'other'",
             "error: definition op_type mismatch: path says 'gemm', JSON says 'norm'"});
        row("L4 L5", Check::Layout,
            {{"workloads/norm/g.jsonl", lines({workloadLine("u"), workloadLine("v", "{}", "{}", "{}", "h"),
                                               workloadLine("w", "{}", "{}", "{}", "i")})}},
            {"error: workload op_type mismatch: expected 'gemm', got 'norm'",
             "error: workload trace definition mismatch: expected 'g', got 'h'"});
        row("L6 L7 L8 L9", Check::Layout, {{"solutions/bob/norm/g/s.json", solutionText("t", "h")}},
            {"error: solution 's' author mismatch: path 'bob', JSON 'ann'",
             "error: solution 's' definition mismatch: path 'g', JSON 'h'",
             "error: solution name mismatch: path 's', JSON 't'",
             "error: solution 's' op_type mismatch: expected 'gemm', got 'norm'"});
        row("L10 L11", Check::Layout,
            {{"traces/ann/norm/g.jsonl", lines({traceLine("u", "\"s\""), traceLine("u", "\"s\"", "TIMEOUT", "h"),
                                                traceLine("u", "\"s\"", "TIMEOUT", "i")})}},
            {"error: trace file op_type mismatch for author 'ann': expected 'gemm', got 'norm'",
             "error: trace definition mismatch for author 'ann': expected 'g', got 'h'"});
        row("L12", Check::Layout,
            {{workloads, workloadLine("u", R"({"M":2})", tensor("./blob/none.safetensors", "x"))}},
            {"error: workload u: blob missing at ./blob/none.safetensors"});
        row("definition: all well", Check::Definition, {}, {});
        row("F1", Check::Definition, {{"definitions/gemm/g.json", "{"}}, {"error: parse error: …"});
        row("F1 duplicate", Check::Definition, {{"definitions/norm/g.json", describedDefinition("g").dump()}},
            {"error: parse error: duplicate definition name: ROOT/definitions/gemm/g.json and "
             "ROOT/definitions/norm/g.json"});
        Json plain = Json::parse(
            R"({"name":"g","op_type":"gemm","axes":{"M":{}},"inputs":{"x":{"shape":["M"],"dtype":"float32"}},
            "outputs":{"y":{"shape":["M"],"dtype":"float32"}},"reference":"def run(x): pass","description":""})");
        row("F2 F3", Check::Definition, {{"definitions/gemm/g.json", plain.dump()}},
            {"warning: missing description", "warning: missing description: axes.M",
             "warning: missing description: inputs.x", "warning: missing description: outputs.y"});
        row("W0", Check::Workload, {{workloads, lines({workloadLine("u"), "", workloadLine("v")})}}, {"info: 2 valid"});
        row("W1", Check::Workload, {}, {"warning: no workload file found"});
        row("W2", Check::Workload, {{workloads, lines({workloadLine("u"), "", "{"})}},
            {"error: parse error: … (line 3)"});
        row("W3", Check::Workload, {{workloads, workloadLine("u")}, {"definitions/gemm/g.json", "{"}},
            {"error: cannot validate workloads: definition failed to load"});
        row("W4", Check::Workload, {{workloads, lines({traceLine("u", "\"s\""), workloadLine("v")})}},
            {"info: 1/2 valid", "error: u: workload entry should not have solution or evaluation",
             "error: u: missing inputs ['s', 'x']"});
        row("W5", Check::Workload, {{workloads, lines({workloadLine("u", R"({"N":4,"K":1})")})}},
            {"info: 0/1 valid", "error: u: missing axes ['M']", "error: u: extra axes ['K', 'N']"});
        row("W6", Check::Workload, {{workloads, workloadLine("u", R"({"M":0})")}},
            {"info: 0/1 valid", "error: u: axis M has non-positive value 0"});
        row("W7", Check::Workload,
            {{workloads, "{\"definition\":\"g\",\"workload\":{\"axes\":{\"M\":1},\"inputs\":{\"x\":{},\"it's\":{}},"
                         "\"uuid\":\"u\"}}"}},
            {"info: 0/1 valid", "error: u: missing inputs ['s']", "error: u: extra inputs [\"it's\"]"});
        row("W8", Check::Workload, {{workloads, workloadLine("u", R"({"M":2})", R"({"type":"scalar","value":1})")}},
            {"info: 0/1 valid", "error: u: x is scalar but definition expects tensor"});
        row("W9", Check::Workload,
            {{workloads, lines({workloadLine("u", R"({"M":2})", R"({"type":"random"})", R"({"type":"random"})"),
                                workloadLine("v", R"({"M":2})", R"({"type":"random"})", tensor("b", "k"))})}},
            {"info: 0/2 valid", "error: u: s is random but definition expects scalar",
             "error: v: s is safetensors but definition expects scalar"});
        row("W10", Check::Workload, {{workloads, workloadLine("u", R"({"M":2})", tensor("b", "k"))}},
            {"info: 0/1 valid", "error: u: blob missing at b"});
        row("W13 junk", Check::Workload,
            {{workloads, workloadLine("u", R"({"M":2})", tensor("b", "k"))}, {"b", "junk"}},
            {"info: 0/1 valid", "error: u: blob load failed: …"});
        row("W13 not downloaded", Check::Workload,
            {{workloads, workloadLine("u", R"({"M":2})", tensor("b", "k"))},
             {"b", "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n"}},
            {"info: 0/1 valid", "error: u: blob load failed: not downloaded…"});
        row("W13 leads out", Check::Workload,
            {{workloads, workloadLine("u", R"({"M":2})", tensor("../../etc/passwd", "k"))}},
            {"info: 0/1 valid",
             "error: u: blob load failed: path: the blob path '../../etc/passwd' leads out of the folder"});
        row("S1", Check::Solution, {}, {"info: no solutions"});
        row("S0 S2 S3", Check::Solution,
            {{"solutions/ann/gemm/g/a.json", solutionText("a")},
             {"solutions/ann/gemm/g/b.json", "{}"},
             {"solutions/bob/gemm/g/c.json", solutionText("x", "h")}},
            {"info: 2 solutions", "error: b: parse error: …", "error: c: definition field 'h' != 'g'",
             "error: c: author field 'ann' != path 'bob'", "error: c: name field 'x' != path 'c'"});
        row("T1", Check::Trace, {}, {"info: no trace files"});
        const std::string s = "solutions/ann/gemm/g/s.json";
        row("T2", Check::Trace, {{"traces/ann/gemm/g.jsonl", lines({traceLine("u", "\"no\""), "x"})}},
            {"error: ann: parse error: … (line 2)"});
        row("T3", Check::Trace,
            {{s, solutionText("s")},
             {workloads, lines({workloadLine("u"), workloadLine("v")})},
             {"traces/ann/gemm/g.jsonl",
              lines({traceLine("u", "\"s\""), traceLine("u", "\"s\"", "TIMEOUT", "h"), traceLine("v", "\"no\"")})}},
            {"error: ann: trace definition 'h' != 'g'"});
        row("T4 T5", Check::Trace,
            {{s, solutionText("s")},
             {"traces/ann/gemm/g.jsonl",
              lines({workloadLine("u"), traceLine("v", "null"), traceLine("w", "\"no\""), traceLine("x", "\"\"")})}},
            {"error: ann: trace entry u missing solution or evaluation",
             "error: ann: trace entry v missing solution or evaluation",
             "error: ann: trace references unknown solution 'no'", "error: ann: trace references unknown solution ''"});
        row("T6", Check::Trace,
            {{s, solutionText("s")},
             {workloads, lines({workloadLine("u"), workloadLine("v")})},
             {"traces/ann/gemm/g.jsonl", traceLine("u", "\"s\"")},
             {"traces/bob/gemm/g.jsonl", "\n"}},
            {"warning: ann missing 1/2 workloads"});
        row("B1 none", Check::Baseline, {{s, solutionText("s")}}, {"warning: no baseline solution"});
        const std::string b = "solutions/baseline/gemm/g/b.json";
        const std::string bt = "traces/baseline/gemm/g.jsonl";
        row("B1 B3", Check::Baseline, {{b, solutionText("b")}, {"solutions/baseline/gemm/g/c.json", "{}"}},
            {"info: solution: b, c", "warning: trace missing"});
        row("B4", Check::Baseline, {{b, solutionText("b")}, {bt, "x"}},
            {"info: solution: b", "error: trace parse error: … (line 1)"});
        row("B5 B6 B7", Check::Baseline,
            {{b, solutionText("b")},
             {workloads, lines({workloadLine("u"), workloadLine("v")})},
             {bt, lines({traceLine("u", "\"b\""), traceLine("u", "\"no\""), traceLine("w", "\"never\"")})}},
            {"info: solution: b", "error: trace references non-baseline solution 'no'",
             "warning: trace has 3 non-passing entries", "warning: trace covers 2/2 workloads"});
        row("B7 covered", Check::Baseline,
            {{b, solutionText("b")},
             {workloads, workloadLine("u")},
             {bt, lines({workloadLine("u"), workloadLine("v")})}},
            {"info: solution: b", "info: trace: all passed", "info: trace: 2/1 workloads"});
    }
    void checksReportEachRule()
    {
        QFETCH(Files, files);
        QFETCH(int, check);
        QFETCH(QStringList, expected);
        DatasetBuilder builder;
        fill(builder, files);
        const QStringList messages = messagesOf(builder, static_cast<Check>(check));
        QVERIFY2(messages.size() == expected.size(), qPrintable(messages.join("\n")));
        for (qsizetype i = 0; i < messages.size(); ++i) {
            const QStringList parts = expected[i].split(QStringLiteral("…"));
            const bool fits = parts.size() == 1 ? messages[i] == expected[i]
                                                : messages[i].startsWith(parts[0]) && messages[i].endsWith(parts[1]);
            QVERIFY2(fits, qPrintable(messages[i]));
        }
    }

    void tensorsOfWorkloadsAreComparedWithTheDefinition()
    {
        DatasetBuilder builder;
        const std::string data(64, '\0');
        const auto bytes = std::as_bytes(std::span(data.data(), data.size()));
        QVERIFY(writeSafetensors(builder.root() / "b", {{"good", DType::Float32, {2, 4}, bytes.first(32)},
                                                        {"half", DType::Float16, {2, 4}, bytes.first(16)},
                                                        {"flat", DType::Float32, {8}, bytes.first(32)},
                                                        {"packed", DType::Float4E2M1, {2, 8}, bytes.first(8)},
                                                        {"odd", DType::Float4E2M1, {2, 1}, bytes.first(1)}}));
        fill(builder, {{"workloads/gemm/g.jsonl", lines({workloadLine("a", R"({"M":2})", tensor("b", "good")),
                                                         workloadLine("b", R"({"M":2})", tensor("./b", "half")),
                                                         workloadLine("c", R"({"M":2})", tensor("b", "flat")),
                                                         workloadLine("d", R"({"M":2})", tensor("b", "packed")),
                                                         workloadLine("e", R"({"M":2})", tensor("b", "none")),
                                                         workloadLine("f", R"({"M":2})", tensor("b", "odd"))})}});
        QCOMPARE(
            messagesOf(builder, Check::Workload),
            (QStringList{"info: 3/6 valid", "error: c: x shape mismatch: expected (2, 4), got (8,)",
                         "error: e: tensor key 'none' not found in b",
                         "error: f: blob load failed: an F4 tensor needs a last dimension that is divisible by 2"}));
        const auto report = validated(builder, {Check::Dataset});
        QStringList dtypes;
        for (const DatasetFinding& finding : report.datasetCheck->findings) {
            if (finding.kind == "blob-dtype") dtypes << QString::number(finding.line);
        }
        QCOMPARE(dtypes, (QStringList{"2", "4", "6"}));
    }

    void datasetCheckFindsWhatTheOthersDoNot_data()
    {
        QTest::addColumn<Files>("files");
        QTest::addColumn<QStringList>("expected");   // level kind file:line
        const auto row = [](const char* name, const Files& files, const QStringList& expected) {
            QTest::newRow(name) << files << expected;
        };
        row("nothing", {}, {});
        row("wrong depth",
            {{"definitions/h.json", describedDefinition("h").dump()}, {"solutions/ann/s.json", solutionText("s")}},
            {"warning wrong-depth definitions/h.json:0", "warning wrong-depth solutions/ann/s.json:0"});
        row("wrong depth and broken",
            {{"definitions/h.json", "{"},
             {"workloads/w.jsonl", "\n{"},
             {"traces/t.jsonl", "x"},
             {"solutions/s.json", "{}"}},
            {"warning wrong-depth definitions/h.json:0", "warning wrong-depth solutions/s.json:0",
             "warning wrong-depth workloads/w.jsonl:0", "warning wrong-depth traces/t.jsonl:0",
             "error invalid definitions/h.json:0", "error invalid solutions/s.json:0",
             "error invalid workloads/w.jsonl:0", "error invalid traces/t.jsonl:0"});
        row("hidden", {{"definitions/gemm/.h.json", describedDefinition("h").dump()}},
            {"warning hidden definitions/gemm/.h.json:0"});
        row("not loaded", {{"definitions/gemm/h.JSON", "x"}}, {"info not-loaded definitions/gemm/h.JSON:0"});
        row("same names",
            {{"definitions/gemm/h.json", describedDefinition("g").dump()},
             {"solutions/ann/gemm/g/a.json", solutionText("a")},
             {"solutions/bob/gemm/g/a.json", solutionText("a")}},
            {"error duplicate-definition definitions/gemm/h.json:0",
             "error duplicate-solution solutions/bob/gemm/g/a.json:0"});
        row("orphans",
            {{"solutions/ann/gemm/h/a.json", solutionText("a", "h")},
             {"workloads/gemm/h.jsonl", lines({"", workloadLine("u", "{}", "{}", "{}", "h")})},
             {"traces/ann/gemm/h.jsonl",
              lines({traceLine("u", "\"a\"", "TIMEOUT", "h"), traceLine("u", "\"no\"", "TIMEOUT", "h")})}},
            {"error orphan-solution solutions/ann/gemm/h/a.json:0", "error orphan-workload workloads/gemm/h.jsonl:2",
             "error orphan-trace traces/ann/gemm/h.jsonl:1", "error unknown-solution traces/ann/gemm/h.jsonl:2"});
        row("old form is no orphan",
            {{"definitions/gemm/h.json",
              R"({"name":"h","type":"gemm","axes":{},"inputs":{},"outputs":{},"reference":"def run(): pass"})"},
             {"workloads/gemm/h.jsonl", workloadLine("u", "{}", "{}", "{}", "h")}},
            {});
        row("uuids",
            {{"definitions/gemm/h.json", describedDefinition("h").dump()},
             {"workloads/gemm/g.jsonl", lines({workloadLine("u"), workloadLine("u")})},
             {"workloads/gemm/h.jsonl", workloadLine("u", R"({"M":2})", "{}", R"({"type":"scalar","value":1})", "h")}},
            {"error duplicate-uuid workloads/gemm/g.jsonl:2", "warning duplicate-uuid workloads/gemm/h.jsonl:1"});
        row("wrong folder",
            {{"workloads/gemm/g.jsonl", traceLine("u", "\"s\"")},
             {"solutions/ann/gemm/g/s.json", solutionText("s")},
             {"traces/ann/gemm/g.jsonl", workloadLine("u")}},
            {"error trace-in-workloads workloads/gemm/g.jsonl:1",
             "error workload-in-traces traces/ann/gemm/g.jsonl:1"});
        row("traces of other workloads",
            {{"workloads/gemm/g.jsonl", lines({workloadLine("u", R"({"M":3})"), workloadLine("v")})},
             {"solutions/ann/gemm/g/s.json", solutionText("s")},
             {"traces/ann/gemm/g.jsonl",
              lines({traceLine("v", "\"s\""), traceLine("u", "\"s\""), traceLine("w", "\"s\"")})}},
            {"warning unknown-workload traces/ann/gemm/g.jsonl:3", "warning other-axes traces/ann/gemm/g.jsonl:2"});
        row("paths that lead out",
            {{"workloads/gemm/g.jsonl", workloadLine("u", R"({"M":2})", tensor("blob/../../x", "k"))}},
            {"error path-escape workloads/gemm/g.jsonl:1"});
        row("unused", {{"blob/b", "1"}, {"blob/a/c", "2"}}, {"info unused-blob blob/a/c:0"});
        row("unsafe names", {{"solutions/ann/gemm/g/s.json", solutionText("../s", "g", "a/b")}},
            {"error unsafe-name solutions/ann/gemm/g/s.json:0", "error unsafe-name solutions/ann/gemm/g/s.json:0"});
    }
    void datasetCheckFindsWhatTheOthersDoNot()
    {
        QFETCH(Files, files);
        QFETCH(QStringList, expected);
        DatasetBuilder builder;
        fill(builder, files);
        const auto report = validated(builder, {Check::Dataset});
        QVERIFY(report.datasetCheck);
        QStringList found;
        CheckLevel worst = CheckLevel::Info;
        for (const DatasetFinding& finding : report.datasetCheck->findings) {
            constexpr std::array<const char*, 3> levels{"info", "warning", "error"};
            found << QString("%1 %2 %3:%4")
                         .arg(levels.at(static_cast<std::size_t>(finding.level)), QString::fromStdString(finding.kind),
                              QString::fromStdString(finding.file))
                         .arg(finding.line);
            QVERIFY(!finding.reason.empty());
            worst = std::max(worst, finding.level);
        }
        QCOMPARE(found.join("\n"), expected.join("\n"));
        QVERIFY(report.datasetCheck->status == worst);
    }

    void linksAreReported()
    {
        DatasetBuilder outside;
        outside.file("secret.json", describedDefinition("out").dump());
        DatasetBuilder builder;
        fill(builder, {});
        const fs::path gemm = builder.root() / "definitions" / "gemm";
        fs::create_symlink(outside.root() / "secret.json", gemm / "out.json");
        fs::create_symlink("nothing", gemm / "gone.json");
        fs::create_directory_symlink(outside.root(), builder.root() / "definitions" / "linked");
        fs::create_directory(gemm / "folder.json");
        const auto report = validated(builder, {Check::Dataset, Check::Definition});
        QStringList kinds;
        for (const DatasetFinding& finding : report.datasetCheck->findings) {
            kinds << QString::fromStdString(finding.kind + " " + finding.file);
        }
        QCOMPARE(kinds,
                 (QStringList{"folder-named-as-file definitions/gemm/folder.json",
                              "broken-link definitions/gemm/gone.json", "link-leads-out definitions/gemm/out.json",
                              "link-leads-out definitions/linked", "linked-folder definitions/linked"}));
        // flashinfer-bench's own scan takes all of them for definitions.
        QCOMPARE(report.reports.size(), std::size_t{4});
        QVERIFY(report.reports.at("folder").status == CheckLevel::Error);
        QVERIFY(report.reports.at("gone").status == CheckLevel::Error);
    }

    void linesAreCutAsPythonCutsThem_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QList<int>>("expected");   // lines of the records
        QTest::newRow("LF") << QByteArray("a\nb\n") << QList<int>{1, 2};
        QTest::newRow("no LF at the end") << QByteArray("a\nb") << QList<int>{1, 2};
        QTest::newRow("CR LF") << QByteArray("a\r\n\r\nb\r\n") << QList<int>{1, 3};
        QTest::newRow("CR") << QByteArray("a\r\rb\r") << QList<int>{1, 3};
        QTest::newRow("CR CR LF") << QByteArray("a\r\r\nb") << QList<int>{1, 3};
        QTest::newRow("controls") << QByteArray("a\vb\fc\x1c"
                                                "d\x1d"
                                                "e\x1e"
                                                "f\x1f"
                                                "g")
                                  << QList<int>{1, 2, 3, 4, 5, 6};
        QTest::newRow("wide") << QByteArray("a\xC2\x85"
                                            "b\xE2\x80\xA8"
                                            "c\xE2\x80\xA9"
                                            "d\xC2\xA0")
                              << QList<int>{1, 2, 3, 4};
        QTest::newRow("before LF") << QByteArray("a\v\nb") << QList<int>{1, 3};
        QTest::newRow("blank lines") << QByteArray("\n \n\t\na") << QList<int>{4};
        QTest::newRow("empty") << QByteArray() << QList<int>{};
    }
    void linesAreCutAsPythonCutsThem()
    {
        QFETCH(QByteArray, text);
        QFETCH(QList<int>, expected);
        DatasetBuilder builder;
        builder.file("lines", text.toStdString());
        QList<int> found;
        const auto outcome =
            readValidatedLines(builder.root() / "lines",
                               [&](std::string_view record, std::int64_t line) -> std::optional<std::string> {
                                   if (record.empty()) return "an empty record";
                                   found << static_cast<int>(line);
                                   return std::nullopt;
                               },
                               {});
        QCOMPARE(QString::fromStdString(outcome.error), QString());
        QCOMPARE(found, expected);
    }

    void filtersAreAUnionAndUnknownOnesAreRefused()
    {
        DatasetBuilder builder;
        builder.definition({.name = "a"})
            .definition({.name = "b", .opType = "norm"})
            .definition({.name = "c", .opType = "moe"});
        ValidationRequest request{builder.root(), std::nullopt, false, {"norm"}, {"a"}};
        const auto report = validateDataset(request);
        QVERIFY(report);
        QCOMPARE(report->reports.size(), std::size_t{2});
        QVERIFY(report->reports.contains("a") && report->reports.contains("b"));
        // With a filter the dataset as a whole is looked at only when that is asked for.
        QVERIFY(!report->datasetCheck);
        request.checks = std::vector<Check>{Check::Dataset};
        QVERIFY(validateDataset(request)->datasetCheck);
        // A typing error must not look like a dataset without faults.
        request.opTypes.emplace_back("nrom");
        const auto unknown = validateDataset(request);
        QVERIFY(!unknown);
        QVERIFY(unknown.error().code == ErrorCode::Usage);
        QCOMPARE(unknown.error().reason, std::string("there is no op_type 'nrom'; did you mean 'norm'?"));
    }

    void resultsOfCodeBecomeMessagesAtTheirPlace_data()
    {
        QTest::addColumn<CodeFindings>("findings");
        QTest::addColumn<QStringList>("definition");
        QTest::addColumn<QStringList>("baseline");
        QTest::addColumn<QStringList>("benchmark");
        const CodeFindings::Build works;
        CodeFindings good;
        good.reference = works;
        good.baselineRuns = good.referenceRuns = 1;
        QTest::newRow("good") << good << QStringList{"reference build: ok"} << QStringList{"build b: ok"} << QStringList{"baseline: PASS", "reference: PASS"};
        CodeFindings bad;
        bad.reference = CodeFindings::Build{"why"};
        bad.baselineRuns = bad.referenceRuns = 1;
        bad.baselineFailures = {{"b", "u", "TIMEOUT"}};
        bad.referenceFailures = {{"", "u", "COMPILE_ERROR"}};
        QTest::newRow("bad") << bad << QStringList{"reference build failed: why"} << QStringList{"build b: ok"}
                             << QStringList{"baseline failed: b on u: TIMEOUT", "reference failed: workload u: COMPILE_ERROR"};
        CodeFindings raised;
        raised.runErrors = {"no disk"};
        QTest::newRow("raised") << raised << QStringList() << QStringList{"build b: ok"} << QStringList{"benchmark failed: no disk"};
        // What was not run did not pass.
        QTest::newRow("not run") << CodeFindings() << QStringList() << QStringList{"build b: ok"} << QStringList();
    }
    void resultsOfCodeBecomeMessagesAtTheirPlace()
    {
        QFETCH(CodeFindings, findings);
        QFETCH(QStringList, definition);
        QFETCH(QStringList, baseline);
        QFETCH(QStringList, benchmark);
        DatasetBuilder builder;
        builder.definition({.name = "g"}).workload({.definition = "g", .uuid = "u"}).solution({.name = "b", .definition = "g", .author = "baseline"});
        FakeCode code;
        code.findings = findings;
        const auto report = validateDataset({builder.root(), std::nullopt, false, {}, {}}, {}, &code);
        QVERIFY(report);
        QCOMPARE(code.subjects.size(), std::size_t{1});
        QVERIFY(code.subjects[0].buildReference && code.subjects[0].buildBaselines && code.subjects[0].benchmark);
        QVERIFY(!report->disableGpu && report->notRun.empty());
        QVERIFY(std::find(report->checks.begin(), report->checks.end(), "benchmark") != report->checks.end());
        const auto textsOf = [&](Check check) {
            QStringList texts;
            const auto& result = report->reports.at("g").checks.at(static_cast<std::size_t>(check));
            if (result) {
                for (const CheckMessage& message : result->messages) texts << QString::fromStdString(message.text);
            }
            return texts;
        };
        QCOMPARE(textsOf(Check::Definition).filter("reference build"), definition);
        QCOMPARE(textsOf(Check::Baseline), QStringList{"solution: b"} + baseline + QStringList{"trace missing"});
        QCOMPARE(textsOf(Check::Benchmark), benchmark);
        QVERIFY(benchmark.isEmpty() != report->reports.at("g").checks.at(static_cast<std::size_t>(Check::Benchmark)).has_value());
        const bool isBad = !findings.baselineFailures.empty() || !findings.runErrors.empty();
        QCOMPARE(report->reports.at("g").status == CheckLevel::Error, isBad);
    }

    void anObstacleToRunningCodeIsTheReason()
    {
        DatasetBuilder builder;
        builder.definition({.name = "g"});
        FakeCode code;
        code.why = "nobody is here";
        const auto report = validateDataset({builder.root(), std::nullopt, false, {}, {}}, {}, &code);
        QVERIFY(report && report->disableGpu && code.subjects.empty());
        QCOMPARE(report->notRun.at(2), std::string("benchmark (nobody is here)"));
        FakeCode unused;
        const auto disabled = validateDataset({builder.root(), std::nullopt, true, {}, {}}, {}, &unused);
        QVERIFY(disabled && disabled->disableGpu && disabled->notRun.empty() && unused.subjects.empty());
    }

    void whatNeedsAGpuIsLeftOutAndSaidSo()
    {
        DatasetBuilder builder;
        builder.definition({.name = "a"});
        ValidationRequest request{builder.root(), std::nullopt, false, {}, {}};
        const auto report = validateDataset(request);
        QVERIFY(report);
        QVERIFY(report->disableGpu);
        QCOMPARE(report->notRun.size(), std::size_t{3});
        QVERIFY(!report->reports.at("a").checks.at(static_cast<std::size_t>(Check::Benchmark)));
        QVERIFY(std::find(report->checks.begin(), report->checks.end(), "benchmark") == report->checks.end());
        request.disableGpu = true;
        QVERIFY(validateDataset(request)->notRun.empty());
    }

    void reportsAreReadBack()
    {
        DatasetBuilder builder;
        fill(builder,
             {{"workloads/gemm/g.jsonl", "{"}, {"definitions/h.json", "{"}, {"solutions/ann/gemm/g/\xFF.json", "{}"}});
        const auto report = validateDataset({builder.root(), std::nullopt, false, {}, {}});
        QVERIFY(report);
        const std::string text = validationDocument(*report).dump(2, ' ', false, Json::error_handler_t::replace);
        fs::remove(builder.root() /
                   "solutions/ann/gemm/g/\xFF.json");   // the temporary folder cannot remove such a name itself
        const auto again = parseValidationReport(text);
        QVERIFY2(again.has_value(), again ? "" : again.error().toString().c_str());
        QCOMPARE(validationDocument(*again).dump(), Json::parse(text).dump());
        QCOMPARE(validationText(*again), validationText(*parseValidationReport(validationDocument(*again).dump())));
    }

    void reportsOfFlashinferBenchAreRendered()
    {
        const auto report = parseValidationReport(
            R"({"config":{"dataset":"d","checks":["layout","trace"],"disable_gpu":false,"op_types":["a","b"],"definitions":[]},
            "definitions":{"g":{"status":"warning","layout":{"status":"ok","messages":[]},"definition":null,"workload":null,"solution":null,
            "trace":{"status":"warning","messages":[{"level":"warning","message":"ann missing\u001b 1/2 workloads"}]},"baseline":null,"benchmark":null}}})");
        QVERIFY(report);
        QCOMPARE(QString::fromStdString(validationText(*report)),
                 QStringLiteral("=== Dataset Validation Report ===\ndataset:       d\nchecks:        layout, "
                                "trace\ndisable_gpu:   False\nop_types:      a, b\n"
                                "definitions:   (all)\n\n1 definitions: 0 ok, 1 warning, 0 error\n\n--- g [WARNING] "
                                "---\n  layout:      ok\n"
                                "  definition:  None (skipped)\n  workload:    None (skipped)\n  solution:    None "
                                "(skipped)\n  trace:       warning\n"
                                "    - ann missing\\x1b 1/2 workloads\n  baseline:    None (skipped)\n  benchmark:   "
                                "None (skipped)\n"));
    }

    void whatIsNoReportIsRefused_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("field");
        QTest::newRow("not JSON") << QByteArray("{") << "";
        QTest::newRow("array") << QByteArray("[]") << "";
        QTest::newRow("no config") << QByteArray(R"({"definitions":{}})") << "config";
        QTest::newRow("dataset") << QByteArray(R"({"config":{"dataset":1},"definitions":{}})") << "config.dataset";
        QTest::newRow("status")
            << QByteArray(
                   R"({"config":{"dataset":"d","checks":[],"disable_gpu":true,"op_types":[],"definitions":[]},"definitions":{"g":{"status":"bad"}}})")
            << "definitions.g.status";
        QTest::newRow("level")
            << QByteArray(R"({"config":{"dataset":"d","checks":[],"disable_gpu":true,"op_types":[],"definitions":[]},
            "definitions":{"g":{"status":"ok","trace":{"status":"ok","messages":[{"level":"ok","message":"m"}]}}}})")
            << "definitions.g.trace.messages.level";
    }
    void whatIsNoReportIsRefused()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, field);
        const auto report = parseValidationReport(text.toStdString());
        QVERIFY(!report);
        QCOMPARE(QString::fromStdString(report.error().field), field);
        QVERIFY(!report.error().reason.empty());
    }

    void aMissingRootIsAnError()
    {
        DatasetBuilder builder;
        const auto missing = validateDataset({builder.root() / "none", std::nullopt, false, {}, {}});
        QVERIFY(!missing);
        QVERIFY(missing.error().code == ErrorCode::NotFound);
        const auto none = validateDataset({builder.root(), std::nullopt, false, {}, {}});
        QVERIFY(!none);
        QVERIFY(none.error().code == ErrorCode::NotFound);
        QVERIFY(none.error().reason.find("A dataset has definitions/") != std::string::npos);
        fs::create_directories(builder.root() / "definitions");
        const auto empty = validateDataset({builder.root(), std::nullopt, false, {}, {}});
        QVERIFY(empty && empty->status() == CheckLevel::Info);
    }

    void realDefinitionsAndWorkloadsValidate()
    {
        const fs::path root = fs::path(TRACEDECK_SHARED_DATASETS) / "flashinfer-trace";
        if (!fs::exists(root)) QSKIP("the shared datasets are not here");
        const auto report = validateDataset({root, std::nullopt, true, {}, {}});
        QVERIFY(report);
        // As flashinfer-bench's own validator counts them: blobs of nine definitions were not published.
        QCOMPARE(report->reports.size(), std::size_t{156});
        std::array<int, 3> counts{};
        std::size_t messages = 0;
        for (const auto& [name, definition] : report->reports) {
            ++counts.at(static_cast<std::size_t>(definition.status));
            for (const auto& check : definition.checks) messages += check ? check->messages.size() : 0;
        }
        QVERIFY(counts == (std::array<int, 3>{0, 147, 9}));
        QCOMPARE(messages, std::size_t{2651});
        QVERIFY(report->datasetCheck->findings.empty());
    }
};

QTEST_GUILESS_MAIN(TestValidation)
#include "test_validation.moc"
