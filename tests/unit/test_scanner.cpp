// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

#include "core/io/dataset_scanner.h"
#include "core/io/json_codec.h"
#include "core/io/trace_writer.h"
#include "core/store/dataset.h"

using namespace tracedeck;

namespace fs = std::filesystem;

namespace {

std::string definitionText(const std::string& name)
{
    return R"({"name":")" + name + R"(","op_type":"gemm","axes":{"M":{"type":"var"}},"inputs":{"x":{"shape":["M"],"dtype":"float32"}},)"
           + R"("outputs":{"y":{"shape":["M"],"dtype":"float32"}},"reference":"def run(x):\n    return x\n"})";
}

std::string solutionText(const std::string& name, const std::string& definition, const std::string& spec = R"(,"destination_passing_style":false)")
{
    return R"({"name":")" + name + R"(","definition":")" + definition + R"(","author":"ann","spec":{"language":"python",)"
           + R"("target_hardware":["cpu"],"entry_point":"main.py::run")" + spec + R"(},"sources":[{"path":"main.py",)"
           + R"("content":"def run(x):\n    return x\n"}]})";
}

std::string workloadText(const std::string& uuid)
{
    return R"({"definition":"d","workload":{"axes":{"M":2},"inputs":{},"uuid":")" + uuid + R"("},"solution":null,"evaluation":null})";
}

/// The digits of the uuid are the fraction of the time.
std::string timeOf(const std::string& uuid)
{
    std::string time = "2026-01-01T00:00:00.";
    std::copy_if(uuid.begin(), uuid.end(), std::back_inserter(time), [](char c) { return c >= '0' && c <= '9'; });
    return time;
}

std::string traceText(const std::string& uuid, const std::string& latency = "0.5")
{
    return R"({"definition":"d","workload":{"axes":{"M":2},"inputs":{},"uuid":")" + uuid + R"("},"solution":"s","evaluation":{"status":"PASSED",)"
           + R"("environment":{"hardware":"h","libs":{}},"timestamp":")" + timeOf(uuid) + R"(","log":"","correctness":{"max_relative_error":0.0,)"
           + R"("max_absolute_error":0.0,"extra":null},"performance":{"latency_ms":)" + latency + R"(,"reference_latency_ms":1.0,"speedup_factor":2.0}}})";
}

bool hasProblem(const Dataset& dataset, Severity severity, const QString& file, const QString& part, std::int64_t line = 0)
{
    return std::any_of(dataset.problems().begin(), dataset.problems().end(), [&](const Problem& problem) {
        return problem.severity == severity && QString::fromStdString(problem.error.file).endsWith(file) &&
               QString::fromStdString(problem.error.field + " " + problem.error.reason).contains(part) &&
               (line == 0 || problem.error.line == line);
    });
}

QString problemsOf(const Dataset& dataset)
{
    QStringList texts;
    for (const Problem& problem : dataset.problems()) texts << QString::fromStdString(problem.error.toString());
    return texts.join("\n");
}

}  // namespace

class TestScanner : public QObject {
    Q_OBJECT
private slots:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        QVERIFY(m_folder->isValid());
    }

    void loadOrderGoesComponentByComponent_data()
    {
        QTest::addColumn<QString>("first");
        QTest::addColumn<QString>("second");
        QTest::newRow("folder before longer name") << "a/q.json" << "a-b/q.json";
        QTest::newRow("capitals first") << "B" << "a";
        QTest::newRow("hidden folder before hidden file") << ".hd/x" << ".hidden.json";
        QTest::newRow("depth") << "a/z" << "a/z/a";
        QTest::newRow("code points beyond ASCII") << "z" << QString::fromUtf8("\xC3\xA9");
        QTest::newRow("code points, not UTF-16") << QString::fromUtf8("\xEF\xBF\xBD") << QString::fromUtf8("\xF0\x9F\x98\x80");
    }
    void loadOrderGoesComponentByComponent()
    {
        QFETCH(QString, first);
        QFETCH(QString, second);
        QVERIFY(precedesInLoadOrder(first.toStdString(), second.toStdString()));
        QVERIFY(!precedesInLoadOrder(second.toStdString(), first.toStdString()));
        QVERIFY(!precedesInLoadOrder(first.toStdString(), first.toStdString()));
    }

    void filesAreFound()
    {
        for (const char* file : {"definitions/a/q.json", "definitions/a-b/q.json", "definitions/x.json", "definitions/.hd/x.json",
                                 "definitions/.hidden.json", "definitions/X.JSON", "definitions/x.json.bak", "definitions/x.jsonl",
                                 "definitions/folder.json/inner.json", "solutions/deep/er/and/deeper/s.json", "workloads/w.jsonl",
                                 "workloads/w.json", "traces/t.jsonl", "traces_bak_20260101_000000/t.jsonl", "reports/r.json"}) {
            write(file, "{}");
        }
        fs::create_directories(root() / "elsewhere");
        write("elsewhere/e.json", "{}");
        fs::create_symlink(root() / "elsewhere/e.json", root() / "definitions/link.json");
        fs::create_directory_symlink(root() / "elsewhere", root() / "definitions/linked");
        fs::create_directory_symlink(root() / "elsewhere", root() / "definitions/linked.json");
        fs::create_symlink(root() / "gone", root() / "definitions/broken.json");
        fs::create_directory_symlink("..", root() / "definitions/a/loop");
        const auto scanned = scanDataset(root());
        QVERIFY(scanned);
        QVERIFY(scanned->hasDatasetFolder);
        QVERIFY(scanned->definitions ==
                (std::vector<std::string>{"definitions/.hd/x.json", "definitions/.hidden.json", "definitions/a/q.json",
                                          "definitions/a-b/q.json", "definitions/broken.json", "definitions/folder.json/inner.json",
                                          "definitions/link.json", "definitions/x.json"}));
        QVERIFY(scanned->solutions == std::vector<std::string>{"solutions/deep/er/and/deeper/s.json"});
        QVERIFY(scanned->workloads == std::vector<std::string>{"workloads/w.jsonl"});
        QVERIFY(scanned->traces == std::vector<std::string>{"traces/t.jsonl"});
    }

    void startFolderMayBeALink()
    {
        write("real/d.json", definitionText("d"));
        fs::create_directory_symlink(root() / "real", root() / "definitions");
        const auto dataset = load();
        QCOMPARE(dataset->definitions().size(), std::size_t{1});
    }

    void missingRootIsAnErrorAndIsNotMade()
    {
        const auto missing = Dataset::load(root() / "none");
        QVERIFY(!missing);
        QVERIFY(missing.error().code == ErrorCode::NotFound);
        QCOMPARE(missing.error().file, (root() / "none").string());
        QVERIFY(!fs::exists(root() / "none"));
        write("file", "x");
        QVERIFY(!Dataset::load(root() / "file"));
    }

    void foreignFolderSaysWhatADatasetLooksLike()
    {
        write("notes.txt", "x");
        const auto foreign = Dataset::load(root());
        QVERIFY(!foreign);
        QVERIFY(foreign.error().code == ErrorCode::NotFound);
        QCOMPARE(foreign.error().file, root().string());
        QVERIFY(foreign.error().reason.find("definitions/<op_type>/<name>.json") != std::string::npos);
        fs::create_directories(root() / "traces");
        QVERIFY(load()->problems().empty());
    }

    void oneBadFileDoesNotStopTheRest()
    {
        write("definitions/a.json", definitionText("d"));
        write("definitions/b.json", "{\n\"name\": \"b\",\n\"op_type\": 5\n}");
        write("definitions/c.json", "{\n\"name\": ");
        write("definitions/e.json", "\"\xFF\"");
        write("definitions/f.json", "");
        write("definitions/locked.json", definitionText("locked"));
        fs::create_symlink(root() / "gone", root() / "definitions/broken.json");
        QCOMPARE(::mkfifo((root() / "definitions/pipe.json").c_str(), 0600), 0);
        fs::create_symlink("/dev/zero", root() / "definitions/zero.json");
        write("solutions/s.json", solutionText("s", "d"));
        write("solutions/t.json", "[]");
        write("workloads/w.jsonl", workloadText("w1") + "\nnonsense\n" + workloadText("w2") + "\n");
        write("traces/t.jsonl", traceText("u1") + "\n{\"definition\":\"d\"}\n" + traceText("u2").substr(0, 60));
        const auto dataset = load();
        QCOMPARE(dataset->definitions().size(), std::size_t{2});
        QCOMPARE(dataset->solutions().size(), std::size_t{1});
        QCOMPARE(dataset->workloadCount(), std::size_t{2});
        QCOMPARE(dataset->traces().size(), std::size_t{1});
        QVERIFY2(hasProblem(*dataset, Severity::Error, "definitions/b.json", "op_type expected a string", 3), qPrintable(problemsOf(*dataset)));
        QVERIFY(hasProblem(*dataset, Severity::Error, "definitions/c.json", "not valid JSON", 2));
        QVERIFY(hasProblem(*dataset, Severity::Error, "definitions/e.json", "not UTF-8", 1));
        QVERIFY(hasProblem(*dataset, Severity::Error, "definitions/f.json", "not valid JSON"));
        QVERIFY(hasProblem(*dataset, Severity::Error, "definitions/broken.json", "No such file"));
        QVERIFY(hasProblem(*dataset, Severity::Error, "definitions/pipe.json", "not a regular file"));
        QVERIFY(hasProblem(*dataset, Severity::Error, "definitions/zero.json", "not a regular file"));
        QVERIFY(hasProblem(*dataset, Severity::Error, "solutions/t.json", "expected an object"));
        QVERIFY(hasProblem(*dataset, Severity::Error, "workloads/w.jsonl", "not valid JSON", 2));
        QVERIFY(hasProblem(*dataset, Severity::Error, "traces/t.jsonl", "workload", 2));
        QVERIFY(hasProblem(*dataset, Severity::Error, "traces/t.jsonl", "cut off", 3));
        QCOMPARE(dataset->problems().size(), std::size_t{11});
    }

    void unreadableFilesAndFoldersAreProblems()
    {
        if (::geteuid() == 0) QSKIP("the superuser may read everything");
        write("definitions/a.json", definitionText("d"));
        write("definitions/shut.json", definitionText("e"));
        write("solutions/shut/s.json", solutionText("s", "d"));
        fs::permissions(root() / "definitions/shut.json", fs::perms::none);
        fs::permissions(root() / "solutions/shut", fs::perms::none);
        const auto dataset = load();
        fs::permissions(root() / "solutions/shut", fs::perms::owner_all);
        QCOMPARE(dataset->definitions().size(), std::size_t{1});
        QVERIFY(hasProblem(*dataset, Severity::Error, "definitions/shut.json", "Permission denied"));
        QVERIFY(hasProblem(*dataset, Severity::Error, "solutions/shut", "Permission denied"));
    }

    void firstOfTwoNamesCounts()
    {
        write("definitions/z/a.json", definitionText("d"));
        write("definitions/a/z.json", definitionText("d"));
        write("solutions/2.json", solutionText("s", "d"));
        write("solutions/1.json", solutionText("s", "other"));
        const auto dataset = load();
        QCOMPARE(dataset->definitions().size(), std::size_t{1});
        QVERIFY(QString::fromStdString(dataset->definitions().front()->sourceFile).endsWith("definitions/a/z.json"));
        QVERIFY(hasProblem(*dataset, Severity::Error, "definitions/z/a.json", "definitions/a/z.json"));
        QCOMPARE(dataset->solutions().size(), std::size_t{1});
        QCOMPARE(dataset->findSolution("s")->definition, std::string("other"));
        QVERIFY(hasProblem(*dataset, Severity::Error, "solutions/2.json", "already"));
        // The solution of an unknown definition is kept.
        QVERIFY(hasProblem(*dataset, Severity::Warning, "solutions/1.json", "not in the dataset"));
        QCOMPARE(dataset->solutionsOf("other").size(), std::size_t{1});
    }

    void linesGoWhereTheirContentSays()
    {
        write("definitions/d.json", definitionText("d"));
        write("workloads/w.jsonl", workloadText("w1") + "\n" + traceText("u1") + "\n" + workloadText("w1") + "\n");
        write("traces/t.jsonl", workloadText("w2") + "\n" + traceText("u2") + "\n" + traceText("u2") + "\n");
        const auto dataset = load();
        const auto& workloads = dataset->workloadsOf("d");
        QCOMPARE(workloads.size(), std::size_t{3});   // equal ones are all kept
        QCOMPARE(workloads[0].workload.uuid, std::string("w1"));
        QCOMPARE(workloads[2].workload.uuid, std::string("w2"));
        QCOMPARE(dataset->traces().size(), std::size_t{3});
        QCOMPARE(dataset->traces().workloadUuid(dataset->traces().row(0)), std::string("u1"));
        QVERIFY(hasProblem(*dataset, Severity::Warning, "workloads/w.jsonl", "workloads folder", 2));
        QVERIFY(hasProblem(*dataset, Severity::Warning, "traces/t.jsonl", "traces folder", 1));
        QCOMPARE(dataset->traceRowsOfDefinition("d").size(), std::size_t{3});
        QCOMPARE(dataset->traceRowsOfSolution("s").size(), std::size_t{3});
        QVERIFY(dataset->traceRowsOfSolution("t").empty());
        QVERIFY(dataset->workloadsOf("none").empty());
    }

    void sameWarningsOfAFileAreOne()
    {
        std::string lines;
        for (int i = 0; i < 50; ++i) {
            std::string line = traceText("u" + std::to_string(i));
            lines += line.replace(line.find("\"hardware\""), 10, "\"device\"") + "\n";
        }
        std::string bad;
        for (int i = 0; i < 1200; ++i) bad += "x\n";
        write("definitions/d.json", definitionText("d"));
        write("traces/t.jsonl", lines);
        write("traces/x.jsonl", bad);
        const auto dataset = load();
        QCOMPARE(dataset->traces().size(), std::size_t{50});
        QVERIFY(hasProblem(*dataset, Severity::Warning, "traces/t.jsonl", "(50 times in this file)", 1));
        QVERIFY(hasProblem(*dataset, Severity::Error, "traces/x.jsonl", "200 more lines"));
        QCOMPARE(dataset->problems().size(), std::size_t{1002});
    }

    void oldSolutionsThatReturnTheirOutputsAreNamed()
    {
        write("definitions/d.json", definitionText("d"));
        write("solutions/1.json", solutionText("s1", "d", ""));
        write("solutions/2.json", solutionText("s2", "d"));
        const auto dataset = load();
        QVERIFY(hasProblem(*dataset, Severity::Warning, "solutions/1.json", "destination_passing_style"));
        QCOMPARE(dataset->problems().size(), std::size_t{1});
    }

    void largeFilesAreReadInPartsWithTheSameOutcome()
    {
        // Beyond the size at which files are cut, with a bad line far down.
        std::string content;
        const std::string filler(20000, 'x');
        int lines = 0;
        for (; content.size() < 40U * 1024 * 1024; ++lines) {
            std::string line = traceText(std::to_string(lines));
            content += line.replace(line.find("\"log\":\"\""), 8, "\"log\":\"" + filler + "\"") + "\n";
        }
        content += "broken\n" + traceText("last") + "\n";
        write("definitions/d.json", definitionText("d"));
        write("traces/t.jsonl", content);
        const auto parallel = load(4);
        const auto single = load(1);
        for (const auto& dataset : {parallel, single}) {
            QCOMPARE(dataset->traces().size(), static_cast<std::size_t>(lines + 1));
            QVERIFY2(hasProblem(*dataset, Severity::Error, "t.jsonl", "not valid JSON", lines + 1), qPrintable(problemsOf(*dataset)));
            QCOMPARE(dataset->traces().workloadUuid(dataset->traces().row(1234)), std::string("1234"));
            QCOMPARE(std::string(dataset->traces().timestamp(dataset->traces().row(1234))), timeOf("1234"));
            QVERIFY(dataset->readTrace(static_cast<std::size_t>(lines)));
        }
    }

    void fullLinesAreReadBack()
    {
        write("definitions/d.json", definitionText("d"));
        const std::string glued = traceText("u2") + traceText("u3");
        write("traces/t.jsonl", traceText("u1") + "\r\n" + glued + "\n");
        const auto dataset = load();
        QCOMPARE(dataset->traces().size(), std::size_t{3});
        for (std::size_t row = 0; row < 3; ++row) {
            const auto trace = dataset->readTrace(row);
            QVERIFY(trace);
            QCOMPARE(trace->workload.uuid, "u" + std::to_string(row + 1));
        }
        QCOMPARE(dataset->traceFile(0).string(), std::string("traces/t.jsonl"));
        QVERIFY(!dataset->readTrace(3));
        // The file grows: rows stay. It changes: that is noticed.
        write("traces/t.jsonl", traceText("u1") + "\r\n" + glued + "\n" + traceText("u4") + "\n");
        QVERIFY(dataset->readTrace(2));
        write("traces/t.jsonl", traceText("u9") + "\r\n" + glued + "\n");
        QVERIFY(dataset->readTrace(0).error().code == ErrorCode::Conflict);
        write("traces/t.jsonl", traceText("u1", "0.7") + "\r\n");
        QVERIFY(dataset->readTrace(0).error().code == ErrorCode::Conflict);
        QVERIFY(dataset->readTrace(2).error().code == ErrorCode::Conflict);
        fs::remove(root() / "traces/t.jsonl");
        QVERIFY(!dataset->readTrace(0));
    }

    void snapshotsGrowByResults()
    {
        write("definitions/d.json", definitionText("d"));
        write("traces/t.jsonl", traceText("u1") + "\n");
        const auto before = load();
        TraceWriter writer(root());
        const auto trace = decodeTrace(traceText("u2"), ReadMode::Strict);
        QVERIFY(trace);
        const auto appended = writer.append(trace->value, "ann", "gemm");
        QVERIFY(appended);
        const auto after = before->withTraces({{trace->value, appended->file, appended->byteOffset}});
        QCOMPARE(before->traces().size(), std::size_t{1});
        QCOMPARE(after->traces().size(), std::size_t{2});
        QCOMPARE(after->traces().workloadUuid(after->traces().row(1)), std::string("u2"));
        QVERIFY(after->traceRowsOfSolution("s") == (std::vector<std::uint32_t>{0, 1}));
        QCOMPARE(after->traceFile(1).string(), std::string("traces/ann/gemm/d.jsonl"));
        QVERIFY(after->readTrace(1));
        QVERIFY(after->findDefinition("d") == before->findDefinition("d"));
        // The same file again gets no second entry; a reload finds the same.
        const auto third = writer.append(trace->value, "ann", "gemm");
        QVERIFY(third);
        const auto grown = after->withTraces({{trace->value, third->file, third->byteOffset}});
        QVERIFY(TraceTable::fileOf(grown->traces().row(2)) == TraceTable::fileOf(grown->traces().row(1)));
        QVERIFY(grown->readTrace(2));
        QCOMPARE(load()->traces().size(), grown->traces().size());
    }

    void loadingStopsAndTellsItsProgress()
    {
        write("definitions/d.json", definitionText("d"));
        write("traces/t.jsonl", traceText("u1") + "\n" + traceText("u2") + "\n");
        LoadProgress progress;
        QVERIFY(Dataset::load(root(), {}, &progress));
        QCOMPARE(progress.filesTotal.load(), std::uint64_t{2});
        QCOMPARE(progress.filesDone.load(), std::uint64_t{2});
        QCOMPARE(progress.traces.load(), std::uint64_t{2});
        std::stop_source source;
        source.request_stop();
        const auto stopped = Dataset::load(root(), source.get_token());
        QVERIFY(!stopped);
        QVERIFY(stopped.error().code == ErrorCode::Cancelled);
    }

    void filesMayShrinkWhileTheyAreRead()
    {
        std::string content;
        for (int i = 0; i < 20000; ++i) content += traceText(std::to_string(i)) + "\n";
        write("traces/t.jsonl", content);
        std::atomic<bool> isDone{false};
        std::jthread shrinker([&] {
            while (!isDone) {
                fs::resize_file(root() / "traces/t.jsonl", 1000);
                std::ofstream(root() / "traces/t.jsonl", std::ios::binary) << content;
            }
        });
        for (int i = 0; i < 5; ++i) {
            const auto dataset = Dataset::load(root());
            QVERIFY(dataset);
            QVERIFY((*dataset)->traces().size() <= 20000);
        }
        isDone = true;
    }

    void rootIsResolved()
    {
        qputenv("HOME", "/home/someone");
        qunsetenv("FIB_DATASET_PATH");
        QCOMPARE(Dataset::resolveRoot("").string(), std::string("/home/someone/.cache/flashinfer_bench/dataset"));
        QCOMPARE(Dataset::resolveRoot("~/x").string(), std::string("~/x"));   // a path that is given is used as it is
        qputenv("FIB_DATASET_PATH", "~/data");
        QCOMPARE(Dataset::resolveRoot("").string(), std::string("/home/someone/data"));
        QCOMPARE(Dataset::resolveRoot("/given").string(), std::string("/given"));
        qputenv("FIB_DATASET_PATH", "~");
        QCOMPARE(Dataset::resolveRoot("").string(), std::string("/home/someone"));
        qputenv("FIB_DATASET_PATH", "~root/x");
        QCOMPARE(Dataset::resolveRoot("").string(), std::string("/root/x"));
        qputenv("FIB_DATASET_PATH", "~no-such-user-here/x");
        QCOMPARE(Dataset::resolveRoot("").string(), std::string("~no-such-user-here/x"));
        qputenv("FIB_DATASET_PATH", "");
        QCOMPARE(Dataset::resolveRoot("").string(), std::string("/home/someone/.cache/flashinfer_bench/dataset"));
    }

private:
    [[nodiscard]] fs::path root() const { return m_folder->path().toStdString(); }
    void write(const std::string& file, const std::string& content) const
    {
        fs::create_directories((root() / file).parent_path());
        std::ofstream stream(root() / file, std::ios::binary);
        stream << content;
        QVERIFY(stream.flush().good());
    }
    [[nodiscard]] std::shared_ptr<const Dataset> load(unsigned threads = 0) const
    {
        auto dataset = Dataset::load(root(), {}, nullptr, threads);
        return dataset ? *dataset : std::make_shared<const Dataset>();
    }
    std::unique_ptr<QTemporaryDir> m_folder;
};

QTEST_GUILESS_MAIN(TestScanner)
#include "test_scanner.moc"
