// SPDX-License-Identifier: GPL-3.0-or-later
#include <QRegularExpression>
#include <QTest>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <span>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>

#include "core/io/data_file.h"
#include "core/io/json_codec.h"
#include "core/io/trace_writer.h"
#include "core/store/dataset_writer.h"
#include "tests/support/dataset_builder.h"
#include "tests/support/test_files.h"

using namespace tracedeck;
using tracedeck::test::linesOf;
using tracedeck::test::readBytes;
using tracedeck::test::DatasetBuilder;

namespace fs = std::filesystem;

namespace {

Trace workloadTrace(const std::string& uuid, const std::string& definition = "d")
{
    Trace trace;
    trace.definition = definition;
    trace.workload.uuid = uuid;
    trace.workload.axes = {{"M", 16}};
    trace.workload.inputs = {{"x", RandomInput{}}};
    return trace;
}

Trace resultTrace(const std::string& uuid, const std::string& solution = "s", const std::string& definition = "d")
{
    Trace trace = workloadTrace(uuid, definition);
    trace.solution = solution;
    Evaluation evaluation;
    evaluation.status = Status::Timeout;
    evaluation.environment.hardware = "Test CPU";
    evaluation.timestamp = "2026-01-01T00:00:00";
    trace.evaluation = evaluation;
    return trace;
}

/// Names of everything below a folder, sorted.
std::set<std::string> filesBelow(const fs::path& root)
{
    std::set<std::string> files;
    for (const auto& entry : fs::recursive_directory_iterator(root)) files.insert(entry.path().lexically_relative(root).generic_string());
    return files;
}

/// Definition d (op_type gemm, with keys unknown to the format) and solutions s (ann) and t (bob).
DatasetBuilder& fill(DatasetBuilder& builder)
{
    builder.definition({.name = "d"}).solution({.name = "s", .definition = "d"}).solution({.name = "t", .definition = "d", .author = "bob"});
    return builder;
}

template <class T>
QString reasonOf(const Result<T>& result)
{
    return result ? QString("done") : QString::fromStdString(result.error().toString());
}

/// Whether the file system can tell who has a file open (network file systems often cannot).
bool hasLeases(const fs::path& folder)
{
    const fs::path path = folder / "lease";
    std::ofstream(path) << "x";
    const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    const bool works = ::fcntl(file.get(), F_SETLEASE, F_RDLCK) == 0;
    fs::remove(path);
    return works;
}

/// A child process that runs `work` until it is killed. It must not return.
template <class Work>
pid_t startChild(Work work)
{
    const pid_t child = ::fork();
    if (child < 0) throw std::runtime_error("no child process");
    if (child == 0) {
        work();
        ::_exit(1);
    }
    return child;
}

}  // namespace

class TestDatasetWriter : public QObject {
    Q_OBJECT
private slots:
    void tracesGoToTheFileOfTheirSolutionsAuthor()
    {
        DatasetBuilder builder;
        const auto dataset = fill(builder).load();
        const auto added = addTraces(*dataset, {resultTrace("u1"), resultTrace("u2", "t"), resultTrace("u3")});
        QVERIFY2(added, qPrintable(reasonOf(added)));
        QCOMPARE(linesOf(builder.root() / "traces/ann/gemm/d.jsonl").size(), std::size_t{2});
        QCOMPARE(linesOf(builder.root() / "traces/bob/gemm/d.jsonl").size(), std::size_t{1});
        const auto grown = dataset->withTraces(*added);
        QCOMPARE(grown->traces().size(), std::size_t{3});
        for (std::size_t row = 0; row < 3; ++row) {
            const auto read = grown->readTrace(row);
            QVERIFY2(read, qPrintable(reasonOf(read)));
            QCOMPARE(read->workload.uuid, "u" + std::to_string(row + 1));
        }
        QCOMPARE(builder.load()->traces().size(), std::size_t{3});
        QCOMPARE(dataset->traces().size(), std::size_t{0});   // a snapshot never changes
    }

    void nothingIsWrittenWhenOneTraceIsWrong_data()
    {
        QTest::addColumn<int>("kind");
        QTest::addColumn<QString>("reason");
        QTest::newRow("unknown definition") << 0 << "definition 'nowhere'";
        QTest::newRow("unknown solution") << 1 << "solution 'nobody'";
        QTest::newRow("no evaluation") << 2 << "evaluation";
        QTest::newRow("refused by the strict reader") << 3 << "other readers";
        QTest::newRow("no solution") << 4 << "solution";
    }
    void nothingIsWrittenWhenOneTraceIsWrong()
    {
        QFETCH(int, kind);
        QFETCH(QString, reason);
        Trace wrong = resultTrace("u2");
        if (kind == 0) wrong.definition = "nowhere";
        if (kind == 1) wrong.solution = "nobody";
        if (kind == 2) wrong.evaluation.reset();
        if (kind == 3) wrong.evaluation->status = Status::Passed;   // without a performance
        if (kind == 4) wrong.solution.reset();
        DatasetBuilder builder;
        const auto dataset = fill(builder).load();
        const auto before = filesBelow(builder.root());
        const auto added = addTraces(*dataset, {resultTrace("u1"), wrong});
        QVERIFY(!added);
        QVERIFY2(reasonOf(added).contains(reason), qPrintable(reasonOf(added)));
        QVERIFY2(reasonOf(added).contains("trace 2"), qPrintable(reasonOf(added)));
        QVERIFY(filesBelow(builder.root()) == before);
        QVERIFY(addTraces(*dataset, {}));
        QVERIFY(filesBelow(builder.root()) == before);
    }

    void workloadLinesAreWorkloadsOnly()
    {
        DatasetBuilder builder;
        const auto dataset = fill(builder).load();
        const auto refused = addWorkloadTraces(*dataset, {workloadTrace("u1"), resultTrace("u2")});
        QVERIFY(!refused);
        QVERIFY2(reasonOf(refused).contains("flashinfer-bench"), qPrintable(reasonOf(refused)));
        QVERIFY(!addWorkloadTraces(*dataset, {workloadTrace("u1", "nowhere")}));
        QVERIFY(!addWorkloadTraces(*dataset, {workloadTrace("")}));
        QVERIFY(!fs::exists(builder.root() / "workloads"));
        QVERIFY(addWorkloadTraces(*dataset, {workloadTrace("u1"), workloadTrace("u2")}));
        const auto lines = linesOf(builder.root() / "workloads/gemm/d.jsonl");
        QCOMPARE(lines.size(), std::size_t{2});
        for (const std::string& line : lines) QVERIFY(decodeTrace(line, ReadMode::Strict));
        QCOMPARE(builder.load()->workloadCount(), std::size_t{2});
    }

    void namesThatLeadElsewhereAreRefused()
    {
        DatasetBuilder builder;
        builder.file("definitions/x.json",
                     R"({"name":"e","op_type":"../out","axes":{},"inputs":{},"outputs":{},"reference":"def run():\n    pass\n"})");
        const auto dataset = fill(builder).solution({.name = "se", .definition = "e", .file = "solutions/se.json"}).load();
        QVERIFY(dataset->findDefinition("e") != nullptr);
        const auto before = filesBelow(builder.root());
        QVERIFY(!addTraces(*dataset, {resultTrace("u", "se", "e")}));
        QVERIFY(!addWorkloadTraces(*dataset, {workloadTrace("u", "e")}));
        QVERIFY(!addWorkloadBlobTensors(*dataset, "e", "u", {}));
        for (const char* uuid : {"", ".", "..", "a/b", "a\\b"}) {
            const auto refused = addWorkloadBlobTensors(*dataset, "d", uuid, {});
            QVERIFY(!refused);
            QVERIFY2(reasonOf(refused).contains("uuid"), qPrintable(reasonOf(refused)));
        }
        QVERIFY(filesBelow(builder.root()) == before);
    }

    void blobsAreStoredOnceAndReadBack()
    {
        DatasetBuilder builder;
        const auto dataset = fill(builder).load();
        const std::array<float, 2> values{1.5F, -2};
        const std::vector<TensorToWrite> tensors{{"x", DType::Float32, {2}, std::as_bytes(std::span(values))}};
        const auto path = addWorkloadBlobTensors(*dataset, "d", "u-1", tensors);
        QVERIFY2(path, qPrintable(reasonOf(path)));
        QCOMPARE(*path, std::string("blob/workloads/gemm/d/d_u-1.safetensors"));
        const std::string bytes = readBytes(builder.root() / *path);
        const auto again = addWorkloadBlobTensors(*dataset, "d", "u-1", {});
        QVERIFY(!again);
        QVERIFY(again.error().code == ErrorCode::Conflict);
        QCOMPARE(readBytes(builder.root() / *path), bytes);
        const auto file = openWorkloadBlob(*dataset, *path);
        QVERIFY2(file, qPrintable(reasonOf(file)));
        std::array<float, 2> read{};
        QVERIFY((*file)->read(*(*file)->find("x"), std::as_writable_bytes(std::span(read))));
        QVERIFY(read == values);
        QVERIFY(openWorkloadBlob(*dataset, "./" + *path));
        QVERIFY(!openWorkloadBlob(*dataset, "blob/none.safetensors"));
        QVERIFY(!openWorkloadBlob(*dataset, "../x.safetensors"));
        QVERIFY(!addWorkloadBlobTensors(*dataset, "nowhere", "u", tensors));
    }

    void blobFoldersThatLeadOutAreRefused()
    {
        DatasetBuilder outside;
        DatasetBuilder builder;
        const auto dataset = fill(builder).load();
        fs::create_directories(builder.root() / "blob/workloads");
        fs::create_directory_symlink(outside.root(), builder.root() / "blob/workloads/gemm");
        QVERIFY(!addWorkloadBlobTensors(*dataset, "d", "u", {}));
        QVERIFY(filesBelow(outside.root()).empty());
    }

    void backupsNeverNestAndNeverReplace()
    {
        DatasetBuilder builder;
        const auto dataset = fill(builder).load();
        const auto now = std::chrono::system_clock::from_time_t(1'790'000'000);   // 2026-09-21 14:13:20 UTC
        QVERIFY(addTraces(*dataset, {resultTrace("u1")}));
        const auto first = backupTraces(builder.root(), now);
        QVERIFY2(first, qPrintable(reasonOf(first)));
        QVERIFY(QString::fromStdString(first->filename().string()).contains(QRegularExpression("^traces_bak_[0-9]{8}_[0-9]{6}$")));
        QVERIFY(fs::is_empty(builder.root() / "traces"));
        QCOMPARE(linesOf(*first / "ann/gemm/d.jsonl").size(), std::size_t{1});
        QVERIFY(addTraces(*dataset, {resultTrace("u2"), resultTrace("u3")}));
        const auto second = backupTraces(builder.root(), now);
        QVERIFY2(second, qPrintable(reasonOf(second)));
        QCOMPARE(second->string(), first->string() + "_2");
        QCOMPARE(linesOf(*second / "ann/gemm/d.jsonl").size(), std::size_t{2});
        QVERIFY(!fs::exists(*first / "traces"));
        fs::remove(builder.root() / "traces");
        const auto third = backupTraces(builder.root(), now);
        QVERIFY2(third, qPrintable(reasonOf(third)));
        QCOMPARE(third->string(), first->string() + "_3");
        QVERIFY(fs::is_empty(*third) && fs::is_directory(builder.root() / "traces"));
        QCOMPARE(builder.load()->traces().size(), std::size_t{0});   // backups are never loaded
        QVERIFY(!backupTraces(builder.root() / "none", now));
    }

    void newDefinitionsAndSolutionsTakeFreeNamesOnly()
    {
        DatasetBuilder builder;
        const auto dataset = fill(builder).load();
        Definition definition = *dataset->findDefinition("d");
        QVERIFY(!addDefinition(*dataset, definition));
        definition.name = "d2";
        const auto path = addDefinition(*dataset, definition);
        QVERIFY2(path, qPrintable(reasonOf(path)));
        QVERIFY(decodeDefinition(readBytes(builder.root() / "definitions/gemm/d2.json"), ReadMode::Strict));
        const auto taken = addDefinition(*dataset, definition);   // on disk, though not in the snapshot
        QVERIFY(!taken);
        QVERIFY(taken.error().code == ErrorCode::Conflict);
        definition.name = "a/b";
        QVERIFY(!addDefinition(*dataset, definition));
        definition.name = "d3";
        definition.reference = "x = 1";
        QVERIFY(!addDefinition(*dataset, definition));
        Solution solution = *dataset->findSolution("s");
        solution.name = "s2";
        QVERIFY(addSolution(*dataset, solution));
        QVERIFY(fs::exists(builder.root() / "solutions/ann/gemm/d/s2.json"));
        solution.definition = "nowhere";
        QVERIFY(!addSolution(*dataset, solution));
        QCOMPARE(builder.load()->definitions().size(), std::size_t{2});
        QCOMPARE(builder.load()->solutions().size(), std::size_t{3});
    }

    void rewritingKeepsUnknownKeysAndNoticesOthers()
    {
        DatasetBuilder builder;
        fill(builder);
        const fs::path path = builder.root() / "definitions/gemm/d.json";
        Json json = Json::parse(readBytes(path));
        json["origin"] = {{"model", "m"}};
        json["inputs"]["x"]["optional"] = true;
        builder.file("definitions/gemm/d.json", json.dump());
        fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write);
        const auto dataset = builder.load();
        Definition changed = *dataset->findDefinition("d");
        changed.description = "new";
        const auto done = rewriteDefinition(*dataset, changed);
        QVERIFY2(done, qPrintable(reasonOf(done)));
        const Json written = Json::parse(readBytes(path));
        QCOMPARE(written["description"].get<std::string>(), std::string("new"));
        QCOMPARE(written["origin"]["model"].get<std::string>(), std::string("m"));
        QVERIFY(written["inputs"]["x"]["optional"].get<bool>());
        QVERIFY(fs::status(path).permissions() == (fs::perms::owner_read | fs::perms::owner_write));
        // The snapshot is older than the file now.
        const std::string bytes = readBytes(path);
        const auto stale = rewriteDefinition(*dataset, changed);
        QVERIFY(!stale);
        QVERIFY(stale.error().code == ErrorCode::Conflict);
        QCOMPARE(readBytes(path), bytes);
        const auto fresh = builder.load();
        changed = *fresh->findDefinition("d");
        changed.reference = "no function";
        QVERIFY(!rewriteDefinition(*fresh, changed));
        changed.name = "nowhere";
        QVERIFY(!rewriteDefinition(*fresh, changed));
        Solution solution = *fresh->findSolution("s");
        solution.description = "why";
        QVERIFY(rewriteSolution(*fresh, solution));
        QCOMPARE(builder.load()->findSolution("s")->description.value_or(""), std::string("why"));
        QCOMPARE(readBytes(path), bytes);
        for (const std::string& file : filesBelow(builder.root())) QVERIFY2(!file.ends_with(".tmp"), file.c_str());
    }

    void rewritingWorkloadsTouchesOnlyWhatTheEditChanges()
    {
        DatasetBuilder builder;
        fill(builder);
        const std::string odd = R"( {"workload": {"uuid": "u1", "inputs": {}, "axes": {}}, "definition": "d", "note": 1}  )";
        const std::string kept = R"({"definition":"d","workload":{"axes":{"M":1},"inputs":{},"uuid":"u2","mark":7},"solution":null,"evaluation":null,"x":[1]})";
        builder.file("workloads/gemm/d.jsonl", odd + "\r\n\n" + kept + "\nnot json\n" + writeLine(encodeTrace(workloadTrace("u3"))));
        const auto dataset = builder.load();
        const auto edit = [](const Trace& present) -> std::optional<Trace> {
            if (present.workload.uuid == "u3") return std::nullopt;
            Trace changed = present;
            if (present.workload.uuid == "u2") changed.workload.axes["M"] = 2;
            return changed;
        };
        const auto done = rewriteWorkloads(*dataset, "workloads/gemm/d.jsonl", edit);
        QVERIFY2(done, qPrintable(reasonOf(done)));
        const std::string changed = R"({"definition":"d","workload":{"axes":{"M":2},"inputs":{},"uuid":"u2","mark":7},"solution":null,"evaluation":null,"x":[1]})";
        QCOMPARE(readBytes(builder.root() / "workloads/gemm/d.jsonl"), odd + "\r\n\n" + changed + "\nnot json\n");
        const auto spoil = [](const Trace& present) { return std::optional<Trace>(resultTrace(present.workload.uuid)); };
        const auto refused = rewriteWorkloads(*dataset, "workloads/gemm/d.jsonl", spoil);
        QVERIFY(!refused);
        QCOMPARE(refused.error().line, std::int64_t{1});
        QCOMPARE(readBytes(builder.root() / "workloads/gemm/d.jsonl"), odd + "\r\n\n" + changed + "\nnot json\n");
        for (const char* path : {"traces/x.jsonl", "workloads/../definitions/gemm/d.json", "", "workloads/none.jsonl", "workloads"}) {
            QVERIFY2(!rewriteWorkloads(*dataset, path, edit), path);
        }
    }

    /// Two processes of ours append and a third rewrites, while a program that locks nothing appends as flashinfer-bench does.
    void writersOfAllKindsLoseNothing()
    {
        DatasetBuilder builder;
        if (!hasLeases(builder.root())) QSKIP("the file system of the temporary folder has no leases");
        const auto dataset = fill(builder).load();
        QVERIFY(addWorkloadTraces(*dataset, {workloadTrace("start")}));
        const fs::path path = builder.root() / "workloads/gemm/d.jsonl";
        constexpr int kLines = 60;
        std::vector<pid_t> children;
        for (int writer = 0; writer < 2; ++writer) {
            children.push_back(startChild([&, writer] {
                for (int i = 0; i < kLines; ++i) {
                    const auto done = addWorkloadTraces(*dataset, {workloadTrace(std::to_string(writer) + "-" + std::to_string(i))});
                    if (done) continue;
                    std::fprintf(stderr, "%s\n", done.error().toString().c_str());
                    ::_exit(2);
                }
                ::_exit(0);
            }));
        }
        children.push_back(startChild([&] {
            for (int i = 0; i < kLines; ++i) {
                const std::string line = writeLine(encodeTrace(workloadTrace("other-" + std::to_string(i)))) + "\n";
                const int file = ::open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT, 0666);
                ::usleep(500);   // between opening and writing, as an interpreter takes its time
                if (file < 0 || ::write(file, line.data(), line.size()) != static_cast<ssize_t>(line.size())) ::_exit(3);
                ::close(file);
            }
            ::_exit(0);
        }));
        children.push_back(startChild([&] {
            for (int i = 0; i < 25; ++i) {
                const auto done = rewriteWorkloads(*dataset, "workloads/gemm/d.jsonl", [](const Trace& present) -> std::optional<Trace> {
                    Trace changed = present;
                    ++changed.workload.axes["M"];
                    return changed;
                });
                if (!done && done.error().code != ErrorCode::Conflict) ::_exit(4);
                ::usleep(3000);   // lets the others have the lock now and then
            }
            ::_exit(0);
        }));
        for (const pid_t child : children) {
            int status = 0;
            QCOMPARE(::waitpid(child, &status, 0), child);
            QVERIFY(WIFEXITED(status));
            QCOMPARE(WEXITSTATUS(status), 0);
        }
        std::set<std::string> uuids;
        for (const std::string& line : linesOf(path)) {
            const auto read = decodeTrace(line, ReadMode::Strict);
            QVERIFY2(read, line.c_str());
            QVERIFY2(uuids.insert(read->value.workload.uuid).second, line.c_str());
        }
        QCOMPARE(uuids.size(), std::size_t{3 * kLines + 1});
        QCOMPARE(filesBelow(builder.root() / "workloads").size(), std::size_t{2});
    }

    void aFileThatSomeoneKeepsOpenForWritingIsNotReplaced()
    {
        DatasetBuilder builder;
        if (!hasLeases(builder.root())) QSKIP("the file system of the temporary folder has no leases");
        const auto dataset = fill(builder).load();
        QVERIFY(addWorkloadTraces(*dataset, {workloadTrace("u")}));
        const fs::path path = builder.root() / "workloads/gemm/d.jsonl";
        const std::string before = readBytes(path);
        const FileDescriptor held(::open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC));
        const auto refused = rewriteFile(builder.root(), "workloads/gemm/d.jsonl", FileKind::Lines,
                                         [](const std::string&) { return Result<std::string>(std::string("changed\n")); });
        QVERIFY(!refused);
        QVERIFY(refused.error().code == ErrorCode::Conflict);
        QCOMPARE(readBytes(path), before);
        QCOMPARE(::write(held.get(), "late\n", 5), ssize_t{5});
        QCOMPARE(readBytes(path), before + "late\n");
    }

    /// A process that appends and rewrites is killed at arbitrary moments: every file is whole each time.
    void killedWritersLeaveEveryFileWhole()
    {
        DatasetBuilder builder;
        fill(builder);
        QVERIFY(addWorkloadTraces(*builder.load(), {workloadTrace("start")}));
        std::size_t linesSeen = 1;
        for (int round = 0; round < 25; ++round) {
            const auto dataset = builder.load();
            int ready[2] = {-1, -1};
            QCOMPARE(::pipe(ready), 0);
            const pid_t child = startChild([&, round] {
                Definition changed = *dataset->findDefinition("d");
                for (int i = 0;; ++i) {
                    const std::string uuid = std::to_string(round) + "-" + std::to_string(i);
                    auto current = Dataset::load(builder.root());
                    if (!current || !addWorkloadTraces(**current, {workloadTrace(uuid)}) || !addTraces(**current, {resultTrace(uuid)})) ::_exit(2);
                    changed = *(*current)->findDefinition("d");
                    changed.description = std::string(static_cast<std::size_t>(3000 + 100 * i), 'x') + uuid;
                    if (!rewriteDefinition(**current, changed)) ::_exit(3);
                    const auto edit = [](const Trace& present) -> std::optional<Trace> {
                        Trace next = present;
                        ++next.workload.axes["M"];
                        return next;
                    };
                    if (!rewriteWorkloads(**current, "workloads/gemm/d.jsonl", edit)) ::_exit(4);
                    if (::write(ready[1], "x", 1) != 1) ::_exit(5);
                }
            });
            char byte = 0;
            QCOMPARE(::read(ready[0], &byte, 1), ssize_t{1});   // it is well under way
            ::usleep(static_cast<useconds_t>(137 * round % 3011));
            QCOMPARE(::kill(child, SIGKILL), 0);
            int status = 0;
            QCOMPARE(::waitpid(child, &status, 0), child);
            QVERIFY2(WIFSIGNALED(status), qPrintable(QString::number(WEXITSTATUS(status))));
            ::close(ready[0]);
            ::close(ready[1]);
            QVERIFY(decodeDefinition(readBytes(builder.root() / "definitions/gemm/d.json"), ReadMode::Strict));
            for (const char* file : {"workloads/gemm/d.jsonl", "traces/ann/gemm/d.jsonl"}) {
                const std::string bytes = readBytes(builder.root() / file);
                QVERIFY(!bytes.empty() && bytes.back() == '\n');
                for (const std::string& line : linesOf(builder.root() / file)) QVERIFY2(decodeTrace(line, ReadMode::Strict), line.c_str());
            }
            const std::size_t lines = linesOf(builder.root() / "workloads/gemm/d.jsonl").size();
            QVERIFY(lines > linesSeen);
            linesSeen = lines;
            QVERIFY(builder.load()->problems().empty());
        }
    }
};

QTEST_GUILESS_MAIN(TestDatasetWriter)
#include "test_dataset_writer.moc"
