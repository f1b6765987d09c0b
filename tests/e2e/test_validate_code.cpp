// SPDX-License-Identifier: GPL-3.0-or-later
// `tracedeck validate` on what it runs: builds of references and baselines, and the check benchmark.
#include <QDir>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <csignal>

#include "core/model/json.h"
#include "tests/support/dataset_builder.h"
#include "tests/support/program.h"

using namespace tracedeck;
using tracedeck::test::DatasetBuilder;
using tracedeck::test::runTracedeck;

namespace {

const std::string kWrong = "def run(x):\n    return x + 2\n";

QString folder(const DatasetBuilder& builder)
{
    return QString::fromStdString(builder.root().string());
}

/// Messages of one check of a definition that are not about descriptions or traces, as "level: message"; `null` when it was not run.
QStringList messages(const Json& document, const std::string& definition, const std::string& check)
{
    const Json& result = document.at("definitions").at(definition).at(check);
    if (result.is_null()) return {"null"};
    QStringList texts;
    for (const Json& message : result.at("messages")) {
        const auto text = QString::fromStdString(message.at("message").get<std::string>());
        if (text.startsWith("missing description") || text.startsWith("trace")) continue;
        texts << QString::fromStdString(message.at("level").get<std::string>()) + ": " + text;
    }
    return texts;
}

QStringList notRun(const Json& document)
{
    QStringList texts;
    for (const Json& text : document.at("tracedeck").at("not_run")) texts << QString::fromStdString(text.get<std::string>());
    return texts;
}

}  // namespace

class TestValidateCode : public QObject {
    Q_OBJECT

    std::string m_noPython;
    std::string m_noCpp;

    static Json validated(const DatasetBuilder& builder, const QStringList& more = {"--device", "cpu"})
    {
        const auto run = runTracedeck(QStringList{"validate", "--local", folder(builder), "--json"} + more);
        Json document = Json::parse(run.output, nullptr, false);
        if (document.is_discarded()) throw std::runtime_error(run.output + run.errorOutput);
        return document;
    }

private slots:
    void initTestCase()
    {
        qunsetenv("FIB_DATASET_PATH");
        qputenv("CUDA_VISIBLE_DEVICES", "");
        m_noPython = test::whyNoPython(false);
        m_noCpp = test::whyNoPython(true);
        QVERIFY(test::adoptOrphans());
    }

    /// All in one dataset: one run does for all of them.
    void whatCodeDoesIsReported()
    {
        if (!m_noPython.empty()) QSKIP(m_noPython.c_str());
        DatasetBuilder builder;
        const auto add = [&builder](const std::string& name, const std::string& reference, const std::string& baseline) {
            builder.definition({.name = name, .reference = reference}).workload({.definition = name, .uuid = name + "_1"});
            builder.workload({.definition = name, .uuid = name + "_2", .axes = {{"M", 3}}});
            builder.solution({.name = name + "_b", .definition = name, .author = "baseline", .source = baseline});
        };
        const std::string good = test::DefinitionSpec{}.reference;
        add("good", good, good);
        add("wrong", good, kWrong);
        add("unbuilt", good, "import no_such_module\ndef run(x):\n    return x\n");
        add("syntax", "def run(x):\n    return x +\n", good);
        add("raises", "def run(x):\n    raise ValueError('no luck')\n", good);
        builder.solution({.name = "cpp_b", .definition = "raises", .author = "baseline", .language = "cpp", .source = "int f( {\n", .sourcePath = "main.cpp",
                          .destinationPassingStyle = true});
        add("dies", "import os\nos._exit(3)\ndef run(x):\n    return x\n", good);
        builder.definition({.name = "no_workload"}).solution({.name = "no_workload_b", .definition = "no_workload", .author = "baseline"});
        builder.definition({.name = "no_baseline"}).workload({.definition = "no_baseline", .uuid = "no_baseline_1"});
        builder.solution({.name = "other", .definition = "no_baseline", .source = "raise SystemExit(1)\n"});
        builder.file("definitions/gemm/broken.json", "{");
        // One name for two solutions, and one that no cpu can run.
        builder.solution({.name = "wrong_b", .definition = "good", .author = "baseline", .file = "solutions/baseline/gemm/good/wrong_b.json"});
        builder.solution({.name = "kernel", .definition = "good", .author = "baseline", .language = "cuda", .source = "int f(", .sourcePath = "main.cu"});
        const Json document = validated(builder);

        QCOMPARE(document.at("config").at("disable_gpu").get<bool>(), false);
        QCOMPARE(document.at("config").at("checks").back().get<std::string>(), std::string("benchmark"));
        const auto check = [&document](const char* definition, const char* which, const QStringList& expected) {
            const QStringList found = messages(document, definition, which);
            if (found != expected) qWarning() << definition << which << found << "instead of" << expected;
            return found == expected;
        };
        const QStringList built{"info: reference build: ok"};
        const QStringList passed{"info: baseline: PASS", "info: reference: PASS"};
        QVERIFY(check("good", "definition", built));
        QVERIFY(check("good", "baseline", {"info: solution: good_b, kernel, wrong_b", "info: build good_b: ok", "info: build wrong_b: ok"}));
        QVERIFY(check("good", "benchmark", passed));
        QVERIFY(check("wrong", "definition", built));
        QVERIFY(check("wrong", "baseline", {"info: solution: wrong_b", "info: build wrong_b: ok"}));
        QVERIFY(check("wrong", "benchmark", {"error: baseline failed: wrong_b on wrong_1: INCORRECT_NUMERICAL",
                                             "error: baseline failed: wrong_b on wrong_2: INCORRECT_NUMERICAL", "info: reference: PASS"}));
        QVERIFY(check("unbuilt", "baseline", {"info: solution: unbuilt_b", "error: build unbuilt_b failed: ModuleNotFoundError: No module named 'no_such_module'"}));
        QVERIFY(check("unbuilt", "benchmark", {"error: baseline failed: unbuilt_b on unbuilt_1: COMPILE_ERROR",
                                               "error: baseline failed: unbuilt_b on unbuilt_2: COMPILE_ERROR", "info: reference: PASS"}));
        QVERIFY(check("syntax", "definition", {"error: reference build failed: SyntaxError: invalid syntax"}));
        QVERIFY(check("syntax", "baseline", {"info: solution: syntax_b"}));
        QVERIFY(check("syntax", "benchmark", {"error: reference failed: workload syntax_1: COMPILE_ERROR",
                                              "error: reference failed: workload syntax_2: COMPILE_ERROR"}));
        QVERIFY(check("raises", "definition", built));
        QVERIFY(check("raises", "benchmark", {"error: reference failed: workload raises_1: RUNTIME_ERROR",
                                              "error: reference failed: workload raises_2: RUNTIME_ERROR"}));
        // It is compiled though no evaluation got to it.
        if (m_noCpp.empty()) {
            const QStringList builds = messages(document, "raises", "baseline").filter("build cpp_b failed: ");
            QVERIFY2(builds.size() == 1 && builds[0].contains("main.cpp:1"), qPrintable(builds.join('|')));
        }
        QVERIFY(check("dies", "definition", {"error: reference build failed: the reference failed: the process ended unexpectedly: exit code 3"}));
        QVERIFY(check("no_workload", "definition", built));
        QVERIFY(check("no_workload", "baseline", {"info: solution: no_workload_b", "info: build no_workload_b: ok"}));
        QVERIFY(check("no_workload", "benchmark", {"warning: no workloads to benchmark"}));
        QVERIFY(check("no_baseline", "definition", built));
        QVERIFY(check("no_baseline", "benchmark", {"warning: no baseline solutions for benchmark"}));
        QVERIFY(check("broken", "benchmark", {"error: cannot benchmark: definition failed to load"}));
        QCOMPARE(document["definitions"]["syntax"]["status"].get<std::string>(), std::string("error"));

        const QStringList left = notRun(document);
        QCOMPARE(left.filter("solution kernel of good (solutions in cuda need a CUDA device").size(), 2);
        QVERIFY(left.contains("benchmark: solution raises_b of raises (the reference failed: ValueError: no luck)"));
        QVERIFY(left.contains("baseline: building solution syntax_b of syntax (the reference failed: SyntaxError: invalid syntax)"));
        QVERIFY(!QDir(folder(builder) + "/traces").exists());
        QVERIFY(test::nothingIsLeftOver());
    }

    void onlyChosenChecksRunCode()
    {
        if (!m_noPython.empty()) QSKIP(m_noPython.c_str());
        DatasetBuilder builder;
        builder.definition({.name = "g"}).workload({.definition = "g", .uuid = "u"}).workload({.definition = "g", .uuid = "v"});
        builder.solution({.name = "b", .definition = "g", .author = "baseline", .source = kWrong});
        const Json document = validated(builder, {"--device", "cpu", "--checks", "definition"});
        QCOMPARE(messages(document, "g", "definition"), QStringList{"info: reference build: ok"});
        QCOMPARE(messages(document, "g", "benchmark"), QStringList{"null"});
        QVERIFY(notRun(document).isEmpty());
        const auto layout = runTracedeck({"validate", "--local", folder(builder), "--checks", "layout", "--device", "cpu"});
        QCOMPARE(layout.exit.exitCode, 0);
        QCOMPARE(layout.errorOutput, std::string());   // no run, no progress
    }

    void aMissingTensorIsNotTheReferencesFault()
    {
        if (!m_noPython.empty()) QSKIP(m_noPython.c_str());
        DatasetBuilder builder;
        builder.definition({.name = "g"}).solution({.name = "b", .definition = "g", .author = "baseline"});
        builder.file("workloads/gemm/g.jsonl", R"({"definition":"g","solution":null,"evaluation":null,"workload":{"uuid":"u","axes":{"M":1},)"
                                               R"("inputs":{"x":{"type":"safetensors","path":"blob/none.safetensors","tensor_key":"x"}}}})"
                                               "\n");
        const Json document = validated(builder);
        const QStringList found = messages(document, "g", "benchmark");
        QVERIFY2(found.size() == 1 && found[0].startsWith("error: benchmark failed: ") && found[0].contains("none.safetensors"), qPrintable(found.join('|')));
        QVERIFY(messages(document, "g", "definition").isEmpty());
        QCOMPARE(notRun(document).filter("definition: building the reference of g (").size(), 1);
    }

    void withoutADeviceNothingIsRun()
    {
        DatasetBuilder builder;
        builder.definition({.name = "g", .reference = "raise SystemExit(1)\ndef run(x):\n    return x\n"}).workload({.definition = "g", .uuid = "u"});
        const Json none = validated(builder, {});
        QCOMPARE(messages(none, "g", "benchmark"), QStringList{"null"});
        QVERIFY(messages(none, "g", "definition").isEmpty());
        QVERIFY(none.at("config").at("disable_gpu").get<bool>());
        QCOMPARE(notRun(none).size(), 3);
        for (const QString& text : notRun(none)) QVERIFY2(text.contains("(no CUDA device: "), qPrintable(text));
        const Json disabled = validated(builder, {"--disable-gpu", "--device", "cpu"});
        QCOMPARE(messages(disabled, "g", "benchmark"), QStringList{"null"});
        QVERIFY(notRun(disabled).isEmpty());
        QCOMPARE(runTracedeck({"validate", "--local", folder(builder), "--device", "tpu:0"}).exit.exitCode, 2);
    }

    void problemFoldersAreNotRun()
    {
        DatasetBuilder builder;
        builder.file("L1/p/definition.json", R"({"name":"p","axes":{"n":{"type":"var"}},"inputs":{"x":{"shape":["n"],"dtype":"float32"}},)"
                                             R"("outputs":{"y":{"shape":["n"],"dtype":"float32"}},"reference":"def run(x):\n    return x\n"})");
        builder.file("L1/p/workload.jsonl", R"({"uuid":"u","axes":{"n":2},"inputs":{"x":{"type":"random"}}})"
                                            "\n");
        const Json document = validated(builder);
        QCOMPARE(messages(document, "p", "benchmark"), QStringList{"null"});
        QCOMPARE(notRun(document).filter("are not run by validate").size(), 2);
    }

    void anInterruptEndsInOrder()
    {
        if (!m_noPython.empty()) QSKIP(m_noPython.c_str());
        DatasetBuilder builder;
        builder.definition({.name = "g"}).workload({.definition = "g", .uuid = "u"});
        builder.solution({.name = "b", .definition = "g", .author = "baseline", .source = "import time\ndef run(x):\n    time.sleep(10000)\n"});
        const QTemporaryDir temporary;
        test::RunningTracedeck run({"validate", "--local", folder(builder), "--device", "cpu"}, {{"TMPDIR", temporary.path().toStdString()}});
        const auto hasJudge = [&temporary] { return !QDir(temporary.path()).entryList({"tracedeck-judge-*"}, QDir::Dirs).isEmpty(); };
        QVERIFY(QTest::qWaitFor(hasJudge, 60'000));
        QCOMPARE(::kill(run.process().pid(), SIGINT), 0);
        QVERIFY(!run.readLine());   // no report of half a validation
        const auto exit = run.process().wait(60);
        QVERIFY(exit);
        QCOMPARE(exit->exitCode, 128 + SIGINT);
        QVERIFY(!hasJudge());
        QVERIFY(test::nothingIsLeftOver());
    }
};

QTEST_GUILESS_MAIN(TestValidateCode)
#include "test_validate_code.moc"
