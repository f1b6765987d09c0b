// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTemporaryDir>
#include <QTest>
#include <atomic>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "core/io/file_lock.h"
#include "core/io/json_codec.h"
#include "core/io/trace_reader.h"
#include "core/io/trace_writer.h"
#include "tests/support/test_files.h"

using namespace tracedeck;
using tracedeck::test::linesOf;
using tracedeck::test::readBytes;
using tracedeck::test::writeBytes;

namespace fs = std::filesystem;

namespace {

Trace makeTrace(const std::string& uuid, const std::string& log = {})
{
    Trace trace;
    trace.definition = "gemm";
    trace.solution = "fast";
    trace.workload.uuid = uuid;
    trace.workload.axes = {{"M", 16}};
    Evaluation evaluation;
    evaluation.status = Status::Passed;
    evaluation.environment.hardware = "Test CPU";
    evaluation.timestamp = "2026-01-01T00:00:00";
    evaluation.log = log;
    evaluation.correctness = Correctness{};
    evaluation.performance = Performance{1, 2, 2, Json::object()};
    trace.evaluation = evaluation;
    return trace;
}

QString reasonOf(const Result<TraceWriter::Appended>& result)
{
    return result ? QString("stored") : QString::fromStdString(result.error().toString());
}

}  // namespace

class TestTraceWriter : public QObject {
    Q_OBJECT
private slots:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        QVERIFY(m_folder->isValid());
    }

    void pathComponentsAreJudged_data()
    {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<bool>("safe");
        QTest::newRow("plain") << QByteArray("gpt-5.2") << true;
        QTest::newRow("three dots") << QByteArray("...") << true;
        QTest::newRow("hidden") << QByteArray(".a") << true;
        QTest::newRow("blank") << QByteArray(" ") << true;
        QTest::newRow("empty") << QByteArray("") << false;
        QTest::newRow("dot") << QByteArray(".") << false;
        QTest::newRow("two dots") << QByteArray("..") << false;
        QTest::newRow("slash") << QByteArray("a/b") << false;
        QTest::newRow("backslash") << QByteArray("a\\b") << false;
        QTest::newRow("NUL") << QByteArray("a\0b", 3) << false;
    }
    void pathComponentsAreJudged()
    {
        QFETCH(QByteArray, name);
        QFETCH(bool, safe);
        QCOMPARE(isSafePathComponent(name.toStdString()), safe);
        QCOMPARE(traceFilePath("/r", name.toStdString(), "op", "d").has_value(), safe);
        QCOMPARE(traceFilePath("/r", "a", name.toStdString(), "d").has_value(), safe);
        QCOMPARE(traceFilePath("/r", "a", "op", name.toStdString()).has_value(), safe);
        TraceWriter writer(root());
        QCOMPARE(writer.append(makeTrace("u"), name.toStdString(), "op").has_value(), safe);
        QCOMPARE(fs::exists(root() / "traces"), safe);
    }

    void linesAreAppendedWhereTheyBelong()
    {
        TraceWriter writer(root());
        const auto first = writer.append(makeTrace("u1"), "ann", "gemm_op");
        const auto second = writer.append(makeTrace("u2"), "ann", "gemm_op");
        QVERIFY2(first, qPrintable(reasonOf(first)));
        QVERIFY2(second, qPrintable(reasonOf(second)));
        QCOMPARE(first->file.string(), (root() / "traces" / "ann" / "gemm_op" / "gemm.jsonl").string());
        QCOMPARE(first->byteOffset, std::uint64_t{0});
        const std::string line = writeLine(encodeTrace(makeTrace("u1")));
        QCOMPARE(second->byteOffset, std::uint64_t{line.size() + 1});
        QCOMPARE(readBytes(first->file), line + "\n" + writeLine(encodeTrace(makeTrace("u2"))) + "\n");
        const auto read = readTraceAt(second->file, second->byteOffset);
        QVERIFY(read);
        QCOMPARE(read->workload.uuid, std::string("u2"));
        QVERIFY(writer.flush());
    }

    void lastLineIsRepairedFirst_data()
    {
        QTest::addColumn<QByteArray>("before");
        QTest::addColumn<QByteArray>("kept");   // of what was there
        QTest::addColumn<QByteArray>("torn");   // moved aside
        const QByteArray whole = QByteArray::fromStdString(writeLine(encodeTrace(makeTrace("old"))));
        QTest::newRow("empty") << QByteArray() << QByteArray() << QByteArray();
        QTest::newRow("whole") << whole + "\n" << whole + "\n" << QByteArray();
        QTest::newRow("without line end") << whole + "\n" + whole << whole + "\n" + whole + "\n" << QByteArray();
        QTest::newRow("only line without line end") << whole << whole + "\n" << QByteArray();
        QTest::newRow("torn") << whole + "\n" + whole.left(50) << whole + "\n" << whole.left(50) + "\n";
        QTest::newRow("only line torn") << whole.left(7) << QByteArray() << whole.left(7) + "\n";
        QTest::newRow("torn in a character") << whole + "\n{\"a\":\"\xC3" << whole + "\n" << QByteArray("{\"a\":\"\xC3\n");
        QTest::newRow("long torn line") << whole + "\n{\"a\":\"" + QByteArray(200000, 'x')
                                        << whole + "\n" << "{\"a\":\"" + QByteArray(200000, 'x') + "\n";
        QTest::newRow("blanks") << whole + "\n  " << whole + "\n  \n" << QByteArray();
    }
    void lastLineIsRepairedFirst()
    {
        QFETCH(QByteArray, before);
        QFETCH(QByteArray, kept);
        QFETCH(QByteArray, torn);
        const fs::path path = root() / "traces" / "ann" / "op" / "gemm.jsonl";
        writeBytes(path, before.toStdString());
        TraceWriter writer(root());
        const auto appended = writer.append(makeTrace("new"), "ann", "op");
        QVERIFY2(appended, qPrintable(reasonOf(appended)));
        QCOMPARE(QByteArray::fromStdString(readBytes(path)), kept + QByteArray::fromStdString(writeLine(encodeTrace(makeTrace("new")))) + "\n");
        QCOMPARE(appended->byteOffset, std::uint64_t(kept.size()));
        QCOMPARE(QByteArray::fromStdString(readBytes(path.string() + ".torn")), torn);
    }

    void linesThatOthersWouldRefuseAreNotStored()
    {
        TraceWriter writer(root());
        Trace trace = makeTrace("u");
        trace.evaluation->performance.reset();
        auto result = writer.append(trace, "ann", "op");
        QVERIFY(!result);
        QCOMPARE(result.error().field, std::string("evaluation.performance"));
        trace = makeTrace("");
        result = writer.append(trace, "ann", "op");
        QVERIFY(!result);
        QCOMPARE(result.error().field, std::string("workload.uuid"));
        trace = makeTrace("u");
        trace.evaluation.reset();
        QVERIFY(!writer.append(trace, "ann", "op"));
        trace = makeTrace("u");
        trace.solution.reset();
        QVERIFY(!writer.append(trace, "ann", "op"));
        QVERIFY(!fs::exists(root() / "traces"));
        // Text that is not UTF-8 and line separators in a log do no harm.
        QVERIFY(writer.append(makeTrace("u", "a\xFF\n\xE2\x80\xA8"), "ann", "op"));
        QCOMPARE(linesOf(root() / "traces" / "ann" / "op" / "gemm.jsonl").size(), std::size_t{1});
    }

    void linksBelowTracesAreRefused()
    {
        fs::create_directories(root() / "outside");
        writeBytes(root() / "outside" / "file.jsonl", "");
        fs::create_directories(root() / "data" / "traces" / "bob" / "op");
        fs::create_directory_symlink(root() / "outside", root() / "data" / "traces" / "ann");
        fs::create_symlink(root() / "outside" / "file.jsonl", root() / "data" / "traces" / "bob" / "op" / "gemm.jsonl");
        TraceWriter writer(root() / "data");
        const auto throughFolder = writer.append(makeTrace("u"), "ann", "op");
        QVERIFY(!throughFolder);
        QVERIFY2(reasonOf(throughFolder).contains("link"), qPrintable(reasonOf(throughFolder)));
        QVERIFY(!writer.append(makeTrace("u"), "bob", "op"));
        QVERIFY(readBytes(root() / "outside" / "file.jsonl").empty());
        QVERIFY(!fs::exists(root() / "outside" / "op"));
        // The traces folder itself may be a link.
        fs::create_directory_symlink(root() / "outside", root() / "traces");
        QVERIFY(TraceWriter(root()).append(makeTrace("u"), "ann", "op"));
    }

    void badTargetsAreErrors()
    {
        fs::create_directories(root() / "traces" / "ann" / "op" / "gemm.jsonl");
        TraceWriter writer(root());
        const auto folder = writer.append(makeTrace("u"), "ann", "op");
        QVERIFY(!folder);
        QVERIFY(folder.error().code == ErrorCode::Io);
        writeBytes(root() / "traces" / "bob", "a file");
        QVERIFY(!writer.append(makeTrace("u"), "bob", "op"));
        QVERIFY(!writer.append(makeTrace("u"), std::string(300, 'a'), "op"));
        QCOMPARE(::mkfifo((root() / "traces" / "ann" / "op" / "pipe.jsonl").c_str(), 0600), 0);
        Trace trace = makeTrace("u");
        trace.definition = "pipe";
        QVERIFY(!writer.append(trace, "ann", "op"));
    }

    void fullDiskLeavesNoHalfLine()
    {
        const fs::path path = root() / "traces" / "ann" / "op" / "gemm.jsonl";
        TraceWriter writer(root());
        QVERIFY(writer.append(makeTrace("u1"), "ann", "op"));
        const std::string before = readBytes(path);
        // A limit on the size of files acts like a full disk: the write is cut short.
        rlimit old{};
        QCOMPARE(::getrlimit(RLIMIT_FSIZE, &old), 0);
        const rlimit limit{before.size() + 20, old.rlim_max};
        const auto oldAction = ::signal(SIGXFSZ, SIG_IGN);
        QCOMPARE(::setrlimit(RLIMIT_FSIZE, &limit), 0);
        const auto failed = writer.append(makeTrace("u2"), "ann", "op");
        QCOMPARE(::setrlimit(RLIMIT_FSIZE, &old), 0);
        ::signal(SIGXFSZ, oldAction);
        QVERIFY(!failed);
        QVERIFY(failed.error().code == ErrorCode::Io);
        QCOMPARE(readBytes(path), before);
        const auto stored = writer.append(makeTrace("u2"), "ann", "op");
        QVERIFY2(stored, qPrintable(reasonOf(stored)));
        QCOMPARE(stored->byteOffset, std::uint64_t{before.size()});
    }

    void threadsAndWritersShareAFile()
    {
        constexpr int kThreads = 4;
        constexpr int kLines = 50;
        TraceWriter shared(root());
        {
            std::vector<std::jthread> threads;
            for (int t = 0; t < kThreads; ++t) {
                threads.emplace_back([&, t] {
                    TraceWriter own(root());
                    for (int i = 0; i < kLines; ++i) {
                        TraceWriter& writer = i % 2 == 0 ? own : shared;
                        const std::string uuid = std::to_string(t) + "-" + std::to_string(i);
                        const auto appended = writer.append(makeTrace(uuid, std::string(static_cast<std::size_t>(100 * i), 'x')), "ann", "op");
                        const auto read = appended ? readTraceAt(appended->file, appended->byteOffset) : Result<Trace>(appended.error());
                        if (!read || read->workload.uuid != uuid) ++m_failures;
                    }
                });
            }
        }
        QCOMPARE(m_failures.load(), 0);
        std::set<std::string> uuids;
        for (const std::string& line : linesOf(root() / "traces" / "ann" / "op" / "gemm.jsonl")) {
            const auto decoded = decodeTrace(line, ReadMode::Strict);
            QVERIFY(decoded);
            uuids.insert(decoded->value.workload.uuid);
        }
        QCOMPARE(uuids.size(), std::size_t{kThreads * kLines});
    }

    void killedWriterLeavesWholeLines()
    {
        int ready[2] = {-1, -1};
        QCOMPARE(::pipe(ready), 0);
        const pid_t child = ::fork();
        QVERIFY(child >= 0);
        if (child == 0) {
            TraceWriter writer(root());
            for (int i = 0;; ++i) {
                if (!writer.append(makeTrace(std::to_string(i), std::string(5000, 'x')), "ann", "op")) ::_exit(1);
                if (::write(ready[1], "x", 1) != 1) ::_exit(1);
            }
        }
        std::size_t reported = 0;
        char byte = 0;
        while (reported < 40 && ::read(ready[0], &byte, 1) == 1) ++reported;
        QCOMPARE(::kill(child, SIGKILL), 0);
        QCOMPARE(::waitpid(child, nullptr, 0), child);
        ::close(ready[1]);
        while (::read(ready[0], &byte, 1) == 1) ++reported;
        ::close(ready[0]);
        // What was reported is there; at most the line in flight beyond it.
        TraceWriter writer(root());
        QVERIFY(writer.append(makeTrace("after"), "ann", "op"));
        const auto lines = linesOf(root() / "traces" / "ann" / "op" / "gemm.jsonl");
        QVERIFY(lines.size() >= reported + 1);
        QVERIFY(lines.size() <= reported + 2);
        for (const std::string& line : lines) QVERIFY(decodeTrace(line, ReadMode::Strict));
    }

    void locksKeepOthersOut()
    {
        writeBytes(root() / "f", "");
        const int first = ::open((root() / "f").c_str(), O_RDWR | O_CLOEXEC);
        const int second = ::open((root() / "f").c_str(), O_RDWR | O_CLOEXEC);
        QVERIFY(first >= 0 && second >= 0);
        {
            const auto held = FileLock::acquire(first, root() / "f");
            QVERIFY(held);
            const auto refused = FileLock::acquire(second, root() / "f", std::chrono::milliseconds(20));
            QVERIFY(!refused);
            QVERIFY(refused.error().code == ErrorCode::TimedOut);
        }
        QVERIFY(FileLock::acquire(second, root() / "f", std::chrono::milliseconds(0)));
        ::close(first);
        ::close(second);
    }

    void wholeFilesAreReplaced()
    {
        const fs::path path = root() / "out.csv";
        QVERIFY(writeFileAtomically(path, "one"));
        QCOMPARE(readBytes(path), std::string("one"));
        fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write);
        QVERIFY(writeFileAtomically(path, "two"));
        QCOMPARE(readBytes(path), std::string("two"));
        QVERIFY(fs::status(path).permissions() == (fs::perms::owner_read | fs::perms::owner_write));
        fs::create_symlink(path, root() / "alias.csv");
        QVERIFY(writeFileAtomically(root() / "alias.csv", "three"));
        QCOMPARE(readBytes(path), std::string("three"));
        QVERIFY(fs::is_symlink(root() / "alias.csv"));
        QVERIFY(writeFileAtomically("/dev/null", "gone"));
        QVERIFY(fs::is_character_file("/dev/null"));
        const auto missing = writeFileAtomically(root() / "none" / "out.csv", "x");
        QVERIFY(!missing);
        QVERIFY(missing.error().code == ErrorCode::NotFound);
        QVERIFY(!writeFileAtomically(root(), "x"));
        // No temporary file is left.
        QCOMPARE(std::distance(fs::directory_iterator(root()), fs::directory_iterator()), std::ptrdiff_t{2});
    }

private:
    [[nodiscard]] fs::path root() const { return m_folder->path().toStdString(); }
    std::unique_ptr<QTemporaryDir> m_folder;
    std::atomic<int> m_failures{0};
};

QTEST_GUILESS_MAIN(TestTraceWriter)
#include "test_trace_writer.moc"
