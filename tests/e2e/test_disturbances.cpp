// SPDX-License-Identifier: GPL-3.0-or-later
// What a long run must live through: a full disk, a dataset that goes away or becomes read-only, a second program that writes to it,
// a Python that is killed. Clear words, nothing that was reported as stored is lost, and the rest can be finished.
#include <QtTest>

#include <QTemporaryDir>

#include <signal.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <set>

#include "core/io/json_codec.h"
#include "tests/support/dataset_builder.h"
#include "tests/support/program.h"

using namespace tracedeck;
namespace fs = std::filesystem;

class TestDisturbances : public QObject {
    Q_OBJECT

    static constexpr int kWorkloads = 4;

    static void fill(test::DatasetBuilder& builder, const std::vector<std::string>& solutions)
    {
        builder.definition({.name = "add_one", .opType = "elementwise"});
        for (const std::string& name : solutions) builder.solution({.name = name, .definition = "add_one"});
        for (int index = 1; index <= kWorkloads; ++index) builder.workload({.definition = "add_one", .uuid = "w" + std::to_string(index), .axes = {{"M", index}}});
    }
    static QStringList command(const fs::path& root)
    {
        return {"run", "--local", QString::fromStdString(root.string()), "--device", "cpu", "--warmup-runs", "1", "--iterations", "3", "--num-trials", "1", "--timeout", "60", "--json"};
    }
    static fs::path resultsBelow(const fs::path& root) { return root / "traces/ann/elementwise/add_one.jsonl"; }
    static std::string contentOf(const fs::path& file)
    {
        std::ifstream in(file, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    }
    /// (solution, workload) → traces in a file, every line read strictly.
    static std::map<std::pair<std::string, std::string>, int> pairsIn(const fs::path& file)
    {
        std::map<std::pair<std::string, std::string>, int> pairs;
        const std::string text = contentOf(file);
        for (const auto& line : QByteArray::fromStdString(text).split('\n')) {
            if (line.isEmpty()) continue;
            const auto trace = decodeTrace(line.toStdString(), ReadMode::Strict);
            if (!trace) throw std::runtime_error(trace.error().toString() + ": " + line.toStdString());
            ++pairs[{trace->value.solution.value_or(""), trace->value.workload.uuid}];
        }
        return pairs;
    }
    template <class Predicate>
    static std::vector<Json> readUntil(test::RunningTracedeck& run, Predicate wanted)
    {
        std::vector<Json> events;
        while (const auto line = run.readLine()) {
            events.push_back(Json::parse(*line));
            if (wanted(events.back())) return events;
        }
        throw std::runtime_error("the run ended before what the test waits for");
    }
    static bool isResult(const Json& event) { return event.at("event") == "result"; }
    static bool isDone(const Json& event) { return event.at("event") == "done"; }
    static bool isPassed(const Json& event) { return event.at("trace").at("evaluation").at("status") == "PASSED"; }

    /// Runs a script in which `$DATA` is a small file system in memory that holds a copy of the dataset, and `"$@"` runs it.
    static std::optional<CapturedRun> inSmallFileSystem(const fs::path& root, const QTemporaryDir& place, const std::string& size, const std::string& script)
    {
        const fs::path unshare = findProgram("unshare");
        if (unshare.empty()) return std::nullopt;
        const std::string data = place.path().toStdString();
        ChildSpec spec;
        spec.command = {unshare.string(), "--user", "--map-root-user", "--mount", "/bin/sh", "-c",
                        "mount -t tmpfs -o size=" + size + " tmpfs \"$DATA\" || exit 77; mkdir \"$DATA/set\"; cp -r '" + root.string() + "/.' \"$DATA/set\" || exit 77\n" + script};
        spec.command.insert(spec.command.end(), {"sh", TRACEDECK_BIN_DIR "/tracedeck"});
        for (const QString& argument : command(data + "/set")) spec.command.push_back(argument.toStdString());
        spec.environment = {{"DATA", data}};
        auto run = runCaptured(spec, {.timeoutSeconds = 300, .capBytes = std::size_t{32} << 20U});
        if (!run) throw std::runtime_error(run.error().toString());
        if (run->exit.exitCode == 77) return std::nullopt;
        return *run;
    }
    /// The lines of a script's output that are events, and the rest.
    static std::pair<std::vector<Json>, std::string> split(const std::string& output)
    {
        std::pair<std::vector<Json>, std::string> parts;
        for (const auto& line : QByteArray::fromStdString(output).split('\n')) {
            const Json event = Json::parse(line.toStdString(), nullptr, false);
            if (event.is_object()) parts.first.push_back(event);
            else parts.second += line.toStdString() + "\n";
        }
        return parts;
    }

private slots:
    void initTestCase()
    {
        QVERIFY(test::adoptOrphans());
        if (const auto why = test::whyNoPython(false); !why.empty()) QSKIP(why.c_str());
    }
    void cleanup() { QTRY_VERIFY_WITH_TIMEOUT(test::nothingIsLeftOver(), 10000); }

    void aKilledPythonIsReplaced()
    {
        test::DatasetBuilder builder;
        fill(builder, {"a_first", "b_second", "c_third"});
        test::RunningTracedeck run(command(builder.root()));
        readUntil(run, isResult);
        // The judge's child that is no host: the warm process that hosts are forked from.
        const auto children = childrenOf(run.process().pid());
        QVERIFY(!children.empty());
        pid_t guest = -1;
        for (const pid_t child : childrenOf(children.front())) {
            if (contentOf("/proc/" + std::to_string(child) + "/cmdline").find("python") != std::string::npos && (guest < 0 || child < guest)) guest = child;
        }
        QVERIFY(guest > 0);
        QCOMPARE(::kill(guest, SIGKILL), 0);
        const auto events = readUntil(run, isDone);
        QCOMPARE(run.process().wait(60)->exitCode, 0);
        for (const Json& event : events) QVERIFY2(!isResult(event) || isPassed(event), event.dump().c_str());
        const auto pairs = pairsIn(resultsBelow(builder.root()));
        QCOMPARE(pairs.size(), std::size_t{3 * kWorkloads});
        for (const auto& [pair, count] : pairs) QCOMPARE(count, 1);
    }

    void twoProgramsShareADataset()
    {
        test::DatasetBuilder builder;
        fill(builder, {"a_first", "b_second"});
        test::RunningTracedeck one(command(builder.root()));
        test::RunningTracedeck other(command(builder.root()));
        std::size_t reported = 0;
        for (test::RunningTracedeck* run : {&one, &other}) {
            const auto events = readUntil(*run, isDone);
            QCOMPARE(run->process().wait(60)->exitCode, 0);
            for (const Json& event : events) {
                if (!isResult(event)) continue;
                ++reported;
                QVERIFY(event.at("stored").get<bool>());
                std::ifstream in(event.at("file").get<std::string>(), std::ios::binary);
                in.seekg(event.at("byte_offset").get<std::streamoff>());
                std::string line;
                std::getline(in, line);
                QCOMPARE(Json::parse(line), event.at("trace"));
            }
        }
        QCOMPARE(reported, std::size_t{2 * 2 * kWorkloads});
        const auto pairs = pairsIn(resultsBelow(builder.root()));
        QCOMPARE(pairs.size(), std::size_t{2 * kWorkloads});
        for (const auto& [pair, count] : pairs) QCOMPARE(count, 2);
        QVERIFY(!fs::exists(resultsBelow(builder.root()).string() + ".torn"));
    }

    void aDatasetThatGoesAwayLosesNothing()
    {
        test::DatasetBuilder builder;
        fill(builder, {"a_first", "b_second", "c_third"});
        const QTemporaryDir elsewhere;
        const fs::path away = fs::path(elsewhere.path().toStdString()) / "away";
        test::RunningTracedeck run(command(builder.root()));
        auto events = readUntil(run, isResult);
        fs::rename(builder.root(), away);
        const auto rest = readUntil(run, isDone);
        events.insert(events.end(), rest.begin(), rest.end());
        const auto exit = run.process().wait(60);
        QVERIFY(exit);
        std::size_t unstored = 0;
        std::size_t results = 0;
        for (const Json& event : events) {
            if (!isResult(event)) continue;
            ++results;
            QVERIFY2(isPassed(event), event.dump().c_str());   // the event has the whole trace, stored or not
            if (event.at("stored").get<bool>()) continue;
            ++unstored;
            QVERIFY2(event.at("note").get<std::string>().find("could not be stored") != std::string::npos, event.dump().c_str());
        }
        QCOMPARE(results, std::size_t{3 * kWorkloads});
        QVERIFY(unstored > 0);
        QVERIFY(exit->exitCode != 0);
        QVERIFY(std::ranges::any_of(events, [](const Json& event) { return event.at("event") == "problem"; }));
        QVERIFY2(!fs::exists(builder.root()), "a dataset was made where there is none any more");
        // Back in its place, it is finished.
        fs::rename(away, builder.root());
        QCOMPARE(pairsIn(resultsBelow(builder.root())).size(), results - unstored);
        QCOMPARE(test::runTracedeck(command(builder.root()) << "--resume").exit.exitCode, 0);
        const auto pairs = pairsIn(resultsBelow(builder.root()));
        QCOMPARE(pairs.size(), results);
        for (const auto& [pair, count] : pairs) QCOMPARE(count, 1);
    }

    void aFullDiskLosesNothing()
    {
        test::DatasetBuilder builder;
        fill(builder, {"a_first", "b_second", "c_third"});
        const QTemporaryDir place;
        // Room for the dataset and a few results; then there is more room, and the rest is done.
        const auto run = inSmallFileSystem(builder.root(), place, "28k", "\"$@\"; echo \"first $?\"; stat -f -c 'free %a' \"$DATA\"; mount -o remount,size=10m \"$DATA\"; \"$@\" --resume; echo \"second $?\"; "
                                                                         "echo results; cat \"$DATA/set/traces/ann/elementwise/add_one.jsonl\"; ls \"$DATA/set/traces/ann/elementwise\"");
        if (!run) QSKIP("no file system of a given size can be made here");
        const auto [events, rest] = split(run->output);
        QVERIFY2(rest.find("first 1") != std::string::npos && rest.find("second 0") != std::string::npos, (rest + run->errorOutput).c_str());
        QVERIFY2(rest.find(".torn") == std::string::npos, rest.c_str());
        std::set<std::string> stored;
        std::size_t unstored = 0;
        std::size_t lines = 0;
        for (const Json& event : events) {
            if (!event.contains("event")) {
                ++lines;   // a line of the file
                stored.insert(event.at("solution").get<std::string>() + event.at("workload").at("uuid").get<std::string>());
            } else if (isResult(event) && !event.at("stored").get<bool>()) {
                ++unstored;
                QVERIFY2(isPassed(event) && event.at("note").get<std::string>().find("the disk is full") != std::string::npos, event.dump().c_str());
            }
        }
        QVERIFY(unstored > 0 && unstored < 3 * kWorkloads);
        QCOMPARE(stored.size(), std::size_t{3 * kWorkloads});
        QCOMPARE(lines, stored.size());
    }

    void aDatasetThatBecomesReadOnlyLosesNothing()
    {
        test::DatasetBuilder builder;
        fill(builder, {"a_first", "b_second", "c_third"});
        const QTemporaryDir place;
        // The first result that is on disk makes it read-only, as soon as no file is open for writing.
        const auto run = inSmallFileSystem(builder.root(), place, "10m",
                                           "\"$@\" > \"$DATA/../events-$$\" & pid=$!; until [ -s \"$DATA/set/traces/ann/elementwise/add_one.jsonl\" ]; do sleep 0.05; done; "
                                           "until mount -o remount,ro \"$DATA\" 2> /dev/null; do kill -0 $pid 2> /dev/null || break; sleep 0.02; done; "
                                           "wait $pid; echo \"first $?\"; cat \"$DATA/../events-$$\"; rm \"$DATA/../events-$$\"; mount -o remount,rw \"$DATA\"; \"$@\" --resume; echo \"second $?\"; "
                                           "cat \"$DATA/set/traces/ann/elementwise/add_one.jsonl\"");
        if (!run) QSKIP("no file system of its own can be made here");
        const auto [events, rest] = split(run->output);
        QVERIFY2(rest.find("second 0") != std::string::npos, (rest + run->errorOutput).c_str());
        std::map<std::string, int> stored;
        std::size_t unstored = 0;
        for (const Json& event : events) {
            if (!event.contains("event")) {
                ++stored[event.at("solution").get<std::string>() + event.at("workload").at("uuid").get<std::string>()];
            } else if (isResult(event) && !event.at("stored").get<bool>()) {
                ++unstored;
                QVERIFY2(isPassed(event) && event.at("note").get<std::string>().find("Read-only file system") != std::string::npos, event.dump().c_str());
            }
        }
        QCOMPARE(rest.find("first 1") != std::string::npos, unstored > 0);   // a quick run may be done before the system lets go of the file
        QCOMPARE(stored.size(), std::size_t{3 * kWorkloads});
        for (const auto& [pair, count] : stored) QVERIFY2(count == 1, pair.c_str());
    }
};

QTEST_GUILESS_MAIN(TestDisturbances)
#include "test_disturbances.moc"
