// SPDX-License-Identifier: GPL-3.0-or-later
// `tracedeck run` from outside: every way in which a solution can end, and what the user sees and finds on disk.
#include <QtTest>

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>

#include <fstream>
#include <map>
#include <set>

#include "core/io/json_codec.h"
#include "core/io/trace_writer.h"
#include "tests/support/dataset_builder.h"
#include "tests/support/program.h"

using namespace tracedeck;
namespace fs = std::filesystem;

namespace {

struct Kind {
    std::string name;
    std::string language;
    std::string source;
    Status status;
    std::string logPhrase;
    bool destinationPassing = false;
};

const std::string kCppHead =
    "#include <tvm/ffi/container/tensor.h>\n#include <tvm/ffi/function.h>\nusing tvm::ffi::TensorView;\n";
const std::string kCppExport = "\nTVM_FFI_DLL_EXPORT_TYPED_FUNC(run, work);\n";

const std::vector<Kind>& kinds()
{
    static const std::vector<Kind> all{
        {"py_good", "python", "def run(x):\n    return x + 1\n", Status::Passed, ""},
        {"py_good_dps", "python", "import torch\ndef run(x, y):\n    torch.add(x, 1, out=y)\n", Status::Passed, "",
         true},
        {"py_exits_0", "python", "import os\ndef run(x):\n    os._exit(0)\n", Status::RuntimeError, ""},
        {"py_sleeps", "python", "import time\ndef run(x):\n    time.sleep(10000)\n    return x + 1\n", Status::Timeout,
         ""},
        {"py_raises", "python", "def run(x):\n    raise ValueError('no luck today')\n", Status::RuntimeError,
         "no luck today"},
        {"py_wrong_shape", "python", "def run(x):\n    return (x + 1)[:, :2]\n", Status::IncorrectShape, ""},
        {"py_wrong_dtype", "python", "def run(x):\n    return (x + 1).double()\n", Status::IncorrectDtype, ""},
        {"py_nan", "python", "def run(x):\n    return x * float('nan')\n", Status::IncorrectNumerical, ""},
        {"py_wrong", "python", "def run(x):\n    return x + 2\n", Status::IncorrectNumerical, ""},
        {"py_writes_nothing", "python", "def run(x, y):\n    pass\n", Status::IncorrectNumerical, "", true},
        {"py_no_module", "python", "import no_such_module_at_all\ndef run(x):\n    return x + 1\n",
         Status::CompileError, "no_such_module_at_all"},
        {"py_no_entry", "python", "def walk(x):\n    return x + 1\n", Status::CompileError, "run"},
        {"py_prints", "python", "def run(x):\n    print('hello from run', flush=True)\n    return x + 1\n",
         Status::Passed, "hello from run"},
        {"cpp_good", "cpp",
         kCppHead +
             "void work(TensorView x, TensorView y)\n{\n    const float* a = static_cast<const "
             "float*>(x.data_ptr());\n    float* b = static_cast<float*>(y.data_ptr());\n"
             "    for (int64_t i = 0; i < x.size(0) * x.size(1); ++i) b[i] = a[i] + 1;\n}" +
             kCppExport,
         Status::Passed, "", true},
        {"cpp_segfault", "cpp",
         kCppHead + "void work(TensorView, TensorView) { *reinterpret_cast<volatile int*>(16) = 1; }" + kCppExport,
         Status::RuntimeError, "", true},
        {"cpp_throws", "cpp",
         kCppHead + "void work(TensorView, TensorView) { TVM_FFI_THROW(ValueError) << \"not in the mood\"; }" +
             kCppExport,
         Status::RuntimeError, "not in the mood", true},
        {"cpp_broken", "cpp", "int f( {\n", Status::CompileError, "main.cpp:1", true},
        {"cpp_no_entry", "cpp", "int f() { return 1; }\n", Status::CompileError, "__tvm_ffi_run", true},
    };
    return all;
}

QStringList quick(const fs::path& root)
{
    return {"run",
            "--local",
            QString::fromStdString(root.string()),
            "--warmup-runs",
            "1",
            "--iterations",
            "3",
            "--num-trials",
            "1",
            "--timeout",
            "20"};
}

}  // namespace

class TestRun : public QObject {
    Q_OBJECT

    std::string m_noPython;

    static void addKind(test::DatasetBuilder& builder, const Kind& kind)
    {
        builder.solution({.name = kind.name,
                          .definition = "add_one",
                          .author = kind.language == "cpp" ? "cleo" : "ann",
                          .language = kind.language,
                          .source = kind.source,
                          .sourcePath = kind.language == "cpp" ? "main.cpp" : "main.py",
                          .destinationPassingStyle = kind.destinationPassing});
    }
    static const Kind& kind(const std::string& name)
    {
        for (const auto& candidate : kinds()) {
            if (candidate.name == name) return candidate;
        }
        throw std::runtime_error("no kind " + name);
    }
    /// One definition add_one with the solutions of these kinds.
    static void fill(test::DatasetBuilder& builder, const QStringList& names, const QStringList& workloads = {"w1"})
    {
        builder.definition({.name = "add_one", .opType = "elementwise"});
        for (const auto& name : names) addKind(builder, kind(name.toStdString()));
        int rows = 3;
        for (const auto& uuid : workloads)
            builder.workload({.definition = "add_one", .uuid = uuid.toStdString(), .axes = {{"M", rows++}}});
    }
    /// Every trace line of a dataset, strictly read; fails the test on a line that the format would reject.
    static std::vector<Trace> stored(const fs::path& root)
    {
        std::vector<Trace> traces;
        if (!fs::exists(root / "traces")) return traces;
        for (const auto& entry : fs::recursive_directory_iterator(root / "traces")) {
            if (!entry.is_regular_file()) continue;
            std::ifstream in(entry.path(), std::ios::binary);
            const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
            if (!text.ends_with('\n')) throw std::runtime_error("torn last line in " + entry.path().string());
            for (const auto& line : QByteArray::fromStdString(text).split('\n')) {
                if (line.isEmpty()) continue;
                auto trace = decodeTrace(line.toStdString(), ReadMode::Strict);
                if (!trace) throw std::runtime_error(trace.error().toString() + ": " + line.toStdString());
                traces.push_back(trace->value);
            }
        }
        return traces;
    }

private slots:
    void initTestCase()
    {
        QVERIFY(test::adoptOrphans());
        m_noPython = test::whyNoPython(true);
    }

    void init()
    {
        // What needs no evaluation is tested everywhere.
        const QString function = QTest::currentTestFunction();
        if (!m_noPython.empty() && !function.startsWith("usage") && !function.startsWith("doctor"))
            QSKIP(m_noPython.c_str());
    }

    void cleanup() { QTRY_VERIFY(test::nothingIsLeftOver()); }

    void everyEndHasItsStatusAndIsOnDisk()
    {
        test::DatasetBuilder builder;
        QStringList names;
        for (const auto& each : kinds()) names << QString::fromStdString(each.name);
        fill(builder, names);
        auto arguments = quick(builder.root());
        arguments << "--json";
        const auto run = test::runTracedeck(arguments);
        QVERIFY2(run.exit.exitCode == 0, run.errorOutput.c_str());

        std::map<std::string, Trace> bySolution;
        for (const auto& trace : stored(builder.root())) bySolution[trace.solution.value_or("")] = trace;
        QCOMPARE(bySolution.size(), kinds().size());
        for (const auto& each : kinds()) {
            const Evaluation& evaluation = *bySolution.at(each.name).evaluation;
            QVERIFY2(evaluation.status == each.status,
                     (each.name + ": " + std::string(toString(evaluation.status)) + " " + evaluation.log).c_str());
            QVERIFY2(evaluation.log.find(each.logPhrase) != std::string::npos,
                     (each.name + ": " + evaluation.log).c_str());
            QVERIFY(!evaluation.environment.hardware.empty());
            QVERIFY(evaluation.environment.libs.contains("torch"));
            QCOMPARE(evaluation.performance.has_value(), each.status == Status::Passed);
            if (evaluation.performance) {
                QVERIFY(evaluation.performance->latencyMs > 0);
                QVERIFY(evaluation.performance->referenceLatencyMs > 0);
            }
        }

        // Each reported result is a line on disk, and the events alone tell the whole story.
        const auto events = test::jsonLines(run.output);
        QCOMPARE(events.front().at("event").get<std::string>(), std::string("plan"));
        QCOMPARE(events.front().at("total").get<std::size_t>(), kinds().size());
        QCOMPARE(events.front().at("root").get<std::string>(), builder.root().string());
        QCOMPARE(events.back().at("event").get<std::string>(), std::string("done"));
        QCOMPARE(events.back().at("not_run").get<int>(), 0);
        std::size_t results = 0;
        for (const auto& event : events) {
            if (event.at("event") != "result") continue;
            ++results;
            QVERIFY(event.at("stored").get<bool>());
            std::ifstream in(event.at("file").get<std::string>(), std::ios::binary);
            in.seekg(event.at("byte_offset").get<std::streamoff>());
            std::string line;
            std::getline(in, line);
            QCOMPARE(Json::parse(line), event.at("trace"));
            QCOMPARE(event.at("trace").at("solution"), event.at("solution"));
        }
        QCOMPARE(results, kinds().size());
        QVERIFY(fs::is_regular_file(builder.root() / "traces" / "ann" / "elementwise" / "add_one.jsonl"));
        QVERIFY(fs::is_regular_file(builder.root() / "traces" / "cleo" / "elementwise" / "add_one.jsonl"));
    }

    /// A kernel that follows its indexes works on a workload that calls them random, unless raw numbers are asked for.
    void randomIndexesAreValid()
    {
        test::DatasetBuilder builder;
        builder.file("definitions/gather/gather.json", R"({"name": "gather", "op_type": "gather",
            "axes": {"num_pages": {"type": "var"}, "n": {"type": "var"}, "width": {"type": "const", "value": 4}},
            "inputs": {"cache": {"shape": ["num_pages", "width"], "dtype": "float32"}, "kv_indices": {"shape": ["n"], "dtype": "int32"}},
            "outputs": {"out": {"shape": ["n", "width"], "dtype": "float32"}},
            "reference": "def run(cache, kv_indices):\n    assert len(set(kv_indices.tolist())) == len(kv_indices)\n    return cache[kv_indices.long()]\n"})");
        builder.file("workloads/gather/gather.jsonl",
                     R"({"definition": "gather", "workload": {"uuid": "w", "axes": {"num_pages": 9, "n": 7}, "inputs": {"cache": {"type": "random"}, "kv_indices": {"type": "random"}}}, "solution": null, "evaluation": null})"
                     "\n");
        builder.solution({.name = "follow", .definition = "gather", .author = "ann", .language = "python",
                          .source = "def run(cache, kv_indices):\n    return cache[kv_indices.long()]\n", .sourcePath = "main.py", .destinationPassingStyle = false});
        const auto raw = test::runTracedeck(quick(builder.root()) << "--raw-index-inputs");
        QVERIFY2(raw.errorOutput.find("the reference raised an exception") != std::string::npos, raw.errorOutput.c_str());
        QVERIFY(stored(builder.root()).empty());
        const auto run = test::runTracedeck(quick(builder.root()));
        QVERIFY2(run.exit.exitCode == 0, run.errorOutput.c_str());
        const auto traces = stored(builder.root());
        QCOMPARE(traces.size(), std::size_t{1});
        const Evaluation& evaluation = *traces.front().evaluation;
        QVERIFY2(evaluation.status == Status::Passed, evaluation.log.c_str());
        QCOMPARE(evaluation.unknownKeys.at("judge").at("index_inputs"), Json({{"kv_indices", "distinct pages below num_pages = 9"}}));
    }

    void linesAndSummaryForPeople()
    {
        test::DatasetBuilder builder;
        fill(builder, {"py_good", "py_raises"});
        const auto run = test::runTracedeck(quick(builder.root()));
        QCOMPARE(run.exit.exitCode, 0);
        const QString said = QString::fromStdString(run.errorOutput);
        QVERIFY2(QRegularExpression("Solution 'py_good' for workload w1: PASSED with \\d+\\.\\d\\dx speedup vs\\. "
                                    "reference \\(\\d+\\.\\d{4} ms\\)\n")
                     .match(said)
                     .hasMatch(),
                 qPrintable(said));
        QVERIFY2(said.contains("Solution 'py_raises' for workload w1: RUNTIME_ERROR: ") &&
                     said.contains("no luck today"),
                 qPrintable(said));
        QVERIFY2(said.contains("Benchmark run complete. 2 results saved"), qPrintable(said));
        QVERIFY(!said.contains('\x1b'));   // no terminal, no bar
        const QString summary = QString::fromStdString(run.output);
        QVERIFY2(QRegularExpression("py_good +add_one +1 +0 +0 +\\d").match(summary).hasMatch(), qPrintable(summary));
        QVERIFY2(QRegularExpression("py_raises +add_one +0 +1 +0 +- +RUNTIME_ERROR x1").match(summary).hasMatch(),
                 qPrintable(summary));
        QVERIFY(summary.contains("1 passed, 1 failed, 0 not run"));
    }

    void logLevelHidesLines()
    {
        test::DatasetBuilder builder;
        fill(builder, {"py_good", "py_raises"});
        const auto run = test::runTracedeck(quick(builder.root()) << "--log-level"
                                                                  << "WARNING"
                                                                  << "--use-isolated-runner");
        const QString said = QString::fromStdString(run.errorOutput);
        QVERIFY(!said.contains("py_good"));
        QVERIFY(said.contains("py_raises"));
    }

    void terminalGetsAProgressBar()
    {
        test::DatasetBuilder builder;
        fill(builder, {"py_good"}, {"w1", "w2"});
        FileDescriptor terminal(::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC));
        QVERIFY(terminal.isOpen());
        QCOMPARE(::grantpt(terminal.get()), 0);
        QCOMPARE(::unlockpt(terminal.get()), 0);
        FileDescriptor other(::open(::ptsname(terminal.get()), O_RDWR | O_NOCTTY | O_CLOEXEC));
        QVERIFY(other.isOpen());
        auto spec = test::tracedeckCommand(quick(builder.root()));
        spec.standardError = other.get();
        auto child = ChildProcess::spawn(spec);
        QVERIFY(child);
        other.reset();
        QByteArray seen;
        char bytes[4096];
        for (ssize_t size = 0; (size = ::read(terminal.get(), bytes, sizeof bytes)) > 0;)
            seen.append(bytes, static_cast<int>(size));
        const auto exit = child->wait(60);
        QVERIFY(exit && exit->succeeded());
        const QString text = QString::fromUtf8(seen);
        QVERIFY2(text.contains("[--------------------] 0/2  0 passed, 0 failed"), qPrintable(text));
        QVERIFY2(QRegularExpression("cpu: py_good @ w1").match(text).hasMatch(), qPrintable(text));
        for (const auto& drawn : text.split('\r')) {
            const QString bar = QString(drawn).remove("\x1b[K");
            if (bar.startsWith('[')) QVERIFY2(bar.section('\n', 0, 0).size() < 80, qPrintable(bar));
        }
        QVERIFY(text.contains("Benchmark run complete."));
    }

    void strictMakesFailuresCount()
    {
        test::DatasetBuilder builder;
        fill(builder, {"py_good", "py_raises"});
        QCOMPARE(test::runTracedeck(quick(builder.root()) << "--strict"
                                                          << "--solutions"
                                                          << "py_good")
                     .exit.exitCode,
                 0);
        QCOMPARE(test::runTracedeck(quick(builder.root()) << "--strict"
                                                          << "--solutions"
                                                          << "py_raises")
                     .exit.exitCode,
                 1);
    }

    void resultsAreNotSavedWhenNotWanted()
    {
        test::DatasetBuilder builder;
        fill(builder, {"py_good"});
        const auto run = test::runTracedeck(quick(builder.root()) << "--no-save-results"
                                                                  << "--json");
        QCOMPARE(run.exit.exitCode, 0);
        const auto events = test::jsonLines(run.output);
        QCOMPARE(events.back().at("passed").get<int>(), 1);
        QVERIFY(!fs::exists(builder.root() / "traces"));
        QVERIFY(QString::fromStdString(run.errorOutput).contains("Results not saved (use --save-results"));
    }

    void resumeRunsOnlyWhatIsMissing()
    {
        test::DatasetBuilder builder;
        fill(builder, {"py_good", "py_raises"}, {"w1", "w2"});
        QCOMPARE(test::runTracedeck(quick(builder.root()) << "--workloads"
                                                          << "w1")
                     .exit.exitCode,
                 0);
        QCOMPARE(stored(builder.root()).size(), std::size_t{2});
        const auto second = test::runTracedeck(quick(builder.root()) << "--resume"
                                                                     << "--json");
        const auto events = test::jsonLines(second.output);
        QCOMPARE(events.front().at("skipped_by_resume").get<int>(), 2);
        QCOMPARE(events.front().at("total").get<int>(), 2);
        QCOMPARE(stored(builder.root()).size(), std::size_t{4});
        const auto third = test::runTracedeck(quick(builder.root()) << "--resume");
        QCOMPARE(third.exit.exitCode, 0);
        QCOMPARE(stored(builder.root()).size(), std::size_t{4});
    }

    void failedReferenceSkipsItsWorkloadWithoutATrace()
    {
        test::DatasetBuilder builder;
        fill(builder, {"py_good"});
        builder.definition({.name = "broken",
                            .opType = "elementwise",
                            .reference = "def run(x):\n    raise RuntimeError('reference is ill')\n"});
        builder.solution({.name = "for_broken", .definition = "broken", .author = "ann"})
            .workload({.definition = "broken", .uuid = "b1"});
        const auto run = test::runTracedeck(quick(builder.root()) << "--json");
        QCOMPARE(run.exit.exitCode, 0);
        bool told = false;
        for (const auto& event : test::jsonLines(run.output)) {
            if (event.at("event") != "problem") continue;
            told = true;
            QCOMPARE(event.at("pairs").at(0).at("workload_uuid").get<std::string>(), std::string("b1"));
            QVERIFY(event.at("error").at("reason").get<std::string>().find("reference is ill") != std::string::npos);
        }
        QVERIFY(told);
        QCOMPARE(stored(builder.root()).size(), std::size_t{1});
        QCOMPARE(test::jsonLines(run.output).back().at("not_run").get<int>(), 1);
    }

    void configFileDecidesTolerances()
    {
        test::DatasetBuilder builder;
        fill(builder, {"py_wrong"});
        builder.file("loose.yaml", "definition_config:\n  add_one: {atol: 5}\nunheard_of: 1\n");
        const QString config = QString::fromStdString((builder.root() / "loose.yaml").string());
        const auto loose = test::runTracedeck(quick(builder.root()) << "--config" << config);
        QVERIFY(stored(builder.root()).at(0).isPassed());
        QVERIFY2(QString::fromStdString(loose.errorOutput).contains("loose.yaml:3: unheard_of: unknown key"),
                 loose.errorOutput.c_str());
        // The command line beats the file.
        test::runTracedeck(quick(builder.root()) << "--config" << config << "--atol"
                                                 << "0.01");
        QVERIFY(stored(builder.root()).at(1).evaluation->status == Status::IncorrectNumerical);
    }

    void baselineNeedNotBeTimed()
    {
        test::DatasetBuilder builder;
        fill(builder, {"py_good"});
        QCOMPARE(test::runTracedeck(quick(builder.root()) << "--no-profile-baseline").exit.exitCode, 0);
        const auto performance = stored(builder.root()).at(0).evaluation->performance;
        QVERIFY(performance);
        QCOMPARE(performance->referenceLatencyMs, 0.0);
        QCOMPARE(performance->speedupFactor, 0.0);
        QVERIFY(performance->latencyMs > 0);
    }

    void userSeedRepeatsARunExactly()
    {
        test::DatasetBuilder builder;
        fill(builder, {"py_wrong"});
        for (const char* seed : {"12345", "12345", "54321"})
            test::runTracedeck(quick(builder.root()) << "--seed" << seed);
        const auto traces = stored(builder.root());
        QCOMPARE(traces.size(), std::size_t{3});
        const auto relative = [&](std::size_t index) {
            return traces[index].evaluation->correctness->maxRelativeError;
        };
        QCOMPARE(relative(0), relative(1));
        QVERIFY(relative(0) != relative(2));
    }

    void languageThatNeedsCudaIsReportedNotStored()
    {
        test::DatasetBuilder builder;
        fill(builder, {"py_good"});
        builder.solution({.name = "gpu_only",
                          .definition = "add_one",
                          .author = "ann",
                          .language = "cuda",
                          .source = "int x;\n",
                          .sourcePath = "k.cu"});
        const auto run = test::runTracedeck(quick(builder.root()));
        QCOMPARE(run.exit.exitCode, 0);
        QVERIFY(QString::fromStdString(run.errorOutput).contains("need a CUDA device"));
        QCOMPARE(stored(builder.root()).size(), std::size_t{1});
    }

    void severalDatasetsRunOneAfterTheOther()
    {
        test::DatasetBuilder first;
        test::DatasetBuilder second;
        fill(first, {"py_good"});
        fill(second, {"py_good"});
        const auto run =
            test::runTracedeck(quick(first.root()) << "--local" << QString::fromStdString(second.root().string()));
        QCOMPARE(run.exit.exitCode, 0);
        QCOMPARE(stored(first.root()).size(), std::size_t{1});
        QCOMPARE(stored(second.root()).size(), std::size_t{1});
    }

    void usageErrorsHaveTheirExitCodes_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<int>("code");
        QTest::addColumn<QString>("phrase");
        QTest::newRow("unknown option") << QStringList{"--no-such-option"} << 2 << "no-such-option";
        QTest::newRow("iterations of zero") << QStringList{"--iterations", "0"} << 2 << "iterations";
        QTest::newRow("ratio over one") << QStringList{"--required-matched-ratio", "2"} << 2
                                        << "--required-matched-ratio";
        QTest::newRow("unknown device") << QStringList{"--device", "tpu"} << 2 << "tpu";
        QTest::newRow("unknown device behind another one") << QStringList{"--device", "cpu", "tpu"} << 2 << "no device \"tpu\"";
        QTest::newRow("CUDA device") << QStringList{"--device", "cuda:0"} << 1 << "cuda:0";
        QTest::newRow("unknown definition") << QStringList{"--definitions", "nope"} << 2 << "no definition named nope";
        QTest::newRow("unknown definition among known ones") << QStringList{"--definitions", "add_one", "ad_one"} << 2
                                                              << "no definition named ad_one (did you mean \"add_one\"?)";
        QTest::newRow("unknown solution among known ones") << QStringList{"--solutions", "py_good", "nope"} << 2 << "no solution named nope";
        QTest::newRow("unknown workload among known ones") << QStringList{"--workloads", "w1", "w77777"} << 2 << "no workload with the uuid w77777";
        QTest::newRow("unknown op_type") << QStringList{"--op-type", "nope"} << 2 << "no definition of op_type nope";
        for (const char* option : {"--seed", "--warmup-runs", "--iterations", "--num-trials", "--rtol", "--atol", "--required-matched-ratio",
                                   "--timeout", "--build-timeout"}) {
            for (const char* value : {"-1", "nan", "inf", "1e999", "99999999999999999999999", "1x", ""}) {
                // Much is no fault in a tolerance, but in a count.
                if (QString(value).startsWith("999") && QString(option).endsWith("tol")) continue;
                QTest::addRow("%s %s", option, value) << QStringList{QString(option) + "=" + value} << 2 << option;
            }
        }
        QTest::newRow("too many calls") << QStringList{"--num-trials", "1000000000"} << 2 << "num_trials";
        QTest::newRow("unknown log level") << QStringList{"--log-level", "LOUD"} << 2 << "LOUD";
        QTest::newRow("missing config") << QStringList{"--config", "/nonexistent.yaml"} << 3 << "/nonexistent.yaml";
        QTest::newRow("no such interpreter")
            << QStringList{"--python", "/nonexistent/python"} << 1 << "/nonexistent/python";
    }
    void usageErrorsHaveTheirExitCodes()
    {
        QFETCH(QStringList, arguments);
        QFETCH(int, code);
        QFETCH(QString, phrase);
        test::DatasetBuilder builder;
        fill(builder, {"py_good"});
        const auto run = test::runTracedeck(
            QStringList{"run", "--local", QString::fromStdString(builder.root().string())} + arguments);
        QVERIFY2(QString::fromStdString(run.errorOutput).contains(phrase), run.errorOutput.c_str());
        QCOMPARE(run.exit.exitCode, code);
        QVERIFY(run.output.empty());
        QVERIFY(!fs::exists(builder.root() / "traces"));
    }

    void usageOfAMissingFolderIsUnreadableInput()
    {
        const auto run = test::runTracedeck({"run", "--local", "/nonexistent/dataset"});
        QCOMPARE(run.exit.exitCode, 3);
        QVERIFY(!fs::exists("/nonexistent"));
    }

    void usageOfADatasetThatCannotBeWrittenIsFoundAtOnce()
    {
        if (!m_noPython.empty()) QSKIP(m_noPython.c_str());
        test::DatasetBuilder builder;
        fill(builder, {"py_good"});
        builder.file("traces", "a file where a folder must be");
        const auto run = test::runTracedeck(quick(builder.root()) << "--json");
        QCOMPARE(run.exit.exitCode, 1);
        QVERIFY(run.output.empty());
        QVERIFY2(QString::fromStdString(run.errorOutput).contains("/traces: ") && QString::fromStdString(run.errorOutput).contains("--no-save-results"),
                 run.errorOutput.c_str());
        QCOMPARE(test::runTracedeck(quick(builder.root()) << "--no-save-results").exit.exitCode, 0);
    }

    void nothingThatCouldBeRunIsAFailure()
    {
        test::DatasetBuilder builder;
        builder.definition({.name = "add_one", .opType = "elementwise"}).workload({.definition = "add_one", .uuid = "w1"});
        builder.solution({.name = "gpu_only", .definition = "add_one", .author = "ann", .language = "cuda", .source = "int x;\n", .sourcePath = "k.cu"});
        const auto run = test::runTracedeck(quick(builder.root()));
        QCOMPARE(run.exit.exitCode, 1);
        const QString said = QString::fromStdString(run.errorOutput);
        QVERIFY2(said.contains("Nothing was run: 1 evaluation could not be done"), qPrintable(said));
        QVERIFY(!said.contains("complete"));
    }

    void nothingLeftToDoIsASuccess()
    {
        test::DatasetBuilder builder;
        fill(builder, {"py_good"});
        builder.trace({.definition = "add_one", .solution = "py_good", .uuid = "w1"});
        const auto run = test::runTracedeck(quick(builder.root()) << "--resume");
        QCOMPARE(run.exit.exitCode, 0);
        QVERIFY2(QString::fromStdString(run.errorOutput).contains("Nothing is left to do."), run.errorOutput.c_str());
    }

    void doctorTellsWhatIsThere()
    {
        const auto run = test::runTracedeck({"doctor", "--json"});
        const Json document = Json::parse(run.output);
        // Something can be run where the tests can.
        QCOMPARE(run.exit.exitCode, test::whyNoPython(false).empty() ? 0 : 1);
        QCOMPARE(document.at("prevents_runs").empty(), run.exit.exitCode == 0);
        QVERIFY(document.at("python").contains("explanation"));
        std::set<std::string> subjects;
        for (const auto& finding : document.at("findings")) subjects.insert(finding.at("subject").get<std::string>());
        for (const char* subject : {"GPU", "driver", "nvcc", "C++ compiler", "Python", "torch", "triton", "tvm-ffi",
                                    "CUPTI", "worker", "confinement"}) {
            QVERIFY2(subjects.contains(subject), subject);
        }
        const auto people = test::runTracedeck({"doctor", "--python", "/nonexistent/python"});
        QCOMPARE(people.exit.exitCode, 1);
        QVERIFY(QString::fromStdString(people.output).contains("Nothing can be run on this machine before this is there: Python, torch"));
        QVERIFY(QString::fromStdString(people.output).contains("--python names it, but there is no such program"));
        QVERIFY(QString::fromStdString(people.output).contains("packaging/guest-env.sh"));
    }
};

QTEST_GUILESS_MAIN(TestRun)
#include "test_run.moc"
