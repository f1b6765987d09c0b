// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>

#include "core/model/json.h"
#include "tests/support/dataset_builder.h"
#include "tests/support/program.h"

using namespace tracedeck;
using tracedeck::test::DatasetBuilder;
using tracedeck::test::runTracedeck;

namespace {

QString folder(const DatasetBuilder& builder)
{
    return QString::fromStdString(builder.root().string());
}

Json parsed(const std::string& text)
{
    return Json::parse(text, nullptr, false);
}

/// Every path below a folder, and what the files hold.
QMap<QString, QByteArray> contents(const QString& path)
{
    QMap<QString, QByteArray> found;
    QDirIterator entries(path, QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot, QDirIterator::Subdirectories);
    while (entries.hasNext()) {
        QFile file(entries.next());
        found[file.fileName()] = file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    return found;
}

/// Definition with all descriptions, workload, baseline with a passing trace: nothing to complain about.
void fillPerfect(DatasetBuilder& builder)
{
    builder.definition({.name = "g"})
        .workload({.definition = "g", .uuid = "u"})
        .solution({.name = "b", .definition = "g", .author = "baseline"});
    builder.trace({.definition = "g", .solution = "b", .uuid = "u"});
    Json json = parsed(contents(folder(builder))[folder(builder) + "/definitions/gemm/g.json"].toStdString());
    json["description"] = "d";
    for (const char* section : {"axes", "inputs", "outputs"}) {
        for (auto& [name, value] : json[section].items()) value["description"] = "d";
    }
    builder.file("definitions/gemm/g.json", json.dump());
}

}  // namespace

class TestValidateMerge : public QObject {
    Q_OBJECT
private slots:
    void init()
    {
        qunsetenv("FIB_DATASET_PATH");
        qputenv("CUDA_VISIBLE_DEVICES", "");   // the checks that run code are tested elsewhere
        m_folder = std::make_unique<QTemporaryDir>();
        QVERIFY(m_folder->isValid());
    }

    void validateSaysHowBadItIs_data()
    {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<int>("exitCode");
        QTest::newRow("perfect") << "" << QByteArray() << QStringList{} << 0;
        QTest::newRow("perfect, strict") << "" << QByteArray() << QStringList{"--strict"} << 0;
        QTest::newRow("warning") << "traces/baseline/gemm/g.jsonl" << QByteArray() << QStringList{} << 0;
        QTest::newRow("warning, strict") << "traces/baseline/gemm/g.jsonl" << QByteArray() << QStringList{"--strict"}
                                         << 1;
        QTest::newRow("error") << "workloads/gemm/g.jsonl" << QByteArray("{") << QStringList{} << 1;
        QTest::newRow("error that was not looked for")
            << "workloads/gemm/g.jsonl" << QByteArray("{") << QStringList{"--checks", "definition,solution"} << 0;
        QTest::newRow("error of the dataset") << "solutions/ann/gemm/h/s.json" << QByteArray("{") << QStringList{} << 1;
        QTest::newRow("error outside the filter")
            << "solutions/ann/gemm/h/s.json" << QByteArray("{") << QStringList{"--definitions", "g"} << 0;
        QTest::newRow("unknown check") << "" << QByteArray() << QStringList{"--checks", "layout,nonsense"} << 2;
        QTest::newRow("unknown output") << "" << QByteArray() << QStringList{"--outputs", "xml"} << 2;
    }
    void validateSaysHowBadItIs()
    {
        QFETCH(QString, path);
        QFETCH(QByteArray, text);
        QFETCH(QStringList, arguments);
        QFETCH(int, exitCode);
        DatasetBuilder builder;
        fillPerfect(builder);
        if (!path.isEmpty()) builder.file(path.toStdString(), text.toStdString());
        const auto before = contents(folder(builder));
        const auto run = runTracedeck(QStringList{"validate", "--local", folder(builder)} + arguments);
        QVERIFY2(run.exit.exitCode == exitCode, (run.output + run.errorOutput).c_str());
        QCOMPARE(exitCode == 2, run.output.empty());
        // A validation that was not asked to write changes nothing in the dataset.
        QVERIFY(contents(folder(builder)) == before);
    }

    void jsonAndTextAreTheSameReport()
    {
        DatasetBuilder builder;
        fillPerfect(builder);
        builder.file("workloads/gemm/g.jsonl", "{");
        const auto run = runTracedeck({"validate", "--dataset", folder(builder), "--json"});
        QCOMPARE(run.exit.exitCode, 1);
        const Json document = parsed(run.output);
        QCOMPARE(document["config"].dump(),
                 Json({{"dataset", builder.root().string()},
                       {"checks", {"layout", "definition", "workload", "solution", "trace", "baseline"}},
                       {"disable_gpu", true},
                       {"op_types", Json::array()},
                       {"definitions", Json::array()}})
                     .dump());
        const Json& report = document["definitions"]["g"];
        QCOMPARE(report["status"].get<std::string>(), std::string("error"));
        QVERIFY(report["benchmark"].is_null());
        QCOMPARE(report["workload"]["messages"][0]["level"].get<std::string>(), std::string("error"));
        QVERIFY(report["workload"]["messages"][0]["message"].get<std::string>().ends_with(" (line 1)"));
        QCOMPARE(document["tracedeck"]["not_run"].size(), std::size_t{3});
        QVERIFY(document["tracedeck"]["dataset"]["messages"].is_array());

        const auto text = runTracedeck({"validate", "--local", folder(builder)});
        QVERIFY(text.output.starts_with("=== Dataset Validation Report ===\ndataset:       " + builder.root().string() +
                                        "\n"));
        builder.file("report.json", run.output);
        const auto rendered = runTracedeck({"validate-render", folder(builder) + "/report.json"});
        QCOMPARE(rendered.exit.exitCode, 0);
        QCOMPARE(rendered.output, text.output);
        const auto toFile = runTracedeck(
            {"validate-render", folder(builder) + "/report.json", "--output", folder(builder) + "/report.txt"});
        QVERIFY(toFile.exit.exitCode == 0 && toFile.output.empty());
        QCOMPARE(contents(folder(builder))[folder(builder) + "/report.txt"].toStdString(), text.output);
        QCOMPARE(runTracedeck({"validate-render", folder(builder) + "/none.json"}).exit.exitCode, 3);
        QCOMPARE(runTracedeck({"validate-render", folder(builder) + "/report.txt"}).exit.exitCode, 3);
    }

    void reportFilesAreWrittenWhenAskedFor_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("place");
        QTest::addColumn<QStringList>("suffixes");
        QTest::addColumn<bool>("hasOutput");
        QTest::newRow("into the dataset")
            << QStringList{"--outputs", "json,text"} << "reports" << QStringList{"json", "txt"} << false;
        QTest::newRow("one of them") << QStringList{"--outputs", "stdout", "text"} << "reports" << QStringList{"txt"}
                                     << true;
        QTest::newRow("elsewhere") << QStringList{"--output-folder", "@/new/folder"} << "new/folder"
                                   << QStringList{"json", "txt"} << true;
    }
    void reportFilesAreWrittenWhenAskedFor()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QString, place);
        QFETCH(QStringList, suffixes);
        QFETCH(bool, hasOutput);
        DatasetBuilder builder;
        fillPerfect(builder);
        arguments.replaceInStrings("@", folder(builder));
        const auto run = runTracedeck(QStringList{"validate", "--local", folder(builder)} + arguments);
        QVERIFY2(run.exit.exitCode == 0, run.errorOutput.c_str());
        QCOMPARE(!run.output.empty(), hasOutput);
        QStringList found;
        for (const QFileInfo& file : QDir(folder(builder) + "/" + place).entryInfoList(QDir::Files, QDir::Name)) {
            QVERIFY(QRegularExpression("^report-\\d{8}-\\d{6}$").match(file.completeBaseName()).hasMatch());
            found << file.suffix();
        }
        QCOMPARE(found, suffixes);
        // They are no part of the dataset.
        QCOMPARE(runTracedeck({"validate", "--local", folder(builder), "--strict"}).exit.exitCode, 0);
    }

    void unreadableRootsAreNamed()
    {
        DatasetBuilder builder;
        fillPerfect(builder);
        const auto missing = runTracedeck({"validate", "--local", m_folder->path() + "/none"});
        QCOMPARE(missing.exit.exitCode, 3);
        QVERIFY(missing.errorOutput.find("none") != std::string::npos && missing.output.empty());
        QCOMPARE(runTracedeck({"merge", "--local", folder(builder), "--local", m_folder->path() + "/none", "--out",
                               m_folder->path() + "/out"})
                     .exit.exitCode,
                 3);
        QVERIFY(!QFile::exists(m_folder->path() + "/out"));
    }

    void mergedDatasetsValidate()
    {
        DatasetBuilder a;
        fillPerfect(a);
        DatasetBuilder b;
        fillPerfect(b);
        b.solution({.name = "s", .definition = "g"}).trace({.definition = "g", .solution = "s", .uuid = "u"});
        const QString out = m_folder->path() + "/merged";
        const auto run = runTracedeck({"merge", "--local", folder(a), "--local", folder(b), "--out", out, "--json"});
        QVERIFY2(run.exit.exitCode == 0, run.errorOutput.c_str());
        const Json document = parsed(run.output);
        QVERIFY(document["complete"].get<bool>());
        QCOMPARE(document["solutions"].dump(), std::string(R"({"written":2,"identical":1})"));
        QCOMPARE(document["traces"].dump(), std::string(R"({"written":2,"identical":1})"));
        const auto validated = runTracedeck({"validate", "--local", out, "--strict"});
        QVERIFY2(validated.exit.exitCode == 0, validated.output.c_str());
        const auto again = runTracedeck({"merge", "--local", folder(a), "--local", folder(b), "--out", out});
        QCOMPARE(again.exit.exitCode, 2);
    }

    void conflictsAreListedAndKept()
    {
        DatasetBuilder a;
        fillPerfect(a);
        DatasetBuilder b;
        fillPerfect(b);
        b.solution({.name = "b", .definition = "g", .author = "baseline", .source = "def run(x):\n    return x + 2\n"});
        const auto before = contents(folder(b));
        const QString out = m_folder->path() + "/merged";
        const auto run = runTracedeck({"merge", "--local", folder(a), "--local", folder(b), "--out", out, "--json"});
        QCOMPARE(run.exit.exitCode, 1);
        const Json document = parsed(run.output);
        QCOMPARE(document["conflicts"].size(), std::size_t{1});
        QCOMPARE(document["conflicts"][0]["kept"].get<std::string>(),
                 (a.root() / "solutions/baseline/gemm/g/b.json").string());
        QCOMPARE(document["conflicts"][0]["other"].get<std::string>(),
                 (b.root() / "solutions/baseline/gemm/g/b.json").string());
        const auto merged = contents(out);
        for (const Json& entry : {document["conflicts"][0], document["set_aside"][0]}) {
            const QString aside = QString::fromStdString(entry["set_aside_at"].get<std::string>());
            QCOMPARE(merged[out + "/" + aside], before[folder(b) + aside.mid(QString("conflicts/2").size())]);
        }
        // What is set aside is never loaded.
        const auto info = runTracedeck({"info", "--local", out, "--json"});
        QCOMPARE(parsed(info.output)["solutions"].get<int>(), 1);
        QVERIFY(contents(folder(b)) == before);
        const QString second = m_folder->path() + "/second";
        const auto text = runTracedeck({"merge", "--local", folder(a), "--local", folder(b), "--out", second});
        QCOMPARE(text.exit.exitCode, 1);
        QVERIFY(text.output.find("Conflicts: 1\n") != std::string::npos);
    }

    void aPartOfADatasetIsExported()
    {
        DatasetBuilder a;
        fillPerfect(a);
        a.definition({.name = "h", .opType = "norm"});
        const QString out = m_folder->path() + "/part";
        const auto run = runTracedeck({"merge", "--local", folder(a), "--out", out, "--definitions", "g"});
        QVERIFY2(run.exit.exitCode == 0, run.errorOutput.c_str());
        QCOMPARE(QDir(out + "/definitions").entryList(QDir::Dirs | QDir::NoDotAndDotDot), QStringList{"gemm"});
        QCOMPARE(runTracedeck({"validate", "--local", out, "--strict"}).exit.exitCode, 0);
        QCOMPARE(runTracedeck(
                     {"merge", "--local", folder(a), "--out", m_folder->path() + "/none", "--definitions", "nosuch"})
                     .exit.exitCode,
                 2);
        QCOMPARE(runTracedeck({"merge", "--local", folder(a), "--out", m_folder->path() + "/none"}).exit.exitCode, 2);
        QVERIFY(!QFile::exists(m_folder->path() + "/none"));
    }

    /// Killed while it works: the output is not there, and the sources are as they were.
    void aKilledMergeLeavesNoHalfDataset()
    {
        DatasetBuilder a;
        fillPerfect(a);
        DatasetBuilder b;
        fillPerfect(b);
        // Keeps the program busy for a moment.
        b.file("blob/large", std::string(std::size_t{200} << 20U, 'x'));
        const auto before = contents(folder(a));
        const QString out = m_folder->path() + "/merged";
        {
            test::RunningTracedeck running({"merge", "--local", folder(a), "--local", folder(b), "--out", out});
            const auto isBuilding = [this] {
                return !QDir(m_folder->path())
                            .entryList({".merged.*"}, QDir::Dirs | QDir::Hidden | QDir::NoDotAndDotDot)
                            .isEmpty();
            };
            QVERIFY(QTest::qWaitFor([&] { return isBuilding() || QFile::exists(out); }, 60'000));
            running.process().killTree();
            while (running.readLine()) {}
        }
        // Either it was too late to stop it, or nothing of the name is there.
        if (QFile::exists(out)) {
            QVERIFY(QFile::exists(out + "/blob/large"));
            QCOMPARE(QFileInfo(out + "/blob/large").size(), qint64{200} << 20U);
        }
        QVERIFY(contents(folder(a)) == before);
    }

private:
    std::unique_ptr<QTemporaryDir> m_folder;
};

QTEST_GUILESS_MAIN(TestValidateMerge)
#include "test_validate_merge.moc"
