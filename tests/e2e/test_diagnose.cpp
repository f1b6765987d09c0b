// SPDX-License-Identifier: GPL-3.0-or-later
// `tracedeck diagnose` and `tracedeck duel` from outside, on the cpu device. compute-sanitizer and ncu are stood in for by shell scripts that run
// the process and print what the real ones print: what is tested is how they are started, found and read, not what they find.
#include <QtTest>

#include <filesystem>

#include "core/build/cuda_toolkit.h"
#include "core/run/diagnosis_tools.h"
#include "tests/support/dataset_builder.h"
#include "tests/support/program.h"

using namespace tracedeck;
namespace fs = std::filesystem;

namespace {

constexpr const char* kSlow = "import time\ndef run(x):\n    time.sleep(0.03)\n    return x + 1\n";
constexpr const char* kWrongCorner = "def run(x):\n    y = x + 1\n    y[-1, -1] += 5\n    return y\n";

}  // namespace

class TestDiagnose : public QObject {
    Q_OBJECT

    test::DatasetBuilder m_builder;
    QTemporaryDir m_tools;

    [[nodiscard]] QStringList on(const QStringList& command, const QString& solution = {}, const QString& workload = QStringLiteral("w1")) const
    {
        QStringList arguments = command;
        arguments << "--local" << QString::fromStdString(m_builder.root().string()) << "--device" << "cpu" << "--workload" << workload << "--json";
        if (!solution.isEmpty()) arguments << "--solution" << solution;
        return arguments;
    }
    static Json parsed(const CapturedRun& run)
    {
        const Json json = Json::parse(run.output, nullptr, false);
        if (json.is_discarded()) throw std::runtime_error("no JSON: " + run.output + run.errorOutput);
        return json;
    }
    std::string script(const QString& name, const std::string& body)
    {
        const fs::path path = m_tools.filePath(name).toStdString();
        std::ofstream(path) << "#!/bin/sh\n" << body;
        fs::permissions(path, fs::perms::owner_all);
        return path.string();
    }

private slots:
    void initTestCase();
    void differencesShowTheWrongElement();
    void differencesOfRightSolutionsAreSmall();
    void differencesNeedOutputsToCompare();
    void toleranceFindsTrivialWorkloads();
    void toleranceFindsNothingInHonestOnes();
    void sanitizerFindingsAreShown();
    void sanitizersCallRunsTheSolution();
    void missingToolsSayHowToGetThem();
    void profilesAreRead();
    void codeOfACompiledSolution();
    void codeOfACudaSolution();
    void timelinesNeedAGpu();
    void duelsFindTheFasterOne();
    void duelsDropWhatFails();
    void wrongTargetsAreNamed_data();
    void wrongTargetsAreNamed();
    void nothingIsStored();
};

void TestDiagnose::initTestCase()
{
    if (const std::string missing = test::whyNoPython(true); !missing.empty()) QSKIP(missing.c_str());
    m_builder.definition({.name = "add_one", .opType = "elementwise"});
    m_builder.definition({.name = "nearly_nothing", .opType = "elementwise", .reference = "def run(x):\n    return x * 1e-6\n"});
    m_builder.workload({.definition = "add_one", .uuid = "w1", .axes = {{"M", 70}}});
    m_builder.workload({.definition = "nearly_nothing", .uuid = "tiny", .axes = {{"M", 3}}});
    m_builder.solution({.name = "right", .definition = "add_one"});
    m_builder.solution({.name = "slow", .definition = "add_one", .source = kSlow});
    m_builder.solution({.name = "corner", .definition = "add_one", .source = kWrongCorner});
    m_builder.solution({.name = "raises", .definition = "add_one", .source = "def run(x):\n    raise ValueError('no luck')\n"});
    m_builder.solution({.name = "shape", .definition = "add_one", .source = "def run(x):\n    return x[:, :2]\n"});
    m_builder.solution({.name = "native", .definition = "add_one", .language = "cpp",
                        .source = "#include <tvm/ffi/container/tensor.h>\n#include <tvm/ffi/function.h>\nusing tvm::ffi::TensorView;\n"
                                  "void work(TensorView x, TensorView y) { const float* a = static_cast<const float*>(x.data_ptr()); float* b = "
                                  "static_cast<float*>(y.data_ptr());\n for (int64_t i = 0; i < x.size(0) * x.size(1); ++i) b[i] = a[i] + 1; }\n"
                                  "TVM_FFI_DLL_EXPORT_TYPED_FUNC(run, work);\n",
                        .sourcePath = "main.cpp", .destinationPassingStyle = true});
    m_builder.solution({.name = "cuda", .definition = "add_one", .language = "cuda",
                        .source = "#include <tvm/ffi/container/tensor.h>\n#include <tvm/ffi/function.h>\nusing tvm::ffi::TensorView;\n"
                                  "__global__ void add_one(const float* x, float* y, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = x[i] + 1; }\n"
                                  "void work(TensorView x, TensorView y) { int n = int(x.size(0) * x.size(1));\n add_one<<<(n + 255) / 256, 256>>>(static_cast<const "
                                  "float*>(x.data_ptr()), static_cast<float*>(y.data_ptr()), n); }\nTVM_FFI_DLL_EXPORT_TYPED_FUNC(run, work);\n",
                        .sourcePath = "main.cu", .destinationPassingStyle = true});
}

void TestDiagnose::differencesShowTheWrongElement()
{
    const auto run = test::runTracedeck(on({"diagnose", "difference"}, "corner"));
    QCOMPARE(run.exit.exitCode, 1);
    const Json report = parsed(run);
    QCOMPARE(report["status"], Json("INCORRECT_NUMERICAL"));
    const Json& output = report["outputs"][0];
    QCOMPARE(output["output"], Json("y"));
    QCOMPARE(output["wrong"], Json(1));
    QCOMPARE(output["elements"], Json(280));
    const Json& worst = output["worst"][0];
    QCOMPARE(worst["index"], Json::array({69, 3}));
    QVERIFY(std::abs(worst["got"].get<double>() - worst["expected"].get<double>() - 5) < 1e-3);
    // The map has a cell for some rows: only the last one is not clean.
    const Json& map = output["map"];
    QCOMPARE(map["cell_rows"], Json(64));
    QVERIFY(map["wrong_share"].back().get<double>() > 0);
    QCOMPARE(map["wrong_share"].front(), Json(0.0));
    QCOMPARE(output["unwritten"], Json(0));

    auto text = on({"diagnose", "difference"}, "corner");
    text.removeAll("--json");
    QVERIFY(QString::fromStdString(test::runTracedeck(text).output).contains("[69, 3]"));
}

void TestDiagnose::differencesOfRightSolutionsAreSmall()
{
    const auto run = test::runTracedeck(on({"diagnose", "difference"}, "right"));
    QCOMPARE(run.exit.exitCode, 0);
    const Json report = parsed(run);
    QCOMPARE(report["status"], Json("PASSED"));
    QCOMPARE(report["outputs"][0]["wrong"], Json(0));
    QCOMPARE(report["outputs"][0]["equal"], Json(280));
    QVERIFY(report["outputs"][0]["worst"].empty());
}

void TestDiagnose::differencesNeedOutputsToCompare()
{
    const Json raises = parsed(test::runTracedeck(on({"diagnose", "difference"}, "raises")));
    QCOMPARE(raises["status"], Json("RUNTIME_ERROR"));
    QVERIFY(raises["outputs"].empty() && !raises["missing"].get<std::string>().empty());
    QVERIFY(QString::fromStdString(raises["log"].get<std::string>()).contains("no luck"));
    const Json shape = parsed(test::runTracedeck(on({"diagnose", "difference"}, "shape")));
    QCOMPARE(shape["status"], Json("INCORRECT_SHAPE"));
    QVERIFY(!shape["missing"].get<std::string>().empty());
}

/// Of all that came before.
void TestDiagnose::nothingIsStored()
{
    QVERIFY(!fs::exists(m_builder.root() / "traces"));
}

void TestDiagnose::toleranceFindsTrivialWorkloads()
{
    const auto run = test::runTracedeck(on({"diagnose", "tolerance", "--definition", "nearly_nothing"}, {}, "tiny"));
    QCOMPARE(run.exit.exitCode, 1);
    std::map<std::string, bool> passes;
    const Json report = parsed(run);   // kept: the loop only refers to a part of it
    for (const Json& trial : report["trials"]) passes[trial["candidate"].get<std::string>()] = trial["passes"].get<bool>();
    QVERIFY(passes.at("zeros"));
    QVERIFY(passes.at("another call"));
    QVERIFY(!passes.at("input x"));   // values near 1 where 1e-6 is expected
}

void TestDiagnose::toleranceFindsNothingInHonestOnes()
{
    const auto run = test::runTracedeck(on({"diagnose", "tolerance", "--definition", "add_one"}));
    QCOMPARE(run.exit.exitCode, 0);
    const Json report = parsed(run);
    QCOMPARE(report["calls"], Json(3));
    QVERIFY(report["trials"].size() >= 4);
    for (const Json& trial : report["trials"]) QVERIFY2(!trial["passes"].get<bool>(), trial.dump().c_str());
}

void TestDiagnose::sanitizerFindingsAreShown()
{
    // A stand-in for compute-sanitizer: runs the process behind its options, then prints a finding as version 2025.3 does.
    qputenv("TRACEDECK_COMPUTE_SANITIZER", script("compute-sanitizer", R"sh(tool=$2
while [ "$#" -gt 0 ]; do case "$1" in --*) shift 2 ;; *) break ;; esac; done
echo "========= COMPUTE-SANITIZER"
"$@" || exit $?
if [ "$tool" = memcheck ]; then
echo "========= Invalid __global__ write of size 4 bytes"
echo "=========     at add_one(const float *, float *, int)+0x90 in /x/building-1/sources/main.cu:4"
echo "=========     by thread (0,0,0) in block (1,0,0)"
echo "=========     Address 0x7f0000000400 is out of bounds"
echo "========= ERROR SUMMARY: 1 error"
else
echo "========= ERROR SUMMARY: 0 errors"
fi
)sh").c_str());
    const auto run = test::runTracedeck(on({"diagnose", "sanitize", "--checks", "memcheck", "initcheck"}, "right"));
    QVERIFY2(run.exit.exitCode == 1, run.errorOutput.c_str());
    const Json reports = parsed(run);
    QCOMPARE(reports.size(), std::size_t{2});
    QCOMPARE(reports[0]["error"], Json(""));   // the solution's own process ended well
    QCOMPARE(reports[0]["findings"][0]["file"], Json("main.cu"));
    QCOMPARE(reports[0]["findings"][0]["line"], Json(4));
    QCOMPARE(reports[1]["clean"], Json(true));
    QVERIFY(reports[0]["confinement"].get<std::string>().find("file system") != std::string::npos || reports[0]["confinement"].get<std::string>().starts_with("none"));
}

void TestDiagnose::sanitizersCallRunsTheSolution()
{
    qputenv("TRACEDECK_COMPUTE_SANITIZER", script("plain", "while [ \"$#\" -gt 0 ]; do case \"$1\" in --*) shift 2 ;; *) break ;; esac; done\n\"$@\"\necho '========= ERROR SUMMARY: 0 errors'\n").c_str());
    const Json raises = parsed(test::runTracedeck(on({"diagnose", "sanitize", "--checks", "memcheck"}, "raises")));
    QVERIFY(QString::fromStdString(raises[0]["error"].get<std::string>()).contains("no luck"));
    QCOMPARE(raises[0]["clean"], Json(false));
    const auto native = test::runTracedeck(on({"diagnose", "sanitize", "--checks", "memcheck"}, "native"));
    const Json report = parsed(native);
    QVERIFY2(report[0]["clean"].get<bool>(), report.dump().c_str());
    // Full confinement and a tool that looks into the process exclude each other.
    const auto full = test::runTracedeck(on({"diagnose", "sanitize", "--confinement", "full"}, "right"));
    QVERIFY(full.exit.exitCode != 0);
}

void TestDiagnose::missingToolsSayHowToGetThem()
{
    qputenv("TRACEDECK_COMPUTE_SANITIZER", "/nowhere/compute-sanitizer");
    const auto run = test::runTracedeck(on({"diagnose", "sanitize"}, "right"));
    QCOMPARE(run.exit.exitCode, 1);
    QVERIFY2(run.errorOutput.find("TRACEDECK_COMPUTE_SANITIZER") != std::string::npos, run.errorOutput.c_str());
    qunsetenv("TRACEDECK_COMPUTE_SANITIZER");
}

void TestDiagnose::profilesAreRead()
{
    // A stand-in for ncu: `--export` names the report that it makes, `--import` has it printed as CSV.
    qputenv("TRACEDECK_NCU", script("ncu", R"sh(if [ "$1" = --import ]; then
printf '"ID","Kernel Name","Block Size","Grid Size","gpu__time_duration.sum","sm__throughput.avg.pct_of_peak_sustained_elapsed"\n"","","","","nsecond","%%"\n'
printf '"0","add_one(const float *, float *, int)","(256, 1, 1)","(2, 1, 1)","2048","3.5"\n'
exit 0
fi
while [ "$#" -gt 0 ]; do case "$1" in --export) report=$2; shift 2 ;; --force-overwrite) shift ;; --*) shift 2 ;; *) break ;; esac; done
echo "==PROF== Connected"
"$@" || exit $?
echo report > "$report"
)sh").c_str());
    QTemporaryDir reports;
    const auto run = test::runTracedeck(on({"diagnose", "profile", "--report-folder", reports.path()}, "right"));
    QVERIFY2(run.exit.exitCode == 0, (run.output + run.errorOutput).c_str());
    const Json report = parsed(run);
    QCOMPARE(report["kernels"][0]["duration_us"], Json(2.048));
    QCOMPARE(report["kernels"][0]["compute_percent"], Json(3.5));
    QCOMPARE(report["kernels"][0]["occupancy_percent"], Json(nullptr));
    QVERIFY(fs::is_regular_file(report["report"].get<std::string>()));
    qputenv("TRACEDECK_NCU", script("ncu", "echo '==ERROR== ERR_NVGPUCTRPERM - no'; exit 1\n").c_str());
    const auto refused = test::runTracedeck(on({"diagnose", "profile"}, "right"));
    QCOMPARE(refused.exit.exitCode, 1);
    QVERIFY(parsed(refused)["error"].get<std::string>().find("NVreg_RestrictProfilingToAdminUsers") != std::string::npos);
    qunsetenv("TRACEDECK_NCU");
}

void TestDiagnose::codeOfACompiledSolution()
{
    const PythonChoice python = choosePython("", "");
    if (!findTool(DiagnosisTool::Cuobjdump, python.interpreter)) QSKIP("no cuobjdump");
    const auto native = test::runTracedeck(on({"diagnose", "code"}, "native"));
    QVERIFY2(native.exit.exitCode == 0, native.errorOutput.c_str());
    QVERIFY(parsed(native)["kernels"].empty());
    const auto script = test::runTracedeck(on({"diagnose", "code"}, "right"));
    QCOMPARE(script.exit.exitCode, 1);
    QVERIFY(script.errorOutput.find("not compiled ahead") != std::string::npos);
}

void TestDiagnose::codeOfACudaSolution()
{
    const PythonChoice python = choosePython("", "");
    if (!findTool(DiagnosisTool::Cuobjdump, python.interpreter)) QSKIP("no cuobjdump");
    const auto toolkit = findCudaToolkit();
    if (!toolkit || toolkit->libraryFolder.empty()) QSKIP("no whole CUDA Toolkit");
    const auto run = test::runTracedeck(on({"diagnose", "code", "--arch", "9.0", "--sass"}, "cuda"));
    QVERIFY2(run.exit.exitCode == 0, run.errorOutput.c_str());
    const Json code = parsed(run);
    QCOMPARE(code["kernels"].size(), std::size_t{1});
    QCOMPARE(code["kernels"][0]["name"], Json("add_one(float const*, float*, int)"));
    QVERIFY(code["kernels"][0]["registers"].get<int>() > 3);
    QVERIFY(code["kernels"][0]["instructions"].get<int>() > 5);
    QVERIFY(code["sass"].get<std::string>().find("EXIT") != std::string::npos);
}

void TestDiagnose::timelinesNeedAGpu()
{
    const auto run = test::runTracedeck(on({"diagnose", "timeline"}, "right"));
    QVERIFY(run.exit.exitCode == 1);
    QVERIFY2(run.errorOutput.find("GPU") != std::string::npos || run.errorOutput.find("CUDA") != std::string::npos, run.errorOutput.c_str());
}

void TestDiagnose::duelsFindTheFasterOne()
{
    QStringList arguments = on({"duel", "--solutions", "slow", "right", "--iterations", "5", "--warmup-runs", "1", "--time-limit", "300"});
    const auto run = test::runTracedeck(arguments);
    QVERIFY2(run.exit.exitCode == 0, run.errorOutput.c_str());
    const Json duel = parsed(run);
    QCOMPARE(duel["leader"], Json("right"));
    QVERIFY(duel["sides"][0]["ratio_to_leader"].get<double>() > 2);
    QCOMPARE(duel["sides"][0]["latencies_ms"].size(), duel["rounds"].get<std::size_t>());
    // On a machine that is busy with other things too few rounds may fit; then nothing is claimed.
    if (duel["end"] == "time") QSKIP("this machine is too busy for a clear verdict");
    QCOMPARE(duel["end"], Json("clear"));
    QVERIFY(duel["rounds"].get<int>() >= 4);
    QCOMPARE(duel["sides"][0]["verdict"], Json("SLOWER"));
    QVERIFY(duel["sides"][0]["low"].get<double>() > 1);
}

void TestDiagnose::duelsDropWhatFails()
{
    const auto run = test::runTracedeck(on({"duel", "--solutions", "right", "corner", "--iterations", "3", "--warmup-runs", "1"}));
    QCOMPARE(run.exit.exitCode, 1);
    const Json duel = parsed(run);
    QCOMPARE(duel["end"], Json("failed"));
    QVERIFY(QString::fromStdString(duel["sides"][1]["failure"].get<std::string>()).startsWith("INCORRECT_NUMERICAL"));
}

void TestDiagnose::wrongTargetsAreNamed_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("says");
    QTest::newRow("solution") << on({"diagnose", "difference"}, "rightt") << "did you mean \"right\"";
    QTest::newRow("workload") << on({"diagnose", "difference"}, "right", "w9") << "no workload \"w9\"";
    QTest::newRow("definition") << on({"diagnose", "tolerance", "--definition", "ad_one"}) << "did you mean \"add_one\"";
    QTest::newRow("twice") << on({"duel", "--solutions", "right", "right"}) << "once";
    QTest::newRow("alone") << on({"duel", "--solutions", "right"}) << "two solutions";
    QTest::newRow("set") << on({"diagnose", "profile", "--set", "best"}, "right") << "set";
    QTest::newRow("atol") << on({"diagnose", "difference", "--atol", "-1"}, "right") << "atol";
}

void TestDiagnose::wrongTargetsAreNamed()
{
    QFETCH(QStringList, arguments);
    QFETCH(QString, says);
    const auto run = test::runTracedeck(arguments);
    QCOMPARE(run.exit.exitCode, 2);
    QVERIFY2(QString::fromStdString(run.errorOutput).contains(says), run.errorOutput.c_str());
}

QTEST_GUILESS_MAIN(TestDiagnose)
#include "test_diagnose.moc"
