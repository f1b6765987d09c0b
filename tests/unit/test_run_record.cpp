// SPDX-License-Identifier: GPL-3.0-or-later
// What is kept of runs, and what comes before one: choice by traces, preview, presets, the command that does the same.
#include <QProcess>
#include <QtTest>

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <limits>

#include "core/io/child_process.h"
#include "core/run/processor_info.h"
#include "core/run/run_preview.h"
#include "core/run/run_record.h"
#include "core/run/run_settings.h"
#include "core/run/runner.h"
#include "tests/support/dataset_builder.h"
#include "tests/support/run_recorder.h"

using namespace tracedeck;
using test::Recorder;
namespace fs = std::filesystem;

namespace {

RunRequest unusualRequest()
{
    RunRequest request;
    request.devices = {"cuda:1", "cpu"};
    request.overrides.iterations = 7;
    request.overrides.rtol = 0.001;
    request.overrides.strictNumerics = true;
    request.overrides.extra["word"] = "1e3";
    request.timeoutSeconds = 12.5;
    request.buildTimeoutSeconds = 99;
    request.profileBaseline = false;
    request.saveResults = false;
    request.isolation = Isolation::Solution;
    request.confinement = "partial";
    request.hostMemoryBytes = std::uint64_t{3} << 30U;
    request.skipAfterFailures = 4;
    request.waitIdle = IdleRule{.mostCelsius = 51.5, .mostBusyPercent = 20};
    request.seed = std::numeric_limits<std::uint64_t>::max();
    request.python = "/usr/bin/python3";
    EvalOverrides ofOpType;
    ofOpType.warmupRuns = 3;
    request.configFile.setLayer({ConfigScope::Kind::OpType, "ge: mm"}, ofOpType);
    EvalOverrides ofDefinition;
    ofDefinition.precision = 0.5;
    request.configFile.setLayer({ConfigScope::Kind::Definition, "d"}, ofDefinition);
    return request;
}

QStringList namesOf(const std::vector<RunPair>& pairs)
{
    QStringList names;
    for (const RunPair& pair : pairs) names << QString::fromStdString(pair.solution + "/" + pair.workloadUuid);
    return names;
}

}  // namespace

class TestRunRecord : public QObject {
    Q_OBJECT

    std::unique_ptr<test::DatasetBuilder> m_builder;
    std::unique_ptr<QTemporaryDir> m_scratch;
    fs::path m_python;

    /// Two solutions, two workloads; s1 failed last on w1, s2 never ran on w2.
    void makeTraces()
    {
        m_builder = std::make_unique<test::DatasetBuilder>();
        m_builder->definition({.name = "d", .opType = "gemm"});
        for (const char* name : {"s1", "s2"}) m_builder->solution({.name = name, .definition = "d"});
        for (const char* uuid : {"w1", "w2"}) m_builder->workload({.definition = "d", .uuid = uuid, .axes = {{"M", 1024}}});
        m_builder->trace({.definition = "d", .solution = "s1", .uuid = "w1", .status = Status::RuntimeError, .timestamp = "2026-03-01T00:00:09"});
        m_builder->trace({.definition = "d", .solution = "s1", .uuid = "w1", .hardware = "Other GPU", .timestamp = "2026-02-01T00:00:00"});
        m_builder->trace({.definition = "d", .solution = "s1", .uuid = "w2", .timestamp = "2026-03-01T00:00:00", .judge = R"({"source": "another"})"});
        m_builder->trace({.definition = "d", .solution = "s2", .uuid = "w1", .hardware = "Other GPU", .timestamp = "2026-03-01T00:00:00"});
    }
    RunRequest fakeRun(const QStringList& solutions, const QStringList& workloads)
    {
        m_builder = std::make_unique<test::DatasetBuilder>();
        m_builder->definition({.name = "d", .opType = "gemm"});
        for (const auto& name : solutions) m_builder->solution({.name = name.toStdString(), .definition = "d"});
        for (const auto& uuid : workloads) m_builder->workload({.definition = "d", .uuid = uuid.toStdString()});
        RunRequest request;
        request.dataset = m_builder->load();
        request.python = m_python;
        request.workerProgram = fs::path(TRACEDECK_SOURCE_DIR) / "tests" / "support" / "fake_judge.py";
        request.timeoutSeconds = 30;
        request.recordFolder = folder();
        return request;
    }
    [[nodiscard]] fs::path folder() const { return m_scratch->filePath("runs").toStdString(); }
    [[nodiscard]] std::string traceText() const
    {
        std::ifstream in(m_builder->root() / "traces" / "ann" / "gemm" / "d.jsonl", std::ios::binary);
        return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    }

private slots:
    void initTestCase()
    {
        qputenv("CUDA_VISIBLE_DEVICES", "");
        QCOMPARE(::prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
        m_python = findProgram("python3");
        if (m_python.empty()) QSKIP("no python3 to play the judge");
    }
    void init()
    {
        m_scratch = std::make_unique<QTemporaryDir>();
        qputenv("FAKE_JUDGE_FOLDER", m_scratch->path().toUtf8());
        qputenv("TRACEDECK_CACHE_PATH", m_scratch->filePath("cache").toUtf8());
        qunsetenv("FAKE_JUDGE_START");
    }
    void cleanup()
    {
        const auto nothingLives = [] {
            while (::waitpid(-1, nullptr, WNOHANG) > 0) {}
            return descendantsOf(::getpid()).empty();
        };
        QTRY_VERIFY(nothingLives());
    }

    void tracesSayWhichPairsAreWanted_data()
    {
        QTest::addColumn<QStringList>("only");
        QTest::addColumn<QString>("hardware");
        QTest::addColumn<QStringList>("pairs");
        QTest::newRow("failed: the newest counts, whatever it ran on") << QStringList{"failed"} << "" << QStringList{"s1/w1"};
        QTest::newRow("never run on this hardware") << QStringList{"never-run"} << "Test CPU" << QStringList{"s2/w1", "s2/w2"};
        QTest::newRow("never run on any") << QStringList{"never-run"} << "" << QStringList{"s2/w2"};
        QTest::newRow("outdated: another source was judged") << QStringList{"outdated"} << "" << QStringList{"s1/w2"};
        QTest::newRow("any of two") << QStringList{"failed", "outdated"} << "" << QStringList{"s1/w1", "s1/w2"};
    }
    void tracesSayWhichPairsAreWanted()
    {
        QFETCH(QStringList, only);
        QFETCH(QString, hardware);
        QFETCH(QStringList, pairs);
        makeTraces();
        RunRequest request;
        request.dataset = m_builder->load();
        for (const QString& word : only) request.only.insert(*runOnlyFromString(word.toStdString()));
        if (!hardware.isEmpty()) request.hardware = {hardware.toStdString()};
        const auto plan = makePlan(request);
        QVERIFY2(plan, plan ? "" : plan.error().toString().c_str());
        QCOMPARE(namesOf(plan->pairs), pairs);
        QCOMPARE(plan->notWanted, std::size_t{4} - static_cast<std::size_t>(pairs.size()));
    }

    void failedAndResumeContradictEachOther()
    {
        makeTraces();
        RunRequest request;
        request.dataset = m_builder->load();
        request.resume = true;
        request.only = {RunOnly::Failed};
        const auto plan = makePlan(request);
        QVERIFY(!plan);
        QCOMPARE(plan.error().code, ErrorCode::Usage);
    }

    void previewTellsTimesMemoryAndWhatResumeSkips()
    {
        m_builder = std::make_unique<test::DatasetBuilder>();
        m_builder->definition({.name = "d", .opType = "gemm"});
        for (const char* name : {"s1", "s2"}) m_builder->solution({.name = name, .definition = "d"});
        for (const char* uuid : {"w1", "w2"}) m_builder->workload({.definition = "d", .uuid = uuid, .axes = {{"M", 1024}}});
        const std::string hardware = processorName();
        for (const char* second : {"00", "04", "08", "12"})
            m_builder->trace({.definition = "d", .solution = "s1", .uuid = "w1", .hardware = hardware, .timestamp = std::string("2026-03-01T00:00:") + second});
        RunRequest request;
        request.dataset = m_builder->load();
        request.resume = true;
        const auto preview = previewRun(request);
        QVERIFY2(preview, preview ? "" : preview.error().toString().c_str());
        QCOMPARE(preview->pairs.size(), std::size_t{4});
        QCOMPARE(preview->plan.skippedByResume, std::size_t{1});
        QVERIFY(preview->pairs.back().isSkipped);
        QCOMPARE(preview->pairs.front().seconds, 4.0);
        // x and y of 1024 × 4 floats: the inputs once, the outputs for three trials, the solution's and the reference's.
        QCOMPARE(preview->pairs.front().bytes, std::uint64_t{1024 * 4 * 4 * 6});
        QCOMPARE(preview->seconds, 12.0);   // s1 by its own, s2 by the definition's
        QCOMPARE(preview->estimated, std::size_t{3});
        QCOMPARE(preview->devices.front().tooLarge, std::size_t{0});
        QVERIFY(preview->devices.front().totalBytes.value_or(0) > 0);
    }

    void settingsSurviveTheirCodec()
    {
        const RunRequest request = unusualRequest();
        const Json json = encodeRunSettings(request);
        RunRequest back;
        const auto applied = applyRunSettings(Json::parse(json.dump()), back);
        QVERIFY2(applied, applied ? "" : applied.error().toString().c_str());
        QCOMPARE(QString::fromStdString(encodeRunSettings(back).dump(1)), QString::fromStdString(json.dump(1)));
        QCOMPARE(back.configFile.resolve("ge: mm", "d", back.overrides).warmupRuns, 3);
        QCOMPARE(back.configFile.resolve("ge: mm", "d", back.overrides).precision, 0.5);
        QVERIFY(back.overrides == request.overrides);
        // What a form doesn't mention stays.
        RunRequest some = unusualRequest();
        QVERIFY(applyRunSettings(Json{{"timeout", 1}}, some));
        QCOMPARE(some.timeoutSeconds, 1.0);
        QCOMPARE(some.seed, request.seed);
    }

    void wrongSettingsNameTheField_data()
    {
        QTest::addColumn<QString>("json");
        QTest::addColumn<QString>("field");
        QTest::newRow("devices") << R"({"devices": [1]})" << "devices";
        QTest::newRow("timeout") << R"({"timeout": 0})" << "timeout";
        QTest::newRow("isolation") << R"({"isolation": "some"})" << "isolation";
        QTest::newRow("confinement") << R"({"confinement": "walls"})" << "confinement";
        QTest::newRow("seed") << R"({"seed": "12x"})" << "seed";
        QTest::newRow("skip after") << R"({"skip_after": -1})" << "skip_after";
        QTest::newRow("override") << R"({"overrides": {"iterations": 0}})" << "iterations";
        QTest::newRow("idle") << R"({"wait_idle": {"celsius": "hot"}})" << "wait_idle.celsius";
    }
    void wrongSettingsNameTheField()
    {
        QFETCH(QString, json);
        QFETCH(QString, field);
        RunRequest request = unusualRequest();
        const auto applied = applyRunSettings(Json::parse(json.toStdString()), request);
        QVERIFY(!applied);
        QCOMPARE(QString::fromStdString(applied.error().field), field);
        QCOMPARE(encodeRunSettings(request).dump(), encodeRunSettings(unusualRequest()).dump());
    }

    void configIsWrittenAsTheYamlThatIsRead()
    {
        EvalConfigFile file = unusualRequest().configFile;
        EvalOverrides top;
        top.requiredMatchedRatio = 0.95;
        top.extra = Json{{"number_like", "12"}, {"list", {1, 2.5, true}}, {"quote", "it's \"so\": #1"}};
        file.setLayer({}, top);
        SystemConfig system;
        system.definitions = std::set<std::string>{"yes", "a: b"};
        system.timeoutSeconds = 3;
        file.setSystem(system);
        const auto again = EvalConfigFile::parse(file.toYaml(), "again.yaml");
        QVERIFY2(again, again ? "" : again.error().toString().c_str());
        QCOMPARE(QString::fromStdString(again->toYaml()), QString::fromStdString(file.toYaml()));
        QVERIFY(again->layer({}) == top);
        QCOMPARE(again->layer({ConfigScope::Kind::OpType, "ge: mm"}).warmupRuns, std::optional(3));
        QVERIFY(again->system().definitions == system.definitions);
        QVERIFY(again->warnings().empty());
    }

    void presetsAreSavedByName()
    {
        const fs::path presets = m_scratch->filePath("presets").toStdString();
        QVERIFY(savePreset(presets, "quick look", unusualRequest()));
        QVERIFY(savePreset(presets, "a", RunRequest{}));
        QCOMPARE(presetNames(presets), (std::vector<std::string>{"a", "quick look"}));
        RunRequest request;
        QVERIFY(applyPreset(presets, "quick look", request));
        QCOMPARE(request.skipAfterFailures, std::size_t{4});
        const auto missing = applyPreset(presets, "b", request);
        QCOMPARE(missing.error().code, ErrorCode::NotFound);
        QVERIFY(missing.error().reason.find("a, quick look") != std::string::npos);
        for (const char* name : {"", "..", "a/b", ".hidden", "new\nline"}) QVERIFY2(!savePreset(presets, name, request), name);
        std::ofstream(presets / "a.json") << "{\"timeout\": \"long\"}";
        const auto broken = applyPreset(presets, "a", request);
        QVERIFY(broken.error().toString().find("a.json: timeout") != std::string::npos);
        QVERIFY(removePreset(presets, "a"));
        QVERIFY(!removePreset(presets, "a"));
    }

    void commandsSelectTheSamePairs_data()
    {
        QTest::addColumn<QStringList>("pairs");
        QTest::addColumn<QString>("selection");
        QTest::newRow("everything") << QStringList{"s1:w1", "s1:w2", "s2:w1", "s2:w2"} << "";
        QTest::newRow("one solution") << QStringList{"s1:w1", "s1:w2"} << " --solutions s1";
        QTest::newRow("one workload") << QStringList{"s1:w1", "s2:w1"} << " --definitions d --workloads w1";
        QTest::newRow("one pair") << QStringList{"s2:w1"} << " --solutions s2 --workloads w1";
        QTest::newRow("no product") << QStringList{"s1:w1", "s2:w2"} << " --pair s1:w1 --pair s2:w2";
    }
    void commandsSelectTheSamePairs()
    {
        QFETCH(QStringList, pairs);
        QFETCH(QString, selection);
        makeTraces();
        RunRequest request;
        request.dataset = m_builder->load();
        for (const QString& pair : pairs) request.pairs.emplace(pair.section(':', 0, 0).toStdString(), pair.section(':', 1).toStdString());
        const auto command = runCommand(request);
        QVERIFY(command);
        QCOMPARE(QString::fromStdString(shellQuoted(*command)), QStringLiteral("run --local %1%2 --device cpu").arg(QString::fromStdString(m_builder->root().string()), selection));
    }

    void commandsSayEverySettingAndQuoteForTheShell()
    {
        RunRequest request = unusualRequest();
        QVERIFY(!runCommand(request));   // its config is in no file
        const std::string yaml = m_scratch->filePath("it's a config.yaml").toStdString();
        std::ofstream(yaml) << request.configFile.toYaml();
        auto loaded = EvalConfigFile::load(yaml);
        QVERIFY(loaded);
        request.configFile = *loaded;
        request.only = {RunOnly::Failed};
        const auto command = runCommand(request);
        QVERIFY2(command, command ? "" : command.error().toString().c_str());
        // A shell gives the words back.
        QProcess shell;
        shell.start(QStringLiteral("/bin/sh"), {QStringLiteral("-c"), QStringLiteral("for word in %1; do printf '%s\\n' \"$word\"; done").arg(QString::fromStdString(shellQuoted(*command)))});
        QVERIFY(shell.waitForFinished());
        QStringList words = QString::fromUtf8(shell.readAllStandardOutput()).split('\n', Qt::SkipEmptyParts);
        QStringList expected;
        for (const auto& word : *command) expected << QString::fromStdString(word);
        QCOMPARE(words, expected);
        const QString line = words.join(' ');
        for (const char* part : {"--only failed", "--device cuda:1 --device cpu", "it's a config.yaml", "--iterations 7", "--rtol 0.001", "--strict-numerics",
                                 "--extra word=\"1e3\"", "--timeout 12.5", "--build-timeout 99", "--isolation solution", "--confinement partial", "--host-memory 3",
                                 "--skip-after 4", "--wait-idle 51.5", "--seed 18446744073709551615", "--no-profile-baseline", "--no-save-results",
                                 "--python /usr/bin/python3"})
            QVERIFY2(line.contains(QString::fromUtf8(part)), part);
    }

    void aFinishedRunIsRecorded()
    {
        Recorder recorder;
        auto request = fakeRun({"pass_a", "z_fail"}, {"w1", "reference-fails"});
        request.program = "a test";
        auto runner = Runner::start(request, [&](const RunEvent& event) {
            if (std::holds_alternative<StartEvent>(event)) {
                // While it runs, its seed is not told.
                const RunList list = listRuns(folder());
                if (list.runs.size() != 1 || list.runs.front().state != RunState::Running || !list.runs.front().record.seed.empty()) qFatal("not recorded as running");
            }
            recorder(event);
        });
        QVERIFY(runner);
        (*runner)->wait();
        const RunList list = listRuns(folder());
        QVERIFY(list.problems.empty());
        QCOMPARE(list.runs.size(), std::size_t{1});
        const ListedRun& run = list.runs.front();
        QVERIFY(run.state == RunState::Done);
        QCOMPARE(run.record.program, std::string("a test"));
        QCOMPARE(run.record.root, m_builder->root().string());
        QCOMPARE(run.record.hardware.at("cpu"), std::string("Fake CPU"));
        QVERIFY(!run.record.seed.empty());
        QVERIFY(!run.record.libs.empty());
        QCOMPARE(run.counts.passed, std::size_t{1});
        QCOMPARE(run.counts.failed, std::size_t{1});
        QCOMPARE(run.counts.notRun, std::size_t{2});
        const auto journal = readJournal(folder(), run.record.id);
        QVERIFY(journal);
        QCOMPARE(journal->at(0).status, std::string("PASSED"));
        QCOMPARE(journal->at(0).file, std::string("traces/ann/gemm/d.jsonl"));
        QCOMPARE(journal->at(2).state, JournalPair::State::Problem);
        // Its codec keeps everything.
        const auto again = decodeRunRecord(encodeRunRecord(run.record));
        QVERIFY(again);
        QCOMPARE(encodeRunRecord(*again).dump(), encodeRunRecord(run.record).dump());
        // Nothing of it is in the dataset.
        QVERIFY(!fs::exists(m_builder->root() / "runs"));
        const auto rest = requestOfRun(folder(), run.record.id, m_builder->load(), RunPart::Rest);
        QVERIFY(!rest);
        const auto all = requestOfRun(folder(), run.record.id, m_builder->load(), RunPart::Everything);
        QVERIFY(all);
        QCOMPARE(all->pairs.size(), std::size_t{4});
        QCOMPARE(all->timeoutSeconds, 30.0);
    }

    /// The program is killed without a word; what it did not get to is done by another one, once.
    void aRunThatWasKilledIsGoneOnWith()
    {
        auto request = fakeRun({"pass_a", "silent_b"}, {"w1", "w2", "w3"});
        const pid_t child = ::fork();
        QVERIFY(child >= 0);
        if (child == 0) {
            auto runner = Runner::start(request, {});
            if (!runner) ::_exit(1);
            (*runner)->wait();
            ::_exit(0);
        }
        QTRY_VERIFY_WITH_TIMEOUT(!traceText().empty(), 20'000);
        const auto running = listRuns(folder());
        QVERIFY(running.runs.front().state == RunState::Running);
        const std::string id = running.runs.front().record.id;
        QVERIFY(!requestOfRun(folder(), id, m_builder->load(), RunPart::Rest));   // it goes on
        QCOMPARE(removeRunTraces(folder(), id).error().code, ErrorCode::Conflict);
        for (const pid_t judge : descendantsOf(child)) ::kill(judge, SIGKILL);
        ::kill(child, SIGKILL);
        ::waitpid(child, nullptr, 0);
        QTRY_VERIFY(listRuns(folder()).runs.front().state == RunState::Broken);
        const ListedRun broken = listRuns(folder()).runs.front();
        QVERIFY(broken.left() > 0);
        auto rest = requestOfRun(folder(), id, m_builder->load(), RunPart::Rest);
        QVERIFY2(rest, rest ? "" : rest.error().toString().c_str());
        QVERIFY(!rest->pairs.contains({"pass_a", "w1"}));
        QVERIFY(rest->pairs.contains({"pass_a", "w3"}));
        std::erase_if(rest->pairs, [](const auto& pair) { return pair.first == "silent_b"; });
        rest->workerProgram = request.workerProgram;
        Recorder recorder;
        auto runner = Runner::start(*rest, [&recorder](const RunEvent& event) { recorder(event); });
        QVERIFY2(runner, runner ? "" : runner.error().toString().c_str());
        (*runner)->wait();
        const auto before = findRun(folder(), id);
        QVERIFY(before && !before->record.continuedBy.empty());
        QCOMPARE(findRun(folder(), before->record.continuedBy)->record.continues, id);
    }

    /// What a run that went on with another one brought to an end is not done a third time, also where no trace says so.
    void aRunThatWasContinuedIsNotContinuedTwice()
    {
        auto request = fakeRun({"pass_a", "silent_b", "z_fail"}, {"w1", "reference-fails"});
        request.saveResults = false;
        const auto run = [this](const RunRequest& what, const char* until) {
            Recorder recorder;
            auto runner = Runner::start(what, [&recorder](const RunEvent& event) { recorder(event); });
            if (!runner) qFatal("%s", runner.error().toString().c_str());
            if (until != nullptr) {
                const auto& plan = (*runner)->plan();
                recorder.waitFor([&](const RunEvent& event) {
                    const auto* begun = std::get_if<StartEvent>(&event);
                    return begun != nullptr && plan.pairs.at(begun->pair).solution == until;
                });
                (*runner)->cancel();
            }
            (*runner)->wait();
            return (*runner)->recordId();
        };
        // The first one does pass_a and is cancelled in silent_b; z_fail and a workload whose reference fails are left.
        const std::string first = run(request, "silent_b");
        auto rest = requestOfRun(folder(), first, m_builder->load(), RunPart::Rest);
        QVERIFY2(rest, rest ? "" : rest.error().toString().c_str());
        QCOMPARE(rest->continues, first);
        std::erase_if(rest->pairs, [](const auto& pair) { return pair.first == "silent_b"; });
        rest->workerProgram = request.workerProgram;
        const std::string second = run(*rest, nullptr);
        // Of the first one only silent_b is left, and who goes on with that goes on with the second one.
        rest = requestOfRun(folder(), first, m_builder->load(), RunPart::Rest);
        QVERIFY2(rest, rest ? "" : rest.error().toString().c_str());
        QCOMPARE(rest->continues, second);
        for (const auto& [solution, uuid] : rest->pairs) QCOMPARE(solution, std::string("silent_b"));
        QVERIFY(!rest->pairs.empty());
        // While it goes on, nobody else may.
        rest->workerProgram = request.workerProgram;
        Recorder recorder;
        auto runner = Runner::start(*rest, [&recorder](const RunEvent& event) { recorder(event); });
        QVERIFY(runner);
        for (const std::string& id : {first, second}) {
            const auto again = requestOfRun(folder(), id, m_builder->load(), RunPart::Rest);
            QVERIFY(!again);
            QCOMPARE(again.error().code, ErrorCode::Conflict);
            QVERIFY2(again.error().reason.find((*runner)->recordId()) != std::string::npos, again.error().reason.c_str());
        }
        (*runner)->cancelPairs({0, 1});
        (*runner)->wait();
        // Nothing is left: it says who went on with it.
        const auto again = requestOfRun(folder(), first, m_builder->load(), RunPart::Rest);
        QVERIFY(!again);
        QCOMPARE(again.error().code, ErrorCode::NotFound);
        QVERIFY2(again.error().reason.find((*runner)->recordId()) != std::string::npos, again.error().reason.c_str());
        // All of it can still be repeated.
        const auto all = requestOfRun(folder(), first, m_builder->load(), RunPart::Everything);
        QVERIFY(all);
        QVERIFY(all->continues.empty());
        QCOMPARE(all->pairs.size(), std::size_t{6});
    }

    void aResultThatIsOnDiskOnlyCountsAsDone()
    {
        auto request = fakeRun({"pass_a", "silent_b"}, {"w1"});
        Recorder recorder;
        auto runner = Runner::start(request, [&recorder](const RunEvent& event) { recorder(event); });
        QVERIFY(runner);
        QVERIFY(recorder.waitFor([](const RunEvent& event) { return std::holds_alternative<ResultEvent>(event); }));
        (*runner)->cancel();
        (*runner)->wait();
        const std::string id = listRuns(folder()).runs.front().record.id;
        auto rest = requestOfRun(folder(), id, m_builder->load(), RunPart::Rest);
        QVERIFY(rest);
        QVERIFY(rest->pairs == (std::set<std::pair<std::string, std::string>>{{"silent_b", "w1"}}));
        m_builder->trace({.definition = "d", .solution = "silent_b", .uuid = "w1", .timestamp = "2999-01-01T00:00:00"});
        rest = requestOfRun(folder(), id, m_builder->load(), RunPart::Rest);
        QVERIFY(!rest);
        QCOMPARE(rest.error().code, ErrorCode::NotFound);
    }

    void tracesOfARunAreRemovedAndRestored()
    {
        auto request = fakeRun({"pass_a", "z_fail"}, {"w1", "w2"});
        m_builder->trace({.definition = "d", .solution = "pass_a", .uuid = "w1"});
        const std::string before = traceText();
        Recorder recorder;
        auto runner = Runner::start(request, [&recorder](const RunEvent& event) { recorder(event); });
        QVERIFY(runner);
        (*runner)->wait();
        const std::string after = traceText();
        const std::string id = listRuns(folder()).runs.front().record.id;
        auto count = removeRunTraces(folder(), id);
        QVERIFY2(count, count ? "" : count.error().toString().c_str());
        QCOMPARE(*count, std::size_t{4});
        QCOMPARE(traceText(), before);
        QVERIFY(findRun(folder(), id)->record.hasRemovedTraces);
        QCOMPARE(*removeRunTraces(folder(), id), std::size_t{0});
        count = restoreRunTraces(folder(), id);
        QVERIFY2(count, count ? "" : count.error().toString().c_str());
        QCOMPARE(*count, std::size_t{4});
        QCOMPARE(traceText(), after);
        QVERIFY(!restoreRunTraces(folder(), id));
        QVERIFY(forgetRun(folder(), id));
        QVERIFY(listRuns(folder()).runs.empty());
        QCOMPARE(traceText(), after);
    }

    void brokenRecordsAreNamedAndDoNoHarm()
    {
        fs::create_directories(folder());
        std::ofstream(folder() / "a.json") << "{";
        std::ofstream(folder() / "b.json") << R"({"id": "../b"})";
        std::ofstream(folder() / "c.json") << R"({"id": "c", "total": "many"})";
        std::ofstream(folder() / "d.json") << R"({"id": "d", "started": "2026-01-01T00:00:00"})";
        std::ofstream(folder() / "d.jsonl") << R"({"plan": [["d", "s", "w"], [1], "x"]})" << "\n{\"result\": 99}\n{\"result\": 0, \"status\": \"PASSED\"}\n{\"torn";
        const RunList list = listRuns(folder());
        QCOMPARE(list.problems.size(), std::size_t{3});
        QCOMPARE(list.runs.size(), std::size_t{1});
        QVERIFY(list.runs.front().state == RunState::Broken);
        QCOMPARE(list.runs.front().counts.passed, std::size_t{1});
        QCOMPARE(findRun(folder(), "../../etc/passwd").error().code, ErrorCode::NotFound);
        QVERIFY(listRuns(folder() / "none").runs.empty());
    }
};

QTEST_GUILESS_MAIN(TestRunRecord)
#include "test_run_record.moc"
