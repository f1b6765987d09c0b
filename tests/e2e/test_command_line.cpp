// SPDX-License-Identifier: GPL-3.0-or-later
// What all commands have in common: wrong arguments, folders without a dataset, names that match nothing, readers that go away.
#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

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

void fill(DatasetBuilder& builder)
{
    builder.definition({.name = "gemm_n4"}).workload({.definition = "gemm_n4", .uuid = "u"});
    builder.solution({.name = "b", .definition = "gemm_n4", .author = "baseline"}).trace({.definition = "gemm_n4", .solution = "b", .uuid = "u"});
}

}  // namespace

class TestCommandLine : public QObject {
    Q_OBJECT
private slots:
    void init() { qunsetenv("FIB_DATASET_PATH"); }

    void wrongArgumentsAreExplainedInPlainWords_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("text");
        const auto row = [](const QStringList& arguments, const char* text) {
            QTest::newRow(qPrintable(arguments.join(' ').left(60))) << arguments << QString::fromUtf8(text);
        };
        row({"infi"}, "there is no command 'infi'; did you mean 'info'?");
        row({"frobnicate"}, "there is no command 'frobnicate'; there are info, run, runs, report");
        row({"report", "sumary"}, "there is no report 'sumary'; did you mean 'summary'?");
        row({}, "name a command: info, run, runs, report");
        row({"report"}, "name a report: summary, best, rank");
        row({"info", "--jsn"}, "there is no option '--jsn'; did you mean '--json'?");
        row({"info", "--zzzzzzzz=4"}, "there is no option '--zzzzzzzz'");
        row({"report", "groups"}, "--by is required");
        row({"report", "groups", "--by", "latency_ms"}, "`latency_ms` is none of definition, op_type");
        row({"report", "csv", "surplus"}, "'surplus' was not expected");
        row({"info", "--local"}, "--local needs a value");
        row({"info", "--json=perhaps"}, "--json takes no value");
        row({"merge", "--local", "a"}, "--out is required");
        row({"report", "rank", "--by", "colour"}, "--by: 'colour' is not one of author, solution");
        row({"report", "summary", "--op-type", "gemm", "--definition", "g"}, "cannot be given together");
        row({"report", "summary", "--definition", "a", "--definition", "b"}, "--definition can be given only once");
        row({"run", "--iterations", "-3"}, "--iterations: '-3' is not a whole number of 1 or more");
        row({"run", "--iterations", "0"}, "--iterations: '0' is not a whole number of 1 or more");
        row({"run", "--iterations=-3"}, "--iterations: '-3' is not a whole number of 1 or more");
        row({"run", "--iterations", "0x10"}, "--iterations: '0x10' is not a whole number of 1 or more");
        row({"run", "--iterations", "1e3"}, "--iterations: '1e3' is not a whole number of 1 or more");
        row({"run", "--iterations", "1.5"}, "--iterations: '1.5' is not a whole number of 1 or more");
        row({"run", "--iterations", " 5"}, "--iterations: ' 5' is not a whole number of 1 or more");
        row({"run", "--iterations", "5 "}, "--iterations: '5 ' is not a whole number of 1 or more");
        row({"run", "--iterations", ""}, "--iterations: '' is not a whole number of 1 or more");
        row({"run", "--iterations", "nan"}, "--iterations: 'nan' is not a whole number of 1 or more");
        row({"run", "--iterations", "99999999999999999999"}, "--iterations: '99999999999999999999' is not a whole number of 1 or more");
        row({"run", "--seed", "-1"}, "--seed: '-1' is not a whole number of 0 or more");
        row({"run", "--timeout", "nan"}, "--timeout: 'nan' is not a number above 0");
        row({"run", "--timeout", "inf"}, "--timeout: 'inf' is not a number above 0");
        row({"run", "--timeout", "1e999"}, "--timeout: '1e999' is not a number above 0");
        row({"run", "--timeout", "0x1p3"}, "--timeout: '0x1p3' is not a number above 0");
        row({"run", "--rtol", "-0.5"}, "--rtol: '-0.5' is not a number above 0");
        row({"run", "--log-level", "LOUD"}, "--log-level: 'LOUD' is not one of");
        row({"report", "fastp", "--p", "-1"}, "--p: '-1' is not a number of 0 or more");
        row({"report", "fastp", "--p", "fast"}, "--p: 'fast' is not a number of 0 or more");
        row({"validate", "--outputs", "xml"}, "--outputs: 'xml' is not one of");
    }
    void wrongArgumentsAreExplainedInPlainWords()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QString, text);
        const auto run = runTracedeck(arguments);
        QVERIFY2(run.exit.exitCode == 2, run.errorOutput.c_str());
        QVERIFY(run.output.empty());
        const QString said = QString::fromStdString(run.errorOutput);
        QVERIFY2(said.startsWith("tracedeck: error: ") && said.contains(text), run.errorOutput.c_str());
        QVERIFY2(said.contains("Try 'tracedeck") && said.contains("--help'."), run.errorOutput.c_str());
        for (const char* jargon : {"Could not convert", " INT", "UINT", "FLOAT", "required TEXT", "not in range", "value in {", "POSITIVE"}) {
            QVERIFY2(!said.contains(jargon), run.errorOutput.c_str());
        }
    }

    /// Zeros in front are no sign of an octal number.
    void plainNumbersAreTaken()
    {
        DatasetBuilder builder;
        fill(builder);
        for (const char* p : {"0", "1", "0.95", "1e2", "007"}) {
            QCOMPARE(runTracedeck({"report", "fastp", "--local", folder(builder), "--p", p}).exit.exitCode, 0);
        }
    }

    void foldersWithoutADatasetAreRefusedByEveryCommand_data()
    {
        QTest::addColumn<QStringList>("command");
        QTest::addColumn<QString>("place");
        const QList<QStringList> commands{{"info"}, {"info", "--json"}, {"run", "--device", "cpu"}, {"report", "summary"}, {"report", "best"}, {"report", "rank"},
                                          {"report", "fastp"}, {"report", "groups", "--by", "author"}, {"report", "csv"}, {"report", "compare", "--a", "author=x"}, {"validate"}, {"merge"}};
        for (const QStringList& command : commands) {
            for (const char* place : {"missing", "empty", "file", "unrelated"})
                QTest::addRow("%s on %s", qPrintable(command.join(' ')), place) << command << place;
        }
    }
    void foldersWithoutADatasetAreRefusedByEveryCommand()
    {
        QFETCH(QStringList, command);
        QFETCH(QString, place);
        QTemporaryDir parent;
        QDir(parent.path()).mkdir("empty");
        QDir(parent.path()).mkpath("unrelated/photos");
        for (const char* name : {"file", "unrelated/notes.txt", "unrelated/photos/x.json"}) {
            QFile file(parent.filePath(name));
            QVERIFY(file.open(QIODevice::WriteOnly));
        }
        QStringList arguments = command + QStringList{"--local", parent.filePath(place)};
        if (command.front() == "merge") {
            DatasetBuilder builder;
            fill(builder);
            arguments << "--local" << folder(builder) << "--out" << parent.filePath("out");
        }
        const auto run = runTracedeck(arguments);
        QVERIFY2(run.exit.exitCode == 3, run.errorOutput.c_str());
        QVERIFY(run.output.empty());
        const QString said = QString::fromStdString(run.errorOutput);
        QVERIFY2(said.contains(parent.filePath(place)) && said.contains("A dataset has definitions/<op_type>/<name>.json"), run.errorOutput.c_str());
        QVERIFY(!QFile::exists(parent.filePath("missing")) && !QFile::exists(parent.filePath("out")));
    }
    void anEmptyDatasetIsOne()
    {
        QTemporaryDir root;
        QDir(root.path()).mkdir("definitions");
        for (const QStringList& command : QList<QStringList>{{"info"}, {"report", "summary"}, {"report", "csv"}, {"validate"}}) {
            const auto run = runTracedeck(command + QStringList{"--local", root.path()});
            QVERIFY2(run.exit.exitCode == 0, run.errorOutput.c_str());
        }
    }

    void namesThatMatchNothingAreWrongUsage_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("text");
        const auto row = [](const QStringList& arguments, const char* text) { QTest::newRow(qPrintable(arguments.join(' '))) << arguments << QString::fromUtf8(text); };
        row({"validate", "--definitions", "nope"}, "there is no definition 'nope'; there is gemm_n4");
        row({"validate", "--definitions", "gemm_n4", "gemm_n5"}, "there is no definition 'gemm_n5'; did you mean 'gemm_n4'?");
        row({"validate", "--op-types", "nope"}, "there is no op_type 'nope'; there is gemm");
        row({"validate", "--definitions", "gemm_n4", "--op-types", "nope"}, "there is no op_type 'nope'");
        row({"merge", "--out", "@/out", "--definitions", "nope"}, "there is no definition 'nope'; there is gemm_n4");
        row({"merge", "--out", "@/out", "--op-types", "nope"}, "there is no op_type 'nope'; there is gemm");
        for (const char* report : {"summary", "best", "rank", "fastp", "csv"}) {
            row({"report", report, "--definition", "nope"}, "there is no definition 'nope'; there is gemm_n4");
            row({"report", report, "--op-type", "nope"}, "there is no op_type 'nope'; there is gemm");
            row({"report", report, "--hardware", "nope"}, "there is no hardware 'nope'; there is Test CPU");
            row({"report", report, "--baseline", "basline"}, "there is no author 'basline'; did you mean 'baseline'?");
        }
    }
    void namesThatMatchNothingAreWrongUsage()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QString, text);
        QTemporaryDir out;
        arguments.replaceInStrings("@", out.path());
        DatasetBuilder builder;
        fill(builder);
        const auto run = runTracedeck(arguments + QStringList{"--local", folder(builder)});
        QVERIFY2(run.exit.exitCode == 2, run.errorOutput.c_str());
        QVERIFY(run.output.empty());
        QVERIFY2(QString::fromStdString(run.errorOutput).contains(text), run.errorOutput.c_str());
        QVERIFY(!QFile::exists(out.filePath("out")));
    }

    void mergeSaysWhyItTakesNoProblemFolders()
    {
        QTemporaryDir out;
        DatasetBuilder builder;
        builder.file("L1/p/definition.json", "{}");
        DatasetBuilder other;
        fill(other);
        const auto run = runTracedeck({"merge", "--local", folder(builder), "--local", folder(other), "--out", out.filePath("out")});
        QCOMPARE(run.exit.exitCode, 2);
        QVERIFY2(run.errorOutput.find("SOL-ExecBench") != std::string::npos, run.errorOutput.c_str());
    }

    /// What is left out of an output that has no room to say so is told on stderr.
    void leftOutTracesAreToldBesideTheOutput()
    {
        DatasetBuilder builder;
        fill(builder);
        builder.trace({.definition = "gemm_n4", .solution = "b", .uuid = "u", .latencyMs = 0});
        for (const QStringList& command : QList<QStringList>{{"report", "best", "--json"}, {"report", "csv"}}) {
            const auto run = runTracedeck(command + QStringList{"--local", folder(builder)});
            QCOMPARE(run.exit.exitCode, 0);
            QVERIFY2(run.errorOutput.find("tracedeck: note: 1 PASSED trace not used") != std::string::npos, run.errorOutput.c_str());
        }
    }
};

QTEST_GUILESS_MAIN(TestCommandLine)
#include "test_command_line.moc"
