// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "core/io/child_process.h"
#include "core/io/file_descriptor.h"

using namespace tracedeck;

namespace {

ChildSpec shell(const std::string& script)
{
    ChildSpec spec;
    spec.command = {"/bin/sh", "-c", script};
    return spec;
}

CapturedRun captured(ChildSpec spec, CaptureOptions options = {}, std::stop_token stop = {})
{
    auto run = runCaptured(std::move(spec), options, std::move(stop));
    if (!run) qFatal("%s", run.error().toString().c_str());
    return *run;
}

/// A zombie counts: whether its new parent reaps it is not ours to say.
bool isGone(pid_t pid)
{
    QFile stat(QString("/proc/%1/stat").arg(pid));
    if (!stat.open(QIODevice::ReadOnly)) return true;
    const QByteArray text = stat.readAll();
    return text.mid(text.lastIndexOf(')') + 2, 1) == "Z";
}

}  // namespace

class TestChildProcess : public QObject {
    Q_OBJECT
private slots:
    void capturesBothStreamsAndTheExitCode()
    {
        const auto run = captured(shell("echo out; echo err >&2; exit 3"));
        QCOMPARE(run.output, std::string("out\n"));
        QCOMPARE(run.errorOutput, std::string("err\n"));
        QCOMPARE(run.exit.exitCode, 3);
        QVERIFY(!run.exit.succeeded());
        QCOMPARE(run.exit.toString(), std::string("exit code 3"));
    }

    void mergesStreamsInOrder()
    {
        const auto run = captured(shell("echo a; echo b >&2; echo c"), {.mergeErrorOutput = true});
        QCOMPARE(run.output, std::string("a\nb\nc\n"));
        QVERIFY(run.errorOutput.empty());
    }

    void namesTheSignal()
    {
        const auto run = captured(shell("kill -SEGV $$"));
        QCOMPARE(run.exit.signal, SIGSEGV);
        QVERIFY(run.exit.toString().starts_with("killed by signal 11"));
    }

    void missingProgramIsAnErrorThatNamesIt()
    {
        ChildSpec spec;
        spec.command = {"/nonexistent/program"};
        const auto child = ChildProcess::spawn(spec);
        QVERIFY(!child);
        QCOMPARE(child.error().code, ErrorCode::NotFound);
        QCOMPARE(child.error().file, std::string("/nonexistent/program"));
        spec.command = {"/etc/passwd"};
        QCOMPARE(ChildProcess::spawn(spec).error().code, ErrorCode::ProcessFailed);
    }

    void missingFolderIsAnError()
    {
        ChildSpec spec = shell("true");
        spec.workingFolder = "/nonexistent";
        QVERIFY(!ChildProcess::spawn(spec));
    }

    void floodKeepsHeadAndTail()
    {
        const auto run = captured(shell("echo first; i=0; while [ $i -lt 20000 ]; do echo "
                                        "0123456789012345678901234567890123456789; i=$((i+1)); done; echo last"),
                                  {.capBytes = 4096});
        QVERIFY(run.exit.succeeded());
        QVERIFY(run.output.starts_with("first\n"));
        QVERIFY(run.output.ends_with("last\n"));
        QVERIFY(run.output.size() < 4096 + 100);
        QVERIFY(run.output.find("bytes left out") != std::string::npos);
    }

    void timeoutKillsTheWholeTree()
    {
        // A grandchild in a session of its own holds the pipe: neither the group nor the pipe's end would find it.
        const auto run = captured(shell("setsid sh -c 'echo $$; sleep 1000' & sleep 1000"), {.timeoutSeconds = 1});
        QVERIFY(run.timedOut);
        QCOMPARE(run.exit.signal, SIGKILL);
        const pid_t grandchild = QString::fromStdString(run.output).trimmed().toInt();
        QVERIFY(grandchild > 0);
        QTRY_VERIFY(isGone(grandchild));
    }

    void endOfTheProgramDoesNotWaitForWhatItLeftBehind()
    {
        const auto run = captured(shell("sleep 1000 & echo $!"), {.timeoutSeconds = 60});
        QVERIFY(!run.timedOut);
        QVERIFY(run.exit.succeeded());
        QTRY_VERIFY(isGone(QString::fromStdString(run.output).trimmed().toInt()));
    }

    void stopEndsTheWait()
    {
        std::stop_source source;
        std::jthread stopper([&source] { source.request_stop(); });
        const auto run = captured(shell("sleep 1000"), {.timeoutSeconds = 300}, source.get_token());
        QVERIFY(run.cancelled);
        QCOMPARE(run.exit.signal, SIGKILL);
    }

    void childGetsItsDescriptorsAndNoOthers()
    {
        int ends[2];
        QCOMPARE(::pipe2(ends, O_CLOEXEC), 0);
        FileDescriptor readEnd(ends[0]);
        FileDescriptor writeEnd(ends[1]);
        const FileDescriptor leaked(::open("/dev/null", O_RDONLY));   // without close-on-exec on purpose
        QVERIFY(leaked.get() > 2);
        ChildSpec spec = shell("echo hello >&3; for fd in /proc/self/fd/*; do readlink $fd; done");
        spec.descriptors = {{writeEnd.get(), 3}};
        const auto run = captured(spec);
        writeEnd.reset();
        char text[16] = {};
        QCOMPARE(::read(readEnd.get(), text, sizeof text), ssize_t{6});
        QCOMPARE(std::string(text), std::string("hello\n"));
        // stdin is /dev/null; the leaked descriptor would be a second one.
        QCOMPARE(QString::fromStdString(run.output).count("/dev/null"), 1);
    }

    void descriptorNumbersMayCross()
    {
        int first[2];
        int second[2];
        QCOMPARE(::pipe2(first, O_CLOEXEC), 0);
        QCOMPARE(::pipe2(second, O_CLOEXEC), 0);
        FileDescriptor firstRead(first[0]), firstWrite(first[1]), secondRead(second[0]), secondWrite(second[1]);
        ChildSpec spec = shell("eval 'echo one >&'$A; eval 'echo two >&'$B");
        // Each goes where the other one lies in this process.
        const int a = secondWrite.get() < 10 ? secondWrite.get() : 4;
        const int b = firstWrite.get() < 10 ? firstWrite.get() : 5;
        spec.descriptors = {{firstWrite.get(), a}, {secondWrite.get(), b}};
        spec.environment = {{"A", std::to_string(a)}, {"B", std::to_string(b)}};
        const auto run = captured(spec);
        QVERIFY2(run.exit.succeeded(), run.errorOutput.c_str());
        char text[8] = {};
        QCOMPARE(::read(firstRead.get(), text, 4), ssize_t{4});
        QCOMPARE(std::string(text), std::string("one\n"));
        QCOMPARE(::read(secondRead.get(), text, 4), ssize_t{4});
        QCOMPARE(std::string(text), std::string("two\n"));
    }

    void environmentIsSetAndRemoved()
    {
        qputenv("TD_REMOVED", "x");
        qputenv("TD_KEPT", "kept");
        ChildSpec spec = shell("echo ${TD_REMOVED-none} $TD_KEPT $TD_ADDED");
        spec.environment = {{"TD_REMOVED", std::nullopt}, {"TD_ADDED", "a=b c"}};
        QCOMPARE(captured(spec).output, std::string("none kept a=b c\n"));
    }

    void limitsApply()
    {
        ChildSpec spec = shell("while :; do :; done");
        spec.cpuSecondsLimit = 1;
        const auto run = captured(spec, {.timeoutSeconds = 120});
        QVERIFY(!run.timedOut);
        QVERIFY(run.exit.signal == SIGXCPU || run.exit.signal == SIGKILL);
    }

    void blockedSignalsAreNotInherited()
    {
        sigset_t blocked, before;
        sigemptyset(&blocked);
        sigaddset(&blocked, SIGTERM);
        QCOMPARE(::pthread_sigmask(SIG_BLOCK, &blocked, &before), 0);
        const auto run = captured(shell("kill -TERM $$; echo survived"));
        ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
        QCOMPARE(run.exit.signal, SIGTERM);
        QVERIFY(run.output.empty());
    }

    void killTreeEndsDescendantsInOtherSessions()
    {
        int ends[2];
        QCOMPARE(::pipe2(ends, O_CLOEXEC), 0);
        FileDescriptor readEnd(ends[0]), writeEnd(ends[1]);
        ChildSpec spec = shell("setsid sh -c 'sleep 1000 & echo; wait' & wait");
        spec.standardOutput = writeEnd.get();
        auto child = ChildProcess::spawn(spec);
        QVERIFY(child);
        char byte = 0;
        QCOMPARE(::read(readEnd.get(), &byte, 1), ssize_t{1});
        const auto living = descendantsOf(child->pid());
        QVERIFY(living.size() >= 2);
        QVERIFY(!child->tryWait());
        QCOMPARE(child->killTree().signal, SIGKILL);
        for (const pid_t pid : living) QTRY_VERIFY(isGone(pid));
        QVERIFY(descendantsOf(::getpid()).empty());
    }

    void nothingGetsAwayFromAKillByForking()
    {
        // What a process starts at the very moment of the kill is killed, too: killed at another point of its storm each time.
        for (int delay = 0; delay < 12; ++delay) {
            ChildSpec spec;
            spec.command = {"/bin/sh", "-c", "for i in 1 2 3 4 5 6 7 8 9; do setsid sh -c 'sleep 1000 & sleep 1000 & wait' & done; wait"};
            auto child = ChildProcess::spawn(spec);
            QVERIFY(child);
            QTRY_VERIFY(descendantsOf(child->pid()).size() >= 3);
            std::this_thread::sleep_for(std::chrono::microseconds(200 * delay));
            child->killTree();
            QCOMPARE(descendantsOf(::getpid()), std::vector<pid_t>{});
        }
    }

    void spawningFromManyThreadsWorks()
    {
        std::atomic<int> good{0};
        {
            std::vector<std::jthread> threads;
            for (int index = 0; index < 8; ++index) {
                threads.emplace_back([&good, index] {
                    for (int turn = 0; turn < 10; ++turn) {
                        const auto run = runCaptured(shell("echo " + std::to_string(index)), {});
                        if (run && run->exit.succeeded() && run->output == std::to_string(index) + "\n") ++good;
                    }
                });
            }
        }
        QCOMPARE(good.load(), 80);
    }

    void findProgramLooksInPath()
    {
        QVERIFY(!findProgram("sh").empty());
        QVERIFY(findProgram("no-such-program-here").empty());
        QVERIFY(findProgram("/etc/passwd").empty());
        QCOMPARE(findProgram("/bin/sh").string(), std::string("/bin/sh"));
        const QByteArray before = qgetenv("PATH");
        qputenv("PATH", ".:relative");
        QVERIFY(findProgram("sh").empty());
        qputenv("PATH", before);
    }
};

QTEST_GUILESS_MAIN(TestChildProcess)
#include "test_child_process.moc"
