// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDir>
#include <QFile>
#include <QProcess>
#include <QStandardPaths>
#include <QTest>

#include "core/model/json.h"
#include "tests/support/dataset_builder.h"

using namespace tracedeck;
using tracedeck::test::DatasetBuilder;

namespace {

const QString kProgram = QStringLiteral(TRACEDECK_BIN_DIR "/tracedeck");
const QString kSharedDatasets = QStringLiteral(TRACEDECK_SHARED_DATASETS);

struct Outcome {
    int exitCode = -1;   ///< −1: did not start, crashed, or took too long
    QByteArray out;
    QByteArray err;
};

Outcome runProcess(const QString& program, const QStringList& arguments, const QMap<QString, QString>& environment = {})
{
    QProcess process;
    QProcessEnvironment full = QProcessEnvironment::systemEnvironment();
    full.remove("FIB_DATASET_PATH");
    for (auto it = environment.begin(); it != environment.end(); ++it) full.insert(it.key(), it.value());
    process.setProcessEnvironment(full);
    process.start(program, arguments);
    Outcome outcome;
    if (!process.waitForFinished(60'000)) return outcome;
    outcome.out = process.readAllStandardOutput();
    outcome.err = process.readAllStandardError();
    if (process.exitStatus() == QProcess::NormalExit) outcome.exitCode = process.exitCode();
    return outcome;
}

Outcome tracedeckRun(const QStringList& arguments, const QMap<QString, QString>& environment = {})
{
    return runProcess(kProgram, arguments, environment);
}

/// Parses exactly one JSON document; a test that gets none sees a discarded value.
Json parsed(const QByteArray& text)
{
    return Json::parse(text.begin(), text.end(), nullptr, false);
}

QString folder(const DatasetBuilder& builder)
{
    return QString::fromStdString(builder.root().string());
}

void fill(DatasetBuilder& builder)
{
    builder.definition({.name = "g"}).definition({.name = "n", .opType = "norm"});
    builder.solution({.name = "base", .definition = "g", .author = "baseline"}).solution({.name = "s", .definition = "g", .language = "triton"});
    builder.workload({.definition = "g", .uuid = "u", .axes = {{"M", 8}}}).workload({.definition = "g", .uuid = "v", .axes = {{"M", 16}}});
    builder.trace({.definition = "g", .solution = "base", .uuid = "u", .latencyMs = 2, .axes = {{"M", 8}}});
    builder.trace({.definition = "g", .solution = "s", .uuid = "u", .latencyMs = 0.5, .axes = {{"M", 8}}, .hardware = "Big, \"fast\" GPU"});
    builder.trace({.definition = "g", .solution = "s", .uuid = "v", .status = Status::Timeout, .axes = {{"M", 16}}});
}

/// Rows of RFC 4180 text, header included.
QList<QStringList> csvRows(const QString& text)
{
    QList<QStringList> rows;
    QStringList row;
    QString cell;
    bool quoted = false;
    for (qsizetype i = 0; i < text.size(); ++i) {
        const QChar c = text[i];
        if (quoted) {
            if (c != '"') cell += c;
            else if (i + 1 < text.size() && text[i + 1] == '"') cell += text[++i];
            else quoted = false;
        } else if (c == '"') {
            quoted = true;
        } else if (c == ',' || c == '\n') {
            row << cell;
            cell.clear();
            if (c == '\n') rows << std::exchange(row, {});
        } else {
            cell += c;
        }
    }
    return rows;
}

}  // namespace

class TestInfoReport : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { QVERIFY2(QFile::exists(kProgram), qPrintable(kProgram)); }

    void infoPrintsOneJsonDocument()
    {
        DatasetBuilder builder;
        fill(builder);
        const Outcome outcome = tracedeckRun({"info", "--local", folder(builder), "--json"});
        QCOMPARE(outcome.exitCode, 0);
        QCOMPARE(outcome.err, QByteArray());
        const Json document = parsed(outcome.out);
        QVERIFY(document.is_object());
        QCOMPARE(document["root"].get<std::string>(), builder.root().string());
        QCOMPARE(document["definitions"].get<int>(), 2);
        QCOMPARE(document["solutions"].get<int>(), 2);
        QCOMPARE(document["workloads"].get<int>(), 2);
        QCOMPARE(document["traces"].get<int>(), 3);
        QCOMPARE(document["statuses"]["PASSED"].get<int>(), 2);
        QCOMPARE(document["statuses"]["TIMEOUT"].get<int>(), 1);
        QCOMPARE(document["op_types"]["norm"].get<int>(), 1);
        QCOMPARE(document["problems"].size(), std::size_t{0});
    }

    void infoListsProblemsAndLoadsTheRest()
    {
        DatasetBuilder builder;
        fill(builder);
        builder.file("definitions/gemm/broken.json", "{\"name\":").line("traces/ann/gemm/g.jsonl", "not json");
        const Outcome outcome = tracedeckRun({"info", "--local", folder(builder), "--json"});
        QCOMPARE(outcome.exitCode, 0);
        const Json document = parsed(outcome.out);
        QCOMPARE(document["definitions"].get<int>(), 2);
        QCOMPARE(document["traces"].get<int>(), 3);
        QCOMPARE(document["problems"].size(), std::size_t{2});
        bool traceProblem = false;
        for (const Json& problem : document["problems"]) {
            QVERIFY(!problem["reason"].get<std::string>().empty());
            if (problem["file"].get<std::string>().ends_with("traces/ann/gemm/g.jsonl")) {
                traceProblem = true;
                QCOMPARE(problem["line"].get<int>(), 3);
            }
        }
        QVERIFY(traceProblem);
        const Outcome human = tracedeckRun({"info", "--local", folder(builder)});
        QCOMPARE(human.exitCode, 0);
        QVERIFY(human.out.contains("traces/ann/gemm/g.jsonl:3"));
    }

    void severalDatasetsAreProcessedInSequence()
    {
        DatasetBuilder first;
        fill(first);
        DatasetBuilder second;
        second.definition({.name = "only"});
        for (const QString& command : {QString("info"), QString("report summary"), QString("report best")}) {
            const QStringList arguments = command.split(' ') + QStringList{"--local", folder(first), "--local", folder(second)};
            const Outcome json = tracedeckRun(arguments + QStringList{"--json"});
            QCOMPARE(json.exitCode, 0);
            const Json document = parsed(json.out);
            QVERIFY2(document.is_array(), json.out.constData());
            QCOMPARE(document.size(), std::size_t{2});
            const Outcome text = tracedeckRun(arguments);
            QCOMPARE(text.exitCode, 0);
            QVERIFY(text.out.startsWith("Dataset 1:\n"));
            QVERIFY(text.out.contains("\nDataset 2:\n"));
        }
    }

    void theDatasetPathComesFromTheEnvironment()
    {
        DatasetBuilder builder;
        fill(builder);
        const Outcome outcome = tracedeckRun({"info", "--json"}, {{"FIB_DATASET_PATH", folder(builder)}});
        QCOMPARE(outcome.exitCode, 0);
        QCOMPARE(parsed(outcome.out)["traces"].get<int>(), 3);
    }

    void anUnreadableFolderIsNamedAndNotCreated_data()
    {
        QTest::addColumn<QStringList>("command");
        QTest::newRow("info") << QStringList{"info"};
        QTest::newRow("info json") << QStringList{"info", "--json"};
        QTest::newRow("summary") << QStringList{"report", "summary"};
        QTest::newRow("best") << QStringList{"report", "best"};
        QTest::newRow("groups") << QStringList{"report", "groups", "--by", "author"};
        QTest::newRow("csv") << QStringList{"report", "csv"};
    }
    void anUnreadableFolderIsNamedAndNotCreated()
    {
        QFETCH(QStringList, command);
        QTemporaryDir parent;
        const QString missing = parent.filePath("not_here");
        const Outcome outcome = tracedeckRun(command + QStringList{"--local", missing});
        QCOMPARE(outcome.exitCode, 3);
        QCOMPARE(outcome.out, QByteArray());
        QVERIFY(outcome.err.contains("not_here"));
        QVERIFY(!QFile::exists(missing));
    }

    void wrongUsageExitsWithTwo_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::newRow("nothing") << QStringList{};
        QTest::newRow("unknown command") << QStringList{"inform"};
        QTest::newRow("unknown option") << QStringList{"info", "--jason"};
        QTest::newRow("option without value") << QStringList{"info", "--local"};
        QTest::newRow("report alone") << QStringList{"report"};
        QTest::newRow("unknown report") << QStringList{"report", "best-of-all"};
        QTest::newRow("both scopes") << QStringList{"report", "summary", "--op-type", "gemm", "--definition", "g"};
        QTest::newRow("unknown definition") << QStringList{"report", "best", "--definition", "nothing"};
        QTest::newRow("unknown op_type") << QStringList{"report", "summary", "--op-type", "nothing"};
        QTest::newRow("unknown hardware") << QStringList{"report", "csv", "--hardware", "nothing"};
        QTest::newRow("unknown author") << QStringList{"report", "summary", "--baseline", "nothing"};
        QTest::newRow("unknown metric") << QStringList{"report", "rank", "--metric", "vibes"};
        QTest::newRow("another metric than flashinfer-bench's") << QStringList{"report", "rank", "--metric", "mean", "--compat"};
        QTest::newRow("unknown policy") << QStringList{"report", "rank", "--policy", "vibes"};
        QTest::newRow("a policy that flashinfer-bench does not know") << QStringList{"report", "rank", "--policy", "newest", "--compat"};
        QTest::newRow("unknown preset") << QStringList{"report", "fastp", "--preset", "vibes"};
        QTest::newRow("negative p") << QStringList{"report", "fastp", "--p", "-1"};
        QTest::newRow("sampled script") << QStringList{"report", "fastp", "--preset", "winp", "--sampled"};
        QTest::newRow("surplus argument") << QStringList{"report", "csv", "surplus"};
    }
    void wrongUsageExitsWithTwo()
    {
        QFETCH(QStringList, arguments);
        DatasetBuilder builder;
        fill(builder);
        const Outcome outcome = tracedeckRun(arguments, {{"FIB_DATASET_PATH", folder(builder)}});
        QCOMPARE(outcome.exitCode, 2);
        QCOMPARE(outcome.out, QByteArray());
        QVERIFY(!outcome.err.isEmpty());
        if (arguments.contains("nothing")) {
            QVERIFY2(outcome.err.contains("'nothing'"), outcome.err.constData());
            QVERIFY2(outcome.err.contains("; there "), outcome.err.constData());   // what there is
        }
    }

    void csvTakesOneDataset()
    {
        DatasetBuilder builder;
        fill(builder);
        QCOMPARE(tracedeckRun({"report", "csv", "--local", folder(builder), "--local", folder(builder)}).exitCode, 2);
    }

    void helpAndVersionExitWithZero()
    {
        for (const QStringList& arguments : {QStringList{"--help"}, QStringList{"report", "--help"}, QStringList{"report", "csv", "--help"}}) {
            const Outcome help = tracedeckRun(arguments);
            QCOMPARE(help.exitCode, 0);
            QVERIFY(help.out.contains("Usage:"));
        }
        const Outcome version = tracedeckRun({"--version"});
        QCOMPARE(version.exitCode, 0);
        QVERIFY(version.out.startsWith("tracedeck "));
    }

    void summaryRanksAgainstTheBaseline()
    {
        DatasetBuilder builder;
        fill(builder);
        const Outcome outcome = tracedeckRun({"report", "summary", "--local", folder(builder), "--json"});
        QCOMPARE(outcome.exitCode, 0);
        const Json document = parsed(outcome.out);
        QCOMPARE(document["total"].get<int>(), 3);
        QCOMPARE(document["rankings"].size(), std::size_t{1});
        QCOMPARE(document["rankings"][0]["author"].get<std::string>(), std::string("ann"));
        QCOMPARE(document["rankings"][0]["avg_speedup"].get<double>(), 0.0);   // its timeout counts

        const Outcome swapped = tracedeckRun({"report", "summary", "--local", folder(builder), "--baseline", "ann", "--json"});
        QCOMPARE(swapped.exitCode, 0);
        const Json ranking = parsed(swapped.out)["rankings"];
        QCOMPARE(ranking[0]["author"].get<std::string>(), std::string("baseline"));
        QCOMPARE(ranking[0]["avg_speedup"].get<double>(), 0.25);

        const Outcome human = tracedeckRun({"report", "summary", "--local", folder(builder)});
        QVERIFY(human.out.startsWith("Traces: 3 total, 2 passed, 1 failed\n"));
    }

    void rankAndFastPPrintTheirDocuments()
    {
        DatasetBuilder builder;
        fill(builder);
        const QStringList local{"--local", folder(builder), "--json"};
        const Json rank = parsed(tracedeckRun(QStringList{"report", "rank", "--by", "solution", "--baseline", "ann"} + local).out);
        QCOMPARE(rank["metric"].get<std::string>(), std::string("format"));
        QCOMPARE(rank["by"].get<std::string>(), std::string("solution"));
        QCOMPARE(rank["rows"].size(), std::size_t{1});
        QCOMPARE(rank["rows"][0]["name"].get<std::string>(), std::string("base"));
        QCOMPARE(rank["rows"][0]["score"].get<double>(), 0.25);
        QVERIFY(rank["rule_text"].get<std::string>().find("2 kinds of hardware are mixed") != std::string::npos);
        const Json means = parsed(tracedeckRun(QStringList{"report", "rank", "--metric", "geomean", "--baseline", "ann"} + local).out);
        QCOMPARE(means["metric"].get<std::string>(), std::string("geomean"));
        QCOMPARE(means["rule"].get<std::string>(), std::string("newest"));
        QCOMPARE(means["rows"].size(), std::size_t{0});   // the two were measured on two machines
        const Json curves = parsed(tracedeckRun(QStringList{"report", "fastp", "--by", "solution", "--p", "4", "--p", "4.5"} + local).out);
        QCOMPARE(curves["preset"].get<std::string>(), std::string("site"));
        QCOMPARE(curves["curves"].size(), std::size_t{1});
        QCOMPARE(curves["curves"][0]["at"]["4"].get<double>(), 1.0);   // 2 ms ÷ 0.5 ms on the one workload that the baseline ran
        QCOMPARE(curves["curves"][0]["at"]["4.5"].get<double>(), 0.0);
        const Json script = parsed(tracedeckRun(QStringList{"report", "fastp", "--preset", "winp", "--p", "1"} + local).out);
        QCOMPARE(script["curves"][0]["wins"]["1"].get<int>(), 1);
        QCOMPARE(script["curves"][0]["total"].get<int>(), 1);
        for (const char* command : {"rank", "fastp"}) {
            const Outcome human = tracedeckRun({"report", command, "--local", folder(builder)});
            QCOMPARE(human.exitCode, 0);
            QVERIFY2(human.out.contains("ann"), human.out.constData());
        }
    }

    void thePolicyChoosesAmongTheTracesOfAPair()
    {
        DatasetBuilder builder;
        builder.definition({.name = "g"}).solution({.name = "base", .definition = "g", .author = "baseline"}).solution({.name = "s", .definition = "g"});
        builder.trace({.definition = "g", .solution = "base", .uuid = "w", .latencyMs = 8});
        builder.trace({.definition = "g", .solution = "s", .uuid = "w", .latencyMs = 4, .timestamp = "2026-01-01T00:00:00"});
        builder.trace({.definition = "g", .solution = "s", .uuid = "w", .latencyMs = 1, .timestamp = "2026-01-02T00:00:00"});
        builder.trace({.definition = "g", .solution = "s", .uuid = "w", .latencyMs = 2, .timestamp = "2026-01-03T00:00:00"});
        builder.trace({.definition = "g", .solution = "s", .uuid = "w", .status = Status::Timeout, .timestamp = "2026-01-04T00:00:00"});
        const std::map<std::string, double> scores{{"all", 0}, {"newest", 0}, {"newest-passing", 4}, {"lowest-median", 8}, {"fastest", 8}, {"middle-run", 4}, {"pooled", 4}, {"run:1", 2}};
        for (const auto& [policy, score] : scores) {
            const QStringList options{"--local", folder(builder), "--policy", QString::fromStdString(policy)};
            const Json rank = parsed(tracedeckRun(QStringList{"report", "rank", "--json"} + options).out);
            QVERIFY2(rank["rows"][0]["score"].get<double>() == score, policy.c_str());
            const QByteArray csv = tracedeckRun(QStringList{"report", "csv"} + options).out;
            QCOMPARE(csv.count('\n'), policy == "all" ? 6 : 3);
        }
    }

    /// flashinfer-bench fails as a whole where one definition lacks its baseline; by default the rest is ranked.
    void compatFailsWhereFlashinferBenchDoes()
    {
        DatasetBuilder builder;
        fill(builder);
        builder.definition({.name = "lonely"}).solution({.name = "l", .definition = "lonely"});
        for (const QStringList& command : {QStringList{"summary"}, QStringList{"rank"}, QStringList{"rank", "--by", "solution"}}) {
            const QStringList arguments = QStringList{"report"} + command + QStringList{"--local", folder(builder), "--json"};
            const Outcome tolerant = tracedeckRun(arguments);
            QCOMPARE(tolerant.exitCode, 0);
            QCOMPARE(parsed(tolerant.out)["rule"].get<std::string>(), std::string("format"));
            QCOMPARE(parsed(tolerant.out)["unscored"][0]["definition"].get<std::string>(), std::string("lonely"));
            const Outcome exact = tracedeckRun(arguments + QStringList{"--compat"});
            QCOMPARE(exact.exitCode, 1);
            QCOMPARE(exact.out, QByteArray());
            QVERIFY2(exact.err.contains("lonely"), exact.err.constData());
            const Outcome scoped = tracedeckRun(arguments + QStringList{"--compat", "--definition", "g"});
            QCOMPARE(scoped.exitCode, 0);
            QCOMPARE(parsed(scoped.out)["rule"].get<std::string>(), std::string("flashinfer-bench"));
        }
    }

    void bestHonoursTheScope()
    {
        DatasetBuilder builder;
        fill(builder);
        const Json all = parsed(tracedeckRun({"report", "best", "--local", folder(builder), "--json"}).out);
        QCOMPARE(all.size(), std::size_t{1});
        QCOMPARE(all[0]["solution"].get<std::string>(), std::string("s"));
        QCOMPARE(all[0]["speedup_factor"].get<double>(), 4.0);
        const Json onCpu = parsed(tracedeckRun({"report", "best", "--local", folder(builder), "--hardware", "Test CPU", "--json"}).out);
        QCOMPARE(onCpu[0]["solution"].get<std::string>(), std::string("base"));
        QCOMPARE(parsed(tracedeckRun({"report", "best", "--local", folder(builder), "--op-type", "norm", "--json"}).out).size(), std::size_t{0});
    }

    /// The table says what the lines on disk say.
    void csvAgreesWithTheTraceLines()
    {
        DatasetBuilder builder;
        fill(builder);
        QTemporaryDir target;
        const QString outFile = target.filePath("report.csv");
        const Outcome outcome = tracedeckRun({"report", "csv", "--local", folder(builder), "--out", outFile});
        QCOMPARE(outcome.exitCode, 0);
        QCOMPARE(outcome.out, QByteArray());
        QFile csv(outFile);
        QVERIFY(csv.open(QIODevice::ReadOnly));
        const auto rows = csvRows(QString::fromUtf8(csv.readAll()));
        QCOMPARE(rows.front().join(','),
                 QString("definition,op_type,solution,author,language,workload_uuid,axes,status,latency_ms,reference_latency_ms,speedup_factor,"
                         "max_absolute_error,max_relative_error,hardware,timestamp,usable_latency"));

        QList<Json> lines;   // in load order: ann before baseline
        for (const char* file : {"traces/ann/gemm/g.jsonl", "traces/baseline/gemm/g.jsonl"}) {
            QFile traces(folder(builder) + "/" + file);
            QVERIFY(traces.open(QIODevice::ReadOnly));
            for (const QByteArray& line : traces.readAll().split('\n')) {
                if (!line.isEmpty()) lines << parsed(line);
            }
        }
        QCOMPARE(rows.size(), lines.size() + 1);
        for (qsizetype i = 0; i < lines.size(); ++i) {
            const Json& evaluation = lines[i]["evaluation"];
            const QStringList& row = rows[i + 1];
            QCOMPARE(row.size(), 16);
            QCOMPARE(row[0].toStdString(), lines[i]["definition"].get<std::string>());
            QCOMPARE(row[1], "gemm");
            QCOMPARE(row[2].toStdString(), lines[i]["solution"].get<std::string>());
            QCOMPARE(row[3], row[2] == "base" ? "baseline" : "ann");
            QCOMPARE(row[4], row[2] == "base" ? "python" : "triton");
            QCOMPARE(row[5].toStdString(), lines[i]["workload"]["uuid"].get<std::string>());
            QCOMPARE(row[6].toStdString(), "M=" + std::to_string(lines[i]["workload"]["axes"]["M"].get<int>()));
            QCOMPARE(row[7].toStdString(), evaluation["status"].get<std::string>());
            if (evaluation["performance"].is_null()) QCOMPARE(row[8], "");
            else QCOMPARE(row[8].toDouble(), evaluation["performance"]["latency_ms"].get<double>());
            QCOMPARE(row[13].toStdString(), evaluation["environment"]["hardware"].get<std::string>());
            QCOMPARE(row[14].toStdString(), evaluation["timestamp"].get<std::string>());
            QCOMPARE(row[15], evaluation["performance"].is_null() ? "" : "true");
        }
        QCOMPARE(QDir(target.path()).entryList(QDir::Files | QDir::Hidden), QStringList{"report.csv"});
        // Without --out the same text goes to stdout.
        csv.seek(0);
        QCOMPARE(tracedeckRun({"report", "csv", "--local", folder(builder)}).out, csv.readAll());
        QCOMPARE(csvRows(tracedeckRun({"report", "csv", "--local", folder(builder), "--hardware", "Test CPU"}).out).size(), 3);
        QCOMPARE(csvRows(tracedeckRun({"report", "csv", "--local", folder(builder), "--op-type", "norm"}).out).size(), 1);
    }

    void problemsGoToStderrTwentyAtMost()
    {
        DatasetBuilder builder;
        fill(builder);
        for (int i = 0; i < 25; ++i) builder.line("traces/ann/gemm/g.jsonl", "broken");
        const Outcome outcome = tracedeckRun({"report", "summary", "--local", folder(builder), "--json"});
        QCOMPARE(outcome.exitCode, 0);
        QVERIFY(parsed(outcome.out).is_object());
        QCOMPARE(outcome.err.count("g.jsonl:"), 20);
        QVERIFY(outcome.err.contains("and 5 more; see tracedeck info"));
    }

    void namesCannotSteerTheTerminal()
    {
        DatasetBuilder builder;
        builder.definition({.name = "d"}).solution({.name = "s", .definition = "d", .author = "evil\x1b[2J", .file = "solutions/s.json"});
        builder.solution({.name = "b", .definition = "d", .author = "baseline"});
        builder.trace({.definition = "d", .solution = "s", .uuid = "u", .file = "traces/t.jsonl"});
        builder.trace({.definition = "d", .solution = "b", .uuid = "u", .file = "traces/t.jsonl"});
        const Outcome outcome = tracedeckRun({"report", "summary", "--local", folder(builder)});
        QCOMPARE(outcome.exitCode, 0);
        QVERIFY(outcome.out.contains("evil\\x1b[2J"));
        QVERIFY(!outcome.out.contains('\x1b'));
    }

    void aFailedWriteIsReported_data()
    {
        QTest::addColumn<QString>("command");
        QTest::newRow("disk full") << R"sh("$0" report csv --local "$1" > /dev/full)sh";
        QTest::newRow("closed standard output") << R"sh("$0" info --local "$1" --json >&-)sh";
        QTest::newRow("help to a closed standard output") << R"sh("$0" --help >&-)sh";
        QTest::newRow("no such folder") << R"sh("$0" report csv --local "$1" --out "$1/no/such/folder/x.csv")sh";
    }
    void aFailedWriteIsReported()
    {
        QFETCH(QString, command);
        DatasetBuilder builder;
        fill(builder);
        // More than a pipe holds.
        for (int i = 0; i < 2000; ++i) builder.trace({.definition = "g", .solution = "s", .uuid = "workload-" + std::to_string(i), .hardware = "Test CPU"});
        const Outcome outcome = runProcess("/bin/sh", {"-c", command, kProgram, folder(builder)});
        QCOMPARE(outcome.exitCode, 1);
        QVERIFY2(outcome.err.contains("tracedeck: error: "), outcome.err.constData());
    }

    /// `… | head -1` is no error: the end is that of a program that the signal ended, without a word.
    void aReaderThatGoesAwayIsNoError_data()
    {
        QTest::addColumn<QString>("arguments");
        QTest::newRow("csv") << "report csv";
        QTest::newRow("info") << "info";
        QTest::newRow("info, JSON") << "info --json";
        QTest::newRow("validate") << "validate";
    }
    void aReaderThatGoesAwayIsNoError()
    {
        QFETCH(QString, arguments);
        DatasetBuilder builder;
        fill(builder);
        // More than a pipe holds, as traces and as problems.
        for (int i = 0; i < 2000; ++i) {
            builder.trace({.definition = "unknown_" + std::to_string(i), .solution = "s", .uuid = "workload", .hardware = "Test CPU", .file = "traces/x/y/z.jsonl"});
        }
        const QString command = R"sh({ "$0" )sh" + arguments + R"sh( --local "$1"; echo $? >"$1/code"; } | true; exit "$(cat "$1/code")")sh";
        const Outcome outcome = runProcess("/bin/sh", {"-c", command, kProgram, folder(builder)});
        QCOMPARE(outcome.exitCode, 141);
        QVERIFY2(!outcome.err.contains("tracedeck: error"), outcome.err.constData());
    }

    void pinsAreColumnsOfTablesAndRankings()
    {
        DatasetBuilder builder;
        fill(builder);
        builder.trace({.definition = "g", .solution = "s", .uuid = "u", .latencyMs = 1, .axes = {{"M", 8}}});
        const Outcome csv = tracedeckRun({"report", "csv", "--local", folder(builder), "--pin", "solution=base", "--pin", "trace=s:u", "--light"});
        QCOMPARE(csv.exitCode, 0);
        const QList<QStringList> rows = csvRows(QString::fromUtf8(csv.out));
        QCOMPARE(rows.front().mid(rows.front().size() - 3), QStringList({"change_vs solution=base", "change_vs trace=s:u", "light_share"}));
        QVERIFY2(csv.out.contains(",true,-0.5,0,"), csv.out.constData());   // 1 ms against 2, and against itself
        const Outcome rank = tracedeckRun({"report", "rank", "--by", "solution", "--local", folder(builder), "--pin", "solution=base", "--json"});
        QCOMPARE(rank.exitCode, 0);
        QCOMPARE(parsed(rank.out).at("rows")[0].at("changes").at("solution=base").at("change").get<double>(), -0.5);
        const Outcome unknown = tracedeckRun({"report", "csv", "--local", folder(builder), "--pin", "solution=nobody"});
        QCOMPARE(unknown.exitCode, 2);
        QVERIFY(unknown.err.contains("no solution 'nobody'"));
        QCOMPARE(tracedeckRun({"report", "rank", "--local", folder(builder), "--pin", "author"}).exitCode, 2);
    }

    void errorsAreReported()
    {
        DatasetBuilder builder;
        builder.definition({.name = "g"}).solution({.name = "s", .definition = "g"});
        builder.trace({.definition = "g", .solution = "s", .uuid = "u", .maxAbsoluteError = 0.5, .maxRelativeError = 0.2});
        const Outcome outcome = tracedeckRun({"report", "errors", "--local", folder(builder), "--json"});
        QCOMPARE(outcome.exitCode, 0);
        QCOMPARE(parsed(outcome.out).at("traces")[0].at("fit").get<std::string>(), std::string("beyond"));
        const Outcome wider = tracedeckRun({"report", "errors", "--local", folder(builder), "--rtol", "0.25", "--csv"});
        QCOMPARE(wider.exitCode, 0);
        QVERIFY(wider.out.contains(",0.5,0.2,0.01,0.25,within,"));
        QCOMPARE(tracedeckRun({"report", "errors", "--local", folder(builder), "--atol", "-1"}).exitCode, 2);
        QCOMPARE(tracedeckRun({"report", "errors", "--local", folder(builder), "--definition", "unknown"}).exitCode, 2);
    }

    void theRealDatasetHasItsKnownCounts()
    {
        const QString root = kSharedDatasets + "/flashinfer-trace";
        if (!QFile::exists(root)) QSKIP("the shared data sets are not on this machine");
        const Outcome outcome = tracedeckRun({"info", "--local", root, "--json"});
        QCOMPARE(outcome.exitCode, 0);
        const Json document = parsed(outcome.out);
        QCOMPARE(document["definitions"].get<int>(), 156);
        QCOMPARE(document["workloads"].get<int>(), 663);
        QCOMPARE(document["op_types"].size(), std::size_t{12});
    }

    void realTracesAreReported_data()
    {
        QTest::addColumn<int>("traces");
        QTest::addColumn<int>("passed");
        QTest::newRow("fib-2026-03-a800-gpt5") << 68 << 53;
        QTest::newRow("fib-2026-03-kernel-generator") << 108 << 42;
        QTest::newRow("gdn-decode-gb200") << 54 << 54;
        QTest::newRow("gdn-prefill-gb200") << 100 << 100;
    }
    void realTracesAreReported()
    {
        QFETCH(int, traces);
        QFETCH(int, passed);
        const QString root = kSharedDatasets + "/real-traces/" + QTest::currentDataTag();
        if (!QFile::exists(root)) QSKIP("the shared data sets are not on this machine");
        const Outcome summary = tracedeckRun({"report", "summary", "--local", root, "--json"});
        QCOMPARE(summary.exitCode, 0);
        const Json document = parsed(summary.out);
        QCOMPARE(document["total"].get<int>(), traces);
        QCOMPARE(document["passed"].get<int>(), passed);
        QCOMPARE(csvRows(QString::fromUtf8(tracedeckRun({"report", "csv", "--local", root}).out)).size(), traces + 1);
        QCOMPARE(tracedeckRun({"report", "best", "--local", root}).exitCode, 0);
    }
};

QTEST_GUILESS_MAIN(TestInfoReport)
#include "test_info_report.moc"
