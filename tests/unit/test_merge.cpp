// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

#include "core/io/json_codec.h"
#include "core/store/dataset.h"
#include "core/store/merge.h"
#include "core/store/merge_staging.h"
#include "tests/support/dataset_builder.h"

using namespace tracedeck;
using tracedeck::test::DatasetBuilder;

namespace fs = std::filesystem;

namespace {

std::string contentOf(const fs::path& path)
{
    std::ifstream stream(path, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(stream), {});
}

/// Relative paths of all files below a folder, ascending.
QStringList filesBelow(const fs::path& root)
{
    QStringList files;
    for (const auto& entry : fs::recursive_directory_iterator(root)) {
        if (entry.is_regular_file()) files << QString::fromStdString(entry.path().lexically_relative(root).string());
    }
    files.sort();
    return files;
}

std::map<std::string, std::string> snapshot(const fs::path& root)
{
    std::map<std::string, std::string> contents;
    for (const auto& entry : fs::recursive_directory_iterator(root)) {
        contents[entry.path().string()] = entry.is_regular_file() ? contentOf(entry.path()) : std::string();
    }
    return contents;
}

std::string workloadWithBlob(const std::string& uuid, const std::string& path, const std::string& definition = "g")
{
    return R"({"definition":")" + definition + R"(","solution":null,"workload":{"uuid":")" + uuid +
           R"(","axes":{"M":1},"inputs":{"x":{"type":"safetensors","path":")" + path +
           R"(","tensor_key":"x"}}},"evaluation":null})";
}

}  // namespace

class TestMerge : public QObject {
    Q_OBJECT
private slots:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        QVERIFY(m_folder->isValid());
    }
    void cleanup()
    {
        // Whatever happened, nothing half-built stays behind.
        for (const auto& entry : fs::directory_iterator(m_folder->path().toStdString())) {
            QVERIFY2(!entry.path().filename().string().starts_with('.'), entry.path().c_str());
        }
    }

    void datasetsArePutTogether()
    {
        DatasetBuilder a;
        a.definition({.name = "g"})
            .solution({.name = "s", .definition = "g", .author = "ann"})
            .workload({.definition = "g", .uuid = "u"});
        a.trace({.definition = "g", .solution = "s", .uuid = "u", .latencyMs = 1})
            .trace({.definition = "g", .solution = "s", .uuid = "u", .latencyMs = 2});
        a.file("blob/x", "same").file("README.md", "not part of a dataset");
        DatasetBuilder b;
        b.definition({.name = "g"})
            .definition({.name = "h", .opType = "norm"})
            .solution({.name = "t", .definition = "h", .author = "bob"});
        b.solution({.name = "s", .definition = "g", .author = "ann"})
            .workload({.definition = "g", .uuid = "u"})
            .workload({.definition = "h", .uuid = "v"});
        b.trace({.definition = "g", .solution = "s", .uuid = "u", .latencyMs = 2})
            .trace({.definition = "g", .solution = "s", .uuid = "u", .latencyMs = 3});
        b.trace({.definition = "h", .solution = "t", .uuid = "v"}).file("blob/x", "same").file("blob/y", "only here");
        const auto before = std::pair(snapshot(a.root()), snapshot(b.root()));

        const auto report = merged({a.root(), b.root()});
        QVERIFY2(report, report ? "" : report.error().toString().c_str());
        QVERIFY(report->isComplete());
        const auto is = [](const MergeCount& count, std::size_t written, std::size_t identical) {
            return count.written == written && count.identical == identical;
        };
        QVERIFY(is(report->definitions, 2, 1));
        QVERIFY(is(report->solutions, 2, 1));
        QVERIFY(is(report->workloads, 2, 1));
        QVERIFY(is(report->traces, 4, 1));
        QVERIFY(is(report->blobs, 2, 1));
        QCOMPARE(filesBelow(out()),
                 (QStringList{"blob/x", "blob/y", "definitions/gemm/g.json", "definitions/norm/h.json",
                              "solutions/ann/gemm/g/s.json", "solutions/bob/norm/h/t.json", "traces/ann/gemm/g.jsonl",
                              "traces/bob/norm/h.jsonl", "workloads/gemm/g.jsonl", "workloads/norm/h.jsonl"}));
        // Files and lines are what they were, in the order of the sources.
        QCOMPARE(contentOf(out() / "definitions/gemm/g.json"), contentOf(a.root() / "definitions/gemm/g.json"));
        const std::string linesOfB = contentOf(b.root() / "traces/ann/gemm/g.jsonl");
        QCOMPARE(contentOf(out() / "traces/ann/gemm/g.jsonl"),
                 contentOf(a.root() / "traces/ann/gemm/g.jsonl") + linesOfB.substr(linesOfB.find('\n') + 1));
        const auto loaded = Dataset::load(out());
        QVERIFY(loaded && (*loaded)->problems().empty());
        QVERIFY(std::pair(snapshot(a.root()), snapshot(b.root())) == before);
    }

    void definitionsThatComputeOtherThingsTakeWhatBelongsToThemAside()
    {
        DatasetBuilder a;
        a.definition({.name = "g"}).workload({.definition = "g", .uuid = "u"});
        DatasetBuilder b;
        b.definition({.name = "g", .reference = "def run(x):\n    return x + 2\n"})
            .solution({.name = "s", .definition = "g"})
            .workload({.definition = "g", .uuid = "v"});
        b.trace({.definition = "g", .solution = "s", .uuid = "v"})
            .trace({.definition = "g", .solution = "s", .uuid = "w"});
        const auto report = merged({a.root(), b.root()});
        QVERIFY(report && !report->isComplete());
        QCOMPARE(report->conflicts.size(), std::size_t{1});
        QCOMPARE(report->conflicts[0].kind, std::string("definition"));
        QCOMPARE(report->conflicts[0].keptFile, (a.root() / "definitions/gemm/g.json").string());
        QCOMPARE(report->conflicts[0].otherFile, (b.root() / "definitions/gemm/g.json").string());
        QCOMPARE(filesBelow(out()),
                 (QStringList{"conflicts/2/definitions/gemm/g.json", "conflicts/2/solutions/ann/gemm/g/s.json",
                              "conflicts/2/traces/ann/gemm/g.jsonl", "conflicts/2/workloads/gemm/g.jsonl",
                              "conflicts/report.json", "definitions/gemm/g.json", "workloads/gemm/g.jsonl"}));
        // Nothing is lost: what stands aside is what stood in the source.
        for (const char* file : {"definitions/gemm/g.json", "solutions/ann/gemm/g/s.json", "traces/ann/gemm/g.jsonl",
                                 "workloads/gemm/g.jsonl"}) {
            QCOMPARE(contentOf(out() / "conflicts/2" / file), contentOf(b.root() / file));
        }
        QCOMPARE(report->setAside.size(), std::size_t{3});
        QCOMPARE(report->setAside[2].count, std::size_t{2});
        QCOMPARE(Json::parse(contentOf(out() / "conflicts/report.json")).dump(), mergeDocument(*report).dump());
    }

    void definitionsThatDifferInWordsKeepTheirResults()
    {
        DatasetBuilder a;
        a.definition({.name = "g"});
        DatasetBuilder b;
        b.definition({.name = "g"})
            .solution({.name = "s", .definition = "g"})
            .trace({.definition = "g", .solution = "s", .uuid = "v"});
        Json json = Json::parse(contentOf(b.root() / "definitions/gemm/g.json"));
        json["description"] = "other words";
        b.file("definitions/gemm/g.json", json.dump());
        const auto report = merged({a.root(), b.root()});
        QVERIFY(report);
        QCOMPARE(report->conflicts.size(), std::size_t{1});
        QVERIFY(report->setAside.empty());
        QVERIFY(fs::exists(out() / "traces/ann/gemm/g.jsonl") && fs::exists(out() / "solutions/ann/gemm/g/s.json"));
    }

    void tracesOfAnotherSolutionOfTheNameStandAside()
    {
        DatasetBuilder a;
        a.definition({.name = "g"})
            .solution({.name = "s", .definition = "g"})
            .trace({.definition = "g", .solution = "s", .uuid = "u", .latencyMs = 1});
        DatasetBuilder b;
        b.definition({.name = "g"}).solution({.name = "s", .definition = "g", .source = "def run(x):\n    return 2\n"});
        b.solution({.name = "t", .definition = "g"})
            .trace({.definition = "g", .solution = "s", .uuid = "u", .latencyMs = 2});
        b.trace({.definition = "g", .solution = "t", .uuid = "u", .latencyMs = 3});
        const auto report = merged({a.root(), b.root()});
        QVERIFY(report);
        QCOMPARE(report->conflicts.size(), std::size_t{1});
        QCOMPARE(report->conflicts[0].name, std::string("s"));
        const auto loaded = Dataset::load(out());
        QVERIFY(loaded);
        QCOMPARE((*loaded)->traces().size(), std::size_t{2});
        QCOMPARE((*loaded)->traceRowsOfSolution("s").size(), std::size_t{1});
        QVERIFY(contentOf(out() / "conflicts/2/traces/ann/gemm/g.jsonl").find("\"s\"") != std::string::npos);
    }

    void workloadsAreComparedByMeaning_data()
    {
        QTest::addColumn<QString>("other");
        QTest::addColumn<bool>("isConflict");
        const QString line =
            R"({"definition":"g","workload":{"axes":{"M":1,"K":2},"inputs":{"x":{"type":"random"},"y":{"type":"scalar","value":1}},"uuid":"u"},"solution":null,"evaluation":null})";
        QTest::newRow("same") << line << false;
        QTest::newRow("other key order and blanks")
            << QString(
                   R"({"evaluation":null, "solution":null, "workload":{"uuid":"u","inputs":{"y":{"value":1,"type":"scalar"},"x":{"type":"random"}},"axes":{"K":2,"M":1}},"definition":"g"})")
            << false;
        QTest::newRow("other axis") << QString(line).replace("\"M\":1", "\"M\":3") << true;
        QTest::newRow("other value") << QString(line).replace("\"value\":1", "\"value\":1.5") << true;
        QTest::newRow("other kind") << QString(line).replace(R"("value":1)", R"("value":true)") << true;
    }
    void workloadsAreComparedByMeaning()
    {
        QFETCH(QString, other);
        QFETCH(bool, isConflict);
        const std::string line =
            R"({"definition":"g","workload":{"axes":{"M":1,"K":2},"inputs":{"x":{"type":"random"},"y":{"type":"scalar","value":1}},"uuid":"u"},"solution":null,"evaluation":null})";
        DatasetBuilder a;
        a.definition({.name = "g"}).line("workloads/gemm/g.jsonl", line);
        DatasetBuilder b;
        b.definition({.name = "g"})
            .line("workloads/gemm/g.jsonl", other.toStdString())
            .trace({.definition = "g", .solution = "s", .uuid = "u"});
        const auto report = merged({a.root(), b.root()});
        QVERIFY(report);
        QCOMPARE(report->conflicts.size(), std::size_t{isConflict});
        QCOMPARE(contentOf(out() / "workloads/gemm/g.jsonl"), line + "\n");
        QCOMPARE(fs::exists(out() / "traces"), !isConflict);
        if (isConflict) {
            QCOMPARE(report->conflicts[0].keptFile, (a.root() / "workloads/gemm/g.jsonl").string() + ":1");
            QCOMPARE(contentOf(out() / "conflicts/2/workloads/gemm/g.jsonl"), other.toStdString() + "\n");
        }
    }

    void workloadsFollowTheirBlobs()
    {
        DatasetBuilder a;
        a.definition({.name = "g"})
            .line("workloads/gemm/g.jsonl", workloadWithBlob("u", "./blob/x"))
            .file("blob/x", "first");
        DatasetBuilder b;
        b.definition({.name = "g"})
            .line("workloads/gemm/g.jsonl", workloadWithBlob("v", "blob/x"))
            .line("workloads/gemm/g.jsonl", workloadWithBlob("w", "blob/none"));
        b.line("workloads/gemm/g.jsonl", workloadWithBlob("y", "../x"))
            .line("workloads/gemm/g.jsonl", workloadWithBlob("z", (b.root() / "blob/own").string()));
        b.file("blob/x", "other").file("blob/own", "own").trace({.definition = "g", .solution = "s", .uuid = "v"});
        const auto report = merged({a.root(), b.root()});
        QVERIFY(report);
        QCOMPARE(report->conflicts.size(), std::size_t{1});
        QCOMPARE(report->conflicts[0].kind, std::string("blob"));
        QCOMPARE(contentOf(out() / "blob/x"), std::string("first"));
        QCOMPARE(contentOf(out() / "conflicts/2/blob/x"), std::string("other"));
        QCOMPARE(contentOf(out() / "blob/own"), std::string("own"));
        QVERIFY(!fs::exists(out() / "traces"));
        const auto loaded = Dataset::load(out());
        QVERIFY(loaded);
        QStringList uuids;
        for (const Trace& trace : (*loaded)->workloadsOf("g")) uuids << QString::fromStdString(trace.workload.uuid);
        QCOMPARE(uuids, (QStringList{"u", "w", "z"}));
        // A path that was absolute no longer names the source.
        QCOMPARE(std::get<SafetensorsInput>((*loaded)->workloadsOf("g")[2].workload.inputs[0].second).path,
                 std::string("blob/own"));
        const bool isMissingReported =
            std::any_of(report->problems.begin(), report->problems.end(), [](const Problem& problem) {
                return problem.severity == Severity::Warning && problem.error.line == 2 &&
                       problem.error.field == "workload.inputs.x.path";
            });
        QVERIFY(isMissingReported);
    }

    void twoOfANameInOneDatasetKeepTheResultsOfTheFirst()
    {
        DatasetBuilder a;
        a.definition({.name = "g"});
        Json json = Json::parse(contentOf(a.root() / "definitions/gemm/g.json"));
        json["reference"] = "def run(x):\n    return 0\n";
        a.file("definitions/norm/g.json", json.dump());
        a.workload({.definition = "g", .uuid = "u"}).workload({.definition = "g", .uuid = "u", .axes = {{"M", 2}}});
        a.solution({.name = "s", .definition = "g"}).trace({.definition = "g", .solution = "s", .uuid = "u"});
        const auto report = merged({a.root()}, {"g"});
        QVERIFY(report);
        QCOMPARE(report->conflicts.size(), std::size_t{2});
        QVERIFY(report->setAside.empty());
        QCOMPARE(filesBelow(out()),
                 (QStringList{"conflicts/1/definitions/norm/g.json", "conflicts/1/workloads/gemm/g.jsonl", "conflicts/report.json",
                              "definitions/gemm/g.json", "solutions/ann/gemm/g/s.json", "traces/ann/gemm/g.jsonl", "workloads/gemm/g.jsonl"}));
    }

    void linksThatLeadOutAreNotCopied()
    {
        DatasetBuilder secrets;
        secrets.file("key", "private").file("blob", "private");
        secrets.trace({.definition = "g", .solution = "s", .uuid = "u", .file = "traces/ann/gemm/g.jsonl"});
        DatasetBuilder a;
        a.definition({.name = "g"}).solution({.name = "s", .definition = "g"});
        a.file("blob/own", "own").line("workloads/gemm/g.jsonl", workloadWithBlob("u", "blob/own"));
        fs::create_symlink(secrets.root() / "key", a.root() / "definitions/gemm/key.json");
        fs::create_symlink(secrets.root() / "key", a.root() / "workloads/gemm/key.jsonl");
        fs::create_symlink(secrets.root() / "blob", a.root() / "blob/out");
        fs::create_symlink("own", a.root() / "blob/in");
        fs::create_directory_symlink(secrets.root() / "traces", a.root() / "traces");   // the format allows it
        DatasetBuilder b;
        b.definition({.name = "g"});
        const auto report = merged({a.root(), b.root()});
        QVERIFY(report && !report->isComplete());
        QCOMPARE(report->problems.size(), std::size_t{3});
        QCOMPARE(filesBelow(out()),
                 (QStringList{"blob/in", "blob/own", "conflicts/report.json", "definitions/gemm/g.json",
                              "solutions/ann/gemm/g/s.json", "traces/ann/gemm/g.jsonl", "workloads/gemm/g.jsonl"}));
        for (const auto& [path, text] : snapshot(out())) QVERIFY2(text != "private", path.c_str());
    }

    void whatReadersRefuseIsKeptAside()
    {
        DatasetBuilder a;
        a.definition({.name = "g"})
            .file("definitions/gemm/broken.json", "{")
            .file("solutions/bad.json", "[]")
            .file("workloads/gemm/g.jsonl", "\n{\"torn");
        DatasetBuilder b;
        b.definition({.name = "g"});
        Json json = Json::parse(contentOf(b.root() / "definitions/gemm/g.json"));
        json["name"] = "../escape";
        b.file("definitions/gemm/unsafe.json", json.dump());
        const auto report = merged({a.root(), b.root()});
        QVERIFY(report && !report->isComplete());
        QCOMPARE(filesBelow(out()),
                 (QStringList{"conflicts/1/definitions/gemm/broken.json", "conflicts/1/solutions/bad.json",
                              "conflicts/1/workloads/gemm/g.jsonl", "conflicts/2/definitions/gemm/unsafe.json",
                              "conflicts/report.json", "definitions/gemm/g.json"}));
        QCOMPARE(contentOf(out() / "conflicts/1/workloads/gemm/g.jsonl"), std::string("{\"torn\n"));
        QVERIFY(!fs::exists(out().parent_path() / "escape.json"));
        int errors = 0;
        for (const Problem& problem : report->problems) {
            errors += problem.severity == Severity::Error ? 1 : 0;
            QVERIFY(!problem.error.file.empty());
        }
        QCOMPARE(errors, 4);
    }

    void oldFormsAreBroughtUpToDate()
    {
        DatasetBuilder a;
        a.file(
            "definitions/g.json",
            R"({"name":"g","type":"gemm","axes":{"M":{"type":"var","parent":"x"}},"inputs":{"x":{"shape":["M"],"dtype":"float32"}},"outputs":{},"reference":"def run(x): pass","mine":1})");
        a.file(
            "traces/g_workloads.jsonl",
            R"({"definition":"g","solution":"","evaluation":{},"workload":{"axes":{"M":1},"inputs":{"x":{"type":"random","seed":1}},"uuid":"u"}})"
            "\n");
        const std::string old =
            R"({"definition":"g","solution":"s","workload":{"axes":{"M":1},"inputs":{},"uuid":"u"},"evaluation":{"status":"incorrect","environment":{"device":"d"},"timestamp":"2026-01-01T00:00:00","log_file":"f","error":"e"}})";
        a.file("traces/g.jsonl", old + old + "\n" + old);
        const auto report = merged({a.root()}, {"g"});
        QVERIFY2(report, report ? "" : report.error().toString().c_str());
        QVERIFY(report->isComplete());
        QCOMPARE(filesBelow(out()),
                 (QStringList{"definitions/gemm/g.json", "traces/unknown/gemm/g.jsonl", "workloads/gemm/g.jsonl"}));
        const auto definition = decodeDefinition(contentOf(out() / "definitions/gemm/g.json"), ReadMode::Strict);
        QVERIFY(definition);
        QVERIFY(definition->value.unknownKeys.contains("mine"));
        const QStringList lines =
            QString::fromStdString(contentOf(out() / "traces/unknown/gemm/g.jsonl")).split('\n', Qt::SkipEmptyParts);
        QCOMPARE(lines.size(), 3);
        for (const QString& line : lines) QVERIFY(decodeTrace(line.toStdString(), ReadMode::Strict));
        QVERIFY(decodeTrace(contentOf(out() / "workloads/gemm/g.jsonl"), ReadMode::Strict));
        QVERIFY(!report->problems.empty());
    }

    void linesThatOtherReadersWouldCutAreEscaped()
    {
        DatasetBuilder a;
        a.definition({.name = "g"})
            .trace({.definition = "g",
                    .solution = "s",
                    .uuid = "u",
                    .log = "a\xE2\x80\xA8"
                           "b\xC2\x85"
                           "c"});
        QVERIFY(merged({a.root()}, {"g"}));
        const std::string text = contentOf(out() / "traces/unknown/gemm/g.jsonl");
        QVERIFY(text.find("\\u2028") != std::string::npos && text.find("\xE2\x80\xA8") == std::string::npos);
        QCOMPARE(decodeTrace(text, ReadMode::Strict)->value.evaluation->log, std::string("a\xE2\x80\xA8"
                                                                                         "b\xC2\x85"
                                                                                         "c"));
    }

    void aSubsetHasWhatItsDefinitionsNeed()
    {
        DatasetBuilder a;
        a.definition({.name = "g"}).definition({.name = "h"}).definition({.name = "n", .opType = "norm"});
        a.solution({.name = "s", .definition = "g"})
            .solution({.name = "t", .definition = "h"})
            .solution({.name = "r", .definition = "n"});
        a.line("workloads/gemm/g.jsonl", workloadWithBlob("u", "blob/u"))
            .line("workloads/gemm/h.jsonl", workloadWithBlob("v", "blob/v", "h"))
            .workload({.definition = "n", .uuid = "w"});
        a.file("blob/u", "u").file("blob/v", "v").file("blob/other", "o").file("definitions/gemm/broken.json", "{");
        a.trace({.definition = "g", .solution = "s", .uuid = "u"})
            .trace({.definition = "h", .solution = "t", .uuid = "v"})
            .trace({.definition = "n", .solution = "r", .uuid = "w"});
        a.trace({.definition = "g", .solution = "s", .uuid = "u"});
        MergeRequest request{{a.root()}, out(), {"g"}, {"norm"}};
        const auto report = mergeDatasets(request);
        QVERIFY2(report, report ? "" : report.error().toString().c_str());
        QVERIFY(report->isComplete());   // what is broken may not belong to the selection
        QCOMPARE(report->problems.size(), std::size_t{1});
        QCOMPARE(filesBelow(out()),
                 (QStringList{"blob/u", "definitions/gemm/g.json", "definitions/norm/n.json",
                              "solutions/ann/gemm/g/s.json", "solutions/ann/norm/n/r.json", "traces/ann/gemm/g.jsonl",
                              "traces/ann/norm/n.jsonl", "workloads/gemm/g.jsonl", "workloads/norm/n.jsonl"}));
        // One dataset's repeated lines are its own affair.
        QCOMPARE(report->traces.written, std::size_t{3});
        QVERIFY((*Dataset::load(out()))->problems().empty());
    }

    void wrongRequestsChangeNothing_data()
    {
        QTest::addColumn<QString>("target");
        QTest::addColumn<QString>("definition");
        QTest::addColumn<int>("code");
        QTest::newRow("target has files") << "filled"
                                          << "" << static_cast<int>(ErrorCode::Usage);
        QTest::newRow("target is a file") << "file"
                                          << "" << static_cast<int>(ErrorCode::Usage);
        QTest::newRow("target in a source") << "A/out"
                                            << "" << static_cast<int>(ErrorCode::Usage);
        QTest::newRow("target is a source") << "A"
                                            << "" << static_cast<int>(ErrorCode::Usage);
        QTest::newRow("unknown definition") << "new"
                                            << "nosuch" << static_cast<int>(ErrorCode::Usage);
    }
    void wrongRequestsChangeNothing()
    {
        QFETCH(QString, target);
        QFETCH(QString, definition);
        QFETCH(int, code);
        DatasetBuilder a;
        a.definition({.name = "g"});
        DatasetBuilder b;
        b.definition({.name = "h"});
        fs::create_directories(root() / "filled");
        std::ofstream(root() / "filled" / "x") << "x";
        std::ofstream(root() / "file") << "x";
        const fs::path path =
            target.startsWith("A") ? a.root() / target.mid(2).toStdString() : root() / target.toStdString();
        const auto before = std::pair(snapshot(a.root()), snapshot(root()));
        MergeRequest request{{a.root(), b.root()}, path, {}, {}};
        if (!definition.isEmpty()) request.definitions.push_back(definition.toStdString());
        const auto report = mergeDatasets(request);
        QVERIFY(!report);
        QCOMPARE(static_cast<int>(report.error().code), code);
        QVERIFY(std::pair(snapshot(a.root()), snapshot(root())) == before);
    }

    void sourcesMustBeDatasets()
    {
        DatasetBuilder a;
        a.definition({.name = "g"});
        DatasetBuilder empty;
        QVERIFY(merged({a.root(), empty.root()}).error().code == ErrorCode::NotFound);
        QVERIFY(merged({a.root(), a.root() / "none"}).error().code == ErrorCode::NotFound);
        QVERIFY(merged({a.root(), a.root() / "."}).error().code == ErrorCode::Usage);
        QVERIFY(merged({}).error().code == ErrorCode::Usage);
        QVERIFY(!fs::exists(out()));
    }

    void anEmptyTargetIsFilled()
    {
        DatasetBuilder a;
        a.definition({.name = "g"});
        fs::create_directory(out());
        QVERIFY(merged({a.root()}, {"g"}));
        QVERIFY(fs::exists(out() / "definitions/gemm/g.json"));
    }

    void aStoppedMergeLeavesNothing()
    {
        DatasetBuilder a;
        a.definition({.name = "g"});
        std::stop_source stop;
        stop.request_stop();
        const auto report = mergeDatasets({{a.root()}, out(), {"g"}, {}}, stop.get_token());
        QVERIFY(!report && report.error().code == ErrorCode::Cancelled);
        QVERIFY(!fs::exists(out()));
    }

    /// More lines than one pass compares: the same lines go as when they are all compared at once.
    void repeatedLinesOfLargeFilesAreFound()
    {
        auto staging = StagingFolder::create(out());
        QVERIFY(staging);
        std::string expected;
        std::uint64_t lines = 0;
        constexpr int kDistinct = 300'000;
        const auto append = [&](int number) {
            ++lines;
            return staging->appendLine("traces/t", "line " + std::to_string(number)).has_value();
        };
        for (int i = 0; i < kDistinct; ++i) {
            QVERIFY(append(i));
            expected += "line " + std::to_string(i) + "\n";
            if (i % 3 == 0) QVERIFY(append(i / 2));
        }
        const auto removed = staging->removeRepeatedLines("traces/t", lines);
        QVERIFY(removed);
        QCOMPARE(*removed, std::size_t{kDistinct / 3});
        QVERIFY(contentOf(staging->root() / "traces/t") == expected);
    }

private:
    [[nodiscard]] fs::path root() const { return m_folder->path().toStdString(); }
    [[nodiscard]] fs::path out() const { return root() / "out"; }
    [[nodiscard]] Result<MergeReport> merged(const std::vector<fs::path>& sources,
                                             const std::vector<std::string>& definitions = {}) const
    {
        return mergeDatasets({sources, out(), definitions, {}});
    }
    std::unique_ptr<QTemporaryDir> m_folder;
};

QTEST_GUILESS_MAIN(TestMerge)
#include "test_merge.moc"
