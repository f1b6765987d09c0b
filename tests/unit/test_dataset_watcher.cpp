// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <functional>

#include "core/store/dataset_watcher.h"
#include "tests/support/dataset_builder.h"

using namespace tracedeck;
using tracedeck::test::DatasetBuilder;
using namespace std::chrono_literals;

namespace fs = std::filesystem;

namespace {

constexpr int kWaitMs = 20'000;

DatasetWatcher::Options quick(bool mayListen)
{
    return {.quiet = 20ms, .longestDelay = 200ms, .pollInterval = 30ms, .mayListen = mayListen};
}

void append(const fs::path& file, const std::string& text)
{
    fs::create_directories(file.parent_path());
    std::ofstream(file, std::ios::app | std::ios::binary) << text;
}

}  // namespace

class TestDatasetWatcher : public QObject {
    Q_OBJECT
private slots:
    void noticesEveryKindOfChange_data()
    {
        QTest::addColumn<bool>("mayListen");
        QTest::newRow("told by the kernel") << true;
        QTest::newRow("looking at intervals") << false;
    }
    void noticesEveryKindOfChange()
    {
        QFETCH(bool, mayListen);
        DatasetBuilder builder;
        builder.definition({.name = "d"});
        append(builder.root() / "elsewhere/target.jsonl", "{}\n");
        fs::create_directories(builder.root() / "traces");
        fs::create_symlink(builder.root() / "elsewhere/target.jsonl", builder.root() / "traces/link.jsonl");
        std::atomic<int> calls{0};
        DatasetWatcher watcher(builder.root(), [&calls] { ++calls; }, quick(mayListen));
        QCOMPARE(watcher.mode() == DatasetWatcher::Mode::Polling, !mayListen);
        const auto changes = std::vector<std::pair<const char*, std::function<void()>>>{
            {"a new file in a new folder", [&] { append(builder.root() / "traces/ann/gemm/d.jsonl", "{}\n"); }},
            {"a file that grows", [&] { append(builder.root() / "traces/ann/gemm/d.jsonl", "{}\n"); }},
            {"a deeper folder, made after the watcher", [&] { append(builder.root() / "traces/ann/gemm/x/y/z.jsonl", "{}\n"); }},
            {"a file in it that grows", [&] { append(builder.root() / "traces/ann/gemm/x/y/z.jsonl", "{}\n"); }},
            {"a renamed file", [&] { fs::rename(builder.root() / "traces/ann/gemm/d.jsonl", builder.root() / "traces/ann/gemm/e.jsonl"); }},
            {"a removed file", [&] { fs::remove(builder.root() / "traces/ann/gemm/e.jsonl"); }},
            {"what a link leads to", [&] { append(builder.root() / "elsewhere/target.jsonl", "{}\n"); }},
            {"a start folder that was not there", [&] { append(builder.root() / "solutions/ann/s.json", "{}"); }},
            {"and a change below it", [&] { append(builder.root() / "solutions/ann/s.json", " "); }},
            {"a removed folder", [&] { fs::remove_all(builder.root() / "definitions"); }},
        };
        for (const auto& [what, change] : changes) {
            const int before = calls;
            change();
            QVERIFY2(QTest::qWaitFor([&] { return calls > before; }, kWaitMs), what);
            // Whatever of this change is still to come must not be taken for the next one.
            int seen = -1;
            QVERIFY(QTest::qWaitFor([&] { const int now = calls; return std::exchange(seen, now) == now; }, kWaitMs));
        }
    }

    void manyChangesGiveFewCalls()
    {
        DatasetBuilder builder;
        builder.definition({.name = "d"});
        std::atomic<int> calls{0};
        DatasetWatcher watcher(builder.root(), [&calls] { ++calls; }, {.quiet = 300ms, .longestDelay = 5000ms});
        for (int i = 0; i < 200; ++i) append(builder.root() / "definitions/gemm/x.json", "{");
        QTRY_VERIFY_WITH_TIMEOUT(calls > 0, kWaitMs);
        QVERIFY2(calls < 20, qPrintable(QString::number(calls)));
    }

    void changesElsewhereAreNotTold()
    {
        DatasetBuilder builder;
        builder.definition({.name = "d"});
        std::atomic<int> calls{0};
        DatasetWatcher watcher(builder.root(), [&calls] { ++calls; }, quick(true));
        append(builder.root() / "reports/report.txt", "x");
        append(builder.root() / "notes.txt", "x");
        // A change that is told comes after these: nothing was told before it.
        append(builder.root() / "definitions/gemm/d.json", " ");
        QTRY_VERIFY_WITH_TIMEOUT(calls > 0, kWaitMs);
        QCOMPARE(calls.load(), 1);
    }

    void aFolderThatVanishesAndComesBackIsNoticed()
    {
        DatasetBuilder builder;
        const fs::path root = builder.root() / "set";
        append(root / "definitions/d.json", "{}");
        std::atomic<int> calls{0};
        DatasetWatcher watcher(root, [&calls] { ++calls; }, quick(true));
        fs::remove_all(root);
        QTRY_VERIFY_WITH_TIMEOUT(watcher.mode() == DatasetWatcher::Mode::Polling, kWaitMs);
        QTRY_VERIFY_WITH_TIMEOUT(calls > 0, kWaitMs);
        const int before = calls;
        append(root / "definitions/d.json", "{}");
        QTRY_VERIFY_WITH_TIMEOUT(calls > before, kWaitMs);
    }

    void problemFoldersAreWatchedToo()
    {
        DatasetBuilder builder;
        append(builder.root() / "L1/p/definition.json", "{}");
        append(builder.root() / "L1/p/solution.json", "{}");
        append(builder.root() / "traces/ann/L1/p.jsonl", "{}\n");
        std::atomic<int> calls{0};
        DatasetWatcher watcher(builder.root(), [&calls] { ++calls; }, quick(true));
        const std::vector<const char*> files{"L1/p/definition.json", "L1/p/kernel.py", "L1/p/workload.jsonl", "L1/p/config.json",
                                             "L2/q/definition.json", "traces/ann/L1/p.jsonl"};
        for (const char* file : files) {
            const int before = calls;
            append(builder.root() / file, " ");
            QVERIFY2(QTest::qWaitFor([&] { return calls > before; }, kWaitMs), file);
            // Whatever of this change is still to come must not be taken for the next one.
            int seen = -1;
            QVERIFY(QTest::qWaitFor([&] { const int now = calls; return std::exchange(seen, now) == now; }, kWaitMs));
        }
    }

    void noCallComesAfterTheEnd()
    {
        DatasetBuilder builder;
        builder.definition({.name = "d"});
        for (const bool mayListen : {true, false}) {
            for (int i = 0; i < 20; ++i) {
                auto alive = std::make_shared<int>(0);
                const std::weak_ptr<int> stillThere = alive;
                {
                    DatasetWatcher watcher(builder.root(), [alive] { ++*alive; }, quick(mayListen));
                    append(builder.root() / "definitions/gemm/d.json", " ");
                    alive.reset();
                }
                QVERIFY(stillThere.expired());   // the thread is joined, and what it would call is gone
            }
        }
    }
};

QTEST_GUILESS_MAIN(TestDatasetWatcher)
#include "test_dataset_watcher.moc"
